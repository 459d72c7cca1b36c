/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A statistic of one or several runs of the same thing, and how far it can be trusted: the interval
 * that holds it with GATE_CONFIDENCE, were the recording to be made again.
 *
 * Runs are judged together: all their frames are one sample. What two frames have in common counts
 * once: frames that come one after the other, or in the same run, are alike, so that the sample is
 * worth fewer independent frames than it has. How many, say the autocorrelation within the runs
 * about the mean of all of them (Geyer's initial positive sequence), and, of several runs, how far
 * their means lie apart; the larger of the two divides the number of frames.
 *
 * - Percentiles: the order statistics between which the binomial distribution puts the quantile.
 *   It needs no shape of the distribution. Beyond the last frame there is no bound: p99 of 20
 *   frames has none.
 * - Shares of yes or no: Wilson's interval. Rates of these: the same per second.
 * - Mean, fps, and the share of a duration: the normal approximation.
 * - Least, greatest, counts, and the numbers of frames are facts of the recording, not of what it
 *   is a sample of: they have no interval.
 *
 * Of a lossy frame nothing is known, and those of slow frames are most likely to be lost: bounds
 * assume that each would have been the worst, or the best, there is. Of means that can't be said:
 * they have no bounds when more than GATE_LOSSY_MEAN of the frames are lossy. Truncated frames,
 * cut by an edge of the recording, are no worse than others, and are left out.
 */
#ifndef GATE_ESTIMATE_H
#define GATE_ESTIMATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gate/budget.h"
#include "gate/samples.h"

#define GATE_CONFIDENCE 0.95
#define GATE_Z 1.959963984540054 /* of the normal distribution, for that on both sides */
#define GATE_FRAMES_MIN 30 /* fewer frames say nothing of any others */
#define GATE_EFFECTIVE_MIN 10 /* nor do frames that are worth fewer */
#define GATE_LOSSY_MEAN 0.05

struct gate_estimate {
	bool known; /* `value` is */
	bool fact; /* it is one of the recording, with no interval but what is lossy */
	bool has_low, has_high; /* there is a bound */
	double value, low, high; /* in the budget's quantity */
	uint64_t frames; /* that it is of */
	uint64_t lossy; /* left out */
	uint64_t needed; /* frames like these, for both bounds to be; 0: they are, or can't be */
	double effective; /* independent frames that they are worth */
	bool thinned; /* of a part of the frames, evenly spread */
};

/* Of one producer in `nr` runs, at least one. `lossy`: reckon with lossy frames. 0 or -ENOMEM. */
int gate_estimate(struct gate_estimate *est, const struct gate_producer *const *runs, unsigned nr,
		  const struct gate_budget *b, bool lossy);

/*
 * By how much the variance of the mean of `n` values exceeds that of as many independent ones; at
 * least 1. `ends`: where each of the `nr` runs ends among them.
 */
double gate_inflation(const double *values, size_t n, const size_t *ends, unsigned nr);

#endif
