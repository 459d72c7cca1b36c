/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What is kept of each thread, in order of appearance, even when the thread is gone and its id
 * another's.
 */
#ifndef JUDGE_ROSTER_H
#define JUDGE_ROSTER_H

#include "base/idmap.h"

/* All zero is empty. */
struct roster {
	void **entries;
	unsigned nr;
	unsigned room;
	struct idmap by_tid; /* the latest of each id */
};

/* A zeroed entry of that size, from now on the thread's; NULL when out of memory. */
void *roster_add(struct roster *r, uint32_t tid, size_t size);

/* NULL if there is none. */
static inline void *roster_get(const struct roster *r, uint32_t tid)
{
	return idmap_get(&r->by_tid, tid);
}

void roster_free(struct roster *r); /* and all entries; leaves it empty */

#endif
