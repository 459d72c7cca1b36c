/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What a report says of many frames: per producer the counts, percentiles, summed budget, top
 * blockers and worst frames. Streaming; fed with the frames of a model.
 */
#ifndef MODEL_SUMMARY_H
#define MODEL_SUMMARY_H

#include <stdint.h>

#include "base/quantile.h"
#include "model/frame.h"
#include "model/pace.h"
#include "model/stage_summary.h"
#include "model/timeline_summary.h"

#define SUMMARY_WORST 10
#define SUMMARY_BLOCKERS 10

/*
 * One producer's part of a report. Percentiles, budget, blockers and worst frames are of complete
 * frames only; counts[] says how many were left out. Skipped frames of HWUI are in none of these,
 * only in stages.kinds[]. What FrameTimeline says is counted of all.
 */
struct producer_summary {
	const struct producer *producer;
	uint64_t counts[FRAME_STATUS_NR];
	struct pace pace;
	struct quantile *wall;
	struct quantile *interval; /* from one frame's end to the next one's */
	struct quantile *parts[BUDGET_NR]; /* each part's length per frame, 0 included */
	struct quantile *swap; /* of the frames where it was seen, likewise below */
	struct quantile *dequeue;
	struct quantile *queue;
	struct budget total;
	uint64_t unknown_wait_ns; /* of total's unknown part: waits for what is not known */
	struct stage_summary stages;
	struct timeline_summary timeline;
	unsigned nr_blockers;
	struct blocker blockers[SUMMARY_BLOCKERS]; /* longest first */
	unsigned nr_worst;
	const struct frame *worst; /* longest wall first */
};

struct summary;

struct summary *summary_new(void); /* NULL when out of memory */
void summary_free(struct summary *s); /* NULL is fine */

/* 0 or -ENOMEM. The frame's producer must outlive the summary. */
int summary_add(struct summary *s, const struct frame *f);

/*
 * Producers in order of appearance; NULL past the last. Sorts what is to be sorted: no frame may be
 * added after that.
 */
const struct producer_summary *summary_producer(struct summary *s, unsigned index);

#endif
