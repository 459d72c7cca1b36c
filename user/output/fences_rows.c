/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What the three views of fences have in common: formats and words. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "output/fences.h"

void fences_begin(const struct fences_printer *p)
{
	const struct fences_column *columns = p->view->columns;

	if (p->format != &row_csv)
		return;
	for (const struct fences_column *c = columns; c->name; c++)
		fprintf(p->out, "%s%s", c == columns ? "" : ",", c->name);
	putc('\n', p->out);
}

static void print_csv(const struct fences_printer *p, const struct fences_row *row)
{
	struct cell cell;

	for (const struct fences_column *c = p->view->columns; c->name; c++) {
		if (c != p->view->columns)
			putc(',', p->out);
		cell.kind = CELL_ABSENT;
		c->get(row, c->arg, &cell);
		cell_csv(p->out, &cell);
	}
	putc('\n', p->out);
}

static void print_ndjson(const struct fences_printer *p, const struct fences_row *row)
{
	struct cell cell;

	fprintf(p->out, "{\"schema\":\"%s\"", p->view->schema);
	for (const struct fences_column *c = p->view->columns; c->name; c++) {
		cell.kind = CELL_ABSENT;
		c->get(row, c->arg, &cell);
		if (cell.kind == CELL_ABSENT)
			continue;
		fprintf(p->out, ",\"%s\":", c->name);
		cell_json(p->out, &cell);
	}
	fputs("}\n", p->out);
}

void fences_print(struct fences_printer *p, const struct fences_row *row)
{
	if (p->format == &row_csv) {
		print_csv(p, row);
	} else if (p->format == &row_ndjson) {
		print_ndjson(p, row);
	} else {
		if (!p->rows)
			p->view->head(p->out, p->style);
		p->view->row(p->out, p->style, row);
	}
	p->rows++;
}

void fences_end(const struct fences_printer *p)
{
	if (p->format == &row_table && !p->rows)
		fprintf(p->out, "%s\n", p->view->none);
}

void fences_text_cell(struct cell *c, const char *text, size_t len)
{
	text_escape(c->text, sizeof(c->text), text, len);
	cell_set_text(c);
}

void fences_get_name(const struct fences_row *row, unsigned arg, struct cell *c)
{
	const struct fence_name *n = row->name;

	if (arg == FENCES_DRIVER)
		fences_text_cell(c, n->driver, sizeof(n->driver));
	else
		fences_text_cell(c, n->timeline, sizeof(n->timeline));
}

void fences_id(char *dst, size_t len, struct fence_id id, unsigned width)
{
	char text[64];

	snprintf(text, sizeof(text), "%" PRIu64 ":%" PRIu64, id.context, id.seqno);
	words_fit(dst, len, text, width);
}

const char *fences_dash(const char *text)
{
	return *text ? text : "-";
}

void fences_full_name(char *dst, size_t len, const struct fence_name *name)
{
	char driver[4 * FS_DRIVER_LEN + 1];
	char timeline[WORDS_LEN];

	*dst = '\0';
	if (!*name->driver && !*name->timeline)
		return;
	text_escape(driver, sizeof(driver), name->driver, sizeof(name->driver));
	text_escape(timeline, sizeof(timeline), name->timeline, sizeof(name->timeline));
	snprintf(dst, len, "%s/%s", fences_dash(driver), fences_dash(timeline));
}

void fences_thread(char *dst, size_t len, const char *comm, uint32_t tid, unsigned width)
{
	char name[4 * FS_COMM_LEN + 1], cut[sizeof(name) + 1], number[16];
	unsigned digits = (unsigned)snprintf(number, sizeof(number), "/%" PRIu32, tid);

	text_escape(name, sizeof(name), comm, strnlen(comm, FS_COMM_LEN));
	if (!*name)
		snprintf(name, sizeof(name), "thread");
	words_fit(cut, sizeof(cut), name,
		  width == WORDS_NO_LIMIT || width <= digits ? sizeof(name) : width - digits);
	snprintf(dst, len, "%s%s", cut, number);
}
