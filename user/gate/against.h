/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Two sets of runs against one another: for each producer that both have, what changed. */
#ifndef GATE_AGAINST_H
#define GATE_AGAINST_H

#include <stdbool.h>

#include "base/err.h"
#include "gate/baseline.h"
#include "gate/change.h"
#include "gate/effect.h"

#define AGAINST_DIFFERENCE_LEN 512
#define AGAINST_LOSSY                                                                              \
	0.05 /* with more lossy frames than that nothing can be told: they are slow                \
	      */

struct against_metric {
	unsigned metric;
	bool judged; /* it is one of those that decide */
	uint64_t before, now; /* frames that have it */
	bool few; /* these are too few */
	struct change change;
};

struct against_producer {
	const char *name;
	unsigned runs_before, runs_now; /* that have it */
	uint64_t before[FRAME_STATUS_NR], now[FRAME_STATUS_NR]; /* frames of all runs */
	double fps_before, fps_now; /* means; 0: not known */
	bool lossy; /* too many are */
	int missing; /* a metric that decides, and which no run has now; or -1 */
	struct against_metric *metrics;
	unsigned nr;
};

struct against {
	struct against_producer *producers;
	unsigned nr;
	const char *gone[GATE_PRODUCERS_MAX]; /* in every run before, and in none now */
	unsigned nr_gone;
	char (*differences)[AGAINST_DIFFERENCE_LEN]; /* of circumstances, in words */
	unsigned nr_differences;
};

/*
 * What decides is the length of frames, the GPU's part of it, and what the effects name; the rest
 * is there to explain it. (Of a few per cent of jank a few hundred frames say too little.) Both
 * sides have a run, and outlive the result. 0, -ENOENT if they have no producer in common, or
 * -ENOMEM. Ends with against_free(), also after a failure.
 */
int against_make(struct against *a, const struct baseline *before, const struct baseline *now,
		 const struct effects *effects, struct err *e);

/* Of a metric that decides, does this statistic? */
bool against_judges(const struct effects *effects, unsigned metric, enum measure_stat stat);

/* Of the parts of a frame's time that are surely longer now the one that grew most; or NULL. */
const struct against_metric *against_cause(const struct against_producer *p);

/* Which part of a frame's time a metric is (cause.fence); BUDGET_NR: none. */
enum budget_part against_part(unsigned metric);

void against_free(struct against *a);

#endif
