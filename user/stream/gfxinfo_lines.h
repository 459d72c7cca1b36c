/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Lines of UTF-8 from text in any encoding that dumps are found in, which may change where files
 * were joined: there, too, a line ends.
 */
#ifndef STREAM_GFXINFO_LINES_H
#define STREAM_GFXINFO_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Longer lines are skipped. The longest of a dump, a histogram, has about 2000 bytes. */
#define GFXINFO_LINE_MAX (64u << 10)

#define GFXINFO_HEAD (64u << 10)

struct gfxinfo_line {
	const char *s; /* what is behind its end can be read too, and is no digit */
	size_t len; /* without the end of line, or blanks at either side */
	uint64_t number; /* from 1 */
	bool ended; /* by a newline; else a file ends here, maybe inside a number */
};

struct gfxinfo_lines;

/* Of a file, which stays the caller's; -1 = of no more than is fed. NULL without memory. */
struct gfxinfo_lines *gfxinfo_lines_new(int fd);

/* Put what precedes the file's: at most GFXINFO_HEAD bytes, and before anything else is done. */
void gfxinfo_lines_feed(struct gfxinfo_lines *l, const unsigned char *bytes, size_t len);

/* The first bytes, GFXINFO_HEAD if there are so many: their number, or a negative errno. */
long gfxinfo_lines_head(struct gfxinfo_lines *l, const unsigned char **head);

/* 1, and the line is valid until the next call; 0 at the end; or a negative errno of read(2). */
int gfxinfo_lines_next(struct gfxinfo_lines *l, struct gfxinfo_line *line);

uint64_t gfxinfo_lines_bytes(const struct gfxinfo_lines *l); /* read */
uint64_t gfxinfo_lines_number(const struct gfxinfo_lines *l); /* of lines, with those skipped */
uint64_t gfxinfo_lines_skipped(const struct gfxinfo_lines *l);
const char *gfxinfo_lines_encoding(const struct gfxinfo_lines *l); /* of the first file in it */

#endif
