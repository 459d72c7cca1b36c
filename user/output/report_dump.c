/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A report on a text of dumpsys for people, in 100 columns: process by process, window by window.
 */
#include "output/report_dump.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include "base/text.h"
#include "judge/gfxinfo_rows_check.h"
#include "output/page.h"
#include "output/report_latency.h"
#include "output/report_verdicts.h"
#include "output/words.h"

/* "8 unfinished, 8 stale" */
static void words_faults(char *dst, size_t len, const uint64_t faults[FAULT_NR])
{
	*dst = '\0';
	for (unsigned i = FAULT_NONE + 1; i < FAULT_NR; i++)
		if (faults[i])
			words_append(dst, len, "%s%" PRIu64 " %s", *dst ? ", " : "", faults[i],
				     gfxinfo_fault_name((enum gfxinfo_fault)i));
}

static unsigned count_processes(const struct gfxinfo_totals *t)
{
	const struct totals_entry *e = NULL;
	unsigned nr = 0;

	while ((e = gfxinfo_totals_next(t, e)))
		nr += e->scope == SCOPE_PROCESS;
	return nr;
}

static void print_head(FILE *out, const struct style *style, const struct dump_report *r)
{
	const struct gfxinfo_input *in = r->input;
	uint64_t repeated = dump_frames_repeated(r->frames);
	char path[1024], faults[256], again[96] = "";

	if (repeated)
		snprintf(again, sizeof(again), ", %" PRIu64 " of which an earlier dump had",
			 repeated);
	text_escape(path, sizeof(path), r->path, strlen(r->path));
	fprintf(out, "%sframescope report: %s%s\n", style->bold, path, style->off);
	page_line(out, "source", "text of dumpsys, %s, %" PRIu64 " lines", in->encoding, in->lines);
	if (in->dumps)
		page_line(out, "dumps", "%" PRIu64 " of gfxinfo; processes in all: %u", in->dumps,
			  count_processes(r->totals));
	words_faults(faults, sizeof(faults), in->faults);
	if (in->rows)
		page_line(out, "rows", "%" PRIu64 " of framestats%s%s%s", in->rows, again,
			  *faults ? "; not counted: " : "", faults);
}

static void words_percentiles(char *dst, size_t len, const struct totals *t, unsigned figure,
			      const uint32_t ms[4])
{
	static const unsigned percents[4] = { 50, 90, 95, 99 };

	for (unsigned i = 0; i < 4; i++)
		if (totals_has(t, figure + i))
			words_append(dst, len, "%sp%u %" PRIu32, *dst ? ", " : "", percents[i],
				     ms[i]);
	if (*dst)
		words_append(dst, len, " ms");
}

/* What the device itself has printed. */
static void print_totals(FILE *out, const struct totals *t)
{
	char text[512] = "", frames[128] = "", gpu[128] = "", since[96] = "";
	double since_s = (double)t->counts.since_ns / 1e9, uptime_s = (double)t->uptime_ms / 1e3;

	if (!totals_has(t, FIGURE_TOTAL))
		return;
	if (totals_has(t, FIGURE_SINCE))
		words_append(since, sizeof(since), " since %.3f s", since_s);
	if (totals_has(t, FIGURE_SINCE) && uptime_s >= since_s)
		words_append(since, sizeof(since), ", for %.1f s", uptime_s - since_s);
	if (!t->counts.total) {
		page_line(out, "totals", "no data: no frame was drawn%s", since);
		return;
	}
	words_append(text, sizeof(text), "%" PRIu32 " frames%s", t->counts.total, since);
	if (totals_has(t, FIGURE_JANKY))
		words_append(text, sizeof(text), "; janky %" PRIu32 " (%.2f %%)", t->counts.janky,
			     (double)t->janky_centipercent / 100);
	if (totals_has(t, FIGURE_JANKY_LEGACY))
		words_append(text, sizeof(text), ", legacy %" PRIu32 " (%.2f %%)",
			     t->counts.janky_legacy, (double)t->janky_legacy_centipercent / 100);
	words_percentiles(frames, sizeof(frames), t, FIGURE_PERCENTILES, t->percentiles_ms);
	words_percentiles(gpu, sizeof(gpu), t, FIGURE_GPU_PERCENTILES, t->gpu_percentiles_ms);
	if (*frames)
		words_append(text, sizeof(text), "; %s", frames);
	if (*gpu && t->gpu_frames)
		words_append(text, sizeof(text), "; GPU %s", gpu);
	page_line(out, "totals", "%s", text);
	words_jank_types(text, sizeof(text), &t->counts);
	if (*text)
		page_line(out, "types", "%s", text);
}

