/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Runs as a comparison needs them, whether they come from captures or from a summary of these: per
 * producer and metric one struct measure, and under which circumstances they were recorded.
 */
#ifndef GATE_BASELINE_H
#define GATE_BASELINE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#include "base/err.h"
#include "gate/measure.h"
#include "gate/samples.h"

#define BASELINE_SCHEMA "framescope.summary/1"
#define BASELINE_RUNS_MAX 256
#define BASELINE_FILE_MAX ((size_t)64 << 20) /* bytes of a summary */

struct baseline_producer {
	char *name; /* as printed */
	uint64_t counts[FRAME_STATUS_NR];
	double fps; /* 0: not known */
	struct measure *metrics[GATE_METRICS_MAX]; /* NULL: it has not that */
};

struct baseline_run {
	char *file; /* the capture's name, as printed */
	json_t *circumstances; /* an object of texts and numbers */
	struct baseline_producer *producers;
	unsigned nr;
};

/* All zero is empty. */
struct baseline {
	struct baseline_run runs[BASELINE_RUNS_MAX];
	unsigned nr;
};

/*
 * Is it a metric that summaries hold? Not those that are parts of others, or another's name for the
 * same.
 */
bool baseline_has_metric(unsigned metric);

/* For gate_samples_new(): by metric, whether summaries hold it. */
void baseline_wanted(bool wanted[GATE_METRICS_MAX]);

/* Add one run. `meta`: the capture's JSON text, or NULL. 0 or a negative errno. */
int baseline_add(struct baseline *b, const char *path, const struct gate_samples *samples,
		 const char *meta, struct err *e);

/* Does the file begin like a summary does? Not a pipe, which can be read only once. */
bool baseline_is_summary(const char *path);

/* Add the runs of a summary. Nothing in it is believed unchecked. 0 or a negative errno. */
int baseline_read(struct baseline *b, const char *path, struct err *e);

/* As a summary. 0 or -ENOMEM. */
int baseline_print(FILE *out, const struct baseline *b, struct err *e);

/* The producer of that name, or NULL. */
const struct baseline_producer *baseline_find(const struct baseline_run *run, const char *name);

/* For those that add runs: the next one, zeroed, or NULL with the error. */
struct baseline_run *baseline_next(struct baseline *b, const char *path, struct err *e);

void baseline_free(struct baseline *b);

#endif
