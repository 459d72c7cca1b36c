/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The slots of android::uirenderer::FrameInfo, under one set of names whatever the release. Where
 * each lies differs by the number of slots: 16 (Android 8 to 10), 17 (11), 22 (12), 23 (13 to 15),
 * 24 (late 15, 16) and 25 (17).
 */
#ifndef STREAM_FRAME_SLOTS_H
#define STREAM_FRAME_SLOTS_H

#include <linux/types.h>
#include <stdbool.h>
#include <stdint.h>

#include <framescope/event.h>

/* Slots of a FrameInfo of Android 12: the end of the swap is one from then on. */
#define SLOTS_12 22
#define SLOTS_13 23 /* the end of the submission is */
#define SLOTS_16 24 /* the WorkloadTarget is */

enum frame_slot {
	SLOT_FLAGS,
	SLOT_VSYNC_ID,
	SLOT_INTENDED_VSYNC,
	SLOT_VSYNC,
	SLOT_OLDEST_INPUT,
	SLOT_NEWEST_INPUT,
	SLOT_INPUT_EVENT_ID,
	SLOT_HANDLE_INPUT_START,
	SLOT_ANIMATION_START,
	SLOT_PERFORM_TRAVERSALS_START,
	SLOT_DRAW_START,
	SLOT_FRAME_DEADLINE,
	SLOT_FRAME_START,
	SLOT_FRAME_INTERVAL, /* a length, like the next */
	SLOT_WORKLOAD_TARGET,
	SLOT_ANIMATION_TIME,
	SLOT_SYNC_QUEUED,
	SLOT_SYNC_START,
	SLOT_ISSUE_DRAW_COMMANDS_START,
	SLOT_SWAP_BUFFERS,
	SLOT_FRAME_COMPLETED,
	SLOT_DEQUEUE_DURATION, /* a length, like the next */
	SLOT_QUEUE_DURATION,
	SLOT_GPU_COMPLETED,
	SLOT_SWAP_BUFFERS_COMPLETED,
	SLOT_DISPLAY_PRESENT_TIME,
	SLOT_COMMAND_SUBMISSION_COMPLETED,
	SLOT_NR
};

/* Bits of SLOT_FLAGS. Bit 0 says that the window's layout (or, from 12 on, visibility) changed. */
#define FRAME_FLAG_FIRST_DRAW 0x1
#define FRAME_FLAG_RT_ANIMATION 0x2
#define FRAME_FLAG_SURFACE_CANVAS 0x4
#define FRAME_FLAG_SKIPPED 0x8

struct frame_slots {
	unsigned layout; /* how many slots the platform has; 0 = there are none here; or
			    FS_LAYOUT_MARKS */
	uint32_t known; /* 1u << enum frame_slot */
	int64_t ns[SLOT_NR]; /* CLOCK_MONOTONIC, but for flags, ids and lengths */
};

static inline bool slot_known(const struct frame_slots *s, enum frame_slot slot)
{
	return s->known & 1u << slot;
}

/*
 * Take apart what was read. What the platform leaves without a value there - 0 or -1 for "none", a
 * deadline that is no time, the present time, which is of an older frame at that point - is not
 * known here. A record that does not say its layout is given the only one that makes sense of it,
 * or the longest of those that only go on where the others end. Of FS_LAYOUT_MARKS only what the
 * marks said is known. False, and nothing is to be believed, if the times are not in the order in
 * which things happen.
 */
bool frame_slots_take(const struct fs_frame_info *rec, struct frame_slots *s);

/* The slots of a layout in their order, as many as its number; NULL if there is no such layout. */
const uint8_t *frame_slots_order(unsigned layout);

/* The longest layout that has no slots but these; if each has others, the shortest of its time. */
unsigned frame_slots_layout(uint32_t slots);

/*
 * Which of these slots hold something, as far as their values tell, once the platform is done with
 * the frame. The present time is not trusted even then: few frames get one, and the rest have what
 * was in its place.
 */
uint32_t frame_slots_filled(uint32_t slots, const int64_t ns[SLOT_NR]);

#endif
