/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A list of rows of any kind in the three formats of all rows. The columns that machines read are
 * only ever appended; a value that was not observed is an empty cell in CSV, no key in NDJSON.
 */
#ifndef OUTPUT_LISTING_H
#define OUTPUT_LISTING_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "output/cells.h"
#include "output/line.h"
#include "output/output.h"

struct listing_column {
	const char *name; /* NULL ends the list */
	void (*get)(const void *row, unsigned arg, struct cell *c); /* leaves what is absent */
	unsigned arg;
};

/* The value of one column. */
static inline void listing_get(const struct listing_column *column, const void *row, struct cell *c)
{
	c->kind = CELL_ABSENT;
	column->get(row, column->arg, c);
}

/* clang-format off */
/* The columns of a budget's parts, for the getter of one. */
#define BUDGET_COLUMNS(get)                   \
	{ "running_ns", get, BUDGET_RUNNING },   \
	{ "runnable_ns", get, BUDGET_RUNNABLE }, \
	{ "fence_ns", get, BUDGET_FENCE },       \
	{ "slot_ns", get, BUDGET_SLOT },         \
	{ "gpu_ns", get, BUDGET_GPU },           \
	{ "lock_ns", get, BUDGET_LOCK },         \
	{ "binder_ns", get, BUDGET_BINDER },     \
	{ "ipc_ns", get, BUDGET_IPC },           \
	{ "io_ns", get, BUDGET_IO },             \
	{ "sleep_ns", get, BUDGET_SLEEP },       \
	{ "other_ns", get, BUDGET_OTHER },       \
	{ "unknown_ns", get, BUDGET_UNKNOWN }
/* clang-format on */

/* One kind of row: what `row` points to is the view's own. */
struct listing_view {
	const char *schema;
	const struct listing_column *columns;
	const char *none; /* what a table without rows says; NULL: no more than its head */
	void (*head)(FILE *out, const struct style *style);
	void (*row)(FILE *out, const struct style *style, const void *row);
};

/* Rows on their way out. Zero but for the first four before the first row. */
struct listing {
	FILE *out;
	const struct style *style;
	const struct row_format *format;
	const struct listing_view *view;
	uint64_t rows;
};

/* The values that there are, as members of a JSON object: "name":value. `first`: no comma before.
 */
void listing_members(struct line *l, const struct listing_column *columns, const void *row,
		     bool first);

/* Before the first row, each row, and after the last. */
void listing_begin(const struct listing *l);
void listing_print(struct listing *l, const void *row);
void listing_end(const struct listing *l);

#endif
