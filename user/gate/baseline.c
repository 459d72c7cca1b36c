/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Runs of captures as a comparison needs them. */
#include "gate/baseline.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "gate/circumstances.h"

/* Whole groups have a '*' at their end. */
static const char *const metrics[] = { "interval",     "wall",    "swap",    "dequeue",
				       "gpu",          "total",   "cause.*", "stage.*",
				       "release_wait", "table_*", "jank.*",  "ft_overrun" };

bool baseline_has_metric(unsigned metric)
{
	const struct gate_metric *m = gate_metric_at(metric);

	if (!gate_metric_has_series(m))
		return false;
	for (unsigned i = 0; i < sizeof(metrics) / sizeof(*metrics); i++) {
		size_t len = strcspn(metrics[i], "*");

		if (!strncmp(m->name, metrics[i], len) && (metrics[i][len] || !m->name[len]))
			return true;
	}
	return false;
}

void baseline_wanted(bool wanted[GATE_METRICS_MAX])
{
	for (unsigned i = 0; i < GATE_METRICS_MAX; i++)
		wanted[i] = i < gate_metrics() && baseline_has_metric(i);
}

static int add_metric(struct baseline_producer *to, const struct gate_producer *from,
		      unsigned metric)
{
	const struct gate_series *s = from->series[metric];
	struct measure *m;
	int rc;

	if (!s || !s->nr || !baseline_has_metric(metric))
		return 0;
	m = calloc(1, sizeof(*m));
	if (!m)
		return -ENOMEM;
	to->metrics[metric] = m;
	rc = measure_make(m, s->values, s->nr, gate_metric_at(metric)->form == GATE_YES_NO);
	return rc;
}

static int add_producer(struct baseline_producer *to, const struct gate_producer *from)
{
	int rc = 0;

	to->name = strdup(from->name);
	if (!to->name)
		return -ENOMEM;
	memcpy(to->counts, from->counts, sizeof(to->counts));
	to->fps = from->told_in_dump ? 0 : pace_fps(&from->pace);
	for (unsigned i = 0; i < gate_metrics() && !rc; i++)
		rc = add_metric(to, from, i);
	return rc;
}

struct baseline_run *baseline_next(struct baseline *b, const char *path, struct err *e)
{
	if (b->nr < BASELINE_RUNS_MAX) {
		b->runs[b->nr] = (struct baseline_run){ 0 };
		return &b->runs[b->nr++];
	}
	err_set(e, -E2BIG, "cannot take %s: there are %d runs already", path, BASELINE_RUNS_MAX);
	return NULL;
}

int baseline_add(struct baseline *b, const char *path, const struct gate_samples *samples,
		 const char *meta, struct err *e)
{
	struct baseline_run *run = baseline_next(b, path, e);
	const char *slash = strrchr(path, '/');
	char file[1024];
	unsigned nr = 0;
	int rc = 0;

	if (!run)
		return e->code;
	while (gate_samples_producer(samples, nr))
		nr++;
	path = slash && slash[1] ? slash + 1 : path;
	text_escape(file, sizeof(file), path, strlen(path));
	run->file = strdup(file);
	run->circumstances = circumstances_of(meta, gate_samples_display_ns(samples));
	run->producers = calloc(nr ? nr : 1, sizeof(*run->producers));
	if (!run->file || !run->circumstances || !run->producers)
		rc = -ENOMEM;
	for (unsigned i = 0; i < nr && !rc; i++) {
		run->nr++;
		rc = add_producer(&run->producers[i], gate_samples_producer(samples, i));
	}
	return rc ? err_errno(e, rc, "cannot summarise %s", path) : 0;
}

const struct baseline_producer *baseline_find(const struct baseline_run *run, const char *name)
{
	for (unsigned i = 0; i < run->nr; i++)
		if (!strcmp(run->producers[i].name, name))
			return &run->producers[i];
	return NULL;
}

void baseline_free(struct baseline *b)
{
	for (unsigned r = 0; r < b->nr; r++) {
		struct baseline_run *run = &b->runs[r];

		for (unsigned i = 0; i < run->nr; i++) {
			for (unsigned m = 0; m < GATE_METRICS_MAX; m++)
				free(run->producers[i].metrics[m]);
			free(run->producers[i].name);
		}
		free(run->producers);
		free(run->file);
		json_decref(run->circumstances);
	}
	b->nr = 0;
}
