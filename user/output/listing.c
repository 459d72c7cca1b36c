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
	struct line line;
	struct cell cell;

	line_begin(&line, l->out);
	for (const struct listing_column *c = l->view->columns; c->name; c++) {
		char *at = line_room(&line, CELL_BYTES + 1);

		if (c != l->view->columns)
			*at++ = ',';
		listing_get(c, row, &cell);
		line_took(&line, cell_csv(at, &cell));
	}
	line_char(&line, '\n');
	line_send(&line);
}

void listing_members(struct line *l, const struct listing_column *columns, const void *row,
		     bool first)
{
	struct cell cell;

	for (const struct listing_column *c = columns; c->name; c++) {
		listing_get(c, row, &cell);
		if (cell.kind == CELL_ABSENT)
			continue;

		size_t len = strlen(c->name);
		char *at = line_room(l, len + sizeof(",\"\":") + CELL_BYTES);

		if (!first)
			*at++ = ',';
		*at++ = '"';
		at = (char *)memcpy(at, c->name, len) + len;
		*at++ = '"';
		*at++ = ':';
		line_took(l, cell_json(at, &cell));
		first = false;
	}
}

static void print_ndjson(const struct listing *l, const void *row)
{
	struct line line;

	line_begin(&line, l->out);
	line_put(&line, "{\"schema\":\"");
	line_bytes(&line, l->view->schema, strlen(l->view->schema));
	line_char(&line, '"');
	listing_members(&line, l->view->columns, row, false);
	line_put(&line, "}\n");
	line_send(&line);
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
