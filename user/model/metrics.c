/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The table of FrameMetrics.java, DURATIONS, by release. */
#include "model/metrics.h"

static const struct {
	enum frame_slot start, end;
} durations[METRIC_TOTAL + 1] = {
	[METRIC_UNKNOWN_DELAY] = { SLOT_INTENDED_VSYNC, SLOT_HANDLE_INPUT_START },
	[METRIC_INPUT_HANDLING] = { SLOT_HANDLE_INPUT_START, SLOT_ANIMATION_START },
	[METRIC_ANIMATION] = { SLOT_ANIMATION_START, SLOT_PERFORM_TRAVERSALS_START },
	[METRIC_LAYOUT_MEASURE] = { SLOT_PERFORM_TRAVERSALS_START, SLOT_DRAW_START },
	[METRIC_DRAW] = { SLOT_DRAW_START, SLOT_SYNC_QUEUED },
	[METRIC_SYNC] = { SLOT_SYNC_START, SLOT_ISSUE_DRAW_COMMANDS_START },
	[METRIC_COMMAND_ISSUE] = { SLOT_ISSUE_DRAW_COMMANDS_START, SLOT_SWAP_BUFFERS },
	[METRIC_SWAP_BUFFERS] = { SLOT_SWAP_BUFFERS, SLOT_SWAP_BUFFERS_COMPLETED },
	[METRIC_TOTAL] = { SLOT_INTENDED_VSYNC, SLOT_FRAME_COMPLETED },
};

static bool between(const struct frame_slots *s, enum frame_slot start, enum frame_slot end,
		    int64_t *value)
{
	/* Slots of no meaning may hold anything. */
	if (!slot_known(s, start) || !slot_known(s, end))
		return false;
	/* in 64 bits, as there; a deadline may be anything */
	*value = (int64_t)((uint64_t)s->ns[end] - (uint64_t)s->ns[start]);
	return true;
}

static bool one(const struct frame_slots *s, enum frame_slot slot, int64_t *value)
{
	*value = s->ns[slot];
	return slot_known(s, slot);
}

bool frame_metric(const struct frame_slots *s, enum metric id, int64_t *value)
{
	switch (id) {
	case METRIC_FIRST_DRAW_FRAME:
		*value = s->ns[SLOT_FLAGS] & FRAME_FLAG_FIRST_DRAW;
		return slot_known(s, SLOT_FLAGS);
	case METRIC_INTENDED_VSYNC:
		return one(s, SLOT_INTENDED_VSYNC, value);
	case METRIC_VSYNC:
		return one(s, SLOT_VSYNC, value);
	case METRIC_GPU:
		return s->layout >= SLOTS_12 &&
		       between(s,
			       s->layout >= SLOTS_13 ? SLOT_COMMAND_SUBMISSION_COMPLETED
						     : SLOT_SWAP_BUFFERS,
			       SLOT_GPU_COMPLETED, value);
	case METRIC_DEADLINE:
		return s->layout >= SLOTS_12 &&
		       between(s, SLOT_INTENDED_VSYNC, SLOT_FRAME_DEADLINE, value);
	case METRIC_VSYNC_ID:
		return s->layout >= SLOTS_16 && one(s, SLOT_VSYNC_ID, value);
	case METRIC_SWAP_BUFFERS:
		if (s->layout < SLOTS_12)
			return between(s, SLOT_SWAP_BUFFERS, SLOT_FRAME_COMPLETED, value);
		/* fall through */
	default:
		return id <= METRIC_TOTAL &&
		       between(s, durations[id].start, durations[id].end, value);
	}
}
