/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Changes against a baseline as results. */
#include "gate/versus.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "base/text.h"
#include "gate/compare.h"
#include "output/words.h"

static enum gate_reason reason_of(const struct change_figure *f)
{
	switch (f->reason) {
	case CHANGE_LOSSY:
		return GATE_TOO_LOSSY;
	case CHANGE_FEW_FRAMES:
		return GATE_TOO_FEW;
	case CHANGE_NOISE:
	case CHANGE_CHANCE:
		return GATE_NOISY;
	case CHANGE_CLEAR:
		break;
	}
	return f->verdict == CHANGE_UP ? GATE_BEYOND : GATE_WITHIN;
}

/* "+10.2 %", where there is something that it is a part of; else "+1.200 ms". */
static void relative(char *dst, size_t len, const struct change_figure *f, double x,
		     enum gate_quantity q, bool sign)
{
	char value[GATE_VALUE_LEN];

	if (q == GATE_NS && f->before > 0) {
		snprintf(dst, len, sign ? "%+.1f %%" : "%.1f %%", 100 * x / f->before);
		return;
	}
	gate_value_words(value, q, fabs(x));
	snprintf(dst, len, "%s%s", !sign ? "" : x < 0 ? "-" : "+", value);
}

static void words_of(char *dst, size_t len, const struct against_producer *p,
		     const struct against_metric *m, const struct change_figure *f,
		     enum gate_quantity q)
{
	const struct against_metric *cause = against_cause(p);
	char before[GATE_VALUE_LEN], change[64], noise[64], limit[64], finds[64];

	gate_value_words(before, q, f->before);
	relative(change, sizeof(change), f, f->now - f->before, q, true);
	relative(noise, sizeof(noise), f, f->noise, q, false);
	relative(limit, sizeof(limit), f, f->limit, q, false);
	relative(finds, sizeof(finds), f, fmax(f->finds, 2 * f->limit), q, false);
	*dst = '\0';
	words_append(dst, len, "%s in the baseline, now %s, +-%s", before, change, noise);
	switch (f->reason) {
	case CHANGE_CLEAR:
		if (f->verdict == CHANGE_UP && cause)
			words_append(dst, len, "; per frame, %s grew by %.3f ms",
				     budget_part_name(against_part(cause->metric)),
				     (cause->change.of[MEASURE_MEAN].now -
				      cause->change.of[MEASURE_MEAN].before) /
					     1e6);
		break;
	case CHANGE_LOSSY:
		words_append(dst, len, ": more than %.0f %% of the frames are lossy",
			     100 * AGAINST_LOSSY);
		break;
	case CHANGE_FEW_FRAMES:
		words_append(dst, len,
			     ": it takes %d frames before and now, and there are %llu and %llu",
			     CHANGE_FRAMES, (unsigned long long)m->before,
			     (unsigned long long)m->now);
		break;
	case CHANGE_NOISE:
		words_append(dst, len,
			     ": even a change of %s might not be found; record longer, or several "
			     "runs as the baseline",
			     finds);
		break;
	case CHANGE_CHANCE:
		words_append(dst, len,
			     ": that is beyond the least effect of %s, but may be by chance; "
			     "record longer, or several runs as the baseline",
			     limit);
		break;
	}
}

static void make_budget(struct gate_budget *b, const struct against_metric *m,
			enum measure_stat stat, const struct effects *effects)
{
	const struct change_limit *limit = effects_limit(effects, m->metric, stat);
	const struct change_figure *f = &m->change.of[stat];
	bool share = gate_metric_at(m->metric)->form == GATE_YES_NO;
	char text[sizeof(b->text)] = "";

	*b = (struct gate_budget){
		.metric = m->metric,
		.stat = share                  ? GATE_SHARE
			: stat == MEASURE_MEAN ? GATE_MEAN
					       : GATE_PERCENTILE,
		.permille = measure_permille(stat),
		.op = GATE_AT_MOST,
		.quantity = share ? GATE_PART : GATE_NS,
		.limit = f->before + f->limit,
	};
	words_append(text, sizeof(text), "%s.%s<=baseline", gate_metric_at(m->metric)->name,
		     share ? "share" : measure_stat_name(stat));
	if (share)
		words_append(text, sizeof(text), "+%g%%", 100 * limit->absolute);
	else if (limit->relative > 0)
		words_append(text, sizeof(text), "+%g%%", 100 * limit->relative);
	if (!share && limit->absolute > 0)
		words_append(text, sizeof(text), "%s%gms", limit->relative > 0 ? "," : "+",
			     limit->absolute / 1e6);
	snprintf(b->text, sizeof(b->text), "%s", text);
}

