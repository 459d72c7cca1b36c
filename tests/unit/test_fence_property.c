/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Random lives of fences whose figures are added up by hand, then with records lost, and then
 * noise: whatever comes, counts add up and no figure is made of what was not seen.
 */
#include "model/fence_stats.h"
#include "model/fences.h"
#include "story.h"

#define SEEDS 40
#define CONTEXTS 4
#define PER_CONTEXT 100

struct life {
	uint64_t init, emit, signal; /* 0: did not happen */
};

struct lives {
	struct life of[CONTEXTS][PER_CONTEXT];
	uint64_t stop;
};

static struct fs_fence *fence(struct story *s, uint32_t op, uint64_t context, uint64_t seqno,
			      uint64_t at)
{
	union record *r = add(s, FS_KIND_FENCE, sizeof(struct fs_fence), at, 1);

	r->fence.context = context;
	r->fence.seqno = seqno;
	r->fence.op = op;
	return &r->fence;
}

/* Each context is a queue; a fence in 20 is never signalled, nor are the last. */
static void make_lives(struct story *s, struct lives *l, uint64_t seed)
{
	random_state = seed * 0x9e3779b97f4a7c15u + 1;
	s->nr_records = 0;
	l->stop = 0;
	mark(s, FS_CLOCK_START, START);
	for (uint64_t c = 0; c < CONTEXTS; c++) {
		uint64_t made = START + below(1000), signal = START;

		for (uint64_t n = 0; n < PER_CONTEXT; n++) {
			struct life *f = &l->of[c][n];

			*f = (struct life){ .init = made += 1 + below(2000) };
			fence(s, FS_FENCE_INIT, c, n + 1, made);
			if (below(2)) {
				f->emit = made += 1 + below(200);
				fence(s, FS_FENCE_EMIT, c, n + 1, made);
			}
			if (!below(20) || n > PER_CONTEXT - 5)
				continue;
			signal = 1 + below(1500) + (signal > made ? signal : made);
			f->signal = signal;
			fence(s, FS_FENCE_SIGNALED, c, n + 1, signal);
			if (below(2))
				fence(s, FS_FENCE_DESTROY, c, n + 1, signal + 1 + below(100));
		}
		l->stop = signal > l->stop ? signal : l->stop;
		l->stop = made > l->stop ? made : l->stop;
	}
	l->stop += 1000;
	mark(s, FS_CLOCK_STOP, l->stop);
	qsort(s->records, s->nr_records, sizeof(*s->records), by_time);
}

/* What a timeline should say, slowly. */
static void check_context(const struct lives *l, const struct fence_timeline *t)
{
	const struct life *of = l->of[t->context];
	uint64_t total = 0, before = 0, signaled = 0, longest = 0, most = 0, emits = 0;

	for (unsigned n = 0; n < PER_CONTEXT; n++) {
		uint64_t submitted = of[n].emit ? of[n].emit : of[n].init, flight = 0;

		for (unsigned i = 0; i <= n; i++)
			flight += of[i].signal == 0 || of[i].signal > of[n].init;
		most = flight > most ? flight : most;
		if (!of[n].signal)
			continue;
		signaled++;
		emits += of[n].emit != 0;
		total += of[n].signal - (submitted > before ? submitted : before);
		before = of[n].signal;
		if (of[n].signal - of[n].init > longest)
			longest = of[n].signal - of[n].init;
	}
	CU_ASSERT_EQUAL(t->fences, PER_CONTEXT);
	CU_ASSERT_EQUAL(t->signaled, signaled);
	CU_ASSERT_EQUAL(t->unsignaled, PER_CONTEXT - signaled);
	CU_ASSERT_EQUAL(t->in_flight_max, most);
	CU_ASSERT_EQUAL(t->hardware_total_ns, total);
	CU_ASSERT_EQUAL(quantile_count(t->hardware), signaled);
	CU_ASSERT_EQUAL(quantile_count(t->gap), signaled - 1);
	CU_ASSERT_EQUAL(quantile_count(t->emit_signal), emits);
	CU_ASSERT_EQUAL(quantile_max(t->init_signal), longest);
}

static uint64_t count_of(const struct quantile *q)
{
	return q ? quantile_count(q) : 0;
}

