/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The distribution of a run's values by a few of its quantiles, straight lines between them. */
#include "gate/sketch.h"

const unsigned sketch_permille[SKETCH_NR] = {
	0,   5,   10,  20,  50,  100, 150, 200, 250, 300, 350, 400, 450, 500, 550, 600, 650,  700,
	750, 800, 850, 900, 910, 920, 930, 940, 950, 960, 970, 980, 990, 995, 998, 999, 1000,
};

int64_t sorted_at(const int64_t *sorted, size_t n, unsigned permille)
{
	size_t rank = (n * permille + 999) / 1000;

	return sorted[rank ? rank - 1 : 0];
}

void sketch_take(struct sketch *s, const int64_t *sorted, size_t n)
{
	for (unsigned i = 0; i < SKETCH_NR; i++)
		s->at[i] = sorted_at(sorted, n, sketch_permille[i]);
}

double sketch_below(const struct sketch *s, double x)
{
	unsigned low = 0, high;

	/* [low, high) are at x. */
	while (low < SKETCH_NR && (double)s->at[low] < x)
		low++;
	for (high = low; high < SKETCH_NR && (double)s->at[high] <= x; high++)
		;
	if (high > low)
		return (sketch_permille[low] + sketch_permille[high - 1]) / 2000.0;
	if (!low || low == SKETCH_NR)
		return low ? 1 : 0;

	double from = (double)s->at[low - 1], part = (x - from) / ((double)s->at[low] - from);
	double p = sketch_permille[low - 1] * (1 - part) + sketch_permille[low] * part;

	return p / 1000;
}

double sketch_value(const struct sketch *s, double p)
{
	unsigned i = 1;

	p *= 1000;
	while (i < SKETCH_NR - 1 && sketch_permille[i] < p)
		i++;

	double part = (p - sketch_permille[i - 1]) / (sketch_permille[i] - sketch_permille[i - 1]);

	if (part < 0)
		part = 0;
	if (part > 1)
		part = 1;
	return (double)s->at[i - 1] * (1 - part) + (double)s->at[i] * part;
}
