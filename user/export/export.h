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
#include "output/fences.h"
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
	/*
	 * A fence is in flight from now on, and counted in its context; is over now, once, and
	 * still counted. At the record that says so: x->now_ns. Its numbers may change in between.
	 */
	int (*fence_begun)(struct export *x, const struct fence *f);
	int (*fence_ended)(struct export *x, const struct fence *f, enum fence_end how);
	/* A fence is in flight still when all is over. */
	int (*fence_left)(struct export *x, const struct fence *f);
	/* After the last one. */
	int (*end)(struct export *x);
	/* Free x->priv, which may be NULL. */
	void (*free)(struct export *x);
};

/* A row of the table of formats. */
struct export_format {
	const struct export_ops *ops;
	const char *suffixes[2]; /* of files; the first is the one given to new ones */
	bool rows; /* text, of which EXPORT_... can be chosen */
	bool binary; /* nothing for a terminal */
	bool short_text; /* goes to standard output, unless it is told otherwise, as rows do */
};

/* Zero it but for the first four before export_begin(). */
struct export
{
	const struct export_ops *ops;
	FILE *out; /* with a large buffer */
	unsigned rows; /* enum export_rows */
	/* Have a frame judged before it leaves. 0 or a negative errno. NULL: it is. */
	int (*judge)(void *ctx, struct frame *f);
	void *judge_ctx;
	struct model *model; /* NULL: of frames that were read in a dump, which is all there is */
	const struct source *source;
	uint64_t now_ns; /* time of the record at hand */
	int error; /* negative errno of the first member that failed ... */
	int write_error; /* ... or of the first write */
	bool stop; /* one of them, or enough */
	struct fence_observer observer;
	void *priv;
};

extern const struct export_ops export_perfetto; /* perfetto.c */
extern const struct export_ops export_chrome; /* chrome.c */
extern const struct export_ops export_csv; /* rows.c */
extern const struct export_ops export_ndjson; /* rows.c */
extern const struct export_ops export_openmetrics; /* openmetrics.c */

/* All of them; the last has no ops. */
extern const struct export_format export_formats[];

/* NULL if there is none with that name, or for files that are named so. */
const struct export_format *export_find(const char *name);
const struct export_format *export_find_file(const char *path);

/* What the model is to be made with; before export_begin(). */
struct model_sink export_sink(struct export *x);

/* Before the first record. `m` and `s` are NULL for the frames of a dump. */
void export_begin(struct export *x, struct model *m, const struct source *s);

/* A record, before the model gets it; for analysis.record. 0: what failed is in *x. */
int export_record(struct export *x, const struct fs_header *rec);

/* A frame that is judged. The sink does it for those of a model. */
void export_frame(struct export *x, const struct frame *f);

/* What a frame's slice is called: its number, and what most of its time went to. */
#define EXPORT_FRAME_LEN 64
void export_frame_name(char name[EXPORT_FRAME_LEN], const struct frame *f);

/* The row of a fence that is over, or, at the end of all, still in flight; `name` is filled. */
struct fences_row export_fence_row(const struct export *x, const struct fence *f, bool over,
				   enum fence_end how, struct fence_name *name);

/* After the last record, when the model is finished, unless x->stop is set. */
void export_end(struct export *x);

/* Also after a failure. */
void export_free(struct export *x);

#endif