static void print_found(FILE *out, const struct style *style, const struct found *found)
{
	char text[GFXINFO_FINDING_TEXT];

	for (; found; found = found->next) {
		const struct gfxinfo_finding *f = &found->finding;

		gfxinfo_finding_text(text, sizeof(text), f);
		fputs(f->contradiction ? style->warn : "", out);
		page_line(out, f->contradiction ? "WRONG" : "note", "line %" PRIu64 ": %s", f->line,
			  text);
		fputs(f->contradiction ? style->off : "", out);
	}
}

/* What of the block was computed once more, and whether it came to the same. */
static void print_findings(FILE *out, const struct style *style, const struct dump_report *r,
			   const struct totals_entry *entry, const struct window_verdicts *w)
{
	const struct found *found = findings_of(r->findings, entry);
	const struct totals *t = &entry->newest;
	bool contradicted = false;

	print_found(out, style, found);
	for (; found; found = found->next)
		contradicted |= found->finding.contradiction;
	if (contradicted || !t->counts.total || !t->whole)
		return;
	page_line(out, "checked",
		  "the percentiles and per cents printed follow from the counts "
		  "printed%s",
		  w && gfxinfo_rows_are_all(entry, w) ? ", and these from the rows, which are all "
							"frames"
						      : "");
}

/* Rows and totals need not be of the same frames, and are not mixed. */
static void print_rows(FILE *out, const struct totals_entry *e)
{
	uint64_t faults[FAULT_NR], rows = totals_entry_rows(e, faults);
	uint64_t total = e->newest.counts.total;
	char text[256], span[128] = "";

	if (!rows)
		return;
	words_faults(text, sizeof(text), faults);
	if (totals_has(&e->newest, FIGURE_TOTAL) && total == faults[FAULT_NONE])
		snprintf(span, sizeof(span), "; they are all frames of the totals");
	else if (totals_has(&e->newest, FIGURE_TOTAL))
		snprintf(span, sizeof(span),
			 "; of another span than the totals, which are of %" PRIu64 " frames",
			 total);
	page_line(out, "rows", "%" PRIu64 " in the last dump%s%s%s", rows,
		  *text ? "; not counted: " : "", text, span);
}

static void print_times(FILE *out, const struct window_times *t)
{
	char p50[32], p90[32], p99[32];

	words_ms(p50, sizeof(p50), quantile_at(t->total, 500));
	words_ms(p90, sizeof(p90), quantile_at(t->total, 900));
	words_ms(p99, sizeof(p99), quantile_at(t->total, 990));
	page_line(out, "table",
		  "%" PRIu64 " rows in ms: sum p50 %s, p90 %s, p99 %s ms; %" PRIu64
		  " longer than 16.67 ms%s",
		  t->frames, p50, p90, p99, t->over,
		  t->cut ? "; at least, for HWUI cuts a column at 50 ms" : "");
}

static const struct producer *producer_of(const struct dump_report *r, const struct totals_entry *e)
{
	return dump_frames_producer(r->frames, e->pid, e->process, e->name, e->window_nr);
}

static void print_body(FILE *out, const struct style *style, const struct dump_report *r,
		       const struct totals_entry *e)
{
	const struct producer *p = producer_of(r, e);
	const struct window_verdicts *w = p && r->verdicts ? verdicts_of(r->verdicts, p) : NULL;
	const struct window_times *times = p ? table_times_of(r->times, p) : NULL;

	print_totals(out, &e->newest);
	print_findings(out, style, r, e, w);
	print_rows(out, e);
	if (times)
		print_times(out, times);
	if (w)
		report_verdicts(out, style, w);
}

