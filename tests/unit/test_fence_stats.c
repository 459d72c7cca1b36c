/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The lives of fences, record by record; the expected figures are worked out by hand. */
#include <stdio.h>

#include "events.h"
#include "model/fence_stats.h"
#include "model/fence_context.h"

#define MS 1000000ull
#define STEPS_MAX 12
#define TIMELINE 7 /* the context of the lives below */

/* A model whose fences are watched. */
struct watched {
	struct world world;
	struct fence_stats *stats;
};

static void begin(struct watched *w)
{
	world_open(&w->world);
	w->stats = fence_stats_new(w->world.model);
	CU_ASSERT_PTR_NOT_NULL_FATAL(w->stats);
}

static void finish(struct watched *w)
{
	CU_ASSERT_EQUAL_FATAL(model_finish(w->world.model), 0);
	CU_ASSERT_EQUAL_FATAL(fence_stats_finish(w->stats), 0);
}

static void end(struct watched *w)
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

struct step {
	enum fs_fence_op op;
	uint64_t seqno;
	uint64_t at;
	uint32_t tid;
};

/* 0: there are no samples. */
struct samples {
	uint64_t count, median, max;
};

struct life {
	const char *name;
	struct step steps[STEPS_MAX];
	uint64_t fences, signaled, in_flight_max;
	struct samples emit_signal, init_signal, hardware, gap;
	uint64_t hardware_total_ns;
};

static const struct life lives[] = {
	{
		/* 2 waits behind 1 until 20, 3 comes after a pause. Hardware: 10, 6, 1. */
		.name = "three in a row",
		.steps = { { FS_FENCE_INIT, 1, 10 },
			   { FS_FENCE_INIT, 2, 12 },
			   { FS_FENCE_EMIT, 2, 14 },
			   { FS_FENCE_SIGNALED, 1, 20 },
			   { FS_FENCE_DESTROY, 1, 21 },
			   { FS_FENCE_SIGNALED, 2, 26 },
			   { FS_FENCE_INIT, 3, 40 },
			   { FS_FENCE_SIGNALED, 3, 41 } },
		.fences = 3,
		.signaled = 3,
		.in_flight_max = 2,
		.emit_signal = { 1, 12, 12 },
		.init_signal = { 3, 10, 14 },
		.hardware = { 3, 6, 10 },
		.gap = { 2, 6, 15 },
		.hardware_total_ns = 17,
	},
	{
		/* What was there before the capture has no beginning: a gap, and no more. */
		.name = "births that were not seen",
		.steps = { { FS_FENCE_SIGNALED, 5, 10 },
			   { FS_FENCE_SIGNALED, 5, 10 }, /* twice */
			   { FS_FENCE_DESTROY, 4, 11 }, /* nothing is known of it */
			   { FS_FENCE_SIGNALED, 6, 13 } },
		.fences = 2,
		.signaled = 2,
		.in_flight_max = 1,
		.gap = { 1, 3, 3 },
	},
	{
		/*
		 * Some drivers number a fence when they emit it. Two threads make one each; the one
		 * whose INIT was the last is known again, of the other only the emission is.
		 */
		.name = "numbered when emitted",
		.steps = { { FS_FENCE_INIT, 0, 1, 1 },
			   { FS_FENCE_INIT, 0, 2, 2 },
			   { FS_FENCE_EMIT, 8, 3, 1 },
			   { FS_FENCE_EMIT, 9, 4, 2 },
			   { FS_FENCE_SIGNALED, 8, 5 },
			   { FS_FENCE_SIGNALED, 9, 12 } },
		.fences = 2,
		.signaled = 2,
		.in_flight_max = 2,
		.emit_signal = { 2, 2, 8 },
		.init_signal = { 1, 10, 10 },
		.hardware = { 2, 2, 7 },
		.gap = { 1, 7, 7 },
		.hardware_total_ns = 9,
	},
	{
		/* The numbers of a fence that is over may be those of another one later. */
		.name = "numbers used again",
		.steps = { { FS_FENCE_INIT, 1, 10 },
			   { FS_FENCE_SIGNALED, 1, 20 },
			   { FS_FENCE_INIT, 1, 30 },
			   { FS_FENCE_DESTROY, 1, 40 },
			   { FS_FENCE_INIT, 1, 50 },
			   { FS_FENCE_SIGNALED, 1, 57 },
			   { FS_FENCE_INIT, 1, 15 } }, /* late: of the first */
		.fences = 3,
		.signaled = 2,
		.in_flight_max = 1,
		.init_signal = { 2, 7, 10 },
		.hardware = { 2, 7, 10 },
		.gap = { 1, 37, 37 },
		.hardware_total_ns = 17,
	},
	{
		/* The same after its end was seen whole; again its late INIT makes no fence. */
		.name = "numbers used again after the end",
		.steps = { { FS_FENCE_INIT, 1, 10 },
			   { FS_FENCE_SIGNALED, 1, 20 },
			   { FS_FENCE_DESTROY, 1, 21 },
			   { FS_FENCE_INIT, 1, 15 },
			   { FS_FENCE_EMIT, 1, 30 },
			   { FS_FENCE_SIGNALED, 1, 33 },
			   { FS_FENCE_DESTROY, 1, 34 },
			   { FS_FENCE_SIGNALED, 1, 40 } },
		.fences = 3,
		.signaled = 3,
		.in_flight_max = 1,
		.emit_signal = { 1, 3, 3 },
		.init_signal = { 1, 10, 10 },
		.hardware = { 2, 3, 10 },
		.gap = { 2, 7, 13 },
		.hardware_total_ns = 13,
	},
};

