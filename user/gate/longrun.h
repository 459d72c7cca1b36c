/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * How far off the mean of an autocorrelated series may be: frames that follow one another are
 * alike, so that 300 of them say less than 300 independent ones would.
 */
#ifndef GATE_LONGRUN_H
#define GATE_LONGRUN_H

#include <stddef.h>

/* Of a series x: var(mean of x) = variance / n. */
struct longrun {
	double mean;
	double variance; /* the long-run one: of x itself, times what autocorrelation makes of it */
	double plain; /* of x itself */
	double freedom; /* degrees of freedom of `variance`, by which it is only estimated; from 1
			   on */
	size_t block; /* values that were taken together, at least 1 */
};

/*
 * The variance that a moving-block bootstrap (Kuensch 1989) gives to the mean, by its closed form:
 * that of the means of all blocks, so that there is nothing to be drawn. The block's length follows
 * from the series' own autocorrelation (Politis and White 2004, corrected by Patton, Politis and
 * White 2009). Never below what independent values would have. `x` is centred in place. Of a long
 * series its time is that of reading it. n > 0.
 */
void longrun_estimate(double *x, size_t n, struct longrun *out);

/* How many independent values would say as much; 1 to n. */
double longrun_effective(const struct longrun *lr, size_t n);

#endif
