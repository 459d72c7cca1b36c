/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What the app knows of its frames and its UI thread's messages, by its own clocks. It is written
 * at the end, one thing per line, as words KEY=VALUE, of which those in brackets may be missing.
 * Times are CLOCK_MONOTONIC ns.
 *
 * app pid name layout settled_ns
 *     From settled_ns on a recorder has had its time to find the libraries.
 *
 * frame pid ui_tid render_tid tracker frame_number vsync_id kind [skip_reason] scenario window
 *     slots [deadline_after janky janky_legacy stuffed davey counted_ns types]
 *     [stage cause [waker] dominant_ns next_ns] begin_ns
 *     [queued_ns called_ns unblock_ns released_ns returned_ns left_ns]
 *     dequeue_min_ns dequeue_max_ns [queue_ns queue_leave_ns queue_end_ns] [message]
 *     slots: as they were passed to finishFrame() or, of a skipped frame, as they were at its end;
 *     deadline_after: the slot FrameDeadline when that returned.
 *     janky to types: JankTracker's verdict; counted_ns: how long the frame took to it, types: why
 *     it is janky, each with a comma behind it.
 *     stage, cause: what the script made slow, and waker who ended the wait; by the app's clocks
 *     that was at least dominant_ns long, and nothing else of the frame longer than next_ns.
 *     called_ns, returned_ns: around syncAndDrawFrame(), queued_ns and left_ns: the first and the
 *     last within it. unblock_ns: before the UI thread was let go, released_ns: when it noticed.
 *     dequeue_min_ns, dequeue_max_ns: in dequeueBuffer(), by the clocks within it and around it.
 *     queue_ns, queue_end_ns: around the call that hands the buffer over; queue_leave_ns: the last
 *     within it.
 *     message: the number of the UI thread's message that held it.
 *
 * message pid tid number begin_min_ns begin_max_ns end_min_ns end_max_ns frames vsync_id
 *     begin: between the last within pollOnce() and the first after it, end: between the last
 *     before the next one and the first within it.
 */
#ifndef TESTS_ANDROID_RECORD_H
#define TESTS_ANDROID_RECORD_H

#include <stdatomic.h>
#include <sys/types.h>

#include "standins/android/jank.h"
#include "standins/android/layout.h"
#include "standins/android/plan.h"

struct window;

/* Time of a stage: running, waiting for a CPU and blocked, at least and at most. */
enum spent { SPENT_RUNNING, SPENT_RUNNABLE, SPENT_BLOCKED, SPENTS };

struct spending {
	uint64_t least[SPENTS], most[SPENTS];
};

struct frame {
	const struct scenario *scenario;
	bool is_scripted; /* stage, cause and waker are meant */
	enum stage stage;
	const char *part;
	pid_t waker;
	struct window *window;
	unsigned window_number;
	uint64_t tracker;
	pid_t ui_tid, render_tid;
	const char *kind, *skip_reason;
	uint64_t frame_number;
	int64_t vsync_id;
	int64_t ui[INFO_SLOTS]; /* the UI thread's part, as Java has it */
	int64_t *info; /* HWUI's */
	int64_t slots[INFO_SLOTS];
	int64_t deadline_after;
	struct jank_verdict verdict;
	bool is_finished;
	struct spending spent[STAGES];
	uint64_t begin_ns, called_ns, queued_ns, unblock_ns, released_ns, left_ns, returned_ns;
	uint64_t dequeue_min_ns, dequeue_max_ns, queue_ns, queue_leave_ns, queue_end_ns;
	int message; /* -1: none */
	uint64_t gpu_ns, gpu_done_ns; /* how long it is to take, when it was done */
	uint32_t gpu_fence; /* vgem's number of the one that says so */
	_Atomic bool is_drawn;
};

struct message {
	pid_t tid;
	uint64_t begin_min_ns, begin_max_ns, end_min_ns, end_max_ns;
	unsigned frames;
	int64_t vsync_id;
};

/* A thread's clocks at one instant. */
struct mark {
	uint64_t ns, running, runnable;
};

void die(int err, const char *fmt, ...) __attribute__((format(printf, 2, 3), noreturn));

void record_open(void);

struct frame *frame_new(struct window *window);
struct message *message_new(void);
int message_number(const struct message *m);

struct mark mark_now(void);

/* What the calling thread did between two marks, as time of that stage. */
void frame_spend(struct frame *f, enum stage stage, const struct mark *from, const struct mark *to);

/* Likewise of a stretch that began before the second mark, somewhere behind the first. */
void frame_spend_since(struct frame *f, enum stage stage, uint64_t from_ns,
		       const struct mark *before, const struct mark *to);

/* A wait that no thread's clocks know of. */
void frame_spend_wait(struct frame *f, enum stage stage, int64_t from_ns, int64_t to_ns);

/* Appends all to the file. 0 or -errno. */
int record_save(const char *path);

#endif
