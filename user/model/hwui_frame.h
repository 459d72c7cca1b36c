/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What a frame of Android's HWUI has more than another: its kind, FrameInfo, and stages. */
#ifndef MODEL_HWUI_FRAME_H
#define MODEL_HWUI_FRAME_H

#include <linux/types.h>
#include <stdbool.h>
#include <stdint.h>

#include "model/blocker.h"
#include "model/budget.h"
#include "stream/frame_slots.h"

enum frame_kind {
	FRAME_PLAIN, /* of no window of HWUI's, or nothing is known of it but its buffer */
	FRAME_NORMAL, /* begun by the UI thread, drawn by the RenderThread */
	FRAME_FIRST, /* the first after the window's layout or visibility changed */
	FRAME_RT_ANIMATION, /* the RenderThread's alone */
	FRAME_SURFACE_CANVAS, /* of Surface.lockHardwareCanvas() */
	FRAME_SKIPPED, /* begun, but nothing was drawn */
	FRAME_KIND_NR
};

/* "normal", ...; NULL for FRAME_PLAIN. */
const char *frame_kind_name(enum frame_kind kind);

/* By the FrameInfo's flags; never FRAME_PLAIN. */
enum frame_kind frame_kind_of(int64_t flags);

/*
 * The stages on a frame's way, one after the other: the UI thread's, the RenderThread's, the GPU's.
 * They are those of FrameMetrics, but for three: RENDER_QUEUE, the time from SyncQueued to
 * SyncStart, is in none of its metrics; and its SYNC is cut in two, the part in dequeueBuffer() and
 * the rest.
 */
enum stage {
	STAGE_UNKNOWN_DELAY,
	STAGE_INPUT_HANDLING,
	STAGE_ANIMATION,
	STAGE_LAYOUT_MEASURE,
	STAGE_DRAW,
	STAGE_RENDER_QUEUE, /* waited for the RenderThread */
	STAGE_SYNC_PREPARE,
	STAGE_SYNC_DEQUEUE, /* waited for a buffer, the UI thread too */
	STAGE_COMMAND_ISSUE,
	STAGE_SWAP_BUFFERS,
	STAGE_GPU, /* from the swap to the end of the GPU's work */
	STAGE_NR
};

const char *stage_name(enum stage stage); /* "unknown_delay", ... */

/* Whose time a stage is. */
enum stage_thread { STAGE_OF_UI, STAGE_OF_RENDER, STAGE_OF_GPU };
enum stage_thread stage_thread(enum stage stage);

#define SKIP_REASON_LEN 32

/* CLOCK_MONOTONIC. */
struct stage_edges {
	uint64_t from_ns;
	uint64_t to_ns;
};

struct hwui_frame {
	/*
	 * The FrameInfo: all of it, or only the UI thread's part, or (layout 0) nothing. The
	 * deadline is as it was before JankTracker moved it.
	 */
	struct frame_slots slots;
	int64_t deadline_after_ns; /* as JankTracker left it; 0 = not seen */
	uint64_t jank_tracker; /* its address, one per window; 0 = not known, like the others */
	uint64_t frame_number; /* of the buffer */
	int64_t vsync_id;
	uint64_t vsync_delivered_ns; /* when its thread was told of the intended vsync */
	uint64_t ui_end_ns; /* the UI thread was let go, or (not seen) it posted the frame */
	uint64_t commit_ns; /* from there to the end of its message */
	uint64_t sync_dequeue_ns; /* inside syncFrameState(), if has_dequeue */

	struct budget ui; /* sums to ui_end_ns - start_ns; all 0: the frame has no UI part */
	/* The UI thread's until it posted the frame, then the RenderThread's: end_ns - start_ns. */
	struct budget way;
	struct budget stages[STAGE_NR];
	/*
	 * Where they lie, of those that are known. SYNC_DEQUEUE lies within SYNC_PREPARE, whose
	 * budget has no part in it; all others are one after the other, unless the FrameInfo's
	 * slots are in no order.
	 */
	struct stage_edges stage_edges[STAGE_NR];
	uint64_t top_ns; /* the longest cause within a stage; 0: no stage is known */
	struct blocker top_blocker; /* what it waited for longest then, if has_top_blocker */

	enum frame_kind kind;
	uint32_t ui_tid;
	uint32_t stages_known; /* 1u << enum stage */
	enum stage top_stage;
	enum budget_part top_cause;
	char skip_reason[SKIP_REASON_LEN]; /* empty: not known */
	bool whole; /* the FrameInfo is */
	bool has_dequeue;
	bool has_top_blocker;
};

#endif
