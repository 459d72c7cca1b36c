/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Frames from the text of dumpsys. They have a FrameInfo, or the times that were printed, and
 * nothing of what threads did. A script that polls prints the same frames again and again: each is
 * given once.
 */
#ifndef MODEL_DUMP_FRAMES_H
#define MODEL_DUMP_FRAMES_H

#include <stdbool.h>
#include <stdint.h>

#include "model/frame.h"
#include "stream/gfxinfo.h"

struct dump_frames;

struct dump_sink {
	/* A frame; what of it may be changed and how long it lives is as with a model's. */
	void (*frame)(void *ctx, struct frame *f);
	/* Frames of the window are missing before the next one. */
	void (*gap)(void *ctx, const struct producer *p);
	void *ctx;
};

/* NULL when out of memory. The sink is copied. Ends with dump_frames_free(), which takes NULL. */
struct dump_frames *dump_frames_new(const struct dump_sink *sink);
void dump_frames_free(struct dump_frames *d);

/* Take the next item of a text. 0 or -ENOMEM. */
int dump_frames_add(struct dump_frames *d, const struct gfxinfo_item *item);

/* Who made the frames of that window, named as the items do; NULL if none came. */
const struct producer *dump_frames_producer(const struct dump_frames *d, uint32_t pid,
					    const char *process, const char *window,
					    unsigned window_nr);

/* Rows that an earlier dump had, too. */
uint64_t dump_frames_repeated(const struct dump_frames *d);

/* Rows of windows that are too many to be told apart: they became no frames. */
uint64_t dump_frames_left_out(const struct dump_frames *d);

#endif
