/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Results in words. */
#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "gate/print.h"
#include "output/words.h"

/* What is asked for, without the limit: "wall.p95". */
static void asked(char *dst, size_t len, const struct gate_budget *b)
{
	snprintf(dst, len, "%.*s", (int)strcspn(b->text, "<>="), b->text);
}

void gate_words_result(char *dst, size_t len, const struct gate_result *r)
{
	const struct gate_estimate *est = &r->estimate;
	const struct gate_budget *b = r->budget;
	char what[GATE_BUDGET_LEN], value[GATE_VALUE_LEN], limit[GATE_VALUE_LEN];
	char low[GATE_VALUE_LEN], high[GATE_VALUE_LEN];

	asked(what, sizeof(what), b);
	gate_value_words(value, b->quantity, est->value);
	gate_value_words(limit, b->quantity, b->limit);
	gate_value_words(low, b->quantity, est->low);
	gate_value_words(high, b->quantity, est->high);
	*dst = '\0';
	words_append(dst, len, "%s is %s", what, est->known ? value : "not known");
	if (est->known && !est->fact && est->has_low && est->has_high)
		words_append(dst, len, " (%s to %s)", low, high);
	words_append(dst, len, ", the budget %s %s", gate_op_name(b->op), limit);
}

void gate_words_beyond(char *dst, size_t len, const struct gate_result *r)
{
	const struct gate_beyond *b = r->beyond;
	enum budget_part cause = b ? gate_beyond_cause(b) : BUDGET_NR;
	const struct blocker *blocker;
	char waker[WORDS_LEN] = "", detail[WORDS_LEN] = "";

	*dst = '\0';
	if (!b)
		return;
	words_append(dst, len, "%" PRIu64 " of %" PRIu64 " frames beyond", b->frames,
		     r->estimate.frames);
	if (cause == BUDGET_NR)
		return;
	if (gate_metric_at(r->budget->metric)->of)
		words_append(dst, len, ": %s", words_part(cause));
	else
		words_append(dst, len, ", %" PRIu64 " of them mostly %s", b->causes[cause],
			     words_part(cause));
	blocker = gate_beyond_blocker(b, cause);
	if (!blocker)
		return;
	words_detail(detail, sizeof(detail), blocker);
	words_waker(waker, sizeof(waker), blocker, WORDS_NO_LIMIT);
	if (!*waker) {
		words_taker(waker, sizeof(waker), blocker, WORDS_NO_LIMIT);
		words_append(dst, len, "%s%s%s", *detail ? " (" : "", detail, *detail ? ")" : "");
		words_append(dst, len, "%s%s", *waker ? ", the CPU taken by " : "", waker);
		return;
	}
	words_append(dst, len, "%s%s%s, woken by %s", *detail ? " (" : "", detail,
		     *detail ? ")" : "", waker);
}

void gate_words_worst(char *dst, size_t len, const struct gate_check *c,
		      const struct gate_result *r)
{
	const struct gate_beyond *b = r->beyond;
	char path[WORDS_LEN], ms[32];
	int64_t ns;

	*dst = '\0';
	if (!b)
		return;
	ns = b->worst_value;
	words_ms(ms, sizeof(ms), ns < 0 ? 0 - (uint64_t)ns : (uint64_t)ns);
	words_append(dst, len, "the worst is frame %" PRIu64, b->worst);
	if (c->nr_runs > 1 && b->run < c->nr_runs) {
		text_escape(path, sizeof(path), c->runs[b->run].path, strlen(c->runs[b->run].path));
		words_append(dst, len, " of %s", path);
	}
	words_append(dst, len, ", %s%s ms", ns < 0 ? "-" : "", ms);
	if (*b->worst_why)
		words_append(dst, len, ": %s", b->worst_why);
}
