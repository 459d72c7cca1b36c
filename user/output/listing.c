/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Rows as a table, CSV and NDJSON. */
#include "output/listing.h"

void listing_begin(const struct listing *l)
{
	const struct listing_column *columns = l->view->columns;

	if (l->format == &row_table && !l->view->none)
		l->view->head(l->out, l->style);
	if (l->format != &row_csv)
		return;
	for (const struct listing_column *c = columns; c->name; c++)
		fprintf(l->out, "%s%s", c == columns ? "" : ",", c->name);
	putc('\n', l->out);
}

static void print_csv(const struct listing *l, const void *row)
{
	struct cell cell;

	for (const struct listing_column *c = l->view->columns; c->name; c++) {
		if (c != l->view->columns)
			putc_unlocked(',', l->out);
		listing_get(c, row, &cell);
		cell_csv(l->out, &cell);
	}
	putc('\n', l->out);
}

void listing_members(FILE *out, const struct listing_column *columns, const void *row, bool first)
{
	struct cell cell;

	for (const struct listing_column *c = columns; c->name; c++) {
		listing_get(c, row, &cell);
		if (cell.kind == CELL_ABSENT)
			continue;
		fputs_unlocked(first ? "\"" : ",\"", out);
		fputs_unlocked(c->name, out);
		fputs_unlocked("\":", out);
		cell_json(out, &cell);
		first = false;
	}
}

static void print_ndjson(const struct listing *l, const void *row)
{
	fprintf(l->out, "{\"schema\":\"%s\"", l->view->schema);
	listing_members(l->out, l->view->columns, row, false);
	fputs("}\n", l->out);
}

void listing_print(struct listing *l, const void *row)
{
	if (l->format == &row_csv) {
		print_csv(l, row);
	} else if (l->format == &row_ndjson) {
		print_ndjson(l, row);
	} else {
		if (!l->rows && l->view->none)
			l->view->head(l->out, l->style);
		l->view->row(l->out, l->style, row);
	}
	l->rows++;
}

void listing_end(const struct listing *l)
{
	if (l->format == &row_table && !l->rows && l->view->none)
		fprintf(l->out, "%s\n", l->view->none);
}
