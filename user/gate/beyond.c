/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Keeps what is to be said of frames beyond a limit, as they pass by. */
#include "gate/beyond.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/idmap.h"
#include "base/text.h"

struct watched {
	char name[GATE_NAME_LEN];
	struct gate_beyond **by_budget; /* NULL: none was */
};

struct gate_watch {
	const struct gate_budgets *budgets;
	unsigned interval; /* which metric that is */
	unsigned run;
	struct watched **all; /* by name: the same in all runs */
	unsigned nr;
	struct idmap by_id; /* of this run */
};

struct gate_watch *gate_watch_new(const struct gate_budgets *budgets)
{
	struct gate_watch *w = calloc(1, sizeof(*w));

	if (!w)
		return NULL;
	w->budgets = budgets;
	w->interval =
		(unsigned)gate_metric_find(GATE_METRIC_INTERVAL, sizeof(GATE_METRIC_INTERVAL) - 1);
	return w;
}

static void watched_free(struct gate_watch *w, struct watched *p)
{
	for (unsigned i = 0; p->by_budget && i < w->budgets->nr; i++) {
		if (p->by_budget[i])
			tally_free(&p->by_budget[i]->waits);
		free(p->by_budget[i]);
	}
	free(p->by_budget);
	free(p);
}

void gate_watch_free(struct gate_watch *w)
{
	if (!w)
		return;
	for (unsigned i = 0; i < w->nr; i++)
		watched_free(w, w->all[i]);
	free(w->all);
	idmap_free(&w->by_id);
	free(w);
}

void gate_watch_next_run(struct gate_watch *w)
{
	idmap_free(&w->by_id);
	w->by_id = (struct idmap){ 0 };
	w->run++;
}

bool gate_budget_is_of(const struct gate_budget *b, const char *producer, const char *window)
{
	return !b->producer || text_matches(b->producer, producer) ||
	       (window && text_matches(b->producer, window));
}

static struct watched *find(const struct gate_watch *w, const char *name)
{
	for (unsigned i = 0; i < w->nr; i++)
		if (!strcmp(w->all[i]->name, name))
			return w->all[i];
	return NULL;
}

static struct watched *watched_new(struct gate_watch *w, const char *name)
{
	struct watched *p = calloc(1, sizeof(*p)), **all;

	if (!p)
		return NULL;
	p->by_budget = calloc(w->budgets->nr + 1, sizeof(struct gate_beyond *));
	all = realloc(w->all, (w->nr + 1) * sizeof(struct watched *));
	if (all)
		w->all = all;
	if (!p->by_budget || !all) {
		watched_free(w, p);
		return NULL;
	}
	snprintf(p->name, sizeof(p->name), "%s", name);
	w->all[w->nr++] = p;
	return p;
}

/* As the samples do, which have refused what are too many of them. */
static struct watched *get(struct gate_watch *w, const struct producer *of)
{
	struct watched *p = idmap_get(&w->by_id, of->id);
	char name[GATE_NAME_LEN];

	if (p)
		return p;
	text_escape(name, sizeof(name), of->name, sizeof(of->name));
	p = find(w, name);
	if (!p)
		p = watched_new(w, name);
	return p && !idmap_put(&w->by_id, of->id, p) ? p : NULL;
}

/* What the budget's limit is held against in one frame; false: in none of them. */
static bool value_of(const struct gate_watch *w, const struct gate_budget *b, const struct frame *f,
		     uint64_t interval_ns, int64_t *value)
{
	const struct gate_metric *m = gate_metric_at(b->metric);

	if (b->metric == w->interval || m->form == GATE_FPS) {
		*value = (int64_t)interval_ns;
		return interval_ns != 0;
	}
	return m->read && m->read(m, f, value);
}

/* Of a share of time, a frame whose own is beyond. */
static bool is_duration_beyond(const struct gate_budget *b, const struct frame *f, int64_t value)
{
	uint64_t wall = f->end_ns - f->start_ns;

	if (b->quantity == GATE_PART)
		return wall && !gate_budget_allows(b, (double)value / (double)wall);
	return b->quantity == GATE_NS && !gate_budget_allows(b, (double)value);
}

