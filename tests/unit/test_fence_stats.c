/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The lives of fences, record by record; the expected figures are worked out by hand. */
#include <stdio.h>

#include "check.h"
#include "model/fence_stats.h"

#define MS 1000000ull
#define TID 100

static struct fence_stats *begin(void)
{
	struct fence_stats *s = fence_stats_new();

	CU_ASSERT_PTR_NOT_NULL_FATAL(s);
	return s;
}

static void feed(struct fence_stats *s, struct fs_header *h, uint16_t kind, size_t size)
{
	h->kind = kind;
	h->size = (uint16_t)size;
	if (!h->tid)
		h->tid = TID;
	if (!h->tgid)
		h->tgid = h->tid;
	CU_ASSERT_EQUAL(fence_stats_feed(s, h), 0);
}

#define FEED(s, kind, type, ...)                                                                   \
	do {                                                                                       \
		struct type rec_ = { __VA_ARGS__ };                                                \
		feed(s, &rec_.h, FS_KIND_##kind, sizeof(rec_));                                    \
	} while (0)
#define FENCE(s, what, c, n, at, ...)                                                              \
	FEED(s, FENCE, fs_fence, .h.time_ns = (at), .context = (c), .seqno = (n),                  \
	     .op = FS_FENCE_##what, ##__VA_ARGS__)
#define NAME(s, c, d, t)                                                                           \
	FEED(s, FENCE_NAME, fs_fence_name, .h.time_ns = 1, .context = (c), .driver = (d),          \
	     .timeline = (t))
#define REF(s, what, c, n, at, ...)                                                                \
	FEED(s, FENCE_REF, fs_fence_ref, .h.time_ns = (at), .role = FS_REF_##what, .context = (c), \
	     .seqno = (n), ##__VA_ARGS__)
#define CLOCK(s, what, at) FEED(s, CLOCK, fs_clock, .h.time_ns = (at), .mark = FS_CLOCK_##what)

/* The timeline of a context that has one of its own. */
static const struct fence_timeline *timeline(const struct fence_stats *s, uint64_t context)
{
	const struct fence_timeline *t;

	for (size_t i = 0; (t = fence_stats_timeline(s, i)); i++)
		if (t->context == context)
			return t;
	CU_FAIL_FATAL("no such timeline");
	return NULL;
}

static struct fence_unsignaled unsignaled(const struct fence_stats *s, uint64_t context,
					  uint64_t seqno)
{
	struct fence_unsignaled u;

	for (size_t i = 0; fence_stats_unsignaled(s, i, &u); i++)
		if (u.id.context == context && u.id.seqno == seqno)
			return u;
	CU_FAIL("no such fence without a signal");
	return (struct fence_unsignaled){ 0 };
}

static size_t nr_unsignaled(const struct fence_stats *s)
{
	struct fence_unsignaled u;
	size_t n = 0;

	while (fence_stats_unsignaled(s, n, &u))
		n++;
	return n;
}

static void finish(struct fence_stats *s)
{
	CU_ASSERT_EQUAL_FATAL(fence_stats_finish(s), 0);
}

/*
 * Three fences on one context: 1 from 10 to 20; 2 made at 12, emitted at 14, waits behind 1 until
 * 20 and signals at 26; 3 from 40 to 41, after a pause. Hardware: 10, 6, 1.
 */
static void test_one_timeline(void)
{
	struct fence_stats *s = begin();

	CLOCK(s, START, 10 * MS);
	FENCE(s, INIT, 7, 1, 10 * MS);
	NAME(s, 7, "virtio_gpu", "controlq");
	FENCE(s, INIT, 7, 2, 12 * MS);
	FENCE(s, EMIT, 7, 2, 14 * MS);
	FENCE(s, SIGNALED, 7, 1, 20 * MS);
	FENCE(s, DESTROY, 7, 1, 21 * MS);
	FENCE(s, SIGNALED, 7, 2, 26 * MS);
	FENCE(s, INIT, 7, 3, 40 * MS);
	FENCE(s, SIGNALED, 7, 3, 41 * MS);
	CLOCK(s, STOP, 110 * MS);
	finish(s);

	const struct fence_timeline *t = timeline(s, 7);

	CU_ASSERT_STRING_EQUAL(t->name.driver, "virtio_gpu");
	CU_ASSERT_STRING_EQUAL(t->name.timeline, "controlq");
	CU_ASSERT_EQUAL(t->contexts, 1);
	CU_ASSERT_EQUAL(t->fences, 3);
	CU_ASSERT_EQUAL(t->signaled, 3);
	CU_ASSERT_EQUAL(t->unsignaled, 0);
	CU_ASSERT_EQUAL(t->in_flight_max, 2);
	CU_ASSERT_EQUAL(t->victims, 0);
	CU_ASSERT_EQUAL(quantile_count(t->emit_signal), 1);
	CU_ASSERT_EQUAL(quantile_max(t->emit_signal), 12 * MS);
	CU_ASSERT_EQUAL(quantile_count(t->init_signal), 3);
	CU_ASSERT_EQUAL(quantile_at(t->init_signal, 500), 10 * MS);
	CU_ASSERT_EQUAL(quantile_max(t->init_signal), 14 * MS);
	CU_ASSERT_EQUAL(quantile_count(t->hardware), 3);
	CU_ASSERT_EQUAL(quantile_at(t->hardware, 500), 6 * MS);
	CU_ASSERT_EQUAL(quantile_max(t->hardware), 10 * MS);
	CU_ASSERT_EQUAL(t->hardware_total_ns, 17 * MS);
	CU_ASSERT_EQUAL(quantile_count(t->gap), 2);
	CU_ASSERT_EQUAL(quantile_at(t->gap, 500), 6 * MS);
	CU_ASSERT_EQUAL(quantile_max(t->gap), 15 * MS);
	CU_ASSERT_EQUAL(fence_stats_length_ns(s), 100 * MS);
	CU_ASSERT_EQUAL(nr_unsignaled(s), 0);
	fence_stats_free(s);
}

/* A fence that was there before the capture has no beginning: a gap to the next, and no more. */
static void test_birth_not_seen(void)
{
	struct fence_stats *s = begin();

	FENCE(s, SIGNALED, 7, 5, 10 * MS);
	FENCE(s, SIGNALED, 7, 5, 10 * MS); /* twice */
	FENCE(s, DESTROY, 7, 4, 11 * MS); /* nothing is known of it */
	FENCE(s, SIGNALED, 7, 6, 13 * MS);
	finish(s);

	const struct fence_timeline *t = timeline(s, 7);

	CU_ASSERT_EQUAL(t->fences, 2);
	CU_ASSERT_EQUAL(t->signaled, 2);
	CU_ASSERT_EQUAL(t->unsignaled, 0);
	CU_ASSERT_PTR_NULL(t->emit_signal);
	CU_ASSERT_PTR_NULL(t->init_signal);
	CU_ASSERT_PTR_NULL(t->hardware);
	CU_ASSERT_EQUAL(quantile_max(t->gap), 3 * MS);
	CU_ASSERT_STRING_EQUAL(t->name.driver, "");
	CU_ASSERT_STRING_EQUAL(t->name.timeline, "");
	fence_stats_free(s);
}

/*
 * Some drivers number a fence when they emit it. Two threads make one each; the one whose INIT was
 * the last is known again, of the other only the emission is.
 */
static void test_numbered_late(void)
{
	struct fence_stats *s = begin();

	FENCE(s, INIT, 7, 0, 1 * MS, .h.tid = 1);
	FENCE(s, INIT, 7, 0, 2 * MS, .h.tid = 2);
	FENCE(s, EMIT, 7, 8, 3 * MS, .h.tid = 1);
	FENCE(s, EMIT, 7, 9, 4 * MS, .h.tid = 2);
	FENCE(s, SIGNALED, 7, 8, 5 * MS);
	FENCE(s, SIGNALED, 7, 9, 12 * MS);
	finish(s);

	const struct fence_timeline *t = timeline(s, 7);

	CU_ASSERT_EQUAL(t->fences, 2);
	CU_ASSERT_EQUAL(t->unsignaled, 0);
	CU_ASSERT_EQUAL(quantile_count(t->emit_signal), 2);
	CU_ASSERT_EQUAL(quantile_max(t->emit_signal), 8 * MS);
	CU_ASSERT_EQUAL(quantile_count(t->init_signal), 1);
	CU_ASSERT_EQUAL(quantile_max(t->init_signal), 10 * MS);
	fence_stats_free(s);
}

/* Unbound contexts of a driver share a timeline, but are apart in order; one can be singled out. */
static void test_unbound(void)
{
	for (unsigned single = 0; single < 2; single++) {
		struct fence_stats *s = begin();

		if (single)
			fence_stats_single(s, 22);
		for (uint64_t c = 20; c < 23; c++) {
			FENCE(s, INIT, c, 1, c * MS);
			NAME(s, c, "vgem", "unbound");
		}
		for (uint64_t c = 20; c < 23; c++)
			FENCE(s, SIGNALED, c, 1, (2 * c + 5) * MS);
		finish(s);

		const struct fence_timeline *t = timeline(s, 20);

		CU_ASSERT_STRING_EQUAL(t->name.driver, "vgem");
		CU_ASSERT_STRING_EQUAL(t->name.timeline, "unbound");
		CU_ASSERT_EQUAL(t->contexts, 3 - single);
		CU_ASSERT_EQUAL(t->fences, 3 - single);
		CU_ASSERT_EQUAL(t->in_flight_max, 3 - single);
		CU_ASSERT_EQUAL(quantile_count(t->hardware), 3 - single);
		CU_ASSERT_EQUAL(quantile_max(t->hardware), (27 - single) * MS);
		CU_ASSERT_PTR_NULL(t->gap);
		if (single)
			CU_ASSERT_EQUAL(timeline(s, 22)->contexts, 1);
		fence_stats_free(s);
	}
}

/* A merge of fences from two contexts is named after them, whatever its own name looks like. */
static void test_containers(void)
{
	struct fence_stats *s = begin();
	struct fence_name n;

	NAME(s, 1, "vgem", "unbound");
	NAME(s, 2, "msm", "gpu0");
	NAME(s, 30, "dma_fence_array", "unbound");
	NAME(s, 31, "detached-driver", "signaled-timeline");
	for (uint64_t c = 30; c < 32; c++) {
		FENCE(s, INIT, c, 1, 1 * MS);
		REF(s, ACQUIRE, 1, 1, 2 * MS, .container = c, .container_seqno = 1, .count = 2);
		REF(s, ACQUIRE, 2, 9, 2 * MS, .container = c, .container_seqno = 1, .count = 2,
		    .index = 1);
	}
	fence_stats_name(s, 30, &n);
	CU_ASSERT_STRING_EQUAL(n.driver, "dma_fence_array");
	CU_ASSERT_STRING_EQUAL(n.timeline, "of vgem/unbound, msm/gpu0");
	fence_stats_name(s, 31, &n);
	CU_ASSERT_STRING_EQUAL(n.driver, "");
	CU_ASSERT_STRING_EQUAL(n.timeline, "of vgem/unbound, msm/gpu0");
	fence_stats_name(s, 99, &n);
	CU_ASSERT_STRING_EQUAL(n.driver, "");
	finish(s);
	CU_ASSERT_STRING_EQUAL(timeline(s, 30)->name.timeline, "of vgem/unbound, msm/gpu0");
	/* Both are pending; nothing is said about whether a container's own context moves. */
	CU_ASSERT_EQUAL(unsignaled(s, 30, 1).fate, FENCE_PENDING);
	CU_ASSERT_EQUAL(unsignaled(s, 30, 1).motion, FENCE_MOTION_UNKNOWN);
	fence_stats_free(s);
}

/* A name from before the signal is not overwritten by a placeholder; but the other way round. */
static void test_placeholders(void)
{
	struct fence_stats *s = begin();
	struct fence_name n;

	NAME(s, 1, "msm", "gpu0");
	NAME(s, 1, "detached-driver", "signaled-timeline");
	fence_stats_name(s, 1, &n);
	CU_ASSERT_STRING_EQUAL(n.driver, "msm");
	CU_ASSERT_STRING_EQUAL(n.timeline, "gpu0");
	NAME(s, 2, "detached-driver", "signaled-timeline");
	fence_stats_name(s, 2, &n);
	CU_ASSERT_STRING_EQUAL(n.driver, "");
	CU_ASSERT_STRING_EQUAL(n.timeline, "");
	NAME(s, 2, "msm", "gpu1");
	fence_stats_name(s, 2, &n);
	CU_ASSERT_STRING_EQUAL(n.timeline, "gpu1");
	fence_stats_free(s);
}

static void test_unsignaled(void)
{
	struct fence_stats *s = begin();
	struct fence_unsignaled u;

	CLOCK(s, START, 0);
	/* 1:1 is left behind: 1:2 signals. */
	FENCE(s, INIT, 1, 1, 10 * MS);
	FENCE(s, INIT, 1, 2, 20 * MS);
	FENCE(s, SIGNALED, 1, 2, 30 * MS);
	/* Context 2 is dead since 2:2. 2:9 is younger than 2:1 grew: too early to say. */
	FENCE(s, INIT, 2, 1, 10 * MS);
	FENCE(s, SIGNALED, 2, 1, 40 * MS);
	FENCE(s, INIT, 2, 2, 50 * MS);
	FENCE(s, INIT, 2, 9, 80 * MS);
	/* 3:1 was there before the capture; 3:2 is destroyed, after 5 ms. */
	REF(s, WAITED, 3, 1, 15 * MS);
	FENCE(s, INIT, 3, 2, 60 * MS);
	FENCE(s, DESTROY, 3, 2, 65 * MS);
	/* Nobody asked the first container for its signal, but the second. */
	for (uint64_t c = 4; c < 6; c++) {
		NAME(s, c, "dma_fence_array", "unbound");
		FENCE(s, INIT, c, 1, 5 * MS);
	}
	FENCE(s, ENABLE, 5, 1, 6 * MS);
	FENCE(s, DESTROY, 4, 1, 7 * MS);
	FENCE(s, DESTROY, 5, 1, 7 * MS);
	/* That 6:1 had signalled is known from a descriptor only. */
	FENCE(s, INIT, 6, 1, 5 * MS);
	REF(s, RELEASE, 6, 1, 9 * MS, .flags = FS_REF_SIGNALED, .signal_ns = 8 * MS);
	CLOCK(s, STOP, 100 * MS);
	/* Made after the end: not in it. */
	FENCE(s, INIT, 1, 3, 101 * MS);
	finish(s);

	CU_ASSERT_EQUAL(nr_unsignaled(s), 7);
	u = unsignaled(s, 1, 1);
	CU_ASSERT_TRUE(u.born);
	CU_ASSERT_EQUAL(u.age_ns, 90 * MS);
	CU_ASSERT_EQUAL(u.motion, FENCE_MOVING);
	u = unsignaled(s, 2, 2);
	CU_ASSERT_EQUAL(u.age_ns, 50 * MS);
	CU_ASSERT_EQUAL(u.motion, FENCE_DEAD);
	CU_ASSERT_EQUAL(u.fate, FENCE_PENDING);
	CU_ASSERT_EQUAL(unsignaled(s, 2, 9).motion, FENCE_MOTION_UNKNOWN);
	u = unsignaled(s, 3, 1);
	CU_ASSERT_FALSE(u.born);
	CU_ASSERT_EQUAL(u.motion, FENCE_MOTION_UNKNOWN);
	CU_ASSERT_EQUAL(u.nr_waiters, 1);
	u = unsignaled(s, 3, 2);
	CU_ASSERT_EQUAL(u.fate, FENCE_DESTROYED);
	CU_ASSERT_EQUAL(u.age_ns, 5 * MS);
	CU_ASSERT_EQUAL(unsignaled(s, 4, 1).fate, FENCE_UNUSED);
	CU_ASSERT_EQUAL(unsignaled(s, 5, 1).fate, FENCE_DESTROYED);
	CU_ASSERT_EQUAL(timeline(s, 6)->signaled, 1);
	CU_ASSERT_EQUAL(quantile_max(timeline(s, 6)->init_signal), 3 * MS);
	CU_ASSERT_EQUAL(timeline(s, 2)->unsignaled, 2);
	/* By age, what nobody asked for last. */
	CU_ASSERT_TRUE(fence_stats_unsignaled(s, 6, &u));
	CU_ASSERT_EQUAL(u.id.context, 4);
	fence_stats_free(s);
}

/* Where records were lost since its submission, a timeline is not called dead. */
static void test_loss(void)
{
	struct fence_stats *s = begin();

	FENCE(s, INIT, 1, 1, 10);
	FEED(s, LOST, fs_lost, .h.time_ns = 20, .count = 1, .where = FS_LOST_RING);
	FENCE(s, INIT, 2, 1, 30);
	CLOCK(s, STOP, 100);
	finish(s);
	CU_ASSERT_EQUAL(unsignaled(s, 1, 1).motion, FENCE_MOTION_UNKNOWN);
	CU_ASSERT_EQUAL(unsignaled(s, 2, 1).motion, FENCE_DEAD);
	fence_stats_free(s);
}

/* Two processes wait for one fence, one of them with two threads, one of these twice. */
static void test_waiters(void)
{
	struct fence_stats *s = begin();
	struct fence_wait w = {
		.pid = 20, .tid = 21, .comm = "worker", .fence = { 1, 1 }, .outcome = WAIT_TIMEOUT
	};
	struct fence_unsignaled u;

	FEED(s, TASK, fs_task, .h.tid = 10, .op = FS_TASK_SEEN, .comm = "app");
	FENCE(s, INIT, 1, 1, 10);
	REF(s, WAITED, 1, 1, 20, .h.tid = 10);
	REF(s, WAITED, 1, 1, 30, .h.tid = 10);
	REF(s, WAITED, 1, 1, 40, .h.tid = 21, .h.tgid = 20);
	REF(s, ACQUIRE, 1, 1, 50, .h.tid = 11);
	CU_ASSERT_EQUAL(fence_stats_wait(s, &w), 0);
	w.tid = 20;
	CU_ASSERT_EQUAL(fence_stats_wait(s, &w), 0);
	w.fence.context = 99; /* nothing is known of that one */
	CU_ASSERT_EQUAL(fence_stats_wait(s, &w), 0);
	finish(s);
	CU_ASSERT_EQUAL(timeline(s, 1)->victims, 2);
	u = unsignaled(s, 1, 1);
	CU_ASSERT_EQUAL(u.victims, 2);
	CU_ASSERT_EQUAL_FATAL(u.nr_waiters, 3);
	CU_ASSERT_EQUAL(u.waiters[0].tid, 10);
	CU_ASSERT_STRING_EQUAL(u.waiters[0].comm, "app");
	CU_ASSERT_EQUAL(u.waiters[1].tid, 21);
	CU_ASSERT_STRING_EQUAL(u.waiters[1].comm, "worker");
	fence_stats_free(s);
}

/* More waiters than are listed. */
static void test_many_waiters(void)
{
	struct fence_stats *s = begin();
	struct fence_unsignaled u;

	FENCE(s, INIT, 1, 1, 10);
	for (uint32_t tid = 1; tid <= FENCE_WAITERS_MAX + 1; tid++)
		REF(s, WAITED, 1, 1, 20, .h.tid = tid, .h.tgid = tid);
	finish(s);
	u = unsignaled(s, 1, 1);
	CU_ASSERT_EQUAL(u.nr_waiters, FENCE_WAITERS_MAX);
	CU_ASSERT_TRUE(u.more);
	CU_ASSERT_EQUAL(timeline(s, 1)->victims, FENCE_WAITERS_MAX + 1);
	fence_stats_free(s);
}

/* Sequence numbers are 64 bits wide, and wrap. */
static void test_wide_numbers(void)
{
	struct fence_stats *s = begin();

	REF(s, ACQUIRE, 1, UINT64_MAX, 5);
	REF(s, ACQUIRE, 1, 0x200000001, 5);
	FENCE(s, SIGNALED, 1, 0x100000001, 4); /* before: says nothing of the later one */
	FENCE(s, SIGNALED, 1, 2, 3);
	finish(s);
	CU_ASSERT_EQUAL(timeline(s, 1)->fences, 4);
	CU_ASSERT_EQUAL(unsignaled(s, 1, UINT64_MAX).motion, FENCE_MOVING);
	CU_ASSERT_EQUAL(unsignaled(s, 1, 0x200000001).motion, FENCE_MOTION_UNKNOWN);
	fence_stats_free(s);
}

/* The numbers of a fence that is over may be those of another one later. */
static void test_numbers_again(void)
{
	struct fence_stats *s = begin();

	FENCE(s, INIT, 1, 1, 10);
	FENCE(s, SIGNALED, 1, 1, 20);
	FENCE(s, INIT, 1, 1, 30);
	FENCE(s, DESTROY, 1, 1, 40);
	FENCE(s, INIT, 1, 1, 50);
	FENCE(s, SIGNALED, 1, 1, 57);
	FENCE(s, INIT, 1, 1, 15); /* late: of the first */
	finish(s);
	CU_ASSERT_EQUAL(timeline(s, 1)->fences, 3);
	CU_ASSERT_EQUAL(timeline(s, 1)->signaled, 2);
	CU_ASSERT_EQUAL(timeline(s, 1)->unsignaled, 1);
	CU_ASSERT_EQUAL(quantile_max(timeline(s, 1)->init_signal), 10);
	CU_ASSERT_EQUAL(unsignaled(s, 1, 1).age_ns, 10);
	fence_stats_free(s);
}

/* What is held is bounded; what is given up is counted. */
static void test_limits(void)
{
	struct fence_stats *s = begin();
	const uint64_t over = 10;

	for (uint64_t n = 1; n <= FENCES_IN_FLIGHT_MAX + over; n++)
		FENCE(s, INIT, 1, n, n);
	for (uint64_t c = 0; c < 2 * FENCE_CONTEXTS_MAX; c++) {
		NAME(s, 100 + c, "vgem", "unbound");
		FENCE(s, INIT, 100 + c, 1, 10 + c);
		FENCE(s, SIGNALED, 100 + c, 1, 20 + c);
	}
	finish(s);
	/* Each of the others was one more in flight for a while. */
	CU_ASSERT_EQUAL(fence_stats_losses(s)->fences, over + 1);
	CU_ASSERT_EQUAL(timeline(s, 1)->fences, FENCES_IN_FLIGHT_MAX + over);
	CU_ASSERT_EQUAL(nr_unsignaled(s), FENCES_IN_FLIGHT_MAX - 1);
	CU_ASSERT_EQUAL(timeline(s, 100)->contexts, 2 * FENCE_CONTEXTS_MAX);
	CU_ASSERT_EQUAL(timeline(s, 100)->in_flight_max, 1);
	CU_ASSERT_EQUAL(fence_stats_losses(s)->contexts, 0);
	fence_stats_free(s);

	s = begin();
	for (uint64_t c = 0; c < FENCE_TIMELINES_MAX + over; c++) {
		FENCE(s, INIT, c, 1, 10 + c);
		FENCE(s, SIGNALED, c, 1, 20 + c);
	}
	finish(s);
	CU_ASSERT_EQUAL(fence_stats_losses(s)->contexts, over);
	CU_ASSERT_PTR_NULL(fence_stats_timeline(s, FENCE_TIMELINES_MAX));
	fence_stats_free(s);
}

int main(void)
{
	static const struct check_case cases[] = {
		{ "one timeline", test_one_timeline },
		{ "a birth that was not seen", test_birth_not_seen },
		{ "numbered when emitted", test_numbered_late },
		{ "unbound contexts", test_unbound },
		{ "containers", test_containers },
		{ "placeholders", test_placeholders },
		{ "never signalled", test_unsignaled },
		{ "losses", test_loss },
		{ "waiters", test_waiters },
		{ "many waiters", test_many_waiters },
		{ "wide numbers", test_wide_numbers },
		{ "numbers used again", test_numbers_again },
		{ "limits", test_limits },
		{ NULL, NULL },
	};

	return check_main("fence stats", cases);
}
