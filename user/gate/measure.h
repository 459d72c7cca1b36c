/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What one run says of one metric: its statistics, how far off each may be, and the distribution.
 * It is all that a comparison needs of a run, so that one with a summary gives what one with the
 * capture gives.
 */
#ifndef GATE_MEASURE_H
#define GATE_MEASURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gate/sketch.h"

enum measure_stat { MEASURE_MEAN, MEASURE_P50, MEASURE_P90, MEASURE_P95, MEASURE_P99, MEASURE_NR };

const char *measure_stat_name(enum measure_stat stat); /* "mean", "p50", ... */

/* Of MEASURE_P50 and on; 0 of the mean. */
unsigned measure_permille(enum measure_stat stat);

struct measure_figure {
	double value;
	double error; /* standard error */
	double effective; /* independent frames that would say as much; 1 to n */
	double freedom; /* degrees of freedom of the error, at least 1 */
};

struct measure {
	uint64_t n; /* frames that the errors are of; 0: nothing is known */
	bool share; /* of yes or no: there is nothing but the mean */
	struct measure_figure of[MEASURE_NR];
	/* Of the frames' places in the order of their lengths, from 0 to 1; `value` is not used. */
	struct measure_figure rank;
	struct sketch sketch;
};

/*
 * From the values of the complete frames in order, any unit; of a share 0 or 1. All numbers are
 * rounded to what a text of them keeps (MEASURE_DIGITS). 0 or -ENOMEM. The time is that of sorting
 * them.
 */
int measure_make(struct measure *m, const int64_t *values, size_t n, bool share);

#define MEASURE_DIGITS 9

#endif
