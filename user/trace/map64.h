/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * From a 64-bit number that others chose to a pointer: open addressing, no allocation per entry.
 * Where the entries lie differs from map to map, so that numbers can't be chosen to collide.
 */
#ifndef TRACE_MAP64_H
#define TRACE_MAP64_H

#include <stddef.h>
#include <stdint.h>

struct map64_slot {
	uint64_t key;
	void *value; /* NULL: free */
};

/* All zero is an empty map. */
struct map64 {
	struct map64_slot *slots;
	size_t room; /* 0 or a power of two */
	size_t nr;
};

/* `drop` is called for each value; NULL: they are not the map's. The map is empty afterwards. */
void map64_clear(struct map64 *map, void (*drop)(void *value));

/* NULL if there is none. */
void *map64_get(const struct map64 *map, uint64_t key);

/* Add or replace; value is not NULL. 0 or -ENOMEM. */
int map64_put(struct map64 *map, uint64_t key, void *value);

/* Takes the key out and gives its value, or NULL if it was not there. */
void *map64_take(struct map64 *map, uint64_t key);

#endif
