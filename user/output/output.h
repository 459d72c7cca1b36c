/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What leaves the program: the formats of rows, which listing.h prints, and the report. */
#ifndef OUTPUT_OUTPUT_H
#define OUTPUT_OUTPUT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/err.h"
#include "model/model.h"
#include "model/summary.h"
#include "output/probed.h"
#include "stream/source.h"

struct long_messages;
struct verdicts;

/* How to print for the reader at hand. Every string is empty when colour is off. */
struct style {
	const char *bold;
	const char *dim;
	const char *warn;
	const char *off;
};

/* Colour for a terminal, unless NO_COLOR is set or TERM is "dumb". */
struct style style_for(FILE *out);

/* One way to print rows; which it is, its address says. */
struct row_format {
	const char *name; /* as in --format */
};

extern const struct row_format row_table; /* for people */
extern const struct row_format row_csv; /* RFC 4180, but with LF, which is what scripts expect */
extern const struct row_format row_ndjson; /* one JSON object a line */

/* All of them, NULL-terminated; the first is the default. */
extern const struct row_format *const row_formats[];

/* NULL if there is none with that name. */
const struct row_format *row_format_find(const char *name);

/*
 * Before the first write: a reader that goes away, like head(1), is to show as a failed write and
 * not to end the program.
 */
void output_begin(void);

/*
 * Write in large pieces, for an output that may be long. Of one stream at a time, before the first
 * write.
 */
void output_buffer(FILE *out);

/* 0, or a negative errno if the last write to `out` failed. Look soon: errno is all there is. */
int output_failed(FILE *out);

/*
 * Write out what is buffered, and give the verdict on all of it: 0, or a negative errno with its
 * text. `failed` is what output_failed() said before, or 0. A reader that went away is no failure.
 */
int output_finish(FILE *out, int failed, struct err *e);

/* All that a report is made of. */
struct report {
	const char *path;
	const struct source_stats *input;
	const struct model_stats *model;
	const struct source *source; /* for what it does not have; NULL: nothing to say */
	const char *meta; /* JSON text of the capture, or NULL */
	bool trace; /* others recorded it */
	const struct probed *probed;
	uint64_t origin_ns; /* what "start ms" counts from */
	struct summary *summary;
	const struct verdicts *verdicts; /* NULL: no frame came */
	const struct long_messages *long_messages; /* NULL: not looked for */
};

/* For people, in 100 columns. */
void report_text(FILE *out, const struct style *style, const struct report *r);

/* One JSON object, schema "framescope.report/1". 0 or -ENOMEM. */
int report_json(FILE *out, const struct report *r, struct err *e);

#endif
