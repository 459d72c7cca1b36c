// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The table of scenarios. */
#include "standins/android/plan.h"

#include <stddef.h>
#include <string.h>

#include "standins/android/layout.h"
#include "standins/binder.h"

const char *const stage_names[STAGES] = {
	"unknown_delay", "input_handling", "animation",    "layout_measure",
	"draw",          "render_queue",   "sync_prepare", "sync_dequeue",
	"command_issue", "swap_buffers",   "gpu",
};

const struct scenario scenarios[] = {
	{ "smooth", STAGE_DRAW, "spin", "running", 15, .turn = TURN_NONE },
	{ "smooth-90", STAGE_LAYOUT_MEASURE, "spin", "running", 18, .turn = TURN_NONE, .hz = 90 },
	{ "smooth-120", STAGE_DRAW, "spin", "running", 25, .turn = TURN_NONE, .hz = 120 },
	{ "slow-animation", STAGE_ANIMATION, "spin", "running", 60, .turn = TURN_NONE },
	{ "slow-layout", STAGE_LAYOUT_MEASURE, "spin", "running", 80, .turn = TURN_NONE },
	{ "long-message", STAGE_UNKNOWN_DELAY, NULL, "running", 60, .turn = TURN_LONG_MESSAGE },
	{ "very-long-message", STAGE_UNKNOWN_DELAY, NULL, "running", 160,
	  .turn = TURN_LONG_MESSAGE },
	{ "upload", STAGE_SYNC_PREPARE, "spin", "running", 50, .turn = TURN_NONE },
	{ "late-buffer", STAGE_SYNC_DEQUEUE, "cond", "slot", 50, .turn = TURN_NONE },
	{ "short-wait", STAGE_SYNC_DEQUEUE, "cond", "slot", 25, .turn = TURN_NONE },
	{ "no-slot", STAGE_SYNC_DEQUEUE, NULL, "slot", 50, .turn = TURN_NO_SLOT },
	{ "release-fence", STAGE_COMMAND_ISSUE, NULL, "fence", 50, .turn = TURN_LATE_RELEASE,
	  .fences = true },
	{ "issue", STAGE_COMMAND_ISSUE, "spin", "running", 50, .turn = TURN_NONE },
	{ "slow-swap", STAGE_SWAP_BUFFERS, "poll", "ipc", 40, .turn = TURN_NONE },
	{ "slow-gpu", STAGE_GPU, NULL, "gpu", 70, .turn = TURN_SLOW_GPU, .first_layout = 22 },
	{ "stuffed", STAGE_GPU, NULL, "gpu", 85, .turn = TURN_STUFFED, .first_layout = 22 },
	{ "busy-renderer", STAGE_RENDER_QUEUE, NULL, "running", 160, .turn = TURN_BUSY_RENDERER },
	{ "new-windows", STAGE_LAYOUT_MEASURE, "spin", "running", 40, .turn = TURN_NEW_WINDOWS },
	{ "two-windows", STAGE_DRAW, "spin", "running", 20, .turn = TURN_TWO_WINDOWS },
	{ "rt-animation", STAGE_COMMAND_ISSUE, "spin", "running", 30, .turn = TURN_RT_ANIMATION },
	{ "skipped", STAGE_DRAW, "spin", "running", 20, .turn = TURN_SKIPPED },
	{ "canvas", STAGE_DRAW, "spin", "running", 20, .turn = TURN_CANVAS, .first_layout = 22 },
	{ "no-vsync-id", STAGE_DRAW, "spin", "running", 20, .turn = TURN_NO_VSYNC_ID },
	{ "rpc", STAGE_INPUT_HANDLING, "socket", "ipc", 50, .turn = TURN_NONE },
	{ "binder", STAGE_INPUT_HANDLING, "binder", "binder", 50, .turn = TURN_NONE,
	  .binder = true },
	{ "lock", STAGE_DRAW, "lock", "lock", 50, .turn = TURN_NONE },
	{ "frozen", STAGE_LAYOUT_MEASURE, "sleep", "sleep", 6100, .turn = TURN_NONE, .frames = 2 },
};

const unsigned nr_scenarios = sizeof(scenarios) / sizeof(scenarios[0]);

struct plan plan = { .frames = 30, .after_ms = 1000, .settle_ms = 500, .processes = 1 };

const struct scenario *scenario_find(const char *name)
{
	for (unsigned i = 0; i < nr_scenarios; i++) {
		if (!strcmp(scenarios[i].name, name))
			return &scenarios[i];
	}
	return NULL;
}

bool scenario_is_for_others(const struct scenario *s)
{
	return layout < s->first_layout || (s->fences && !plan.fences) ||
	       (s->binder && !binder_is_there());
}
