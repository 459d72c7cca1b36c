/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * From raw slots to named ones. The orders are those of libs/hwui/FrameInfo.h and, which is the
 * same, of FrameMetrics.java's FRAME_STATS_COUNT slots in each release.
 */
#include "stream/frame_slots.h"

#include <stddef.h>

/* A frame that took longer is none: short enough that an id is not taken for a time. */
#define LONGEST_NS INT64_C(100000000000)

/* The GPU may be said to be done a little after the record was made. */
#define AHEAD_NS UINT64_C(1000000000)

struct layout {
	unsigned nr;
	unsigned nr_ui; /* of these the UI thread's */
	uint8_t slots[FS_FRAME_SLOTS];
};

#define UI_8                                                                                       \
	SLOT_FLAGS, SLOT_INTENDED_VSYNC, SLOT_VSYNC, SLOT_OLDEST_INPUT, SLOT_NEWEST_INPUT,         \
		SLOT_HANDLE_INPUT_START, SLOT_ANIMATION_START, SLOT_PERFORM_TRAVERSALS_START,      \
		SLOT_DRAW_START
#define UI_12                                                                                      \
	SLOT_FLAGS, SLOT_VSYNC_ID, SLOT_INTENDED_VSYNC, SLOT_VSYNC, SLOT_INPUT_EVENT_ID,           \
		SLOT_HANDLE_INPUT_START, SLOT_ANIMATION_START, SLOT_PERFORM_TRAVERSALS_START,      \
		SLOT_DRAW_START, SLOT_FRAME_DEADLINE, SLOT_FRAME_START, SLOT_FRAME_INTERVAL
#define RENDER                                                                                     \
	SLOT_SYNC_QUEUED, SLOT_SYNC_START, SLOT_ISSUE_DRAW_COMMANDS_START, SLOT_SWAP_BUFFERS,      \
		SLOT_FRAME_COMPLETED, SLOT_DEQUEUE_DURATION, SLOT_QUEUE_DURATION
#define RENDER_12 RENDER, SLOT_GPU_COMPLETED, SLOT_SWAP_BUFFERS_COMPLETED, SLOT_DISPLAY_PRESENT_TIME

static const struct layout layouts[] = {
	{ 16, 9, { UI_8, RENDER } },
	{ 17, 9, { UI_8, RENDER, SLOT_GPU_COMPLETED } },
	{ 22, 12, { UI_12, RENDER_12 } },
	{ 23, 12, { UI_12, RENDER_12, SLOT_COMMAND_SUBMISSION_COMPLETED } },
	{ 24, 13, { UI_12, SLOT_WORKLOAD_TARGET, RENDER_12, SLOT_COMMAND_SUBMISSION_COMPLETED } },
	{ 25,
	  14,
	  { UI_12, SLOT_WORKLOAD_TARGET, SLOT_ANIMATION_TIME, RENDER_12,
	    SLOT_COMMAND_SUBMISSION_COMPLETED } },
};

#define UI_SLOTS_12 12 /* from then on there are ids */

#define LAYOUTS (sizeof(layouts) / sizeof(*layouts))

/* Does the slot hold something, as far as its value tells? */
static bool has_value(enum frame_slot slot, int64_t value)
{
	switch (slot) {
	case SLOT_FLAGS:
	case SLOT_WORKLOAD_TARGET:
		return true;
	case SLOT_DEQUEUE_DURATION:
	case SLOT_QUEUE_DURATION:
		return value >= 0 && value < LONGEST_NS;
	case SLOT_DISPLAY_PRESENT_TIME: /* written when the frame was shown: later */
		return false;
	case SLOT_GPU_COMPLETED:
		return value > 0;
	default:
		return value > 0 && value != INT64_MAX;
	}
}

/* Are the known ones of these in order, ended by SLOT_NR? */
static bool ordered(const struct frame_slots *s, const enum frame_slot *slots)
{
	int64_t last = 0;

	for (; *slots != SLOT_NR; slots++) {
		if (!slot_known(s, *slots))
			continue;
		if (s->ns[*slots] < last)
			return false;
		last = s->ns[*slots];
	}
	return true;
}