static bool samples_are(struct quantile *q, const struct samples *want)
{
	if (!q || !want->count)
		return !q && !want->count;
	return quantile_count(q) == want->count && quantile_at(q, 500) == want->median &&
	       quantile_max(q) == want->max;
}

static void check_life(const struct life *l, const struct fence_timeline *t)
{
	const struct {
		const char *what;
		bool right;
	} checks[] = {
		{ "fences", t->fences == l->fences },
		{ "signaled", t->signaled == l->signaled },
		{ "unsignaled", t->unsignaled == l->fences - l->signaled },
		{ "contexts", t->contexts == 1 },
		{ "victims", t->victims == 0 },
		{ "in flight", t->in_flight_max == l->in_flight_max },
		{ "emit to signal", samples_are(t->emit_signal, &l->emit_signal) },
		{ "init to signal", samples_are(t->init_signal, &l->init_signal) },
		{ "hardware", samples_are(t->hardware, &l->hardware) },
		{ "gap", samples_are(t->gap, &l->gap) },
		{ "hardware in all", t->hardware_total_ns == l->hardware_total_ns },
	};

	for (size_t i = 0; i < sizeof(checks) / sizeof(checks[0]); i++) {
		if (checks[i].right)
			continue;
		printf("# %s: %s\n", l->name, checks[i].what);
		CU_FAIL("other figures than worked out");
	}
}

static void test_lives(void)
{
	for (size_t i = 0; i < sizeof(lives) / sizeof(lives[0]); i++) {
		struct watched w;

		begin(&w);
		for (const struct step *s = lives[i].steps; s->op; s++)
			FEED(&w.world, FENCE, fs_fence, .h.time_ns = s->at, .h.tid = s->tid,
			     .context = TIMELINE, .seqno = s->seqno, .op = s->op);
		finish(&w);
		check_life(&lives[i], timeline(w.stats, TIMELINE));
		end(&w);
	}
}

