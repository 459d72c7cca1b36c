/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What SurfaceFlinger's FrameTimeline says of a frame. Only the data, in the numbers of Perfetto's
 * messages, which are not SurfaceFlinger's own.
 */
#ifndef MODEL_FRAME_TIMELINE_VERDICT_H
#define MODEL_FRAME_TIMELINE_VERDICT_H

#include <linux/types.h>
#include <stdbool.h>
#include <stdint.h>

#include <framescope/event.h>

#define FT_JANK_NONE 0x1u
#define FT_JANK_SF_SCHEDULING 0x2u
#define FT_JANK_PREDICTION_ERROR 0x4u
#define FT_JANK_DISPLAY_HAL 0x8u
#define FT_JANK_SF_CPU_DEADLINE_MISSED 0x10u
#define FT_JANK_SF_GPU_DEADLINE_MISSED 0x20u
#define FT_JANK_APP_DEADLINE_MISSED 0x40u
#define FT_JANK_BUFFER_STUFFING 0x80u
#define FT_JANK_UNKNOWN 0x100u
#define FT_JANK_SF_STUFFING 0x200u
#define FT_JANK_DROPPED 0x400u
#define FT_JANK_NON_ANIMATING 0x800u
#define FT_JANK_APP_RESYNCED_JITTER 0x1000u
#define FT_JANK_DISPLAY_NOT_ON 0x2000u
#define FT_JANK_MODE_CHANGE 0x4000u
#define FT_JANK_POWER_MODE_CHANGE 0x8000u
/* The app is to blame, by the platform's own rule. */
#define FT_JANK_APP (FT_JANK_APP_DEADLINE_MISSED | FT_JANK_APP_RESYNCED_JITTER)

enum ft_present {
	FT_PRESENT_ON_TIME = 1,
	FT_PRESENT_LATE = 2,
	FT_PRESENT_EARLY = 3,
	FT_PRESENT_DROPPED = 4,
	FT_PRESENT_UNKNOWN = 5,
	FT_PRESENT_NR
};

enum ft_prediction {
	FT_PREDICTION_VALID = 1,
	FT_PREDICTION_EXPIRED = 2,
	FT_PREDICTION_UNKNOWN = 3,
	FT_PREDICTION_NR
};

enum ft_severity {
	FT_SEVERITY_NONE = 1,
	FT_SEVERITY_PARTIAL = 2,
	FT_SEVERITY_FULL = 3,
	FT_SEVERITY_NR
};

/* All 0: nothing was said. In a frame that has one, a number of 0 was not said. */
struct frame_timeline_verdict {
	bool has; /* its token is known to SurfaceFlinger */
	bool has_actual; /* what became of it is said: that is the rest of this */
	bool on_time; /* its buffer was ready before the deadline */
	bool gpu_composition;
	bool is_buffer;
	uint32_t jank; /* FT_JANK_ bits, and ones that have no name here */
	uint32_t present; /* enum ft_present, likewise */
	uint32_t prediction; /* enum ft_prediction */
	uint32_t severity; /* enum ft_severity */
	uint32_t display_jank; /* of the display's frame that it was shown in */
	unsigned layers; /* with that token in its process: of several it may be another's */
	int64_t token;
	int64_t display_token;
	uint64_t expected_start_ns; /* the vsync that it was meant for; 0: not known */
	uint64_t deadline_ns;
	uint64_t actual_start_ns;
	uint64_t actual_end_ns; /* its buffer was queued and drawn; 0: not by the trace's end */
	char layer[FS_LAYER_LEN];
};

#endif
