/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The columns of what SurfaceFlinger's FrameTimeline says of a frame. */
#include <string.h>

#include "base/text.h"
#include "output/frame_timeline_words.h"
#include "output/frames_columns.h"

void column_ft_text(const void *row, unsigned arg, struct cell *c)
{
	const struct frame_timeline_verdict *ft = &frame_of_row(row)->ft;

	switch ((enum ft_text)arg) {
	case FT_TEXT_JANK:
		words_ft_jank(c->text, sizeof(c->text), ft->jank);
		break;
	case FT_TEXT_PRESENT:
		words_ft_present(c->text, sizeof(c->text), ft->present);
		break;
	case FT_TEXT_PREDICTION:
		words_ft_prediction(c->text, sizeof(c->text), ft->prediction);
		break;
	case FT_TEXT_SEVERITY:
		words_ft_severity(c->text, sizeof(c->text), ft->severity);
		break;
	case FT_TEXT_LAYER:
		text_escape(c->text, sizeof(c->text), ft->layer, sizeof(ft->layer));
		break;
	case FT_TEXT_DISPLAY_JANK:
		words_ft_jank(c->text, sizeof(c->text), ft->display_jank);
		break;
	}
	cell_set_text(c);
}

static bool number_of(const struct frame_timeline_verdict *ft, enum ft_number arg, uint64_t *n)
{
	switch (arg) {
	case FT_NUMBER_TOKEN:
		*n = (uint64_t)ft->token;
		return ft->has;
	case FT_NUMBER_DISPLAY_TOKEN:
		*n = (uint64_t)ft->display_token;
		return ft->display_token > 0;
	case FT_NUMBER_LAYERS:
		*n = ft->layers;
		return ft->has;
	case FT_NUMBER_ON_TIME:
		*n = ft->on_time;
		return ft->has_actual;
	case FT_NUMBER_GPU_COMPOSITION:
		*n = ft->gpu_composition;
		return ft->has_actual;
	case FT_NUMBER_EXPECTED_START:
		*n = ft->expected_start_ns;
		return ft->expected_start_ns;
	case FT_NUMBER_DEADLINE:
		*n = ft->deadline_ns;
		return ft->deadline_ns;
	case FT_NUMBER_ACTUAL_START:
		*n = ft->actual_start_ns;
		return ft->actual_start_ns;
	case FT_NUMBER_ACTUAL_END:
		*n = ft->actual_end_ns;
		return ft->actual_end_ns;
	}
	return false;
}

void column_ft_number(const void *row, unsigned arg, struct cell *c)
{
	uint64_t n;

	if (number_of(&frame_of_row(row)->ft, (enum ft_number)arg, &n))
		cell_set_number(c, n);
}

/* How much too late its buffer was ready; negative: so much before the deadline. */
void column_ft_overrun(const void *row, unsigned arg, struct cell *c)
{
	const struct frame_timeline_verdict *ft = &frame_of_row(row)->ft;

	(void)arg;
	if (ft->actual_end_ns && ft->deadline_ns)
		cell_set_signed(c, (int64_t)(ft->actual_end_ns - ft->deadline_ns));
}
