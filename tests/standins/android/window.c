// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Windows, and the producer's side of their buffer queues. */
#include "standins/android/window.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "standins/android/api.h"
#include "standins/android/backend.h"
#include "standins/android/work.h"
#include "standins/truth.h"

/* What the memory of a FrameInfo holds before somebody writes to it. */
#define GARBAGE 7599383958533334121

struct window *windows;

struct window *window_new(void)
{
	static unsigned number;
	struct window *w = calloc(1, sizeof(*w));

	if (!w)
		die(-ENOMEM, "can't open a window");
	w->surface.window = w->reliable.window = w->producer.window = w->queue_of.window = w;
	w->proxy.window = w->task.window = w->context.window = w->tracker.window = w;
	w->number = number++;
	w->frame_number = 1;
	jank_open(&w->jank);
	w->next = windows;
	windows = w;
	for (unsigned i = 0; i < INFOS; i++) {
		for (unsigned at = 0; at < INFO_SLOTS; at++)
			w->infos[i][at] = GARBAGE;
	}
	pthread_mutex_init(&w->mutex, NULL);
	pthread_cond_init(&w->cond, NULL);
	for (unsigned i = 0; i < BUFFERS; i++) {
		w->buffers[i].window = w;
		w->buffers[i].id = ((uint64_t)getpid() << 32) + w->number * 16 + i;
		w->buffers[i].fence = -1;
		w->free[w->nr_free++] = &w->buffers[i];
	}
	return w;
}

int64_t *window_info(struct window *w)
{
	w->frame_of[w->current] = w->frame;
	return w->infos[w->current];
}

struct frame *window_frame(struct window *w, const int64_t *info)
{
	return w->frame_of[(info - w->infos[0]) / INFO_SLOTS];
}

int producer_wait_for_free_slot(const void *producer, int caller, void *lock, int *slot)
{
	struct window *w = window_of(producer);

	(void)caller;
	if (!w->nr_free)
		backend_wanted(w);
	while (!w->nr_free)
		pthread_cond_wait(&w->cond, lock);
	*slot = (int)(w->free[0] - w->buffers);
	memmove(w->free, w->free + 1, --w->nr_free * sizeof(w->free[0]));
	return 0;
}

int surface_dequeue(void *surface, void **buffer, int *fence)
{
	struct window *w = window_of(surface);
	uint64_t begin = now_ns();
	int slot = -1;

	if (work_fails(w->frame)) {
		w->frame->dequeue_min_ns += now_ns() - begin;
		return -ETIMEDOUT;
	}
	work(w->frame, STAGE_SYNC_DEQUEUE);
	pthread_mutex_lock(&w->mutex);
	api.gui->wait_for_free_slot(&w->producer, 0, &w->mutex, &slot);
	*buffer = &w->buffers[slot];
	*fence = w->buffers[slot].fence;
	w->buffers[slot].fence = -1;
	pthread_mutex_unlock(&w->mutex);
	w->frame->dequeue_min_ns += now_ns() - begin;
	return 0;
}

/* HWUI's interceptor: the driver is given what was reserved. */
int surface_hook_dequeue(void *surface, void **buffer, int *fence)
{
	*buffer = window_of(surface)->reserved;
	*fence = window_of(surface)->reserved->fence;
	return 0;
}

int surface_reserve_next(void *reliable)
{
	struct window *w = window_of(reliable);
	uint64_t begin = now_ns();
	void *buffer = NULL;
	int fence = -1, err;

	err = api.gui->dequeue(&w->surface, &buffer, &fence);
	w->dequeue_ns = (int64_t)(now_ns() - begin);
	w->frame->dequeue_max_ns += (uint64_t)w->dequeue_ns;
	w->reserved = buffer;
	if (!err)
		w->reserved->fence = fence;
	return err;
}

int surface_queue(void *surface, void *buffer, int fence)
{
	struct window *w = window_of(surface);
	struct buffer *b = buffer;

	b->frame_number = ++w->nr_buffers;
	backend_queue(w->frame, b, fence);
	w->frame->queue_leave_ns = now_ns();
	return 0;
}

int surface_set_timeline(void *surface, uint64_t frame_number, const void *info)
{
	(void)surface;
	(void)frame_number;
	(void)info;
	return 0;
}

void producer_release(void *queue, const struct release_callback_id *id, const void *fence,
		      uint64_t max_acquired)
{
	struct window *w = window_of(queue);

	(void)fence;
	(void)max_acquired;
	pthread_mutex_lock(&w->mutex);
	for (unsigned i = 0; i < BUFFERS; i++) {
		if (w->buffers[i].id == id->buffer_id)
			w->free[w->nr_free++] = &w->buffers[i];
	}
	pthread_cond_signal(&w->cond);
	pthread_mutex_unlock(&w->mutex);
}
