/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What the parts of the Chrome JSON export share: events, one a line, and tracks that are no
 * threads. A viewer nests the slices of a thread and knows no other track, so that what may overlap
 * is laid on several threads of one name, with numbers that no thread has.
 */
#ifndef EXPORT_CHROME_H
#define EXPORT_CHROME_H

#include <linux/types.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/idmap.h"
#include "export/export.h"
#include "output/line.h"
#include "output/listing.h"

/* Processes and threads of the kernel's have numbers below 2^22. */
#define CHROME_FENCES_PID (UINT64_C(1) << 30)
#define CHROME_LANE_TID (UINT64_C(1) << 29) /* and up */

struct chrome_lanes;
struct chrome_fences;

struct chrome {
	struct line line; /* an event */
	bool any; /* there is an event in front */
	int error; /* -ENOMEM */
	struct idmap points; /* id of a point -> its name */
	struct idmap tasks; /* tid -> what it was called last */
	struct chrome_lanes *lanes; /* by name */
	uint64_t nr_lanes;
	uint64_t nr_async, nr_flows; /* ids */
	struct chrome_fences *fences;
};

/* Where an event is. */
struct chrome_at {
	uint64_t pid;
	uint64_t tid;
	uint64_t ns;
};

/*
 * Begin an event: up to its time, with a category and a name, which may be any text; then print
 * further members, each with a comma before it, and end it.
 */
void chrome_begin(struct chrome *c, char phase, const struct chrome_at *at, const char *category,
		  const char *name);
void chrome_end(struct chrome *c);

/* A number behind a literal. */
#define chrome_number(c, literal, n) (line_put(&(c)->line, literal), line_number(&(c)->line, n))

/* The members "dur", and "args" with the columns that have a value. */
void chrome_duration(struct chrome *c, uint64_t ns);
void chrome_args(struct chrome *c, const struct listing_column *columns, const void *row);

/* "process_name" and kin. */
void chrome_metadata(struct chrome *c, uint64_t pid, uint64_t tid, const char *what,
		     const char *name);

/* A counter of the process has that value from then on; at->tid is not used. */
void chrome_counter(struct chrome *c, const struct chrome_at *at, const char *category,
		    const char *name, const char *unit, uint64_t value);

/* An arrow; both ends must be within a slice. */
void chrome_flow(struct chrome *c, const struct chrome_at *from, const struct chrome_at *to,
		 const char *name);

/*
 * A track of that name and process on which nothing is from then on: its number, where slices up to
 * to_ns are now expected. 0: there are too many, or no memory.
 */
uint64_t chrome_lane(struct chrome *c, uint64_t pid, const char *name, uint64_t from_ns,
		     uint64_t to_ns);
void chrome_lanes_free(struct chrome *c);

/* A slice in that track; if it is 0, one by itself, which no viewer nests. */
struct chrome_slice {
	uint64_t pid;
	uint64_t tid;
	const char *track;
	const char *category;
	const char *name;
	uint64_t from_ns, to_ns;
	const struct listing_column *columns; /* of the arguments */
	const void *row;
};
void chrome_slice(struct chrome *c, const struct chrome_slice *s);

/* chrome_fences.c */
int chrome_fence_begun(struct export *x, const struct fence *f);
int chrome_fence_ended(struct export *x, const struct fence *f, enum fence_end how);
int chrome_fence_left(struct export *x, const struct fence *f);
void chrome_fences_free(struct chrome *c);

/* Where a signal of that fence from from_ns to to_ns is in a slice. False: it is not known. */
bool chrome_fence_signal(const struct chrome *c, struct fence_id id, uint64_t from_ns,
			 uint64_t to_ns, struct chrome_at *at);

#endif
