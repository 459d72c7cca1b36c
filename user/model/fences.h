/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The one table of dma-fences and their contexts: when each fence was made, submitted and
 * signalled, by whom and where, and when the hardware began with it. Waits and frames look fences
 * up in it; who wants figures of all of them watches it (struct fence_observer).
 *
 * Bounded: it holds the fences in flight, the last ones that ended, and the contexts of these; of
 * each up to a limit, past which the oldest are given up and counted.
 */
#ifndef MODEL_FENCES_H
#define MODEL_FENCES_H

#include <linux/types.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Where memory runs out, the entry is not in the table; that is looked at after each addition. */
#define HASH_NONFATAL_OOM 1
#include <uthash.h>

#include "model/fence.h"

/* Limits; ordinary captures stay far below the first. */
#define FENCES_IN_FLIGHT_MAX 65536
#define FENCES_DONE_MAX 16384 /* signalled: waits and frames look back at them */
#define FENCES_DESTROYED_MAX 16384 /* without having signalled */
#define FENCE_CONTEXTS_IDLE_MAX 16384 /* kept for their names only */
#define FENCE_CPUS 1024 /* whose signals are told apart */

enum fence_place { PLACE_IN_FLIGHT, PLACE_DONE, PLACE_DESTROYED, PLACE_NR };

struct fence_context; /* fence_context.h */
struct fence_waiters; /* the observer's */

struct fence {
	struct fence_id id;
	UT_hash_handle hh; /* beside its key: a search reads both */
	struct fence_context *context;
	enum fence_place place;
	bool has_init, has_emit, has_run; /* the times are valid: see fence_submitted() */
	bool acquire; /* it was given away with a queued buffer, by whomever */
	bool enabled; /* somebody asked for its signal */
	bool told; /* a descriptor's record said that it had signalled */
	bool closed; /* what comes next with its numbers is about another one */
	bool hashed; /* not any more if its numbers belong to a newer one */
	bool has_hardware; /* hardware_ns is valid */
	uint8_t signal_context; /* enum fs_context of the signal */
	uint32_t error; /* errno that it signalled with; 0 = none */
	uint32_t init_tid;
	char submitter[FS_COMM_LEN]; /* name of that thread, if somebody watches the table */
	uint32_t signaller_tid; /* 0 in an interrupt */
	uint32_t signal_cpu; /* FS_CPU_NONE: its signal was not seen, only that it had been */
	uint64_t first_ns; /* of the first record about it */
	uint64_t init_ns, emit_ns, run_ns;
	uint64_t signal_ns; /* 0 = not signalled, or not seen */
	uint64_t end_ns; /* signal or destruction, unless it is in flight */
	uint64_t hardware_ns; /* how long the hardware was at it */
	uint64_t next_signal_ns; /* when another one signalled on that CPU; 0 = none has */
	struct fence_waiters *waiters;
	struct fence *prev, *next; /* in its place, the oldest first */
};

enum fence_end {
	FENCE_END_SIGNALED, /* at signal_ns */
	FENCE_END_TOLD, /* it had signalled; when is not known */
	FENCE_END_DESTROYED, /* without having signalled */
	FENCE_END_GIVEN_UP, /* too many are in flight */
};

/*
 * Who is told of each step in the life of fences; every member is called. They return 0 or -ENOMEM,
 * which the table's caller gets.
 */
struct fence_observer {
	void *ctx;
	/* It is in flight, and counted in its context. */
	void (*begun)(void *ctx, const struct fence *f);
	/* It is over: place and context still are as they were before. */
	int (*ended)(void *ctx, struct fence *f, enum fence_end how);
	/* It is about to be freed, and its context too if it is the last that is tracked there. */
	int (*forgotten)(void *ctx, struct fence *f);
	/* Driver and timeline are known. */
	int (*named)(void *ctx, struct fence_context *c);
	/* A fence of the context holds one of `member`, "driver/timeline". */
	void (*holds)(void *ctx, struct fence_context *c, const char *member);
	/* A thread that is about to block for a fence. */
	int (*waited)(void *ctx, struct fence_id id, uint32_t pid, uint32_t tid, const char *comm);
};

/* All zero is empty. */
struct fences {
	struct fence *by_id;
	struct fence *places[PLACE_NR];
	size_t nr_placed[PLACE_NR];
	uint64_t given_up[PLACE_NR]; /* because of the limits */
	struct fence_context *contexts;
	struct fence_context *idle; /* those without a fence here, the oldest first */
	size_t nr_idle;
	struct fence *last_signal[FENCE_CPUS]; /* by CPU; NULL if it was given up */
	const struct fence_observer *observer; /* NULL: none */
};

/* The observer is not told. */
void fences_free(struct fences *t);

/* NULL if nothing is known of it. Valid until the next record. */
struct fence *fences_find(const struct fences *t, struct fence_id id);

/*
 * When it was handed to the hardware, as far as that was seen, ns: the last step on its way there.
 * False if none was seen.
 */
bool fence_submitted(const struct fence *f, uint64_t *ns);

/* A record about a fence, a context's names, or a fence met by its descriptor. 0 or -ENOMEM. */
int fences_feed(struct fences *t, const struct fs_fence *rec);
int fences_name(struct fences *t, const struct fs_fence_name *rec);
int fences_met(struct fences *t, const struct fs_fence_ref *rec);

/* The stream ended at `now_ns`: fences that were told to have signalled are over. 0 or -ENOMEM. */
int fences_finish(struct fences *t, uint64_t now_ns);

static inline bool fence_same(struct fence_id a, struct fence_id b)
{
	return a.context == b.context && a.seqno == b.seqno;
}

/* Of two sequence numbers, which may wrap. */
static inline bool seqno_is_later(uint64_t a, uint64_t b)
{
	return (int64_t)(a - b) > 0;
}

#endif
