/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Reads what the pipeline wrote down; what the words mean says standins/pipeline/shared.h. */
#ifndef TESTS_LIVE_PIPELINE_TRUTH_H
#define TESTS_LIVE_PIPELINE_TRUTH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TRUTH_SET_MAX 8

struct truth_set {
	unsigned nr;
	unsigned ids[TRUTH_SET_MAX];
};

/* Numbers that are missing are 0. */
struct truth_fence {
	bool has_identity;
	char driver[32], timeline[32];
	uint64_t context, seqno;
	uint64_t asked_ns, made_ns;
	uint64_t before_ns, after_ns, signal_ns;
	uint64_t signaller;
};

struct truth_wait {
	uint64_t frame, pid, tid, fd;
	char comm[16], role[16], call[32];
	struct truth_set set;
	uint64_t begin_ns, end_ns, timeout_ms, blocked, late_ns;
	bool timed_out;
	bool in_array; /* a fence around several, of this identity */
	uint64_t context, seqno;
};

struct truth_frame {
	uint64_t frame, pid, tid;
	uint64_t leave_ns, end_ns, slot_ns, dequeue_ns, dequeued_ns, depth_before, depth_in;
	struct truth_set release, acquire;
};

struct truth_cancel {
	uint64_t frame, pid, tid, surface, fd;
	bool has_fd;
	struct truth_set set;
	uint64_t begin_ns, end_ns;
};

struct pipeline_truth {
	char name[64], source[16];
	uint64_t settled_ns, hold_ns, held_ns;
	struct truth_fence *fences; /* by id */
	struct truth_wait *waits;
	struct truth_frame *frames;
	struct truth_cancel *cancels;
	size_t nr_fences, nr_waits, nr_frames, nr_cancels;
};

/* The value of a word KEY=VALUE of a line; false if the line has no such. */
bool truth_text(const char *line, const char *key, char *value, size_t size);

/* Likewise of one that is a number; 0 without it. */
bool truth_number(const char *line, const char *key, uint64_t *value);

/* One more element, zeroed; NULL without memory. */
void *truth_grow(void *array, size_t *nr, size_t size);

/* 0 or -errno; -EPROTO if it is no such file, or cut. */
int truth_read(struct pipeline_truth *t, const char *path);

#endif
