/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The long-run variance of a series.
 *
 * Kuensch, "The jackknife and the bootstrap for general stationary observations", Ann. Statist. 17
 * (1989): the variance of the mean of blocks that overlap. Politis and White, "Automatic
 * block-length selection for the dependent bootstrap", Econometric Reviews 23 (2004), with the
 * correction of 28 (2009): b = (2 G^2 / D)^(1/3) n^(1/3). Meketon and Schmeiser, "Overlapping batch
 * means", Winter Simulation Conference 1984: such a variance has 1.5 times the degrees of freedom
 * that blocks without overlap have. O'Neill, "Some useful moment results in sampling problems",
 * American Statistician 68 (2014): by the kurtosis k of what it is the variance of, 2 / (k - 1) of
 * them.
 */
#include "gate/longrun.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#define POINTS 16384 /* beyond that, neighbours are averaged first: their mean's variance stays */
#define FREEDOM_OF_OVERLAP 1.5
#define LAGS_IN_A_ROW 5 /* at least so many that are no longer significant end the search */

/* Neighbours averaged to at most POINTS; what is left over at the end is left out. */
static size_t thin(double *x, size_t n, size_t by)
{
	size_t points = n / by;

	for (size_t i = 0; i < points; i++) {
		double sum = 0;

		for (size_t j = 0; j < by; j++)
			sum += x[i * by + j];
		x[i] = sum / (double)by;
	}
	return points;
}

static double autocovariance(const double *x, size_t n, size_t lag)
{
	double sum = 0;

	for (size_t i = lag; i < n; i++)
		sum += x[i] * x[i - lag];
	return sum / (double)n;
}

/* 1 up to a half, then falling to 0 at 1: the lag window of Politis and Romano (1995). */
static double flat_top(double t)
{
	return t <= 0.5 ? 1 : 2 * (1 - t);
}

struct spectrum {
	double at_zero; /* the sum of all autocovariances: another estimate of the variance */
	double slope; /* the sum of |lag| times autocovariance: Politis and White's G */
};

/* Autocovariances up to twice the last lag of a significant one. r0: that at 0. */
static void spectrum_estimate(const double *x, size_t n, double r0, struct spectrum *s)
{
	double limit = 2 * sqrt(log10((double)n) / (double)n) * r0;
	size_t in_a_row = (size_t)fmax(LAGS_IN_A_ROW, ceil(sqrt(log10((double)n))));
	size_t longest = (size_t)ceil(sqrt((double)n)) + in_a_row;
	double r[256];
	size_t quiet = 0, lag = 0, last;

	if (longest >= sizeof(r) / sizeof(r[0]))
		longest = sizeof(r) / sizeof(r[0]) - 1;
	if (longest >= n)
		longest = n - 1;
	r[0] = r0;
	while (lag < longest && quiet < in_a_row) {
		lag++;
		r[lag] = autocovariance(x, n, lag);
		quiet = fabs(r[lag]) < limit ? quiet + 1 : 0;
	}
	last = 2 * (lag - quiet);
	if (last > longest)
		last = longest;
	while (lag < last) {
		lag++;
		r[lag] = autocovariance(x, n, lag);
	}
	s->at_zero = r0;
	s->slope = 0;
	for (size_t k = 1; k <= last; k++) {
		double w = flat_top((double)k / (double)last);

		s->at_zero += 2 * w * r[k];
		s->slope += 2 * w * (double)k * r[k];
	}
}

static size_t block_length(const struct spectrum *s, size_t n)
{
	double d = 4.0 / 3 * s->at_zero * s->at_zero;
	double longest = fmin(ceil(3 * sqrt((double)n)), floor((double)n / 3));
	double b = d > 0 ? ceil(cbrt(2 * s->slope * s->slope / d * (double)n)) : longest;

	return (size_t)fmax(1, fmin(b, longest));
}

/*
 * Of the means of all blocks of that length, in terms of single values; x has the mean 0. In *peaks
 * their kurtosis: where few blocks differ from the rest, the variance is that of these few.
 */
static double block_variance(const double *x, size_t n, size_t block, double *peaks)
{
	double sum = 0, total = 0, fourth = 0;
	size_t blocks = n - block + 1;

	for (size_t i = 0; i < n; i++) {
		sum += x[i];
		if (i + 1 < block)
			continue;
		total += sum * sum;
		fourth += sum * sum * sum * sum;
		sum -= x[i + 1 - block];
	}
	*peaks = total > 0 ? fourth / total / total * (double)blocks : 3;
	total /= (double)block * (double)blocks;
	return total * (double)n / (double)(n - block + (block == n));
}

void longrun_estimate(double *x, size_t n, struct longrun *out)
{
	size_t by = (n + POINTS - 1) / POINTS;
	double mean = 0, r0 = 0;
	struct spectrum s;

	for (size_t i = 0; i < n; i++)
		mean += x[i];
	mean /= (double)n;
	for (size_t i = 0; i < n; i++) {
		x[i] -= mean;
		r0 += x[i] * x[i];
	}
	*out = (struct longrun){ .mean = mean, .plain = r0 / (double)n, .block = 1, .freedom = 1 };
	out->variance = out->plain;
	/* Values that are all the same differ by what rounding left of them. */
	if (n < 4 || !(out->plain > 1e-20 * mean * mean)) {
		if (n >= 4)
			out->plain = out->variance = 0;
		return;
	}
	if (by > 1)
		n = thin(x, n, by);
	r0 = autocovariance(x, n, 0);
	if (r0 > 0) {
		spectrum_estimate(x, n, r0, &s);
		size_t block = block_length(&s, n);
		double peaks, v = block_variance(x, n, block, &peaks);
		double freedom = FREEDOM_OF_OVERLAP * ((double)n / (double)block - 1);

		v = fmax(v, s.at_zero) * (double)by;
		out->freedom = fmax(1, fmin(freedom, 2 * freedom / (peaks - 1)));
		out->variance = fmax(out->plain, v);
		out->block = block * by;
	}
}

double longrun_effective(const struct longrun *lr, size_t n)
{
	return lr->variance > 0 ? fmax(1, (double)n * lr->plain / lr->variance) : (double)n;
}
