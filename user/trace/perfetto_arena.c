/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Most messages fit into the first block, which stays. */
#include "trace/perfetto_arena.h"

#include <stdbool.h>
#include <stdlib.h>

#define BLOCK_BYTES (64u << 10)

static struct pf_arena_block *add_block(struct pf_arena *a, size_t size)
{
	struct pf_arena_block *block;

	if (size < BLOCK_BYTES)
		size = BLOCK_BYTES;
	if (size > PF_ARENA_BYTES - a->bytes)
		return NULL;
	block = malloc(sizeof(*block) + size);
	if (!block)
		return NULL;
	block->next = a->blocks;
	block->size = size;
	block->used = 0;
	a->blocks = block;
	a->bytes += size;
	return block;
}

static void *take(void *data, size_t size)
{
	struct pf_arena *a = data;
	struct pf_arena_block *block = a->blocks;
	void *at;

	if (size > PF_ARENA_BYTES)
		return NULL;
	size = (size + 15) & ~(size_t)15;
	if (!block || size > block->size - block->used)
		block = add_block(a, size);
	if (!block)
		return NULL;
	at = block->data + block->used;
	block->used += size;
	return at;
}

static void give(void *data, void *at)
{
	(void)data;
	(void)at;
}

void pf_arena_init(struct pf_arena *a)
{
	*a = (struct pf_arena){ .allocator = { take, give, a } };
}

static void drop(struct pf_arena *a, bool all)
{
	while (a->blocks && (all || a->blocks->next)) {
		struct pf_arena_block *next = a->blocks->next;

		a->bytes -= a->blocks->size;
		free(a->blocks);
		a->blocks = next;
	}
}

ProtobufCAllocator *pf_arena_reset(struct pf_arena *a)
{
	drop(a, false);
	if (a->blocks)
		a->blocks->used = 0;
	return &a->allocator;
}

void pf_arena_free(struct pf_arena *a)
{
	drop(a, true);
}
