/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Frames from the steps of buffers that Perfetto's GraphicsFrameEvents tell of: from the dequeue of
 * a buffer to its queue, with the signal of its acquire fence and when it was shown. Only where
 * nothing better is known: no frame was seen, and there is no FrameTimeline.
 */
#ifndef MODEL_BUFFER_FRAMES_H
#define MODEL_BUFFER_FRAMES_H

#include "model/thread.h"

#define BUFFER_FRAMES                                                                              \
	1024 /* queued ones that may still be shown, of all layers; a power of two                 \
	      */
#define BUFFER_DEQUEUES 1024 /* buffers that are being drawn into; a power of two */
#define BUFFER_NS UINT64_C(2000000000) /* after its queue a frame waits no longer */

/* Take a record. 0 or -ENOMEM. */
int buffer_frames_feed(struct model *m, const struct fs_buffer *rec);

/* It is `now`, or the end (UINT64_MAX). 0 or -ENOMEM. */
int buffer_frames_tick(struct model *m, uint64_t now);

void buffer_frames_free(struct buffer_frames *b); /* NULL is fine */

#endif
