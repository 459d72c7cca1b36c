/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Frames as CSV: RFC 4180, but with LF at the end of a line, which is what scripts expect. A value
 * that was not observed is an empty cell.
 */
#include "output/columns.h"
#include "output/output.h"

static void csv_head(FILE *out, const struct style *style)
{
	(void)style;
	for (const struct column *c = columns; c->name; c++)
		fprintf(out, "%s%s", c == columns ? "" : ",", c->name);
	putc('\n', out);
}

static void csv_row(FILE *out, const struct style *style, uint64_t origin_ns, const struct frame *f)
{
	struct cell cell;

	(void)style;
	(void)origin_ns;
	for (const struct column *c = columns; c->name; c++) {
		if (c != columns)
			putc(',', out);
		column_get(c, f, &cell);
		cell_csv(out, &cell);
	}
	putc('\n', out);
}

const struct row_format row_csv = { "csv", csv_head, csv_row };