/* What holds of any stream. */
static void check_sound(const struct fence_stats *stats)
{
	const struct fence_timeline *t;
	struct fence_unsignaled u;
	uint64_t listed = 0, unused = 0, summed = 0;
	unsigned unsound = 0;

	for (size_t i = 0; (t = fence_stats_timeline(stats, i)); i++) {
		summed += t->unsignaled;
		unsound += !t->fences || !t->contexts || t->in_flight_max > t->fences;
		unsound += t->signaled > t->fences || t->unsignaled > t->fences - t->signaled;
		unsound += count_of(t->init_signal) > t->signaled;
		unsound += count_of(t->emit_signal) > t->signaled;
		unsound += count_of(t->hardware) > t->signaled;
		unsound += t->signaled && count_of(t->gap) > t->signaled - 1;
		unsound += !t->hardware && t->hardware_total_ns;
		unsound += count_of(t->hardware) + t->errors > t->signaled;
	}
	for (; fence_stats_unsignaled(stats, listed, &u); listed++) {
		unused += u.fate == FENCE_UNUSED;
		unsound += (unsigned)u.fate >= FENCE_FATE_NR;
		unsound += (unsigned)u.motion >= FENCE_MOTION_NR;
		unsound += u.victims > u.nr_waiters || u.nr_waiters > FENCE_WAITERS_MAX;
		unsound += !u.born && u.motion == FENCE_DEAD;
	}
	CU_ASSERT_EQUAL(unsound, 0);
	CU_ASSERT_EQUAL(summed, listed - unused);
}

static void test_truth(void)
{
	struct story s;
	struct lives l;

	open_story(&s);
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		struct model *model = model_new(&(struct model_sink){ 0 });
		struct fence_stats *stats = fence_stats_new(model);
		const struct fence_timeline *t;
		struct fence_unsignaled u;
		size_t i;

		make_lives(&s, &l, seed);
		tell(&s, model);
		CU_ASSERT_EQUAL_FATAL(fence_stats_finish(stats), 0);
		check_sound(stats);
		for (i = 0; (t = fence_stats_timeline(stats, i)); i++)
			check_context(&l, t);
		CU_ASSERT_EQUAL(i, CONTEXTS);
		for (i = 0; fence_stats_unsignaled(stats, i, &u); i++) {
			const struct life *f = &l.of[u.id.context][u.id.seqno - 1];

			CU_ASSERT_EQUAL(f->signal, 0);
			CU_ASSERT_EQUAL(u.age_ns, l.stop - (f->emit ? f->emit : f->init));
		}
		fence_stats_free(stats);
		model_free(model);
	}
	close_story(&s);
}

/* With records missing there are fewer figures, but of the whole stream's range. */
static void test_lost(void)
{
	struct story s;
	struct lives l;

	open_story(&s);
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		struct model *model = model_new(&(struct model_sink){ 0 });
		struct fence_stats *stats = fence_stats_new(model);

		make_lives(&s, &l, seed);
		drop(&s, 10, 1u << FS_KIND_FENCE);
		tell(&s, model);
		CU_ASSERT_EQUAL_FATAL(fence_stats_finish(stats), 0);
		check_sound(stats);
		fence_stats_free(stats);
		model_free(model);
	}
	close_story(&s);
}

static void add_noise(struct story *s, uint64_t now)
{
	static const uint16_t kinds[][2] = {
		{ FS_KIND_FENCE, sizeof(struct fs_fence) },
		{ FS_KIND_FENCE, sizeof(struct fs_fence) },
		{ FS_KIND_FENCE, sizeof(struct fs_fence) },
		{ FS_KIND_FENCE_REF, sizeof(struct fs_fence_ref) },
		{ FS_KIND_FENCE_NAME, sizeof(struct fs_fence_name) },
		{ FS_KIND_TASK, sizeof(struct fs_task) },
		{ FS_KIND_LOST, sizeof(struct fs_lost) },
		{ FS_KIND_CLOCK, sizeof(struct fs_clock) },
	};
	static const char *const words[] = { "unbound", "", "vgem", "dma_fence_array", "\x1b[31m" };
	union record *r =
		add_random(s, kinds, sizeof(kinds) / sizeof(kinds[0]), now, (uint32_t)below(6));
	struct fs_fence_name *name = &r->name;

	r->h.tgid = (uint32_t)below(3);
	if (r->h.kind == FS_KIND_FENCE && below(20)) {
		r->fence.op = (uint32_t)below(FS_FENCE_OP_NR);
		r->fence.error = below(5) ? 0 : ETIMEDOUT;
	}
	if (r->h.kind == FS_KIND_TASK)
		memcpy(r->task.comm, "fifteen letters", FS_COMM_LEN);
	if (r->h.kind == FS_KIND_CLOCK && below(50))
		r->clock.mark = FS_CLOCK_TICK;
	if (r->h.kind == FS_KIND_FENCE_NAME) {
		memset(name->driver, 'd', sizeof(name->driver) - 1);
		memset(name->timeline, 't', sizeof(name->timeline) - 1);
		name->driver[sizeof(name->driver) - 1] = '\0';
		name->timeline[sizeof(name->timeline) - 1] = '\0';
		if (below(4))
			strcpy(name->driver, words[below(5)]);
		if (below(4))
			strcpy(name->timeline, words[below(5)]);
	}
}