/* The frame's figure is the timeline's: both are the one that the table of fences infers. */
static void test_frame(void)
{
	struct watched w;

	begin(&w);
	CLOCK(&w.world, START, 10);
	for (uint32_t role = 0; role < FS_ROLE_NR; role++)
		FEED(&w.world, POINT, fs_point, .id = role, .role = role);
	SWAP(&w.world, 1, 20, 30, 1, 0);
	FENCE(&w, INIT, TIMELINE, 1, 31);
	FENCE(&w, INIT, TIMELINE, 2, 32);
	REF(&w, ACQUIRE, TIMELINE, 2, 41);
	CALL(&w.world, FS_ROLE_QUEUE, 2, 40, 42, .depth = 1, .args[0] = 9);
	SWAP(&w.world, 3, 39, 43, 1, 0);
	FENCE(&w, SIGNALED, TIMELINE, 1, 45);
	FENCE(&w, SIGNALED, TIMELINE, 2, 51);
	/* Frames look back at fences that are no more. */
	FENCE(&w, DESTROY, TIMELINE, 2, 52);
	world_stop(&w.world, 60);
	CU_ASSERT_EQUAL_FATAL(fence_stats_finish(w.stats), 0);

	const struct frame *f = frame_at(&w.world, 1);

	CU_ASSERT_TRUE(f->has_acquire);
	CU_ASSERT_EQUAL(f->acquire_signal_ns, 51);
	CU_ASSERT_EQUAL(f->gpu_ns, 6);
	CU_ASSERT_EQUAL(timeline(w.stats, TIMELINE)->hardware_total_ns, 14 + 6);
	end(&w);
}

static void test_names(void)
{
	struct watched w;

	begin(&w);
	CLOCK(&w.world, START, 10 * MS);
	FENCE(&w, INIT, TIMELINE, 1, 10 * MS);
	FENCE(&w, INIT, 8, 1, 10 * MS);
	NAME(&w, TIMELINE, "virtio_gpu", "controlq");
	CLOCK(&w.world, STOP, 110 * MS);
	finish(&w);
	CU_ASSERT_STRING_EQUAL(timeline(w.stats, TIMELINE)->name.driver, "virtio_gpu");
	CU_ASSERT_STRING_EQUAL(timeline(w.stats, TIMELINE)->name.timeline, "controlq");
	CU_ASSERT_STRING_EQUAL(timeline(w.stats, 8)->name.driver, "");
	CU_ASSERT_STRING_EQUAL(timeline(w.stats, 8)->name.timeline, "");
	CU_ASSERT_EQUAL(model_length_ns(w.world.model), 100 * MS);
	end(&w);
}

/* Unbound contexts of a driver share a timeline, but are apart in order; one can be singled out. */
static void test_unbound(void)
{
	for (unsigned single = 0; single < 2; single++) {
		struct watched w;

		begin(&w);
		if (single)
			fence_stats_single(w.stats, 22);
		for (uint64_t c = 20; c < 23; c++) {
			FENCE(&w, INIT, c, 1, c * MS);
			NAME(&w, c, "vgem", "unbound");
		}
		for (uint64_t c = 20; c < 23; c++)
			FENCE(&w, SIGNALED, c, 1, (2 * c + 5) * MS);
		finish(&w);

		const struct fence_timeline *t = timeline(w.stats, 20);

		CU_ASSERT_STRING_EQUAL(t->name.driver, "vgem");
		CU_ASSERT_STRING_EQUAL(t->name.timeline, "unbound");
		CU_ASSERT_EQUAL(t->contexts, 3 - single);
		CU_ASSERT_EQUAL(t->fences, 3 - single);
		CU_ASSERT_EQUAL(t->in_flight_max, 3 - single);
		CU_ASSERT_EQUAL(quantile_count(t->hardware), 3 - single);
		CU_ASSERT_EQUAL(quantile_max(t->hardware), (27 - single) * MS);
		CU_ASSERT_PTR_NULL(t->gap);
		if (single)
			CU_ASSERT_EQUAL(timeline(w.stats, 22)->contexts, 1);
		end(&w);
	}
}

