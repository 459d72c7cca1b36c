/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The functions that were probed in the course of a capture, from its POINT records. The capture's
 * JSON text tells only of its start: libraries are probed whenever a program maps them.
 */
#ifndef OUTPUT_PROBED_H
#define OUTPUT_PROBED_H

#include <stddef.h>

#include <jansson.h>
#include <linux/types.h>

#include <framescope/event.h>

#define PROBED_MAX 1024 /* what is beyond is in the capture, but in no list */

/* All zero is empty. */
struct probed {
	struct fs_point *points; /* in order of their coming, each function once */
	size_t nr;
	size_t room;
};

/* Take the record if it is a POINT. 0 or -ENOMEM. */
int probed_feed(struct probed *p, const struct fs_header *rec);

/*
 * Bring what meta_parse() gave up to date: "attached" is what was probed, and a library of it is no
 * longer "missing". Nothing changes if there was no POINT record.
 */
void probed_update(const struct probed *p, json_t *meta);

void probed_free(struct probed *p); /* leaves it empty */

#endif
