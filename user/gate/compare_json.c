/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A comparison as one JSON object; what is not known has no key. */
#include <errno.h>

#include "gate/compare.h"
#include "output/json_values.h"

json_t *change_json(const struct against_metric *m, enum measure_stat stat)
{
	const struct gate_metric *metric = gate_metric_at(m->metric);
	const struct change_figure *f = &m->change.of[stat];
	bool share = metric->form == GATE_YES_NO;
	json_t *o = json_object();
	int rc = json_set_text(o, "metric", metric->name);

	rc |= json_set_text(o, "stat", share ? "share" : measure_stat_name(stat));
	rc |= json_set_text(o, "unit", share ? "share" : "ns");
	rc |= json_set_figure(o, "before", f->before);
	rc |= json_set_figure(o, "now", f->now);
	rc |= json_set_figure(o, "change", f->now - f->before);
	rc |= json_set_figure(o, "noise", f->noise);
	rc |= json_set_figure(o, "finds", f->finds);
	rc |= json_set_figure(o, "between_runs", f->runs);
	rc |= json_set_figure(o, "limit", f->limit);
	rc |= json_set_figure(o, "chance", f->chance);
	rc |= json_set_figure(o, "metric_chance", m->change.corrected);
	rc |= json_set_text(o, "verdict", change_verdict_name(f->verdict));
	rc |= json_set_text(o, "reason", change_reason_name(f->reason));
	return json_if(rc, o);
}

static json_t *files_json(const struct baseline *b)
{
	json_t *list = json_array();
	int rc = 0;

	for (unsigned r = 0; r < b->nr; r++)
		rc |= json_array_append_new(list, json_string(b->runs[r].file));
	return json_if(rc, list);
}

static json_t *frame_json(const struct shown_frame *f, enum budget_part cause)
{
	json_t *o = json_object();
	int rc = json_set_number(o, "frame", f->number);

	rc |= json_set_number(o, "wall_ns", f->wall_ns);
	rc |= json_set_text(o, "cause", budget_part_name(cause));
	rc |= json_set_number(o, "cause_ns", f->cause_ns);
	rc |= json_set_text(o, "why", f->why);
	return json_if(rc, o);
}

static json_t *frames_json(const struct comparison *c, const struct against_producer *p)
{
	json_t *list = json_array();
	int rc = 0;

	for (unsigned i = 0; i < p->nr; i++) {
		enum budget_part cause = against_part(p->metrics[i].metric);
		const struct shown_frame *f;

		if (cause == BUDGET_NR ||
		    p->metrics[i].change.of[MEASURE_MEAN].verdict != CHANGE_UP)
			continue;
		f = shown_find(c->shown, p->name, cause);
		for (unsigned n = 0; f && n < SHOWN_FRAMES && f[n].cause_ns; n++)
			rc |= json_array_append_new(list, frame_json(&f[n], cause));
	}
	return json_if(rc, list);
}

static json_t *counts_json(const uint64_t counts[FRAME_STATUS_NR], double fps, unsigned runs)
{
	json_t *o = json_object();
	int rc = json_set_number(o, "runs", runs);

	for (unsigned i = 0; i < FRAME_STATUS_NR; i++)
		rc |= json_set_number(o, frame_status_name((enum frame_status)i), counts[i]);
	if (fps > 0)
		rc |= json_object_set_new(o, "fps", json_real(fps));
	return json_if(rc, o);
}

static json_t *producer_json(const struct comparison *c, const struct against_producer *p)
{
	json_t *o = json_object(), *list = json_array();
	int rc = json_object_set_new(o, "producer", json_string(p->name));

	rc |= json_object_set_new(o, "before",
				  counts_json(p->before, p->fps_before, p->runs_before));
	rc |= json_object_set_new(o, "now", counts_json(p->now, p->fps_now, p->runs_now));
	for (unsigned i = 0; i < p->nr; i++)
		for (unsigned stat = 0; stat < MEASURE_NR; stat++)
			if (p->metrics[i].change.of[stat].known)
				rc |= json_array_append_new(
					list, change_json(&p->metrics[i], (enum measure_stat)stat));
	rc |= json_object_set_new(o, "changes", list);
	if (c->shown)
		rc |= json_object_set_new(o, "frames", frames_json(c, p));
	return json_if(rc, o);
}

int compare_print_json(FILE *out, const struct comparison *c, struct err *e)
{
	json_t *o = json_object(), *list = json_array(), *differences = json_array(),
	       *gone = json_array();
	const struct against *a = c->against;
	int rc = json_set_text(o, "schema", COMPARE_SCHEMA);

	rc |= json_object_set_new(o, "before", files_json(c->before));
	rc |= json_object_set_new(o, "now", files_json(c->now));
	for (unsigned i = 0; i < a->nr_differences; i++)
		rc |= json_array_append_new(differences, json_string(a->differences[i]));
	rc |= json_object_set_new(o, "differences", differences);
	for (unsigned i = 0; i < a->nr_gone; i++)
		rc |= json_array_append_new(gone, json_string(a->gone[i]));
	rc |= json_object_set_new(o, "gone", gone);
	for (unsigned i = 0; i < a->nr; i++)
		rc |= json_array_append_new(list, producer_json(c, &a->producers[i]));
	rc |= json_object_set_new(o, "producers", list);
	o = json_if(rc, o);
	if (!o)
		return err_errno(e, -ENOMEM, "cannot say what changed");
	json_dumpf(o, out,
		   JSON_INDENT(1) | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(MEASURE_DIGITS));
	putc('\n', out);
	json_decref(o);
	return 0;
}
