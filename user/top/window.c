// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Adds up the frames of an interval, and keeps those of the next ones. */
#include "top/window.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/idmap.h"
#include "base/quantile.h"
#include "model/fences.h"
#include "model/tally.h"
#include "output/words.h"

#define TIMELINES_NR 8 /* that a producer waited for in an interval; of more, the first */
#define WAITS_NR 16 /* last waits for fences, for the frames that they lie in */

/* Time that was waited for fences of a context; in `frame`, if it is of one. */
struct fence_time {
	uint64_t context;
	uint64_t frame;
	uint64_t ns;
};

struct entry {
	const struct producer *producer;
	uint64_t prev_end_ns; /* of the frame before; 0: none came */
	uint64_t prev_number;
	uint64_t last_swap_ns; /* the last end that was one; 0: not known */
	uint64_t median_ns; /* of the frames of the last interval that had some; 0: none had */
	struct fence_time waits[WAITS_NR];
	unsigned next_wait;
	struct slow_frame slow[TOP_SLOW];
	unsigned nr_slow, next_slow;

	/* Of the interval: */
	uint64_t frames, left_out, late, judged, janky;
	uint64_t swaps, swaps_ns; /* behind another one, and the time from one to the next */
	uint64_t idle_ns; /* from its swap before to the first, if a whole interval lay between */
	struct quantile *interval, *wall;
	struct budget budget;
	struct tally reasons;
	struct fence_time timelines[TIMELINES_NR];
	unsigned nr_timelines;
};

struct ahead {
	struct ahead *next;
	struct frame frame;
};

struct window {
	uint64_t start_ns; /* of the first interval */
	uint64_t from_ns, to_ns; /* the interval */
	uint64_t interval_ns;
	uint64_t lost, lost_before;
	uint64_t dropped;
	bool fences_seen;
	uint32_t kept;
	struct entry *entries[TOP_PRODUCERS]; /* in order of appearance */
	unsigned nr;
	struct idmap by_id;
	struct ahead *first, **last; /* in order of arrival */
	unsigned nr_ahead;
};

void snapshot_free(struct snapshot *s)
{
	free(s->figures);
	*s = (struct snapshot){ 0 };
}

struct window *window_new(uint64_t start_ns, uint64_t interval_ns)
{
	struct window *w = calloc(1, sizeof(*w));

	if (!w)
		return NULL;
	w->start_ns = w->from_ns = start_ns;
	w->to_ns = start_ns + interval_ns;
	w->interval_ns = interval_ns;
	w->last = &w->first;
	return w;
}

/* Forget the interval. */
static void entry_reset(struct entry *e)
{
	quantile_free(e->interval);
	quantile_free(e->wall);
	tally_free(&e->reasons);
	e->interval = NULL;
	e->wall = NULL;
	e->reasons.itemize = true;
	e->budget = (struct budget){ 0 };
	e->frames = e->left_out = e->late = e->judged = e->janky = 0;
	e->swaps = e->swaps_ns = e->idle_ns = 0;
	e->nr_timelines = 0;
}

static void entry_free(struct entry *e)
{
	entry_reset(e);
	free(e);
}

void window_free(struct window *w)
{
	if (!w)
		return;
	for (unsigned i = 0; i < w->nr; i++)
		entry_free(w->entries[i]);
	while (w->first) {
		struct ahead *a = w->first;

		w->first = a->next;
		free(a);
	}
	idmap_free(&w->by_id);
	free(w);
}

static void forget(struct window *w, unsigned index)
{
	struct entry *e = w->entries[index];

	idmap_remove(&w->by_id, e->producer->id);
	entry_free(e);
	w->nr--;
	memmove(w->entries + index, w->entries + index + 1,
		(w->nr - index) * sizeof(struct entry *));
}

/* Forget the one that has made no frame for longest, if that is not in this interval. */
static void make_place(struct window *w)
{
	unsigned found = w->nr;

	for (unsigned i = 0; i < w->nr; i++) {
		const struct entry *e = w->entries[i];

		if (e->frames || e->producer->id == w->kept)
			continue;
		if (found == w->nr || e->prev_end_ns < w->entries[found]->prev_end_ns)
			found = i;
	}
	if (found < w->nr)
		forget(w, found);
}

