/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Diagnostics on standard error, in one place and with one level for us and for libbpf. */
#ifndef BASE_LOG_H
#define BASE_LOG_H

enum log_level { LOG_QUIET, LOG_WARN, LOG_INFO, LOG_DEBUG };

/* Default LOG_INFO. -q gives LOG_WARN, -v LOG_DEBUG. */
void log_set_level(enum log_level level);
enum log_level log_level(void);

/*
 * Give the lines, without their newlines, to `fn` instead of standard error: what is on the
 * terminal is not to be disturbed. NULL: to standard error again.
 */
void log_divert(void (*fn)(void *ctx, const char *line), void *ctx);

void log_warn(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void log_info(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void log_debug(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#endif
