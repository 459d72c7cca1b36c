/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The app's scenarios, and what is played. */
#ifndef TESTS_ANDROID_PLAN_H
#define TESTS_ANDROID_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#define MS 1000000ull
#define PACKAGE "com.example.app"

/* Of a frame's critical path, as framescope names them. */
enum stage {
	STAGE_UNKNOWN_DELAY,
	STAGE_INPUT_HANDLING,
	STAGE_ANIMATION,
	STAGE_LAYOUT_MEASURE,
	STAGE_DRAW,
	STAGE_RENDER_QUEUE,
	STAGE_SYNC_PREPARE,
	STAGE_SYNC_DEQUEUE,
	STAGE_COMMAND_ISSUE,
	STAGE_SWAP_BUFFERS,
	STAGE_GPU,
	STAGES
};

extern const char *const stage_names[STAGES];

/* What makes a scenario beyond the time that one stage loses. */
enum turn {
	TURN_NONE,
	TURN_LONG_MESSAGE, /* the UI thread has something else to do when the vsync comes */
	TURN_NO_SLOT, /* the consumer gives back a buffer when somebody waits for it, late */
	TURN_LATE_RELEASE, /* it gives back a buffer with a fence that it signals late */
	TURN_SLOW_GPU,
	TURN_STUFFED, /* the GPU is too slow for a while, and frames queue up */
	TURN_BUSY_RENDERER, /* RenderThread still draws when the next frame is posted */
	TURN_NEW_WINDOWS, /* a window has few frames, the first of which is the slow one */
	TURN_TWO_WINDOWS,
	TURN_RT_ANIMATION, /* RenderThread makes frames by itself */
	TURN_SKIPPED, /* some frames have nothing to draw, or get no buffer */
	TURN_CANVAS, /* beside the window's there are frames of Surface.lockHardwareCanvas() */
	TURN_NO_VSYNC_ID,
};

struct scenario {
	const char *name;
	enum stage stage; /* that loses the time */
	const char *cause; /* in which of the ways of standins/cause.h; NULL: as its turn says */
	const char *part; /* what framescope must call it */
	unsigned percent; /* of the period */
	enum turn turn;
	unsigned hz; /* 0: 60 */
	unsigned frames; /* 0: as the command line says */
	unsigned first_layout; /* that can show it */
	bool fences; /* it needs them */
	bool binder; /* likewise */
};

extern const struct scenario scenarios[];
extern const unsigned nr_scenarios;

struct plan {
	unsigned frames, after_ms, settle_ms, processes;
	bool vulkan, fences;
	const char *libs; /* where the layout's libraries are */
	const char *truth, *gfxinfo;
	const struct scenario *scenario; /* that is played now */
	uint64_t period_ns;
	uint64_t settled_ns;
};

extern struct plan plan;

/* NULL: there is none of that name. */
const struct scenario *scenario_find(const char *name);

/* What it needs is not there. */
bool scenario_is_for_others(const struct scenario *s);

#endif
