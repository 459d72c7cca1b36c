/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A report on a text of dumpsys as one JSON object; what was not printed has no key. */
#include <errno.h>
#include <string.h>

#include "output/json_values.h"
#include "output/quantiles.h"
#include "output/report_dump.h"
#include "output/report_latency.h"
#include "output/report_verdicts.h"

#define SCHEMA "framescope.gfxinfo_report/1"

static int set_faults(json_t *o, const char *key, const uint64_t faults[FAULT_NR])
{
	json_t *list = json_object();
	int rc = 0;

	for (unsigned i = FAULT_NONE + 1; i < FAULT_NR; i++)
		rc |= json_set_number(list, gfxinfo_fault_name((enum gfxinfo_fault)i), faults[i]);
	return json_object_set_new(o, key, list) | rc;
}

static json_t *input_object(const struct gfxinfo_input *in)
{
	json_t *o = json_object();
	int rc = 0;

	rc |= json_set_number(o, "bytes", in->bytes);
	rc |= json_set_number(o, "lines", in->lines);
	rc |= json_set_text(o, "encoding", in->encoding);
	rc |= json_set_number(o, "dumps", in->dumps);
	rc |= json_set_number(o, "processes", in->processes);
	rc |= json_set_number(o, "rows", in->rows);
	rc |= set_faults(o, "rows_not_counted", in->faults);
	rc |= json_set_number(o, "unreadable_lines", in->unreadable);
	rc |= json_object_set_new(o, "cut", json_boolean(in->cut));
	return json_if(rc, o);
}

/* Takes the value, an object or a list. */
static int set_unless_empty(json_t *o, const char *key, json_t *value)
{
	if (!value || json_object_size(value) || json_array_size(value))
		return json_object_set_new(o, key, value);
	json_decref(value);
	return 0;
}

static int set_percentiles(json_t *o, const char *key, const struct totals *t, unsigned figure,
			   const uint32_t printed[4],
			   unsigned (*of)(const struct profile_data *, unsigned), bool whole)
{
	static const char *const names[4] = { "p50", "p90", "p95", "p99" };
	static const unsigned percents[4] = { 50, 90, 95, 99 };
	json_t *p = json_object(), *again = json_object(), *both = json_object();
	int rc = 0;

	for (unsigned i = 0; i < 4; i++) {
		if (totals_has(t, figure + i))
			rc |= json_set_number(p, names[i], printed[i]);
		if (whole)
			rc |= json_set_number(again, names[i], of(&t->counts, percents[i]));
	}
	rc |= set_unless_empty(both, "printed", p);
	rc |= set_unless_empty(both, "recomputed", again);
	return set_unless_empty(o, key, both) | rc;
}

static int set_types(json_t *o, const struct totals *t)
{
	json_t *types = json_object();
	int rc = 0;

	for (unsigned i = 0; i < JANK_TYPE_NR; i++)
		if (totals_has(t, FIGURE_TYPES + i))
			rc |= json_set_number(types, jank_type_name((enum jank_type)i),
					      t->counts.types[i]);
	return set_unless_empty(o, "types", types) | rc;
}

/* What the device has printed; of no frames only that there were none. */
static json_t *totals_object(const struct totals *t)
{
	json_t *o = json_object();
	int rc = json_set_number(o, "line", t->line);

	if (totals_has(t, FIGURE_SINCE))
		rc |= json_set_number(o, "since_ns", t->counts.since_ns);
	rc |= json_set_number(o, "frames", t->counts.total);
	if (!t->counts.total)
		goto out;
	if (totals_has(t, FIGURE_JANKY)) {
		rc |= json_set_number(o, "janky", t->counts.janky);
		rc |= json_object_set_new(o, "janky_percent",
					  json_real(t->janky_centipercent / 100.0));
	}
	if (totals_has(t, FIGURE_JANKY_LEGACY)) {
		rc |= json_set_number(o, "janky_legacy", t->counts.janky_legacy);
		rc |= json_object_set_new(o, "janky_legacy_percent",
					  json_real(t->janky_legacy_centipercent / 100.0));
	}
	rc |= set_percentiles(o, "percentiles_ms", t, FIGURE_PERCENTILES, t->percentiles_ms,
			      profile_percentile, t->whole);
	if (t->gpu_frames)
		rc |= set_percentiles(o, "gpu_percentiles_ms", t, FIGURE_GPU_PERCENTILES,
				      t->gpu_percentiles_ms, profile_gpu_percentile, t->gpu_whole);
	rc |= set_types(o, t);
out:
	return json_if(rc, o);
}