static void add_result(struct versus *v, struct gate_check *c, const struct against_producer *p,
		       const struct against_metric *m, enum measure_stat stat,
		       const struct effects *effects)
{
	static const enum gate_outcome outcomes[] = {
		[CHANGE_SAME] = GATE_PASS,
		[CHANGE_UP] = GATE_FAIL,
		[CHANGE_DOWN] = GATE_PASS,
		[CHANGE_UNCLEAR] = GATE_INCONCLUSIVE,
	};
	const struct change_figure *f = &m->change.of[stat];
	struct gate_budget *b = &v->budgets[v->nr++];
	struct gate_result *r = &c->results[c->nr++];

	make_budget(b, m, stat, effects);
	*r = (struct gate_result){
		.budget = b,
		.producer = p->name,
		.runs = p->runs_now,
		.truncated = p->now[FRAME_TRUNCATED],
		.estimate = {
			.known = true,
			.has_low = true,
			.has_high = true,
			.value = f->now,
			.low = f->now - f->noise,
			.high = f->now + f->noise,
			.frames = m->now,
			.lossy = p->now[FRAME_LOSSY],
		},
		.verdict = { .outcome = outcomes[f->verdict], .reason = reason_of(f) },
		.versus = m,
		.versus_stat = stat,
	};
	words_of(r->verdict.why, sizeof(r->verdict.why), p, m, f, b->quantity);
	c->counts[r->verdict.outcome]++;
}

static int make_room(struct versus *v, struct gate_check *c)
{
	unsigned nr = 0;

	for (unsigned i = 0; i < v->against.nr; i++)
		nr += v->against.producers[i].nr * MEASURE_NR;

	struct gate_result *results = realloc(c->results, (c->nr + nr + 1) * sizeof(*results));

	if (results)
		c->results = results;
	v->budgets = calloc(nr + 1, sizeof(*v->budgets));
	return results && v->budgets ? 0 : -ENOMEM;
}

/* What is named has to be somewhere. */
static int check_named(const struct versus *v, const struct effects *effects, struct err *e)
{
	for (unsigned i = 0; i < effects->nr; i++) {
		const struct effect *one = &effects->of[i];
		bool found = false;

		for (unsigned p = 0; p < v->against.nr && !found; p++)
			for (unsigned m = 0; m < v->against.producers[p].nr && !found; m++)
				found = v->against.producers[p].metrics[m].metric == one->metric;
		if (found)
			continue;
		err_set(e, -ENOENT,
			"cannot compare %s: not both the baseline and the FILEs have it",
			gate_metric_at(one->metric)->name);
		return err_hint(e, "framescope check --list-metrics FILE, which says what it has");
	}
	return 0;
}

/* What can't be told of now would else be passed over, and pass. */
static int check_missing(const struct versus *v, struct err *e)
{
	for (unsigned i = 0; i < v->against.nr; i++) {
		const struct against_producer *p = &v->against.producers[i];

		if (p->missing < 0)
			continue;
		err_set(e, -ENODATA, "no complete frame of %s has %s now, and the baseline has it",
			p->name, gate_metric_at((unsigned)p->missing)->name);
		return err_hint(e, "framescope check --list-metrics FILE, which says what it has");
	}
	return 0;
}

int versus_add(struct versus *v, struct gate_check *c, const struct baseline *before,
	       const struct baseline *now, const struct effects *effects, struct err *e)
{
	int rc = against_make(&v->against, before, now, effects, e);

	if (!rc && v->against.nr_gone) {
		err_set(e, -ENOENT,
			"%s made frames in every run of the baseline, and makes none now",
			v->against.gone[0]);
		rc = err_hint(e, "framescope compare, which compares the others");
	}
	if (!rc)
		rc = check_named(v, effects, e);
	if (!rc)
		rc = check_missing(v, e);
	if (rc)
		return rc;
	if (make_room(v, c))
		return err_errno(e, -ENOMEM, "cannot compare with the baseline");
	for (unsigned i = 0; i < v->against.nr; i++) {
		const struct against_producer *p = &v->against.producers[i];

		for (unsigned m = 0; m < p->nr; m++)
			for (unsigned stat = 0; stat < MEASURE_NR; stat++)
				if (p->metrics[m].change.of[stat].known &&
				    against_judges(effects, p->metrics[m].metric,
						   (enum measure_stat)stat))
					add_result(v, c, p, &p->metrics[m], (enum measure_stat)stat,
						   effects);
	}
	if (!v->nr) {
		err_set(e, -ENODATA,
			"the baseline and the FILEs have nothing in common that decides");
		return err_hint(e, "framescope check --list-metrics FILE, which says what it has");
	}
	c->differences = v->against.differences;
	c->nr_differences = v->against.nr_differences;
	return 0;
}

void versus_free(struct versus *v)
{
	against_free(&v->against);
	free(v->budgets);
	*v = (struct versus){ 0 };
}
