/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Random timelines whose truth is known, first as they are, then with records dropped, late, or
 * damaged. Always: the parts of each frame sum to its wall time, a producer's frames follow one
 * another without a gap, unless they were only told of. And of a frame that calls itself complete
 * every figure is the truth.
 */
#include "story.h"

#define SEEDS 40
/* Of which a lost one shows in its thread's numbering. */
#define NUMBERED (1u << FS_KIND_OFFCPU | 1u << FS_KIND_SPAN)

/* The time of a frame added up from the pieces: slow, and nothing like the model does it. */
static struct budget true_budget(const struct story *s, const struct truth_frame *f)
{
	struct budget b = { 0 };

	for (size_t i = 0; i < s->nr_pieces; i++) {
		const struct piece *p = &s->pieces[i];
		uint64_t from = p->from > f->start_ns ? p->from : f->start_ns;
		uint64_t to = p->to < f->end_ns ? p->to : f->end_ns;

		if (p->tid == f->tid && from < to)
			b.ns[p->part] += to - from;
	}
	return b;
}

static bool is_true(const struct story *s, const struct frame *f)
{
	for (size_t i = 0; i < s->nr_frames; i++) {
		const struct truth_frame *t = &s->frames[i];

		if (t->tid != f->producer->render_tid || t->surface != f->producer->surface ||
		    t->end_ns != f->end_ns)
			continue;

		struct budget b = true_budget(s, t);

		return t->start_ns == f->start_ns && !memcmp(&b, &f->render, sizeof(b)) &&
		       t->swap_ns == f->swap_ns && t->dequeue_ns == f->dequeue_ns;
	}
	return false;
}

/* What holds of any stream. Returns the number of complete frames. */
static size_t check_sound(const struct world *w)
{
	size_t unsound = 0, torn = 0, complete = 0;
	uint32_t max_id = 0;

	for (size_t i = 0; i < w->nr; i++) {
		unsound += !frame_is_sound(&w->frames[i]);
		complete += w->frames[i].status == FRAME_COMPLETE;
		if (w->frames[i].producer->id > max_id)
			max_id = w->frames[i].producer->id;
	}

	const struct frame **last = calloc(max_id + 1, sizeof(*last));

	if (!last)
		abort();
	for (size_t i = 0; i < w->nr; i++) {
		const struct frame *f = &w->frames[i], *prev = last[f->producer->id];

		if (prev)
			torn += (f->start_ns != prev->end_ns && !f->dumped) ||
				f->number != prev->number + 1;
		else if (f->dumped)
			torn += f->number != 1;
		else
			torn += f->number != 1 || f->status != FRAME_TRUNCATED;
		last[f->producer->id] = f;
	}
	free(last);
	CU_ASSERT_EQUAL(unsound, 0);
	CU_ASSERT_EQUAL(torn, 0);
	return complete;
}

static void check_complete_is_true(const struct story *s, const struct world *w)
{
	size_t lies = 0;

	for (size_t i = 0; i < w->nr; i++)
		lies += w->frames[i].status == FRAME_COMPLETE && !is_true(s, &w->frames[i]);
	CU_ASSERT_EQUAL(lies, 0);
}

static void test_whole(void)
{
	struct story s;

	open_story(&s);
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		struct world w;
		size_t firsts = 0, complete, not_true = 0;

		make_story(&s, seed);
		world_open(&w);
		tell(&s, w.model);
		complete = check_sound(&w);
		check_complete_is_true(&s, &w);
		for (size_t i = 0; i < s.nr_frames; i++)
			firsts += s.frames[i].first;
		CU_ASSERT_EQUAL(complete, s.nr_frames - firsts);
		/* And one frame per producer that the end cuts. */
		CU_ASSERT_EQUAL(w.nr, s.nr_frames + firsts);
		for (size_t i = 0; i < w.nr; i++)
			not_true += w.frames[i].render.ns[BUDGET_UNKNOWN] != 0;
		CU_ASSERT_EQUAL(not_true, 0);
		CU_ASSERT_EQUAL(model_stats(w.model)->stale, 0);
		world_close(&w);
	}
	close_story(&s);
}

