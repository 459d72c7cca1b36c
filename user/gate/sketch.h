/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The distribution of a run's values by a few of its quantiles: small enough for a file that is
 * kept beside the source, fine enough to compare and to draw.
 */
#ifndef GATE_SKETCH_H
#define GATE_SKETCH_H

#include <stddef.h>
#include <stdint.h>

#define SKETCH_NR 35

/* What the quantiles are of, in thousandths: ascending, from 0 (the least) to 1000 (the most). */
extern const unsigned sketch_permille[SKETCH_NR];

struct sketch {
	int64_t at[SKETCH_NR]; /* never falling */
};

/* The sample that a percentile is, by nearest rank as in reports. n > 0, permille up to 1000. */
int64_t sorted_at(const int64_t *sorted, size_t n, unsigned permille);

void sketch_take(struct sketch *s, const int64_t *sorted, size_t n);

/* The part of the values that lies below x, of those at x a half: 0 to 1. */
double sketch_below(const struct sketch *s, double x);

/* Its inverse: the value that has the part p below it. */
double sketch_value(const struct sketch *s, double p);

#endif
