/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Linear probing at a load of at most one half. Removal shifts the entries behind it back, so that
 * there are no tombstones and look-ups stay short however many ids come and go.
 */
#include "base/idmap.h"

#include <errno.h>
#include <stdlib.h>

#define FIRST_ROOM 64

void idmap_free(struct idmap *map)
{
	free(map->slots);
	*map = (struct idmap){ 0 };
}

static int grow(struct idmap *map)
{
	struct idmap bigger = { .room = map->room ? map->room * 2 : FIRST_ROOM, .nr = map->nr };

	bigger.slots = calloc(bigger.room, sizeof(*bigger.slots));
	if (!bigger.slots)
		return -ENOMEM;
	for (size_t i = 0; i < map->room; i++) {
		if (map->slots[i].id)
			bigger.slots[idmap_place(&bigger, map->slots[i].id)] = map->slots[i];
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

	struct idmap_slot *slot = &map->slots[idmap_place(map, id)];

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
	size_t hole = idmap_place(map, id);

	if (!map->slots[hole].id)
		return;
	map->nr--;
	for (size_t at = (hole + 1) & mask; map->slots[at].id; at = (at + 1) & mask) {
		/* An entry may move back to the hole unless its home lies behind the hole. */
		if (((at - idmap_home(map, map->slots[at].id)) & mask) >= ((at - hole) & mask)) {
			map->slots[hole] = map->slots[at];
			hole = at;
		}
	}
	map->slots[hole] = (struct idmap_slot){ 0 };
}
