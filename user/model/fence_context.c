// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The contexts in the table of fences. */
#include "model/fence_context.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <utlist.h>

struct fence_context *fence_context_find(const struct fences *t, uint64_t id)
{
	struct fence_context *c;

	HASH_FIND(hh, t->contexts, &id, sizeof(id), c);
	return c;
}

static void context_free(struct fences *t, struct fence_context *c)
{
	HASH_DEL(t->contexts, c);
	free(c->members);
	free(c);
}

static void leave_idle(struct fences *t, struct fence_context *c)
{
	DL_DELETE(t->idle, c);
	t->nr_idle--;
	c->idle = false;
}

/* May free another one, never `c`. */
static void set_idle(struct fences *t, struct fence_context *c)
{
	bool idle = !c->tracked && !c->kept;

	if (idle == c->idle)
		return;
	if (!idle) {
		leave_idle(t, c);
		return;
	}
	if (t->nr_idle == FENCE_CONTEXTS_IDLE_MAX) {
		struct fence_context *oldest = t->idle;

		leave_idle(t, oldest);
		context_free(t, oldest);
	}
	DL_APPEND(t->idle, c);
	t->nr_idle++;
	c->idle = true;
}

int fence_context_get(struct fences *t, uint64_t id, struct fence_context **out)
{
	struct fence_context *c = fence_context_find(t, id);

	*out = c;
	if (c)
		return 0;
	c = calloc(1, sizeof(*c));
	if (!c)
		return -ENOMEM;
	c->id = id;
	HASH_ADD(hh, t->contexts, id, sizeof(c->id), c);
	if (!c->hh.tbl) {
		free(c);
		return -ENOMEM;
	}
	set_idle(t, c);
	*out = c;
	return 0;
}

void fence_context_hold(struct fences *t, struct fence_context *c)
{
	c->tracked++;
	set_idle(t, c);
}

void fence_context_release(struct fences *t, struct fence_context *c)
{
	c->tracked--;
	set_idle(t, c);
}

void fence_context_keep(struct fences *t, struct fence_context *c)
{
	c->kept = true;
	set_idle(t, c);
}

void fence_context_begin(struct fence_context *c)
{
	c->fences++;
	if (++c->in_flight > c->in_flight_max)
		c->in_flight_max = c->in_flight;
}

void fence_context_end(struct fence_context *c)
{
	c->in_flight--;
}

void fence_context_signaled(struct fence_context *c, uint64_t seqno, uint64_t at)
{
	if (!c->signaled || at > c->last_signal_ns)
		c->last_signal_ns = at;
	if (!c->signaled || seqno_is_later(seqno, c->last_seqno))
		c->last_seqno = seqno;
	c->signaled = true;
}

void fence_context_named(struct fence_context *c, const struct fs_fence_name *rec)
{
	/* A name that was asked for after the signal must not hide the one from before. */
	if (!*c->driver)
		fence_name_copy(c->driver, sizeof(c->driver), rec->driver);
	if (!*c->timeline)
		fence_name_copy(c->timeline, sizeof(c->timeline), rec->timeline);
}

int fence_context_holds(struct fence_context *c, const struct fence_context *member,
			char name[MEMBER_NAME_LEN])
{
	*name = '\0';
	c->container = true;
	if (!member || !fence_name_pair(name, member->driver, member->timeline))
		return 0;
	if (!c->members)
		c->members = calloc(1, sizeof(*c->members));
	if (!c->members)
		return -ENOMEM;
	member_names_add(c->members, name);
	return 0;
}

bool fence_context_is_container(const struct fence_context *c)
{
	return c->container || !strcmp(c->driver, "dma_fence_array") ||
	       !strcmp(c->driver, "dma_fence_chain");
}

void fence_context_name(const struct fence_context *c, struct fence_name *name)
{
	fence_name_make(name, c->driver, c->timeline, c->members);
}

void fence_contexts_free(struct fences *t)
{
	struct fence_context *c, *next;

	for (c = t->contexts; c; c = next) {
		next = c->hh.next;
		context_free(t, c);
	}
	t->idle = NULL;
	t->nr_idle = 0;
}
