// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The uses of each window's buffers, from a queue to the next dequeue. */
#include "model/buffers.h"

#include <stdlib.h>
#include <string.h>

/* On allocation failure uthash leaves the element out and says so here. */
#undef uthash_nonfatal_oom
#define uthash_nonfatal_oom(element) failed = true

#define OVERTAKEN_MAX 3 /* later buffers that may come back before one is taken for freed */

struct use {
	uint64_t buffer;
	uint64_t queued_ns; /* 0: before the watch began */
	uint64_t held_ns; /* it was not free then; 0 = not known */
	uint64_t back_ns; /* the end of its next dequeue; 0 = none yet */
	uint64_t next_ns; /* it was queued again; 0 = not yet */
	bool has_fence, signaled; /* valid once it is back */
	bool cancelled; /* since it came back */
	uint64_t signal_ns; /* if it is known by then */
	unsigned overtaken;
	struct fence_id fence;
};

struct window_key {
	uint64_t address;
	uint64_t pid;
};

struct window {
	struct window_key key;
	uint64_t since_ns; /* all calls from here on were seen */
	unsigned nr;
	struct use uses[USES_MAX]; /* by queueing, but those from before the watch */
	UT_hash_handle hh;
};

struct window *windows_get(struct windows *w, uint32_t pid, uint64_t address)
{
	struct window_key key = { address, pid };
	struct window *window;
	bool failed = false;

	HASH_FIND(hh, w->all, &key, sizeof(key), window);
	if (window || w->nr == WINDOWS_MAX)
		return window;
	window = calloc(1, sizeof(*window));
	if (!window)
		return NULL;
	window->key = key;
	HASH_ADD(hh, w->all, key, sizeof(key), window);
	if (failed) {
		free(window);
		return NULL;
	}
	w->nr++;
	return window;
}

void windows_free(struct windows *w)
{
	struct window *window, *next;

	HASH_ITER (hh, w->all, window, next) {
		HASH_DEL(w->all, window);
		free(window);
	}
	w->nr = 0;
}

/* Not all calls up to `now` were seen. */
static void forget(struct window *w, uint64_t now)
{
	if (w->since_ns < now)
		w->since_ns = now;
	w->nr = 0;
}

void windows_lossy(struct windows *w, uint32_t pid, uint64_t now)
{
	for (struct window *window = w->all; window; window = window->hh.next) {
		if (window->key.pid == pid)
			forget(window, now);
	}
}

static void drop(struct window *w, unsigned i)
{
	w->nr--;
	memmove(w->uses + i, w->uses + i + 1, (w->nr - i) * sizeof(*w->uses));
}

static struct use *add(struct window *w, uint64_t buffer, uint64_t now)
{
	struct use *use;

	if (w->nr == USES_MAX)
		drop(w, 0);
	use = &w->uses[w->nr++];
	*use = (struct use){ .buffer = buffer, .queued_ns = now };
	return use;
}

/* The buffer's last use. */
static struct use *last_use(struct window *w, uint64_t buffer)
{
	for (unsigned i = w->nr; i > 0; i--)
		if (w->uses[i - 1].buffer == buffer)
			return &w->uses[i - 1];
	return NULL;
}

void window_queued(struct window *w, uint64_t buffer, uint64_t now)
{
	struct use *use = last_use(w, buffer);

	/* A wrapper's call and the one inside it are the same queueing. */
	if (!buffer || (use && !use->back_ns))
		return;
	if (use)
		use->next_ns = now;
	add(w, buffer, now);
}

void window_cancelled(struct window *w, uint64_t buffer)
{
	struct use *use = last_use(w, buffer);

	if (use && use->back_ns)
		use->cancelled = true;
}

void window_dequeued(struct window *w, const struct dequeue *d)
{
	struct use *use = last_use(w, d->buffer);

	if (!d->buffer)
		return;
	for (unsigned i = 0; d->starved_ns && i < w->nr; i++)
		if (!w->uses[i].back_ns && w->uses[i].queued_ns <= d->starved_ns)
			w->uses[i].held_ns = d->starved_ns;
	/* A buffer whose queueing was not seen: before the watch began, or it is a new one. */
	if (!use)
		use = add(w, d->buffer, 0);
	if (use->back_ns) {
		/* A wrapper's call, or one after it was given back undrawn; or its queueing was not
		 * seen. */
		if (use->back_ns < d->entry_ns && !use->cancelled)
			forget(w, d->exit_ns);
		use->cancelled = false;
		return;
	}
	use->back_ns = d->exit_ns;
	use->has_fence = d->has_fence;
	use->signaled = d->signaled;
	use->signal_ns = d->signal_ns;
	use->fence = d->fence;
}

enum answer { NO, YES, UNKNOWN };

/* Did the consumer still have a buffer then, that is back by now? */
static enum answer in_flight(const struct use *use, const struct fences *f, uint64_t at)
{
	const struct fence *fence = use->has_fence ? fences_find(f, use->fence) : NULL;
	uint64_t signal_ns = use->signal_ns, submitted_ns;
	bool back = use->back_ns <= at;

	/* Met by its descriptor, but of a kind whose life does not show. */
	if (fence && !fence->signal_ns && !fence_submitted(fence, &submitted_ns))
		fence = NULL;
	if (!signal_ns && fence)
		signal_ns = fence->signal_ns;
	if (use->held_ns && use->held_ns >= at)
		return YES;
	if (back && (!use->has_fence || use->signaled))
		return NO;
	/* Not every kind of fence shows its signal. */
	if (!use->has_fence || (use->signaled && !signal_ns) || (back && !fence))
		return UNKNOWN;
	/* The stream has gone on: a signal that has not come would come later than `at`. */
	return !signal_ns || signal_ns > at ? YES : NO;
}

/* The use that the buffer was taken for. It ends after those that were before it, in general. */
static const struct use *own_use(const struct buffer_taken *taken)
{
	const struct window *w = taken->window;

	for (unsigned i = 0; i < w->nr; i++)
		if (w->uses[i].buffer == taken->buffer && w->uses[i].queued_ns > taken->since_ns)
			return &w->uses[i];
	return NULL;
}

enum depth_state window_depth(const struct buffer_taken *taken, const struct fences *f,
			      unsigned *depth)
{
	struct window *w = taken->window;
	const struct use *own;
	uint64_t at = taken->since_ns;
	enum depth_state state = DEPTH_KNOWN;

	if (!w || !taken->buffer || at < w->since_ns)
		return DEPTH_UNKNOWN;
	own = own_use(taken);
	if (!own || !own->back_ns)
		return DEPTH_NOT_YET;
	*depth = 0;
	for (unsigned i = 0; i < w->nr; i++) {
		struct use *use = &w->uses[i];
		enum answer answer = UNKNOWN;

		if (use->queued_ns > at || (use->next_ns && use->next_ns <= at))
			continue;
		if (use->back_ns)
			answer = in_flight(use, f, at);
		else if (++use->overtaken > OVERTAKEN_MAX)
			drop(w, i--);
		*depth += answer == YES;
		if (answer == UNKNOWN)
			state = DEPTH_UNKNOWN;
	}
	return state;
}
