// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Fences that never signalled: who waited, and whether anything still moves on their timeline. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/fence_account.h"
#include "model/thread.h"

const char *fence_fate_name(enum fence_fate f)
{
	static const char *const names[FENCE_FATE_NR] = {
		[FENCE_PENDING] = "pending",
		[FENCE_DESTROYED] = "destroyed",
		[FENCE_UNUSED] = "unused",
	};

	return (unsigned)f < FENCE_FATE_NR ? names[f] : "?";
}

const char *fence_motion_name(enum fence_motion m)
{
	static const char *const names[FENCE_MOTION_NR] = {
		[FENCE_MOTION_UNKNOWN] = "",
		[FENCE_MOVING] = "moving",
		[FENCE_DEAD] = "dead",
	};

	return (unsigned)m < FENCE_MOTION_NR ? names[m] : "?";
}

int fence_add_waiter(struct fence *f, uint32_t pid, uint32_t tid, const char *comm)
{
	struct fence_waiters *w = f->waiters;
	struct fence_waiter *at = NULL;

	if (!w)
		w = f->waiters = calloc(1, sizeof(*w));
	if (!w)
		return -ENOMEM;
	for (unsigned i = 0; i < w->nr && !at; i++)
		if (w->list[i].tid == tid)
			at = &w->list[i];
	if (!at && w->nr == FENCE_WAITERS_MAX) {
		w->more = true;
		return 0;
	}
	if (!at) {
		at = &w->list[w->nr++];
		at->tid = tid;
	}
	if (pid)
		at->pid = pid;
	if (*comm)
		snprintf(at->comm, sizeof(at->comm), "%s", comm);
	return 0;
}

static enum fence_fate fate(const struct fence *f)
{
	if (f->place == PLACE_IN_FLIGHT)
		return FENCE_PENDING;
	if (fence_context_is_container(f->context) && !f->enabled && !f->waiters)
		return FENCE_UNUSED;
	return FENCE_DESTROYED;
}

/* The unused last; the others by age. */
static int by_age(const void *pa, const void *pb)
{
	const struct fence *a = *(const struct fence *const *)pa;
	const struct fence *b = *(const struct fence *const *)pb;
	bool unused_a = fate(a) == FENCE_UNUSED, unused_b = fate(b) == FENCE_UNUSED;

	if (unused_a != unused_b)
		return unused_a ? 1 : -1;
	if (a->first_ns != b->first_ns)
		return a->first_ns < b->first_ns ? -1 : 1;
	if (a->id.context != b->id.context)
		return a->id.context < b->id.context ? -1 : 1;
	return (a->id.seqno > b->id.seqno) - (a->id.seqno < b->id.seqno);
}

int fence_stats_list_unsignaled(struct fence_stats *s)
{
	static const enum fence_place places[] = { PLACE_DESTROYED, PLACE_IN_FLIGHT };
	const struct fences *t = &s->model->fences;
	size_t nr = t->nr_placed[PLACE_DESTROYED] + t->nr_placed[PLACE_IN_FLIGHT];

	if (!nr)
		return 0;
	s->unsignaled = calloc(nr, sizeof(void *));
	if (!s->unsignaled)
		return -ENOMEM;
	for (size_t i = 0; i < 2; i++) {
		for (const struct fence *f = t->places[places[i]]; f; f = f->next) {
			s->unsignaled[s->nr_unsignaled++] = f;
			f->context->account->sum.unsignaled += fate(f) != FENCE_UNUSED;
		}
	}
	qsort(s->unsignaled, nr, sizeof(void *), by_age);
	return 0;
}

/*
 * Does the context signal without this fence? Nothing is said of a container, whose own context
 * says nothing about its members', of one that is on no timeline, or on one without a name, which
 * may be none, and of a fence that is younger than others have grown.
 */
static enum fence_motion motion(const struct fence_stats *s, const struct fence *f, uint64_t age_ns)
{
	const struct fence_context *c = f->context;
	uint64_t since = f->first_ns;
	bool born = fence_submitted(f, &since);

	if (c->signaled &&
	    (c->last_signal_ns > since || seqno_is_later(c->last_seqno, f->id.seqno)))
		return FENCE_MOVING;
	if (!born || fence_context_is_container(c) || !*c->timeline ||
	    !strcmp(c->timeline, FENCE_UNBOUND) || s->model->stats.last_loss_ns >= since)
		return FENCE_MOTION_UNKNOWN;
	return age_ns <= c->account->longest_ns ? FENCE_MOTION_UNKNOWN : FENCE_DEAD;
}

static unsigned count_victims(const struct fence_waiters *w)
{
	unsigned victims = 0;

	for (unsigned i = 0; i < w->nr; i++) {
		bool first = w->list[i].pid != 0;

		for (unsigned j = 0; j < i && first; j++)
			first = w->list[j].pid != w->list[i].pid;
		victims += first;
	}
	return victims;
}

bool fence_stats_unsignaled(const struct fence_stats *s, size_t i, struct fence_unsignaled *u)
{
	if (i >= s->nr_unsignaled)
		return false;

	const struct fence *f = s->unsignaled[i];
	uint64_t end = f->place == PLACE_IN_FLIGHT ? model_end_ns(s->model) : f->end_ns;
	uint64_t since = 0;

	*u = (struct fence_unsignaled){ .id = f->id, .fate = fate(f) };
	/* As the timelines are called. */
	if (f->context->account->owner)
		fence_context_name(f->context, &u->name);
	else
		u->name = f->context->account->sum.name;
	u->submitter_tid = f->has_init ? f->init_tid : 0;
	u->submitter = f->submitter;
	u->born = fence_submitted(f, &since) && since <= end;
	if (u->born)
		u->age_ns = end - since;
	u->motion = motion(s, f, u->age_ns);
	if (f->waiters) {
		u->waiters = f->waiters->list;
		u->nr_waiters = f->waiters->nr;
		u->victims = count_victims(f->waiters);
		u->more = f->waiters->more;
	}
	return true;
}
