/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Percentiles of a stream in bounded memory: exact up to QUANTILE_EXACT_MAX samples, beyond that
 * from a log-linear histogram whose relative error is below 0.1 %.
 */
#ifndef BASE_QUANTILE_H
#define BASE_QUANTILE_H

#include <stdbool.h>
#include <stdint.h>

#define QUANTILE_EXACT_MAX 16384 /* a report holds 17 of these per producer */

struct quantile;

/* NULL when out of memory. The caller frees with quantile_free(), which takes NULL. */
struct quantile *quantile_new(void);
void quantile_free(struct quantile *q);

/* 0 or -ENOMEM. */
int quantile_add(struct quantile *q, uint64_t value);

uint64_t quantile_count(const struct quantile *q);

/*
 * Nearest rank: the smallest sample with at least permille/1000 of all samples at or below it
 * (permille 1 .. 1000). 0 when there are no samples: check quantile_count() first. Not const: it
 * sorts what came since the last call.
 */
uint64_t quantile_at(struct quantile *q, unsigned permille);

uint64_t quantile_max(const struct quantile *q);

/* True while quantile_at() gives samples themselves, not bucket bounds. */
bool quantile_exact(const struct quantile *q);

#endif
