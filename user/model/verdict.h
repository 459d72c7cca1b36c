/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What the systems that Android apps are measured with would say of a frame. Only the data: the
 * judges are in judge/, and put it into the frames.
 */
#ifndef MODEL_VERDICT_H
#define MODEL_VERDICT_H

#include <stdbool.h>
#include <stdint.h>

#include "model/blocker.h"

/* HWUI's, in the order in which `dumpsys gfxinfo` prints them. */
enum jank_type {
	JANK_MISSED_VSYNC,
	JANK_HIGH_INPUT_LATENCY,
	JANK_SLOW_UI,
	JANK_SLOW_SYNC,
	JANK_SLOW_RT,
	JANK_MISSED_DEADLINE,
	JANK_MISSED_DEADLINE_LEGACY,
	JANK_TYPE_NR
};

/* JankTracker's. All 0: it has not been asked. */
struct hwui_verdict {
	bool known;
	bool counted; /* it is one of "Total frames rendered" */
	bool unbucketed; /* but not in the histogram: Android 8 */
	bool exempt; /* drawn by lockHardwareCanvas(): never janky */
	bool janky;
	bool has_legacy; /* Android 12 on: `janky` is the newer algorithm's ... */
	bool janky_legacy; /* ... and this the older one's */
	bool forgiven; /* a wait for a buffer was taken off */
	bool stuffed; /* buffers were: a deadline later than its own counted */
	bool swap_late; /* the swap, too, ended after the deadline that counted */
	bool davey; /* long enough for the log */
	bool has_gpu;
	uint8_t types; /* 1u << enum jank_type */
	uint8_t high_latency; /* how often that type was counted: each algorithm may */
	/*
	 * Of what depends on the frames before: EXACT if those were seen from the tracker's first
	 * frame on, or from one on that sets its state anew; PROBABLE if not.
	 */
	enum confidence confidence;
	int64_t total_ns; /* as it went into the histogram */
	int64_t gpu_ns;
	int64_t deadline_ns; /* that was held against the end of the GPU's work; 0 = none was */
};

/* Of androidx.metrics.performance: what FrameData has. All 0: it would not have been told. */
struct jankstats_verdict {
	bool known; /* `janky` and `expected_ns` are */
	bool janky;
	bool has_ui; /* `ui_ns`, which needs no deadline */
	bool has_start; /* `start_ns`: API 26 on */
	bool has_cpu; /* `cpu_ns`, for which the GPU's time is needed from API 31 on */
	bool has_total; /* `total_ns` and, if `known`, `overrun_ns`: API 31 on */
	int64_t start_ns; /* frameStartNanos */
	int64_t ui_ns; /* frameDurationUiNanos */
	int64_t cpu_ns; /* frameDurationCpuNanos */
	int64_t total_ns; /* frameDurationTotalNanos */
	int64_t overrun_ns; /* frameOverrunNanos */
	int64_t expected_ns; /* janky is longer than this times the multiplier */
};

enum matrix_level {
	MATRIX_BEST,
	MATRIX_NORMAL,
	MATRIX_MIDDLE,
	MATRIX_HIGH,
	MATRIX_FROZEN,
	MATRIX_LEVEL_NR
};

/* Of Tencent Matrix's FrameTracer, from FrameMetrics. */
struct matrix_verdict {
	bool known;
	float dropped; /* frames that the display could not show */
	enum matrix_level level;
};

struct verdict {
	struct hwui_verdict hwui;
	struct jankstats_verdict jankstats;
	struct matrix_verdict matrix;
};

#endif
