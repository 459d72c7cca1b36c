/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Frames that were read in a dump: what only they have, and their table, 100 columns wide. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "judge/jank_tracker.h"
#include "output/frames_columns.h"
#include "output/words.h"

#define PRODUCER_WIDTH 15
#define VERDICT_WIDTH 27

void column_dumped_text(const void *row, unsigned arg, struct cell *c)
{
	const struct frame *f = frame_of_row(row);
	const char *window = f->producer->window;

	if (arg == DUMPED_FAULT && f->fault)
		snprintf(c->text, sizeof(c->text), "%s", gfxinfo_fault_name(f->fault));
	else if (arg == DUMPED_WINDOW && window)
		text_escape(c->text, sizeof(c->text), window, strlen(window));
	else
		return;
	cell_set_text(c);
}

void column_time(const void *row, unsigned arg, struct cell *c)
{
	const struct frame *f = frame_of_row(row);
	bool has = f->nr_times == TIME_NR || (f->nr_times && arg != TIME_PREPARE);

	if (has && !f->fault)
		cell_set_number(c, (uint64_t)f->times_ns[arg]);
}

void column_present(const void *row, unsigned arg, struct cell *c)
{
	const struct frame *f = frame_of_row(row);
	const uint64_t times[] = {
		[PRESENT_DESIRED] = f->desired_present_ns,
		[PRESENT_ACTUAL] = f->actual_present_ns,
		[PRESENT_READY] = f->frame_ready_ns,
	};

	if (times[arg])
		cell_set_number(c, times[arg]);
}

static void head(FILE *out, const struct style *style)
{
	fprintf(out, "%s%5s %-*s %13s %8s %8s %8s %8s  %s%s\n", style->bold, "frame",
		PRODUCER_WIDTH, "producer", "start ms", "total", "ui", "render", "gpu", "jank",
		style->off);
}

struct lengths {
	int64_t total, ui, render, gpu; /* -1 = not known */
};

static int64_t between(const struct frame_slots *s, enum frame_slot from, enum frame_slot to)
{
	return slot_known(s, from) && slot_known(s, to) && s->ns[to] >= s->ns[from]
		       ? s->ns[to] - s->ns[from]
		       : -1;
}

/* Of lengths; -1 if one is not known, or it has no room. */
static int64_t sum(int64_t a, int64_t b)
{
	return a >= 0 && b >= 0 && a <= INT64_MAX - b ? a + b : -1;
}

static struct lengths lengths_of(const struct frame *f)
{
	const struct frame_slots *s = &f->hwui.slots;
	struct lengths l = { -1, -1, -1, -1 };

	if (f->fault)
		return l;
	switch (f->dumped) {
	case DUMP_ROW:
		l.total = between(s, SLOT_INTENDED_VSYNC, SLOT_FRAME_COMPLETED);
		l.ui = between(s, SLOT_INTENDED_VSYNC, SLOT_SYNC_QUEUED);
		l.render = between(s, SLOT_SYNC_START, SLOT_SWAP_BUFFERS);
		l.gpu = between(s, SLOT_SWAP_BUFFERS, SLOT_GPU_COMPLETED);
		break;
	case DUMP_TIMES:
		l.ui = f->times_ns[TIME_DRAW];
		l.render = sum(sum(f->times_ns[TIME_PREPARE], f->times_ns[TIME_PROCESS]),
			       f->times_ns[TIME_EXECUTE]);
		l.total = sum(l.ui, l.render);
		break;
	case DUMP_LATENCY:
		if (f->desired_present_ns && f->actual_present_ns >= f->desired_present_ns)
			l.total = (int64_t)(f->actual_present_ns - f->desired_present_ns);
		break;
	case DUMP_TIMELINE:
	case DUMP_BUFFER:
	case DUMP_NONE:
		break;
	}
	return l;
}

static void words_length(char *dst, size_t len, int64_t ns)
{
	if (ns >= 0)
		words_ms(dst, len, (uint64_t)ns);
	else
		snprintf(dst, len, "-");
}

/* "Slow UI thread +1": the first cause and how many more, or that there is none but the deadline.
 */
static void words_verdict(char *dst, size_t len, const struct frame *f)
{
	const struct hwui_verdict *v = &f->verdict.hwui;
	unsigned more = 0;
	const char *first = NULL;

	*dst = '\0';
	if (f->fault) {
		snprintf(dst, len, "left out: %s", gfxinfo_fault_name(f->fault));
		return;
	}
	if (!v->known || !v->janky) {
		snprintf(dst, len, "%s", v->known && v->stuffed ? "(stuffed)" : "");
		return;
	}
	for (unsigned i = 0; i < JANK_MISSED_DEADLINE; i++) {
		if (!(v->types >> i & 1))
			continue;
		if (first)
			more++;
		else
			first = jank_type_title((enum jank_type)i);
	}
	snprintf(dst, len, "%s", first ? first : "deadline missed");
	if (more)
		snprintf(dst + strlen(dst), len - strlen(dst), " +%u", more);
}

static void print(FILE *out, const struct style *style, const void *of)
{
	const struct frame_row *row = of;
	const struct frame *f = row->frame;
	struct lengths l = lengths_of(f);
	char name[WORDS_LEN], producer[WORDS_LEN], words[WORDS_LEN], verdict[WORDS_LEN];
	char start[32] = "-";
	char total[32], ui[32], render[32], gpu[32];

	text_escape(name, sizeof(name), f->producer->name, sizeof(f->producer->name));
	words_fit_producer(producer, sizeof(producer), *name ? name : "-", PRODUCER_WIDTH);
	if (f->start_ns && !f->fault)
		words_ms(start, sizeof(start), f->start_ns);
	words_length(total, sizeof(total), l.total);
	words_length(ui, sizeof(ui), l.ui);
	words_length(render, sizeof(render), l.render);
	words_length(gpu, sizeof(gpu), l.gpu);
	words_verdict(words, sizeof(words), f);
	words_fit(verdict, sizeof(verdict), words, VERDICT_WIDTH);
	fprintf(out, "%s%5" PRIu64 " %s%*s %13s %8s %8s %8s %8s  %s%s\n",
		f->fault ? style->dim : "", f->number, producer,
		PRODUCER_WIDTH - (int)words_width(producer), "", start, total, ui, render, gpu,
		verdict, f->fault ? style->off : "");
}

const struct listing_view dumped_frames_view = {
	.schema = "framescope.frame/1",
	.columns = frames_columns,
	.head = head,
	.row = print,
};
