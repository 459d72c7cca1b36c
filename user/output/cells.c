/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Values of rows as CSV and JSON. */
#include "output/cells.h"

#include <stdbool.h>
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

void cell_set_word(struct cell *c, const char *word)
{
	size_t len = strnlen(word, sizeof(c->text) - 1);

	memcpy(c->text, word, len);
	c->text[len] = '\0';
	cell_set_text(c);
}

/*
 * Exports have hundreds of millions of numbers and names: what printf() does for a format, and
 * stdio for a lock, would be most of the work.
 */
void cells_put_digits(FILE *out, uint64_t n)
{
	char digits[20];
	size_t at = sizeof(digits);

	do {
		digits[--at] = (char)('0' + n % 10);
		n /= 10;
	} while (n);
	fwrite_unlocked(digits + at, 1, sizeof(digits) - at, out);
}

void cells_put_thousandths(FILE *out, uint64_t n)
{
	unsigned rest = (unsigned)(n % 1000);
	const char decimals[] = { '.', (char)('0' + rest / 100), (char)('0' + rest / 10 % 10),
				  (char)('0' + rest % 10) };

	cells_put_digits(out, n / 1000);
	fwrite_unlocked(decimals, 1, sizeof(decimals), out);
}

static void put_number(FILE *out, const struct cell *c)
{
	bool negative = c->kind == CELL_SIGNED && (int64_t)c->number < 0;

	if (negative)
		putc_unlocked('-', out);
	if (c->kind == CELL_THOUSANDTHS)
		cells_put_thousandths(out, c->number);
	else
		cells_put_digits(out, negative ? 0 - c->number : c->number);
}

static void csv_text(FILE *out, const char *text)
{
	if (!strpbrk(text, ",\"\r\n")) {
		fputs_unlocked(text, out);
		return;
	}
	putc_unlocked('"', out);
	for (; *text; text++) {
		if (*text == '"')
			putc_unlocked('"', out);
		putc_unlocked(*text, out);
	}
	putc_unlocked('"', out);
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
	putc_unlocked('"', out);
	for (;;) {
		size_t plain = strcspn(text, "\"\\");

		fwrite_unlocked(text, 1, plain, out);
		text += plain;
		if (!*text)
			break;
		putc_unlocked('\\', out);
		putc_unlocked(*text++, out);
	}
	putc_unlocked('"', out);
}

void cell_json(FILE *out, const struct cell *c)
{
	if (c->kind == CELL_TEXT)
		json_text(out, c->text);
	else
		put_number(out, c);
}
