/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Adds up the stages of frames. */
#include "model/stage_summary.h"

#include <errno.h>
#include <stddef.h>

void stage_summary_free(struct stage_summary *s)
{
	for (unsigned i = 0; i < STAGE_NR; i++)
		quantile_free(s->lengths[i]);
	*s = (struct stage_summary){ 0 };
}

static int add_stage(struct stage_summary *s, enum stage stage, const struct budget *b)
{
	if (!s->lengths[stage])
		s->lengths[stage] = quantile_new();
	if (!s->lengths[stage])
		return -ENOMEM;
	for (unsigned i = 0; i < BUDGET_NR; i++)
		s->total[stage].ns[i] += b->ns[i];
	return quantile_add(s->lengths[stage], budget_total(b));
}

int stage_summary_add(struct stage_summary *s, const struct frame *f)
{
	const struct hwui_frame *hf = &f->hwui;
	int err = 0;

	s->kinds[hf->kind]++;
	if (hf->slots.layout == FS_LAYOUT_MARKS)
		s->marked++;
	else if (hf->kind != FRAME_PLAIN && hf->kind != FRAME_SKIPPED && !hf->whole)
		s->unfinished++;
	if (f->status != FRAME_COMPLETE || hf->kind == FRAME_SKIPPED)
		return 0;
	for (unsigned i = 0; i < STAGE_NR && !err; i++) {
		if (hf->stages_known & 1u << i)
			err = add_stage(s, (enum stage)i, &hf->stages[i]);
	}
	if (hf->top_ns)
		s->on_top[hf->top_stage]++;
	return err;
}

bool stage_summary_any(const struct stage_summary *s)
{
	for (unsigned i = 0; i < STAGE_NR; i++) {
		if (s->lengths[i])
			return true;
	}
	return false;
}
