/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A model whose fences are watched, and what is then said of a timeline or a fence. */
#ifndef TESTS_UNIT_WATCHED_H
#define TESTS_UNIT_WATCHED_H

#include "events.h"
#include "model/fence_stats.h"

#define MS 1000000ull

struct watched {
	struct world world;
	struct fence_stats *stats;
};

static inline void begin(struct watched *w)
{
	world_open(&w->world);
	w->stats = fence_stats_new(w->world.model);
	CU_ASSERT_PTR_NOT_NULL_FATAL(w->stats);
}

static inline void finish(struct watched *w)
{
	CU_ASSERT_EQUAL_FATAL(model_finish(w->world.model), 0);
	CU_ASSERT_EQUAL_FATAL(fence_stats_finish(w->stats), 0);
}

static inline void end(struct watched *w)
{
	fence_stats_free(w->stats);
	world_close(&w->world);
}

#define FENCE(w, what, c, n, at, ...)                                                              \
	FEED(&(w)->world, FENCE, fs_fence, .h.time_ns = (at), .context = (c), .seqno = (n),        \
	     .op = FS_FENCE_##what, ##__VA_ARGS__)
#define NAME(w, c, d, t)                                                                           \
	FEED(&(w)->world, FENCE_NAME, fs_fence_name, .h.time_ns = 1, .context = (c),               \
	     .driver = (d), .timeline = (t))
#define REF(w, what, c, n, at, ...)                                                                \
	FEED(&(w)->world, FENCE_REF, fs_fence_ref, .h.time_ns = (at), .role = FS_REF_##what,       \
	     .context = (c), .seqno = (n), ##__VA_ARGS__)

/* The timeline of a context that has one of its own. */
static inline const struct fence_timeline *timeline(const struct fence_stats *s, uint64_t context)
{
	const struct fence_timeline *t;

	for (size_t i = 0; (t = fence_stats_timeline(s, i)); i++)
		if (t->context == context)
			return t;
	CU_FAIL_FATAL("no such timeline");
	return NULL;
}

static inline struct fence_unsignaled unsignaled(const struct fence_stats *s, uint64_t context,
						 uint64_t seqno)
{
	struct fence_unsignaled u;

	for (size_t i = 0; fence_stats_unsignaled(s, i, &u); i++)
		if (u.id.context == context && u.id.seqno == seqno)
			return u;
	CU_FAIL("no such fence without a signal");
	return (struct fence_unsignaled){ 0 };
}

static inline size_t nr_unsignaled(const struct fence_stats *s)
{
	struct fence_unsignaled u;
	size_t n = 0;

	while (fence_stats_unsignaled(s, n, &u))
		n++;
	return n;
}

#endif
