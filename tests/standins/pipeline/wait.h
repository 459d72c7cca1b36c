/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The ways in which the pipeline waits for a fence. */
#ifndef TESTS_PIPELINE_WAIT_H
#define TESTS_PIPELINE_WAIT_H

#include "standins/pipeline/shared.h"

/* Android's, as far as its functions look into it: from 13 on, and before. */
struct android_fence {
	void *vtable;
	int references;
	int fd;
};

struct android_fence_12 {
	int references;
	int fd;
};

/* The functions of the stand-in libraries. */
struct api {
	unsigned int (*swap)(void *display, void *surface);
	int (*dequeue)(void *surface, void **buffer, int *fence);
	int (*queue)(void *surface, void *buffer, int fence);
	int (*cancel)(void *surface, void *buffer, int fence);
	int (*free_slot)(const void *producer, int caller, void *lock, int *slot);
	int (*fence_wait)(struct android_fence_12 *fence, int timeout_ms);
	int (*fence_forever)(struct android_fence *fence, const char *name);
	int (*sync_wait)(int fd, int timeout_ms);
};

extern struct api api;

/* Waits, and writes it down. `before` is called when all is ready for it. */
void wait_for(const struct fence_set *set, int fd, unsigned frame, const char *role,
	      const char *call, int timeout_ms, void (*before)(int fd));

#endif
