/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The exact split of a thread's wall time. The parts of a budget sum to its wall time to the
 * nanosecond; time about which nothing was observed is BUDGET_UNKNOWN, never spread over the rest.
 * So is a wait whose reason was not: a trace says that a thread blocked, but not in which call.
 */
#ifndef MODEL_BUDGET_H
#define MODEL_BUDGET_H

#include <linux/types.h>
#include <stdint.h>

#include <framescope/event.h>

enum budget_part {
	BUDGET_RUNNING, /* on a CPU */
	BUDGET_RUNNABLE, /* ready, waiting for a CPU */
	BUDGET_FENCE, /* blocked on a dma-fence */
	BUDGET_SLOT, /* blocked for a free buffer */
	BUDGET_GPU, /* blocked in a GPU driver */
	BUDGET_LOCK, /* blocked on a futex */
	BUDGET_BINDER, /* blocked on a binder reply */
	BUDGET_IPC, /* blocked on another thread's or process's message */
	BUDGET_IO, /* blocked on storage or a page fault */
	BUDGET_SLEEP, /* asleep by its own wish */
	BUDGET_OTHER, /* blocked on something known that fits none of the above */
	BUDGET_UNKNOWN, /* not observed, or blocked in what was not */
	BUDGET_NR
};

struct budget {
	uint64_t ns[BUDGET_NR];
};

/* How sure an attribution is. */
enum confidence {
	CONF_NONE, /* nothing was observed */
	CONF_PROBABLE, /* follows from order or nesting */
	CONF_EXACT, /* identity and order were both observed */
	CONF_NR
};

/* "running", "runnable", ... as in column names. */
const char *budget_part_name(enum budget_part part);
const char *confidence_name(enum confidence c);

/* Sum of all parts, ns. */
uint64_t budget_total(const struct budget *b);

/*
 * Why a thread that left the CPU voluntarily was blocked, by the system call and file of its
 * off-CPU record. (BUDGET_RUNNABLE for a preempted one.) What surrounds it - a wait for a fence in
 * the kernel, a dequeue - is the model's to add.
 */
enum budget_part budget_cause(const struct fs_offcpu *off);

#endif
