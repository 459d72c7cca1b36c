/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The inside of the table of fences: how entries come, change places, and go. */
#ifndef MODEL_FENCE_ENTRY_H
#define MODEL_FENCE_ENTRY_H

#include "model/fences.h"

/* A fence in flight; or, in PLACE_DONE, of which only the signal is known. 0 or -ENOMEM. */
int fence_new(struct fences *t, struct fence_id id, uint64_t now_ns, enum fence_place place,
	      struct fence **out);

/* The fence with these numbers, made if there is none or that one is closed. 0 or -ENOMEM. */
int fence_get(struct fences *t, struct fence_id id, uint64_t now_ns, struct fence **out);

/* Its sequence number was not final when it was made. 0 or -ENOMEM, with which it is freed. */
int fence_renumber(struct fences *t, struct fence *f, uint64_t seqno);

/* Its numbers belong to a newer fence from here on. */
void fence_displace(struct fences *t, struct fence *f);

/* It is over, in one of the first three ways. 0 or -ENOMEM. */
int fence_end(struct fences *t, struct fence *f, enum fence_end how, uint64_t end_ns);

#endif
