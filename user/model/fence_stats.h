/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Figures of all fences, by timeline: how long from their making to their signal, how long the
 * hardware was at them, who waited, and which never signalled. It watches the model's table of
 * fences, whose limits are its own.
 */
#ifndef MODEL_FENCE_STATS_H
#define MODEL_FENCE_STATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/quantile.h"
#include "model/fence.h"
#include "model/model.h"

/* Limits; ordinary captures stay far below. */
#define FENCE_TIMELINES_MAX 4096
#define FENCE_VICTIMS_MAX 65536 /* processes told apart per timeline */
#define FENCE_WAITERS_MAX 32 /* threads named per fence */

/*
 * One timeline: a context; or, of fences that are on no timeline and have a context each (those
 * whose driver calls it "unbound"), all contexts of that driver together. Within it, order is only
 * ever looked at in one context.
 */
struct fence_timeline {
	struct fence_name name; /* valid after fence_stats_finish() */
	uint64_t context; /* the first */
	uint64_t contexts;
	uint64_t fences;
	uint64_t signaled;
	uint64_t errors; /* of those that signalled: with an error, and in no figure below */
	uint64_t unsignaled; /* pending at the end, or destroyed without a signal and in use */
	uint64_t in_flight_max;
	uint64_t victims; /* processes with a thread that waited */
	uint64_t hardware_total_ns;
	/* All in ns; NULL without samples. Not const: see quantile_at(). */
	struct quantile *emit_signal;
	struct quantile *init_signal;
	struct quantile *hardware; /* from the later of its submission and the signal before */
	struct quantile *gap; /* between two signals */
};

enum fence_fate {
	FENCE_PENDING,
	FENCE_DESTROYED, /* without having signalled */
	FENCE_UNUSED, /* a container destroyed before anybody asked for its signal: no fault */
	FENCE_FATE_NR
};

enum fence_motion {
	FENCE_MOTION_UNKNOWN,
	FENCE_MOVING, /* the context signalled since the fence was submitted */
	FENCE_DEAD, /* it did not */
	FENCE_MOTION_NR
};

const char *fence_fate_name(enum fence_fate f); /* "pending", "destroyed", "unused" */
const char *fence_motion_name(enum fence_motion m); /* "", "moving", "dead" */

struct fence_waiter {
	uint32_t pid; /* 0 = not known */
	uint32_t tid;
	char comm[FS_COMM_LEN]; /* empty if not known */
};

/* A fence that had not signalled; valid until fence_stats_free(). */
struct fence_unsignaled {
	struct fence_id id;
	struct fence_name name;
	bool born; /* its submission was seen: age_ns is valid */
	uint64_t age_ns; /* from there to the end of the capture, or its own */
	enum fence_fate fate;
	enum fence_motion motion;
	uint32_t submitter_tid; /* who made it; 0 = not seen */
	const char *submitter; /* its name; empty if not known */
	const struct fence_waiter *waiters;
	unsigned nr_waiters;
	unsigned victims; /* processes among them */
	bool more; /* waiters than are listed */
};

/* What a limit made us give up. */
struct fence_losses {
	uint64_t fences; /* in flight for so long that their end is not known */
	uint64_t destroyed; /* fences that are not in the list of the unsignalled */
	uint64_t contexts; /* whose fences are in no timeline */
};

struct fence_stats;

/*
 * Watch the model's fences, which nobody else does; before its first record. NULL when out of
 * memory. Ends with fence_stats_free(), which takes NULL and comes before model_free().
 */
struct fence_stats *fence_stats_new(struct model *m);
void fence_stats_free(struct fence_stats *s);

/* Before the first record: this context is a timeline of its own, even if it is "unbound". */
void fence_stats_single(struct fence_stats *s, uint64_t context);

/* Take a wait that the model found. 0 or -ENOMEM. */
int fence_stats_wait(struct fence_stats *s, const struct fence_wait *w);

/* After model_finish(); what follows is valid from here on. 0 or -ENOMEM. */
int fence_stats_finish(struct fence_stats *s);

/* Timelines that had fences, those with the most first. NULL past the last. */
const struct fence_timeline *fence_stats_timeline(const struct fence_stats *s, size_t i);

/* The i-th fence that never signalled, by age, FENCE_UNUSED ones last. False past the last. */
bool fence_stats_unsignaled(const struct fence_stats *s, size_t i, struct fence_unsignaled *u);

const struct fence_losses *fence_stats_losses(const struct fence_stats *s);

#endif
