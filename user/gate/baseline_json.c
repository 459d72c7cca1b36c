/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A summary as a file: few lines, each metric on one of its own, so that a change of it can be read
 * in a diff. A figure is [value, standard error, effective frames, degrees of freedom].
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file_text.h"
#include "base/text.h"
#include "gate/baseline.h"
#include "gate/circumstances.h"
#include "output/json_values.h"

#define VALUE_MAX 4e18 /* ns, as far as an int64_t goes */
#define RANK "rank"

static json_t *figure_json(const struct measure_figure *f)
{
	json_t *list = json_array();
	int rc = 0;

	rc |= json_array_append_new(list, json_figure(f->value));
	rc |= json_array_append_new(list, json_figure(f->error));
	rc |= json_array_append_new(list, json_figure(f->effective));
	rc |= json_array_append_new(list, json_figure(f->freedom));
	return json_if(rc, list);
}

/* Of what is the same for all frames, one number. */
static json_t *sketch_json(const struct sketch *s)
{
	unsigned nr = s->at[0] == s->at[SKETCH_NR - 1] ? 1 : SKETCH_NR;
	json_t *list = json_array();
	int rc = 0;

	for (unsigned i = 0; i < nr; i++)
		rc |= json_array_append_new(list, json_integer(s->at[i]));
	return json_if(rc, list);
}

static json_t *measure_json(const struct measure *m)
{
	json_t *o = json_object();
	int rc = json_set_number(o, "frames", m->n);

	for (unsigned i = 0; i < (m->share ? 1 : MEASURE_NR); i++)
		rc |= json_object_set_new(o, m->share ? "share" : measure_stat_name(i),
					  figure_json(&m->of[i]));
	if (!m->share) {
		rc |= json_object_set_new(o, RANK, figure_json(&m->rank));
		rc |= json_object_set_new(o, "quantiles", sketch_json(&m->sketch));
	}
	return json_if(rc, o);
}

static int put(FILE *out, json_t *value)
{
	int rc = value ? json_dumpf(value, out,
				    JSON_COMPACT | JSON_ENCODE_ANY | JSON_PRESERVE_ORDER |
					    JSON_REAL_PRECISION(MEASURE_DIGITS))
		       : -1;

	json_decref(value);
	return rc;
}

static int print_producer(FILE *out, const struct baseline_producer *p)
{
	bool first = true;
	int rc = 0;

	fputs("{\"producer\": ", out);
	rc |= put(out, json_string(p->name));
	for (unsigned i = 0; i < FRAME_STATUS_NR; i++)
		fprintf(out, ", \"%s\": %llu", frame_status_name(i),
			(unsigned long long)p->counts[i]);
	if (p->fps > 0) {
		fputs(", \"fps\": ", out);
		rc |= put(out, json_real(p->fps));
	}
	fputs(", \"metrics\": {", out);
	for (unsigned i = 0; i < gate_metrics(); i++) {
		if (!p->metrics[i])
			continue;
		fprintf(out, "%s\n \"%s\": ", first ? "" : ",", gate_metric_at(i)->name);
		rc |= put(out, measure_json(p->metrics[i]));
		first = false;
	}
	fputs("}}", out);
	return rc;
}

int baseline_print(FILE *out, const struct baseline *b, struct err *e)
{
	int rc = 0;

	fprintf(out, "{\"schema\": \"%s\",\n\"quantiles_permille\": [", BASELINE_SCHEMA);
	for (unsigned i = 0; i < SKETCH_NR; i++)
		fprintf(out, "%s%u", i ? "," : "", sketch_permille[i]);
	fputs("],\n\"runs\": [", out);
	for (unsigned r = 0; r < b->nr; r++) {
		const struct baseline_run *run = &b->runs[r];

		fprintf(out, "%s\n{\"file\": ", r ? "," : "");
		rc |= put(out, json_string(run->file));
		fputs(",\n\"circumstances\": ", out);
		rc |= put(out, json_incref(run->circumstances));
		fputs(",\n\"producers\": [", out);
		for (unsigned i = 0; i < run->nr; i++) {
			fputs(i ? ",\n" : "\n", out);
			rc |= print_producer(out, &run->producers[i]);
		}
		fputs("]}", out);
	}
	fputs("]}\n", out);
	return rc && !ferror(out) ? err_errno(e, -ENOMEM, "cannot write the summary") : 0;
}

