/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Budgets from a file of JSON, which is no more to be trusted than any other file. */
#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file_text.h"
#include "base/text.h"
#include "gate/budget.h"

#define SHAPE                                                                                      \
	"{\"schema\": \"" GATE_BUDGETS_SCHEMA "\", "                                               \
	"\"budgets\": [\"wall.p95<=16.6ms\", "                                                     \
	"{\"budget\": \"fps>=58\", \"producer\": \"com.example.app\"}]}"

static int wrong(struct err *e, const char *path, const char *what)
{
	err_set(e, -EINVAL, "%s: %s", path, what);
	return err_hint(e, "%s", SHAPE);
}

static int check_keys(const json_t *object, const char *const *keys, const char *path,
		      struct err *e)
{
	const char *key;
	json_t *value;

	json_object_foreach((json_t *)object, key, value)
	{
		char name[64], what[160];
		unsigned i = 0;

		while (keys[i] && strcmp(keys[i], key) != 0)
			i++;
		if (keys[i])
			continue;
		text_escape(name, sizeof(name), key, strlen(key));
		snprintf(what, sizeof(what), "there is no key \"%s\" in budgets", name);
		return wrong(e, path, what);
	}
	return 0;
}

static int add_one(struct gate_budgets *b, const json_t *one, const char *path, struct err *e)
{
	static const char *const keys[] = { "budget", "producer", NULL };
	const char *text = json_string_value(one), *producer = NULL;
	char *whole = NULL;
	int rc;

	if (json_is_object(one)) {
		rc = check_keys(one, keys, path, e);
		if (rc)
			return rc;
		text = json_string_value(json_object_get(one, "budget"));
		producer = json_string_value(json_object_get(one, "producer"));
		if (json_object_get(one, "producer") && !producer)
			return wrong(e, path, "the \"producer\" of a budget is no text");
	}
	if (!text)
		return wrong(e, path, "a budget is no text, and no object with a \"budget\"");
	if (!producer)
		return gate_budgets_add(b, text, e);
	if (strchr(text, ':'))
		return wrong(e, path, "a budget names its producer twice");
	if (asprintf(&whole, "%s:%s", producer, text) < 0)
		return err_errno(e, -ENOMEM, "cannot keep budgets");
	rc = gate_budgets_add(b, whole, e);
	free(whole);
	return rc;
}

static int add_all(struct gate_budgets *b, const json_t *root, const char *path, struct err *e)
{
	static const char *const keys[] = { "schema", "budgets", NULL };
	const json_t *list = json_object_get(root, "budgets");
	const char *schema = json_string_value(json_object_get(root, "schema"));
	int rc = 0;

	if (!json_is_object(root))
		return wrong(e, path, "budgets are an object");
	if (!schema || strcmp(schema, GATE_BUDGETS_SCHEMA) != 0)
		return wrong(e, path, "its \"schema\" is not \"" GATE_BUDGETS_SCHEMA "\"");
	rc = check_keys(root, keys, path, e);
	if (rc)
		return rc;
	if (!json_is_array(list) || !json_array_size(list))
		return wrong(e, path, "its \"budgets\" are no list, or an empty one");
	for (size_t i = 0; i < json_array_size(list) && !rc; i++)
		rc = add_one(b, json_array_get(list, i), path, e);
	return rc;
}

int gate_budgets_read(struct gate_budgets *b, const char *path, struct err *e)
{
	size_t len = 0;
	json_error_t error;
	char *text =
		file_text(path, GATE_BUDGETS_FILE_MAX, "budgets have no more than 1 MiB", &len, e);
	json_t *root;
	int rc;

	if (!text)
		return e->code;
	root = json_loadb(text, len, JSON_REJECT_DUPLICATES, &error);
	free(text);
	if (!root) {
		char what[JSON_ERROR_TEXT_LENGTH];

		text_escape(what, sizeof(what), error.text, strlen(error.text));
		err_set(e, -EINVAL, "%s: no JSON: line %d: %s", path, error.line, what);
		return err_hint(e, "%s", SHAPE);
	}
	rc = add_all(b, root, path, e);
	json_decref(root);
	return rc;
}
