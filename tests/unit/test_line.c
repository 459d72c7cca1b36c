/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Lines that are longer than the memory in which they are made. */
#include <stdlib.h>

#include "check.h"
#include "output/line.h"

#define PIECES 4000

static void put_pieces(FILE *out)
{
	static struct line line;

	line_begin(&line, out);
	for (unsigned i = 0; i < PIECES; i++) {
		line_put(&line, "[");
		line_bytes(&line, "piece", i % 6);
		line_char(&line, ' ');
		line_number(&line, i);
		line_put(&line, " ");
		line_thousandths(&line, i);
		line_put(&line, "]");
	}
	line_send(&line);
}

static void print_pieces(FILE *out)
{
	for (unsigned i = 0; i < PIECES; i++)
		fprintf(out, "[%.*s %u %u.%03u]", (int)(i % 6), "piece", i, i / 1000, i % 1000);
}

static char *made_by(void (*print)(FILE *out))
{
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	print(out);
	fclose(out);
	return text;
}

static void long_line(void)
{
	char *text = made_by(put_pieces), *expected = made_by(print_pieces);

	CU_ASSERT_TRUE(strlen(expected) > LINE_BYTES);
	CU_ASSERT_STRING_EQUAL(text, expected);
	free(text);
	free(expected);
}

/* What fits exactly is not sent yet; the byte after it sends what is there. */
static void full(void)
{
	static struct line line;
	static char bytes[LINE_BYTES];
	FILE *out = tmpfile();

	memset(bytes, 'x', sizeof(bytes));
	line_begin(&line, out);
	line_bytes(&line, bytes, sizeof(bytes));
	CU_ASSERT_EQUAL(ftell(out), 0);
	line_char(&line, 'y');
	CU_ASSERT_EQUAL(ftell(out), LINE_BYTES);
	line_send(&line);
	CU_ASSERT_EQUAL(ftell(out), LINE_BYTES + 1);
	fclose(out);
}

int main(void)
{
	static const struct check_case cases[] = {
		{ "long_line", long_line },
		{ "full", full },
		{ NULL, NULL },
	};

	return check_main("line", cases);
}