bool baseline_is_summary(const char *path)
{
	FILE *f = fopen(path, "re");
	int c = f ? getc(f) : EOF;

	if (f)
		fclose(f);
	return c == '{';
}

static int wrong(struct err *e, const char *path, const char *where, const char *what)
{
	char name[128];

	text_escape(name, sizeof(name), where, strlen(where));
	err_set(e, -EINVAL, "%s: not a summary as framescope makes it: %s%s%s", path, name,
		*name ? ": " : "", what);
	return err_hint(e, "framescope summary CAPTURE > %s", path);
}

/* A number in these bounds. */
static bool get_number(const json_t *value, double min, double max, double *x)
{
	*x = json_number_value(value);
	return json_is_number(value) && isfinite(*x) && *x >= min && *x <= max;
}

static bool get_figure(const json_t *list, uint64_t n, bool share, struct measure_figure *f)
{
	return json_is_array(list) && json_array_size(list) == 4 &&
	       get_number(json_array_get(list, 0), share ? 0 : -VALUE_MAX, share ? 1 : VALUE_MAX,
			  &f->value) &&
	       get_number(json_array_get(list, 1), 0, VALUE_MAX, &f->error) &&
	       get_number(json_array_get(list, 2), 1, (double)n, &f->effective) &&
	       get_number(json_array_get(list, 3), 1, 1e18, &f->freedom);
}

static bool get_sketch(const json_t *list, struct sketch *s)
{
	size_t nr = json_array_size(list);

	if (nr != 1 && nr != SKETCH_NR)
		return false;
	for (unsigned i = 0; i < SKETCH_NR; i++) {
		const json_t *value = json_array_get(list, nr == 1 ? 0 : i);
		double x;

		if (!json_is_integer(value) || !get_number(value, -VALUE_MAX, VALUE_MAX, &x))
			return false;
		s->at[i] = json_integer_value(value);
		if (i && s->at[i] < s->at[i - 1])
			return false;
	}
	return true;
}

static bool get_measure(const json_t *o, bool share, struct measure *m)
{
	double n;

	if (!json_is_integer(json_object_get(o, "frames")) ||
	    !get_number(json_object_get(o, "frames"), 1, 1e15, &n))
		return false;
	m->n = (uint64_t)n;
	m->share = share;
	if (share)
		return get_figure(json_object_get(o, "share"), m->n, true, &m->of[MEASURE_MEAN]);
	for (unsigned i = 0; i < MEASURE_NR; i++)
		if (!get_figure(json_object_get(o, measure_stat_name(i)), m->n, false, &m->of[i]))
			return false;
	return get_figure(json_object_get(o, RANK), m->n, false, &m->rank) &&
	       get_sketch(json_object_get(o, "quantiles"), &m->sketch);
}

/* Metrics that are not known here may be of a later version. */
static int read_metrics(struct baseline_producer *p, const json_t *o, const char *path,
			struct err *e)
{
	const char *name;
	json_t *value;

	json_object_foreach((json_t *)o, name, value)
	{
		int metric = gate_metric_find(name, strlen(name));
		struct measure *m;

		if (metric < 0 || !baseline_has_metric((unsigned)metric))
			continue;
		m = calloc(1, sizeof(*m));
		if (!m)
			return err_errno(e, -ENOMEM, "cannot read %s", path);
		p->metrics[metric] = m;
		if (!get_measure(value, gate_metric_at((unsigned)metric)->form == GATE_YES_NO, m))
			return wrong(e, path, name, "a figure is missing, or can't be");
	}
	return 0;
}