static json_t *finding_object(const struct gfxinfo_finding *f)
{
	char text[GFXINFO_FINDING_TEXT];
	json_t *o = json_object();
	int rc = 0;

	gfxinfo_finding_text(text, sizeof(text), f);
	rc |= json_set_text(o, "kind", gfxinfo_finding_name(f->kind));
	rc |= json_object_set_new(o, "contradiction", json_boolean(f->contradiction));
	rc |= json_set_number(o, "line", f->line);
	rc |= json_set_name(o, "text", text);
	return json_if(rc, o);
}

static int set_findings(json_t *o, const struct dump_report *r, const struct totals_entry *of)
{
	json_t *list = json_array();
	int rc = 0;

	for (const struct found *f = findings_of(r->findings, of); f; f = f->next)
		rc |= json_array_append_new(list, finding_object(&f->finding));
	return set_unless_empty(o, "findings", list) | rc;
}

static int set_times(json_t *o, const struct window_times *t)
{
	json_t *table = json_object();
	int rc = 0;

	rc |= json_set_number(table, "frames", t->frames);
	rc |= json_set_number(table, "longer_than_16_67_ms", t->over);
	rc |= json_set_number(table, "cut_at_50_ms", t->cut);
	rc |= quantiles_set(table, "sum_ns", t->total);
	return json_object_set_new(o, "table", table) | rc;
}

/* What there is of a process or window but its name. */
static int set_body(json_t *o, const struct dump_report *r, const struct totals_entry *e)
{
	const struct producer *p =
		dump_frames_producer(r->frames, e->pid, e->process, e->name, e->window_nr);
	const struct window_verdicts *w = p && r->verdicts ? verdicts_of(r->verdicts, p) : NULL;
	const struct window_times *times = p ? table_times_of(r->times, p) : NULL;
	uint64_t faults[FAULT_NR], rows = totals_entry_rows(e, faults);
	int rc = 0;

	if (totals_has(&e->newest, FIGURE_TOTAL))
		rc |= json_object_set_new(o, "totals", totals_object(&e->newest));
	if (rows) {
		rc |= json_set_number(o, "rows", rows);
		rc |= set_faults(o, "rows_not_counted", faults);
	}
	if (times)
		rc |= set_times(o, times);
	if (w)
		rc |= json_object_set_new(o, "verdicts", json_pack("[o]", verdicts_object(w)));
	return rc | set_findings(o, r, e);
}

static json_t *window_object(const struct dump_report *r, const struct totals_entry *e)
{
	json_t *o = json_object();
	int rc = json_set_name(o, "name", e->name);

	if (e->window_nr > 1)
		rc |= json_set_number(o, "number_of_that_name", e->window_nr);
	rc |= set_body(o, r, e);
	return json_if(rc, o);
}

static json_t *process_object(const struct dump_report *r, const struct totals_entry *e)
{
	json_t *o = json_object(), *windows = json_array();
	const struct totals_entry *w = NULL;
	int rc = 0;

	rc |= json_set_name(o, "name", e->process);
	if (e->pid)
		rc |= json_set_number(o, "pid", e->pid);
	rc |= set_body(o, r, e);
	while ((w = totals_entry_next_window(e, w)))
		rc |= json_array_append_new(windows, window_object(r, w));
	rc |= json_object_set_new(o, "windows", windows);
	return json_if(rc, o);
}

int report_dump_json(FILE *out, const struct dump_report *r, struct err *e)
{
	json_t *root = json_object(), *processes = json_array();
	const struct totals_entry *entry = NULL;
	int rc = 0;

	rc |= json_set_text(root, "schema", SCHEMA);
	rc |= json_set_name(root, "file", r->path);
	rc |= json_object_set_new(root, "input", input_object(r->input));
	while ((entry = gfxinfo_totals_next(r->totals, entry)))
		if (entry->scope == SCOPE_PROCESS)
			rc |= json_array_append_new(processes, process_object(r, entry));
	rc |= json_object_set_new(root, "processes", processes);
	rc |= json_set_number(root, "contradictions", findings_contradictions(r->findings));
	rc |= json_set_number(root, "notes", findings_notes(r->findings));
	rc |= set_findings(root, r, NULL);
	if (latency_figures(r->latency)->refresh_ns)
		rc |= json_object_set_new(root, "latency",
					  latency_object(latency_figures(r->latency)));
	if (rc) {
		json_decref(root);
		return err_errno(e, -ENOMEM, "cannot make the report on %s", r->path);
	}
	json_dumpf(root, out, JSON_INDENT(2) | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(6));
	putc('\n', out);
	json_decref(root);
	return 0;
}
