// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The result line of a comparer, and the findings behind it. */
#include "live/pipeline/finding.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#define SHOWN_MAX 8

const char *test;
unsigned findings;

void die(const char *fmt, ...)
{
	va_list ap;

	printf("FAIL %s: ", test ? test : "compare");
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	putchar('\n');
	exit(test ? 1 : 2);
}

void wrong(const char *fmt, ...)
{
	va_list ap;

	if (findings++ >= SHOWN_MAX)
		return;
	if (findings > 1)
		printf("#   also: ");
	else
		printf("FAIL %s: ", test);
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	putchar('\n');
}

int result(const char *fmt, ...)
{
	va_list ap;

	if (findings)
		printf("#   ");
	else
		printf("PASS %s: ", test);
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	putchar('\n');
	return findings ? 1 : 0;
}