/* Let one in `odds` of the intervals and calls come up to `distance` records later. */
static void delay(struct story *s, uint64_t odds, size_t distance)
{
	for (size_t i = 0; i < s->nr_records; i++) {
		union record r = s->records[i];
		size_t to = i + 1 + below(distance);

		if ((r.h.kind != FS_KIND_OFFCPU && r.h.kind != FS_KIND_SPAN) || below(odds))
			continue;
		/* Not behind the thread's exit or the stop: the merge is over by then. */
		if (to >= s->nr_records - 20)
			continue;
		memmove(&s->records[i], &s->records[i + 1], (to - i) * sizeof(r));
		s->records[to] = r;
	}
}

static void test_dropped(void)
{
	struct story s;
	size_t complete = 0, frames = 0;

	open_story(&s);
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		struct world w;

		make_story(&s, 1000 + seed);
		drop(&s, 5 + seed * 10, NUMBERED);
		world_open(&w);
		tell(&s, w.model);
		complete += check_sound(&w);
		frames += s.nr_frames;
		check_complete_is_true(&s, &w);
		world_close(&w);
	}
	/* Far from all are given up. */
	CU_ASSERT_TRUE(complete > frames / 2);
	close_story(&s);
}

static void test_late(void)
{
	struct story s;
	size_t complete = 0, frames = 0;

	open_story(&s);
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		struct world w;

		make_story(&s, 2000 + seed);
		delay(&s, 20, 8);
		if (seed % 2)
			drop(&s, 100, NUMBERED);
		world_open(&w);
		tell(&s, w.model);
		complete += check_sound(&w);
		frames += s.nr_frames;
		check_complete_is_true(&s, &w);
		world_close(&w);
	}
	CU_ASSERT_TRUE(complete > frames / 4);
	close_story(&s);
}

/* Overwrite words behind the kind and size of records. */
static void damage(struct story *s, uint64_t odds)
{
	for (size_t i = 0; i < s->nr_records; i++) {
		union record *r = &s->records[i];
		size_t words = r->h.size / 8;

		if (below(odds) || r->h.kind == FS_KIND_CLOCK)
			continue;
		r->words[below(2) ? 0 : 3 + below(words - 3)] = garbage();
	}
}

static void turn_clock_back(struct story *s)
{
	for (unsigned n = 0; n < 3; n++) {
		size_t from = below(s->nr_records), to = from + below(200);
		uint64_t back = below(200000);

		for (size_t i = from; i < to && i < s->nr_records; i++) {
			if (s->records[i].h.time_ns > back)
				s->records[i].h.time_ns -= back;
		}
	}
}

static void test_damaged(void)
{
	struct story s;

	open_story(&s);
	for (uint64_t seed = 1; seed <= SEEDS * 2; seed++) {
		struct world w;

		make_story(&s, 3000 + seed);
		damage(&s, 1 + seed * 2);
		if (seed % 2)
			turn_clock_back(&s);
		world_open(&w);
		tell(&s, w.model);
		check_sound(&w);
		world_close(&w);
	}
	close_story(&s);
}

/* In the noise, a fence's signal and the end of the block for it: what an exact wait takes. */
static void add_wait(struct story *s, const struct fs_fence_ref *ref, uint64_t now)
{
	struct fs_fence_ref met = *ref; /* its place may move */
	union record *r = add(s, FS_KIND_FENCE, sizeof(struct fs_fence), now + 5, 0);

	r->fence.context = met.context;
	r->fence.seqno = met.seqno;
	r->fence.op = FS_FENCE_SIGNALED;
	r->fence.h.cpu = (uint32_t)below(2);
	r = add(s, FS_KIND_OFFCPU, sizeof(struct fs_offcpu), now + 20, 0);
	r->off.out_ns = now;
	r->off.waking_ns = now + 10;
	r->off.seq = met.off_seq;
	r->off.call = FS_CALL_POLL;
	r->off.file = FS_FILE_SYNC_FILE;
	r->off.context = FS_CTX_HARDIRQ;
	r->off.h.tid = met.h.tid;
	r->off.h.tgid = 1;
}

