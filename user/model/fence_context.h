/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The contexts in the table of fences: their names, what they hold, and how far they have come. */
#ifndef MODEL_FENCE_CONTEXT_H
#define MODEL_FENCE_CONTEXT_H

#include "model/fence_name.h"
#include "model/fences.h"

struct fence_account; /* the observer's */

struct fence_context {
	uint64_t id;
	char driver[FS_DRIVER_LEN]; /* as recorded; empty if not known, padded with NUL */
	char timeline[FS_TIMELINE_LEN];
	struct member_names *members; /* NULL: none that has a name */
	bool container; /* it was seen to hold other fences */
	bool signaled; /* the two below are valid */
	bool kept; /* the observer points here */
	bool idle; /* in that list of the table */
	uint64_t last_signal_ns; /* the latest */
	uint64_t last_seqno; /* the highest that signalled */
	uint64_t fences, in_flight, in_flight_max;
	size_t tracked; /* fences that point here */
	struct fence_account *account;
	struct fence_context *prev, *next;
	UT_hash_handle hh;
};

/* NULL if nothing is known of it. */
struct fence_context *fence_context_find(const struct fences *t, uint64_t id);

/* The context, made if there is none: idle, until a fence holds it. 0 or -ENOMEM. */
int fence_context_get(struct fences *t, uint64_t id, struct fence_context **out);

/* A fence points here, or does not any more. It may be freed by the latter. */
void fence_context_hold(struct fences *t, struct fence_context *c);
void fence_context_release(struct fences *t, struct fence_context *c);

/* The observer points here: it is not to be forgotten. */
void fence_context_keep(struct fences *t, struct fence_context *c);

/* A fence is in flight; or is no more. */
void fence_context_begin(struct fence_context *c);
void fence_context_end(struct fence_context *c);

/* It has signalled, up to `seqno`. */
void fence_context_signaled(struct fence_context *c, uint64_t seqno, uint64_t at);

/* Its names came. */
void fence_context_named(struct fence_context *c, const struct fs_fence_name *rec);

/*
 * It holds fences of `member` (NULL: of an unknown one); `name` gets that one's, or is empty.
 * 0 or -ENOMEM.
 */
int fence_context_holds(struct fence_context *c, const struct fence_context *member,
			char name[MEMBER_NAME_LEN]);

bool fence_context_is_container(const struct fence_context *c);
void fence_context_name(const struct fence_context *c, struct fence_name *name);

/* All of them; there must be no fences. */
void fence_contexts_free(struct fences *t);

#endif
