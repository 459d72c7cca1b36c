/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A comparison for people, in 100 columns. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gate/compare.h"
#include "output/page.h"

#define NAME_WIDTH 22
#define CAUSES_SHOWN 3

static void head(FILE *out, const struct style *style, const char *what)
{
	fprintf(out, "\n  %s%-*s %12s %12s %12s %11s %11s%s\n", style->bold, NAME_WIDTH, what,
		"before", "now", "change", "+-", "by chance", style->off);
}

/* "12.345" ms of a duration, "1.20 %" of a share. */
static void number(char *dst, size_t len, double x, bool share, bool sign)
{
	if (share)
		snprintf(dst, len, sign ? "%+.2f %%" : "%.2f %%", 100 * x);
	else
		snprintf(dst, len, sign ? "%+.3f" : "%.3f", x / 1e6);
}

/* How probable it is that the metric seems changed, if it is not. */
static void chance(char *dst, size_t len, double p)
{
	if (p < 0.0001)
		snprintf(dst, len, "< 0.01 %%");
	else
		snprintf(dst, len, "%.*f %%", p < 0.1 ? 2 : 0, 100 * p);
}

static void print_row(FILE *out, const struct style *style, const struct against_metric *m,
		      enum measure_stat stat, const char *name)
{
	static const char *const words[] = {
		[CHANGE_SAME] = "same",
		[CHANGE_UP] = "MORE",
		[CHANGE_DOWN] = "less",
		[CHANGE_UNCLEAR] = "?",
	};
	const struct change_figure *f = &m->change.of[stat];
	bool share = gate_metric_at(m->metric)->form == GATE_YES_NO;
	bool up = f->verdict == CHANGE_UP;
	char before[32], now[32], change[32], noise[32], by_chance[32], shown[128];

	number(before, sizeof(before), f->before, share, false);
	number(now, sizeof(now), f->now, share, false);
	number(change, sizeof(change), f->now - f->before, share, true);
	number(noise, sizeof(noise), f->noise, share, false);
	chance(by_chance, sizeof(by_chance), m->change.corrected);
	words_fit(shown, sizeof(shown), name, NAME_WIDTH);
	fprintf(out, "  %-*s %12s %12s %12s %11s %11s  %s%s%s\n", NAME_WIDTH, shown, before, now,
		change, noise, by_chance, up ? style->warn : "", words[f->verdict],
		up ? style->off : "");
}

static void print_stat(FILE *out, const struct style *style, const struct against_metric *m,
		       enum measure_stat stat)
{
	const struct gate_metric *metric = gate_metric_at(m->metric);
	char name[128];

	snprintf(name, sizeof(name), "%s.%s", metric->name,
		 metric->form == GATE_YES_NO ? "share" : measure_stat_name(stat));
	print_row(out, style, m, stat, name);
}

/* Frames that follow one another at once are as long as their intervals are: that is said once. */
static bool is_wall_again(const struct against_producer *p, const struct against_metric *m)
{
	if (strcmp(gate_metric_at(m->metric)->name, GATE_METRIC_INTERVAL) != 0)
		return false;
	for (unsigned i = 0; i < p->nr; i++)
		if (!strcmp(gate_metric_at(p->metrics[i].metric)->name, "wall"))
			return p->metrics[i].change.of[MEASURE_MEAN].now ==
				       m->change.of[MEASURE_MEAN].now &&
			       p->metrics[i].change.of[MEASURE_MEAN].before ==
				       m->change.of[MEASURE_MEAN].before;
	return false;
}

/* The length of frames always; of the rest what changed. */
static void print_metrics(FILE *out, const struct style *style, const struct against_producer *p)
{
	unsigned same = 0, unclear = 0;

	head(out, style, "metric, ms");
	for (unsigned i = 0; i < p->nr; i++) {
		const struct against_metric *m = &p->metrics[i];
		bool always = !strcmp(gate_metric_at(m->metric)->name, "wall") || m->judged;

		if (against_part(m->metric) != BUDGET_NR || is_wall_again(p, m))
			continue;
		for (unsigned stat = 0; stat < MEASURE_NR; stat++) {
			enum change_verdict v = m->change.of[stat].verdict;

			if (!m->change.of[stat].known)
				continue;
			if (always || v == CHANGE_UP || v == CHANGE_DOWN)
				print_stat(out, style, m, (enum measure_stat)stat);
			else if (v == CHANGE_SAME)
				same++;
			else
				unclear++;
		}
	}
	if (same || unclear)
		fprintf(out, "  %s%u more are the same, of %u it can't be told%s\n", style->dim,
			same, unclear, style->off);
}