static bool all_known(const struct frame_slots *s, const enum frame_slot *slots)
{
	for (; *slots != SLOT_NR; slots++) {
		if (!slot_known(s, *slots))
			return false;
	}
	return true;
}

static const enum frame_slot ui_order[] = {
	SLOT_INTENDED_VSYNC,
	SLOT_VSYNC,
	SLOT_HANDLE_INPUT_START,
	SLOT_ANIMATION_START,
	SLOT_PERFORM_TRAVERSALS_START,
	SLOT_DRAW_START,
	SLOT_SYNC_QUEUED,
	SLOT_NR,
};
static const enum frame_slot render_order[] = {
	SLOT_SYNC_QUEUED,
	SLOT_SYNC_START,
	SLOT_ISSUE_DRAW_COMMANDS_START,
	SLOT_SWAP_BUFFERS,
	SLOT_SWAP_BUFFERS_COMPLETED,
	SLOT_NR,
};
static const enum frame_slot completed_order[] = { SLOT_SWAP_BUFFERS, SLOT_FRAME_COMPLETED,
						   SLOT_NR };
static const enum frame_slot submitted_order[] = { SLOT_SWAP_BUFFERS,
						   SLOT_COMMAND_SUBMISSION_COMPLETED, SLOT_NR };

/* Can that have been by `now`? FrameInfos are reused, and so may be garbage. */
static bool recent(const struct frame_slots *s, enum frame_slot slot, uint64_t now, uint64_t ahead)
{
	uint64_t at = (uint64_t)s->ns[slot];

	return !slot_known(s, slot) ||
	       (at > now ? at - now <= ahead : now - at <= (uint64_t)LONGEST_NS);
}

static bool plausible(const struct frame_slots *s, const struct fs_frame_info *rec)
{
	static const enum frame_slot needed[] = { SLOT_SYNC_START, SLOT_ISSUE_DRAW_COMMANDS_START,
						  SLOT_SWAP_BUFFERS, SLOT_NR };
	uint64_t now = rec->h.time_ns;

	if (s->ns[SLOT_FLAGS] & ~INT64_C(0xff))
		return false;
	if (!all_known(s, ui_order) || !ordered(s, ui_order) ||
	    !recent(s, SLOT_INTENDED_VSYNC, now, 0) || !recent(s, SLOT_SYNC_QUEUED, now, 0))
		return false;
	if (rec->part == FS_INFO_UI)
		return true;
	if (s->layout > 22 && !slot_known(s, SLOT_COMMAND_SUBMISSION_COMPLETED))
		return false;
	return all_known(s, needed) && ordered(s, render_order) && ordered(s, completed_order) &&
	       ordered(s, submitted_order) && recent(s, SLOT_SWAP_BUFFERS, now, 0) &&
	       recent(s, SLOT_SWAP_BUFFERS_COMPLETED, now, 0) &&
	       recent(s, SLOT_COMMAND_SUBMISSION_COMPLETED, now, AHEAD_NS) &&
	       recent(s, SLOT_FRAME_COMPLETED, now, AHEAD_NS) &&
	       recent(s, SLOT_GPU_COMPLETED, now, AHEAD_NS);
}

static void take_queued(const struct fs_frame_info *rec, struct frame_slots *s)
{
	s->ns[SLOT_SYNC_QUEUED] = (int64_t)rec->sync_queued_ns;
	if (rec->sync_queued_ns)
		s->known |= 1u << SLOT_SYNC_QUEUED;
}

static bool take(const struct fs_frame_info *rec, const struct layout *l, struct frame_slots *s)
{
	unsigned nr = rec->part == FS_INFO_UI ? l->nr_ui : l->nr;

	*s = (struct frame_slots){ .layout = l->nr };
	if (rec->count < nr)
		return false;
	for (unsigned i = 0; i < nr; i++) {
		enum frame_slot slot = (enum frame_slot)l->slots[i];

		s->ns[slot] = rec->slots[i];
		if (has_value(slot, rec->slots[i]))
			s->known |= 1u << slot;
	}
	if (l->nr == 17) /* there this too is written later */
		s->known &= ~(1u << SLOT_GPU_COMPLETED);
	if (rec->part == FS_INFO_UI)
		take_queued(rec, s);
	return plausible(s, rec);
}

