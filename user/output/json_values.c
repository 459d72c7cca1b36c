/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Setters of JSON objects. */
#include "output/json_values.h"

#include <math.h>
#include <string.h>

#include "base/text.h"

#define WHOLE_MAX 9007199254740992.0 /* 2^53: a double has all whole numbers up to that */

int json_set_number(json_t *object, const char *key, uint64_t value)
{
	if (value > INT64_MAX)
		return 0;
	return json_object_set_new(object, key, json_integer((json_int_t)value));
}

json_t *json_figure(double x)
{
	bool whole = x == floor(x) && fabs(x) < WHOLE_MAX;

	return whole ? json_integer((json_int_t)x) : json_real(x);
}

int json_set_figure(json_t *object, const char *key, double x)
{
	return isfinite(x) ? json_object_set_new(object, key, json_figure(x)) : 0;
}

int json_set_text(json_t *object, const char *key, const char *value)
{
	return value && *value ? json_object_set_new(object, key, json_string(value)) : 0;
}

int json_set_name(json_t *object, const char *key, const char *value)
{
	char text[WORDS_LEN];

	text_escape(text, sizeof(text), value, strlen(value));
	return json_set_text(object, key, text);
}

int json_set_cell(json_t *object, const char *key, const struct cell *c)
{
	switch (c->kind) {
	case CELL_NUMBER:
		return json_set_number(object, key, c->number);
	case CELL_SIGNED:
		return json_object_set_new(object, key, json_integer((json_int_t)c->number));
	case CELL_THOUSANDTHS:
		return json_object_set_new(object, key, json_real((double)c->number / 1000));
	case CELL_TEXT:
		return json_set_text(object, key, c->text);
	case CELL_WORD:
		return json_object_set_new(object, key, json_stringn(c->word, c->word_len));
	default:
		return 0;
	}
}

json_t *json_if(int rc, json_t *object)
{
	if (!rc)
		return object;
	json_decref(object);
	return NULL;
}
