/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The frames that are beyond a budget's limit, and what they waited for. */
#ifndef GATE_BEYOND_H
#define GATE_BEYOND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gate/budget.h"
#include "gate/samples.h"
#include "model/tally.h"
#include "output/words.h"

/* Of one producer and budget, in all runs. */
struct gate_beyond {
	uint64_t frames; /* complete ones */
	uint64_t known; /* of which it is known what they went to */
	uint64_t causes[BUDGET_NR]; /* frames whose largest part that is, or the budget's is of */
	struct tally waits; /* of each of these, the longest reason with that cause */
	uint64_t worst; /* number of the frame that is furthest beyond */
	unsigned run; /* and which run it is in, from 0 */
	int64_t worst_value; /* ns; of yes or no, the frame's wall time */
	char worst_why[WORDS_LEN];
};

struct gate_watch;

/* The budgets must outlive it. NULL when out of memory. Ends with gate_watch_free(). */
struct gate_watch *gate_watch_new(const struct gate_budgets *budgets);
void gate_watch_free(struct gate_watch *w); /* NULL is fine */

/* The frames that come are of the next run, whose producers are others. */
void gate_watch_next_run(struct gate_watch *w);

/* A judged frame, and its interval or 0. 0 or -ENOMEM. */
int gate_watch_add(struct gate_watch *w, const struct frame *f, uint64_t interval_ns);

/* NULL: none was. Sorts its waits. */
struct gate_beyond *gate_watch_beyond(struct gate_watch *w, const char *producer, unsigned budget);

/* The cause of most of them, or BUDGET_NR if it is not known of any. */
enum budget_part gate_beyond_cause(const struct gate_beyond *b);

/* What it waited for longest with that cause; NULL: not known. */
const struct blocker *gate_beyond_blocker(const struct gate_beyond *b, enum budget_part cause);

/* Is the budget of this producer: the name as printed, and the title of its window or NULL? */
bool gate_budget_is_of(const struct gate_budget *b, const char *producer, const char *window);

#endif
