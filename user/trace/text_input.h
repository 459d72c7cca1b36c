/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * From a file to the lines of a trace: plain text, what gzip or `atrace -z` make of it, and the
 * blocks of an HTML page of systrace. Reads on, never back; memory does not grow with the input.
 */
#ifndef TRACE_TEXT_INPUT_H
#define TRACE_TEXT_INPUT_H

#include <linux/types.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "stream/source.h"

struct text_input;

/* A line without its end, in place: what is in it may be changed until the next call. */
struct text_line {
	char *s;
	char *end;
};

/*
 * Reads s->fd from its beginning on; `head` is how the file begins. *out ends with
 * text_input_free(), which takes NULL, and before the source. 0 or a negative errno.
 */
int text_input_open(struct source *s, const unsigned char *head, size_t len,
		    struct text_input **out, struct err *e);
void text_input_free(struct text_input *in);

/* Read the next block: 1, 0 at the end, or a negative errno. Keeps s->stats.bytes. */
int text_input_fill(struct text_input *in, struct err *e);

/* The next line of the block: false if another block is needed, or there is no more. */
bool text_input_next(struct text_input *in, struct text_line *line);

/* What of the block is not taken yet. */
struct text_line text_input_rest(const struct text_input *in);

/* The line was the banner that may stand before a compressed rest. */
void text_input_banner(struct text_input *in);

/* A new block of a page began with the last line. Valid after text_input_next(). */
bool text_input_new_block(struct text_input *in);

bool text_input_is_html(const struct text_input *in);
uint64_t text_input_too_long(const struct text_input *in); /* lines that were skipped */
bool text_input_cut(const struct text_input *in); /* valid at the end: it is not all there */

/* Does the page's beginning look like HTML? */
bool text_html_head(const unsigned char *head, size_t len);

#endif
