/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Tells the ends of frames that follow one another from those between which a swap is missing. */
#include "model/pace.h"

/*
 * Unless the frame before is known to have ended where this one begins, a swap is missing. Those of
 * HWUI and FrameTimeline have a beginning of their own, and numbers instead.
 */
static bool follows(const struct pace *p, const struct frame *f)
{
	if (!p->prev_end_ns || f->end_ns < p->prev_end_ns)
		return false;
	if (f->hwui.kind == FRAME_PLAIN && !f->dumped)
		return f->start_ns == p->prev_end_ns;
	return f->number == p->prev_number + 1;
}

static void note_swap(struct pace *p, uint64_t at)
{
	if (!p->any)
		p->first_end_ns = at;
	else if (at > p->last_end_ns)
		p->swaps++;
	p->last_end_ns = at;
	p->any = true;
}

bool pace_add(struct pace *p, const struct frame *f, uint64_t *interval_ns)
{
	bool is_next;

	if (f->hwui.kind == FRAME_SKIPPED) {
		/* No swap is missing there. */
		p->prev_number += f->number == p->prev_number + 1;
		return false;
	}
	/* A frame begins where a swap ended, but for the first; only a cut one does not end so. */
	if (f->number > 1 && f->hwui.kind == FRAME_PLAIN && !f->dumped)
		note_swap(p, f->start_ns);
	if (f->status != FRAME_TRUNCATED)
		note_swap(p, f->end_ns);
	is_next = follows(p, f);
	*interval_ns = f->end_ns - p->prev_end_ns;
	p->prev_end_ns = f->end_ns;
	p->prev_number = f->number;
	return is_next;
}

double pace_fps(const struct pace *p)
{
	if (!p->swaps || p->last_end_ns <= p->first_end_ns)
		return 0;
	return (double)p->swaps * 1e9 / (double)(p->last_end_ns - p->first_end_ns);
}
