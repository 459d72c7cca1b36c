/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Reads framescope's CSV by the names of its columns. */
#ifndef TESTS_CSV_H
#define TESTS_CSV_H

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CSV_COLUMNS_MAX 128
#define CSV_LINE_MAX 4096

struct csv {
	FILE *in;
	char header[CSV_LINE_MAX], line[CSV_LINE_MAX];
	char *names[CSV_COLUMNS_MAX], *cells[CSV_COLUMNS_MAX];
	int nr;
};

/* Cuts a line at its commas; quoted cells may hold commas and doubled quotes. -1: it is no CSV. */
static inline int csv_split(char *line, char **cells)
{
	char *in = line, *out;
	int nr = 0;

	line[strcspn(line, "\r\n")] = '\0';
	for (;;) {
		bool quoted = *in == '"';

		if (nr == CSV_COLUMNS_MAX)
			return -1;
		in += quoted;
		cells[nr++] = out = in;
		for (; *in; in++) {
			if (quoted && *in == '"') {
				if (in[1] != '"') {
					in++;
					break;
				}
				in++;
			} else if (!quoted && *in == ',') {
				break;
			}
			*out++ = *in;
		}
		if (*in && *in != ',')
			return -1;
		if (!*in) {
			*out = '\0';
			return nr;
		}
		*out = '\0';
		in++;
	}
}

/* 0 or -errno; -EPROTO: no header. */
static inline int csv_open(struct csv *c, const char *path)
{
	c->in = fopen(path, "re");
	if (!c->in)
		return -errno;
	if (!fgets(c->header, sizeof(c->header), c->in))
		return -EPROTO;
	c->nr = csv_split(c->header, c->names);
	return c->nr < 0 ? -EPROTO : 0;
}

/* 1: a row, 0: the end, -EPROTO: a line that is no row. */
static inline int csv_next(struct csv *c)
{
	if (!fgets(c->line, sizeof(c->line), c->in)) {
		fclose(c->in);
		return 0;
	}
	return csv_split(c->line, c->cells) == c->nr ? 1 : -EPROTO;
}

/* A cell of the row; NULL: there is no such column. */
static inline const char *csv_cell(const struct csv *c, const char *name)
{
	for (int i = 0; i < c->nr; i++) {
		if (!strcmp(c->names[i], name))
			return c->cells[i];
	}
	return NULL;
}

/* The number in a cell. False: it is empty, no number, or there is no such column. */
static inline bool csv_number(const struct csv *c, const char *name, uint64_t *v)
{
	const char *text = csv_cell(c, name);
	char *end;

	*v = 0;
	if (!text || !*text || *text == '-')
		return false;
	errno = 0;
	*v = strtoull(text, &end, 0);
	return !errno && !*end;
}

#endif
