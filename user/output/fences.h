/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The rows of `framescope fences` and `export`: four views, each one file.
 */
#ifndef OUTPUT_FENCES_H
#define OUTPUT_FENCES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "model/fence_stats.h"
#include "model/fences.h"
#include "output/cells.h"
#include "output/listing.h"

/* What a row is made of. Which members are valid depends on the view. */
struct fences_row {
	const struct fence_timeline *timeline;
	uint64_t length_ns; /* of the capture, 0 = not known: with timeline */
	const struct fence_wait *wait;
	const struct fence_unsignaled *unsignaled;
	const struct fence *fence;
	bool ended; /* of `fence`: it is over ... */
	enum fence_end how; /* ... and this is how; else it is still in flight */
	const char *signaller; /* name of the thread that signalled it; empty if not known */
	const struct fence_name *name; /* of what the row is about */
	uint64_t origin_ns; /* what the times in a table count from */
};

extern const struct listing_view fences_timelines; /* fences_timelines.c */
extern const struct listing_view fences_waits; /* fences_waits.c */
extern const struct listing_view fences_unsignaled; /* fences_unsignaled.c */
extern const struct listing_view fences_lives; /* fences_lives.c: one row per fence */

/* For the views: text, or "-" for what was not observed. */
const char *fences_dash(const char *text);

/* Columns of the name: one for either. */
enum fences_name_arg { FENCES_DRIVER, FENCES_TIMELINE };
void fences_get_name(const void *of, unsigned arg, struct cell *c);

/* "context:seqno", cut to `width`. */
void fences_id(char *dst, size_t len, struct fence_id id, unsigned width);

/* "driver/timeline", escaped; empty if neither is known. Returns its length. */
size_t fences_full_name(char *dst, size_t len, const struct fence_name *name);

/* "comm/tid", escaped and cut to `width` if that is not WORDS_NO_LIMIT; never the number. */
void fences_thread(char *dst, size_t len, const char *comm, uint32_t tid, unsigned width);

#endif
