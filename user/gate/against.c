/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Which metrics of which producers are compared, and what differs beside them. */
#include "gate/against.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "gate/circumstances.h"
#include "output/words.h"

#define CAUSE "cause."

bool against_judges(const struct effects *effects, unsigned metric, enum measure_stat stat)
{
	const struct gate_metric *m = gate_metric_at(metric);

	if (effects_has(effects, metric, stat))
		return true;
	if (!strcmp(m->name, "wall"))
		return stat == MEASURE_P50 || stat == MEASURE_P95;
	return !strcmp(m->name, "gpu") && stat == MEASURE_P95;
}

static bool judges_any(const struct effects *effects, unsigned metric)
{
	for (unsigned i = 0; i < MEASURE_NR; i++)
		if (against_judges(effects, metric, (enum measure_stat)i))
			return true;
	return false;
}

/* One producer in the runs of a side; NULL where it is not. */
struct found {
	const struct baseline_producer *in[BASELINE_RUNS_MAX];
	unsigned nr;
};

static void find_all(struct found *f, const struct baseline *b, const char *name)
{
	f->nr = b->nr;
	for (unsigned r = 0; r < b->nr; r++)
		f->in[r] = baseline_find(&b->runs[r], name);
}

/* The runs of a side that have the producer's metric. */
struct collected {
	const struct measure *runs[BASELINE_RUNS_MAX];
	unsigned nr;
	uint64_t frames;
};

static void collect(struct collected *c, const struct found *f, unsigned metric)
{
	c->nr = 0;
	c->frames = 0;
	for (unsigned r = 0; r < f->nr; r++) {
		const struct measure *m = f->in[r] ? f->in[r]->metrics[metric] : NULL;

		if (!m)
			continue;
		c->runs[c->nr++] = m;
		c->frames += m->n;
	}
}

static void add_metric(struct against_producer *p, const struct collected *before,
		       const struct collected *now, unsigned metric, const struct effects *effects)
{
	struct against_metric *m = &p->metrics[p->nr++];
	struct change_limit limits[MEASURE_NR];

	for (unsigned i = 0; i < MEASURE_NR; i++)
		limits[i] = *effects_limit(effects, metric, (enum measure_stat)i);
	m->metric = metric;
	m->judged = judges_any(effects, metric);
	m->before = before->frames;
	m->now = now->frames;
	m->few = m->before < CHANGE_FRAMES || m->now < CHANGE_FRAMES;
	change_measure(&m->change, (struct change_side){ before->runs, before->nr },
		       (struct change_side){ now->runs, now->nr }, limits);
}

/* Frames that are lost are most often slow ones: without them a side looks better than it is. */
static bool is_lossy(const uint64_t counts[FRAME_STATUS_NR])
{
	double all = (double)counts[FRAME_COMPLETE] + (double)counts[FRAME_LOSSY];

	return (double)counts[FRAME_LOSSY] > AGAINST_LOSSY * all;
}

static unsigned count_frames(const struct found *f, uint64_t counts[FRAME_STATUS_NR], double *fps)
{
	unsigned nr = 0, paced = 0;

	for (unsigned r = 0; r < f->nr; r++) {
		const struct baseline_producer *p = f->in[r];

		if (!p)
			continue;
		nr++;
		for (unsigned i = 0; i < FRAME_STATUS_NR; i++)
			counts[i] += p->counts[i];
		if (p->fps > 0) {
			*fps += p->fps;
			paced++;
		}
	}
	if (paced)
		*fps /= paced;
	return nr;
}

static int add_producer(struct against *a, const struct found *before, const struct found *now,
			const char *name, const struct effects *effects)
{
	struct against_producer *p = &a->producers[a->nr++];
	struct collected from, to;

	*p = (struct against_producer){ .name = name, .missing = -1 };
	p->runs_before = count_frames(before, p->before, &p->fps_before);
	p->runs_now = count_frames(now, p->now, &p->fps_now);
	p->lossy = is_lossy(p->before) || is_lossy(p->now);
	p->metrics = calloc(gate_metrics(), sizeof(*p->metrics));
	if (!p->metrics)
		return -ENOMEM;
	for (unsigned i = 0; i < gate_metrics(); i++) {
		if (!baseline_has_metric(i))
			continue;
		collect(&from, before, i);
		collect(&to, now, i);
		if (from.nr && to.nr)
			add_metric(p, &from, &to, i, effects);
		else if (from.nr && p->missing < 0 && judges_any(effects, i))
			p->missing = (int)i;
	}
	return 0;
}

/* Of all metrics that decide, and of the others apart from these, as they decide nothing. */
static int correct(struct against *a, bool judged)
{
	struct change **all;
	unsigned nr = 0;

	for (unsigned i = 0; i < a->nr; i++)
		nr += a->producers[i].nr;
	all = calloc(nr ? nr : 1, sizeof(struct change *));
	if (!all)
		return -ENOMEM;
	nr = 0;
	for (unsigned i = 0; i < a->nr; i++)
		for (unsigned m = 0; m < a->producers[i].nr; m++)
			if (a->producers[i].metrics[m].judged == judged)
				all[nr++] = &a->producers[i].metrics[m].change;
	change_correct(all, nr);
	free(all);
	return 0;
}