static int read_producer(struct baseline_run *run, const json_t *o, const char *path, struct err *e)
{
	struct baseline_producer *p = &run->producers[run->nr];
	const char *name = json_string_value(json_object_get(o, "producer"));
	const json_t *metrics = json_object_get(o, "metrics");
	char text[GATE_NAME_LEN];
	double x;

	if (!name || !*name || !json_is_object(metrics))
		return wrong(e, path, "", "a producer has no name, or no metrics");
	/* It was escaped when the summary was made. */
	text_escape_controls(text, sizeof(text), name, strlen(name));
	if (baseline_find(run, text))
		return wrong(e, path, text, "the producer is there twice");
	for (unsigned i = 0; i < FRAME_STATUS_NR; i++) {
		if (!get_number(json_object_get(o, frame_status_name(i)), 0, 1e15, &x))
			return wrong(e, path, text, "its numbers of frames are missing");
		p->counts[i] = (uint64_t)x;
	}
	if (get_number(json_object_get(o, "fps"), 0, 1e9, &x))
		p->fps = x;
	p->name = strdup(text);
	run->nr++;
	return p->name ? read_metrics(p, metrics, path, e)
		       : err_errno(e, -ENOMEM, "cannot read %s", path);
}

static int read_run(struct baseline *b, const json_t *o, const char *path, struct err *e)
{
	const json_t *producers = json_object_get(o, "producers");
	const char *file = json_string_value(json_object_get(o, "file"));
	size_t nr = json_array_size(producers);
	struct baseline_run *run;
	char text[1024];
	int rc = 0;

	if (!file || !json_is_array(producers) || nr > GATE_PRODUCERS_MAX)
		return wrong(e, path, "", "a run has no file, or no list of producers");
	run = baseline_next(b, path, e);
	if (!run)
		return e->code;
	text_escape_controls(text, sizeof(text), file, strlen(file));
	run->file = strdup(text);
	run->circumstances = circumstances_copy(json_object_get(o, "circumstances"));
	run->producers = calloc(nr ? nr : 1, sizeof(*run->producers));
	if (!run->file || !run->circumstances || !run->producers)
		return err_errno(e, -ENOMEM, "cannot read %s", path);
	for (size_t i = 0; i < nr && !rc; i++)
		rc = read_producer(run, json_array_get(producers, i), path, e);
	return rc;
}

static int read_root(struct baseline *b, const json_t *root, const char *path, struct err *e)
{
	const char *schema = json_string_value(json_object_get(root, "schema"));
	const json_t *runs = json_object_get(root, "runs");
	const json_t *levels = json_object_get(root, "quantiles_permille");
	int rc = 0;

	if (!schema || strcmp(schema, BASELINE_SCHEMA) != 0)
		return wrong(e, path, "", "its \"schema\" is not \"" BASELINE_SCHEMA "\"");
	if (json_array_size(levels) != SKETCH_NR)
		return wrong(e, path, "", "its \"quantiles_permille\" are others");
	for (unsigned i = 0; i < SKETCH_NR; i++)
		if (json_integer_value(json_array_get(levels, i)) != sketch_permille[i])
			return wrong(e, path, "", "its \"quantiles_permille\" are others");
	if (!json_is_array(runs) || !json_array_size(runs))
		return wrong(e, path, "", "its \"runs\" are no list, or an empty one");
	for (size_t i = 0; i < json_array_size(runs) && !rc; i++)
		rc = read_run(b, json_array_get(runs, i), path, e);
	return rc;
}

int baseline_read(struct baseline *b, const char *path, struct err *e)
{
	size_t len = 0;
	json_error_t error;
	char *text = file_text(path, BASELINE_FILE_MAX - 1, "a summary is not so long", &len, e);
	char what[2 * JSON_ERROR_TEXT_LENGTH];
	json_t *root;
	int rc;

	if (!text)
		return e->code;
	root = json_loadb(text, len, JSON_REJECT_DUPLICATES, &error);
	free(text);
	if (!root) {
		text_escape(what, sizeof(what), error.text, strlen(error.text));
		return wrong(e, path, "no JSON", what);
	}
	rc = read_root(b, root, path, e);
	json_decref(root);
	return rc;
}
