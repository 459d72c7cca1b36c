/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Fences: a track per timeline, a slice per fence from its submission to its signal, and how many
 * are in flight. Fences that are on no timeline, with a context each, share their driver's track.
 */
#include "export/perfetto.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/fence_name.h"

#define CONTEXTS_MAX 65536
#define FENCE_TEXT_LEN 48

/* What the track of the context's timeline is called. */
static void name_timeline(struct perfetto *o, uint64_t context, char *key, size_t len)
{
	struct fence_name name;

	model_fence_name(o->x->model, context, &name);
	if (o->nr_timelines >= TIMELINES_MAX)
		snprintf(key, len, "further timelines");
	else if (!strncmp(name.timeline, FENCE_UNBOUND, strlen(FENCE_UNBOUND)))
		snprintf(key, len, "%s/%s", name.driver, name.timeline);
	else if (*name.driver || *name.timeline)
		snprintf(key, len, "%s/%s (context %" PRIu64 ")", name.driver, name.timeline,
			 context);
	else
		snprintf(key, len, "context %" PRIu64, context);
}

static struct out_timeline *get_timeline(struct perfetto *o, uint64_t context)
{
	char key[sizeof(((struct out_timeline *)0)->key)];
	struct out_timeline *t;

	name_timeline(o, context, key, sizeof(key));
	HASH_FIND_STR(o->timelines, key, t);
	if (t)
		return t;
	t = calloc(1, sizeof(*t));
	if (!t)
		return NULL;
	memcpy(t->key, key, sizeof(key));
	HASH_ADD_STR(o->timelines, key, t);
	if (!t->hh.tbl) {
		free(t);
		return NULL;
	}
	o->nr_timelines++;
	return t;
}

struct out_timeline *perfetto_timeline(struct perfetto *o, uint64_t context)
{
	struct out_timeline *t;
	struct out_context *c;

	HASH_FIND(hh, o->contexts, &context, sizeof(context), c);
	if (c)
		return c->timeline;
	t = get_timeline(o, context);
	/* Too many to remember where each belongs: that is looked up again. */
	if (!t || o->nr_contexts >= CONTEXTS_MAX)
		return t;
	c = calloc(1, sizeof(*c));
	if (!c)
		return NULL;
	c->id = context;
	c->timeline = t;
	HASH_ADD(hh, o->contexts, id, sizeof(c->id), c);
	if (!c->hh.tbl) {
		free(c);
		return NULL;
	}
	o->nr_contexts++;
	return t;
}

void perfetto_fences_free(struct perfetto *o)
{
	struct out_timeline *t, *next_t;
	struct out_context *c, *next_c;

	HASH_ITER (hh, o->contexts, c, next_c) {
		HASH_DEL(o->contexts, c);
		free(c);
	}
	HASH_ITER (hh, o->timelines, t, next_t) {
		HASH_DEL(o->timelines, t);
		lanes_free(&t->fences);
		lanes_free(&t->signals);
		free(t);
	}
}

static void put_in_flight(struct perfetto *o, struct out_timeline *t, int step)
{
	char name[sizeof(t->key) + 24];

	if (!t->counter) {
		snprintf(name, sizeof(name), "%s in flight", t->key);
		t->counter = track_new(&o->tracks, TRACK_FENCES, name, 2, COUNTER_COUNT);
	}
	t->in_flight += step;
	event_begin(o->packets, PERFETTO__TRACK_EVENT__TYPE__TYPE_COUNTER, o->now_ns, t->counter);
	event_counter(o->packets, t->in_flight);
	event_end(o->packets);
}

int perfetto_fence_begun(struct perfetto *o, const struct fence *f)
{
	struct out_timeline *t = perfetto_timeline(o, f->id.context);

	if (!t)
		return -ENOMEM;
	put_in_flight(o, t, 1);
	return 0;
}

static void put_notes(struct packets *p, const struct fence *f)
{
	note_uint(p, "context", f->id.context);
	note_uint(p, "seqno", f->id.seqno);
	if (!f->signal_ns)
		note_uint(p, "unsignaled", 1);
	if (f->has_hardware)
		note_uint(p, "hardware_ns", f->hardware_ns);
	if (f->error)
		note_uint(p, "error", f->error);
	if (*f->submitter)
		note_string(p, "submitter", f->submitter, strnlen(f->submitter, FS_COMM_LEN));
	if (f->init_tid)
		note_uint(p, "submitter_tid", f->init_tid);
	if (f->signaller_tid)
		note_uint(p, "signaller_tid", f->signaller_tid);
}

static void put_slice(struct perfetto *o, struct out_timeline *t, const struct fence *f,
		      uint64_t from, uint64_t to)
{
	const struct lane_place place = { .parent = TRACK_FENCES, .name = t->key, .rank = 0 };
	struct packets *p = o->packets;
	uint64_t track, started;
	char name[FENCE_TEXT_LEN];

	track = lanes_take_any(&o->tracks, &t->fences, &place, &from, &to);
	if (!track)
		return;
	snprintf(name, sizeof(name), "fence %" PRIu64, f->id.seqno);
	event_begin(p, PERFETTO__TRACK_EVENT__TYPE__TYPE_SLICE_BEGIN, from, track);
	event_category(p, "fence");
	event_name_once(p, name);
	put_notes(p, f);
	event_end(p);
	started = f->has_hardware && f->hardware_ns <= to ? to - f->hardware_ns : 0;
	if (started && started >= from) {
		event_begin(p, PERFETTO__TRACK_EVENT__TYPE__TYPE_INSTANT, started, track);
		event_category(p, "fence");
		event_name(p, "hardware start");
		event_end(p);
	}
	event_begin(p, PERFETTO__TRACK_EVENT__TYPE__TYPE_SLICE_END, to, track);
	event_end(p);
}

int perfetto_fence_ended(struct perfetto *o, const struct fence *f, enum fence_end how)
{
	struct out_timeline *t = perfetto_timeline(o, f->id.context);
	uint64_t submitted;

	if (!t)
		return -ENOMEM;
	put_in_flight(o, t, -1);
	if (!fence_submitted(f, &submitted))
		return 0;
	if (how == FENCE_END_SIGNALED && submitted <= f->signal_ns)
		put_slice(o, t, f, submitted, f->signal_ns);
	else if (how == FENCE_END_DESTROYED && submitted <= o->now_ns)
		put_slice(o, t, f, submitted, o->now_ns);
	return 0;
}

int perfetto_fence_left(struct perfetto *o, const struct fence *f)
{
	struct out_timeline *t = perfetto_timeline(o, f->id.context);
	uint64_t submitted;

	if (!t)
		return -ENOMEM;
	if (fence_submitted(f, &submitted) && submitted <= o->now_ns)
		put_slice(o, t, f, submitted, o->now_ns);
	return 0;
}
