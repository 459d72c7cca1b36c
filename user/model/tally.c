/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Adds up a budget and its blockers. */
#include "model/tally.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_ROOM 8

/* Are these the same reason? */
static bool blocker_same(const struct blocker *a, const struct blocker *b)
{
	return a->cause == b->cause && a->peer_tid == b->peer_tid && a->fd == b->fd &&
	       a->call == b->call && a->file == b->file && a->context == b->context &&
	       a->peer_tgid == b->peer_tgid && a->timed_out == b->timed_out &&
	       a->blocked == b->blocked;
}

/* No room for one more: give up the shortest, if that is shorter than `ns`. */
static struct blocker *replace_shortest(struct tally *t, const struct blocker *b, uint64_t ns)
{
	struct blocker *shortest = &t->blockers[0];

	for (unsigned i = 1; i < t->nr; i++) {
		if (t->blockers[i].ns < shortest->ns)
			shortest = &t->blockers[i];
	}
	if (shortest->ns >= ns)
		return NULL;
	t->rest_ns += shortest->ns;
	*shortest = *b;
	shortest->ns = 0;
	shortest->count = 0;
	return shortest;
}

static struct blocker *find_or_add(struct tally *t, const struct blocker *b, uint64_t ns)
{
	for (unsigned i = 0; i < t->nr; i++) {
		if (blocker_same(&t->blockers[i], b))
			return &t->blockers[i];
	}
	if (t->nr == t->room) {
		if (t->room == TALLY_BLOCKERS)
			return replace_shortest(t, b, ns);

		uint16_t room = t->room ? t->room * 2 : FIRST_ROOM;
		struct blocker *blockers = realloc(t->blockers, room * sizeof(*blockers));

		if (!blockers)
			return NULL;
		t->blockers = blockers;
		t->room = room;
	}

	struct blocker *added = &t->blockers[t->nr++];

	*added = *b;
	added->ns = 0;
	added->count = 0;
	return added;
}

void tally_add(struct tally *t, const struct blocker *b, uint64_t ns)
{
	t->budget.ns[b->cause] += ns;
	if (b->cause == BUDGET_UNKNOWN && b->blocked)
		t->unknown_wait_ns += ns;

	struct blocker *into = t->itemize ? find_or_add(t, b, ns) : NULL;

	if (!into) {
		t->rest_ns += ns;
		return;
	}
	into->ns += ns;
	into->count++;
	if (b->confidence < into->confidence)
		into->confidence = b->confidence;
}

void tally_copy(struct tally *dst, const struct tally *src)
{
	*dst = *src;
	if (!src->room)
		return;
	dst->blockers = malloc(src->room * sizeof(*dst->blockers));
	if (dst->blockers) {
		memcpy(dst->blockers, src->blockers, src->nr * sizeof(*dst->blockers));
		return;
	}
	for (unsigned i = 0; i < src->nr; i++)
		dst->rest_ns += src->blockers[i].ns;
	dst->nr = 0;
	dst->room = 0;
}

void tally_free(struct tally *t)
{
	free(t->blockers);
	*t = (struct tally){ 0 };
}

static int compare(const void *pa, const void *pb)
{
	const struct blocker *a = pa, *b = pb;

	if (a->ns != b->ns)
		return a->ns < b->ns ? 1 : -1;
	if (a->cause != b->cause)
		return a->cause > b->cause ? 1 : -1;
	if (a->peer_tid != b->peer_tid)
		return a->peer_tid > b->peer_tid ? 1 : -1;
	if (a->fd != b->fd)
		return a->fd > b->fd ? 1 : -1;
	if (a->call != b->call)
		return a->call > b->call ? 1 : -1;
	if (a->file != b->file)
		return a->file > b->file ? 1 : -1;
	if (a->context != b->context)
		return a->context > b->context ? 1 : -1;
	if (a->peer_tgid != b->peer_tgid)
		return a->peer_tgid > b->peer_tgid ? 1 : -1;
	if (a->timed_out != b->timed_out)
		return a->timed_out - b->timed_out;
	return a->blocked - b->blocked;
}

const struct blocker *blockers_find(const struct blocker *blockers, unsigned nr,
				    enum budget_part cause)
{
	for (unsigned i = 0; i < nr; i++) {
		if (blockers[i].cause == cause)
			return &blockers[i];
	}
	return NULL;
}

void blockers_sort(struct blocker *blockers, unsigned nr)
{
	if (nr > 1)
		qsort(blockers, nr, sizeof(*blockers), compare);
}

void frame_take_blockers(struct frame *f, struct tally *t)
{
	blockers_sort(t->blockers, t->nr);
	f->nr_blockers = 0;
	f->blockers_rest_ns = t->rest_ns;
	f->unknown_wait_ns = t->unknown_wait_ns;
	for (unsigned i = 0; i < t->nr; i++) {
		if (i < FRAME_BLOCKERS)
			f->blockers[f->nr_blockers++] = t->blockers[i];
		else
			f->blockers_rest_ns += t->blockers[i].ns;
	}
}