/* A merge of fences from two contexts is named after them, whatever its own name looks like. */
static void test_containers(void)
{
	struct watched w;
	struct fence_name n;

	begin(&w);
	NAME(&w, 1, "vgem", "unbound");
	NAME(&w, 2, "msm", "gpu0");
	NAME(&w, 30, "dma_fence_array", "unbound");
	NAME(&w, 31, "detached-driver", "signaled-timeline");
	for (uint64_t c = 30; c < 32; c++) {
		FENCE(&w, INIT, c, 1, 1 * MS);
		REF(&w, ACQUIRE, 1, 1, 2 * MS, .container = c, .container_seqno = 1, .count = 2);
		REF(&w, ACQUIRE, 2, 9, 2 * MS, .container = c, .container_seqno = 1, .count = 2,
		    .index = 1);
	}
	model_fence_name(w.world.model, 30, &n);
	CU_ASSERT_STRING_EQUAL(n.driver, "dma_fence_array");
	CU_ASSERT_STRING_EQUAL(n.timeline, "of vgem/unbound, msm/gpu0");
	model_fence_name(w.world.model, 31, &n);
	CU_ASSERT_STRING_EQUAL(n.driver, "");
	CU_ASSERT_STRING_EQUAL(n.timeline, "of vgem/unbound, msm/gpu0");
	model_fence_name(w.world.model, 99, &n);
	CU_ASSERT_STRING_EQUAL(n.driver, "");
	finish(&w);
	CU_ASSERT_STRING_EQUAL(timeline(w.stats, 30)->name.timeline, "of vgem/unbound, msm/gpu0");
	/* Both are pending; nothing is said about whether a container's own context moves. */
	CU_ASSERT_EQUAL(unsignaled(w.stats, 30, 1).fate, FENCE_PENDING);
	CU_ASSERT_EQUAL(unsignaled(w.stats, 30, 1).motion, FENCE_MOTION_UNKNOWN);
	end(&w);
}

/* A name from before the signal is not overwritten by a placeholder; but the other way round. */
static void test_placeholders(void)
{
	struct watched w;
	struct fence_name n;

	begin(&w);
	NAME(&w, 1, "msm", "gpu0");
	NAME(&w, 1, "detached-driver", "signaled-timeline");
	model_fence_name(w.world.model, 1, &n);
	CU_ASSERT_STRING_EQUAL(n.driver, "msm");
	CU_ASSERT_STRING_EQUAL(n.timeline, "gpu0");
	NAME(&w, 2, "detached-driver", "signaled-timeline");
	model_fence_name(w.world.model, 2, &n);
	CU_ASSERT_STRING_EQUAL(n.driver, "");
	CU_ASSERT_STRING_EQUAL(n.timeline, "");
	NAME(&w, 2, "msm", "gpu1");
	model_fence_name(w.world.model, 2, &n);
	CU_ASSERT_STRING_EQUAL(n.timeline, "gpu1");
	end(&w);
}

