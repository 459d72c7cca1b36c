/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* One row per timeline of fences. */
#include <inttypes.h>
#include <stdio.h>

#include "output/fences.h"

#define NAME_WIDTH 42

enum count_arg {
	COUNT_CONTEXT,
	COUNT_CONTEXTS,
	COUNT_FENCES,
	COUNT_SIGNALED,
	COUNT_UNSIGNALED,
	COUNT_IN_FLIGHT,
	COUNT_VICTIMS,
	COUNT_ERRORS,
};

static void get_count(const void *of, unsigned arg, struct cell *c)
{
	const struct fences_row *row = of;
	const struct fence_timeline *t = row->timeline;
	const uint64_t counts[] = {
		[COUNT_CONTEXT] = t->context,       [COUNT_CONTEXTS] = t->contexts,
		[COUNT_FENCES] = t->fences,         [COUNT_SIGNALED] = t->signaled,
		[COUNT_UNSIGNALED] = t->unsignaled, [COUNT_IN_FLIGHT] = t->in_flight_max,
		[COUNT_VICTIMS] = t->victims,       [COUNT_ERRORS] = t->errors,
	};

	if (arg != COUNT_CONTEXT || t->contexts == 1)
		cell_set_number(c, counts[arg]);
}

static void set_quantile(struct cell *c, struct quantile *q, unsigned permille)
{
	if (q)
		cell_set_number(c, quantile_at(q, permille));
}

/* These take the share in permille as their argument. */
static void get_emit(const void *of, unsigned permille, struct cell *c)
{
	const struct fences_row *row = of;
	set_quantile(c, row->timeline->emit_signal, permille);
}

static void get_init(const void *of, unsigned permille, struct cell *c)
{
	const struct fences_row *row = of;
	set_quantile(c, row->timeline->init_signal, permille);
}

static void get_hardware(const void *of, unsigned permille, struct cell *c)
{
	const struct fences_row *row = of;
	set_quantile(c, row->timeline->hardware, permille);
}

static void get_gap(const void *of, unsigned permille, struct cell *c)
{
	const struct fences_row *row = of;
	set_quantile(c, row->timeline->gap, permille);
}

static void get_busy(const void *of, unsigned arg, struct cell *c)
{
	const struct fences_row *row = of;
	const struct fence_timeline *t = row->timeline;
	unsigned __int128 share;

	(void)arg;
	if (!t->hardware || !row->length_ns)
		return;
	share = (unsigned __int128)t->hardware_total_ns * 100000 / row->length_ns;
	c->kind = CELL_THOUSANDTHS;
	c->number = share > UINT64_MAX ? UINT64_MAX : (uint64_t)share;
}

static const struct listing_column columns[] = {
	{ "driver", fences_get_name, FENCES_DRIVER },
	{ "timeline", fences_get_name, FENCES_TIMELINE },
	{ "context", get_count, COUNT_CONTEXT },
	{ "contexts", get_count, COUNT_CONTEXTS },
	{ "fences", get_count, COUNT_FENCES },
	{ "signaled", get_count, COUNT_SIGNALED },
	{ "unsignaled", get_count, COUNT_UNSIGNALED },
	{ "in_flight_max", get_count, COUNT_IN_FLIGHT },
	{ "victims", get_count, COUNT_VICTIMS },
	{ "emit_signal_p50_ns", get_emit, 500 },
	{ "emit_signal_p95_ns", get_emit, 950 },
	{ "emit_signal_p99_ns", get_emit, 990 },
	{ "emit_signal_max_ns", get_emit, 1000 },
	{ "init_signal_p50_ns", get_init, 500 },
	{ "init_signal_p95_ns", get_init, 950 },
	{ "init_signal_p99_ns", get_init, 990 },
	{ "init_signal_max_ns", get_init, 1000 },
	{ "hardware_p50_ns", get_hardware, 500 },
	{ "hardware_p95_ns", get_hardware, 950 },
	{ "hardware_p99_ns", get_hardware, 990 },
	{ "hardware_max_ns", get_hardware, 1000 },
	{ "busy_pct", get_busy, 0 },
	{ "gap_p50_ns", get_gap, 500 },
	{ "gap_max_ns", get_gap, 1000 },
	{ "errors", get_count, COUNT_ERRORS },
	{ NULL, NULL, 0 },
};

static void head(FILE *out, const struct style *style)
{
	fprintf(out, "%s%-*s %8s %7s %10s %6s %7s %7s%s\n", style->bold, NAME_WIDTH, "timeline",
		"context", "fences", "unsignaled", "flight", "victims", "busy %", style->off);
	fprintf(out, "%s  %-33s %9s %11s %11s %11s %11s%s\n", style->bold, "ms", "count", "p50",
		"p95", "p99", "max", style->off);
}

static void figures(FILE *out, const char *what, struct quantile *q)
{
	static const unsigned permilles[] = { 500, 950, 990, 1000 };

	if (!q)
		return;
	fprintf(out, "  %-33s %9" PRIu64, what, quantile_count(q));
	for (unsigned i = 0; i < 4; i++) {
		char ms[32];

		words_ms(ms, sizeof(ms), quantile_at(q, permilles[i]));
		fprintf(out, " %11s", ms);
	}
	putc('\n', out);
}

/* A timeline is a block: its counts in one line, its times in lines of their own. */
static void print(FILE *out, const struct style *style, const void *of)
{
	const struct fences_row *row = of;
	const struct fence_timeline *t = row->timeline;
	char name[WORDS_LEN + 64], fit[WORDS_LEN], context[32], busy[32] = "-";
	struct cell cell = { .kind = CELL_ABSENT };

	fences_full_name(name, sizeof(name), &t->name);
	words_fit(fit, sizeof(fit), fences_dash(name), NAME_WIDTH);
	if (t->contexts == 1)
		snprintf(context, sizeof(context), "%" PRIu64, t->context);
	else
		snprintf(context, sizeof(context), "%" PRIu64 "x", t->contexts);
	get_busy(row, 0, &cell);
	if (cell.kind != CELL_ABSENT)
		snprintf(busy, sizeof(busy), "%" PRIu64 ".%" PRIu64, cell.number / 1000,
			 cell.number / 100 % 10);
	fprintf(out, "%s%s%*s %8s %7" PRIu64 " %10" PRIu64 " %6" PRIu64 " %7" PRIu64 " %7s%s\n",
		style->bold, fit, NAME_WIDTH - (int)words_width(fit), "", context, t->fences,
		t->unsignaled, t->in_flight_max, t->victims, busy, style->off);
	if (t->errors)
		fprintf(out, "  %-33s %9" PRIu64 "\n", "signalled with an error", t->errors);
	figures(out, "emit to signal", t->emit_signal);
	figures(out, "init to signal", t->init_signal);
	figures(out, "hardware (inferred)", t->hardware);
	figures(out, "between signals", t->gap);
}

const struct listing_view fences_timelines = {
	.schema = "framescope.timeline/1",
	.columns = columns,
	.none = "No timelines.",
	.head = head,
	.row = print,
};
