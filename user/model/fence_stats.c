// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Watches the lives of the model's fences, and gives each to the account of its timeline. */
#include "model/fence_stats.h"

#include <errno.h>
#include <stdlib.h>

#include "model/fence_account.h"
#include "model/thread.h"

static int assign(struct fence_stats *s, struct fence_context *c)
{
	return fence_accounts_assign(&s->accounts, &s->model->fences, c);
}

static void begun(void *ctx, const struct fence *f)
{
	(void)ctx;
	if (f->context->account)
		fence_account_begin(f->context->account);
}

static void drop_waiters(struct fence *f)
{
	free(f->waiters);
	f->waiters = NULL;
}

static int signaled(struct fence_stats *s, struct fence *f, bool timed)
{
	int err = assign(s, f->context);

	drop_waiters(f);
	if (err)
		return err;
	f->context->account->sum.signaled++;
	return timed ? fence_account_signal(f->context->account, f) : 0;
}

static int ended(void *ctx, struct fence *f, enum fence_end how)
{
	int err = 0;

	if (how == FENCE_END_SIGNALED || how == FENCE_END_TOLD)
		err = signaled(ctx, f, how == FENCE_END_SIGNALED);
	if (f->context->account && f->place == PLACE_IN_FLIGHT)
		f->context->account->in_flight--;
	return err;
}

static int forgotten(void *ctx, struct fence *f)
{
	drop_waiters(f);
	/* What its context has counted goes with it, unless it is in some account. */
	return f->context->fences && f->context->tracked == 1 ? assign(ctx, f->context) : 0;
}

static int named(void *ctx, struct fence_context *c)
{
	return assign(ctx, c);
}

static void holds(void *ctx, struct fence_context *c, const char *member)
{
	(void)ctx;
	if (c->account)
		member_names_add(&c->account->of, member);
}

static int waited(void *ctx, struct fence_id id, uint32_t pid, uint32_t tid, const char *comm)
{
	struct fence_stats *s = ctx;
	struct fence_context *c = fence_context_find(&s->model->fences, id.context);
	struct fence *f = fences_find(&s->model->fences, id);
	int err = 0;

	/* A context that is known by a descriptor only, all of whose fences were over, has none. */
	if (c && c->fences)
		err = assign(s, c);
	if (!err && c && c->account)
		err = fence_account_victim(c->account, pid);
	if (err || !f || !tid || f->place == PLACE_DONE)
		return err;
	return fence_add_waiter(f, pid, tid, comm);
}

struct fence_stats *fence_stats_new(struct model *m)
{
	struct fence_stats *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	s->model = m;
	s->observer = (struct fence_observer){
		.ctx = s,
		.begun = begun,
		.ended = ended,
		.forgotten = forgotten,
		.named = named,
		.holds = holds,
		.waited = waited,
	};
	m->fences.observer = &s->observer;
	return s;
}

void fence_stats_free(struct fence_stats *s)
{
	struct fences *t;

	if (!s)
		return;
	t = &s->model->fences;
	t->observer = NULL;
	for (unsigned place = 0; place < PLACE_NR; place++)
		for (struct fence *f = t->places[place]; f; f = f->next)
			drop_waiters(f);
	fence_accounts_free(&s->accounts);
	free(s->unsignaled);
	free(s);
}

void fence_stats_single(struct fence_stats *s, uint64_t context)
{
	s->accounts.has_single = true;
	s->accounts.single = context;
}

int fence_stats_wait(struct fence_stats *s, const struct fence_wait *w)
{
	int err = waited(s, w->fence, w->pid, w->tid, w->comm);

	if (!err && w->in_container)
		err = waited(s, w->container, w->pid, w->tid, w->comm);
	return err;
}

int fence_stats_finish(struct fence_stats *s)
{
	struct fences *t = &s->model->fences;

	for (struct fence_context *c = t->contexts; c; c = c->hh.next) {
		int err = c->fences ? assign(s, c) : 0;

		if (err)
			return err;
	}
	fence_accounts_finish(&s->accounts);
	s->losses = (struct fence_losses){
		.fences = t->given_up[PLACE_IN_FLIGHT],
		.destroyed = t->given_up[PLACE_DESTROYED],
		.contexts = s->accounts.rest.sum.contexts,
	};
	return fence_stats_list_unsignaled(s);
}

const struct fence_timeline *fence_stats_timeline(const struct fence_stats *s, size_t i)
{
	return i < s->accounts.nr ? &s->accounts.all[i]->sum : NULL;
}

const struct fence_losses *fence_stats_losses(const struct fence_stats *s)
{
	return &s->losses;
}
