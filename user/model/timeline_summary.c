/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Counts FrameTimeline's verdicts. */
#include "model/timeline_summary.h"

static void count(struct timeline_count *c, const struct hwui_verdict *v)
{
	c->frames++;
	c->both += v->known;
	c->hwui_janky += v->known && v->janky;
}

void timeline_summary_add(struct timeline_summary *s, const struct frame *f)
{
	const struct frame_timeline_verdict *ft = &f->ft;

	if (!ft->has_actual)
		return;
	count(&s->all, &f->verdict.hwui);
	for (unsigned i = 0; i < FT_JANK_BITS; i++)
		if (ft->jank >> i & 1)
			count(&s->jank[i], &f->verdict.hwui);
	s->present[ft->present < FT_PRESENT_NR ? ft->present : 0]++;
	s->expired += ft->prediction == FT_PREDICTION_EXPIRED;
	s->several += ft->layers > 1;
}
