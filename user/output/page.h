/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Text for people on a page of limited width. Widths are counted in characters, not bytes. */
#ifndef OUTPUT_PAGE_H
#define OUTPUT_PAGE_H

#include <stdio.h>

#define REPORT_WIDTH 98

/*
 * Print text from column `column` on, and end the line. What would go beyond `width` continues on
 * further lines, indented by `indent`; a word that is longer than a line is broken.
 */
void page_wrap(FILE *out, unsigned column, unsigned indent, unsigned width, const char *text);

/* A line of a list: its label, and the text in a column of its own, wrapped to REPORT_WIDTH. */
void page_labelled(FILE *out, const char *label, const char *text);

/* The same with a format; at most 1023 bytes of what it makes. */
__attribute__((format(printf, 3, 4))) void page_line(FILE *out, const char *label, const char *fmt,
						     ...);

/* A paragraph with a bullet; at most 1023 bytes. */
__attribute__((format(printf, 2, 3))) void page_note(FILE *out, const char *fmt, ...);

/* Print text padded to `width` characters, on its right. */
void page_pad(FILE *out, const char *text, unsigned width);

#endif
