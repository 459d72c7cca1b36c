/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The functions worth probing, and the user's own (--uprobe). Adding a point is one row. */
#ifndef PROBE_CATALOGUE_H
#define PROBE_CATALOGUE_H

#include <stdbool.h>
#include <stdint.h>

#include <linux/types.h>

#include <framescope/event.h>

#include "base/err.h"

/* One function in one kind of library. */
struct point_spec {
	const char *lib; /* file name without version: "libEGL.so" also matches "libEGL.so.1.1.0" */
	const char *symbol; /* mangled; NULL: `offset` counts */
	uint64_t offset;
	enum fs_role role;
	bool by_reference; /* its buffer is an sp<GraphicBuffer> &&, its fence an android::Fence */
	bool named; /* its second argument is a string that says what for */
	bool user; /* from --uprobe: not finding it is an error, and `lib` may be a path */
};

/* The built-in points, ended by lib == NULL. */
extern const struct point_spec catalogue[];

/*
 * Parse LIB:SYMBOL[=ROLE] or LIB@0xOFFSET[=ROLE]. On success the strings in *spec are malloc'ed and
 * the caller's (point_spec_free). -EINVAL with a text that shows the accepted forms and roles.
 */
int point_spec_parse(const char *text, struct point_spec *spec, struct err *e);
void point_spec_free(struct point_spec *spec);

/* Is the file at `path` of the library that `spec` names? */
bool point_spec_matches(const struct point_spec *spec, const char *path);

/*
 * Directories where a library may lie that no watched process has mapped yet, NULL-terminated:
 * Android's and this distribution's. They are glob(7) patterns ("/apex/" + "*" + "/lib64"), and
 * several may name one directory (/lib is often /usr/lib): tell files apart by device and inode.
 */
extern const char *const catalogue_search_dirs[];

#endif
