/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Where protobuf-c puts what it unpacks: blocks that are given back as a whole. */
#ifndef TRACE_PERFETTO_ARENA_H
#define TRACE_PERFETTO_ARENA_H

#include <protobuf-c/protobuf-c.h>
#include <stddef.h>

/*
 * An empty message has two bytes in a packet and a hundred in memory. What needs more than this is
 * no trace's; unpacking it fails.
 */
#define PF_ARENA_BYTES (32u << 20)

struct pf_arena_block {
	struct pf_arena_block *next;
	size_t size; /* of data[] */
	size_t used;
	_Alignas(16) char data[];
};

struct pf_arena {
	ProtobufCAllocator allocator; /* for NAME__unpack() */
	struct pf_arena_block *blocks; /* the newest first; one is kept */
	size_t bytes; /* of all of them */
};

void pf_arena_init(struct pf_arena *a);
void pf_arena_free(struct pf_arena *a);

/* What was unpacked is gone; there is no need to free it. */
ProtobufCAllocator *pf_arena_reset(struct pf_arena *a);

#endif
