/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The slots of HWUI's FrameInfo: which a release has, and in what order. */
#ifndef TESTS_ANDROID_LAYOUT_H
#define TESTS_ANDROID_LAYOUT_H

#include <stdint.h>

#define INFO_SLOTS 25 /* of the longest one */

enum slot {
	SLOT_FLAGS,
	SLOT_VSYNC_ID,
	SLOT_INTENDED_VSYNC,
	SLOT_VSYNC,
	SLOT_OLDEST_INPUT,
	SLOT_NEWEST_INPUT,
	SLOT_INPUT_EVENT,
	SLOT_HANDLE_INPUT,
	SLOT_ANIMATION,
	SLOT_TRAVERSALS,
	SLOT_DRAW,
	SLOT_DEADLINE,
	SLOT_START,
	SLOT_INTERVAL,
	SLOT_WORKLOAD,
	SLOT_ANIMATION_TIME,
	SLOT_SYNC_QUEUED,
	SLOT_SYNC,
	SLOT_ISSUE,
	SLOT_SWAP,
	SLOT_COMPLETED,
	SLOT_DEQUEUE_TIME,
	SLOT_QUEUE_TIME,
	SLOT_GPU,
	SLOT_SWAPPED,
	SLOT_PRESENT,
	SLOT_SUBMITTED,
	SLOTS
};

/* Bits of SLOT_FLAGS. */
#define FLAG_FIRST 1
#define FLAG_RT_ANIMATION 2
#define FLAG_CANVAS 4
#define FLAG_SKIPPED 8

extern unsigned layout; /* how many slots there are; says which Android it is */

/* 0, or -EINVAL: there is no such layout. */
int layout_choose(unsigned nr);

/* Of how many the UI thread fills in. */
unsigned layout_ui_slots(void);

/* A slot that the layout lacks is not set, and 0. */
void slot_set(int64_t *info, enum slot slot, int64_t value);
int64_t slot_get(const int64_t *info, enum slot slot);

#endif
