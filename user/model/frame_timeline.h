/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * SurfaceFlinger's FrameTimeline: what it expects of the frame with a token (the vsync id that the
 * app was given), and what became of it. Both are told late, when the frame was shown. The last
 * tokens of all processes are kept, for the frames that have them; of tokens that no frame has,
 * frames are made that know nothing else.
 */
#ifndef MODEL_FRAME_TIMELINE_H
#define MODEL_FRAME_TIMELINE_H

#include "model/thread.h"

#define FT_TOKENS 2048 /* kept, of all processes */
#define FT_LAYERS 4 /* per token; further ones are only counted */
#define FT_DISPLAYS 1024 /* frames of displays, a power of two */
/* For so long after its end a frame of ours may come for what was told. */
#define FT_CLAIM_NS UINT64_C(2000000000)
/* A token that comes again after that is another one: SurfaceFlinger was started anew. */
#define FT_REUSE_NS UINT64_C(10000000000)

/* Take a record. 0 or -ENOMEM. */
int frame_timeline_feed(struct model *m, const struct fs_timeline *rec);

/*
 * What SurfaceFlinger expected of a process's frame with that token: when it should begin, which is
 * its intended vsync, and its deadline, CLOCK_MONOTONIC; 0 if that one is not known. False if
 * nothing was said of it (yet).
 */
bool frame_timeline_expected(const struct model *m, uint32_t pid, int64_t token, uint64_t *start,
			     uint64_t *deadline);

/*
 * Is all there that will be said of the producer's frame with that token? Of none (0), and where
 * there is no FrameTimeline: yes.
 */
bool frame_timeline_ready(const struct model *m, const struct producer *p, int64_t token);

/* The frame is about to leave: what is known of its token becomes f->ft, and is taken. */
void frame_timeline_take(struct model *m, struct frame *f, int64_t token);

/*
 * It is `now`, or the end (UINT64_MAX): what no frame has come for becomes frames. 0 or -ENOMEM.
 */
int frame_timeline_tick(struct model *m, uint64_t now);

void frame_timelines_free(struct frame_timelines *t); /* NULL is fine */

#endif
