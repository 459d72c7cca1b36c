/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What is known of the HWUI of one process: which thread is its UI thread, what the RenderThread
 * does for each frame, and the FrameInfos of frames that were finished. All are kept for a while,
 * in rings, since what belongs together comes at different times: a FrameInfo when the GPU is done,
 * on some other thread.
 */
#ifndef MODEL_HWUI_H
#define MODEL_HWUI_H

#include "model/thread.h"

struct call; /* builder.h */

#define STAGES_NS UINT64_C(2000000000) /* for so long what the threads did is kept in detail */

#define WORKS_NR 64 /* a power of two, like the next ones */
#define INFOS_NR 64
#define TIMES_NR 64

/* What the RenderThread does for one frame of one window. */
struct work {
	uint32_t tid; /* 0: none */
	uint64_t first_ns; /* the earliest that is known of it */
	uint64_t entry_ns; /* the call that makes the frame; 0 = not seen, like the others */
	uint64_t exit_ns;
	uint64_t sync_entry_ns, sync_exit_ns; /* syncFrameState() */
	uint64_t dequeue_entry_ns, dequeue_exit_ns; /* the last dequeue that began in it */
	uint64_t context; /* CanvasContext */
	struct frame_slots ui; /* the UI thread's part; layout 0: not seen */
	uint32_t ui_tid; /* whose part it is; 0 = it does not say */
	int64_t vsync_id; /* by setFrameTimelineInfo(), like the number of the frame */
	uint64_t frame_number;
	char skip_reason[SKIP_REASON_LEN];
	bool queued; /* a buffer was */
	bool lossy; /* records of it may be missing */
	bool used; /* its frame has ended */
};

/* A FrameInfo of a frame that was finished. */
struct finished {
	uint32_t tid; /* who finished it; 0: none */
	uint64_t jank_tracker;
	uint64_t frame_number; /* 0 = not told */
	struct frame_slots slots;
	int64_t deadline_after_ns;
	bool followed; /* the deadline is still to come */
	bool used; /* its frame was found */
};

/* A stretch of time, or (from == to) an instant, with a meaning of its ring's. */
struct time_mark {
	uint64_t from_ns;
	uint64_t to_ns;
	uint32_t tid;
};

struct hwui {
	uint32_t ui_tid; /* 0 = not known */
	struct work current; /* goes on, or its end was not seen */
	struct work works[WORKS_NR]; /* ended ones */
	struct finished finished[INFOS_NR];
	struct time_mark posts[TIMES_NR]; /* the UI thread posted a frame, and was let go */
	struct time_mark messages[TIMES_NR]; /* of the UI thread */
	struct time_mark vsyncs[TIMES_NR]; /* from a vsync until a thread was told */
	unsigned next_work, next_finished, next_post, next_message, next_vsync; /* count on */
};

/* A probed call of thread t; the record has what is peculiar to its role. 0 or -ENOMEM. */
int hwui_call(struct model *m, struct thread *t, const struct call *call,
	      const struct fs_span *rec);

/* Records of calls of the thread were lost. */
void hwui_gap(struct thread *t);

/* A FrameInfo, or a part of one. 0 or -ENOMEM. */
int hwui_info(struct model *m, struct thread *t, const struct fs_frame_info *rec);

/* A marker of the thread: it may say why a frame is skipped. */
void hwui_marker(struct thread *t, const struct fs_marker *rec);

/* A message of the process's UI thread has ended. */
void hwui_message(struct hwui *h, uint64_t from, uint64_t to, uint32_t tid);

/* What the thread was doing at `at` for a frame; NULL if nothing is known. */
struct work *hwui_work(struct hwui *h, uint32_t tid, uint64_t at);

/* Is it the FrameInfo of the frame that the RenderThread's `work` ended with, at `end`? */
bool hwui_is_of(const struct finished *f, const struct work *work, uint64_t end);

/* The FrameInfo of the frame that ended at `end`, complete and not used yet; NULL if none came. */
struct finished *hwui_finished(struct hwui *h, const struct work *work, uint64_t end);

/* When the UI thread posted the frame, and was let go again; NULL if that was not seen. */
const struct time_mark *hwui_post(const struct hwui *h, uint64_t queued, uint64_t sync_start);

/* What the RenderThread did, or does, for the frame that was posted in that time; NULL if unknown.
 */
const struct work *hwui_posted(const struct hwui *h, uint64_t from, uint64_t to);

/* The message of that thread that was going on at `at`; NULL if its end was not seen (yet). */
const struct time_mark *hwui_message_at(const struct hwui *h, uint32_t tid, uint64_t at);

/* When a thread was told of the vsync; 0 = not seen. */
uint64_t hwui_vsync(const struct hwui *h, uint32_t tid, uint64_t vsync);

#endif
