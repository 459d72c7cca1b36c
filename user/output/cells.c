/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Values of rows as CSV and JSON. */
#include "output/cells.h"

#include <stdbool.h>
#include <string.h>

#include "base/text.h"

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

static void set_word(struct cell *c, const char *word, size_t len)
{
	c->kind = len ? CELL_WORD : CELL_ABSENT;
	c->word = word;
	c->word_len = len;
}

void cell_set_word(struct cell *c, const char *word)
{
	set_word(c, word, strnlen(word, sizeof(c->text) - 1));
}

void cell_set_name(struct cell *c, const char *name, size_t len)
{
	long plain = text_plain(name, len);

	if (plain >= 0 && (size_t)plain < sizeof(c->text)) {
		set_word(c, name, (size_t)plain);
		return;
	}
	text_escape(c->text, sizeof(c->text), name, len);
	cell_set_text(c);
}

static char *put_bytes(char *dst, const char *text, size_t len)
{
	memcpy(dst, text, len);
	return dst + len;
}

static char *put_number(char *dst, const struct cell *c)
{
	bool negative = c->kind == CELL_SIGNED && (int64_t)c->number < 0;

	if (negative)
		*dst++ = '-';
	if (c->kind == CELL_THOUSANDTHS)
		return text_thousandths(dst, c->number);
	return text_digits(dst, negative ? 0 - c->number : c->number);
}

static bool needs_quotes(char c)
{
	return c == ',' || c == '"' || c == '\r' || c == '\n';
}

static char *csv_text(char *dst, const char *text, size_t len)
{
	size_t plain = 0;

	while (plain < len && !needs_quotes(text[plain]))
		plain++;
	if (plain == len)
		return put_bytes(dst, text, len);
	*dst++ = '"';
	for (; len; len--, text++) {
		if (*text == '"')
			*dst++ = '"';
		*dst++ = *text;
	}
	*dst++ = '"';
	return dst;
}

char *cell_csv(char *dst, const struct cell *c)
{
	switch (c->kind) {
	case CELL_ABSENT:
		return dst;
	case CELL_WORD:
		return csv_text(dst, c->word, c->word_len);
	case CELL_TEXT:
		return csv_text(dst, c->text, strlen(c->text));
	default:
		return put_number(dst, c);
	}
}

/* Cells hold no control characters and only valid UTF-8, so these two are all JSON needs. */
static char *json_text(char *dst, const char *text)
{
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			*dst++ = '\\';
		*dst++ = *text;
	}
	return dst;
}

char *cell_json(char *dst, const struct cell *c)
{
	if (c->kind != CELL_WORD && c->kind != CELL_TEXT)
		return put_number(dst, c);
	*dst++ = '"';
	if (c->kind == CELL_WORD)
		dst = put_bytes(dst, c->word, c->word_len);
	else
		dst = json_text(dst, c->text);
	*dst++ = '"';
	return dst;
}
