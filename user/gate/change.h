/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Did a metric change from some runs to others, by how much, and may it be by chance?
 *
 * Two questions are asked. Whether the metric changed at all: of the order of all frames, of those
 * beyond the 95th and the 99th percentile, and of the mean, each with the error that
 * autocorrelated frames and differing runs have, and corrected for the number of questions and of
 * metrics. And of each statistic, whether its change is beyond the limit and its own error.
 * A regression is what is both.
 */
#ifndef GATE_CHANGE_H
#define GATE_CHANGE_H

#include <stdbool.h>
#include <stdint.h>

#include "gate/measure.h"

#define CHANGE_FAMILY                                                                              \
	0.01 /* chance that of all metrics any is said to have changed, if none has                \
	      */
#define CHANGE_SINGLE 0.05 /* the same of one statistic of a metric that did, to one side */
#define CHANGE_FRAMES 50 /* fewer in all runs of a side say nothing */

/* A change is one if it is beyond both. */
struct change_limit {
	double relative; /* of the value before */
	double absolute; /* in the metric's unit */
};

enum change_verdict { CHANGE_SAME, CHANGE_UP, CHANGE_DOWN, CHANGE_UNCLEAR };

enum change_reason {
	CHANGE_CLEAR,
	CHANGE_LOSSY, /* without the frames that were lost nothing can be told */
	CHANGE_FEW_FRAMES, /* fewer than CHANGE_FRAMES */
	CHANGE_NOISE, /* what may be by chance is larger than the limit */
	CHANGE_CHANCE, /* beyond the limit, but it may be by chance */
};

struct change_figure {
	bool known;
	double before, now;
	double limit; /* in the metric's unit: what a change must exceed */
	double error; /* standard error of now - before, with what runs differ by */
	double noise; /* now - before is known to this much, with 95 % certainty */
	double finds; /* a change of so much would be found nine times in ten */
	double runs; /* standard deviation from run to run that the error contains */
	double runs_freedom; /* degrees of freedom of its square; infinite: it is allowed for, not
				seen */
	double chance; /* of a change so large to its side, if there is none */
	enum change_verdict verdict;
	enum change_reason reason;
};

struct change {
	double chance; /* of seeing so much, had the metric not changed */
	double corrected; /* the same for all metrics of the comparison */
	/* The same in a tenth of the cases, or less, had everything moved by twice the limit. */
	double would;
	struct change_figure of[MEASURE_NR];
};

/* The runs of a side, of one metric of one producer: all of a share, or none. */
struct change_side {
	const struct measure *const *runs; /* without any that has no frame */
	unsigned nr;
};

/*
 * Everything but `corrected` and the verdicts. `limits` has one for each statistic. Both sides have
 * a run.
 */
void change_measure(struct change *c, struct change_side before, struct change_side now,
		    const struct change_limit limits[MEASURE_NR]);

/* Holm's correction: sets `corrected` and `would` of all metrics of a comparison, and sorts them.
 */
void change_correct(struct change **all, unsigned nr);

/* Then the verdicts of one. There may be too few frames to say anything, or too many lossy ones. */
void change_judge(struct change *c, bool few, bool lossy);

const char *change_verdict_name(enum change_verdict v); /* "same", "higher", ... */
const char *change_reason_name(enum change_reason r); /* "clear", "too_few_frames", ... */

/* The chance that Student's t with so many degrees of freedom is above x. */
double student_above(double x, double freedom);

#endif
