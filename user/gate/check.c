/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Which budgets are of which producers, and what they can't be of. */
#include "gate/check.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "stream/source.h"

#define NAMES_MAX 32 /* for the nearest of them */

static const struct {
	unsigned topic; /* enum source_topic; 0: none */
	const char *why;
} needs[GATE_NEED_NR] = {
	[GATE_NEED_FRAMES] = { 0, "it takes frames that were seen one after the other, and a text "
				  "of dumpsys has only some" },
	[GATE_NEED_TIMES] = { SOURCE_FRAMES, "of no frame both beginning and end are known" },
	[GATE_NEED_THREADS] = { SOURCE_BUDGETS,
				"its frames were only told of: what threads did was not recorded" },
	[GATE_NEED_REASONS] = { SOURCE_BUDGETS,
				"a trace does not say what threads were blocked on, only that they "
				"were: framescope record does" },
	[GATE_NEED_CALLS] = { 0, "no such call was probed; framescope report says what was" },
	[GATE_NEED_FENCES] = { SOURCE_FENCES,
			       "no frame's fence was seen; fences of buffers take the probes of "
			       "their queue, which framescope doctor and probes tell of" },
	[GATE_NEED_HWUI] = { 0, "no frame of Android's HWUI was seen" },
	[GATE_NEED_FRAME_INFO] = { 0, "no frame of Android's HWUI has the FrameInfo that says it, "
				      "or its release's has not; marks in a trace never do" },
	[GATE_NEED_TIMELINE] = { 0, "no frame has a verdict of SurfaceFlinger's FrameTimeline, "
				    "which is in Perfetto's traces of Android 12 and later" },
	[GATE_NEED_TABLE] = { 0, "only a text of dumpsys gfxinfo has it, with its table of times" },
};

static const char *why_absent(const struct gate_run *run, const struct gate_metric *m)
{
	unsigned topic = needs[m->need].topic;
	const char *told = topic ? run->absent[__builtin_ctz(topic)] : NULL;

	if (run->dump && m->need != GATE_NEED_FRAMES && m->need != GATE_NEED_TABLE &&
	    m->need != GATE_NEED_FRAME_INFO)
		return "a text of dumpsys does not have it";
	return told ? told : needs[m->need].why;
}

/* A wait for a buffer is only known as one inside a probed call that takes one. */
static bool lacks_slots(const struct gate_producer *p, unsigned metric)
{
	const struct gate_metric *m = gate_metric_at(metric);

	return m->of && m->arg == BUDGET_SLOT && p->series[metric] && !p->series[metric]->max &&
	       !(p->seen & 1u << FS_ROLE_DEQUEUE);
}

const char *gate_metric_absent(const struct gate_run *run, const struct gate_producer *p,
			       unsigned metric)
{
	const struct gate_metric *m = gate_metric_at(metric);

	if (m->need == GATE_NEED_FRAMES && p->told_in_dump)
		return why_absent(run, m);
	/* Nothing was found there, but for want of a reason and not of a wait. */
	if (run->trace && m->need == GATE_NEED_REASONS && p->series[metric] &&
	    !p->series[metric]->max)
		return needs[m->need].why;
	if (lacks_slots(p, metric))
		return needs[GATE_NEED_CALLS].why;
	if (!gate_metric_has_series(m) || p->series[metric] || p->elsewhere[metric])
		return NULL;
	/* Those that all frames have may yet come to be, with more frames. */
	if (m->need == GATE_NEED_FRAMES ||
	    (m->need == GATE_NEED_TIMES && !p->counts[FRAME_COMPLETE]))
		return NULL;
	return why_absent(run, m);
}

static bool is_of(const struct gate_budget *b, const struct gate_producer *p)
{
	return gate_budget_is_of(b, p->name, p->window);
}

/* The producer was in a run before this one. */
static bool is_repeated(const struct gate_check *c, unsigned run, const char *name)
{
	for (unsigned i = 0; i < run; i++)
		if (gate_samples_find(c->runs[i].samples, name))
			return true;
	return false;
}