/* *out is NULL if there are too many. */
static int get_entry(struct window *w, const struct producer *p, struct entry **out)
{
	struct entry *e = idmap_get(&w->by_id, p->id);
	int err;

	*out = e;
	if (e)
		return 0;
	if (w->nr == TOP_PRODUCERS)
		make_place(w);
	if (w->nr == TOP_PRODUCERS)
		return 0;
	e = calloc(1, sizeof(*e));
	if (!e)
		return -ENOMEM;
	e->producer = p;
	entry_reset(e);
	err = idmap_put(&w->by_id, p->id, e);
	if (err) {
		entry_free(e);
		return err;
	}
	w->entries[w->nr++] = e;
	*out = e;
	return 0;
}

void window_fence_wait(struct window *w, const struct fence_wait *wait)
{
	struct entry *e = idmap_get(&w->by_id, wait->producer);
	struct fence_time t = { .context = wait->fence.context, .frame = wait->frame };
	uint64_t end = wait->wake_ns ? wait->wake_ns : wait->end_ns;
	unsigned i = 0;

	if (!e || end <= wait->start_ns)
		return;
	t.ns = end - wait->start_ns;
	e->waits[e->next_wait++ % WAITS_NR] = t;
	while (i < e->nr_timelines && e->timelines[i].context != t.context)
		i++;
	if (i == TIMELINES_NR)
		return;
	if (i == e->nr_timelines)
		e->timelines[e->nr_timelines++] = (struct fence_time){ .context = t.context };
	e->timelines[i].ns += t.ns;
}

void window_fences_seen(struct window *w)
{
	w->fences_seen = true;
}

void window_lost(struct window *w, uint64_t lost)
{
	w->lost = lost;
}

void window_keep(struct window *w, uint32_t producer)
{
	w->kept = producer;
}

/* As in a report: unless the frame before is known to have ended where this one begins, an end is
 * missing. */
static bool follows(const struct entry *e, const struct frame *f)
{
	if (!e->prev_end_ns || f->end_ns < e->prev_end_ns)
		return false;
	if (f->hwui.kind == FRAME_PLAIN)
		return f->start_ns == e->prev_end_ns;
	return f->number == e->prev_number + 1;
}

static bool is_slow(const struct entry *e, const struct frame *f)
{
	uint64_t wall = f->end_ns - f->start_ns;

	if (f->status != FRAME_COMPLETE)
		return false;
	if (f->verdict.hwui.known)
		return f->verdict.hwui.janky;
	return e->median_ns && wall / TOP_SLOW_PERCENT > e->median_ns / 100;
}

/* The context of the fences that the frame waited for longest; false: none is known. */
static bool frame_fence(const struct entry *e, const struct frame *f, uint64_t *context)
{
	uint64_t most = 0;

	for (unsigned i = 0; i < WAITS_NR; i++) {
		const struct fence_time *t = &e->waits[i];

		if (t->frame != f->number || t->ns <= most)
			continue;
		most = t->ns;
		*context = t->context;
	}
	return most;
}

static void note_slow(struct entry *e, const struct model *m, const struct frame *f)
{
	struct slow_frame *s = &e->slow[e->next_slow++ % TOP_SLOW];
	uint64_t context, ns;

	e->nr_slow += e->nr_slow < TOP_SLOW;
	s->number = f->number;
	s->end_ns = f->end_ns;
	s->wall_ns = f->end_ns - f->start_ns;
	words_frame(s->why, sizeof(s->why), f);
	if (frame_top_cause(f, &ns) != BUDGET_FENCE || !frame_fence(e, f, &context))
		return;

	struct fence_name name;
	char timeline[WORDS_LEN];

	model_fence_name(m, context, &name);
	words_timeline(timeline, sizeof(timeline), &name);
	if (*timeline)
		words_append(s->why, sizeof(s->why), ", a fence of %s", timeline);
}

static int add_time(struct quantile **q, uint64_t ns)
{
	if (!*q)
		*q = quantile_new();
	return *q ? quantile_add(*q, ns) : -ENOMEM;
}

static int add_complete(struct entry *e, const struct frame *f)
{
	const struct budget *way = frame_way(f);
	int err = add_time(&e->wall, f->end_ns - f->start_ns);

	if (!err && follows(e, f))
		err = add_time(&e->interval, f->end_ns - e->prev_end_ns);
	for (unsigned i = 0; i < BUDGET_NR; i++)
		e->budget.ns[i] += way->ns[i];
	for (unsigned i = 0; i < f->nr_blockers; i++)
		tally_add(&e->reasons, &f->blockers[i], f->blockers[i].ns);
	e->judged += f->verdict.hwui.known && f->verdict.hwui.counted;
	e->janky += f->verdict.hwui.known && f->verdict.hwui.counted && f->verdict.hwui.janky;
	return err;
}

