// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* One account per timeline: which contexts it has, and the figures of their fences. */
#include "model/fence_account.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static void account_clear(struct fence_account *a)
{
	quantile_free(a->sum.emit_signal);
	quantile_free(a->sum.init_signal);
	quantile_free(a->sum.hardware);
	quantile_free(a->sum.gap);
	idmap_free(&a->victims);
}

static void account_free(struct fence_account *a)
{
	account_clear(a);
	free(a);
}

static int account_new(struct fence_accounts *a, struct fence_account **out)
{
	if (a->nr == FENCE_TIMELINES_MAX) {
		*out = &a->rest;
		return 0;
	}
	*out = NULL;
	if (a->nr == a->room) {
		size_t room = a->room ? 2 * a->room : 16;
		struct fence_account **all = realloc(a->all, room * sizeof(void *));

		if (!all)
			return -ENOMEM;
		a->all = all;
		a->room = room;
	}
	*out = calloc(1, sizeof(**out));
	if (!*out)
		return -ENOMEM;
	a->all[a->nr++] = *out;
	return 0;
}

static int unbound_account(struct fence_accounts *a, const struct fence_context *c,
			   struct fence_account **out)
{
	struct fence_account *found;

	HASH_FIND(hh, a->unbound, c->driver, sizeof(c->driver), found);
	*out = found;
	if (found)
		return 0;

	int err = account_new(a, &found);

	*out = found;
	if (err || found == &a->rest)
		return err;
	memcpy(found->driver, c->driver, sizeof(found->driver));
	HASH_ADD(hh, a->unbound, driver, sizeof(found->driver), found);
	return found->hh.tbl ? 0 : -ENOMEM;
}

static void raise_max(uint64_t *max, uint64_t value)
{
	if (value > *max)
		*max = value;
}

int fence_accounts_assign(struct fence_accounts *a, struct fences *t, struct fence_context *c)
{
	bool alone =
		strcmp(c->timeline, FENCE_UNBOUND) != 0 || (a->has_single && a->single == c->id);
	struct fence_account *account;

	if (c->account)
		return 0;

	int err = alone ? account_new(a, &account) : unbound_account(a, c, &account);

	if (err)
		return err;
	if (alone && account != &a->rest) {
		account->owner = c;
		fence_context_keep(t, c);
	}
	if (!account->sum.contexts++)
		account->sum.context = c->id;
	account->sum.fences += c->fences;
	account->in_flight += c->in_flight;
	raise_max(&account->sum.in_flight_max, account->in_flight);
	raise_max(&account->sum.in_flight_max, c->in_flight_max);
	if (c->members)
		member_names_join(&account->of, c->members);
	c->account = account;
	return 0;
}

void fence_account_begin(struct fence_account *a)
{
	a->sum.fences++;
	raise_max(&a->sum.in_flight_max, ++a->in_flight);
}

static int add_sample(struct quantile **q, uint64_t ns)
{
	if (!*q)
		*q = quantile_new();
	return *q ? quantile_add(*q, ns) : -ENOMEM;
}

static int add_hardware(struct fence_account *a, const struct fence *f)
{
	uint64_t *total = &a->sum.hardware_total_ns, submitted = 0;

	if (fence_submitted(f, &submitted))
		raise_max(&a->longest_ns, f->signal_ns - submitted);
	if (__builtin_add_overflow(*total, f->hardware_ns, total))
		*total = UINT64_MAX;
	return add_sample(&a->sum.hardware, f->hardware_ns);
}

int fence_account_signal(struct fence_account *a, const struct fence *f)
{
	const struct fence_context *c = f->context;
	uint64_t at = f->signal_ns;
	int err = 0;

	if (f->error) {
		a->sum.errors++;
		return 0;
	}
	/* From times out of order no figures are made. */
	if (f->has_emit && f->emit_ns <= at)
		err = add_sample(&a->sum.emit_signal, at - f->emit_ns);
	if (!err && f->has_init && f->init_ns <= at)
		err = add_sample(&a->sum.init_signal, at - f->init_ns);
	if (!err && c->signaled && c->last_signal_ns <= at)
		err = add_sample(&a->sum.gap, at - c->last_signal_ns);
	if (!err && f->has_hardware)
		err = add_hardware(a, f);
	return err;
}

int fence_account_victim(struct fence_account *a, uint32_t pid)
{
	if (!pid || a->victims.nr >= FENCE_VICTIMS_MAX)
		return 0;
	return idmap_put(&a->victims, pid, a);
}

/* The most fences first, then the order of contexts, which is that of their making. */
static int by_size(const void *pa, const void *pb)
{
	const struct fence_timeline *a = &(*(const struct fence_account *const *)pa)->sum;
	const struct fence_timeline *b = &(*(const struct fence_account *const *)pb)->sum;

	if (a->fences != b->fences)
		return a->fences > b->fences ? -1 : 1;
	return (a->context > b->context) - (a->context < b->context);
}

void fence_accounts_finish(struct fence_accounts *a)
{
	size_t kept = 0;

	HASH_CLEAR(hh, a->unbound);
	for (size_t i = 0; i < a->nr; i++) {
		struct fence_account *account = a->all[i];
		const struct fence_context *owner = account->owner;

		if (!account->sum.fences) {
			account_free(account);
			continue;
		}
		fence_name_make(&account->sum.name, owner ? owner->driver : account->driver,
				owner ? owner->timeline : FENCE_UNBOUND, &account->of);
		account->sum.victims = account->victims.nr;
		a->all[kept++] = account;
	}
	a->nr = kept;
	if (kept > 1)
		qsort(a->all, kept, sizeof(void *), by_size);
}

void fence_accounts_free(struct fence_accounts *a)
{
	HASH_CLEAR(hh, a->unbound);
	for (size_t i = 0; i < a->nr; i++)
		account_free(a->all[i]);
	account_clear(&a->rest);
	free(a->all);
}