static int no_producer(const struct gate_check *c, const struct gate_budget *b, struct err *e)
{
	const char *names[NAMES_MAX + 1], *near;
	const struct gate_producer *p;
	unsigned nr = 0;

	for (unsigned run = 0; run < c->nr_runs; run++)
		for (unsigned i = 0;
		     nr < NAMES_MAX && (p = gate_samples_producer(c->runs[run].samples, i)); i++)
			names[nr++] = p->name;
	names[nr] = NULL;
	near = text_nearest(b->producer, names);
	err_set(e, -ENOENT, "budget '%s': no frame of a producer that matches '%s'", b->text,
		b->producer);
	if (near)
		return err_hint(e, "%s:%s", near, b->text);
	return err_hint(e, "framescope report %s, which names the producers", c->runs[0].path);
}

static int no_metric(const struct gate_budget *b, const struct gate_run *run, const char *producer,
		     const char *why, struct err *e)
{
	err_set(e, -ENODATA, "budget '%s': %s has no %s of %s: %s", b->text, run->path,
		gate_metric_at(b->metric)->name, producer, why);
	return err_hint(e, "framescope check --list-metrics %s, which says what it has", run->path);
}

/* Has any producer that the budget is of its metric in all of its runs? Else it is of none. */
static int check_metric(const struct gate_check *c, const struct gate_budget *b, struct err *e)
{
	const char *absent = NULL, *why, *name = NULL;
	const struct gate_run *without = NULL;
	bool matched = false, has = false;

	for (unsigned run = 0; run < c->nr_runs; run++) {
		const struct gate_producer *p;

		for (unsigned i = 0; (p = gate_samples_producer(c->runs[run].samples, i)); i++) {
			if (!is_of(b, p))
				continue;
			matched = true;
			why = gate_metric_absent(&c->runs[run], p, b->metric);
			has |= !why;
			if (!why || absent)
				continue;
			absent = why;
			without = &c->runs[run];
			name = p->name;
		}
	}
	if (!matched && b->producer)
		return no_producer(c, b, e);
	return has || !absent ? 0 : no_metric(b, without, name, absent, e);
}

/* A run without frames decides nothing, and is none of what is recorded again and again. */
static int check_runs(const struct gate_check *c, struct err *e)
{
	for (unsigned run = 0; run < c->nr_runs; run++) {
		const char *why = c->runs[run].absent[__builtin_ctz(SOURCE_FRAMES)];

		if (gate_samples_producer(c->runs[run].samples, 0))
			continue;
		err_set(e, -ENODATA, "%s has no frames%s%s", c->runs[run].path, why ? ": " : "",
			why ? why : "");
		return err_hint(e, "framescope report %s, which says what it may be",
				c->runs[run].path);
	}
	return 0;
}

static int estimate(struct gate_result *r, const struct gate_producer *const *runs, struct err *e)
{
	struct gate_estimate without;
	int err = gate_estimate(&r->estimate, runs, r->runs, r->budget, true);

	if (!err)
		err = gate_estimate(&without, runs, r->runs, r->budget, false);
	if (err)
		return err_errno(e, err, "cannot judge '%s'", r->budget->text);
	gate_judge(&r->verdict, r->budget, &r->estimate, &without);
	return 0;
}

/* A rate of what was only told of, too, takes a length of time that is not known. */
static bool lacks_time(const struct gate_budget *b, const struct gate_producer *p)
{
	return b->stat == GATE_RATE && p->told_in_dump;
}

/* One producer in all runs, and which of them have what a budget is of. */
struct in_runs {
	const struct gate_producer **all; /* NULL: it is not in that run */
	const struct gate_producer **having;
};

/*
 * One budget of one producer. Of one that has its metric in no run there is no result; it is wrong
 * if only some do: the runs are then not of the same thing.
 */
static int add_result(struct gate_check *c, const struct gate_budget *b, const char *name,
		      const struct in_runs *in, struct err *e)
{
	struct gate_result *r = &c->results[c->nr];
	const struct gate_run *without = NULL;
	const char *absent = NULL;
	bool timeless = false;

	*r = (struct gate_result){ .budget = b, .producer = name };
	for (unsigned i = 0; i < c->nr_runs; i++) {
		const struct gate_producer *p = in->all[i];
		const char *why = p ? gate_metric_absent(&c->runs[i], p, b->metric) : NULL;

		if (p && !why && lacks_time(b, p)) {
			timeless = true;
			why = needs[GATE_NEED_FRAMES].why;
		}
		if (why) {
			absent = why;
			without = &c->runs[i];
		} else if (p) {
			in->having[r->runs++] = p;
			r->truncated += p->counts[FRAME_TRUNCATED];
		}
	}
	if (absent && (r->runs || timeless))
		return no_metric(b, without, name, absent, e);
	return r->runs ? estimate(r, in->having, e) : 0;
}

