/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What the model makes of the stream: producers, and the frames they made. */
#ifndef MODEL_FRAME_H
#define MODEL_FRAME_H

#include <linux/types.h>
#include <stdbool.h>
#include <stdint.h>

#include <framescope/event.h>

#include "model/blocker.h"
#include "model/budget.h"
#include "model/fence.h"
#include "model/frame_timeline_verdict.h"
#include "model/hwui_frame.h"
#include "model/verdict.h"
#include "stream/gfxinfo.h"

#define PRODUCER_NAME_LEN 96 /* processes of Android have long ones */

/*
 * Who makes the frames of one surface. Owned by the model, or by what reads a dump; lives until
 * model_free() or dump_frames_free().
 */
struct producer {
	uint32_t id; /* from 1, in order of appearance */
	uint32_t pid;
	uint32_t ui_tid; /* equals render_tid in plain EGL */
	uint32_t render_tid; /* 0: not known, nor the surface: only its frames were told of */
	uint64_t surface; /* the surface's address in the process, its tag byte masked */
	bool surface_made_up; /* to tell surfaces apart: a trace does not have their addresses */
	const char *window; /* its title; NULL: not known */
	bool filtered; /* the platform counts from the handling of input, for a test */
	bool from_start; /* its first frame here is the window's first */
	/* Unique in the capture: the process's name, "#2" ... behind further ones. */
	char name[PRODUCER_NAME_LEN];
	char process[PRODUCER_NAME_LEN]; /* the process's name as it is */
};

enum frame_status {
	FRAME_COMPLETE,
	FRAME_LOSSY, /* records of its thread were lost within it */
	FRAME_TRUNCATED, /* cut by an edge of the capture or by the thread's end */
	FRAME_STATUS_NR
};

/* Where a frame was told of, if it was not seen being made. */
enum dump_kind {
	DUMP_NONE, /* it was seen: in records of what its threads did */
	DUMP_ROW, /* a row of framestats: it has a FrameInfo */
	DUMP_TIMES, /* a row of the table in ms */
	DUMP_LATENCY, /* a row of SurfaceFlinger's --latency */
	DUMP_TIMELINE, /* SurfaceFlinger's FrameTimeline: its times are in `ft`, too */
	DUMP_BUFFER, /* the steps of its buffer, by GraphicsFrameEvents */
};

const char *frame_status_name(enum frame_status s); /* "complete", "lossy", "truncated" */

#define FRAME_BLOCKERS 16

/* One frame, complete in itself; valid during the sink's call. */
struct frame {
	const struct producer *producer;
	uint64_t number; /* from 1, per producer */
	/*
	 * CLOCK_MONOTONIC. It begins at its intended vsync where that is known, else where the one
	 * before ended.
	 */
	uint64_t start_ns;
	uint64_t end_ns;
	enum frame_status status;
	uint64_t render_start_ns; /* start_ns, or when it was posted to the RenderThread */
	struct budget render; /* sums to end_ns - render_start_ns */

	/* Time inside the probed functions, ns; valid only if the bit of the role is in `seen`. */
	uint32_t seen; /* 1u << enum fs_role */
	uint64_t swap_ns; /* FS_ROLE_SWAP or FS_ROLE_PRESENT */
	uint64_t dequeue_ns;
	uint64_t queue_ns;

	/* Its buffer's address and way; 0: not observed. */
	uint64_t buffer;
	uint64_t asked_ns; /* when the dequeue that it came with began */
	uint64_t dequeued_ns; /* when that ended */
	uint64_t queued_ns; /* when its queueing did */

	bool has_depth;
	unsigned queue_depth; /* buffers of its window in flight when its own was asked for */

	/*
	 * The fence given away with the frame's buffer, and the one that came with it. 0: not
	 * observed.
	 */
	bool has_acquire, has_release;
	struct fence_id acquire, release;
	uint64_t acquire_signal_ns; /* the GPU was done */
	uint64_t gpu_ns; /* it took, from the later of submission and the work before */
	uint64_t release_signal_ns;
	uint64_t release_wait_ns; /* valid if has_release: blocked for that fence */
	bool waited; /* for fences whose identity is known; of which fence_confidence is the least
		      */
	enum confidence fence_confidence;

	struct hwui_frame hwui;
	struct verdict verdict; /* for a judge to fill in */
	struct frame_timeline_verdict ft; /* SurfaceFlinger's own */

	/* Told of by the platform: there is what that says, and no more. */
	enum dump_kind dumped;
	enum gfxinfo_fault fault; /* of such a one that is not to be counted */
	unsigned nr_times; /* of a row of times: 3 or 4 of these, enum gfxinfo_time, ns */
	int64_t times_ns[TIME_NR];
	/* Of a row of SurfaceFlinger's, CLOCK_MONOTONIC; 0 = not (yet). */
	uint64_t desired_present_ns, actual_present_ns, frame_ready_ns;

	/* The reasons for not running, longest first. What did not fit is in `blockers_rest_ns`. */
	unsigned nr_blockers;
	struct blocker blockers[FRAME_BLOCKERS];
	uint64_t blockers_rest_ns;
	/* Of the unknown part of its way: it is known that the thread waited, only not for what. */
	uint64_t unknown_wait_ns;
};

/*
 * The largest part of the frame's budget (the first of equals), of a frame of HWUI within one
 * stage, and in *ns its length.
 */
enum budget_part frame_top_cause(const struct frame *f, uint64_t *ns);

/* What its time went to on its way: sums to end_ns - start_ns. */
const struct budget *frame_way(const struct frame *f);

/* Is it known by no more than what a trace tells of its layer or buffer? */
static inline bool frame_is_told(const struct frame *f)
{
	return f->dumped >= DUMP_TIMELINE;
}

/* The longest blocker with that cause, or NULL. */
const struct blocker *frame_top_blocker(const struct frame *f, enum budget_part cause);

#endif
