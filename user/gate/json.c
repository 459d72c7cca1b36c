/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A gate's findings as one JSON object; what is not known has no key. */
#include <errno.h>

#include "gate/compare.h"
#include "gate/print.h"
#include "output/json_values.h"

#define SCHEMA "framescope.check/1"

static json_t *estimate_values(json_t *o, const struct gate_result *r)
{
	const struct gate_estimate *est = &r->estimate;
	int rc = 0;

	if (est->known)
		rc |= json_set_figure(o, "value", est->value);
	if (est->known && est->has_low && !est->fact)
		rc |= json_set_figure(o, "low", est->low);
	if (est->known && est->has_high && !est->fact)
		rc |= json_set_figure(o, "high", est->high);
	rc |= json_set_number(o, "frames", est->frames);
	if (est->effective > 0)
		rc |= json_set_figure(o, "independent_frames", est->effective);
	rc |= json_set_number(o, "lossy", est->lossy);
	rc |= json_set_number(o, "truncated", r->truncated);
	rc |= json_object_set_new(o, "thinned", json_boolean(est->thinned));
	return json_if(rc, o);
}

static json_t *causes(const struct gate_beyond *b)
{
	json_t *o = json_object();
	int rc = 0;

	for (unsigned i = 0; i < BUDGET_NR; i++)
		if (b->causes[i])
			rc |= json_set_number(o, budget_part_name((enum budget_part)i),
					      b->causes[i]);
	return json_if(rc, o);
}

static json_t *beyond_object(const struct gate_result *r)
{
	const struct gate_beyond *b = r->beyond;
	json_t *o = json_object(), *worst = json_object();
	char text[4 * WORDS_LEN];
	int rc = json_set_number(o, "frames", b->frames);
	enum budget_part cause = gate_beyond_cause(b);

	if (cause != BUDGET_NR) {
		const struct blocker *blocker = gate_beyond_blocker(b, cause);

		rc |= json_object_set_new(o, "causes", causes(b));
		rc |= json_set_text(o, "top_cause", budget_part_name(cause));
		if (blocker) {
			words_waker(text, sizeof(text), blocker, WORDS_NO_LIMIT);
			rc |= json_set_text(o, "top_waker", text);
			words_detail(text, sizeof(text), blocker);
			rc |= json_set_text(o, "top_detail", text);
		}
	}
	gate_words_beyond(text, sizeof(text), r);
	rc |= json_set_text(o, "words", text);
	rc |= json_set_number(worst, "frame", b->worst);
	rc |= json_set_number(worst, "file", b->run);
	rc |= json_object_set_new(worst, "ns", json_integer(b->worst_value));
	rc |= json_set_text(worst, "words", b->worst_why);
	rc |= json_object_set_new(o, "worst", worst);
	return json_if(rc, o);
}

static json_t *result_object(const struct gate_result *r)
{
	const struct gate_budget *b = r->budget;
	const struct gate_verdict *v = &r->verdict;
	json_t *o = json_object();
	char stat[GATE_STAT_LEN];
	int rc = 0;

	gate_stat_name(stat, b);
	rc |= json_set_text(o, "budget", b->text);
	rc |= json_set_text(o, "producer", r->producer);
	rc |= json_set_text(o, "metric", gate_metric_at(b->metric)->name);
	rc |= json_set_text(o, "stat", stat);
	rc |= json_set_text(o, "op", gate_op_name(b->op));
	rc |= json_set_text(o, "unit", gate_quantity_name(b->quantity));
	rc |= json_set_figure(o, "limit", b->limit);
	rc |= json_set_text(o, "verdict", gate_outcome_name(v->outcome));
	rc |= json_set_text(o, "reason", gate_reason_name(v->reason));
	rc |= json_set_text(o, "why", v->why);
	rc |= json_set_number(o, "files", r->runs);
	if (!estimate_values(o, r))
		return NULL;
	if (r->beyond)
		rc |= json_object_set_new(o, "beyond", beyond_object(r));
	if (r->versus)
		rc |= json_object_set_new(o, "change", change_json(r->versus, r->versus_stat));
	return json_if(rc, o);
}

static json_t *paths(const struct gate_check *c)
{
	json_t *list = json_array();
	int rc = 0;

	for (unsigned i = 0; i < c->nr_runs; i++) {
		json_t *o = json_object();

		rc |= json_set_name(o, "path", c->runs[i].path);
		rc |= json_array_append_new(list, o);
	}
	return json_if(rc, list);
}

int gate_print_json(FILE *out, const struct gate_check *c, struct err *e)
{
	json_t *o = json_object(), *list = json_array(), *differences = json_array();
	int rc = 0;

	rc |= json_set_text(o, "schema", SCHEMA);
	rc |= json_set_text(o, "framescope", FRAMESCOPE_VERSION);
	rc |= json_set_text(o, "verdict", gate_outcome_name(gate_check_outcome(c)));
	rc |= json_object_set_new(o, "confidence", json_real(GATE_CONFIDENCE));
	rc |= json_set_number(o, "passed", c->counts[GATE_PASS]);
	rc |= json_set_number(o, "failed", c->counts[GATE_FAIL]);
	rc |= json_set_number(o, "inconclusive", c->counts[GATE_INCONCLUSIVE]);
	rc |= json_object_set_new(o, "files", paths(c));
	for (unsigned i = 0; i < c->nr_differences; i++)
		rc |= json_array_append_new(differences, json_string(c->differences[i]));
	rc |= json_object_set_new(o, "differences", differences);
	for (unsigned i = 0; i < c->nr; i++)
		rc |= json_array_append_new(list, result_object(&c->results[i]));
	rc |= json_object_set_new(o, "budgets", list);
	o = json_if(rc, o);
	if (!o)
		return err_errno(e, -ENOMEM, "cannot say what was found");
	json_dumpf(o, out, JSON_INDENT(2) | JSON_PRESERVE_ORDER);
	putc('\n', out);
	json_decref(o);
	return 0;
}