/* Is there nothing to be said of it but its name? */
static bool is_silent(const struct dump_report *r, const struct totals_entry *e)
{
	const struct producer *p = producer_of(r, e);
	uint64_t faults[FAULT_NR];

	return !totals_entry_rows(e, faults) && !totals_has(&e->newest, FIGURE_TOTAL) &&
	       !findings_of(r->findings, e) && !(p && table_times_of(r->times, p));
}

static void print_window(FILE *out, const struct style *style, const struct dump_report *r,
			 const struct totals_entry *e)
{
	const struct producer *p = producer_of(r, e);
	char name[4 * GFXINFO_NAME];

	text_escape(name, sizeof(name), e->name, strlen(e->name));
	fprintf(out, "\n  %s%s%s", style->bold, *name ? name : "a window without a name",
		style->off);
	if (e->window_nr > 1)
		fprintf(out, "  (number %u of that name)", e->window_nr);
	putc('\n', out);
	if (p) {
		text_escape(name, sizeof(name), p->name, strlen(p->name));
		page_line(out, "producer", "%s", name);
	}
	print_body(out, style, r, e);
}

static bool process_is_silent(const struct dump_report *r, const struct totals_entry *e)
{
	const struct totals_entry *w = NULL;

	if (!is_silent(r, e))
		return false;
	while ((w = totals_entry_next_window(e, w)))
		if (!is_silent(r, w))
			return false;
	return true;
}

static void print_process(FILE *out, const struct style *style, const struct dump_report *r,
			  const struct totals_entry *e)
{
	const struct totals_entry *w = NULL;
	char name[4 * GFXINFO_NAME];

	text_escape(name, sizeof(name), e->process, strlen(e->process));
	fprintf(out, "\n%s%s%s", style->bold, *name ? name : "a process without a name",
		style->off);
	if (e->pid)
		fprintf(out, "  (pid %" PRIu32 ")", e->pid);
	putc('\n', out);
	print_body(out, style, r, e);
	while ((w = totals_entry_next_window(e, w)))
		if (!is_silent(r, w))
			print_window(out, style, r, w);
}

static void print_end(FILE *out, const struct style *style, const struct dump_report *r)
{
	uint64_t wrong = findings_contradictions(r->findings), notes = findings_notes(r->findings);

	fprintf(out, "\n%sWhat not to trust%s\n", style->bold, style->off);
	if (wrong)
		fprintf(out,
			"  - The text contradicts itself: %" PRIu64 " times, marked WRONG above.\n",
			wrong);
	else if (gfxinfo_totals_checkable(r->totals))
		fputs("  - The text does not contradict itself.\n", out);
	else
		fputs("  - There are no totals in it that could be checked.\n", out);
	if (r->input->cut)
		fputs("  - The text ends within a block; what came before was read.\n", out);
	if (r->input->unreadable)
		fprintf(out,
			"  - Lines that are not of the form of what they stand in were skipped: "
			"%" PRIu64 ".\n",
			r->input->unreadable);
	if (notes)
		fprintf(out,
			"  - Notes above, on what is of different spans of time or incomplete: "
			"%" PRIu64 ".\n",
			notes);
	if (r->input->rows)
		fputs("  - Totals count from the last reset, rows are the last 120 frames of a "
		      "window: they need\n    not agree. What threads waited for is in neither; "
		      "framescope record sees that.\n",
		      out);
}

void report_dump_text(FILE *out, const struct style *style, const struct dump_report *r)
{
	const struct totals_entry *e = NULL;
	unsigned silent = 0;

	print_head(out, style, r);
	while ((e = gfxinfo_totals_next(r->totals, e))) {
		if (e->scope != SCOPE_PROCESS)
			continue;
		if (process_is_silent(r, e))
			silent++;
		else
			print_process(out, style, r, e);
	}
	if (silent)
		fprintf(out, "\n%u more %s drawn nothing that was counted.\n", silent,
			silent == 1 ? "process has" : "processes have");
	print_found(out, style, findings_of(r->findings, NULL));
	report_latency(out, style, latency_figures(r->latency));
	print_end(out, style, r);
}
