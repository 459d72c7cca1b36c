/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The slices of Android's graphics that mean something, by their names in each release. */
#ifndef TRACE_MARKS_SLICES_H
#define TRACE_MARKS_SLICES_H

#include <stddef.h>
#include <stdint.h>

#include <framescope/event.h>

enum slice {
	SLICE_OTHER, /* of no meaning here */
	SLICE_DO_FRAME, /* Choreographer#doFrame: the UI thread's part of a frame */
	SLICE_RESYNCED, /* inside it: the frame is another vsync's */
	SLICE_INPUT, /* inside it, like the next ones */
	SLICE_ANIMATION,
	SLICE_TRAVERSAL,
	SLICE_DRAW,
	SLICE_RECORD, /* inside that */
	SLICE_POST, /* the UI thread posts a frame and waits */
	SLICE_DRAW_FRAME, /* the RenderThread makes one */
	SLICE_SYNC, /* the part of that for which the UI thread waits */
	SLICE_DEQUEUE,
	SLICE_QUEUE,
	SLICE_SWAP,
	SLICE_PRESENT,
	SLICE_SLOT, /* waits for a free buffer */
	SLICE_GPU_DONE, /* waits for the fence of a buffer that was queued */
	SLICE_HWC_DONE, /* of one that was dequeued */
	SLICE_SYNC_WAIT, /* a wait for a fence in the kernel, of Android's sync framework */
	SLICE_NR
};

struct slice_kind {
	const char *symbol; /* NULL: there are no calls of it */
	enum fs_role role; /* of its calls */
	uint32_t never_in; /* kinds that have ended where this begins: 1u << enum slice */
};

const struct slice_kind *slice_kind(enum slice slice);

enum slice slice_of(const char *name, size_t len);

/* The vsync id in the name of a DO_FRAME, RESYNCED or DRAW_FRAME; 0 if it has none. */
int64_t slice_vsync_id(enum slice slice, const char *name, size_t len);

/* The surface's name within that of a DEQUEUE; NULL if it has none. */
const char *slice_surface(const char *name, size_t len, size_t *surface_len);

#endif
