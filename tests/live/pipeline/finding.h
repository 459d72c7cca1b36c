/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* How the programs that compare with the pipeline's truth say what is wrong. */
#ifndef TESTS_LIVE_PIPELINE_FINDING_H
#define TESTS_LIVE_PIPELINE_FINDING_H

extern const char *test; /* its name in the result line */
extern unsigned findings;

/* What was to be compared can't be, and the program ends. */
void die(const char *fmt, ...) __attribute__((format(printf, 1, 2), noreturn));

/* The first finding makes the result line, the next ones follow it, the rest is counted. */
void wrong(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* The result line, or behind findings a note with the same; the exit code. */
int result(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#endif
