/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The metrics that a gate can hold against a limit, by name. Those of a frame follow from the
 * columns of frames, so that a new column of a duration is a new metric.
 */
#ifndef GATE_METRIC_H
#define GATE_METRIC_H

#include <stdbool.h>
#include <stdint.h>

#include "model/frame.h"
#include "output/listing.h"

#define GATE_METRIC_LEN 64
#define GATE_MEANING_LEN 120

enum gate_form {
	GATE_DURATION, /* a frame has it, ns; negative where it says how much too early */
	GATE_YES_NO, /* a frame has it: 1 or 0 */
	GATE_FPS, /* the others are one number of a run */
	GATE_FRAMES,
	GATE_LOSSY,
	GATE_TRUNCATED,
};

/* What must be in a capture for the metric to be. */
enum gate_need {
	GATE_NEED_FRAMES, /* seen one after the other: a text of dumpsys has them not */
	GATE_NEED_TIMES, /* frames whose beginning and end are known */
	GATE_NEED_THREADS, /* what threads did: budgets */
	GATE_NEED_REASONS, /* and why they were blocked, which traces of others do not say */
	GATE_NEED_CALLS, /* probed calls */
	GATE_NEED_FENCES,
	GATE_NEED_HWUI, /* frames of HWUI */
	GATE_NEED_FRAME_INFO, /* that have a FrameInfo, which HWUI and its listeners judge by */
	GATE_NEED_TIMELINE, /* SurfaceFlinger's FrameTimeline */
	GATE_NEED_TABLE, /* dumpsys gfxinfo's table of times */
	GATE_NEED_NR
};

struct gate_metric {
	char name[GATE_METRIC_LEN]; /* "wall", "stage.sync", "jank.hwui" */
	char meaning[GATE_MEANING_LEN];
	/* Of a frame: 1 and *value, or 0. NULL: not of one frame, as of a run or `interval`. */
	bool (*read)(const struct gate_metric *m, const struct frame *f, int64_t *value);
	const struct listing_column *column; /* for read(), likewise */
	const struct budget *(*of)(const struct frame *f); /* which budget's part it is */
	unsigned arg;
	enum gate_form form;
	enum gate_need need;
};

/* Does every frame have it or not have it, so that a series of values is collected? */
static inline bool gate_metric_has_series(const struct gate_metric *m)
{
	return m->form == GATE_DURATION || m->form == GATE_YES_NO;
}

/* How many there are; they are counted from 0. At most GATE_METRICS_MAX. */
#define GATE_METRICS_MAX 160
unsigned gate_metrics(void);

/* One of them, in an order that only ever grows at its end within a part. */
const struct gate_metric *gate_metric_at(unsigned index);

/* Its index, or -1. */
int gate_metric_find(const char *name, size_t len);

/* The nearest name, or NULL if none is near enough to be meant. */
const char *gate_metric_nearest(const char *name);

/* Is this column of frames a duration, and so a metric? */
bool gate_column_is_duration(const char *column);

/* Those that others are reckoned from. */
#define GATE_METRIC_WALL "wall"
#define GATE_METRIC_INTERVAL "interval"

#endif