/* All values that the runs of a side have, if they are not all of them the same. */
static void values_of(char *dst, size_t len, const struct baseline *b, unsigned index)
{
	char value[256], quoted[300];

	*dst = '\0';
	for (unsigned r = 0; r < b->nr; r++) {
		bool known = false;

		circumstance_words(value, sizeof(value), b->runs[r].circumstances, index);
		for (unsigned before = 0; before < r && !known; before++) {
			circumstance_words(quoted, sizeof(quoted), b->runs[before].circumstances,
					   index);
			known = !strncmp(value, quoted, sizeof(value) - 1);
		}
		if (known || !*value)
			continue;
		words_append(dst, len, "%s%s", *dst ? " and " : "", value);
	}
}

/* What one side does not know of differs from nothing. */
static int note_differences(struct against *a, const struct baseline *before,
			    const struct baseline *now)
{
	char from[200], to[200];

	a->differences = calloc(CIRCUMSTANCES_NR, sizeof(*a->differences));
	if (!a->differences)
		return -ENOMEM;
	for (unsigned i = 0; i < CIRCUMSTANCES_NR; i++) {
		values_of(from, sizeof(from), before, i);
		values_of(to, sizeof(to), now, i);
		if (!*from || !*to || !strcmp(from, to))
			continue;
		snprintf(a->differences[a->nr_differences++], sizeof(*a->differences),
			 "%s: %s before, %s now", circumstance_name(i), from, to);
	}
	return 0;
}

static bool is_any(const struct found *f)
{
	for (unsigned r = 0; r < f->nr; r++)
		if (f->in[r])
			return true;
	return false;
}

/* What is now and then there, and made few frames, may be missing by chance. */
static bool is_always(const struct found *f)
{
	for (unsigned r = 0; r < f->nr; r++)
		if (!f->in[r] || f->in[r]->counts[FRAME_COMPLETE] < CHANGE_FRAMES)
			return false;
	return true;
}

static int add_producers(struct against *a, const struct baseline *before,
			 const struct baseline *now, const struct effects *effects)
{
	struct found from, to;
	int rc = 0;

	for (unsigned r = 0; r < before->nr; r++) {
		const struct baseline_run *run = &before->runs[r];

		for (unsigned i = 0; i < run->nr && !rc; i++) {
			const char *name = run->producers[i].name;
			unsigned first = 0;

			find_all(&from, before, name);
			while (first < r && !from.in[first])
				first++;
			if (first < r || a->nr == GATE_PRODUCERS_MAX)
				continue;
			find_all(&to, now, name);
			if (is_any(&to))
				rc = add_producer(a, &from, &to, name, effects);
			else if (is_always(&from) && a->nr_gone < GATE_PRODUCERS_MAX)
				a->gone[a->nr_gone++] = name;
		}
	}
	return rc;
}

int against_make(struct against *a, const struct baseline *before, const struct baseline *now,
		 const struct effects *effects, struct err *e)
{
	int rc = -ENOMEM;

	a->producers = calloc(GATE_PRODUCERS_MAX, sizeof(*a->producers));
	if (a->producers)
		rc = add_producers(a, before, now, effects);
	if (!rc)
		rc = correct(a, true);
	if (!rc)
		rc = correct(a, false);
	if (!rc)
		rc = note_differences(a, before, now);
	if (rc)
		return err_errno(e, rc, "cannot compare the runs");
	for (unsigned i = 0; i < a->nr; i++)
		for (unsigned m = 0; m < a->producers[i].nr; m++)
			change_judge(&a->producers[i].metrics[m].change,
				     a->producers[i].metrics[m].few, a->producers[i].lossy);
	if (a->nr)
		return 0;
	err_set(e, -ENOENT, "cannot compare %s with %s: they have no producer of frames in common",
		now->runs[0].file, before->runs[0].file);
	return err_hint(e, "framescope report, which names the producers of each");
}

enum budget_part against_part(unsigned metric)
{
	const char *name = gate_metric_at(metric)->name;

	if (strncmp(name, CAUSE, strlen(CAUSE)) != 0)
		return BUDGET_NR;
	for (unsigned i = 0; i < BUDGET_NR; i++)
		if (!strcmp(name + strlen(CAUSE), budget_part_name((enum budget_part)i)))
			return (enum budget_part)i;
	return BUDGET_NR;
}

const struct against_metric *against_cause(const struct against_producer *p)
{
	const struct against_metric *most = NULL;
	double grown = 0;

	for (unsigned i = 0; i < p->nr; i++) {
		const struct change_figure *f = &p->metrics[i].change.of[MEASURE_MEAN];

		if (against_part(p->metrics[i].metric) == BUDGET_NR || f->verdict != CHANGE_UP ||
		    f->now - f->before <= grown)
			continue;
		grown = f->now - f->before;
		most = &p->metrics[i];
	}
	return most;
}

void against_free(struct against *a)
{
	for (unsigned i = 0; i < a->nr; i++)
		free(a->producers[i].metrics);
	free(a->producers);
	free(a->differences);
	*a = (struct against){ 0 };
}