static void test_unsignaled(void)
{
	struct watched w;
	struct fence_unsignaled u;

	begin(&w);
	CLOCK(&w.world, START, 0);
	/* 1:1 is left behind: 1:2 signals. */
	FENCE(&w, INIT, 1, 1, 10 * MS);
	FENCE(&w, INIT, 1, 2, 20 * MS);
	FENCE(&w, SIGNALED, 1, 2, 30 * MS);
	/* Context 2 is dead since 2:2. 2:9 is younger than 2:1 grew: too early to say. */
	FENCE(&w, INIT, 2, 1, 10 * MS);
	FENCE(&w, SIGNALED, 2, 1, 40 * MS);
	FENCE(&w, INIT, 2, 2, 50 * MS);
	FENCE(&w, INIT, 2, 9, 80 * MS);
	/* 3:1 was there before the capture; 3:2 is destroyed, after 5 ms. */
	REF(&w, WAITED, 3, 1, 15 * MS);
	FENCE(&w, INIT, 3, 2, 60 * MS);
	FENCE(&w, DESTROY, 3, 2, 65 * MS);
	/* Nobody asked the first container for its signal, but the second. */
	for (uint64_t c = 4; c < 6; c++) {
		NAME(&w, c, "dma_fence_array", "unbound");
		FENCE(&w, INIT, c, 1, 5 * MS);
	}
	FENCE(&w, ENABLE, 5, 1, 6 * MS);
	FENCE(&w, DESTROY, 4, 1, 7 * MS);
	FENCE(&w, DESTROY, 5, 1, 7 * MS);
	/* That 6:1 had signalled is known from a descriptor only. */
	FENCE(&w, INIT, 6, 1, 5 * MS);
	REF(&w, RELEASE, 6, 1, 9 * MS, .flags = FS_REF_SIGNALED, .signal_ns = 8 * MS);
	CLOCK(&w.world, STOP, 100 * MS);
	/* Made after the end: not in it. */
	FENCE(&w, INIT, 1, 3, 101 * MS);
	finish(&w);

	CU_ASSERT_EQUAL(nr_unsignaled(w.stats), 7);
	u = unsignaled(w.stats, 1, 1);
	CU_ASSERT_TRUE(u.born);
	CU_ASSERT_EQUAL(u.age_ns, 90 * MS);
	CU_ASSERT_EQUAL(u.motion, FENCE_MOVING);
	u = unsignaled(w.stats, 2, 2);
	CU_ASSERT_EQUAL(u.age_ns, 50 * MS);
	CU_ASSERT_EQUAL(u.motion, FENCE_DEAD);
	CU_ASSERT_EQUAL(u.fate, FENCE_PENDING);
	CU_ASSERT_EQUAL(unsignaled(w.stats, 2, 9).motion, FENCE_MOTION_UNKNOWN);
	u = unsignaled(w.stats, 3, 1);
	CU_ASSERT_FALSE(u.born);
	CU_ASSERT_EQUAL(u.motion, FENCE_MOTION_UNKNOWN);
	CU_ASSERT_EQUAL(u.nr_waiters, 1);
	u = unsignaled(w.stats, 3, 2);
	CU_ASSERT_EQUAL(u.fate, FENCE_DESTROYED);
	CU_ASSERT_EQUAL(u.age_ns, 5 * MS);
	CU_ASSERT_EQUAL(unsignaled(w.stats, 4, 1).fate, FENCE_UNUSED);
	CU_ASSERT_EQUAL(unsignaled(w.stats, 5, 1).fate, FENCE_DESTROYED);
	CU_ASSERT_EQUAL(timeline(w.stats, 6)->signaled, 1);
	CU_ASSERT_EQUAL(quantile_max(timeline(w.stats, 6)->init_signal), 3 * MS);
	CU_ASSERT_EQUAL(timeline(w.stats, 2)->unsignaled, 2);
	/* By age, what nobody asked for last. */
	CU_ASSERT_TRUE(fence_stats_unsignaled(w.stats, 6, &u));
	CU_ASSERT_EQUAL(u.id.context, 4);
	end(&w);
}

/* Where records were lost since its submission, a timeline is not called dead. */
static void test_loss(void)
{
	struct watched w;

	begin(&w);
	FENCE(&w, INIT, 1, 1, 10);
	FEED(&w.world, LOST, fs_lost, .h.time_ns = 20, .count = 1, .where = FS_LOST_RING);
	FENCE(&w, INIT, 2, 1, 30);
	CLOCK(&w.world, STOP, 100);
	finish(&w);
	CU_ASSERT_EQUAL(unsignaled(w.stats, 1, 1).motion, FENCE_MOTION_UNKNOWN);
	CU_ASSERT_EQUAL(unsignaled(w.stats, 2, 1).motion, FENCE_DEAD);
	end(&w);
}