/* A frame of this interval, or (late) of one before. */
static int take(struct window *w, const struct model *m, const struct frame *f)
{
	bool late = f->end_ns <= w->from_ns;
	struct entry *e;
	int err = get_entry(w, f->producer, &e);

	if (err)
		return err;
	if (!e) {
		w->dropped++;
		return 0;
	}
	if (f->hwui.kind == FRAME_SKIPPED) {
		/* No end is missing there. */
		e->prev_number += f->number == e->prev_number + 1;
		return 0;
	}
	/* A frame begins where one ended, but for the first. */
	if (!e->last_swap_ns && f->number > 1 && f->hwui.kind == FRAME_PLAIN)
		e->last_swap_ns = f->start_ns;
	if (f->status != FRAME_TRUNCATED) {
		if (!late && e->last_swap_ns && f->end_ns > e->last_swap_ns) {
			uint64_t gap = f->end_ns - e->last_swap_ns;

			if (e->last_swap_ns + w->interval_ns < w->from_ns) {
				e->idle_ns = gap;
			} else {
				e->swaps++;
				e->swaps_ns += gap;
			}
		}
		e->last_swap_ns = f->end_ns;
	}
	if (late) {
		/* What was before all intervals is missed in none. */
		e->late += f->end_ns > w->start_ns;
	} else {
		e->frames++;
		e->left_out += f->status != FRAME_COMPLETE;
		if (f->status == FRAME_COMPLETE)
			err = add_complete(e, f);
	}
	if (is_slow(e, f))
		note_slow(e, m, f);
	e->prev_end_ns = f->end_ns;
	e->prev_number = f->number;
	return err;
}

static int put_ahead(struct window *w, const struct frame *f)
{
	struct ahead *a;

	if (w->nr_ahead == TOP_AHEAD) {
		w->dropped++;
		return 0;
	}
	a = malloc(sizeof(*a));
	if (!a)
		return -ENOMEM;
	a->next = NULL;
	a->frame = *f;
	*w->last = a;
	w->last = &a->next;
	w->nr_ahead++;
	return 0;
}

int window_frame(struct window *w, const struct model *m, const struct frame *f)
{
	return f->end_ns > w->to_ns ? put_ahead(w, f) : take(w, m, f);
}

/* Take those that wait and ended in the interval. */
static int take_ahead(struct window *w, const struct model *m)
{
	struct ahead **at = &w->first;
	int err = 0;

	while (*at) {
		struct ahead *a = *at;

		if (a->frame.end_ns > w->to_ns || err) {
			at = &a->next;
			continue;
		}
		err = take(w, m, &a->frame);
		*at = a->next;
		w->nr_ahead--;
		free(a);
	}
	w->last = at;
	return err;
}

static void fill_slow(struct figures *f, const struct entry *e)
{
	f->nr_slow = e->nr_slow;
	for (unsigned i = 0; i < e->nr_slow; i++)
		f->slow[i] = e->slow[(e->next_slow - 1 - i) % TOP_SLOW];
}

static void fill_blocker(struct figures *f, struct entry *e, const struct model *m)
{
	const struct fence_time *most = NULL;

	if (!e->reasons.nr)
		return;
	blockers_sort(e->reasons.blockers, e->reasons.nr);
	f->has_blocker = true;
	f->blocker = e->reasons.blockers[0];
	for (unsigned i = 0; i < e->nr_timelines; i++)
		if (!most || e->timelines[i].ns > most->ns)
			most = &e->timelines[i];
	if (f->blocker.cause == BUDGET_FENCE && most)
		model_fence_name(m, most->context, &f->fence);
}

