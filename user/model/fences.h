/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The fences of the stream, as far back as waits and frames may need them: when each was submitted
 * and signalled, and where. Bounded: of the oldest ones nothing is known any more.
 */
#ifndef MODEL_FENCES_H
#define MODEL_FENCES_H

#include <linux/types.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <uthash.h>

#include "model/fence.h"

#define FENCES_MAX 16384
#define CONTEXTS_MAX 4096
#define FENCE_CPUS 1024 /* whose signals are told apart */

struct fence {
	struct fence_id id;
	uint64_t submitted_ns; /* emit, or init where there is no emit; 0 = not seen */
	uint64_t signal_ns; /* 0 = not signalled, or not seen */
	uint64_t gpu_ns; /* from the later of submission and the signal before it; 0 = not known */
	uint32_t signal_cpu; /* FS_CPU_NONE: its signal was not seen, only that it had been */
	uint64_t next_signal_ns; /* when another one signalled on that CPU; 0 = none has */
	uint32_t signaller_tid; /* 0 in an interrupt */
	uint8_t context; /* enum fs_context of the signal */
	UT_hash_handle hh;
};

struct fence_context;

/* All zero is empty. */
struct fences {
	struct fence *by_id; /* the oldest first */
	struct fence_context *contexts;
	struct fence_id last_signal[FENCE_CPUS]; /* by CPU */
};

void fences_free(struct fences *f);

/* NULL if nothing is known of it. */
struct fence *fences_find(const struct fences *f, struct fence_id id);

/* A fence record, or that a fence met by its descriptor had signalled. 0 or -ENOMEM. */
int fences_feed(struct fences *f, const struct fs_fence *rec);
int fences_met(struct fences *f, const struct fs_fence_ref *rec);

static inline bool fence_same(struct fence_id a, struct fence_id b)
{
	return a.context == b.context && a.seqno == b.seqno;
}

#endif
