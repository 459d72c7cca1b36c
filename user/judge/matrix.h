/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What the FrameTracer of Tencent Matrix says of frames and of windows of 10 s, in the shape of its
 * 2.1.0, which takes FrameMetrics of Android 7 on. All of it is float arithmetic, and so is this.
 */
#ifndef JUDGE_MATRIX_H
#define JUDGE_MATRIX_H

#include <stdbool.h>
#include <stdint.h>

#include "model/metrics.h"
#include "model/verdict.h"
#include "stream/frame_slots.h"

#define MATRIX_AVERAGES (METRIC_TOTAL + 1) /* the metrics that have one whatever the release */

struct matrix_config {
	/* Dropped frames from which on a frame has that level; of MATRIX_BEST it is not asked. */
	int32_t least[MATRIX_LEVEL_NR];
};

extern const struct matrix_config matrix_default; /* 3, 9, 24, 42 */

/* "DROPPED_BEST", ... */
const char *matrix_level_name(enum matrix_level level);

/* The level of so many dropped frames. Unlike these, the thresholds know no display's rate. */
enum matrix_level matrix_level(const struct matrix_config *c, int32_t dropped);

/*
 * `refresh_hz` is the display's rate at that frame. Not known is the verdict on a frame that Matrix
 * does not count, since one of the nine durations makes no sense, and on one of which one of these,
 * or the rate, is not known.
 */
void matrix_judge(const struct matrix_config *c, const struct frame_slots *slots, float refresh_hz,
		  struct matrix_verdict *v);

/* What is said of the frames of one window of time. */
struct matrix_report {
	const char *scene;
	uint64_t begin_ns; /* the times that came with the first and the last frame */
	uint64_t end_ns;
	int32_t frames;
	int32_t level[MATRIX_LEVEL_NR]; /* how many frames had it */
	int64_t sum[MATRIX_LEVEL_NR]; /* frames that these dropped, each rounded */
	float fps;
	int64_t average_ns[MATRIX_AVERAGES];
	bool has_gpu; /* of each frame; from API level 31 on */
	int64_t gpu_ns; /* on average */
	int32_t dropped; /* DROP_COUNT: on average, not rounded before */
	int32_t refresh_hz; /* REFRESH_RATE: on average, the fraction cut off */
};

/*
 * Collects the frames of one scene. A scene is what its name stands for: a window here, while
 * Matrix has one collector for all activities, and reports it as that of the last frame.
 */
struct matrix_window {
	const struct matrix_config *config;
	const char *scene;
	unsigned api;
	uint64_t begin_ns;
	uint64_t end_ns;
	int32_t frames;
	int32_t level[MATRIX_LEVEL_NR];
	int64_t sum[MATRIX_LEVEL_NR];
	int64_t total_ns[MATRIX_AVERAGES];
	int64_t gpu_ns;
	bool gpu_unknown; /* of at least one frame */
	float dropped;
	float refresh_hz;
	float length_ns; /* of the frames, each at least an interval of the display */
};

/* `config` and `scene` must outlive it. `api` is the platform's API level. */
void matrix_window_init(struct matrix_window *w, const struct matrix_config *config, unsigned api,
			const char *scene);

/*
 * A frame that was finished; `now` is when Matrix is told of it, which is a little behind
 * SLOT_FRAME_COMPLETED. True if that ends a window of 10 s with frames enough, of which `r` then
 * says all: the frame is part of it. Matrix has no timer: without frames a window goes on.
 */
bool matrix_window_add(struct matrix_window *w, const struct frame_slots *slots, float refresh_hz,
		       uint64_t now, struct matrix_report *r);

/*
 * The scene is over: likewise of the window that was begun. With 20 frames or less nothing is said,
 * and they are in no report.
 */
bool matrix_window_flush(struct matrix_window *w, struct matrix_report *r);

#endif
