/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Pairs the steps of each buffer. */
#include "model/buffer_frames.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/told.h"

/* Perfetto's BufferEventType, as far as frames are made of it. */
enum { STEP_DEQUEUE = 1, STEP_QUEUE = 2, STEP_ACQUIRE_FENCE = 4, STEP_PRESENT_FENCE = 8 };

/* At a dequeue the number of the frame is not known yet: the buffer is what ties it to its queue.
 */
struct dequeued {
	char layer[FS_LAYER_LEN];
	uint32_t buffer_id;
	uint64_t ns; /* 0: none */
};

struct queued_buffer {
	char layer[FS_LAYER_LEN];
	uint32_t frame_number;
	uint64_t dequeue_ns, queue_ns;
	uint64_t acquire_ns, present_ns; /* 0: not (yet) known */
};

struct buffer_frames {
	struct dequeued dequeued[BUFFER_DEQUEUES]; /* by hash: a newer one takes the place */
	struct queued_buffer queued[BUFFER_FRAMES]; /* a ring, by queue */
	unsigned head, nr;
	unsigned by_hash[BUFFER_FRAMES]; /* the last one of that hash: its count since the first */
	unsigned count;
};

void buffer_frames_free(struct buffer_frames *b)
{
	free(b);
}

/* FNV-1a, of a layer and a number. */
static unsigned hash_of(const char *layer, uint32_t number)
{
	uint32_t hash = 2166136261u ^ number * 2654435761u;

	for (; *layer; layer++)
		hash = (hash ^ (unsigned char)*layer) * 16777619u;
	return hash ^ hash >> 16;
}

static struct dequeued *dequeued_of(struct buffer_frames *b, const char *layer, uint32_t buffer_id)
{
	return &b->dequeued[hash_of(layer, buffer_id) % BUFFER_DEQUEUES];
}

/* The frame of the layer with that number, if it waits here and no other took its place. */
static struct queued_buffer *find(struct buffer_frames *b, const char *layer, uint32_t number)
{
	unsigned count = b->by_hash[hash_of(layer, number) % BUFFER_FRAMES];
	unsigned back = b->count - count;
	struct queued_buffer *q;

	if (!count || back >= b->nr)
		return NULL;
	q = &b->queued[(b->head + b->nr - 1 - back) % BUFFER_FRAMES];
	return q->frame_number == number && !strcmp(q->layer, layer) ? q : NULL;
}

static int send_first(struct model *m)
{
	struct buffer_frames *b = m->buffer_frames;
	const struct queued_buffer *q = &b->queued[b->head];
	struct frame f = {
		.start_ns = q->dequeue_ns,
		.end_ns = q->queue_ns,
		.status = FRAME_COMPLETE,
		.acquire_signal_ns = q->acquire_ns,
		.dumped = DUMP_BUFFER,
		.actual_present_ns = q->present_ns,
		.hwui.frame_number = q->frame_number,
	};
	struct teller *layer;
	int err;

	b->head = (b->head + 1) % BUFFER_FRAMES;
	b->nr--;
	/* These are frames of which more is known, or will be. */
	if (m->stats.frames > m->stats.buffer_frames || m->timelines)
		return 0;
	err = told_layer(m, 0, q->layer, &layer);
	if (err || !layer)
		return err;
	m->stats.buffer_frames++;
	told_send(m, layer, &f);
	return 0;
}

int buffer_frames_tick(struct model *m, uint64_t now)
{
	struct buffer_frames *b = m->buffer_frames;
	int err = 0;

	while (b && b->nr && !err) {
		uint64_t queued = b->queued[b->head].queue_ns;

		if (now != UINT64_MAX && (now < queued || now - queued <= BUFFER_NS))
			break;
		err = send_first(m);
	}
	return err;
}

static int feed_queue(struct model *m, const struct fs_buffer *rec, const char *layer)
{
	struct buffer_frames *b = m->buffer_frames;
	struct dequeued *d = dequeued_of(b, layer, rec->buffer_id);
	uint64_t from = d->ns;
	struct queued_buffer *q;
	int err = 0;

	/* When it began was not seen, or is not kept any more. */
	if (!from || from >= rec->h.time_ns || d->buffer_id != rec->buffer_id ||
	    strcmp(d->layer, layer) != 0)
		return 0;
	d->ns = 0;
	if (b->nr == BUFFER_FRAMES)
		err = send_first(m);
	q = &b->queued[(b->head + b->nr++) % BUFFER_FRAMES];
	*q = (struct queued_buffer){
		.frame_number = rec->frame_number,
		.dequeue_ns = from,
		.queue_ns = rec->h.time_ns,
	};
	snprintf(q->layer, sizeof(q->layer), "%s", layer);
	b->by_hash[hash_of(layer, rec->frame_number) % BUFFER_FRAMES] = ++b->count;
	return err;
}

int buffer_frames_feed(struct model *m, const struct fs_buffer *rec)
{
	uint64_t end = rec->h.time_ns + rec->duration_ns;
	char layer[FS_LAYER_LEN];
	struct queued_buffer *q;
	struct dequeued *d;

	if (!m->buffer_frames)
		m->buffer_frames = calloc(1, sizeof(*m->buffer_frames));
	if (!m->buffer_frames)
		return -ENOMEM;
	if (end < rec->h.time_ns)
		return 0;
	snprintf(layer, sizeof(layer), "%.*s", (int)sizeof(rec->layer), rec->layer);
	switch (rec->type) {
	case STEP_DEQUEUE:
		d = dequeued_of(m->buffer_frames, layer, rec->buffer_id);
		*d = (struct dequeued){ .buffer_id = rec->buffer_id, .ns = rec->h.time_ns };
		snprintf(d->layer, sizeof(d->layer), "%s", layer);
		return 0;
	case STEP_QUEUE:
		return feed_queue(m, rec, layer);
	case STEP_ACQUIRE_FENCE:
		q = find(m->buffer_frames, layer, rec->frame_number);
		if (q)
			q->acquire_ns = end;
		return 0;
	case STEP_PRESENT_FENCE:
		q = find(m->buffer_frames, layer, rec->frame_number);
		if (q)
			q->present_ns = end;
		return 0;
	default:
		return 0;
	}
}
