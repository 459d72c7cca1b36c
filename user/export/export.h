/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What leaves as a file for other programs. The driver (export.c) reads the input once, gives each
 * record and what the model makes of it to one format, and sees to it that what was written is
 * complete. A new format is one file here and one row in the table in export.c.
 */
#ifndef EXPORT_EXPORT_H
#define EXPORT_EXPORT_H

#include <linux/types.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/err.h"
#include "model/fences.h"
#include "model/model.h"
#include "stream/source.h"

struct export;

/* What CSV has in its rows, and NDJSON too unless it has all of them. */
enum export_rows {
	EXPORT_FRAMES = 0x1,
	EXPORT_FENCES = 0x2,
	EXPORT_WAITS = 0x4,
	EXPORT_BLOCKS = 0x8,
	EXPORT_ALL = 0xf,
};

/*
 * One format. Members that are NULL are not wanted. They return 0 or a negative errno, which ends
 * the export; a failed write shows in x->out and needs no care here.
 */
struct export_ops {
	const char *name; /* as in --format */
	/* Before the first record; x->priv is the format's own. */
	int (*begin)(struct export *x);
	/* A record, in order of time, before the model has it. */
	int (*record)(struct export *x, const struct fs_header *rec);
	/* What the model finds; some time after the records that it follows from. */
	int (*frame)(struct export *x, const struct frame *f);
	int (*wait)(struct export *x, const struct fence_wait *w);
	int (*block)(struct export *x, const struct block *b);
	/* A fence is in flight from now on; is over now. At the record that says so. */
	int (*fence_begun)(struct export *x, const struct fence *f);
	int (*fence_ended)(struct export *x, const struct fence *f, enum fence_end how);
	/* After the last one. */
	int (*end)(struct export *x);
	/* Free x->priv, which may be NULL. */
	void (*free)(struct export *x);
};

struct export
{
	const struct export_ops *ops;
	FILE *out; /* with a large buffer */
	struct model *model;
	const struct source *source;
	unsigned rows; /* enum export_rows */
	int error; /* negative errno of the first member that failed */
	void *priv;
};

extern const struct export_ops export_perfetto; /* perfetto.c */
extern const struct export_ops export_chrome; /* chrome.c */
extern const struct export_ops export_csv; /* rows.c */
extern const struct export_ops export_ndjson; /* rows.c */

/* NULL if there is none with that name. */
const struct export_ops *export_find(const char *name);

#endif
