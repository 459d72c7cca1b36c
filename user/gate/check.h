/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Budgets held against runs: a result for each budget and producer that it is of. Several runs are
 * taken to be of the same thing: the producers of one name in all of them are one, and their frames
 * one sample.
 */
#ifndef GATE_CHECK_H
#define GATE_CHECK_H

#include "base/err.h"
#include "gate/against.h"
#include "gate/beyond.h"
#include "gate/budget.h"
#include "gate/samples.h"
#include "gate/verdict.h"

#define GATE_TOPICS 4 /* of enum source_topic */

/* One file as it was read. */
struct gate_run {
	const char *path;
	const struct gate_samples *samples;
	bool dump; /* a text of dumpsys */
	bool trace; /* others recorded it */
	const char *absent[GATE_TOPICS]; /* by bit of enum source_topic: why there is none; or NULL
					  */
};

struct gate_result {
	const struct gate_budget *budget;
	const char *producer; /* as printed */
	unsigned runs; /* that have the producer */
	uint64_t truncated; /* frames left out */
	struct gate_estimate estimate;
	struct gate_verdict verdict;
	const struct gate_beyond *beyond; /* NULL: no frame is */
	const struct against_metric *versus; /* it is of a baseline (gate/versus.h); else NULL */
	enum measure_stat versus_stat;
};

/* What is printed of it all. */
struct gate_check {
	const struct gate_run *runs;
	unsigned nr_runs;
	struct gate_result *results; /* by producer, then as the budgets are written */
	unsigned nr;
	unsigned counts[GATE_INCONCLUSIVE + 1]; /* by outcome */
	char (*differences)[AGAINST_DIFFERENCE_LEN]; /* between the baseline's circumstances and
							ours */
	unsigned nr_differences;
};

/*
 * Of at least one run and budget; `watch` has seen the same frames. 0 or a negative errno: -ENOENT
 * for a producer that is in no run, -ENODATA for a metric that a run cannot have, with the reason.
 * Ends with gate_check_free(), also after a failure.
 */
int gate_check_all(struct gate_check *c, const struct gate_budgets *budgets,
		   struct gate_watch *watch, struct err *e);

void gate_check_free(struct gate_check *c);

/* Fail before inconclusive before pass. */
enum gate_outcome gate_check_outcome(const struct gate_check *c);

/* Can the run's producer have the metric, and if not, why? NULL: it can. */
const char *gate_metric_absent(const struct gate_run *run, const struct gate_producer *p,
			       unsigned metric);

#endif
