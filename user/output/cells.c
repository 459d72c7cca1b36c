/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Values of rows as CSV and JSON. */
#include "output/cells.h"

#include <inttypes.h>
#include <string.h>

void cell_set_number(struct cell *c, uint64_t number)
{
	c->kind = CELL_NUMBER;
	c->number = number;
}

void cell_set_signed(struct cell *c, int64_t number)
{
	c->kind = CELL_SIGNED;
	c->number = (uint64_t)number;
}

void cell_set_text(struct cell *c)
{
	c->kind = *c->text ? CELL_TEXT : CELL_ABSENT;
}

static void put_number(FILE *out, const struct cell *c)
{
	if (c->kind == CELL_THOUSANDTHS)
		fprintf(out, "%" PRIu64 ".%03" PRIu64, c->number / 1000, c->number % 1000);
	else if (c->kind == CELL_SIGNED)
		fprintf(out, "%" PRId64, (int64_t)c->number);
	else
		fprintf(out, "%" PRIu64, c->number);
}

static void csv_text(FILE *out, const char *text)
{
	if (!strpbrk(text, ",\"\r\n")) {
		fputs(text, out);
		return;
	}
	putc('"', out);
	for (; *text; text++) {
		if (*text == '"')
			putc('"', out);
		putc(*text, out);
	}
	putc('"', out);
}

void cell_csv(FILE *out, const struct cell *c)
{
	if (c->kind == CELL_TEXT)
		csv_text(out, c->text);
	else if (c->kind != CELL_ABSENT)
		put_number(out, c);
}

/* Cells hold no control characters and only valid UTF-8, so these two are all JSON needs. */
static void json_text(FILE *out, const char *text)
{
	putc('"', out);
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			putc('\\', out);
		putc(*text, out);
	}
	putc('"', out);
}

void cell_json(FILE *out, const struct cell *c)
{
	if (c->kind == CELL_TEXT)
		json_text(out, c->text);
	else
		put_number(out, c);
}
