/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A gate's findings for people: a table per producer, and what there is to say of a row below it.
 */
#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "gate/print.h"
#include "output/page.h"
#include "output/words.h"

#define WHAT_WIDTH 28
#define MARK_WIDTH 8
#define LINE_LEN (4 * WORDS_LEN)

static const char *mark(enum gate_outcome o)
{
	static const char *const marks[] = {
		[GATE_PASS] = "pass",
		[GATE_FAIL] = "FAIL",
		[GATE_INCONCLUSIVE] = "?",
	};

	return marks[o];
}

static void head(FILE *out, const struct style *style)
{
	fprintf(out, "  %s%-4s  %-*s %14s %14s  %-24s %7s%s\n", style->bold, "", WHAT_WIDTH,
		"budget", "limit", "value", "95 % interval", "frames", style->off);
}

/* "11.934 to 13.010", without the unit, which is the value's. */
static void interval(char *dst, size_t len, const struct gate_result *r)
{
	const struct gate_estimate *est = &r->estimate;
	char low[GATE_VALUE_LEN] = "-", high[GATE_VALUE_LEN] = "-";

	snprintf(dst, len, "-");
	if (!est->known || est->fact || (!est->has_low && !est->has_high))
		return;
	if (est->has_low)
		gate_value_words(low, r->budget->quantity, est->low);
	if (est->has_high)
		gate_value_words(high, r->budget->quantity, est->high);
	snprintf(dst, len, "%.*s to %.*s", (int)strcspn(low, " "), low, (int)strcspn(high, " "),
		 high);
}

static void remark(FILE *out, const char *text)
{
	if (!*text)
		return;
	fprintf(out, "%*s", MARK_WIDTH, "");
	page_wrap(out, MARK_WIDTH, MARK_WIDTH, REPORT_WIDTH, text);
}

static void print_row(FILE *out, const struct style *style, const struct gate_check *c,
		      const struct gate_result *r)
{
	const struct gate_budget *b = r->budget;
	char what[GATE_BUDGET_LEN], value[GATE_VALUE_LEN] = "-";
	char limit[GATE_VALUE_LEN], bound[GATE_VALUE_LEN + 4], range[2 * GATE_VALUE_LEN];
	char text[LINE_LEN];
	bool bad = r->verdict.outcome != GATE_PASS;

	snprintf(what, sizeof(what), "%.*s", (int)strcspn(b->text, "<>="), b->text);
	gate_value_words(limit, b->quantity, b->limit);
	snprintf(bound, sizeof(bound), "%s %s", gate_op_name(b->op), limit);
	if (r->estimate.known)
		gate_value_words(value, b->quantity, r->estimate.value);
	interval(range, sizeof(range), r);
	fprintf(out, "  %s%-4s%s  %-*s", bad ? style->warn : "", mark(r->verdict.outcome),
		bad ? style->off : "", WHAT_WIDTH, what);
	/* A name that is longer has a line of its own. */
	if (strlen(what) > WHAT_WIDTH)
		fprintf(out, "\n%*s", MARK_WIDTH + WHAT_WIDTH, "");
	fprintf(out, " %14s %14s  %-24s %7" PRIu64 "\n", bound, value, range, r->estimate.frames);
	if (!bad)
		return;
	remark(out, r->verdict.why);
	gate_words_beyond(text, sizeof(text), r);
	remark(out, text);
	gate_words_worst(text, sizeof(text), c, r);
	remark(out, text);
}

static void print_producer(FILE *out, const struct style *style, const struct gate_check *c,
			   const struct gate_result *r)
{
	char left_out[128] = "";

	if (r->estimate.lossy)
		words_append(left_out, sizeof(left_out), "%" PRIu64 " lossy", r->estimate.lossy);
	if (r->truncated)
		words_append(left_out, sizeof(left_out), "%s%" PRIu64 " truncated",
			     *left_out ? ", " : "", r->truncated);
	fprintf(out, "\n%s%s%s", style->bold, r->producer, style->off);
	if (c->nr_runs > 1)
		fprintf(out, "  in %u of %u files", r->runs, c->nr_runs);
	if (r->versus)
		fputs("  against the baseline", out);
	if (*left_out)
		fprintf(out, "  left out: %s", left_out);
	putc('\n', out);
	head(out, style);
}

void gate_print_text(FILE *out, const struct style *style, const struct gate_check *c)
{
	enum gate_outcome all = gate_check_outcome(c);
	const struct gate_result *before = NULL;

	for (unsigned i = 0; i < c->nr; i++) {
		const struct gate_result *r = &c->results[i];

		if (!before || strcmp(before->producer, r->producer) != 0 ||
		    !before->versus != !r->versus)
			print_producer(out, style, c, r);
		before = r;
		print_row(out, style, c, r);
	}
	if (c->nr_differences)
		fprintf(out, "\n%sNot of the same circumstances:%s\n", style->warn, style->off);
	for (unsigned i = 0; i < c->nr_differences; i++)
		page_note(out, "%s", c->differences[i]);
	fprintf(out, "\n%s%s%s: %u passed, %u failed, %u inconclusive\n",
		all == GATE_PASS ? style->bold : style->warn, gate_outcome_name(all), style->off,
		c->counts[GATE_PASS], c->counts[GATE_FAIL], c->counts[GATE_INCONCLUSIVE]);
}

static const char *unit_of(const struct gate_metric *m)
{
	switch (m->form) {
	case GATE_DURATION:
		return "time";
	case GATE_FPS:
		return "/s";
	case GATE_FRAMES:
		return "count";
	default:
		return "share";
	}
}

/* Does any producer of any run have it? */
static bool is_there(const struct gate_run *runs, unsigned nr, unsigned metric)
{
	const struct gate_producer *p;

	for (unsigned run = 0; run < nr; run++)
		for (unsigned i = 0; (p = gate_samples_producer(runs[run].samples, i)); i++)
			if (!gate_metric_absent(&runs[run], p, metric))
				return true;
	return false;
}

void gate_print_metrics(FILE *out, const struct style *style, const struct gate_run *runs,
			unsigned nr)
{
	fprintf(out, "%s%-38s %-5s  %s%s%s\n", style->bold, "metric", "unit", nr ? "there  " : "",
		"what it is", style->off);
	for (unsigned i = 0; i < gate_metrics(); i++) {
		const struct gate_metric *m = gate_metric_at(i);

		fprintf(out, "%-38s %-5s  ", m->name, unit_of(m));
		if (nr)
			fprintf(out, "%-5s  ", is_there(runs, nr, i) ? "yes" : "-");
		page_wrap(out, nr ? 53 : 46, nr ? 53 : 46, REPORT_WIDTH, m->meaning);
	}
	fputs("\nA time takes a statistic and a limit in ns, us, ms or s: wall.p95<=16.6ms; there "
	      "are "
	      "min, mean,\np50 to p99.9, max, count, rate (how many per second) and share (of the "
	      "frames' wall time, in %).\nA share takes a limit in %: jank.hwui<=1%; there are "
	      "share, "
	      "which may be left out, count and rate.\n",
	      out);
}
