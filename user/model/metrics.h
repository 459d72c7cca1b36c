/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The values of android.view.FrameMetrics, as the platform computes them in each release. */
#ifndef MODEL_METRICS_H
#define MODEL_METRICS_H

#include <stdbool.h>
#include <stdint.h>

#include "stream/frame_slots.h"

/* Their ids are FrameMetrics's. */
enum metric {
	METRIC_UNKNOWN_DELAY,
	METRIC_INPUT_HANDLING,
	METRIC_ANIMATION,
	METRIC_LAYOUT_MEASURE,
	METRIC_DRAW,
	METRIC_SYNC,
	METRIC_COMMAND_ISSUE,
	METRIC_SWAP_BUFFERS,
	METRIC_TOTAL,
	METRIC_FIRST_DRAW_FRAME, /* 0 or 1 */
	METRIC_INTENDED_VSYNC, /* a timestamp, like the next */
	METRIC_VSYNC,
	METRIC_GPU, /* from Android 12 on, like the next */
	METRIC_DEADLINE,
	METRIC_VSYNC_ID, /* from 16 on */
	METRIC_NR
};

/*
 * One value, in ns where it is a duration or a time. As there, nothing is clamped: a duration may
 * be negative. False if the release has no such metric or one of its slots is not known.
 * METRIC_DEADLINE is what an app would be told only if SLOT_FRAME_DEADLINE is as finishFrame() left
 * it.
 */
bool frame_metric(const struct frame_slots *s, enum metric id, int64_t *value);

#endif