/* Records that nothing holds together but small ids and near times. */
static void make_noise(struct story *s, uint64_t seed)
{
	static const uint16_t kinds[][2] = {
		{ FS_KIND_OFFCPU, sizeof(struct fs_offcpu) },
		{ FS_KIND_SPAN, sizeof(struct fs_span) },
		{ FS_KIND_SPAN, sizeof(struct fs_span) },
		{ FS_KIND_TASK, sizeof(struct fs_task) },
		{ FS_KIND_FENCE, sizeof(struct fs_fence) },
		{ FS_KIND_FENCE_REF, sizeof(struct fs_fence_ref) },
		{ FS_KIND_LOST, sizeof(struct fs_lost) },
		{ FS_KIND_POINT, sizeof(struct fs_point) },
		{ FS_KIND_TIMELINE, sizeof(struct fs_timeline) },
		{ FS_KIND_BUFFER, sizeof(struct fs_buffer) },
	};
	uint64_t now = START;

	random_state = seed;
	s->nr_records = 0;
	for (unsigned n = 0; n < 20000; n++) {
		union record *r = add_random(s, kinds, sizeof(kinds) / sizeof(kinds[0]), now, 0);

		r->h.tid = (uint32_t)below(below(10) ? 6 : 100000);
		r->h.tgid = below(100) ? 1 : (uint32_t)below(3);
		now += below(100);
		/* Not so wild that no frame would come of it. */
		if (r->h.kind == FS_KIND_OFFCPU && below(20)) {
			r->off.out_ns = now - below(300);
			r->off.waking_ns = below(3) ? now - below(20) : 0;
			r->off.cpu_waking = (int32_t)below(3) - 1;
		} else if (r->h.kind == FS_KIND_SPAN && below(20)) {
			r->span.entry_ns = now - below(500);
			r->span.depth = (uint32_t)below(3);
		} else if (r->h.kind == FS_KIND_FENCE_REF && below(20)) {
			/* Of a block that is recorded soon. */
			r->ref.role = FS_REF_WAITED;
			r->ref.h.tid = 1;
			r->ref.seqno = now;
			r->ref.count = 0;
			r->ref.flags = 0;
			add_wait(s, &r->ref, now);
			now += 20;
		} else if (r->h.kind == FS_KIND_FENCE && below(20)) {
			r->fence.op = FS_FENCE_SIGNALED;
			r->fence.h.cpu = (uint32_t)below(2);
		} else if (r->h.kind == FS_KIND_TIMELINE && below(20)) {
			r->timeline.kind = 1 + (uint32_t)below(4);
			r->timeline.start_ns = now - below(500);
			r->timeline.token = (int64_t)below(64);
			r->timeline.display_token = (int64_t)below(64);
		} else if (r->h.kind == FS_KIND_POINT) {
			r->point.role = r->point.id;
		} else if (r->h.kind == FS_KIND_TASK && below(20)) {
			r->task.op = FS_TASK_RENAME;
		}
		if (!below(500))
			now -= below(5000);
	}
}

static void test_noise(void)
{
	struct story s;
	size_t frames = 0, told = 0, waits = 0, exact = 0;

	open_story(&s);
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		struct world w;

		make_noise(&s, seed);
		world_open(&w);
		tell(&s, w.model);
		check_sound(&w);
		for (size_t i = 0; i < w.nr; i++)
			told += w.frames[i].dumped == DUMP_TIMELINE;
		frames += w.nr;
		waits += w.waits;
		exact += w.exact_waits;
		CU_ASSERT_EQUAL(w.unsound_waits, 0);
		world_close(&w);
	}
	CU_ASSERT_TRUE(frames - told > 1000);
	CU_ASSERT_TRUE(told > 1000);
	CU_ASSERT_TRUE(waits > 1000);
	CU_ASSERT_TRUE(exact > 100);
	close_story(&s);
}

int main(void)
{
	static const struct check_case cases[] = {
		{ "whole streams give the truth", test_whole },
		{ "dropped records", test_dropped },
		{ "late records", test_late },
		{ "damaged records, and a clock that goes back", test_damaged },
		{ "noise", test_noise },
		{ NULL, NULL },
	};

	return check_main("model property", cases);
}
