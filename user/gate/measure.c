/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Statistics of one run, with their errors.
 *
 * A percentile's error is that of the part of the frames that lie above it, carried over to values
 * by the slope of the distribution there (Woodruff, JASA 47, 1952; for dependent values Sun and
 * Lahiri, Sankhya 68, 2006). So whatever is estimated is a mean: of values, of places, or of
 * whether a frame is above.
 */
#include "gate/measure.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "gate/longrun.h"

#define SLOPE_WIDTH                                                                                \
	1.5 /* standard errors of the part to each side, over which the slope is taken */

static const struct {
	const char *name;
	unsigned permille;
} stats[MEASURE_NR] = {
	[MEASURE_MEAN] = { "mean", 0 }, [MEASURE_P50] = { "p50", 500 },
	[MEASURE_P90] = { "p90", 900 }, [MEASURE_P95] = { "p95", 950 },
	[MEASURE_P99] = { "p99", 990 },
};

const char *measure_stat_name(enum measure_stat stat)
{
	return stats[stat].name;
}

unsigned measure_permille(enum measure_stat stat)
{
	return stats[stat].permille;
}

static int compare(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

static struct measure_figure figure(const struct longrun *lr, size_t n)
{
	return (struct measure_figure){
		.value = lr->mean,
		.error = sqrt(lr->variance / (double)n),
		.effective = longrun_effective(lr, n),
		.freedom = lr->freedom,
	};
}

/* How much a value changes per part of the frames, about the part p. */
static double slope(const int64_t *sorted, size_t n, double p, double error)
{
	double width = fmax(SLOPE_WIDTH * error, 1 / (double)n);
	double last = (double)(n - 1);
	size_t low = (size_t)fmax(0, floor((p - width) * (double)n - 0.5));
	size_t high = (size_t)fmin(last, ceil((p + width) * (double)n - 0.5));

	if (high <= low)
		return 0;
	return ((double)sorted[high] - (double)sorted[low]) / ((double)(high - low) / (double)n);
}

static struct measure_figure percentile(const int64_t *values, const int64_t *sorted, size_t n,
					unsigned permille, double *room)
{
	int64_t at = sorted_at(sorted, n, permille);
	double p = permille / 1000.0, plain = p * (1 - p);
	struct measure_figure f;
	struct longrun lr;

	for (size_t i = 0; i < n; i++)
		room[i] = values[i] > at ? 1 : 0;
	longrun_estimate(room, n, &lr);
	/* With many equal values the part above is not what it is to be; its variance is. */
	lr.variance = lr.plain > 0 ? plain * lr.variance / lr.plain : plain;
	lr.plain = plain;
	f = figure(&lr, n);
	f.value = (double)at;
	f.error *= slope(sorted, n, p, f.error);
	return f;
}

/* Between 0 and 1; equal values have their middle. */
static void places(const int64_t *values, const int64_t *sorted, size_t n, double *room)
{
	for (size_t i = 0; i < n; i++) {
		size_t low = 0, high = n, first;

		while (low < high) {
			size_t middle = low + (high - low) / 2;

			if (sorted[middle] < values[i])
				low = middle + 1;
			else
				high = middle;
		}
		first = low;
		high = n;
		while (low < high) {
			size_t middle = low + (high - low) / 2;

			if (sorted[middle] <= values[i])
				low = middle + 1;
			else
				high = middle;
		}
		room[i] = (double)(first + low) / (2 * (double)n);
	}
}

/* Nobody of a few frames is not nobody at all (Agresti and Coull 1998, by half a frame). */
static void measure_share(struct measure *m, size_t n, double *room)
{
	struct longrun lr;

	longrun_estimate(room, n, &lr);

	double p = (lr.mean * (double)n + 0.5) / ((double)n + 1);

	lr.variance = fmax(lr.variance, p * (1 - p));
	lr.plain = fmax(lr.plain, p * (1 - p));
	m->of[MEASURE_MEAN] = figure(&lr, n);
}

static void measure_durations(struct measure *m, const int64_t *values, int64_t *sorted, size_t n,
			      double *room)
{
	struct longrun lr;

	longrun_estimate(room, n, &lr);
	m->of[MEASURE_MEAN] = figure(&lr, n);
	qsort(sorted, n, sizeof(*sorted), compare);
	sketch_take(&m->sketch, sorted, n);
	places(values, sorted, n, room);
	longrun_estimate(room, n, &lr);
	m->rank = figure(&lr, n);
	for (unsigned i = MEASURE_P50; i < MEASURE_NR; i++)
		m->of[i] = percentile(values, sorted, n, stats[i].permille, room);
}

static double rounded(double x)
{
	char text[32];

	snprintf(text, sizeof(text), "%.*g", MEASURE_DIGITS, x);
	return strtod(text, NULL);
}

static void round_figure(struct measure_figure *f)
{
	if (f->value != floor(f->value))
		f->value = rounded(f->value);
	f->error = rounded(f->error);
	f->effective = rounded(f->effective);
	f->freedom = rounded(f->freedom);
}

int measure_make(struct measure *m, const int64_t *values, size_t n, bool share)
{
	int64_t *sorted = malloc((n ? n : 1) * sizeof(*sorted));
	double *room = malloc((n ? n : 1) * sizeof(*room));
	int rc = -ENOMEM;

	*m = (struct measure){ .n = n, .share = share };
	if (!sorted || !room)
		goto out;
	rc = 0;
	if (!n)
		goto out;
	for (size_t i = 0; i < n; i++) {
		sorted[i] = values[i];
		room[i] = (double)values[i];
	}
	if (share)
		measure_share(m, n, room);
	else
		measure_durations(m, values, sorted, n, room);
	for (unsigned i = 0; i < MEASURE_NR; i++)
		round_figure(&m->of[i]);
	round_figure(&m->rank);
out:
	free(room);
	free(sorted);
	return rc;
}
