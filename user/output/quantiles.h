/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Percentiles of times: rows of a table in ms, and JSON objects in ns. */
#ifndef OUTPUT_QUANTILES_H
#define OUTPUT_QUANTILES_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#include "base/quantile.h"
#include "output/output.h"

/* The heading of the rows. */
void quantiles_head(FILE *out, const struct style *style);

/* A row; nothing if there are no samples. */
void quantiles_row(FILE *out, const char *name, struct quantile *q);

/* Would their rows have the same numbers? */
bool quantiles_same(struct quantile *a, struct quantile *b);

/* 0, or -1 when out of memory; without samples there is no such key. */
int quantiles_set(json_t *object, const char *key, struct quantile *q);

#endif
