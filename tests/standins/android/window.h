/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A window: HWUI's objects of it, its FrameInfos, and its buffers. Objects of Android's classes are
 * known to their functions by address only; each leads to its window.
 */
#ifndef TESTS_ANDROID_WINDOW_H
#define TESTS_ANDROID_WINDOW_H

#include <pthread.h>

#include "standins/android/jank.h"
#include "standins/android/link.h"
#include "standins/android/record.h"

#define INFOS 120 /* that a JankTracker has */
#define BUFFERS 3

struct object {
	struct window *window;
	char rest[120];
};

struct buffer {
	struct window *window;
	uint64_t id, frame_number;
	int fence; /* that it came back with; -1: none */
	uint32_t vgem; /* its number at the consumer, who signals it */
	bool is_signalled;
};

struct window {
	struct window *next;
	struct object surface, reliable, producer, queue_of, proxy, task, context, tracker;
	unsigned number;
	struct frame *posted; /* the UI thread's last one */
	struct frame *frame; /* that RenderThread makes */
	/* HWUI */
	int64_t infos[INFOS][INFO_SLOTS];
	struct frame *frame_of[INFOS];
	unsigned current;
	uint64_t frame_number; /* of the next buffer */
	struct buffer *reserved;
	int64_t dequeue_ns, queue_ns; /* how long the last calls took */
	struct jank_tracker jank;
	/* the buffer queue */
	pthread_mutex_t mutex;
	pthread_cond_t cond;
	struct buffer buffers[BUFFERS];
	struct buffer *free[BUFFERS];
	unsigned nr_free;
	uint64_t nr_buffers; /* that were queued */
};

extern struct window *windows; /* all of them */

struct window *window_new(void);

/* The window of one of its objects. */
static inline struct window *window_of(const void *object)
{
	return ((const struct object *)object)->window;
}

/* The info of the frame that is made, and the frame of an info. */
int64_t *window_info(struct window *w);
struct frame *window_frame(struct window *w, const int64_t *info);

/* What the libraries do. */
int surface_dequeue(void *surface, void **buffer, int *fence);
int surface_hook_dequeue(void *surface, void **buffer, int *fence);
int surface_queue(void *surface, void *buffer, int fence);
int surface_set_timeline(void *surface, uint64_t frame_number, const void *info);
int surface_reserve_next(void *reliable);
int producer_wait_for_free_slot(const void *producer, int caller, void *lock, int *slot);
void producer_release(void *queue, const struct release_callback_id *id, const void *fence,
		      uint64_t max_acquired);

#endif
