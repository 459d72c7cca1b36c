/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The inside of fence_stats: what is added up per timeline, and what is kept per fence. */
#ifndef MODEL_FENCE_ACCOUNT_H
#define MODEL_FENCE_ACCOUNT_H

#include "base/idmap.h"
#include "model/fence_context.h"
#include "model/fence_stats.h"

struct fence_account {
	struct fence_timeline sum; /* what the outside sees */
	uint64_t in_flight;
	uint64_t longest_ns; /* from submission to signal */
	struct idmap victims; /* by pid */
	struct member_names of;
	const struct fence_context *owner; /* NULL: it is that of all unbound ones of a driver */
	char driver[FS_DRIVER_LEN]; /* padded with NUL: the key */
	UT_hash_handle hh; /* in `unbound` */
};

/* All zero is empty. */
struct fence_accounts {
	struct fence_account **all;
	size_t nr, room;
	struct fence_account *unbound; /* by driver */
	struct fence_account rest; /* of the contexts that came too late for one; shown nowhere */
	bool has_single;
	uint64_t single;
};

struct fence_waiters {
	unsigned nr;
	bool more;
	struct fence_waiter list[FENCE_WAITERS_MAX];
};

struct fence_stats {
	struct model *model;
	struct fence_observer observer;
	struct fence_accounts accounts;
	struct fence_losses losses; /* valid after fence_stats_finish() */
	const struct fence **unsignaled; /* made by fence_stats_finish() */
	size_t nr_unsignaled;
};

/* fence_account.c */

/*
 * Choose the context's account, unless it has one: when its name is known, or a first figure needs
 * it. 0 or -ENOMEM.
 */
int fence_accounts_assign(struct fence_accounts *a, struct fences *t, struct fence_context *c);

/* At the end: timelines get their names and order. */
void fence_accounts_finish(struct fence_accounts *a);
void fence_accounts_free(struct fence_accounts *a);

/* A fence is in flight. */
void fence_account_begin(struct fence_account *a);

/* It signalled, at signal_ns; its context still says what was before. 0 or -ENOMEM. */
int fence_account_signal(struct fence_account *a, const struct fence *f);

/* A process had a thread wait for one. 0 or -ENOMEM. */
int fence_account_victim(struct fence_account *a, uint32_t pid);

/* fence_unsignaled.c */

/* A thread waited for a fence that had not signalled. 0 or -ENOMEM. */
int fence_add_waiter(struct fence *f, uint32_t pid, uint32_t tid, const char *comm);

/* Make the list. 0 or -ENOMEM. */
int fence_stats_list_unsignaled(struct fence_stats *s);

#endif
