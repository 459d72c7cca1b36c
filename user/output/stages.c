/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Stages as machines read them, and as a table, 100 columns wide, times in ms. */
#include "output/stages.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/text.h"
#include "output/words.h"

#define PRODUCER_WIDTH 12

static const struct budget *budget_of(const struct stage_row *row)
{
	return &row->frame->hwui.stages[row->stage];
}

enum number_arg { NUMBER_FRAME, NUMBER_VSYNC_ID, NUMBER_WALL };

static void get_number(const void *of, unsigned arg, struct cell *c)
{
	const struct stage_row *row = of;
	const struct frame *f = row->frame;

	switch ((enum number_arg)arg) {
	case NUMBER_FRAME:
		cell_set_number(c, f->number);
		break;
	case NUMBER_VSYNC_ID:
		if (f->hwui.vsync_id > 0)
			cell_set_number(c, (uint64_t)f->hwui.vsync_id);
		break;
	case NUMBER_WALL:
		cell_set_number(c, budget_total(budget_of(row)));
		break;
	}
}

static const char *thread_name(enum stage stage)
{
	switch (stage_thread(stage)) {
	case STAGE_OF_UI:
		return "ui";
	case STAGE_OF_RENDER:
		return "render";
	default:
		return "gpu";
	}
}

enum text_arg { TEXT_PRODUCER, TEXT_STATUS, TEXT_STAGE, TEXT_THREAD };

static void get_text(const void *of, unsigned arg, struct cell *c)
{
	const struct stage_row *row = of;
	const struct producer *p = row->frame->producer;

	switch ((enum text_arg)arg) {
	case TEXT_PRODUCER:
		cell_set_name(c, p->name, sizeof(p->name));
		break;
	case TEXT_STATUS:
		cell_set_word(c, frame_status_name(row->frame->status));
		break;
	case TEXT_STAGE:
		cell_set_word(c, stage_name(row->stage));
		break;
	case TEXT_THREAD:
		cell_set_word(c, thread_name(row->stage));
		break;
	}
}

static void get_part(const void *of, unsigned arg, struct cell *c)
{
	cell_set_number(c, budget_of(of)->ns[arg]);
}

static const struct listing_column columns[] = {
	{ "frame", get_number, NUMBER_FRAME },
	{ "producer", get_text, TEXT_PRODUCER },
	{ "vsync_id", get_number, NUMBER_VSYNC_ID },
	{ "status", get_text, TEXT_STATUS },
	{ "stage", get_text, TEXT_STAGE },
	{ "thread", get_text, TEXT_THREAD },
	{ "wall_ns", get_number, NUMBER_WALL },
	BUDGET_COLUMNS(get_part),
	{ NULL, NULL, 0 },
};

static void head(FILE *out, const struct style *style)
{
	fprintf(out, "%s%5s %-*s %10s %-14s %-6s %9s %9s %9s  %s%s\n", style->bold, "frame",
		PRODUCER_WIDTH, "producer", "vsync id", "stage", "thread", "wall ms", "running",
		"runnable", "mostly", style->off);
}

static void print(FILE *out, const struct style *style, const void *of)
{
	const struct stage_row *row = of;
	const struct frame *f = row->frame;
	const struct budget *b = budget_of(row);
	char name[WORDS_LEN], producer[WORDS_LEN], vsync[32] = "-";
	char wall[32], running[32], runnable[32];
	unsigned top = 0;

	for (unsigned i = 1; i < BUDGET_NR; i++) {
		if (b->ns[i] > b->ns[top])
			top = i;
	}
	text_escape(name, sizeof(name), f->producer->name, sizeof(f->producer->name));
	words_fit_producer(producer, sizeof(producer), *name ? name : "-", PRODUCER_WIDTH);
	if (f->hwui.vsync_id > 0)
		snprintf(vsync, sizeof(vsync), "%" PRId64, f->hwui.vsync_id);
	words_ms(wall, sizeof(wall), budget_total(b));
	words_ms(running, sizeof(running), b->ns[BUDGET_RUNNING]);
	words_ms(runnable, sizeof(runnable), b->ns[BUDGET_RUNNABLE]);
	fprintf(out, "%s%5" PRIu64 " %s%*s %10.10s %-14s %-6s %9s %9s %9s  %s%s\n",
		f->status == FRAME_COMPLETE ? "" : style->dim, f->number, producer,
		PRODUCER_WIDTH - (int)words_width(producer), "", vsync, stage_name(row->stage),
		thread_name(row->stage), wall, running, runnable,
		b->ns[top] ? budget_part_name((enum budget_part)top) : "-",
		f->status == FRAME_COMPLETE ? "" : style->off);
}

const struct listing_view stages_view = {
	.schema = "framescope.stage/1",
	.columns = columns,
	.none = "No frames with stages: they are those of Android's HWUI.",
	.head = head,
	.row = print,
};
