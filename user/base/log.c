/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Diagnostics: one line per message, written in one piece. */
#include "base/log.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define TEXT_LEN 2048

static enum log_level max_level = LOG_INFO;

void log_set_level(enum log_level level)
{
	max_level = level;
}

enum log_level log_level(void)
{
	return max_level;
}

static void print(enum log_level level, const char *prefix, const char *text)
{
	char line[TEXT_LEN + 32];
	size_t len = strlen(text);

	if (level > max_level)
		return;
	/* A message may bring its own newline, as those of libbpf do. */
	bool ends = len > 0 && text[len - 1] == '\n';
	snprintf(line, sizeof(line), "%s%s%s", prefix, text, ends ? "" : "\n");
	fputs(line, stderr);
}

void log_warn(const char *fmt, ...)
{
	char text[TEXT_LEN];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	print(LOG_WARN, "framescope: warning: ", text);
}

void log_info(const char *fmt, ...)
{
	char text[TEXT_LEN];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	print(LOG_INFO, "", text);
}

void log_debug(const char *fmt, ...)
{
	char text[TEXT_LEN];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	print(LOG_DEBUG, "framescope: debug: ", text);
}