static int by_growth(const void *a, const void *b)
{
	const struct against_metric *x = *(const struct against_metric *const *)a;
	const struct against_metric *y = *(const struct against_metric *const *)b;
	const struct change_figure *f = &x->change.of[MEASURE_MEAN];
	const struct change_figure *g = &y->change.of[MEASURE_MEAN];
	double grown = f->now - f->before, other = g->now - g->before;

	return (grown < other) - (grown > other);
}

/* The causes of a frame's time, what grew most first. Returns how many there are. */
static unsigned causes_of(const struct against_producer *p,
			  const struct against_metric *causes[BUDGET_NR])
{
	unsigned nr = 0;

	for (unsigned i = 0; i < p->nr && nr < BUDGET_NR; i++) {
		const struct change_figure *f = &p->metrics[i].change.of[MEASURE_MEAN];

		if (against_part(p->metrics[i].metric) != BUDGET_NR &&
		    (f->before > 0 || f->now > 0))
			causes[nr++] = &p->metrics[i];
	}
	qsort(causes, nr, sizeof(struct against_metric *), by_growth);
	return nr;
}

static void print_frames(FILE *out, const struct style *style, const struct comparison *c,
			 const struct against_producer *p, enum budget_part cause)
{
	const struct shown_frame *f = c->shown ? shown_find(c->shown, p->name, cause) : NULL;
	char wall[32], ms[32];

	if (!f || !f->cause_ns)
		return;
	fprintf(out, "\n  %sFrames now that show it: %s%s\n", style->bold, words_part(cause),
		style->off);
	fprintf(out, "  %8s %10s %10s  %s\n", "frame", "wall ms", "of it", "in");
	for (unsigned i = 0; i < SHOWN_FRAMES && f[i].cause_ns; i++) {
		words_ms(wall, sizeof(wall), f[i].wall_ns);
		words_ms(ms, sizeof(ms), f[i].cause_ns);
		fprintf(out, "  %8" PRIu64 " %10s %10s  ", f[i].number, wall, ms);
		page_wrap(out, 34, 34, REPORT_WIDTH, *f[i].why ? f[i].why : "-");
	}
}

static void print_causes(FILE *out, const struct style *style, const struct comparison *c,
			 const struct against_producer *p)
{
	const struct against_metric *causes[BUDGET_NR];
	unsigned nr = causes_of(p, causes), shown = 0;

	if (!nr)
		return;
	head(out, style, "of each frame, mean ms");
	for (unsigned i = 0; i < nr; i++)
		print_row(out, style, causes[i], MEASURE_MEAN,
			  budget_part_name(against_part(causes[i]->metric)));
	for (unsigned i = 0; i < nr && shown < CAUSES_SHOWN; i++) {
		if (causes[i]->change.of[MEASURE_MEAN].verdict != CHANGE_UP)
			continue;
		print_frames(out, style, c, p, against_part(causes[i]->metric));
		shown++;
	}
}

static void print_counts(FILE *out, const struct against_producer *p)
{
	fprintf(out, "  frames    %" PRIu64 " in %u run%s before, %" PRIu64 " in %u now",
		p->before[FRAME_COMPLETE], p->runs_before, p->runs_before == 1 ? "" : "s",
		p->now[FRAME_COMPLETE], p->runs_now);
	if (p->before[FRAME_LOSSY] || p->now[FRAME_LOSSY])
		fprintf(out, "; lossy %" PRIu64 " and %" PRIu64, p->before[FRAME_LOSSY],
			p->now[FRAME_LOSSY]);
	if (p->fps_before > 0 && p->fps_now > 0)
		fprintf(out, "; %.1f and %.1f frames/s", p->fps_before, p->fps_now);
	putc('\n', out);
	if (p->lossy)
		fputs("            too many are lossy to compare: what is lost is most often "
		      "slow\n",
		      out);
}

static void print_files(FILE *out, const char *label, const struct baseline *b)
{
	char text[2048] = "";

	for (unsigned r = 0; r < b->nr; r++)
		words_append(text, sizeof(text), "%s%s", r ? ", " : "", b->runs[r].file);
	page_labelled(out, label, text);
}

void compare_print_text(FILE *out, const struct style *style, const struct comparison *c)
{
	const struct against *a = c->against;

	fprintf(out, "%sframescope compare%s\n", style->bold, style->off);
	print_files(out, "before", c->before);
	print_files(out, "now", c->now);
	for (unsigned i = 0; i < a->nr_differences; i++)
		page_labelled(out, i ? "" : "differ", a->differences[i]);
	for (unsigned i = 0; i < a->nr_gone; i++)
		page_line(out, i ? "" : "gone", "%s makes no frames now", a->gone[i]);
	for (unsigned i = 0; i < a->nr; i++) {
		fprintf(out, "\n%s%s%s\n", style->bold, a->producers[i].name, style->off);
		print_counts(out, &a->producers[i]);
		print_metrics(out, style, &a->producers[i]);
		print_causes(out, style, c, &a->producers[i]);
	}
}
