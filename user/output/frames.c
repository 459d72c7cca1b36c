/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Frames as a table for people, 100 columns wide, times in ms. */
#include <inttypes.h>

#include "base/text.h"
#include "output/frame_timeline_words.h"
#include "output/frames_columns.h"
#include "output/words.h"

#define PRODUCER_WIDTH 12
#define CAUSE_WIDTH 8
#define WAKER_WIDTH 19
#define MOST_WIDTH (CAUSE_WIDTH + 1 + WAKER_WIDTH)
#define WAKER_LEAST 9 /* a shorter name says nothing */

static void head(FILE *out, const struct style *style)
{
	fprintf(out, "%s%5s %-*s %10s %8s %8s %8s %8s %-5s %-*s %s%s\n", style->bold, "frame",
		PRODUCER_WIDTH, "producer", "start ms", "wall ms", "running", "runnable", "blocked",
		"state", CAUSE_WIDTH, "mostly", "in, woken by", style->off);
}

/* What a reader must know before trusting the row; of a complete frame, whose jank it was. */
static const char *row_mark(const struct frame *f)
{
	switch (f->status) {
	case FRAME_LOSSY:
		return "lossy";
	case FRAME_TRUNCATED:
		return "trunc";
	default:
		return f->hwui.kind == FRAME_SKIPPED ? "skip" : ft_jank_mark(&f->ft);
	}
}

/* "lock     helper/123", "lock in draw, helper/123" */
static void mostly(char *dst, size_t len, const struct frame *f)
{
	uint64_t top_ns;
	enum budget_part top = frame_top_cause(f, &top_ns);
	const struct blocker *b = frame_top_blocker(f, top);
	const char *cause = top_ns ? budget_part_name(top) : "-";
	char waker[WORDS_LEN] = "";
	unsigned used;

	if (frame_is_told(f)) {
		words_ft_jank(waker, sizeof(waker), f->ft.jank);
		words_fit(dst, len, *waker ? waker : "-", MOST_WIDTH);
		return;
	}
	if (!f->hwui.top_ns) {
		if (b)
			words_waker(waker, sizeof(waker), b, WAKER_WIDTH);
		snprintf(dst, len, "%-*s %s", CAUSE_WIDTH, cause, *waker ? waker : "-");
		return;
	}
	used = (unsigned)snprintf(dst, len, "%s in %s", cause, stage_name(f->hwui.top_stage));
	if (b && used + 2 + WAKER_LEAST <= MOST_WIDTH)
		words_waker(waker, sizeof(waker), b, MOST_WIDTH - used - 2);
	if (*waker)
		snprintf(dst + used, len - used, ", %s", waker);
}

static void print(FILE *out, const struct style *style, const void *of)
{
	const struct frame_row *row = of;
	const struct frame *f = row->frame;
	const struct budget *way = frame_way(f);
	const uint64_t *ns = way->ns;
	char name[WORDS_LEN], producer[WORDS_LEN], most[2 * WORDS_LEN];
	char start[32] = "-", wall[32], running[32] = "-", runnable[32] = "-", blocked[32] = "-";

	text_escape(name, sizeof(name), f->producer->name, sizeof(f->producer->name));
	words_fit_producer(producer, sizeof(producer), *name ? name : "-", PRODUCER_WIDTH);
	if (f->start_ns >= row->origin_ns)
		words_ms(start, sizeof(start), f->start_ns - row->origin_ns);
	words_ms(wall, sizeof(wall), f->end_ns - f->start_ns);
	if (!f->dumped) {
		words_ms(running, sizeof(running), ns[BUDGET_RUNNING]);
		words_ms(runnable, sizeof(runnable), ns[BUDGET_RUNNABLE]);
		words_ms(blocked, sizeof(blocked),
			 budget_total(way) - ns[BUDGET_RUNNING] - ns[BUDGET_RUNNABLE] -
				 ns[BUDGET_UNKNOWN] + f->unknown_wait_ns);
	}
	mostly(most, sizeof(most), f);

	fprintf(out, "%s%5" PRIu64 " %s%*s %10s %8s %8s %8s %8s %-5s %s%s\n",
		f->status == FRAME_COMPLETE ? "" : style->dim, f->number, producer,
		PRODUCER_WIDTH - (int)words_width(producer), "", start, wall, running, runnable,
		blocked, row_mark(f), most, f->status == FRAME_COMPLETE ? "" : style->off);
}

const struct listing_view frames_view = {
	.schema = "framescope.frame/1",
	.columns = frames_columns,
	.head = head,
	.row = print,
};
