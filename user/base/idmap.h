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

/* Where the id belongs; for the functions here. */
static inline size_t idmap_home(const struct idmap *map, uint32_t id)
{
	/* Thread ids are dense: the multiplication spreads them over the high bits. */
	return (size_t)((id * UINT64_C(0x9e3779b97f4a7c15)) >> 32) & (map->room - 1);
}

/* Where it is, or the free slot where it belongs; likewise. */
static inline size_t idmap_place(const struct idmap *map, uint32_t id)
{
	size_t at = idmap_home(map, id);

	while (map->slots[at].id && map->slots[at].id != id)
		at = (at + 1) & (map->room - 1);
	return at;
}

/* NULL if there is none. */
static inline void *idmap_get(const struct idmap *map, uint32_t id)
{
	if (!map->nr || !id)
		return NULL;
	return map->slots[idmap_place(map, id)].value;
}

/* Add or replace. 0 or -ENOMEM. */
int idmap_put(struct idmap *map, uint32_t id, void *value);

/* Removes the id if it is there. */
void idmap_remove(struct idmap *map, uint32_t id);

#endif
