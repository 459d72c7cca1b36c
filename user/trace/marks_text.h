/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The text of a mark taken apart: what a program writes into trace_marker. */
#ifndef TRACE_MARKS_TEXT_H
#define TRACE_MARKS_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct mark {
	char phase; /* one of BESFCINGH */
	uint32_t pid; /* of the process, as it calls itself; 0 = not said */
	const char *name; /* B, E, I: within the text, not NUL-terminated */
	size_t name_len; /* 0: none */
};

/*
 * False if the text is no mark. What is cut off at its end, or no number where one should be, makes
 * it say less.
 */
bool mark_parse(const char *text, size_t len, struct mark *m);

/* The number behind the first `skip` bytes; 0 if there is none above 0, or another word. */
int64_t mark_number(const char *name, size_t len, size_t skip);

/* Tells names apart within one run of the program; never 0. */
uint64_t mark_key(const char *name, size_t len);

/* The same for names that are the same, in records too; never 0. */
uint64_t mark_hash(const char *name, size_t len);

#endif
