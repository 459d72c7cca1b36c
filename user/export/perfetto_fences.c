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

#include "model/fence_context.h"

#define CONTEXTS_MAX 65536
#define FENCE_TEXT_LEN 48

/* Also what holds fences, whose name says of which timelines those are. */
static bool on_no_timeline(const struct fence_name *name)
{
	return !strncmp(name->timeline, FENCE_UNBOUND, strlen(FENCE_UNBOUND)) ||
	       !strncmp(name->timeline, "of ", 3);
}

/* "driver/timeline", as `fences` prints it; empty if neither is known. */
static void join_name(char *text, const struct fence_name *name)
{
	*text = '\0';
	if (*name->driver || *name->timeline)
		snprintf(text, TIMELINE_NAME_LEN, "%s/%s", *name->driver ? name->driver : "-",
			 *name->timeline ? name->timeline : "-");
}

static struct out_timeline *add_timeline(struct perfetto *o, const char *key)
{
	struct out_timeline *t = calloc(1, sizeof(*t));

	if (!t)
		return NULL;
	snprintf(t->key, sizeof(t->key), "%s", key);
	HASH_ADD_STR(o->timelines, key, t);
	if (!t->hh.tbl) {
		free(t);
		return NULL;
	}
	o->nr_timelines++;
	return t;
}

static struct out_timeline *get_timeline(struct perfetto *o, uint64_t context,
					 const struct fence_name *name)
{
	char key[TIMELINE_NAME_LEN], text[TIMELINE_NAME_LEN];
	bool further = o->nr_timelines >= TIMELINES_MAX, shared = further || on_no_timeline(name);
	struct out_timeline *t;

	join_name(text, name);
	if (further)
		snprintf(text, sizeof(text), "further timelines");
	if (shared)
		memcpy(key, text, sizeof(key));
	else
		snprintf(key, sizeof(key), "context %" PRIu64, context);
	HASH_FIND_STR(o->timelines, key, t);
	if (t)
		return t;
	t = add_timeline(o, key);
	if (!t)
		return NULL;
	t->shared = shared;
	t->context = context;
	memcpy(t->name, text, sizeof(t->name));
	memcpy(t->described, *text ? text : key, sizeof(t->described));
	return t;
}

/* NULL if memory has run out, or if there are too many to remember where each belongs. */
static struct out_context *get_context(struct perfetto *o, uint64_t id)
{
	struct out_context *c;

	HASH_FIND(hh, o->contexts, &id, sizeof(id), c);
	if (c || o->nr_contexts >= CONTEXTS_MAX)
		return c;
	c = calloc(1, sizeof(*c));
	if (!c)
		return NULL;
	c->id = id;
	HASH_ADD(hh, o->contexts, id, sizeof(c->id), c);
	if (!c->hh.tbl) {
		free(c);
		return NULL;
	}
	o->nr_contexts++;
	return c;
}

static void put_in_flight(struct perfetto *o, struct out_timeline *t, uint64_t ns, int step)
{
	char name[TIMELINE_NAME_LEN + 24];

	if (!t->counter) {
		snprintf(name, sizeof(name), "%s in flight", t->described);
		t->counter = track_new(&o->tracks, TRACK_FENCES, name, 2, COUNTER_COUNT);
	}
	/* Of several contexts with one track, one may be late with its beginning. */
	t->counted_ns = ns > t->counted_ns ? ns : t->counted_ns;
	t->in_flight += step;
	event_begin(o->packets, PERFETTO__TRACK_EVENT__TYPE__TYPE_COUNTER, t->counted_ns,
		    t->counter);
	event_counter(o->packets, t->in_flight);
	event_end(o->packets);
}

/* The context's timeline, whatever its name is; what was put off until then is done. */
static struct out_timeline *timeline_of(struct perfetto *o, struct out_context *c, uint64_t context,
					const struct fence_name *name)
{
	struct out_timeline *t = c && c->timeline ? c->timeline : get_timeline(o, context, name);

	if (t && c && !c->timeline) {
		c->timeline = t;
		if (c->begun_ns)
			put_in_flight(o, t, c->begun_ns, 1);
	}
	if (t && !t->shared && !*t->name)
		join_name(t->name, name);
	return t;
}

