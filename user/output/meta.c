/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The JSON text that record leaves in a capture. */
#include <stdbool.h>
#include <string.h>

#include "base/text.h"
#include "output/meta.h"

#define STRING_MAX 1024 /* bytes of a string that are kept, escaped */

/* An escaped copy of a JSON string; NULL if it is none. */
static json_t *copy_string(const json_t *value)
{
	char escaped[STRING_MAX];

	if (!json_is_string(value))
		return NULL;
	text_escape(escaped, sizeof(escaped), json_string_value(value), json_string_length(value));
	return json_string(escaped);
}

/* A number that is positive; NULL if it is none. */
static json_t *copy_number(const json_t *value)
{
	return json_integer_value(value) > 0 ? json_integer(json_integer_value(value)) : NULL;
}

/* {"lib": ..., "symbol": ...}, with what there is of it; NULL if it has neither. */
static json_t *copy_point(const json_t *value)
{
	json_t *point = json_object();

	json_object_set_new(point, "lib", copy_string(json_object_get(value, "lib")));
	json_object_set_new(point, "symbol", copy_string(json_object_get(value, "symbol")));
	if (json_object_size(point))
		return point;
	json_decref(point);
	return NULL;
}

static json_t *copy_list(const json_t *value, json_t *(*copy)(const json_t *))
{
	json_t *list = NULL;
	size_t n = json_array_size(value);

	if (!json_is_array(value))
		return NULL;
	list = json_array();
	for (size_t i = 0; i < n && i < META_LIST_MAX; i++)
		json_array_append_new(list, copy(json_array_get(value, i)));
	return list;
}

json_t *meta_parse(const char *text)
{
	static const char *const strings[] = { "framescope", "kernel",  "machine",
					       "command",    "started", "android_release",
					       "model",      "source",  "dialect",
					       "clock",      "build",   "label",
					       "governor" };
	json_t *all = text ? json_loads(text, 0, NULL) : NULL;
	json_t *meta = json_object();

	/* The setters refuse a NULL value, which leaves the key out. */
	for (unsigned i = 0; i < sizeof(strings) / sizeof(strings[0]); i++)
		json_object_set_new(meta, strings[i],
				    copy_string(json_object_get(all, strings[i])));
	json_object_set_new(meta, "android_sdk", copy_number(json_object_get(all, "android_sdk")));
	json_object_set_new(meta, "clock_error_ns",
			    copy_number(json_object_get(all, "clock_error_ns")));
	json_object_set_new(meta, "attached",
			    copy_list(json_object_get(all, "attached"), copy_point));
	json_object_set_new(meta, "missing",
			    copy_list(json_object_get(all, "missing"), copy_string));
	json_decref(all);
	return meta;
}

const char *meta_string(const json_t *meta, const char *key)
{
	return json_string_value(json_object_get(meta, key));
}

bool meta_is_trace(const char *text)
{
	json_t *meta = meta_parse(text);
	bool is_trace = meta_string(meta, "source");

	json_decref(meta);
	return is_trace;
}
