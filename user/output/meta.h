/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The JSON text that record leaves in a capture, read with distrust: whatever is absent or of the
 * wrong type is as if it were not there, and all strings are escaped.
 */
#ifndef OUTPUT_META_H
#define OUTPUT_META_H

#include <stdbool.h>

#include <jansson.h>

#define META_LIST_MAX 64 /* entries of a list that are looked at */

/* An object with the known keys that the text has, or an empty one. NULL when out of memory. */
json_t *meta_parse(const char *text);

/* Is it of a trace that others recorded? NULL is none. */
bool meta_is_trace(const char *text);

/* A string of the object, or NULL. */
const char *meta_string(const json_t *meta, const char *key);

#endif
