/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The buffers of windows: which of them the consumer had at a given time. A buffer is in flight
 * from its queueing until its release fence signals, and which fence that is comes with the
 * buffer's next dequeue: so the depth of a queue is known some frames later.
 */
#ifndef MODEL_BUFFERS_H
#define MODEL_BUFFERS_H

#include <stdbool.h>
#include <stdint.h>

#include "model/fences.h"

#define WINDOWS_MAX 1024 /* of all processes; of further ones nothing is known */
#define USES_MAX 64 /* slots of an Android buffer queue */

struct window;

/* All zero is empty. */
struct windows {
	struct window *all; /* by process and address */
	unsigned nr;
};

enum depth_state {
	DEPTH_KNOWN,
	DEPTH_NOT_YET, /* it may become known with a dequeue of the window */
	DEPTH_UNKNOWN,
};

/* The buffer that a frame was drawn into; window is NULL if that is not known. */
struct buffer_taken {
	struct window *window;
	uint64_t buffer;
	uint64_t since_ns; /* when the dequeue began */
};

/* A dequeue that succeeded. */
struct dequeue {
	uint64_t buffer; /* address, 0 = not known */
	uint64_t entry_ns;
	uint64_t exit_ns;
	uint64_t starved_ns; /* some time in it when no buffer was free; 0 = none was seen */
	bool has_fence;
	bool signaled; /* the fence had by exit_ns */
	uint64_t signal_ns; /* then; 0 = not known */
	struct fence_id fence;
};

/* The window, made if it is new; NULL if there are too many, or no memory. Lives until the end. */
struct window *windows_get(struct windows *w, uint32_t pid, uint64_t address);
void windows_free(struct windows *w);

/* Of the process not all calls up to `now` were seen; UINT64_MAX: nor will they be. */
void windows_lossy(struct windows *w, uint32_t pid, uint64_t now);

void window_dequeued(struct window *w, const struct dequeue *d);
void window_queued(struct window *w, uint64_t buffer, uint64_t now);
void window_cancelled(struct window *w, uint64_t buffer);

/*
 * How many buffers were in flight when the buffer was asked for. One that has not come back
 * although some that were queued later have is taken for freed, after a while.
 */
enum depth_state window_depth(const struct buffer_taken *taken, const struct fences *f,
			      unsigned *depth);

#endif
