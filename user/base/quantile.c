/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The samples themselves while they are few. Then a histogram: per power of two 512 buckets of
 * equal width, named by their middle, which is at most 1/1024 of a sample away from it. Values
 * below 1024 keep buckets of one.
 */
#include "base/quantile.h"

#include <errno.h>
#include <stdlib.h>

#define SUB_BITS 9
#define SUB_COUNT (1u << SUB_BITS)
/* Row 0 holds 0 .. 511; row r > 0 the values whose highest bit is SUB_BITS + r - 1. */
#define ROWS (64 - SUB_BITS + 1)
#define FIRST_ROOM 64

struct quantile {
	uint64_t count;
	uint64_t min;
	uint64_t max;
	uint64_t *samples; /* NULL once the histogram has taken over */
	size_t room;
	bool sorted;
	bool histogram;
	uint64_t *rows[ROWS];
};

struct quantile *quantile_new(void)
{
	return calloc(1, sizeof(struct quantile));
}

void quantile_free(struct quantile *q)
{
	if (!q)
		return;
	for (unsigned i = 0; i < ROWS; i++)
		free(q->rows[i]);
	free(q->samples);
	free(q);
}

static unsigned row_of(uint64_t value)
{
	if (value < SUB_COUNT)
		return 0;
	return 63 - (unsigned)__builtin_clzll(value) - SUB_BITS + 1;
}

/* Width of a row's buckets, as a shift. */
static unsigned row_shift(unsigned row)
{
	return row ? row - 1 : 0;
}

static int histogram_add(struct quantile *q, uint64_t value)
{
	unsigned row = row_of(value);

	if (!q->rows[row]) {
		q->rows[row] = calloc(SUB_COUNT, sizeof(uint64_t));
		if (!q->rows[row])
			return -ENOMEM;
	}
	q->rows[row][(value >> row_shift(row)) & (SUB_COUNT - 1)]++;
	return 0;
}

static int to_histogram(struct quantile *q)
{
	/* Rows first, so that the samples survive a failure whole. */
	for (uint64_t i = 0; i < q->count; i++) {
		unsigned row = row_of(q->samples[i]);

		if (!q->rows[row]) {
			q->rows[row] = calloc(SUB_COUNT, sizeof(uint64_t));
			if (!q->rows[row])
				return -ENOMEM;
		}
	}
	for (uint64_t i = 0; i < q->count; i++)
		histogram_add(q, q->samples[i]);
	free(q->samples);
	q->samples = NULL;
	q->histogram = true;
	return 0;
}

static int sample_add(struct quantile *q, uint64_t value)
{
	if (q->count == q->room) {
		size_t room = q->room ? q->room * 2 : FIRST_ROOM;
		uint64_t *samples = realloc(q->samples, room * sizeof(*samples));

		if (!samples)
			return -ENOMEM;
		q->samples = samples;
		q->room = room;
	}
	q->samples[q->count] = value;
	q->sorted = false;
	return 0;
}

int quantile_add(struct quantile *q, uint64_t value)
{
	int err = 0;

	if (!q->histogram && q->count == QUANTILE_EXACT_MAX)
		err = to_histogram(q);
	if (!err)
		err = q->histogram ? histogram_add(q, value) : sample_add(q, value);
	if (err)
		return err;
	if (!q->count || value < q->min)
		q->min = value;
	if (!q->count || value > q->max)
		q->max = value;
	q->count++;
	return 0;
}

uint64_t quantile_count(const struct quantile *q)
{
	return q->count;
}

uint64_t quantile_max(const struct quantile *q)
{
	return q->max;
}

bool quantile_exact(const struct quantile *q)
{
	return !q->histogram;
}

static int compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static uint64_t histogram_at(const struct quantile *q, uint64_t rank)
{
	uint64_t below = 0;

	for (unsigned row = 0; row < ROWS; row++) {
		for (unsigned sub = 0; q->rows[row] && sub < SUB_COUNT; sub++) {
			below += q->rows[row][sub];
			if (below < rank)
				continue;

			unsigned shift = row_shift(row);
			uint64_t low = ((row ? (uint64_t)SUB_COUNT : 0) + sub) << shift;
			uint64_t middle = low + ((UINT64_C(1) << shift) >> 1);

			if (middle < q->min)
				return q->min;
			return middle > q->max ? q->max : middle;
		}
	}
	return q->max;
}

uint64_t quantile_at(struct quantile *q, unsigned permille)
{
	if (!q->count)
		return 0;
	if (permille < 1)
		permille = 1;
	if (permille >= 1000)
		return q->max;

	/* ceil(count * permille / 1000), without the overflow of the product */
	uint64_t rank = q->count / 1000 * permille + (q->count % 1000 * permille + 999) / 1000;

	if (q->histogram)
		return rank <= 1 ? q->min : histogram_at(q, rank);
	if (!q->sorted) {
		qsort(q->samples, q->count, sizeof(*q->samples), compare);
		q->sorted = true;
	}
	return q->samples[rank - 1];
}
