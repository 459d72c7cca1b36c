/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Diagnostics: one line per message, written in one piece. */
#include "base/log.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

#define TEXT_LEN 2048

static enum log_level max_level = LOG_INFO;

static void (*diverted)(void *ctx, const char *line);
static void *diverted_ctx;

void log_divert(void (*fn)(void *ctx, const char *line), void *ctx)
{
	diverted = fn;
	diverted_ctx = ctx;
}

void log_set_level(enum log_level level)
{
	max_level = level;
}

enum log_level log_level(void)
{
	return max_level;
}

__attribute__((format(printf, 3, 0))) static void print(enum log_level level, const char *prefix,
							const char *fmt, va_list ap)
{
	char text[TEXT_LEN], line[TEXT_LEN + 32];

	if (level > max_level)
		return;
	vsnprintf(text, sizeof(text), fmt, ap);
	/* A message may bring its own newline, as those of libbpf do. */
	size_t len = strlen(text);
	if (len > 0 && text[len - 1] == '\n')
		text[len - 1] = '\0';
	text_printable(text);
	snprintf(line, sizeof(line), "%s%s%s", prefix, text, diverted ? "" : "\n");
	if (diverted)
		diverted(diverted_ctx, line);
	else
		fputs(line, stderr);
}

void log_warn(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	print(LOG_WARN, "framescope: warning: ", fmt, ap);
	va_end(ap);
}

void log_info(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	print(LOG_INFO, "", fmt, ap);
	va_end(ap);
}

void log_debug(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	print(LOG_DEBUG, "framescope: debug: ", fmt, ap);
	va_end(ap);
}
