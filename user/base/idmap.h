/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* From a 32-bit id (never 0) to a pointer: open addressing, no allocation per entry. */
#ifndef BASE_IDMAP_H
#define BASE_IDMAP_H

#include <stddef.h>
#include <stdint.h>

struct idmap_slot {
	uint32_t id; /* 0: free */
	void *value;
};

/* All zero is an empty map. */
struct idmap {
	struct idmap_slot *slots;
	size_t room; /* 0 or a power of two */
	size_t nr;
};

void idmap_free(struct idmap *map); /* the slots, not what they point to */

/* NULL if there is none. */
void *idmap_get(const struct idmap *map, uint32_t id);

/* Add or replace. 0 or -ENOMEM. */
int idmap_put(struct idmap *map, uint32_t id, void *value);

/* Removes the id if it is there. */
void idmap_remove(struct idmap *map, uint32_t id);

#endif
