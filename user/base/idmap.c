/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Linear probing at a load of at most one half. Removal shifts the entries behind it back, so that
 * there are no tombstones and look-ups stay short however many ids come and go.
 */
#include "base/idmap.h"

#include <errno.h>
#include <stdlib.h>

#define FIRST_ROOM 64

static size_t home(const struct idmap *map, uint32_t id)
{
	/* Thread ids are dense: the multiplication spreads them over the high bits. */
	return (size_t)((id * UINT64_C(0x9e3779b97f4a7c15)) >> 32) & (map->room - 1);
}

/* The slot of the id, or the free one where it belongs. */
static size_t find(const struct idmap *map, uint32_t id)
{
	size_t at = home(map, id);

	while (map->slots[at].id && map->slots[at].id != id)
		at = (at + 1) & (map->room - 1);
	return at;
}

void idmap_free(struct idmap *map)
{
	free(map->slots);
	*map = (struct idmap){ 0 };
}

void *idmap_get(const struct idmap *map, uint32_t id)
{
	if (!map->nr || !id)
		return NULL;
	return map->slots[find(map, id)].value;
}

static int grow(struct idmap *map)
{
	struct idmap bigger = { .room = map->room ? map->room * 2 : FIRST_ROOM, .nr = map->nr };

	bigger.slots = calloc(bigger.room, sizeof(*bigger.slots));
	if (!bigger.slots)
		return -ENOMEM;
	for (size_t i = 0; i < map->room; i++) {
		if (map->slots[i].id)
			bigger.slots[find(&bigger, map->slots[i].id)] = map->slots[i];
	}
	free(map->slots);
	*map = bigger;
	return 0;
}

int idmap_put(struct idmap *map, uint32_t id, void *value)
{
	if (!id)
		return -EINVAL;
	if (map->nr >= map->room / 2) {
		int err = grow(map);

		if (err)
			return err;
	}

	struct idmap_slot *slot = &map->slots[find(map, id)];

	if (!slot->id)
		map->nr++;
	slot->id = id;
	slot->value = value;
	return 0;
}

void idmap_remove(struct idmap *map, uint32_t id)
{
	if (!map->nr || !id)
		return;

	size_t mask = map->room - 1;
	size_t hole = find(map, id);

	if (!map->slots[hole].id)
		return;
	map->nr--;
	for (size_t at = (hole + 1) & mask; map->slots[at].id; at = (at + 1) & mask) {
		/* An entry may move back to the hole unless its home lies behind the hole. */
		if (((at - home(map, map->slots[at].id)) & mask) >= ((at - hole) & mask)) {
			map->slots[hole] = map->slots[at];
			hole = at;
		}
	}
	map->slots[hole] = (struct idmap_slot){ 0 };
}