/* Two processes wait for one fence, one of them with two threads, one of these twice. */
static void test_waiters(void)
{
	struct watched w;
	struct fence_wait wait = {
		.pid = 20, .tid = 21, .comm = "worker", .fence = { 1, 1 }, .outcome = WAIT_TIMEOUT
	};
	struct fence_unsignaled u;

	begin(&w);
	TASK(&w.world, SEEN, 5, .h.tid = 10, .comm = "app");
	FENCE(&w, INIT, 1, 1, 10);
	REF(&w, WAITED, 1, 1, 20, .h.tid = 10);
	REF(&w, WAITED, 1, 1, 30, .h.tid = 10);
	REF(&w, WAITED, 1, 1, 40, .h.tid = 21, .h.tgid = 20);
	REF(&w, ACQUIRE, 1, 1, 50, .h.tid = 11);
	CU_ASSERT_EQUAL(fence_stats_wait(w.stats, &wait), 0);
	wait.tid = 20;
	CU_ASSERT_EQUAL(fence_stats_wait(w.stats, &wait), 0);
	wait.fence.context = 99; /* nothing is known of that one */
	CU_ASSERT_EQUAL(fence_stats_wait(w.stats, &wait), 0);
	finish(&w);
	CU_ASSERT_EQUAL(timeline(w.stats, 1)->victims, 2);
	u = unsignaled(w.stats, 1, 1);
	CU_ASSERT_EQUAL(u.victims, 2);
	CU_ASSERT_EQUAL_FATAL(u.nr_waiters, 3);
	CU_ASSERT_EQUAL(u.waiters[0].tid, 10);
	CU_ASSERT_STRING_EQUAL(u.waiters[0].comm, "app");
	CU_ASSERT_EQUAL(u.waiters[1].tid, 21);
	CU_ASSERT_STRING_EQUAL(u.waiters[1].comm, "worker");
	end(&w);
}

/* More waiters than are listed. */
static void test_many_waiters(void)
{
	struct watched w;
	struct fence_unsignaled u;

	begin(&w);
	FENCE(&w, INIT, 1, 1, 10);
	for (uint32_t tid = 1; tid <= FENCE_WAITERS_MAX + 1; tid++)
		REF(&w, WAITED, 1, 1, 20, .h.tid = tid, .h.tgid = tid);
	finish(&w);
	u = unsignaled(w.stats, 1, 1);
	CU_ASSERT_EQUAL(u.nr_waiters, FENCE_WAITERS_MAX);
	CU_ASSERT_TRUE(u.more);
	CU_ASSERT_EQUAL(timeline(w.stats, 1)->victims, FENCE_WAITERS_MAX + 1);
	end(&w);
}

/* Sequence numbers are 64 bits wide, and wrap. */
static void test_wide_numbers(void)
{
	struct watched w;

	begin(&w);
	REF(&w, ACQUIRE, 1, UINT64_MAX, 5);
	REF(&w, ACQUIRE, 1, 0x200000001, 5);
	FENCE(&w, SIGNALED, 1, 0x100000001, 4); /* before: says nothing of the later one */
	FENCE(&w, SIGNALED, 1, 2, 3);
	finish(&w);
	CU_ASSERT_EQUAL(timeline(w.stats, 1)->fences, 4);
	CU_ASSERT_EQUAL(unsignaled(w.stats, 1, UINT64_MAX).motion, FENCE_MOVING);
	CU_ASSERT_EQUAL(unsignaled(w.stats, 1, 0x200000001).motion, FENCE_MOTION_UNKNOWN);
	end(&w);
}

