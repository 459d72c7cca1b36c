/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The parts of the Perfetto format, and what they share. */
#ifndef EXPORT_PERFETTO_H
#define EXPORT_PERFETTO_H

#include <linux/types.h>
#include <stdbool.h>
#include <stdint.h>

#include "export/export.h"
#include "export/perfetto_records.h"
#include "export/perfetto_sched.h"
#include "export/perfetto_tracks.h"

#define BUFFERS_MAX 64 /* of one producer that have a number; slots of an Android buffer queue */
#define TIMELINES_MAX 4096 /* fence timelines with tracks of their own */

struct out_buffer {
	uint64_t address; /* 0: none */
	uint32_t id;
	uint64_t used; /* of producer->uses */
};

/* The tracks of a producer. */
struct out_producer {
	uint64_t parent;
	struct lanes frames;
	char name[PRODUCER_NAME_LEN + 16]; /* of the track */
	uint64_t depth_track; /* 0: none yet */
	uint64_t depth_ns; /* of the last value */
	struct out_buffer buffers[BUFFERS_MAX];
	uint64_t uses;
};

#define TIMELINE_NAME_LEN (FENCE_TIMELINE_LEN + FS_DRIVER_LEN + 32)

/* The tracks of a fence timeline. */
struct out_timeline {
	char key[TIMELINE_NAME_LEN]; /* the context's number, or the name that several share */
	UT_hash_handle hh;
	bool shared;
	uint64_t context; /* unless it is shared */
	char name[TIMELINE_NAME_LEN]; /* the last that was known */
	char described[TIMELINE_NAME_LEN]; /* that which its tracks have */
	struct lanes fences;
	struct lanes signals;
	uint64_t counter; /* the track */
	uint64_t counted_ns; /* of its last value */
	int64_t in_flight;
};

/* To which timeline a context belongs. */
struct out_context {
	uint64_t id;
	UT_hash_handle hh;
	struct out_timeline *timeline; /* NULL: none yet, for it has no name */
	uint64_t begun_ns; /* then: when the first of its fences was in flight */
};

struct perfetto {
	struct export *x;
	struct packets *packets;
	struct tracks tracks;
	struct sched sched;
	struct records records;
	uint64_t now_ns; /* the latest of all records */

	bool has_clock; /* the first clock record is in first_clock */
	struct fs_clock first_clock, last_clock;
	char release[64], machine[64]; /* of the kernel; empty: not known */

	struct idmap producers; /* id -> struct out_producer */
	uint32_t last_buffer;

	struct out_timeline *timelines;
	unsigned nr_timelines;
	struct out_context *contexts;
	unsigned nr_contexts;

	uint64_t last_flow;
	int64_t last_cookie;
	bool others_buffers; /* the input has GraphicsFrameEvents of its own */
};

/* perfetto_frames.c; 0 or -ENOMEM, like the others */
int perfetto_frame(struct perfetto *o, const struct frame *f);
int perfetto_block(struct perfetto *o, const struct block *b);
struct out_producer *perfetto_producer(struct perfetto *o, const struct producer *p);
void perfetto_frames_free(struct perfetto *o);

/* perfetto_fences.c */
int perfetto_fence_begun(struct perfetto *o, const struct fence *f);
int perfetto_fence_ended(struct perfetto *o, const struct fence *f, enum fence_end how);
int perfetto_fence_left(struct perfetto *o, const struct fence *f);
void perfetto_fences_end(struct perfetto *o);
void perfetto_fences_free(struct perfetto *o);
/* NULL if memory ran out. */
struct out_timeline *perfetto_timeline(struct perfetto *o, uint64_t context);

/* perfetto_flows.c */
int perfetto_wait(struct perfetto *o, const struct fence_wait *w);

/* perfetto_buffers.c: what becomes a packet of a kind that others write, too */
void perfetto_buffers_frame(struct perfetto *o, struct out_producer *producer,
			    const struct frame *f);
void perfetto_buffer(struct perfetto *o, const struct fs_buffer *rec);
void perfetto_timeline_record(struct perfetto *o, const struct fs_timeline *rec);

#endif
