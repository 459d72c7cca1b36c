// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The order of the slots in every FrameInfo. */
#include "standins/android/layout.h"

#include <errno.h>
#include <stddef.h>

#define UI_10                                                                                      \
	SLOT_FLAGS, SLOT_INTENDED_VSYNC, SLOT_VSYNC, SLOT_OLDEST_INPUT, SLOT_NEWEST_INPUT,         \
		SLOT_HANDLE_INPUT, SLOT_ANIMATION, SLOT_TRAVERSALS, SLOT_DRAW
#define UI_12                                                                                      \
	SLOT_FLAGS, SLOT_VSYNC_ID, SLOT_INTENDED_VSYNC, SLOT_VSYNC, SLOT_INPUT_EVENT,              \
		SLOT_HANDLE_INPUT, SLOT_ANIMATION, SLOT_TRAVERSALS, SLOT_DRAW, SLOT_DEADLINE,      \
		SLOT_START, SLOT_INTERVAL
#define RENDER                                                                                     \
	SLOT_SYNC_QUEUED, SLOT_SYNC, SLOT_ISSUE, SLOT_SWAP, SLOT_COMPLETED, SLOT_DEQUEUE_TIME,     \
		SLOT_QUEUE_TIME
#define RENDER_12 RENDER, SLOT_GPU, SLOT_SWAPPED, SLOT_PRESENT

static const struct {
	unsigned nr, nr_ui;
	enum slot order[INFO_SLOTS];
} layouts[] = {
	{ 16, 9, { UI_10, RENDER } },
	{ 17, 9, { UI_10, RENDER, SLOT_GPU } },
	{ 22, 12, { UI_12, RENDER_12 } },
	{ 23, 12, { UI_12, RENDER_12, SLOT_SUBMITTED } },
	{ 24, 13, { UI_12, SLOT_WORKLOAD, RENDER_12, SLOT_SUBMITTED } },
	{ 25, 14, { UI_12, SLOT_WORKLOAD, SLOT_ANIMATION_TIME, RENDER_12, SLOT_SUBMITTED } },
};

#define LAYOUTS (sizeof(layouts) / sizeof(layouts[0]))

unsigned layout;
static unsigned chosen;
static int index_of[SLOTS]; /* -1: the layout lacks it */

int layout_choose(unsigned nr)
{
	for (unsigned i = 0; i < LAYOUTS; i++) {
		if (layouts[i].nr != nr)
			continue;
		for (int slot = 0; slot < SLOTS; slot++)
			index_of[slot] = -1;
		for (unsigned at = 0; at < nr; at++)
			index_of[layouts[i].order[at]] = (int)at;
		chosen = i;
		layout = nr;
		return 0;
	}
	return -EINVAL;
}

unsigned layout_ui_slots(void)
{
	return layouts[chosen].nr_ui;
}

void slot_set(int64_t *info, enum slot slot, int64_t value)
{
	if (index_of[slot] >= 0)
		info[index_of[slot]] = value;
}

int64_t slot_get(const int64_t *info, enum slot slot)
{
	return index_of[slot] >= 0 ? info[index_of[slot]] : 0;
}
