/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The lives of fences, record by record; the expected figures are worked out by hand. */
#include <stdio.h>

#include "model/fence_context.h"
#include "unit/watched.h"

#define STEPS_MAX 12
#define TIMELINE 7 /* the context of the lives below */

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
	{
		/* The record of an earlier signal came later: what it held up is not known. */
		.name = "signals out of order",
		.steps = { { FS_FENCE_INIT, 1, 10 },
			   { FS_FENCE_INIT, 2, 11 },
			   { FS_FENCE_SIGNALED, 2, 20 },
			   { FS_FENCE_SIGNALED, 1, 15 } },
		.fences = 2,
		.signaled = 2,
		.in_flight_max = 2,
		.init_signal = { 2, 5, 9 },
		.hardware = { 1, 9, 9 },
		.hardware_total_ns = 9,
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
		{ "limits", test_limits },
		{ "bounds of the table", test_bounds },
		{ NULL, NULL },
	};

	return check_main("fence stats", cases);
}
