/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What one run - one file - has measured: per producer the values of each metric that is wanted, of
 * complete frames, in their order, and how many frames were not complete.
 *
 * Memory is bounded. A series keeps at most GATE_SERIES_MAX values; a longer one is thinned, evenly
 * but at random within each stretch, so that neither its order nor what alternates from frame to
 * frame is lost. Count, sum, least and greatest stay those of all values. All series of a run
 * together keep about GATE_VALUES_MAX values: those that would grow beyond are thinned earlier.
 */
#ifndef GATE_SAMPLES_H
#define GATE_SAMPLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gate/metric.h"
#include "model/pace.h"

#define GATE_SERIES_MAX 131072 /* frames of half an hour at 60 a second */
#define GATE_VALUES_MAX ((size_t)32 << 20)
#define GATE_PRODUCERS_MAX 1024
#define GATE_NAME_LEN (4 * PRODUCER_NAME_LEN + 1)

/* All zero is empty. */
struct gate_series {
	int64_t *values; /* in the frames' order */
	size_t nr;
	size_t room;
	uint64_t count; /* of all values, kept or not */
	uint64_t stride; /* each kept one stands for so many; 1: all are kept, and 0: there is none
			  */
	int64_t pending; /* the one chosen so far of the stretch that is not full */
	double sum; /* of all */
	int64_t min, max; /* of all */
};

/* One producer in one run. */
struct gate_producer {
	char name[GATE_NAME_LEN]; /* as printed: escaped */
	char *window; /* its title; NULL: not known */
	uint64_t counts[FRAME_STATUS_NR]; /* as in a report: without skipped frames of HWUI */
	struct pace pace;
	bool told_in_dump; /* dumpsys told of it: frames may be missing between any two */
	uint32_t seen; /* roles of calls in any of its frames: 1u << enum fs_role */
	uint64_t wall_sum_ns; /* of complete frames */
	/* By metric; NULL: not wanted, or no frame had it. */
	struct gate_series *series[GATE_METRICS_MAX];
	/* Frames that were not complete, and had it. */
	bool elsewhere[GATE_METRICS_MAX];
};

struct gate_samples;

/* `wanted`: by metric; NULL: all. NULL when out of memory. Ends with gate_samples_free(). */
struct gate_samples *gate_samples_new(const bool *wanted);
void gate_samples_free(struct gate_samples *s); /* NULL is fine */

/*
 * Take a judged frame. If it is complete and its interval known, that is said in *interval_ns, else
 * it is 0. 0, -ENOMEM, or -E2BIG if there are more than GATE_PRODUCERS_MAX producers.
 */
int gate_samples_add(struct gate_samples *s, const struct frame *f, uint64_t *interval_ns);

/* In order of appearance; NULL past the last. */
const struct gate_producer *gate_samples_producer(const struct gate_samples *s, unsigned index);

/* The shortest interval of the display that a FrameInfo told, ns; 0: none did. */
uint64_t gate_samples_display_ns(const struct gate_samples *s);

/* That name, which is the same in all runs of a thing; or NULL. */
const struct gate_producer *gate_samples_find(const struct gate_samples *s, const char *name);

/* Seconds between the first and the last swap seen; 0: fewer than two. */
double gate_producer_seconds(const struct gate_producer *p);

#endif
