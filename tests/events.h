/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Records written by hand, and a model that keeps the frames it makes of them. Times in the tests
 * are small numbers; what they count does not matter to the model.
 */
#ifndef TESTS_EVENTS_H
#define TESTS_EVENTS_H

#include <linux/types.h>
#include <stdint.h>
#include <string.h>

#include <framescope/event.h>

#include "check.h"
#include "model/model.h"

#define TID 100 /* of records that do not say */

struct world {
	struct model *model;
	struct frame *frames;
	size_t nr;
	size_t room;
	size_t waits, exact_waits, unsound_waits;
};

/* What holds of any wait for a fence, whatever the stream. */
static inline void world_wait(void *ctx, const struct fence_wait *wait)
{
	struct world *w = ctx;
	bool order = wait->start_ns <= wait->end_ns &&
		     (!wait->wake_ns ||
		      (wait->start_ns <= wait->wake_ns && wait->wake_ns <= wait->end_ns));
	bool claim = wait->outcome == WAIT_SIGNALED
			     ? wait->signal_ns && wait->signal_ns <= wait->end_ns
			     : !wait->signal_ns && wait->confidence == CONF_NONE;

	w->waits++;
	w->exact_waits += wait->confidence == CONF_EXACT;
	w->unsound_waits += !order || !claim || (wait->confidence == CONF_EXACT && !wait->wake_ns);
}

static inline void world_frame(void *ctx, struct frame *f)
{
	struct world *w = ctx;

	if (w->nr == w->room) {
		w->room = w->room ? w->room * 2 : 64;
		w->frames = realloc(w->frames, w->room * sizeof(*w->frames));
		if (!w->frames)
			abort();
	}
	w->frames[w->nr++] = *f;
}

static inline void world_open(struct world *w)
{
	const struct model_sink sink = { .frame = world_frame, .fence_wait = world_wait, .ctx = w };

	*w = (struct world){ 0 };
	w->model = model_new(&sink);
	if (!w->model)
		abort();
}

static inline void world_close(struct world *w)
{
	model_free(w->model);
	free(w->frames);
	*w = (struct world){ 0 };
}

static inline void feed(struct world *w, struct fs_header *h, uint16_t kind, size_t size)
{
	h->kind = kind;
	h->size = (uint16_t)size;
	if (!h->tid)
		h->tid = TID;
	if (!h->tgid)
		h->tgid = TID;
	CU_ASSERT_EQUAL(model_feed(w->model, h), 0);
}

/* FEED(w, OFFCPU, fs_offcpu, .h.time_ns = 5, ...): one record; tid and tgid are TID if left out. */
#define FEED(w, kind, type, ...)                                                                   \
	do {                                                                                       \
		struct type rec_ = { __VA_ARGS__ };                                                \
		feed(w, &rec_.h, FS_KIND_##kind, sizeof(rec_));                                    \
	} while (0)

/* Off-CPU from `out` to `in`; what else it was follows. */
#define OFF(w, n, out, in, ...)                                                                    \
	FEED(w, OFFCPU, fs_offcpu, .h.time_ns = (in), .out_ns = (out), .seq = (n), __VA_ARGS__)
/* A wait for a lock, woken by thread 7. */
#define LOCK(w, n, out, wake, in, ...)                                                             \
	OFF(w, n, out, in, .waking_ns = (wake), .state = 1, .call = FS_CALL_FUTEX,                 \
	    .context = FS_CTX_TASK, .peer_tid = 7, .peer_tgid = 7, .peer_comm = "waker",           \
	    ##__VA_ARGS__)
/* A call of the function probed as point `p`; the point ids are the roles. */
#define CALL(w, p, n, entry, exit, ...)                                                            \
	FEED(w, SPAN, fs_span, .h.time_ns = (exit), .entry_ns = (entry), .point = (p), .seq = (n), \
	     __VA_ARGS__)
/* A swap of surface `s`, behind off-CPU interval `off`. */
#define SWAP(w, n, entry, exit, s, off, ...)                                                       \
	CALL(w, FS_ROLE_SWAP, n, entry, exit, .args[1] = (s), .off_seq = (off), ##__VA_ARGS__)
#define TASK(w, what, at, ...)                                                                     \
	FEED(w, TASK, fs_task, .h.time_ns = (at), .op = FS_TASK_##what, __VA_ARGS__)
#define CLOCK(w, what, at) FEED(w, CLOCK, fs_clock, .h.time_ns = (at), .mark = FS_CLOCK_##what)

/* A capture that starts at `at`, with a point for each role and the thread TID, "app". */
static inline void world_start(struct world *w, uint64_t at)
{
	world_open(w);
	CLOCK(w, START, at);
	for (uint32_t role = 0; role < FS_ROLE_NR; role++)
		FEED(w, POINT, fs_point, .id = role, .role = role);
	TASK(w, SEEN, at, .comm = "app");
}

/* The capture stops at `at`. */
static inline void world_stop(struct world *w, uint64_t at)
{
	CLOCK(w, STOP, at);
	CU_ASSERT_EQUAL(model_finish(w->model), 0);
}

/* What must hold of any frame, whatever the stream. */
static inline int frame_is_sound(const struct frame *f)
{
	uint64_t wall = f->end_ns - f->start_ns, sum = 0, blocked = f->blockers_rest_ns;
	uint64_t render = f->end_ns - f->render_start_ns;

	for (unsigned i = 0; i < BUDGET_NR; i++) {
		if (f->render.ns[i] > wall)
			return 0;
		sum += f->render.ns[i];
	}
	for (unsigned i = 0; i < f->nr_blockers; i++) {
		const struct blocker *b = &f->blockers[i];

		if (b->cause == BUDGET_RUNNING || b->ns > wall || !b->count)
			return 0;
		if (i && b->ns > f->blockers[i - 1].ns)
			return 0;
		if ((b->cause == BUDGET_UNKNOWN) != (b->confidence == CONF_NONE))
			return 0;
		blocked += b->ns;
	}
	if (f->render_start_ns == f->start_ns && blocked != wall - f->render.ns[BUDGET_RUNNING])
		return 0;
	return f->end_ns > f->start_ns && sum == render && f->render_start_ns >= f->start_ns &&
	       (unsigned)f->status < FRAME_STATUS_NR && f->number && f->producer &&
	       f->swap_ns <= wall && f->dequeue_ns <= wall && f->queue_ns <= wall;
}

/* The parts that are not named must be 0. */
#define BUDGET_IS(f, ...)                                                                          \
	budget_is(&(f)->render, &(struct budget){ .ns = { __VA_ARGS__ } }, __LINE__)

static inline void budget_is(const struct budget *got, const struct budget *want, int line)
{
	for (unsigned i = 0; i < BUDGET_NR; i++) {
		if (got->ns[i] == want->ns[i])
			continue;
		printf("# line %d: %s is %llu, not %llu\n", line, budget_part_name(i),
		       (unsigned long long)got->ns[i], (unsigned long long)want->ns[i]);
		CU_FAIL("another budget than worked out");
	}
}

/* Frame `n` (from 0) of the world, which must exist and be sound. */
static inline const struct frame *frame_at(const struct world *w, size_t n)
{
	CU_ASSERT_FATAL(n < w->nr);
	CU_ASSERT_TRUE(frame_is_sound(&w->frames[n]));
	return &w->frames[n];
}

#endif
