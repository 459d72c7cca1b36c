/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What is kept of each thread or producer, in order of appearance, even when it is gone and its id
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
	struct idmap by_id; /* the latest of each */
};

/* A zeroed entry of that size, from now on the id's; NULL when out of memory. */
void *roster_add(struct roster *r, uint32_t id, size_t size);

/* NULL if there is none. */
static inline void *roster_get(const struct roster *r, uint32_t id)
{
	return idmap_get(&r->by_id, id);
}

void roster_free(struct roster *r); /* and all entries; leaves it empty */

#endif
