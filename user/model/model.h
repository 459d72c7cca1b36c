/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * From records to frames. Streaming: memory grows with the number of live threads, producers and
 * open frames, not with the length of the capture. Robust against any stream: out of order, with
 * holes, contradictory; it may then know less, but never says what was not observed.
 */
#ifndef MODEL_MODEL_H
#define MODEL_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include "model/block.h"
#include "model/frame.h"
#include "model/messages.h"

struct model;

struct model_sink {
	/*
	 * A finished frame. Frames of one producer come in order. Valid during the call; the sink
	 * may change it, such as put verdicts into it. NULL: not wanted.
	 */
	void (*frame)(void *ctx, struct frame *f);
	/* A thread was blocked for a fence whose identity is known. NULL: not wanted. */
	void (*fence_wait)(void *ctx, const struct fence_wait *w);
	/* A message of a UI thread has ended. NULL: not wanted. */
	void (*message)(void *ctx, const struct message *msg);
	/*
	 * A thread with probed calls did not run. Those of one thread come in order, but late: when
	 * nothing that comes can change them. NULL: not wanted.
	 */
	void (*block)(void *ctx, const struct block *b);
	void *ctx;
};

struct model_stats {
	uint64_t frames;
	uint64_t hwui_frames; /* of which HWUI's are */
	uint64_t buffer_frames; /* of which only GraphicsFrameEvents tell */
	uint64_t producers;
	uint64_t stale; /* records dropped because a later one of their thread came first */
	uint64_t implausible; /* FrameInfos whose times are in no order: not believed */
	bool ends_probed; /* a function that ends frames is */
	bool surfaces_probed; /* android::Surface is: what is drawn is seen by its buffers */
	uint64_t start_ns; /* the capture's edges; 0 = not known */
	uint64_t stop_ns;
	uint64_t first_ns; /* of all records; 0 = none came */
	uint64_t last_ns; /* the latest */
	uint64_t last_loss_ns; /* when records were last lost; 0 = never */
	uint64_t realtime_offset_ns; /* REALTIME - MONOTONIC at the start; 0 = not known */
};

/* NULL when out of memory. The sink is copied. Ends with model_free(), which takes NULL. */
struct model *model_new(const struct model_sink *sink);
void model_free(struct model *m);

/* Take the next record of a time-ordered stream. 0 or -ENOMEM. */
int model_feed(struct model *m, const struct fs_header *rec);

/* The stream has ended: closes what is open (truncated). 0 or -ENOMEM. */
int model_finish(struct model *m);

/*
 * Be told of the fences (model/fences.h), if nobody is yet: of each step in their life. The
 * observer is not copied. Before the first record.
 */
struct fence;
struct fence_observer;
void model_watch_fences(struct model *m, const struct fence_observer *observer);

const struct model_stats *model_stats(const struct model *m);

/* The capture's end and length, by its marks or, without them, its first and last record; ns. */
uint64_t model_end_ns(const struct model *m);
uint64_t model_length_ns(const struct model *m);

/* What is known of a fence context's name. At any time. */
void model_fence_name(const struct model *m, uint64_t context, struct fence_name *name);

/* The fences in flight: the oldest, from which `next` leads on. NULL: none. Until the next record.
 */
const struct fence *model_fences_in_flight(const struct model *m);

/*
 * Of a stream that goes on, fed up to `fed_ns`: the frames that ended up to then have been given
 * away, all but those that have waited for longer than `patience_ns` for what is to become known of
 * them, or for their thread to run again.
 */
uint64_t model_settled_ns(const struct model *m, uint64_t fed_ns, uint64_t patience_ns);

/* The process of a thread; 0: not known, or it is gone. */
uint32_t model_thread_pid(const struct model *m, uint32_t tid);

/* What the thread is called, if it is there; else "". Until the next record. */
const char *model_thread_name(const struct model *m, uint32_t tid);

/* The capture's JSON text (FS_KIND_META), or NULL if none came. Valid until model_free(). */
const char *model_meta(const struct model *m);

#endif
