/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Collects POINT records, and corrects by them what was said at the start of the capture. */
#include "output/probed.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/libname.h"
#include "base/role.h"
#include "base/text.h"
#include "output/meta.h"

/* A program that is started again, or a library that is mapped again, has its points once more. */
static bool is_known(const struct probed *p, const struct fs_point *point)
{
	for (size_t i = 0; i < p->nr; i++) {
		const struct fs_point *known = &p->points[i];

		if (known->offset == point->offset &&
		    !strncmp(known->symbol, point->symbol, sizeof(known->symbol)) &&
		    !strncmp(known->lib, point->lib, sizeof(known->lib)))
			return true;
	}
	return false;
}

int probed_feed(struct probed *p, const struct fs_header *rec)
{
	const struct fs_point *point = (const struct fs_point *)rec;

	if (rec->kind != FS_KIND_POINT || p->nr == PROBED_MAX || is_known(p, point))
		return 0;
	if (p->nr == p->room) {
		size_t room = p->room ? 2 * p->room : 16;
		struct fs_point *points = realloc(p->points, room * sizeof(*points));

		if (!points)
			return -ENOMEM;
		p->points = points;
		p->room = room;
	}
	p->points[p->nr++] = *point;
	return 0;
}

static void set_text(json_t *object, const char *key, const char *text, size_t len)
{
	char escaped[4 * FS_LIB_LEN + 1];

	_Static_assert(FS_SYMBOL_LEN <= FS_LIB_LEN, "both fit when escaped");
	if (text_escape(escaped, sizeof(escaped), text, len))
		json_object_set_new(object, key, json_string(escaped));
}

static bool has_library(const struct probed *p, const char *lib)
{
	for (size_t i = 0; i < p->nr; i++) {
		char path[FS_LIB_LEN + 1] = "";

		memcpy(path, p->points[i].lib, FS_LIB_LEN);
		if (libname_matches(lib, path))
			return true;
	}
	return false;
}

void probed_update(const struct probed *p, json_t *meta)
{
	json_t *missing = json_object_get(meta, "missing"), *attached;

	if (!p->nr)
		return;
	attached = json_array();
	for (size_t i = 0; i < p->nr && i < META_LIST_MAX; i++) {
		json_t *point = json_object();

		set_text(point, "lib", p->points[i].lib, sizeof(p->points[i].lib));
		set_text(point, "symbol", p->points[i].symbol, sizeof(p->points[i].symbol));
		if (role_name(p->points[i].role))
			json_object_set_new(point, "role",
					    json_string(role_name(p->points[i].role)));
		json_array_append_new(attached, point);
	}
	json_object_set_new(meta, "attached", attached);
	for (size_t i = json_array_size(missing); i; i--)
		if (has_library(p, json_string_value(json_array_get(missing, i - 1))))
			json_array_remove(missing, i - 1);
}

void probed_free(struct probed *p)
{
	free(p->points);
	*p = (struct probed){ 0 };
}