static void test_noise(void)
{
	struct story s;
	size_t figures = 0;

	open_story(&s);
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		struct model *model = model_new(&(struct model_sink){ 0 });
		struct fence_stats *stats = fence_stats_new(model);
		const struct fence_timeline *t;
		uint64_t now = START;

		random_state = seed;
		s.nr_records = 0;
		for (unsigned n = 0; n < 20000; n++) {
			now += below(100);
			if (!below(500))
				now -= below(5000);
			add_noise(&s, below(1000) ? now : garbage());
		}
		if (seed % 2)
			fence_stats_single(stats, 3);
		for (size_t i = 0; i < s.nr_records; i++) {
			struct fence_wait w = { .pid = (uint32_t)below(4),
						.tid = (uint32_t)below(4),
						.comm = "w",
						.fence = { below(8), below(8) },
						.container = { below(8), garbage() },
						.in_container = below(2) };

			CU_ASSERT_EQUAL_FATAL(model_feed(model, &s.records[i].h), 0);
			if (!below(10))
				CU_ASSERT_EQUAL_FATAL(fence_stats_wait(stats, &w), 0);
		}
		CU_ASSERT_EQUAL_FATAL(model_finish(model), 0);
		CU_ASSERT_EQUAL_FATAL(fence_stats_finish(stats), 0);
		check_sound(stats);
		for (size_t i = 0; (t = fence_stats_timeline(stats, i)); i++)
			figures += count_of(t->hardware);
		fence_stats_free(stats);
		model_free(model);
	}
	/* Not so wild that nothing would come of it. */
	CU_ASSERT_TRUE(figures > 1000);
	close_story(&s);
}

/* The room of the table follows from how many fences it holds, not from how many there were. */
static void test_bounded(void)
{
	struct model *model = model_new(&(struct model_sink){ 0 });
	struct fs_fence rec = {
		.h = { .size = sizeof(rec), .kind = FS_KIND_FENCE, .time_ns = START }
	};
	const struct fence *left;

	random_state = 1;
	rec.context = 1;
	rec.op = FS_FENCE_INIT;
	CU_ASSERT_EQUAL_FATAL(model_feed(model, &rec.h), 0);
	for (unsigned i = 0; i < 500000; i++) {
		rec.h.time_ns += 1000;
		rec.context = 2 + below(100);
		rec.seqno = garbage();
		rec.op = FS_FENCE_INIT;
		CU_ASSERT_EQUAL_FATAL(model_feed(model, &rec.h), 0);
		rec.op = FS_FENCE_SIGNALED;
		CU_ASSERT_EQUAL_FATAL(model_feed(model, &rec.h), 0);
	}
	left = model_fences_in_flight(model);
	CU_ASSERT_PTR_NOT_NULL_FATAL(left);
	CU_ASSERT_TRUE(left->hh.tbl->num_items <= FENCES_DONE_MAX + 2);
	CU_ASSERT_TRUE(left->hh.tbl->num_buckets <= 8 * FENCES_DONE_MAX);
	model_free(model);
}

/* Nothing at all came. */
static void test_empty(void)
{
	struct model *model = model_new(&(struct model_sink){ 0 });
	struct fence_stats *stats = fence_stats_new(model);
	struct fence_unsignaled u;

	CU_ASSERT_EQUAL(model_finish(model), 0);
	CU_ASSERT_EQUAL(fence_stats_finish(stats), 0);
	CU_ASSERT_PTR_NULL(fence_stats_timeline(stats, 0));
	CU_ASSERT_FALSE(fence_stats_unsignaled(stats, 0, &u));
	CU_ASSERT_EQUAL(model_length_ns(model), 0);
	fence_stats_free(stats);
	model_free(model);
	fence_stats_free(NULL);
}

int main(void)
{
	static const struct check_case cases[] = {
		{ "whole streams give the truth", test_truth },
		{ "lost records", test_lost },
		{ "noise", test_noise },
		{ "bounded", test_bounded },
		{ "no records", test_empty },
		{ NULL, NULL },
	};

	return check_main("fence property", cases);
}
