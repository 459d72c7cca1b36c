/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Contexts of fences: their names, what their containers hold, the timelines they belong to. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/fence_track.h"

/*
 * What the kernel's dma_fence_driver_name() and dma_fence_timeline_name() (from 6.17 on) and its
 * sync_file give for a fence that has signalled, when the driver must not be asked any more.
 */
static const char *const placeholders[] = {
	"detached-driver",   "driver-whose-fence-is-signaled",
	"signaled-driver",   "driver-signaled",
	"signaled-timeline", "signaled",
};

#define UNBOUND "unbound" /* dma_fence_array, dma_fence_chain, vgem: on no timeline */

static bool is_placeholder(const char *name)
{
	for (size_t i = 0; i < sizeof(placeholders) / sizeof(placeholders[0]); i++)
		if (!strcmp(name, placeholders[i]))
			return true;
	return !*name;
}

/* Padded with NUL, so that it can be a key. */
static void copy_name(char *dst, size_t len, const char *src)
{
	memset(dst, 0, len);
	if (!is_placeholder(src))
		memcpy(dst, src, strnlen(src, len - 1));
}

struct tracked_context *context_find(const struct fence_stats *s, uint64_t id)
{
	struct tracked_context *c;

	HASH_FIND(hh, s->contexts, &id, sizeof(id), c);
	return c;
}

/* Whatever it has counted is in its timeline: it can be forgotten. */
static bool is_idle(const struct tracked_context *c)
{
	if (c->tracked)
		return false;
	return c->acc ? c->acc->owner != c : c->given_up || !c->fences;
}

static void set_idle(struct fence_stats *s, struct tracked_context *c)
{
	bool idle = is_idle(c);

	if (idle == c->idle)
		return;
	if (idle)
		DL_APPEND(s->idle, c);
	else
		DL_DELETE(s->idle, c);
	c->idle = idle;
}

static void context_free(struct fence_stats *s, struct tracked_context *c)
{
	if (c->idle)
		DL_DELETE(s->idle, c);
	HASH_DEL(s->contexts, c);
	free(c);
}

int context_get(struct fence_stats *s, uint64_t id, struct tracked_context **out)
{
	*out = context_find(s, id);
	if (*out)
		return 0;
	if (HASH_COUNT(s->contexts) >= FENCE_CONTEXTS_MAX) {
		if (!s->idle) {
			s->losses.contexts++;
			return 0;
		}
		context_free(s, s->idle);
	}

	struct tracked_context *c = calloc(1, sizeof(*c));

	if (!c)
		return -ENOMEM;
	c->id = id;
	HASH_ADD(hh, s->contexts, id, sizeof(c->id), c);
	if (!c->hh.tbl) {
		free(c);
		return -ENOMEM;
	}
	set_idle(s, c);
	*out = c;
	return 0;
}

static void raise_max(uint64_t *max, uint64_t value)
{
	if (value > *max)
		*max = value;
}

void context_fence_begins(struct fence_stats *s, struct tracked_context *c)
{
	if (c->acc) {
		c->acc->sum.fences++;
		raise_max(&c->acc->sum.in_flight_max, ++c->acc->in_flight);
	} else {
		c->fences++;
		raise_max(&c->in_flight_max, ++c->in_flight);
	}
	set_idle(s, c);
}

void context_fence_ends(struct tracked_context *c)
{
	uint64_t *in_flight = c->acc ? &c->acc->in_flight : &c->in_flight;

	if (*in_flight)
		(*in_flight)--;
}

void context_hold(struct fence_stats *s, struct tracked_context *c)
{
	c->tracked++;
	set_idle(s, c);
}

void context_release(struct fence_stats *s, struct tracked_context *c)
{
	c->tracked--;
	set_idle(s, c);
}

static void acc_free(struct fence_acc *a)
{
	quantile_free(a->sum.emit_signal);
	quantile_free(a->sum.init_signal);
	quantile_free(a->sum.hardware);
	quantile_free(a->sum.gap);
	idmap_free(&a->victims);
	free(a);
}

/* *out is NULL if there are too many. */
static int acc_new(struct fence_stats *s, struct fence_acc **out)
{
	*out = NULL;
	if (s->nr_accs == FENCE_TIMELINES_MAX)
		return 0;
	if (s->nr_accs == s->room_accs) {
		size_t room = s->room_accs ? 2 * s->room_accs : 16;
		struct fence_acc **accs = realloc(s->accs, room * sizeof(void *));

		if (!accs)
			return -ENOMEM;
		s->accs = accs;
		s->room_accs = room;
	}
	*out = calloc(1, sizeof(**out));
	if (!*out)
		return -ENOMEM;
	s->accs[s->nr_accs++] = *out;
	return 0;
}

static int unbound_acc(struct fence_stats *s, const struct tracked_context *c,
		       struct fence_acc **out)
{
	struct fence_acc *a;

	HASH_FIND(hh, s->unbound, c->driver, sizeof(c->driver), a);
	*out = a;
	if (a)
		return 0;

	int err = acc_new(s, &a);

	if (err || !a)
		return err;
	memcpy(a->driver, c->driver, sizeof(a->driver));
	HASH_ADD(hh, s->unbound, driver, sizeof(a->driver), a);
	*out = a;
	return a->hh.tbl ? 0 : -ENOMEM;
}

