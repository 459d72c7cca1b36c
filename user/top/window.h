/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What a live view says of the last interval: figures of each producer, from the frames of a model
 * that goes on. Intervals follow one another without a gap; a frame belongs to the one in which it
 * ended. Frames of the intervals to come are kept until these are over.
 *
 * Memory is bounded: by TOP_PRODUCERS, TOP_AHEAD and the limits of what is kept of each producer.
 * One that has made no frame for TOP_IDLE_NS is forgotten, sooner if its thread has ended or
 * another one has no room, unless it is the one that is looked at.
 */
#ifndef TOP_WINDOW_H
#define TOP_WINDOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/model.h"

#define TOP_PRODUCERS 512
#define TOP_AHEAD 4096 /* frames; some 4 KB each */
#define TOP_IDLE_NS UINT64_C(60000000000)
#define TOP_GONE_NS UINT64_C(5000000000) /* the same if its thread has ended */
#define TOP_SLOW 16 /* frames kept of each producer */
#define TOP_WHY_LEN 320
/* Of a frame that no judge has judged: in percent of its producer's median. */
#define TOP_SLOW_PERCENT 150

/* One of the last slow frames. */
struct slow_frame {
	uint64_t number;
	uint64_t end_ns;
	uint64_t wall_ns;
	char why[TOP_WHY_LEN]; /* where its time went, printable */
};

/* One producer's interval. */
struct figures {
	const struct producer *producer; /* lives as long as the model */
	uint64_t frames; /* that ended in it */
	uint64_t left_out; /* of these lossy or truncated: in `frames` and the rate only */
	uint64_t late; /* that ended before it, but were not known then: in no figure */
	bool has_rate;
	uint64_t rate_mhz; /* frames in 1000 s, from end to end; 0: none has ended */
	bool has_interval; /* from one frame's end to the next one's, nearest rank: */
	uint64_t p50_ns, p95_ns, p99_ns;
	uint64_t judged, janky; /* by HWUI's rules; judged 0: it is not known how many were janky */
	struct budget budget; /* sum over the complete frames */
	bool has_blocker;
	struct blocker blocker; /* the longest reason for not running */
	struct fence_name fence; /* of a blocker that is one; empty: not known */
	uint64_t in_flight; /* fences that its process has made; if those of the snapshot are known
			     */
	uint64_t last_end_ns; /* of its last frame */
	unsigned nr_slow;
	struct slow_frame slow[TOP_SLOW]; /* the last first */
};

/* An interval, as it is shown. All zero is empty; ends with snapshot_free(). */
struct snapshot {
	uint64_t from_ns, to_ns;
	bool has_fences; /* whether fences can be seen is known */
	uint64_t fences_in_flight;
	uint64_t lost; /* records, in this interval and before */
	uint64_t lost_before;
	uint64_t dropped; /* frames that there was no room for, so far: they are in no figure */
	struct figures *figures; /* in order of appearance */
	unsigned nr;
	unsigned room;
};

void snapshot_free(struct snapshot *s);

struct window;

/* Intervals of that length from start_ns on. NULL when out of memory; window_free() takes NULL. */
struct window *window_new(uint64_t start_ns, uint64_t interval_ns);
void window_free(struct window *w);

/* For the sink of the model m: 0 or -ENOMEM. */
int window_frame(struct window *w, const struct model *m, const struct frame *f);
void window_fence_wait(struct window *w, const struct fence_wait *wait);

/* A record of a fence came. */
void window_fences_seen(struct window *w);

/* So many records have been lost up to now. */
void window_lost(struct window *w, uint64_t lost);

/* The producer that is looked at, by its id; 0: none. */
void window_keep(struct window *w, uint32_t producer);

/*
 * All frames up to `settled_ns` have come: is the interval over? Then the next one begins, and `s`
 * is filled from the one that ended. An interval is longer than usual if nobody asked in time. 1, 0
 * if it is not over, or -ENOMEM.
 */
int window_close(struct window *w, const struct model *m, uint64_t settled_ns, struct snapshot *s);

/* The same for what there is up to `end_ns`, the end of all. 0: nothing, not even time. */
int window_finish(struct window *w, const struct model *m, uint64_t end_ns, struct snapshot *s);

#endif
