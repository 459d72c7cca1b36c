/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The rows of `framescope fences`: three views, each one file, in the three formats of all rows.
 * The columns that machines read are only ever appended.
 */
#ifndef OUTPUT_FENCES_H
#define OUTPUT_FENCES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "model/fence_stats.h"
#include "output/cells.h"
#include "output/output.h"

/* What a row is made of. Which members are valid depends on the view. */
struct fences_row {
	const struct fence_timeline *timeline;
	uint64_t length_ns; /* of the capture, 0 = not known: with timeline */
	const struct fence_wait *wait;
	const struct fence_unsignaled *unsignaled;
	const struct fence_name *name; /* of what the row is about */
	uint64_t origin_ns; /* what the times in a table count from */
};

struct fences_column {
	const char *name; /* NULL ends the list */
	void (*get)(const struct fences_row *row, unsigned arg, struct cell *c);
	unsigned arg;
};

struct fences_view {
	const char *schema;
	const struct fences_column *columns;
	const char *none; /* what a table says that has no rows */
	void (*head)(FILE *out, const struct style *style);
	void (*row)(FILE *out, const struct style *style, const struct fences_row *row);
};

extern const struct fences_view fences_timelines; /* fences_timelines.c */
extern const struct fences_view fences_waits; /* fences_waits.c */
extern const struct fences_view fences_unsignaled; /* fences_unsignaled.c */

/* Rows on their way out. Zero but for the first four before the first row. */
struct fences_printer {
	FILE *out;
	const struct style *style;
	const struct row_format *format; /* which of the three; it is not called */
	const struct fences_view *view;
	uint64_t rows;
};

/* Before the first row, each row, and after the last. */
void fences_begin(const struct fences_printer *p);
void fences_print(struct fences_printer *p, const struct fences_row *row);
void fences_end(const struct fences_printer *p);

/* For the views: text that may be empty, escaped, into a cell; and "-" for what was not observed.
 */
void fences_text_cell(struct cell *c, const char *text, size_t len);
const char *fences_dash(const char *text);

/* Columns of the name: one for either. */
enum fences_name_arg { FENCES_DRIVER, FENCES_TIMELINE };
void fences_get_name(const struct fences_row *row, unsigned arg, struct cell *c);

/* "context:seqno", cut to `width`. */
void fences_id(char *dst, size_t len, struct fence_id id, unsigned width);

/* "driver/timeline", escaped; empty if neither is known. */
void fences_full_name(char *dst, size_t len, const struct fence_name *name);

/* "comm/tid", escaped and cut to `width` if that is not WORDS_NO_LIMIT; never the number. */
void fences_thread(char *dst, size_t len, const char *comm, uint32_t tid, unsigned width);

#endif
