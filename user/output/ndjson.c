/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Frames as NDJSON: one object a line, with the names of the CSV columns. A value that was not
 * observed has no key.
 */
#include <inttypes.h>

#include "output/columns.h"
#include "output/output.h"

/* Cells hold no control characters and only valid UTF-8, so these two are all JSON needs. */
static void put_text(FILE *out, const char *text)
{
	putc('"', out);
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			putc('\\', out);
		putc(*text, out);
	}
	putc('"', out);
}

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
		if (cell.kind == CELL_NUMBER)
			fprintf(out, "%" PRIu64, cell.number);
		else
			put_text(out, cell.text);
	}
	fputs("}\n", out);
}

const struct row_format row_ndjson = { "ndjson", ndjson_head, ndjson_row };
