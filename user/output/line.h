/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A line as it is made: text and numbers are put behind one another in memory, and go to the stream
 * together. Exports have hundreds of millions of them: a call of stdio's for each would be most of
 * the work.
 */
#ifndef OUTPUT_LINE_H
#define OUTPUT_LINE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

#define LINE_BYTES 8192

/* Any length: what has no room any more sends what is there on its way. */
struct line {
	FILE *out;
	size_t len;
	char text[LINE_BYTES];
};

static inline void line_begin(struct line *l, FILE *out)
{
	l->out = out;
	l->len = 0;
}

/* Give the stream what is there. To be called after the last piece. */
static inline void line_send(struct line *l)
{
	fwrite_unlocked(l->text, 1, l->len, l->out);
	l->len = 0;
}

/* Where `n` bytes can be put, at most LINE_BYTES; line_took() says where they ended. */
static inline char *line_room(struct line *l, size_t n)
{
	if (n > sizeof(l->text) - l->len)
		line_send(l);
	return l->text + l->len;
}

static inline void line_took(struct line *l, const char *end)
{
	l->len = (size_t)(end - l->text);
}

/* A literal. */
#define line_put(l, literal) line_bytes(l, "" literal, sizeof(literal) - 1)

/* At most LINE_BYTES. */
static inline void line_bytes(struct line *l, const char *bytes, size_t n)
{
	memcpy(line_room(l, n), bytes, n);
	l->len += n;
}

static inline void line_char(struct line *l, char c)
{
	*line_room(l, 1) = c;
	l->len++;
}

static inline void line_number(struct line *l, uint64_t n)
{
	line_took(l, text_digits(line_room(l, TEXT_DIGITS), n));
}

/* With three decimals: 1500 is 1.500. */
static inline void line_thousandths(struct line *l, uint64_t n)
{
	line_took(l, text_thousandths(line_room(l, TEXT_DIGITS), n));
}

#endif
