/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Errors that teach: what failed, on what, why, and what to try. */
#ifndef BASE_ERR_H
#define BASE_ERR_H

#define ERR_TEXT_LEN 1024

/*
 * Filled by the function that failed, printed once by the command that gives up. The caller owns
 * it; zero it before use. A function that takes a `struct err *` never takes NULL.
 */
struct err {
	int code; /* negative errno */
	char what[ERR_TEXT_LEN]; /* "cannot open /x.fsc: No such file or directory" */
	char hint[ERR_TEXT_LEN]; /* what to try; may be empty */
};

/* Set code (a negative errno) and text, clear the hint. Returns code, for `return err_set()`. */
int err_set(struct err *e, int code, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/* The same with ": <strerror(-code)>" appended to the text. */
int err_errno(struct err *e, int code, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/* Add what to try. Returns e->code. */
int err_hint(struct err *e, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Print "framescope: what" and "  try: hint" to standard error. */
void err_print(const struct err *e);

#endif