static void fill(struct figures *f, struct entry *e, const struct model *m)
{
	*f = (struct figures){
		.producer = e->producer,
		.frames = e->frames,
		.left_out = e->left_out,
		.late = e->late,
		.judged = e->judged,
		.janky = e->janky,
		.budget = e->budget,
		.last_end_ns = e->prev_end_ns,
		.has_rate = e->swaps_ns || e->idle_ns || !e->frames,
		.has_interval = e->interval,
	};
	if (e->swaps_ns)
		f->rate_mhz = (uint64_t)((double)e->swaps * 1e12 / (double)e->swaps_ns + 0.5);
	else if (e->idle_ns)
		f->rate_mhz = (uint64_t)(1e12 / (double)e->idle_ns + 0.5);
	if (e->interval) {
		f->p50_ns = quantile_at(e->interval, 500);
		f->p95_ns = quantile_at(e->interval, 950);
		f->p99_ns = quantile_at(e->interval, 990);
	}
	fill_blocker(f, e, m);
	fill_slow(f, e);
}

/* Fences in flight by the process that made them, and all of them. */
static int count_fences(struct snapshot *s, const struct model *m)
{
	struct idmap by_pid = { 0 };
	int err = 0;

	for (unsigned i = s->nr; i > 0 && !err; i--)
		err = idmap_put(&by_pid, s->figures[i - 1].producer->pid, &s->figures[i - 1]);
	for (const struct fence *f = model_fences_in_flight(m); f && !err; f = f->next) {
		uint32_t pid = f->has_init ? model_thread_pid(m, f->init_tid) : 0;
		struct figures *of = idmap_get(&by_pid, pid);

		s->fences_in_flight++;
		if (of)
			of->in_flight++;
	}
	for (unsigned i = 0; i < s->nr && !err; i++) {
		const struct figures *of = idmap_get(&by_pid, s->figures[i].producer->pid);

		if (of)
			s->figures[i].in_flight = of->in_flight;
	}
	idmap_free(&by_pid);
	return err;
}

static int make_room(struct snapshot *s, unsigned nr)
{
	struct figures *figures;

	if (nr <= s->room)
		return 0;
	figures = realloc(s->figures, nr * sizeof(*figures));
	if (!figures)
		return -ENOMEM;
	s->figures = figures;
	s->room = nr;
	return 0;
}

static void forget_idle(struct window *w, const struct model *m)
{
	for (unsigned i = w->nr; i > 0; i--) {
		const struct entry *e = w->entries[i - 1];
		const struct producer *p = e->producer;
		bool gone = p->render_tid && !model_thread_pid(m, p->render_tid);
		uint64_t patience = gone ? TOP_GONE_NS : TOP_IDLE_NS;

		if (p->id != w->kept && e->prev_end_ns + patience < w->from_ns)
			forget(w, i - 1);
	}
}

static void next_interval(struct window *w, const struct model *m)
{
	for (unsigned i = 0; i < w->nr; i++) {
		struct entry *e = w->entries[i];

		if (e->wall)
			e->median_ns = quantile_at(e->wall, 500);
		entry_reset(e);
	}
	w->lost_before = w->lost;
	w->from_ns = w->to_ns;
	w->to_ns += w->interval_ns;
	forget_idle(w, m);
}

static int close_at(struct window *w, const struct model *m, uint64_t to_ns, struct snapshot *s)
{
	int err;

	w->to_ns = to_ns;
	err = take_ahead(w, m);
	if (!err)
		err = make_room(s, w->nr);
	if (err)
		return err;
	s->from_ns = w->from_ns;
	s->to_ns = w->to_ns;
	s->has_fences = w->fences_seen;
	s->fences_in_flight = 0;
	s->lost = w->lost - w->lost_before;
	s->lost_before = w->lost_before;
	s->dropped = w->dropped;
	s->nr = w->nr;
	for (unsigned i = 0; i < w->nr; i++)
		fill(&s->figures[i], w->entries[i], m);
	err = count_fences(s, m);
	next_interval(w, m);
	/* Some may have ended within the one that begins. */
	return err ? err : take_ahead(w, m);
}

int window_close(struct window *w, const struct model *m, uint64_t settled_ns, struct snapshot *s)
{
	int err;

	if (settled_ns < w->to_ns)
		return 0;
	err = close_at(w, m, settled_ns - w->to_ns >= w->interval_ns ? settled_ns : w->to_ns, s);
	return err ? err : 1;
}

int window_finish(struct window *w, const struct model *m, uint64_t end_ns, struct snapshot *s)
{
	int err;

	if (end_ns <= w->from_ns)
		return 0;
	err = close_at(w, m, end_ns, s);
	return err ? err : 1;
}
