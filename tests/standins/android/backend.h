/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What is behind RenderThread: the GPU, the consumer of the buffers, and the thread that tells HWUI
 * when a frame was done.
 */
#ifndef TESTS_ANDROID_BACKEND_H
#define TESTS_ANDROID_BACKEND_H

#include <sys/types.h>

#include "standins/android/record.h"

struct buffer;

void backend_open(void);
void backend_close(void);

/* The consumer's thread: it gives buffers back. */
pid_t backend_consumer(void);

/* One more frame that will be finished; whether all have been. */
void backend_expect(void);
bool backend_is_idle(void);

/* A fence that the GPU signals when it has made the frame: its descriptor. -1: there are none. */
int backend_acquire_fence(struct frame *f);

/* A buffer on its way to the consumer. The descriptor is the callee's. */
void backend_queue(struct frame *f, struct buffer *b, int fence);

/* Somebody waits: for a buffer of the window, for the fence of a buffer that came back. */
void backend_wanted(struct window *w);
void backend_waits(struct buffer *b);

/* Called at the end of finishFrame(). */
void backend_done(void);

/* What the libraries do. */
void backend_on_stats(void *context, int control, const void *stats);
int backend_fence_forever(const void *fence);

#endif
