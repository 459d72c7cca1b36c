/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Reads what the stand-in app wrote down; what the words mean says standins/android/record.h. */
#ifndef TESTS_LIVE_ANDROID_TRUTH_H
#define TESTS_LIVE_ANDROID_TRUTH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TRUTH_SLOTS_MAX 25

struct app {
	uint64_t pid, layout, settled_ns;
	char name[64];
	bool is_whole; /* all its frames began after that */
};

/* Numbers that are missing are 0. */
struct app_frame {
	const struct app *app;
	uint64_t pid, ui_tid, render_tid, tracker, frame_number;
	int64_t vsync_id, deadline_after;
	int64_t janky, janky_legacy, stuffed, davey, counted_ns;
	char types[256];
	int64_t slots[TRUTH_SLOTS_MAX];
	char kind[16], skip_reason[32], scenario[32];
	bool is_finished, is_skipped, is_scripted;
	char stage[16], cause[16];
	uint64_t waker, dominant_ns, next_ns;
	uint64_t begin_ns, called_ns, unblock_ns, left_ns, returned_ns;
	uint64_t dequeue_min_ns, dequeue_max_ns, queue_leave_ns, queue_end_ns;
	bool has_message;
	uint64_t message;
	bool is_found;
};

struct app_message {
	const struct app *app;
	uint64_t pid, tid, number, begin_min_ns, begin_max_ns, end_min_ns, end_max_ns, frames;
	int64_t vsync_id;
	bool is_found;
};

struct android_truth {
	struct app *apps;
	struct app_frame *frames;
	struct app_message *messages;
	size_t nr_apps, nr_frames, nr_messages;
};

/* 0 or -errno; -EPROTO if it is no such file, or cut. */
int android_truth_read(struct android_truth *t, const char *path);

/* NULL: the truth is not of that process. */
const struct app *android_truth_app(const struct android_truth *t, uint64_t pid);

/* The message of a process. NULL: it has none with that number. */
const struct app_message *android_truth_message(const struct android_truth *t, uint64_t pid,
						uint64_t number);

#endif
