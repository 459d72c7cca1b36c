/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The fences that are remembered: those in flight, and the last ones that ended. */
#include "model/fence_track.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const size_t place_max[PLACE_NR] = {
	[PLACE_IN_FLIGHT] = FENCES_IN_FLIGHT_MAX,
	[PLACE_DONE] = FENCES_DONE_MAX,
	[PLACE_DESTROYED] = FENCES_DESTROYED_MAX,
};

struct tracked_fence *fence_find(const struct fence_stats *s, struct fence_id id)
{
	struct tracked_fence *f;

	HASH_FIND(hh, s->fences, &id, sizeof(id), f);
	return f;
}

static int add_to_hash(struct fence_stats *s, struct tracked_fence *f)
{
	HASH_ADD(hh, s->fences, id, sizeof(f->id), f);
	f->hashed = f->hh.tbl != NULL;
	return f->hashed ? 0 : -ENOMEM;
}

void fence_displace(struct fence_stats *s, struct tracked_fence *f)
{
	if (f->hashed)
		HASH_DEL(s->fences, f);
	f->hashed = false;
}

static void leave_place(struct fence_stats *s, struct tracked_fence *f)
{
	DL_DELETE(s->places[f->place], f);
	s->nr_placed[f->place]--;
}

/* Past the limit the oldest goes. */
static void enter_place(struct fence_stats *s, struct tracked_fence *f, enum fence_place place)
{
	if (s->nr_placed[place] == place_max[place]) {
		s->losses.fences += place == PLACE_IN_FLIGHT;
		s->losses.destroyed += place == PLACE_DESTROYED;
		fence_forget(s, s->places[place]);
	}
	f->place = place;
	DL_APPEND(s->places[place], f);
	s->nr_placed[place]++;
}

void fence_forget(struct fence_stats *s, struct tracked_fence *f)
{
	if (f->place == PLACE_IN_FLIGHT)
		context_fence_ends(f->context);
	leave_place(s, f);
	fence_displace(s, f);
	context_release(s, f->context);
	free(f->waiters);
	free(f);
}

int fence_get(struct fence_stats *s, struct fence_id id, uint64_t now_ns,
	      struct tracked_fence **out)
{
	struct tracked_context *c;

	*out = fence_find(s, id);
	if (*out)
		return 0;

	int err = context_get(s, id.context, &c);

	if (err || !c)
		return err;

	struct tracked_fence *f = calloc(1, sizeof(*f));

	if (!f)
		return -ENOMEM;
	f->id = id;
	f->context = c;
	f->first_ns = now_ns;
	err = add_to_hash(s, f);
	if (err) {
		free(f);
		return err;
	}
	/* Held first: making room may free what is idle. */
	context_hold(s, c);
	enter_place(s, f, PLACE_IN_FLIGHT);
	context_fence_begins(s, c);
	*out = f;
	return 0;
}

int fence_renumber(struct fence_stats *s, struct tracked_fence *f, uint64_t seqno)
{
	fence_displace(s, f);
	f->id.seqno = seqno;

	int err = add_to_hash(s, f);

	if (err)
		fence_forget(s, f);
	return err;
}

void fence_end(struct fence_stats *s, struct tracked_fence *f, enum fence_place place,
	       uint64_t end_ns)
{
	if (f->place == PLACE_IN_FLIGHT)
		context_fence_ends(f->context);
	leave_place(s, f);
	f->end_ns = end_ns;
	if (place == PLACE_DONE) {
		free(f->waiters);
		f->waiters = NULL;
	}
	enter_place(s, f, place);
}

int fence_waited(struct tracked_fence *f, uint32_t pid, uint32_t tid, const char *comm)
{
	if (f->place == PLACE_DONE)
		return 0;
	if (!f->waiters) {
		f->waiters = calloc(1, sizeof(*f->waiters));
		if (!f->waiters)
			return -ENOMEM;
	}

	struct waiter_list *w = f->waiters;
	struct fence_waiter *at = NULL;

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

void tracked_fences_free(struct fence_stats *s)
{
	for (unsigned place = 0; place < PLACE_NR; place++)
		while (s->places[place])
			fence_forget(s, s->places[place]);
}
