/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Names of the kinds and stages of HWUI's frames. */
#include "model/hwui_frame.h"

#include <stddef.h>

static const char *const kind_names[] = {
	[FRAME_PLAIN] = NULL,
	[FRAME_NORMAL] = "normal",
	[FRAME_FIRST] = "first",
	[FRAME_RT_ANIMATION] = "rt_animation",
	[FRAME_SURFACE_CANVAS] = "surface_canvas",
	[FRAME_SKIPPED] = "skipped",
};
_Static_assert(sizeof(kind_names) / sizeof(kind_names[0]) == FRAME_KIND_NR,
	       "a name for every kind");

static const struct {
	const char *name;
	enum stage_thread thread;
} stage_table[] = {
	[STAGE_UNKNOWN_DELAY] = { "unknown_delay", STAGE_OF_UI },
	[STAGE_INPUT_HANDLING] = { "input_handling", STAGE_OF_UI },
	[STAGE_ANIMATION] = { "animation", STAGE_OF_UI },
	[STAGE_LAYOUT_MEASURE] = { "layout_measure", STAGE_OF_UI },
	[STAGE_DRAW] = { "draw", STAGE_OF_UI },
	[STAGE_RENDER_QUEUE] = { "render_queue", STAGE_OF_RENDER },
	[STAGE_SYNC_PREPARE] = { "sync_prepare", STAGE_OF_RENDER },
	[STAGE_SYNC_DEQUEUE] = { "sync_dequeue", STAGE_OF_RENDER },
	[STAGE_COMMAND_ISSUE] = { "command_issue", STAGE_OF_RENDER },
	[STAGE_SWAP_BUFFERS] = { "swap_buffers", STAGE_OF_RENDER },
	[STAGE_GPU] = { "gpu", STAGE_OF_GPU },
};
_Static_assert(sizeof(stage_table) / sizeof(stage_table[0]) == STAGE_NR, "a name for every stage");

const char *frame_kind_name(enum frame_kind kind)
{
	return (unsigned)kind < FRAME_KIND_NR ? kind_names[kind] : NULL;
}

enum frame_kind frame_kind_of(int64_t flags)
{
	if (flags & FRAME_FLAG_SKIPPED)
		return FRAME_SKIPPED;
	if (flags & FRAME_FLAG_SURFACE_CANVAS)
		return FRAME_SURFACE_CANVAS;
	if (flags & FRAME_FLAG_RT_ANIMATION)
		return FRAME_RT_ANIMATION;
	return flags & FRAME_FLAG_FIRST_DRAW ? FRAME_FIRST : FRAME_NORMAL;
}

const char *stage_name(enum stage stage)
{
	return (unsigned)stage < STAGE_NR ? stage_table[stage].name : NULL;
}

enum stage_thread stage_thread(enum stage stage)
{
	return stage_table[stage].thread;
}