static void add_member_name(struct member_names *of, const char *text)
{
	for (unsigned i = 0; i < of->nr; i++)
		if (!strcmp(of->text[i], text))
			return;
	if (of->nr == MEMBERS_NAMED)
		of->more = true;
	else
		snprintf(of->text[of->nr++], MEMBER_NAME_LEN, "%s", text);
}

static void add_member_names(struct member_names *of, const struct member_names *more)
{
	for (unsigned i = 0; i < more->nr; i++)
		add_member_name(of, more->text[i]);
	of->more |= more->more;
}

int context_attach(struct fence_stats *s, struct tracked_context *c)
{
	bool alone = strcmp(c->timeline, UNBOUND) != 0 || (s->has_single && s->single == c->id);
	struct fence_acc *a;

	if (c->acc || c->given_up)
		return 0;

	int err = alone ? acc_new(s, &a) : unbound_acc(s, c, &a);

	if (err)
		return err;
	if (a) {
		if (alone)
			a->owner = c;
		if (!a->sum.contexts++)
			a->sum.context = c->id;
		a->sum.fences += c->fences;
		a->in_flight += c->in_flight;
		raise_max(&a->sum.in_flight_max, a->in_flight);
		raise_max(&a->sum.in_flight_max, c->in_flight_max);
		add_member_names(&a->of, &c->of);
		c->acc = a;
	} else {
		c->given_up = true;
		s->losses.contexts++;
	}
	set_idle(s, c);
	return 0;
}

int context_named(struct fence_stats *s, struct tracked_context *c, const struct fs_fence_name *rec)
{
	/* A name that was asked for after the signal must not hide the one from before. */
	if (!*c->driver)
		copy_name(c->driver, sizeof(c->driver), rec->driver);
	if (!*c->timeline)
		copy_name(c->timeline, sizeof(c->timeline), rec->timeline);
	return *c->driver && *c->timeline ? context_attach(s, c) : 0;
}

static const char *or_unknown(const char *name)
{
	return *name ? name : "?";
}

void context_holds(struct tracked_context *c, const struct tracked_context *member)
{
	char text[MEMBER_NAME_LEN];

	c->container = true;
	if (!*member->driver && !*member->timeline)
		return;
	snprintf(text, sizeof(text), "%.*s/%s", FS_DRIVER_LEN, or_unknown(member->driver),
		 or_unknown(member->timeline));
	add_member_name(&c->of, text);
	if (c->acc)
		add_member_name(&c->acc->of, text);
}

bool context_is_container(const struct tracked_context *c)
{
	return c->container || !strcmp(c->driver, "dma_fence_array") ||
	       !strcmp(c->driver, "dma_fence_chain");
}

static void full_name(struct fence_name *name, const char *driver, const char *timeline,
		      const struct member_names *of)
{
	size_t used;

	snprintf(name->driver, sizeof(name->driver), "%s", driver);
	if (!of->nr || (*timeline && strcmp(timeline, UNBOUND) != 0)) {
		snprintf(name->timeline, sizeof(name->timeline), "%s", timeline);
		return;
	}
	used = (size_t)snprintf(name->timeline, sizeof(name->timeline), "of %s", of->text[0]);
	for (unsigned i = 1; i < of->nr; i++)
		used += (size_t)snprintf(name->timeline + used, sizeof(name->timeline) - used,
					 ", %s", of->text[i]);
	if (of->more)
		snprintf(name->timeline + used, sizeof(name->timeline) - used, ", ...");
}

void context_name(const struct tracked_context *c, struct fence_name *name)
{
	full_name(name, c->driver, c->timeline, &c->of);
}

/* The most fences first, then the order of contexts, which is that of their making. */
static int by_size(const void *pa, const void *pb)
{
	const struct fence_timeline *a = &(*(const struct fence_acc *const *)pa)->sum;
	const struct fence_timeline *b = &(*(const struct fence_acc *const *)pb)->sum;

	if (a->fences != b->fences)
		return a->fences > b->fences ? -1 : 1;
	return (a->context > b->context) - (a->context < b->context);
}

int contexts_finish(struct fence_stats *s)
{
	size_t kept = 0;

	for (struct tracked_context *c = s->contexts; c; c = c->hh.next) {
		int err = c->fences ? context_attach(s, c) : 0;

		if (err)
			return err;
	}
	HASH_CLEAR(hh, s->unbound);
	for (size_t i = 0; i < s->nr_accs; i++) {
		struct fence_acc *a = s->accs[i];

		if (!a->sum.fences) {
			acc_free(a);
			continue;
		}
		if (a->owner)
			full_name(&a->sum.name, a->owner->driver, a->owner->timeline, &a->of);
		else
			full_name(&a->sum.name, a->driver, UNBOUND, &a->of);
		a->sum.victims = a->victims.nr;
		s->accs[kept++] = a;
	}
	s->nr_accs = kept;
	if (kept > 1)
		qsort(s->accs, kept, sizeof(void *), by_size);
	return 0;
}

void contexts_free(struct fence_stats *s)
{
	struct tracked_context *c, *next;

	HASH_CLEAR(hh, s->unbound);
	for (size_t i = 0; i < s->nr_accs; i++)
		acc_free(s->accs[i]);
	free(s->accs);
	for (c = s->contexts; c; c = next) {
		next = c->hh.next;
		context_free(s, c);
	}
}
