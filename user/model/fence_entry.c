// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The entries of the table of fences, each in one place, where there is room for so many. */
#include "model/fence_entry.h"

#include <errno.h>
#include <stdlib.h>

#include <utlist.h>

#include "model/fence_context.h"

static const size_t place_max[PLACE_NR] = {
	[PLACE_IN_FLIGHT] = FENCES_IN_FLIGHT_MAX,
	[PLACE_DONE] = FENCES_DONE_MAX,
	[PLACE_DESTROYED] = FENCES_DESTROYED_MAX,
};

/* Every record about a fence searches for it. Two products: uthash's own takes fifty steps. */
static unsigned hash_of(struct fence_id id)
{
	uint64_t mixed = (id.seqno ^ id.context * UINT64_C(0x9e3779b97f4a7c15)) *
			 UINT64_C(0xd6e8feb86659fd93);

	return (unsigned)(mixed >> 32);
}

struct fence *fences_find(const struct fences *t, struct fence_id id)
{
	struct fence *f;

	HASH_FIND_BYHASHVALUE(hh, t->by_id, &id, sizeof(id), hash_of(id), f);
	return f;
}

static int add_to_hash(struct fences *t, struct fence *f)
{
	HASH_ADD_BYHASHVALUE(hh, t->by_id, id, sizeof(f->id), hash_of(f->id), f);
	f->hashed = f->hh.tbl != NULL;
	return f->hashed ? 0 : -ENOMEM;
}

void fence_displace(struct fences *t, struct fence *f)
{
	if (f->hashed)
		HASH_DEL(t->by_id, f);
	f->hashed = false;
}

static void leave_place(struct fences *t, struct fence *f)
{
	DL_DELETE(t->places[f->place], f);
	t->nr_placed[f->place]--;
}

static int tell_end(struct fences *t, struct fence *f, enum fence_end how)
{
	int err = t->observer ? t->observer->ended(t->observer->ctx, f, how) : 0;

	if (f->place == PLACE_IN_FLIGHT)
		fence_context_end(f->context);
	return err;
}

static void entry_free(struct fences *t, struct fence *f)
{
	leave_place(t, f);
	fence_displace(t, f);
	if (f->signal_cpu < FENCE_CPUS && t->last_signal[f->signal_cpu] == f)
		t->last_signal[f->signal_cpu] = NULL;
	fence_context_release(t, f->context);
	free(f);
}

static int forget(struct fences *t, struct fence *f)
{
	int ended = 0, forgotten = 0;

	if (f->place == PLACE_IN_FLIGHT)
		ended = tell_end(t, f, FENCE_END_GIVEN_UP);
	if (t->observer)
		forgotten = t->observer->forgotten(t->observer->ctx, f);
	entry_free(t, f);
	return ended ? ended : forgotten;
}

/* Past the limit the oldest goes. */
static int enter_place(struct fences *t, struct fence *f, enum fence_place place)
{
	int err = 0;

	if (t->nr_placed[place] == place_max[place]) {
		t->given_up[place]++;
		err = forget(t, t->places[place]);
	}
	f->place = place;
	DL_APPEND(t->places[place], f);
	t->nr_placed[place]++;
	return err;
}

static void begin(struct fences *t, struct fence *f)
{
	fence_context_begin(f->context);
	if (t->observer)
		t->observer->begun(t->observer->ctx, f);
}

int fence_new(struct fences *t, struct fence_id id, uint64_t now_ns, enum fence_place place,
	      struct fence **out)
{
	struct fence_context *c;
	int err = fence_context_get(t, id.context, &c);

	*out = NULL;
	if (err)
		return err;

	struct fence *f = calloc(1, sizeof(*f));

	if (!f)
		return -ENOMEM;
	f->id = id;
	f->context = c;
	f->first_ns = now_ns;
	f->signal_cpu = FS_CPU_NONE;
	err = add_to_hash(t, f);
	if (err) {
		free(f);
		return err;
	}
	fence_context_hold(t, c);
	err = enter_place(t, f, place);
	if (place == PLACE_IN_FLIGHT)
		begin(t, f);
	*out = f;
	return err;
}

int fence_get(struct fences *t, struct fence_id id, uint64_t now_ns, struct fence **out)
{
	*out = fences_find(t, id);
	if (*out && !(*out)->closed)
		return 0;
	if (*out)
		fence_displace(t, *out);
	return fence_new(t, id, now_ns, PLACE_IN_FLIGHT, out);
}

int fence_renumber(struct fences *t, struct fence *f, uint64_t seqno)
{
	fence_displace(t, f);
	f->id.seqno = seqno;

	int err = add_to_hash(t, f);

	if (err)
		forget(t, f);
	return err;
}

int fence_end(struct fences *t, struct fence *f, enum fence_end how, uint64_t end_ns)
{
	enum fence_place place = how == FENCE_END_DESTROYED ? PLACE_DESTROYED : PLACE_DONE;
	int err = tell_end(t, f, how);

	leave_place(t, f);
	f->end_ns = end_ns;

	int room = enter_place(t, f, place);

	return err ? err : room;
}

void fences_free(struct fences *t)
{
	for (unsigned place = 0; place < PLACE_NR; place++)
		while (t->places[place])
			entry_free(t, t->places[place]);
	fence_contexts_free(t);
}
