/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Filling and printing of errors. */
#include "base/err.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

int err_set(struct err *e, int code, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(e->what, sizeof(e->what), fmt, ap);
	va_end(ap);
	e->hint[0] = '\0';
	e->code = code;
	return code;
}

int err_errno(struct err *e, int code, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(e->what, sizeof(e->what), fmt, ap);
	va_end(ap);
	size_t len = strlen(e->what);
	snprintf(e->what + len, sizeof(e->what) - len, ": %s", strerror(-code));
	e->hint[0] = '\0';
	e->code = code;
	return code;
}

int err_hint(struct err *e, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(e->hint, sizeof(e->hint), fmt, ap);
	va_end(ap);
	return e->code;
}

static void print_line(const char *prefix, const char *text)
{
	char line[ERR_TEXT_LEN];

	snprintf(line, sizeof(line), "%s", text);
	text_printable(line);
	fprintf(stderr, "%s%s\n", prefix, line);
}

void err_print(const struct err *e)
{
	print_line("framescope: ", e->what);
	if (e->hint[0])
		print_line("  try: ", e->hint);
}
