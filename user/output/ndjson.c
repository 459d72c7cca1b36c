/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Frames as NDJSON: one object a line, with the names of the CSV columns. A value that was not
 * observed has no key.
 */
#include "output/columns.h"
#include "output/output.h"

static void ndjson_head(FILE *out, const struct style *style)
{
	(void)out;
	(void)style;
}

static void ndjson_row(FILE *out, const struct style *style, uint64_t origin_ns,
		       const struct frame *f)
{
	struct cell cell;

	(void)style;
	(void)origin_ns;
	fputs("{\"schema\":\"" FRAME_SCHEMA "\"", out);
	for (const struct column *c = columns; c->name; c++) {
		column_get(c, f, &cell);
		if (cell.kind == CELL_ABSENT)
			continue;
		fprintf(out, ",\"%s\":", c->name);
		cell_json(out, &cell);
	}
	fputs("}\n", out);
}

const struct row_format row_ndjson = { "ndjson", ndjson_head, ndjson_row };