struct out_timeline *perfetto_timeline(struct perfetto *o, uint64_t context)
{
	struct out_context *c = get_context(o, context);
	struct fence_name name;

	if (c && c->timeline)
		return c->timeline;
	model_fence_name(o->x->model, context, &name);
	return timeline_of(o, c, context, &name);
}

static struct out_timeline *timeline_of_fence(struct perfetto *o, const struct fence *f)
{
	struct out_context *c = get_context(o, f->id.context);
	struct fence_name name;

	if (c && c->timeline && *c->timeline->name)
		return c->timeline;
	fence_context_name(f->context, &name);
	return timeline_of(o, c, f->id.context, &name);
}

static int by_name(const struct out_timeline *a, const struct out_timeline *b)
{
	return strcmp(a->name, b->name);
}

static void describe_again(struct perfetto *o, struct out_timeline *t, const char *name)
{
	char text[TIMELINE_NAME_LEN + 48];
	struct lane_place place = { .parent = TRACK_FENCES, .name = name };

	if (!strcmp(t->described, name))
		return;
	lanes_rename(&o->tracks, &t->fences, &place);
	place.name = text;
	place.rank = 1;
	snprintf(text, sizeof(text), "%s signals", name);
	lanes_rename(&o->tracks, &t->signals, &place);
	snprintf(text, sizeof(text), "%s in flight", name);
	if (t->counter)
		track_rename(&o->tracks, t->counter, TRACK_FENCES, text, 2, COUNTER_COUNT);
}

/* Names are often known later than the first fences, and only now which of them are the same. */
void perfetto_fences_end(struct perfetto *o)
{
	const struct out_timeline *before = NULL, *after;
	char name[TIMELINE_NAME_LEN + 32];
	struct fence_name last;

	for (struct out_timeline *t = o->timelines; t; t = t->hh.next) {
		if (t->shared || *t->name)
			continue;
		model_fence_name(o->x->model, t->context, &last);
		join_name(t->name, &last);
	}
	HASH_SRT(hh, o->timelines, by_name);
	for (struct out_timeline *t = o->timelines; t; before = t, t = t->hh.next) {
		after = t->hh.next;
		if (!*t->name || t->shared)
			continue;
		if ((before && !by_name(before, t)) || (after && !by_name(t, after)))
			snprintf(name, sizeof(name), "%s (context %" PRIu64 ")", t->name,
				 t->context);
		else
			snprintf(name, sizeof(name), "%s", t->name);
		describe_again(o, t, name);
	}
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

int perfetto_fence_begun(struct perfetto *o, const struct fence *f)
{
	struct out_context *c = get_context(o, f->id.context);
	struct out_timeline *t;

	/* The name comes next: it says whether the track is one that several share. */
	if (c && !c->timeline && !c->begun_ns && !*f->context->driver && !*f->context->timeline) {
		c->begun_ns = o->now_ns;
		if (c->begun_ns)
			return 0;
	}
	t = timeline_of_fence(o, f);
	if (!t)
		return -ENOMEM;
	put_in_flight(o, t, o->now_ns, 1);
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
	const struct lane_place place = { .parent = TRACK_FENCES, .name = t->described, .rank = 0 };
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
	struct out_timeline *t = timeline_of_fence(o, f);
	uint64_t submitted;

	if (!t)
		return -ENOMEM;
	put_in_flight(o, t, o->now_ns, -1);
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
	struct out_timeline *t = timeline_of_fence(o, f);
	uint64_t submitted;

	if (!t)
		return -ENOMEM;
	if (fence_submitted(f, &submitted) && submitted <= o->now_ns)
		put_slice(o, t, f, submitted, o->now_ns);
	return 0;
}
