/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Linear probing at a load of at most one half. Removal shifts the entries behind it back, so that
 * there are no tombstones and look-ups stay short however many keys come and go.
 */
#include "trace/map64.h"

#include <errno.h>
#include <stdlib.h>

#define FIRST_ROOM 16

/* The address of the slots is what no input knows. */
static size_t home(const struct map64 *map, uint64_t key)
{
	uint64_t z = key ^ (uint64_t)(uintptr_t)map->slots * UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return (size_t)(z ^ z >> 31) & (map->room - 1);
}

/* The slot of the key, or the free one where it belongs. */
static size_t find(const struct map64 *map, uint64_t key)
{
	size_t at = home(map, key);

	while (map->slots[at].value && map->slots[at].key != key)
		at = (at + 1) & (map->room - 1);
	return at;
}

void map64_clear(struct map64 *map, void (*drop)(void *value))
{
	for (size_t i = 0; drop && i < map->room; i++) {
		if (map->slots[i].value)
			drop(map->slots[i].value);
	}
	free(map->slots);
	*map = (struct map64){ 0 };
}

void *map64_get(const struct map64 *map, uint64_t key)
{
	return map->nr ? map->slots[find(map, key)].value : NULL;
}

static int grow(struct map64 *map)
{
	struct map64 bigger = { .room = map->room ? map->room * 2 : FIRST_ROOM, .nr = map->nr };

	bigger.slots = calloc(bigger.room, sizeof(*bigger.slots));
	if (!bigger.slots)
		return -ENOMEM;
	for (size_t i = 0; i < map->room; i++) {
		if (map->slots[i].value)
			bigger.slots[find(&bigger, map->slots[i].key)] = map->slots[i];
	}
	free(map->slots);
	*map = bigger;
	return 0;
}

int map64_put(struct map64 *map, uint64_t key, void *value)
{
	if (map->nr >= map->room / 2) {
		int ret = grow(map);

		if (ret)
			return ret;
	}

	struct map64_slot *slot = &map->slots[find(map, key)];

	if (!slot->value)
		map->nr++;
	*slot = (struct map64_slot){ key, value };
	return 0;
}

void *map64_take(struct map64 *map, uint64_t key)
{
	if (!map->nr)
		return NULL;

	size_t mask = map->room - 1;
	size_t hole = find(map, key);
	void *value = map->slots[hole].value;

	if (!value)
		return NULL;
	map->nr--;
	for (size_t at = (hole + 1) & mask; map->slots[at].value; at = (at + 1) & mask) {
		/* An entry may move back to the hole unless its home lies behind the hole. */
		if (((at - home(map, map->slots[at].key)) & mask) >= ((at - hole) & mask)) {
			map->slots[hole] = map->slots[at];
			hole = at;
		}
	}
	map->slots[hole] = (struct map64_slot){ 0 };
	return value;
}
