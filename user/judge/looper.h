/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What Tencent Matrix said of messages before it had FrameMetrics (0.8 to 2.0.2): its
 * UIThreadMonitor sees each message of the UI thread begin and end, and what the Choreographer did
 * in it. A message is one here from the return of a poll of the looper to the next poll.
 */
#ifndef JUDGE_LOOPER_H
#define JUDGE_LOOPER_H

#include <stdbool.h>
#include <stdint.h>

#include "judge/matrix.h"
#include "judge/roster.h"
#include "model/messages.h"

/*
 * What FrameTracer divides by, whatever the display: it is made before UIThreadMonitor has asked
 * for the interval.
 */
#define LOOPER_INTERVAL_NS 16666666

/* What is said of one message. */
struct looper_task {
	bool contains_frame; /* of which it posted at least one */
	bool known; /* `intended_ns` and `dropped` are */
	bool has_costs; /* all three */
	int32_t dropped;
	uint64_t intended_ns; /* its frame's intended vsync; its own begin without a frame */
	/*
	 * UIThreadMonitor's queue costs: each queue's from its first callback to the first of the
	 * next one, and the last one's to the end of the message. Its third queue is that of the
	 * insets' animations on Android 11 and later. A FrameInfo has no time for that queue, so
	 * here it is part of the animation and not, as there, of the traversal.
	 */
	uint64_t input_ns;
	uint64_t animation_ns;
	uint64_t traversal_ns;
};

void looper_task(const struct message *msg, struct looper_task *task);

/* What is said of a process's messages until its frames have taken 10 s, each by whole intervals.
 */
struct looper_report {
	const char *scene; /* the process; valid like its window */
	uint64_t begin_ns;
	uint64_t end_ns;
	int32_t frames;
	int32_t level[MATRIX_LEVEL_NR];
	int64_t sum[MATRIX_LEVEL_NR]; /* frames that these dropped */
	float fps; /* 0: there were none */
	/* What Matrix has no key for any more, or never had. */
	int64_t dropped; /* by messages with a frame */
	uint64_t task_ns; /* all messages' lengths */
	uint64_t tasks;
	uint64_t tasks_with_frame;
	uint64_t costs; /* how many messages have such: none, and these are not known */
	uint64_t input_ns;
	uint64_t animation_ns;
	uint64_t traversal_ns;
	uint64_t left_out; /* have a frame whose vsync is not known: not in `frames` */
};

struct looper_window {
	const struct matrix_config *config;
	uint64_t interval_ns; /* of the display, as first told */
	int64_t frame_cost_ms;
	char scene[FS_COMM_LEN + 8];
	struct looper_report now; /* but for what is computed at the end */
};

/* `config` must outlive it. */
void looper_window_init(struct looper_window *w, const struct matrix_config *config,
			const char *scene);

/* The next message of the process. True if that ends a report, which is put into `r`. */
bool looper_window_add(struct looper_window *w, const struct message *msg, struct looper_report *r);

/* What there is of the next report, which Matrix would not have made; false if that is nothing. */
bool looper_window_flush(struct looper_window *w, struct looper_report *r);

/* The windows of all processes. */
struct looper {
	const struct matrix_config *config;
	struct roster windows; /* of struct looper_window */
};

/* 1: there is a report in `r`; 0: there is none (yet); or -ENOMEM. */
int looper_add(struct looper *l, const struct message *msg, struct looper_report *r);

/* The same of what the processes' windows hold in the end, one after the other; 0: that was all. */
int looper_finish(struct looper *l, struct looper_report *r);

void looper_free(struct looper *l);

#endif
