/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What the rows of `dumpsys SurfaceFlinger --latency LAYER` tell of the layer's frames. It prints
 * at most the last 128, and a script that polls gets most of them again and again: each is counted
 * once. Rows don't say of which layer they are; those of several are counted as one's.
 */
#ifndef JUDGE_LATENCY_H
#define JUDGE_LATENCY_H

#include <stdint.h>

#include "base/quantile.h"
#include "stream/gfxinfo.h"

struct latency_figures {
	uint64_t frames; /* shown */
	uint64_t unfinished; /* not shown yet when they were last dumped */
	uint64_t faulty; /* rows that are cut, or whose times are none */
	uint64_t repeated; /* rows of frames that were counted already */
	uint64_t refresh_ns; /* of the last row; 0 = there was none */

	/* From one present to the next, both in one dump. */
	uint64_t intervals;
	uint64_t span_ns; /* their sum */
	uint64_t missed_vsyncs; /* refreshes of the display within them */
	struct quantile *interval; /* ns */

	/* Frames whose desired time is known, and of these: */
	uint64_t desired;
	uint64_t late; /* presented at least half a refresh later */
	uint64_t ready; /* it is known when they were ready */
	uint64_t ready_late; /* and that was after the desired time */
};

struct latency;

/* NULL when out of memory. Ends with latency_free(), which takes NULL. */
struct latency *latency_new(void);
void latency_free(struct latency *l);

/* Take the next item of a text; those of other kinds are none of its. 0 or -ENOMEM. */
int latency_add(struct latency *l, const struct gfxinfo_item *item);

const struct latency_figures *latency_figures(const struct latency *l);

/* Frames per second, of those that followed one another; 0 if none did. */
double latency_fps(const struct latency_figures *f);

#endif
