/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What is kept of a capture's meta record. */
#include "gate/circumstances.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/text.h"
#include "output/json_values.h"
#include "output/meta.h"

static const struct {
	const char *key, *name;
} known[CIRCUMSTANCES_NR] = {
	{ "model", "device" },
	{ "machine", "architecture" },
	{ "kernel", "kernel" },
	{ "android_release", "Android" },
	{ "build", "build" },
	{ "label", "label" },
	{ "refresh_hz", "refresh rate" },
	{ "governor", "CPU governor" },
	{ "source", "recorded by" },
	{ "framescope", "framescope" },
};

const char *circumstance_name(unsigned index)
{
	return known[index].name;
}

json_t *circumstances_copy(const json_t *from)
{
	json_t *to = json_object();
	char text[1024];
	int rc = 0;

	for (unsigned i = 0; i < CIRCUMSTANCES_NR; i++) {
		const json_t *value = json_object_get(from, known[i].key);

		if (json_is_string(value)) {
			const char *from_file = json_string_value(value);

			text_escape_controls(text, sizeof(text), from_file, strlen(from_file));
			rc |= json_set_text(to, known[i].key, text);
		}
		if (json_is_integer(value) && json_integer_value(value) > 0)
			rc |= json_set_number(to, known[i].key,
					      (uint64_t)json_integer_value(value));
	}
	return json_if(rc, to);
}

json_t *circumstances_of(const char *meta_text, uint64_t display_ns)
{
	json_t *meta = meta_parse(meta_text), *to = json_object();

	if (display_ns)
		json_set_number(meta, "refresh_hz", (NSEC_PER_SEC + display_ns / 2) / display_ns);
	for (unsigned i = 0; i < CIRCUMSTANCES_NR; i++)
		json_object_set(to, known[i].key, json_object_get(meta, known[i].key));
	json_decref(meta);
	return to;
}

void circumstance_words(char *dst, size_t len, const json_t *circumstances, unsigned index)
{
	const json_t *value = json_object_get(circumstances, known[index].key);

	*dst = '\0';
	if (json_is_string(value))
		snprintf(dst, len, "%s", json_string_value(value));
	else if (json_is_integer(value))
		snprintf(dst, len, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
}
