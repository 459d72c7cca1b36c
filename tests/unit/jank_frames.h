/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* FrameInfos put together from the lengths of their parts, and what a tracker says of them. */
#ifndef TESTS_UNIT_JANK_FRAMES_H
#define TESTS_UNIT_JANK_FRAMES_H

#include "check.h"
#include "judge/jank_tracker.h"

#define MS INT64_C(1000000)
#define SECOND (1000 * MS)
#define BOOT (100 * SECOND)
#define HZ60 INT64_C(16666666)
#define HZ90 INT64_C(11111111)
#define HZ120 INT64_C(8333333)
#define HZ144 INT64_C(6944444)

/* One after the other from the intended vsync on; from `draw` on they begin where it does. */
struct parts {
	int64_t late; /* the vsync */
	int64_t ui; /* to SyncQueued */
	int64_t stall; /* to SyncStart */
	int64_t sync; /* to IssueDrawCommandsStart */
	int64_t draw; /* to FrameCompleted, and to the other ends if these are not given */
	int64_t swap, swapped, gpu;
	int64_t dequeue, flags, interval;
};

/* The slots that there are by the number of them. */
static inline unsigned layout_of(unsigned android)
{
	return android < 11    ? 16
	       : android == 11 ? 17
	       : android == 12 ? 22
	       : android <= 15 ? 23
	       : android == 16 ? 24
			       : 25;
}

static inline bool slot_in_layout(enum frame_slot slot, unsigned layout)
{
	switch (slot) {
	case SLOT_OLDEST_INPUT:
	case SLOT_NEWEST_INPUT:
		return layout <= 17;
	case SLOT_VSYNC_ID:
	case SLOT_INPUT_EVENT_ID:
	case SLOT_FRAME_DEADLINE:
	case SLOT_FRAME_START:
	case SLOT_FRAME_INTERVAL:
	case SLOT_SWAP_BUFFERS_COMPLETED:
	case SLOT_DISPLAY_PRESENT_TIME:
		return layout >= 22;
	case SLOT_GPU_COMPLETED:
		return layout >= 17;
	case SLOT_COMMAND_SUBMISSION_COMPLETED:
		return layout >= 23;
	case SLOT_WORKLOAD_TARGET:
		return layout >= 24;
	case SLOT_ANIMATION_TIME:
		return layout >= 25;
	default:
		return true;
	}
}

static inline void set_slot(struct frame_slots *s, enum frame_slot slot, int64_t ns)
{
	if (!slot_in_layout(slot, s->layout))
		return;
	s->ns[slot] = ns;
	s->known &= ~(1u << slot);
	if (ns > 0 || slot == SLOT_FLAGS || slot == SLOT_WORKLOAD_TARGET)
		s->known |= 1u << slot;
}

static inline struct frame_slots make_slots(unsigned android, int64_t vsync, const struct parts *p)
{
	struct frame_slots s = { .layout = layout_of(android) };
	int64_t at = vsync + p->late;

	set_slot(&s, SLOT_FLAGS, p->flags);
	set_slot(&s, SLOT_INTENDED_VSYNC, vsync);
	set_slot(&s, SLOT_VSYNC, at);
	set_slot(&s, SLOT_OLDEST_INPUT, INT64_MAX);
	set_slot(&s, SLOT_HANDLE_INPUT_START, at);
	set_slot(&s, SLOT_ANIMATION_START, at);
	set_slot(&s, SLOT_PERFORM_TRAVERSALS_START, at);
	set_slot(&s, SLOT_DRAW_START, at);
	set_slot(&s, SLOT_SYNC_QUEUED, at += p->ui);
	set_slot(&s, SLOT_SYNC_START, at += p->stall);
	set_slot(&s, SLOT_ISSUE_DRAW_COMMANDS_START, at += p->sync);
	set_slot(&s, SLOT_SWAP_BUFFERS, at + (p->swap ? p->swap : p->draw));
	set_slot(&s, SLOT_SWAP_BUFFERS_COMPLETED, at + (p->swapped ? p->swapped : p->draw));
	set_slot(&s, SLOT_COMMAND_SUBMISSION_COMPLETED, at + (p->swap ? p->swap : p->draw));
	set_slot(&s, SLOT_GPU_COMPLETED, at + (p->gpu ? p->gpu : p->draw));
	set_slot(&s, SLOT_FRAME_COMPLETED, at + p->draw);
	set_slot(&s, SLOT_DEQUEUE_DURATION, p->dequeue);
	set_slot(&s, SLOT_FRAME_INTERVAL, p->interval);
	return s;
}

/* From the window's first frame on, at an interval. */
static inline struct jank_tracker tracker_of(unsigned android, int64_t interval)
{
	const struct jank_rules rules = { .android = android, .interval_ns = interval };
	struct jank_tracker t;

	jank_tracker_init(&t, &rules, true);
	return t;
}

/* The verdict on a frame with that deadline, in ns after its vsync; of no use before 12. */
static inline struct hwui_verdict judge(struct jank_tracker *t, int64_t vsync, int64_t deadline,
					const struct parts *p)
{
	struct frame_slots s = make_slots(t->rules.android, vsync, p);
	struct hwui_verdict v;

	set_slot(&s, SLOT_FRAME_DEADLINE, vsync + deadline);
	set_slot(&s, SLOT_WORKLOAD_TARGET, deadline);
	jank_tracker_finish(t, &s, vsync + deadline, 0, &v);
	return v;
}

#define TYPE(name) (1u << JANK_##name)

#endif
