/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What one thread did, as far back as is needed: a queue of off-CPU intervals, each with the
 * stretch before it, that cover the time from front_ns to cursor_ns without a gap.
 */
#ifndef MODEL_TIMELINE_H
#define MODEL_TIMELINE_H

#include <linux/types.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/fence.h"
#include "model/tally.h"

enum off_flags {
	OFF_HOLE = 0x1, /* the stretch before it is unknown, not running */
	OFF_LOST = 0x2, /* records were lost in that stretch */
	OFF_PREEMPTED = 0x4, /* the peer took the CPU; otherwise it woke the thread */
	OFF_CLAIMED = 0x8, /* an enclosing call has had its say about the cause */
	OFF_TIMED_OUT = 0x10, /* its own time-out ended the blocked part */
};

/* begin <= out <= wake <= in: running or unknown, blocked, runnable. */
struct off {
	uint64_t begin_ns;
	uint64_t out_ns;
	uint64_t wake_ns;
	uint64_t in_ns;
	uint32_t peer_tid;
	uint32_t peer_tgid;
	char peer_comm[FS_COMM_LEN];
	int32_t fd;
	uint8_t cause; /* enum budget_part, of the blocked part */
	uint8_t confidence; /* enum confidence, of the cause */
	uint8_t call;
	uint8_t file;
	uint8_t context;
	uint8_t flags; /* enum off_flags */
	bool has_fence; /* what it waited for is known: */
	struct fence_id fence;
};

struct timeline {
	struct off *ring;
	uint32_t room; /* 0 or a power of two */
	uint32_t head; /* index of the oldest */
	uint32_t nr;
	uint64_t front_ns; /* what was before is not held here any more */
	uint64_t cursor_ns; /* known up to here; the thread was on a CPU then */
};

void timeline_free(struct timeline *tl);

/* Forget everything; known from `start` on. */
void timeline_restart(struct timeline *tl, uint64_t start);

static inline bool timeline_full(const struct timeline *tl)
{
	return tl->nr == tl->room;
}

/* Make room for `room` intervals, a power of two. 0 or -ENOMEM. */
int timeline_grow(struct timeline *tl, uint32_t room);

/* The oldest interval; there must be one. */
static inline const struct off *timeline_oldest(const struct timeline *tl)
{
	return &tl->ring[tl->head];
}

void timeline_drop_oldest(struct timeline *tl);

/* Append; must not be full, and off->begin_ns must be the cursor. */
void timeline_push(struct timeline *tl, const struct off *off);

/* Add to the tally what the thread did from `from` to `to`, as far as it is held here. */
void timeline_tally(const struct timeline *tl, uint64_t from, uint64_t to, struct tally *t);

/* The same for one interval. */
void off_tally(const struct off *off, uint64_t from, uint64_t to, struct tally *t);

/*
 * A call of the given role (DEQUEUE, SLOT, QUEUE or UI_SYNC) went from entry to exit: the waits
 * inside that no inner call has claimed are its own. In the first two a wait for another thread is
 * a wait for a free buffer; in the last it is for the RenderThread, and no lock.
 * `marked`: the stream is a trace, which does not say in what a thread blocks. Then the call's own
 * meaning is what is known of that; of FENCE_WAIT, too.
 */
void timeline_claim(struct timeline *tl, uint64_t entry, uint64_t exit, enum fs_role role,
		    bool marked);

/* The same for one interval that is known to lie inside. */
void off_claim(struct off *off, enum fs_role role, bool marked);

/*
 * When the thread first blocked from `from` to `to` with that cause, which is exact; 0 = it did
 * not, or that is not held any more.
 */
uint64_t timeline_first(const struct timeline *tl, uint64_t from, uint64_t to,
			enum budget_part cause);

#endif
