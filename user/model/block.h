/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* One stretch in which a thread did not run, as all that came later has left it. */
#ifndef MODEL_BLOCK_H
#define MODEL_BLOCK_H

#include <linux/types.h>
#include <stdbool.h>
#include <stdint.h>

#include "model/blocker.h"
#include "model/fence.h"

struct off;
struct model;
struct thread;

/* Valid during the sink's call. CLOCK_MONOTONIC. */
struct block {
	uint32_t pid;
	uint32_t tid;
	const char *comm; /* of the thread; empty if not known */
	uint64_t out_ns; /* it left the CPU */
	uint64_t wake_ns; /* from here on it waited for a CPU; in_ns: it was not seen to be woken */
	uint64_t in_ns; /* it was on a CPU again, or the capture ended */
	struct blocker why; /* ns: from out_ns to wake_ns; to in_ns if it was preempted; count: 1 */
	bool has_fence; /* the fence that it waited for is known: */
	struct fence_id fence;
};

/* Tell the sink, if it wants blocks and the thread makes frames, or has to do with them. */
void block_send(const struct model *m, const struct thread *t, const struct off *off);

/* The same for all that is left in the thread's timeline. */
void block_send_rest(const struct model *m, const struct thread *t);

#endif