/* One name may have another window in each run, and the budget be of one of these. */
static bool is_of_any(const struct gate_budget *b, const struct in_runs *in, unsigned nr)
{
	for (unsigned i = 0; i < nr; i++)
		if (in->all[i] && is_of(b, in->all[i]))
			return true;
	return false;
}

static int make_room(struct gate_check *c, unsigned more)
{
	struct gate_result *results = realloc(c->results, (c->nr + more + 1) * sizeof(*results));

	if (results)
		c->results = results;
	return results ? 0 : -ENOMEM;
}

static int add_results(struct gate_check *c, const struct gate_budgets *budgets,
		       const struct gate_producer *p, const struct in_runs *in,
		       struct gate_watch *watch, struct err *e)
{
	int rc = 0;

	for (unsigned i = 0; i < c->nr_runs; i++)
		in->all[i] = gate_samples_find(c->runs[i].samples, p->name);
	for (unsigned i = 0; i < budgets->nr && !rc; i++) {
		struct gate_result *r = &c->results[c->nr];

		if (!is_of_any(&budgets->all[i], in, c->nr_runs))
			continue;
		rc = add_result(c, &budgets->all[i], p->name, in, e);
		if (rc || !r->runs)
			continue;
		r->beyond = gate_watch_beyond(watch, p->name, i);
		c->counts[r->verdict.outcome]++;
		c->nr++;
	}
	return rc;
}

static int add_producer(struct gate_check *c, const struct gate_budgets *budgets,
			const struct gate_producer *p, struct gate_watch *watch, struct err *e)
{
	struct in_runs in = {
		.all = calloc(c->nr_runs, sizeof(struct gate_producer *)),
		.having = calloc(c->nr_runs, sizeof(struct gate_producer *)),
	};
	int rc;

	if (!in.all || !in.having || make_room(c, budgets->nr))
		rc = err_errno(e, -ENOMEM, "cannot judge %s", p->name);
	else
		rc = add_results(c, budgets, p, &in, watch, e);
	free(in.all);
	free(in.having);
	return rc;
}

/* What has decided nothing must not pass. */
static int check_results(const struct gate_check *c, const struct gate_budgets *budgets,
			 struct err *e)
{
	for (unsigned i = 0; i < budgets->nr; i++) {
		const struct gate_budget *b = &budgets->all[i];
		unsigned results = 0;

		for (unsigned r = 0; r < c->nr; r++)
			results += c->results[r].budget == b;
		if (!results)
			return err_set(e, -ENODATA, "budget '%s': it is of no producer here",
				       b->text);
	}
	return 0;
}

int gate_check_all(struct gate_check *c, const struct gate_budgets *budgets,
		   struct gate_watch *watch, struct err *e)
{
	int rc = check_runs(c, e);

	for (unsigned i = 0; i < budgets->nr && !rc; i++)
		rc = check_metric(c, &budgets->all[i], e);
	for (unsigned run = 0; run < c->nr_runs && !rc; run++) {
		const struct gate_producer *p;

		for (unsigned i = 0; !rc && (p = gate_samples_producer(c->runs[run].samples, i));
		     i++)
			if (!is_repeated(c, run, p->name))
				rc = add_producer(c, budgets, p, watch, e);
	}
	return rc ? rc : check_results(c, budgets, e);
}

void gate_check_free(struct gate_check *c)
{
	free(c->results);
	c->results = NULL;
	c->nr = 0;
}

enum gate_outcome gate_check_outcome(const struct gate_check *c)
{
	if (c->counts[GATE_FAIL])
		return GATE_FAIL;
	return c->counts[GATE_INCONCLUSIVE] ? GATE_INCONCLUSIVE : GATE_PASS;
}
