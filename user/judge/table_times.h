/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What the rows of the old table in ms say of a window: how long its frames took, by the sum of
 * their columns. HWUI cuts each column to 50 ms there, so what holds one is at least that long.
 */
#ifndef JUDGE_TABLE_TIMES_H
#define JUDGE_TABLE_TIMES_H

#include <stdint.h>

#include "base/quantile.h"
#include "judge/roster.h"
#include "model/frame.h"

#define TABLE_CUT_NS INT64_C(50000000)

struct window_times {
	const struct producer *producer;
	uint64_t frames;
	uint64_t over; /* an interval of 60 Hz */
	uint64_t cut; /* have a column of 50 ms */
	struct quantile *total; /* ns */
};

/* All zero is empty. */
struct table_times {
	struct roster windows; /* of struct window_times, by the producer's id */
};

/* Add a frame of DUMP_TIMES. 0 or -ENOMEM. Its producer must outlive the times. */
int table_times_add(struct table_times *t, const struct frame *f);

/* NULL if it has no such frames. */
const struct window_times *table_times_of(const struct table_times *t, const struct producer *p);

void table_times_free(struct table_times *t); /* leaves it empty */

#endif