static bool is_beyond(const struct gate_budget *b, const struct frame *f, int64_t value)
{
	switch (gate_metric_at(b->metric)->form) {
	case GATE_YES_NO:
		return gate_budget_is_ceiling(b) ? value != 0 : value == 0;
	case GATE_FPS:
		return !gate_budget_allows(b, 1e9 / (double)value);
	case GATE_DURATION:
		return is_duration_beyond(b, f, value);
	default:
		return false;
	}
}

/* Further from what is allowed than the worst so far? Of a rate, `value` is what it is 1 by. */
static bool is_worse(const struct gate_budget *b, const struct gate_beyond *to, int64_t value)
{
	enum gate_form form = gate_metric_at(b->metric)->form;
	bool ceiling = gate_budget_is_ceiling(b);
	bool low = (form == GATE_DURATION && !ceiling) || (form == GATE_FPS && ceiling);

	return !to->frames || (low ? value < to->worst_value : value > to->worst_value);
}

static void take(struct gate_beyond *to, const struct gate_watch *w, const struct gate_budget *b,
		 const struct frame *f, int64_t value)
{
	const struct gate_metric *m = gate_metric_at(b->metric);
	const struct blocker *blocker;
	enum budget_part cause;
	uint64_t ns;

	if (m->form == GATE_YES_NO)
		value = (int64_t)(f->end_ns - f->start_ns);
	if (is_worse(b, to, value)) {
		to->worst = f->number;
		to->run = w->run;
		to->worst_value = value;
		*to->worst_why = '\0';
		if (!f->dumped || frame_is_told(f))
			words_why(to->worst_why, sizeof(to->worst_why), f);
	}
	to->frames++;
	cause = frame_top_cause(f, &ns);
	/* Of a budget of one cause it is that. */
	if (m->of)
		cause = (enum budget_part)m->arg;
	if (f->dumped || !ns)
		return;
	to->known++;
	to->causes[cause]++;
	blocker = frame_top_blocker(f, cause);
	if (blocker)
		tally_add(&to->waits, blocker, blocker->ns);
}

int gate_watch_add(struct gate_watch *w, const struct frame *f, uint64_t interval_ns)
{
	struct watched *p;
	int64_t value;

	if (f->status != FRAME_COMPLETE || f->hwui.kind == FRAME_SKIPPED)
		return 0;
	p = get(w, f->producer);
	if (!p)
		return -ENOMEM;
	for (unsigned i = 0; i < w->budgets->nr; i++) {
		const struct gate_budget *b = &w->budgets->all[i];

		/* Of any producer: a later run may have the window that a budget is of. */
		if (!value_of(w, b, f, interval_ns, &value) || !is_beyond(b, f, value))
			continue;
		if (!p->by_budget[i]) {
			p->by_budget[i] = calloc(1, sizeof(struct gate_beyond));
			if (!p->by_budget[i])
				return -ENOMEM;
			p->by_budget[i]->waits.itemize = true;
		}
		take(p->by_budget[i], w, b, f, value);
	}
	return 0;
}

struct gate_beyond *gate_watch_beyond(struct gate_watch *w, const char *producer, unsigned budget)
{
	struct watched *p = find(w, producer);
	struct gate_beyond *b = p ? p->by_budget[budget] : NULL;

	if (b)
		blockers_sort(b->waits.blockers, b->waits.nr);
	return b;
}

enum budget_part gate_beyond_cause(const struct gate_beyond *b)
{
	unsigned top = BUDGET_RUNNABLE;

	if (!b->known)
		return BUDGET_NR;
	/* Of equals a wait says more than that it ran. */
	for (unsigned i = 0; i < BUDGET_NR; i++)
		if (b->causes[i] > b->causes[top])
			top = i;
	return (enum budget_part)top;
}

const struct blocker *gate_beyond_blocker(const struct gate_beyond *b, enum budget_part cause)
{
	return blockers_find(b->waits.blockers, b->waits.nr, cause);
}
