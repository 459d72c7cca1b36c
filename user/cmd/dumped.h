/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* From a text of dumpsys to frames: what report and frames do with one instead of a capture. */
#ifndef CMD_DUMPED_H
#define CMD_DUMPED_H

#include <stdbool.h>

#include "base/err.h"
#include "cmd/judging.h"
#include "model/dump_frames.h"
#include "stream/gfxinfo.h"

/* Zero but for the callbacks and `judging`, which is the caller's, before dumped_open(). */
struct dumped {
	struct judging *judging;
	/*
	 * A frame that has its verdicts. 0 or a negative errno, which ends the run. NULL: not
	 * wanted.
	 */
	int (*frame)(void *ctx, struct frame *f);
	/* Each item, before the frames that are made of it; likewise. NULL: not wanted. */
	int (*item)(void *ctx, const struct gfxinfo_item *item);
	void *ctx;
	const bool *stop; /* set by a callback: that is enough */

	struct gfxinfo *text;
	struct dump_frames *frames;
	int error;
};

/* Is it the text of dumpsys, or standard input or a pipe, where captures are not read from? */
bool dumped_is(const char *path);

/* 0 or a negative errno. Ends with dumped_close(), also after a failure. */
int dumped_open(struct dumped *d, const char *path, struct err *e);

/* Read all of the text. 0 or a negative errno. */
int dumped_run(struct dumped *d, const char *path, struct err *e);

/* Say on standard error what of the text was not understood. */
void dumped_warn(const struct dumped *d, const char *path);

void dumped_close(struct dumped *d);

#endif