/* What marks say: none of it must be known but the beginning. */
static bool take_marks(const struct fs_frame_info *rec, struct frame_slots *s)
{
	static const uint8_t slots[FS_MARKS_NR] = {
		[FS_MARKS_UI_TID] = SLOT_NR, /* no slot of the platform's */
		[FS_MARKS_VSYNC_ID] = SLOT_VSYNC_ID,
		[FS_MARKS_FRAME_START] = SLOT_FRAME_START,
		[FS_MARKS_INPUT_START] = SLOT_HANDLE_INPUT_START,
		[FS_MARKS_ANIMATION_START] = SLOT_ANIMATION_START,
		[FS_MARKS_TRAVERSALS_START] = SLOT_PERFORM_TRAVERSALS_START,
		[FS_MARKS_DRAW_START] = SLOT_DRAW_START,
	};
	static const enum frame_slot order[] = {
		SLOT_FRAME_START,
		SLOT_HANDLE_INPUT_START,
		SLOT_ANIMATION_START,
		SLOT_PERFORM_TRAVERSALS_START,
		SLOT_DRAW_START,
		SLOT_SYNC_QUEUED,
		SLOT_NR,
	};

	*s = (struct frame_slots){ .layout = FS_LAYOUT_MARKS };
	if (rec->part != FS_INFO_UI || rec->count < FS_MARKS_NR)
		return false;
	for (unsigned i = 0; i < FS_MARKS_NR; i++) {
		if (slots[i] == SLOT_NR || !has_value((enum frame_slot)slots[i], rec->slots[i]))
			continue;
		s->ns[slots[i]] = rec->slots[i];
		s->known |= 1u << slots[i];
	}
	take_queued(rec, s);
	return slot_known(s, SLOT_FRAME_START) && ordered(s, order) &&
	       recent(s, SLOT_FRAME_START, rec->h.time_ns, 0) &&
	       recent(s, SLOT_SYNC_QUEUED, rec->h.time_ns, 0);
}

/*
 * Of two layouts that both make sense the better one; NULL if that can't be said. Times that are
 * read as ids are no sense, ids that are read as times may be, soon after the boot.
 */
static const struct layout *better(const struct layout *a, const struct layout *b,
				   enum fs_info_part part)
{
	if (a->nr_ui < UI_SLOTS_12 && b->nr_ui >= UI_SLOTS_12)
		return b;
	/* The UI thread's parts of the later ones begin alike, as far as they are used. */
	if (part == FS_INFO_UI)
		return a;
	/* One that only goes on where the other ends says the same, and more. */
	return a->nr_ui == b->nr_ui ? b : NULL;
}

bool frame_slots_take(const struct fs_frame_info *rec, struct frame_slots *s)
{
	const struct layout *found = NULL;

	for (const struct layout *l = layouts; l < layouts + LAYOUTS; l++) {
		if ((rec->layout && l->nr != rec->layout) || !take(rec, l, s))
			continue;
		found = found ? better(found, l, (enum fs_info_part)rec->part) : l;
		if (!found)
			break;
	}
	if (rec->layout == FS_LAYOUT_MARKS ? take_marks(rec, s) : found && take(rec, found, s))
		return true;
	*s = (struct frame_slots){ 0 };
	return false;
}

const uint8_t *frame_slots_order(unsigned layout)
{
	for (const struct layout *l = layouts; l < layouts + LAYOUTS; l++) {
		if (l->nr == layout)
			return l->slots;
	}
	return NULL;
}

unsigned frame_slots_layout(uint32_t slots)
{
	unsigned found = slots & 1u << SLOT_VSYNC_ID ? SLOTS_12 : layouts[0].nr;

	for (const struct layout *l = layouts; l < layouts + LAYOUTS; l++) {
		uint32_t mask = 0;

		for (unsigned i = 0; i < l->nr; i++)
			mask |= 1u << l->slots[i];
		if (!(mask & ~slots))
			found = l->nr;
	}
	return found;
}

uint32_t frame_slots_filled(uint32_t slots, const int64_t ns[SLOT_NR])
{
	uint32_t filled = 0;

	for (unsigned slot = 0; slot < SLOT_NR; slot++)
		filled |= (uint32_t)has_value((enum frame_slot)slot, ns[slot]) << slot;
	return filled & slots;
}
