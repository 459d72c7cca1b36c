/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Where the records of a running capture go: into a file (capture/writer.h), or to whoever looks at
 * them while it runs (stream/live.h).
 */
#ifndef CAPTURE_SINK_H
#define CAPTURE_SINK_H

#include <linux/types.h>
#include <stdint.h>

#include <framescope/event.h>

#include "base/err.h"

struct sink;

enum sink_end {
	SINK_WHOLE, /* the capture was stopped in order: all that there is has come */
	SINK_CUT, /* it was not: something may be missing at its end */
	SINK_DISCARD, /* nothing was recorded */
};

/* The first two return 0 or a negative errno; after an error all that comes is refused with it. */
struct sink_ops {
	/* Take a record; it is valid during the call. */
	int (*add)(struct sink *s, const struct fs_header *rec, struct err *e);
	/* All records up to watermark_ns have come. */
	int (*round)(struct sink *s, uint64_t watermark_ns, struct err *e);
	/* No more will come; the capture lets go of the sink. 0 or a negative errno. */
	int (*end)(struct sink *s, enum sink_end how, struct err *e);
};

/* Part of a greater thing, which the functions find from it. */
struct sink {
	const struct sink_ops *ops;
};

#endif