/* What is held is bounded; what is given up is counted. */
static void test_limits(void)
{
	struct watched w;
	const uint64_t over = 10, contexts = FENCES_DONE_MAX + 2 * FENCE_CONTEXTS_IDLE_MAX;

	begin(&w);
	for (uint64_t n = 1; n <= FENCES_IN_FLIGHT_MAX + over; n++)
		FENCE(&w, INIT, 1, n, n);
	for (uint64_t c = 0; c < contexts; c++) {
		NAME(&w, 100 + c, "vgem", "unbound");
		FENCE(&w, INIT, 100 + c, 1, 10 + c);
		FENCE(&w, SIGNALED, 100 + c, 1, 20 + c);
	}
	finish(&w);
	/* Each of the others was one more in flight for a while. */
	CU_ASSERT_EQUAL(fence_stats_losses(w.stats)->fences, over + 1);
	CU_ASSERT_EQUAL(timeline(w.stats, 1)->fences, FENCES_IN_FLIGHT_MAX + over);
	CU_ASSERT_EQUAL(nr_unsignaled(w.stats), FENCES_IN_FLIGHT_MAX - 1);
	CU_ASSERT_EQUAL(timeline(w.stats, 100)->contexts, contexts);
	CU_ASSERT_EQUAL(timeline(w.stats, 100)->in_flight_max, 1);
	CU_ASSERT_EQUAL(fence_stats_losses(w.stats)->contexts, 0);
	end(&w);

	begin(&w);
	for (uint64_t c = 0; c < FENCE_TIMELINES_MAX + over; c++) {
		FENCE(&w, INIT, c, 1, 10 + c);
		FENCE(&w, SIGNALED, c, 1, 20 + c);
	}
	finish(&w);
	CU_ASSERT_EQUAL(fence_stats_losses(w.stats)->contexts, over);
	CU_ASSERT_PTR_NULL(fence_stats_timeline(w.stats, FENCE_TIMELINES_MAX));
	end(&w);
}

/* Nobody watches: the table is bounded by itself. */
static void test_bounds(void)
{
	const uint64_t contexts = FENCES_DONE_MAX + 2 * FENCE_CONTEXTS_IDLE_MAX;
	struct fences t = { 0 };

	for (uint64_t c = 1; c <= contexts; c++) {
		struct fs_fence rec = { .h.time_ns = c, .context = c, .op = FS_FENCE_INIT };
		struct fs_fence_ref met = { .h.time_ns = c,
					    .context = contexts + c,
					    .flags = FS_REF_SIGNALED,
					    .signal_ns = c };

		CU_ASSERT_EQUAL(fences_feed(&t, &rec), 0);
		rec.op = FS_FENCE_SIGNALED;
		CU_ASSERT_EQUAL(fences_feed(&t, &rec), 0);
		rec.op = FS_FENCE_DESTROY;
		CU_ASSERT_EQUAL(fences_feed(&t, &rec), 0);
		CU_ASSERT_EQUAL(fences_met(&t, &met), 0);
	}
	CU_ASSERT_EQUAL(HASH_COUNT(t.by_id), FENCES_DONE_MAX);
	CU_ASSERT_EQUAL(HASH_COUNT(t.contexts), FENCES_DONE_MAX + FENCE_CONTEXTS_IDLE_MAX);
	CU_ASSERT_PTR_NULL(fences_find(&t, (struct fence_id){ .context = 1 }));
	CU_ASSERT_PTR_NOT_NULL(fences_find(&t, (struct fence_id){ .context = contexts }));
	fences_free(&t);
}

int main(void)
{
	static const struct check_case cases[] = {
		{ "lives", test_lives },
		{ "a frame's fence", test_frame },
		{ "names", test_names },
		{ "unbound contexts", test_unbound },
		{ "containers", test_containers },
		{ "placeholders", test_placeholders },
		{ "never signalled", test_unsignaled },
		{ "losses", test_loss },
		{ "waiters", test_waiters },
		{ "many waiters", test_many_waiters },
		{ "wide numbers", test_wide_numbers },
		{ "limits", test_limits },
		{ "bounds of the table", test_bounds },
		{ NULL, NULL },
	};

	return check_main("fence stats", cases);
}
