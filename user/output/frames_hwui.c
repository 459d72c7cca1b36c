/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The columns of a frame that only HWUI's have. */
#include <inttypes.h>
#include <stdio.h>

#include "model/metrics.h"
#include "output/frames_columns.h"

void column_hwui_text(const void *row, unsigned arg, struct cell *c)
{
	const struct frame *f = frame_of_row(row);
	const struct hwui_frame *hf = &f->hwui;
	const char *text = NULL;

	switch ((enum hwui_text)arg) {
	case HWUI_KIND:
		text = frame_kind_name(hf->kind);
		if (frame_is_told(f))
			text = f->dumped == DUMP_TIMELINE ? "timeline" : "buffer";
		break;
	case HWUI_TOP_STAGE:
		text = hf->top_ns ? stage_name(hf->top_stage) : NULL;
		break;
	case HWUI_SKIP_REASON:
		cell_set_name(c, hf->skip_reason, sizeof(hf->skip_reason));
		return;
	case HWUI_JANK_TRACKER:
		if (!hf->jank_tracker)
			return;
		snprintf(c->text, sizeof(c->text), "0x%" PRIx64, hf->jank_tracker);
		cell_set_text(c);
		return;
	}
	if (text)
		cell_set_word(c, text);
}

void column_metric(const void *row, unsigned arg, struct cell *c)
{
	const struct frame *f = frame_of_row(row);
	struct frame_slots slots = f->hwui.slots;
	int64_t value;

	/* An app is told of the deadline that finishFrame() left, which is not in all captures. */
	slots.ns[SLOT_FRAME_DEADLINE] = f->hwui.deadline_after_ns;
	slots.known &= ~(1u << SLOT_FRAME_DEADLINE);
	if (f->hwui.deadline_after_ns && f->hwui.deadline_after_ns != INT64_MAX)
		slots.known |= 1u << SLOT_FRAME_DEADLINE;
	/* Of a row that is not counted only this tells which frame it is. */
	if (f->fault && arg != METRIC_INTENDED_VSYNC)
		return;
	if (f->hwui.kind != FRAME_PLAIN && frame_metric(&slots, (enum metric)arg, &value))
		cell_set_signed(c, value);
}

/* Between two slots, as all that the platform measures. */
static bool render_queue(const struct hwui_frame *hf, uint64_t *ns)
{
	const struct frame_slots *s = &hf->slots;

	if (hf->kind != FRAME_PLAIN && slot_known(s, SLOT_SYNC_START)) {
		*ns = (uint64_t)s->ns[SLOT_SYNC_START] - (uint64_t)s->ns[SLOT_SYNC_QUEUED];
		return slot_known(s, SLOT_SYNC_QUEUED) &&
		       s->ns[SLOT_SYNC_START] >= s->ns[SLOT_SYNC_QUEUED];
	}
	*ns = budget_total(&hf->stages[STAGE_RENDER_QUEUE]);
	return hf->stages_known & 1u << STAGE_RENDER_QUEUE;
}

static bool number_of(const struct frame *f, enum hwui_number arg, uint64_t *n)
{
	const struct hwui_frame *hf = &f->hwui;
	uint64_t vsync = (uint64_t)hf->slots.ns[SLOT_INTENDED_VSYNC];

	switch (arg) {
	case HWUI_VSYNC_ID:
		*n = (uint64_t)hf->vsync_id;
		return hf->vsync_id > 0;
	case HWUI_FRAME_NUMBER:
		*n = hf->frame_number;
		return hf->frame_number != 0;
	case HWUI_RENDER_QUEUE:
		return render_queue(hf, n);
	case HWUI_COMMIT:
		*n = hf->commit_ns;
		return hf->commit_ns != 0;
	case HWUI_SYNC_DEQUEUE:
		*n = hf->sync_dequeue_ns;
		return hf->has_dequeue;
	case HWUI_FRAME_DEADLINE:
		*n = (uint64_t)hf->slots.ns[SLOT_FRAME_DEADLINE];
		return hf->kind != FRAME_PLAIN && slot_known(&hf->slots, SLOT_FRAME_DEADLINE);
	case HWUI_VSYNC_DELIVERY:
		*n = hf->vsync_delivered_ns - vsync;
		return hf->kind != FRAME_PLAIN && slot_known(&hf->slots, SLOT_INTENDED_VSYNC) &&
		       hf->vsync_delivered_ns >= vsync;
	case HWUI_RENDER_START:
		*n = f->render_start_ns;
		return hf->kind != FRAME_PLAIN && (!f->dumped || f->render_start_ns);
	case HWUI_UI_END:
		*n = hf->ui_end_ns;
		return hf->ui_end_ns != 0;
	}
	return false;
}

void column_hwui_number(const void *row, unsigned arg, struct cell *c)
{
	const struct frame *f = frame_of_row(row);
	uint64_t n;

	/* Of a row that is not counted no time is to be believed. */
	if ((!f->fault || arg == HWUI_VSYNC_ID) && number_of(f, (enum hwui_number)arg, &n))
		cell_set_number(c, n);
}

void column_ui_part(const void *row, unsigned arg, struct cell *c)
{
	const struct frame *f = frame_of_row(row);

	if (f->hwui.ui_end_ns)
		cell_set_number(c, f->hwui.ui.ns[arg]);
}
