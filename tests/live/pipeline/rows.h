/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Reads framescope's CSV for a comparer, which ends where it is none. */
#ifndef TESTS_LIVE_PIPELINE_ROWS_H
#define TESTS_LIVE_PIPELINE_ROWS_H

#include "csv.h"

/* Calls fn with each row. */
void rows_read(const char *path, void (*fn)(const struct csv *c));

/* The text of a column that must be there. */
void row_text(const struct csv *c, const char *name, char *to, size_t size);

#endif
