/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* FrameInfos of finished frames, by how long each part took. */
#ifndef TESTS_UNIT_FINISHED_H
#define TESTS_UNIT_FINISHED_H

#include "stream/frame_slots.h"

/* One after the other but for the last three, in ns; 0 is no time at all. */
struct lengths {
	int64_t vsync; /* the intended one, an instant */
	int64_t delay, input, animation, layout, draw;
	int64_t queue; /* for the RenderThread: in no metric but the total */
	int64_t sync, issue, swap;
	int64_t total; /* from the vsync on; 0: up to the end of the swap */
	int64_t gpu; /* from the swap on; 0: not known */
	int64_t deadline; /* from the vsync on; 0: not known */
};

static inline void put_slot(struct frame_slots *s, enum frame_slot slot, int64_t ns)
{
	s->ns[slot] = ns;
	s->known |= 1u << slot;
}

static inline struct frame_slots finished_slots(unsigned slots, const struct lengths *l)
{
	struct frame_slots s = { .layout = slots };
	int64_t at = l->vsync;

	put_slot(&s, SLOT_FLAGS, 0);
	put_slot(&s, SLOT_INTENDED_VSYNC, at);
	put_slot(&s, SLOT_VSYNC, at);
	put_slot(&s, SLOT_HANDLE_INPUT_START, at += l->delay);
	put_slot(&s, SLOT_ANIMATION_START, at += l->input);
	put_slot(&s, SLOT_PERFORM_TRAVERSALS_START, at += l->animation);
	put_slot(&s, SLOT_DRAW_START, at += l->layout);
	put_slot(&s, SLOT_SYNC_QUEUED, at += l->draw);
	put_slot(&s, SLOT_SYNC_START, at += l->queue);
	put_slot(&s, SLOT_ISSUE_DRAW_COMMANDS_START, at += l->sync);
	put_slot(&s, SLOT_SWAP_BUFFERS, at += l->issue);
	if (slots > SLOTS_12)
		put_slot(&s, SLOT_COMMAND_SUBMISSION_COMPLETED, at);
	if (slots >= SLOTS_12 && l->gpu)
		put_slot(&s, SLOT_GPU_COMPLETED, at + l->gpu);
	if (slots >= SLOTS_12 && l->deadline)
		put_slot(&s, SLOT_FRAME_DEADLINE, l->vsync + l->deadline);
	at += l->swap;
	if (slots >= SLOTS_12)
		put_slot(&s, SLOT_SWAP_BUFFERS_COMPLETED, at);
	put_slot(&s, SLOT_FRAME_COMPLETED, l->total ? l->vsync + l->total : at);
	return s;
}

#endif
