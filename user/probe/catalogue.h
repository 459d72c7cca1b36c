/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The functions worth probing, and the user's own (--uprobe). Adding a point is one row. */
#ifndef PROBE_CATALOGUE_H
#define PROBE_CATALOGUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <linux/types.h>

#include <framescope/event.h>

#include "base/err.h"

#define POINT_FORMS 6

/* A function in one of the forms that it has had. */
struct point_form {
	const char *symbol; /* mangled; with '*' at its end any that begins like it */
	const char *releases; /* of Android, that have it; NULL = there is but this form */
	uint64_t how; /* FS_COOKIE_...: how its arguments are read; state.h */
};

/* One function in one kind of library. */
struct point_spec {
	const char *name; /* "hwui.finish_frame"; NULL for the user's */
	const char *lib; /* file name without version: "libEGL.so" also matches "libEGL.so.1.1.0" */
	enum fs_role role;
	bool exclusive; /* only the first of its forms that a library has is probed, not each */
	bool optional; /* its absence is no fault of the library's, or costs little */
	bool user; /* from --uprobe: not finding it is an error, and `lib` may be a path */
	const char *loss; /* what is not known without it */
	uint64_t offset; /* the user's: in the ELF file, where forms[0] has no symbol */
	struct point_form
		forms[POINT_FORMS + 1]; /* in order of preference, to one without symbol */
};

/* The built-in points, ended by lib == NULL; those of one library are together. */
extern const struct point_spec catalogue[];
size_t catalogue_size(void); /* without its end */

/*
 * Parse LIB:SYMBOL[=ROLE] or LIB@0xOFFSET[=ROLE]. On success the strings in *spec are malloc'ed and
 * the caller's (point_spec_free). -EINVAL with a text that shows the accepted forms and roles.
 */
int point_spec_parse(const char *text, struct point_spec *spec, struct err *e);
void point_spec_free(struct point_spec *spec);

#endif
