/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Figures of intervals, over frames made by hand. */
#include <linux/types.h>
#include <string.h>

#include "check.h"
#include "top/window.h"

#define MS UINT64_C(1000000)
#define SEC (1000 * MS)

static const struct producer one = { .id = 1, .pid = 10, .name = "one" };
static const struct producer two = { .id = 2, .pid = 20, .name = "two" };

static struct model *model;
static struct window *window;
static struct snapshot shown;

static void begin(uint64_t interval_ns)
{
	const struct model_sink nothing = { 0 };

	model = model_new(&nothing);
	window = window_new(0, interval_ns);
	CU_ASSERT_PTR_NOT_NULL_FATAL(model);
	CU_ASSERT_PTR_NOT_NULL_FATAL(window);
}

static void end(void)
{
	snapshot_free(&shown);
	window_free(window);
	model_free(model);
}

/* A frame that ran for all but `lock`; times in ms. */
static struct frame make(const struct producer *p, uint64_t number, uint64_t from, uint64_t to,
			 uint64_t lock)
{
	struct frame f = {
		.producer = p,
		.number = number,
		.start_ns = from * MS,
		.end_ns = to * MS,
		.render.ns = { [BUDGET_RUNNING] = (to - from - lock) * MS,
			       [BUDGET_LOCK] = lock * MS },
	};

	if (lock) {
		f.nr_blockers = 1;
		f.blockers[0] = (struct blocker){ .cause = BUDGET_LOCK,
						  .confidence = CONF_EXACT,
						  .call = FS_CALL_FUTEX,
						  .fd = -1,
						  .peer_tid = 7,
						  .peer_comm = "waker",
						  .ns = lock * MS,
						  .count = 1 };
	}
	return f;
}

static void add(struct frame f)
{
	CU_ASSERT_EQUAL_FATAL(window_frame(window, model, &f), 0);
}

/* The interval ends, all up to `ms` being known. */
static void expect_close(uint64_t ms, uint64_t from, uint64_t to)
{
	CU_ASSERT_EQUAL_FATAL(window_close(window, model, ms * MS, &shown), 1);
	CU_ASSERT_EQUAL(shown.from_ns, from * MS);
	CU_ASSERT_EQUAL(shown.to_ns, to * MS);
}

static void figures(void)
{
	struct frame lossy = make(&one, 4, 140, 170, 0);
	const struct figures *f;

	begin(SEC);
	add(make(&one, 2, 100, 120, 5));
	add(make(&one, 3, 120, 140, 10));
	lossy.status = FRAME_LOSSY;
	add(lossy);
	add(make(&two, 1, 0, 400, 0));
	add(make(&one, 5, 170, 200, 0));
	CU_ASSERT_EQUAL(window_close(window, model, 999 * MS, &shown), 0);
	expect_close(1000, 0, 1000);
	CU_ASSERT_EQUAL_FATAL(shown.nr, 2);

	f = &shown.figures[0];
	CU_ASSERT_PTR_EQUAL(f->producer, &one);
	CU_ASSERT_EQUAL(f->frames, 4);
	CU_ASSERT_EQUAL(f->left_out, 1);
	CU_ASSERT_EQUAL(f->late, 0);
	/* Frame 2 is not the first: one ended at 100, and four from then to 200. */
	CU_ASSERT_TRUE(f->has_rate);
	CU_ASSERT_EQUAL(f->rate_mhz, 40000);
	/* Of frames 3 and 5 it is known when the one before ended: 20 and 30 ms. */
	CU_ASSERT_TRUE(f->has_interval);
	CU_ASSERT_EQUAL(f->p50_ns, 20 * MS);
	CU_ASSERT_EQUAL(f->p95_ns, 30 * MS);
	CU_ASSERT_EQUAL(f->p99_ns, 30 * MS);
	CU_ASSERT_EQUAL(f->judged, 0);
	CU_ASSERT_EQUAL(f->budget.ns[BUDGET_RUNNING], (15 + 10 + 30) * MS);
	CU_ASSERT_EQUAL(f->budget.ns[BUDGET_LOCK], 15 * MS);
	CU_ASSERT_TRUE(f->has_blocker);
	CU_ASSERT_EQUAL(f->blocker.cause, BUDGET_LOCK);
	CU_ASSERT_EQUAL(f->blocker.ns, 15 * MS);
	CU_ASSERT_EQUAL(f->blocker.count, 2);
	CU_ASSERT_EQUAL(f->last_end_ns, 200 * MS);
	CU_ASSERT_EQUAL(f->nr_slow, 0);

	/* The first frame of all: nothing is known of what was before it. */
	f = &shown.figures[1];
	CU_ASSERT_EQUAL(f->frames, 1);
	CU_ASSERT_FALSE(f->has_rate);
	CU_ASSERT_FALSE(f->has_interval);
	CU_ASSERT_FALSE(f->has_blocker);
	CU_ASSERT_EQUAL(f->budget.ns[BUDGET_RUNNING], 400 * MS);
	end();
}

/* The rate of an interval counts from the last end before it; nothing else is carried over. */
static void next_interval(void)
{
	const struct figures *f;

	begin(SEC);
	add(make(&one, 2, 0, 900, 100));
	expect_close(1000, 0, 1000);
	add(make(&one, 3, 900, 1100, 0));
	add(make(&one, 4, 1100, 1700, 0));
	expect_close(2000, 1000, 2000);
	f = &shown.figures[0];
	CU_ASSERT_EQUAL(f->frames, 2);
	CU_ASSERT_EQUAL(f->rate_mhz, 2500); /* two in 800 ms */
	CU_ASSERT_EQUAL(f->p50_ns, 200 * MS);
	CU_ASSERT_EQUAL(f->p99_ns, 600 * MS);
	CU_ASSERT_EQUAL(f->budget.ns[BUDGET_LOCK], 0);
	CU_ASSERT_FALSE(f->has_blocker);
	/* In the third there is none, which is known. */
	expect_close(3000, 2000, 3000);
	f = &shown.figures[0];
	CU_ASSERT_EQUAL(f->frames, 0);
	CU_ASSERT_TRUE(f->has_rate);
	CU_ASSERT_EQUAL(f->rate_mhz, 0);
	CU_ASSERT_FALSE(f->has_interval);
	CU_ASSERT_EQUAL(f->last_end_ns, 1700 * MS);
	end();
}

/* A frame belongs to the interval in which it ended, whenever it comes. */
static void ahead_and_late(void)
{
	begin(SEC);
	add(make(&one, 2, 400, 500, 0));
	add(make(&one, 3, 500, 1001, 0));
	add(make(&one, 4, 1001, 3500, 0));
	add(make(&two, 2, 700, 1000, 0));
	expect_close(1000, 0, 1000);
	CU_ASSERT_EQUAL(shown.figures[0].frames, 1);
	CU_ASSERT_EQUAL(shown.figures[1].frames, 1);
	add(make(&two, 3, 1000, 2600, 0));
	expect_close(2000, 1000, 2000);
	CU_ASSERT_EQUAL(shown.figures[0].frames, 1);
	CU_ASSERT_EQUAL(shown.figures[0].p50_ns, 501 * MS);
	CU_ASSERT_EQUAL(shown.figures[1].frames, 0);
	expect_close(3000, 2000, 3000);
	CU_ASSERT_EQUAL(shown.figures[0].frames, 0);
	CU_ASSERT_EQUAL(shown.figures[1].frames, 1);
	add(make(&two, 4, 2600, 2900, 0));
	expect_close(4000, 3000, 4000);
	CU_ASSERT_EQUAL(shown.figures[0].frames, 1);
	CU_ASSERT_EQUAL(shown.figures[1].frames, 0);
	CU_ASSERT_EQUAL(shown.figures[1].late, 1);
	end();
}

/* Nobody asked for a while: one longer interval, and then those of the usual length again. */
static void longer(void)
{
	begin(SEC);
	add(make(&one, 2, 0, 100, 0));
	add(make(&one, 3, 100, 3600, 0));
	add(make(&one, 4, 3600, 3800, 0));
	expect_close(3700, 0, 3700);
	CU_ASSERT_EQUAL(shown.figures[0].frames, 2);
	CU_ASSERT_EQUAL(window_close(window, model, 4699 * MS, &shown), 0);
	expect_close(4700, 3700, 4700);
	CU_ASSERT_EQUAL(shown.figures[0].frames, 1);
	/* What is left at the end. */
	add(make(&one, 5, 3800, 4900, 0));
	CU_ASSERT_EQUAL(window_finish(window, model, 5000 * MS, &shown), 1);
	CU_ASSERT_EQUAL(shown.from_ns, 4700 * MS);
	CU_ASSERT_EQUAL(shown.to_ns, 5000 * MS);
	CU_ASSERT_EQUAL(shown.figures[0].frames, 1);
	CU_ASSERT_EQUAL(window_finish(window, model, 5000 * MS, &shown), 0);
	end();
}

static void jank(void)
{
	struct frame f = make(&one, 1, 0, 20, 0);

	begin(SEC);
	f.hwui.kind = FRAME_NORMAL;
	f.verdict.hwui = (struct hwui_verdict){ .known = true, .counted = true, .janky = true };
	f.hwui.way = f.render;
	add(f);
	for (unsigned i = 2; i <= 8; i++) {
		f.number = i;
		f.start_ns = f.end_ns;
		f.end_ns += 20 * MS;
		f.verdict.hwui.janky = i == 5;
		f.verdict.hwui.counted = i != 8;
		f.verdict.hwui.known = i != 7;
		add(f);
	}
	/* Nothing was drawn: no frame, and no gap between its neighbours. */
	f.number = 9;
	f.hwui.kind = FRAME_SKIPPED;
	add(f);
	f.number = 10;
	f.hwui.kind = FRAME_NORMAL;
	f.end_ns += 20 * MS;
	add(f);
	expect_close(1000, 0, 1000);
	CU_ASSERT_EQUAL(shown.figures[0].frames, 9);
	/* All but the 7th, 8th and 10th. */
	CU_ASSERT_EQUAL(shown.figures[0].judged, 6);
	CU_ASSERT_EQUAL(shown.figures[0].janky, 2);
	CU_ASSERT_EQUAL(shown.figures[0].p99_ns, 20 * MS);
	/* Janky is slow, without a median to compare with; the last first. */
	CU_ASSERT_EQUAL_FATAL(shown.figures[0].nr_slow, 2);
	CU_ASSERT_EQUAL(shown.figures[0].slow[0].number, 5);
	CU_ASSERT_EQUAL(shown.figures[0].slow[1].number, 1);
	end();
}

/* Longer than one and a half times the median of the interval before. */
static void slow(void)
{
	uint64_t at = 1000;

	begin(SEC);
	add(make(&one, 2, 100, 120, 0));
	add(make(&one, 3, 120, 140, 0));
	add(make(&one, 4, 140, 940, 0)); /* there is nothing to compare it with */
	expect_close(1000, 0, 1000);
	CU_ASSERT_EQUAL(shown.figures[0].nr_slow, 0);
	add(make(&one, 5, at, at + 30, 0));
	add(make(&one, 6, at + 30, at + 61, 25));
	expect_close(2000, 1000, 2000);
	CU_ASSERT_EQUAL_FATAL(shown.figures[0].nr_slow, 1);
	CU_ASSERT_EQUAL(shown.figures[0].slow[0].number, 6);
	CU_ASSERT_EQUAL(shown.figures[0].slow[0].wall_ns, 31 * MS);
	CU_ASSERT_STRING_EQUAL(shown.figures[0].slow[0].why,
			       "25.000 of 31.000 ms blocked on a lock (futex), woken by waker/7");
	/* The median is 30 ms now; of 20 slow ones the last 16 are kept. */
	at = 2000;
	for (unsigned i = 0; i < 20; i++, at += 46)
		add(make(&one, 7 + i, at, at + 46, 0));
	expect_close(3000, 2000, 3000);
	CU_ASSERT_EQUAL_FATAL(shown.figures[0].nr_slow, TOP_SLOW);
	CU_ASSERT_EQUAL(shown.figures[0].slow[0].number, 26);
	CU_ASSERT_EQUAL(shown.figures[0].slow[TOP_SLOW - 1].number, 11);
	end();
}

/* Who makes no frame for a minute is forgotten, but not while it is looked at. */
static void idle(void)
{
	begin(10 * SEC);
	add(make(&one, 2, 0, 500, 0));
	add(make(&two, 2, 0, 600, 0));
	window_keep(window, 2);
	for (uint64_t s = 10; s <= 60; s += 10)
		expect_close(s * 1000, (s - 10) * 1000, s * 1000);
	CU_ASSERT_EQUAL(shown.nr, 2);
	expect_close(70000, 60000, 70000);
	CU_ASSERT_EQUAL(shown.nr, 2);
	expect_close(80000, 70000, 80000);
	CU_ASSERT_EQUAL_FATAL(shown.nr, 1);
	CU_ASSERT_PTR_EQUAL(shown.figures[0].producer, &two);
	window_keep(window, 0);
	expect_close(90000, 80000, 90000);
	expect_close(100000, 90000, 100000);
	CU_ASSERT_EQUAL(shown.nr, 0);
	/* It may come back. */
	add(make(&one, 3, 500, 100500, 0));
	expect_close(110000, 100000, 110000);
	CU_ASSERT_EQUAL(shown.nr, 1);
	end();
}

/* The pause before a burst is not of the burst's rate: frames of 10 ms after 30 s are 100 fps. */
static void burst(void)
{
	begin(SEC);
	add(make(&one, 2, 0, 500, 0));
	for (uint64_t s = 1; s <= 30; s++)
		expect_close(s * 1000, (s - 1) * 1000, s * 1000);
	add(make(&one, 3, 500, 30100, 0));
	for (uint64_t n = 0; n < 3; n++)
		add(make(&one, 4 + n, 30100 + n * 10, 30110 + n * 10, 0));
	expect_close(31000, 30000, 31000);
	CU_ASSERT_EQUAL_FATAL(shown.nr, 1);
	CU_ASSERT_EQUAL(shown.figures[0].rate_mhz, 100000);
	/* One frame alone has no other rate than that of its pause. */
	expect_close(32000, 31000, 32000);
	expect_close(33000, 32000, 33000);
	add(make(&one, 7, 30130, 34130, 0));
	expect_close(34000, 33000, 34000);
	expect_close(35000, 34000, 35000);
	CU_ASSERT_EQUAL(shown.figures[0].rate_mhz, 250);
	end();
}

/* What ended before all intervals is missed in none. */
static void before(void)
{
	const struct model_sink nothing = { 0 };

	model = model_new(&nothing);
	window = window_new(2 * SEC, SEC);
	add(make(&one, 2, 1000, 1500, 0));
	add(make(&one, 3, 1500, 2500, 0));
	expect_close(3000, 2000, 3000);
	CU_ASSERT_EQUAL_FATAL(shown.nr, 1);
	CU_ASSERT_EQUAL(shown.figures[0].late, 0);
	CU_ASSERT_EQUAL(shown.figures[0].frames, 1);
	end();
}

static void feed_task(uint32_t tid)
{
	const struct fs_task rec = {
		.h = { .time_ns = 1,
		       .tid = tid,
		       .tgid = tid,
		       .kind = FS_KIND_TASK,
		       .size = sizeof(rec) },
		.op = FS_TASK_SEEN,
	};

	CU_ASSERT_EQUAL_FATAL(model_feed(model, &rec.h), 0);
}

/* Whose thread has ended goes sooner: of these two, only thread 5 is there. */
static void gone(void)
{
	static const struct producer here = { .id = 1, .pid = 5, .render_tid = 5 };
	static const struct producer ended = { .id = 2, .pid = 6, .render_tid = 6 };

	begin(SEC);
	feed_task(5);
	add(make(&here, 2, 0, 500, 0));
	add(make(&ended, 2, 0, 500, 0));
	for (uint64_t s = 1; s <= 6; s++) {
		expect_close(s * 1000, (s - 1) * 1000, s * 1000);
		CU_ASSERT_EQUAL(shown.nr, 2);
	}
	expect_close(7000, 6000, 7000);
	CU_ASSERT_EQUAL_FATAL(shown.nr, 1);
	CU_ASSERT_PTR_EQUAL(shown.figures[0].producer, &here);
	end();
}

static void feed_fence(uint32_t tid, uint64_t context, uint64_t seqno, uint32_t op)
{
	const struct fs_fence rec = {
		.h = { .time_ns = MS,
		       .tid = tid,
		       .tgid = tid,
		       .kind = FS_KIND_FENCE,
		       .size = sizeof(rec) },
		.context = context,
		.seqno = seqno,
		.op = op,
	};

	CU_ASSERT_EQUAL_FATAL(model_feed(model, &rec.h), 0);
}

static void wait_for(uint64_t context, uint64_t frame, uint64_t ms)
{
	const struct fence_wait wait = {
		.producer = 1,
		.frame = frame,
		.fence = { context, 1 },
		.start_ns = MS,
		.wake_ns = (1 + ms) * MS,
		.end_ns = (100 + ms) * MS,
	};

	window_fence_wait(window, &wait);
}

static void fences(void)
{
	const struct fs_fence_name name = {
		.h = { .time_ns = 2, .kind = FS_KIND_FENCE_NAME, .size = sizeof(name) },
		.context = 5,
		.driver = "vgem",
		.timeline = "five",
	};
	struct frame f = make(&one, 3, 20, 60, 0);

	begin(SEC);
	feed_task(10);
	feed_fence(10, 5, 1, FS_FENCE_INIT);
	feed_fence(10, 5, 2, FS_FENCE_INIT);
	feed_fence(30, 6, 1, FS_FENCE_INIT);
	feed_fence(10, 6, 2, FS_FENCE_INIT);
	feed_fence(10, 6, 2, FS_FENCE_SIGNALED);
	CU_ASSERT_EQUAL_FATAL(model_feed(model, &name.h), 0);
	wait_for(5, 2, 9); /* before its first frame nobody knows the producer */
	add(make(&one, 2, 10, 20, 0));
	wait_for(6, 2, 7);
	wait_for(5, 3, 4);
	wait_for(5, 3, 4);
	f.render.ns[BUDGET_RUNNING] = 30 * MS;
	f.render.ns[BUDGET_FENCE] = 10 * MS;
	f.nr_blockers = 1;
	f.blockers[0] = (struct blocker){ .cause = BUDGET_FENCE, .fd = -1, .ns = 10 * MS };
	add(f);
	expect_close(1000, 0, 1000);
	/* No record of a fence came by this way: what is in flight can't be said. */
	CU_ASSERT_FALSE(shown.has_fences);
	CU_ASSERT_EQUAL(shown.figures[0].blocker.cause, BUDGET_FENCE);
	/* 8 ms for context 5, 7 for 6. */
	CU_ASSERT_STRING_EQUAL(shown.figures[0].fence.timeline, "five");
	CU_ASSERT_STRING_EQUAL(shown.figures[0].fence.driver, "vgem");

	window_fences_seen(window);
	f = make(&one, 4, 1000, 1100, 0);
	f.render.ns[BUDGET_RUNNING] = 0;
	f.render.ns[BUDGET_FENCE] = 100 * MS;
	wait_for(5, 4, 100);
	add(f);
	expect_close(2000, 1000, 2000);
	CU_ASSERT_TRUE(shown.has_fences);
	CU_ASSERT_EQUAL(shown.fences_in_flight, 3);
	CU_ASSERT_EQUAL(shown.figures[0].in_flight, 2);
	CU_ASSERT_EQUAL_FATAL(shown.figures[0].nr_slow, 1);
	CU_ASSERT_STRING_EQUAL(shown.figures[0].slow[0].why,
			       "100.000 of 100.000 ms blocked on a fence, a fence of vgem/five");
	end();
}

static void losses(void)
{
	begin(SEC);
	window_lost(window, 3);
	expect_close(1000, 0, 1000);
	CU_ASSERT_EQUAL(shown.lost, 3);
	CU_ASSERT_EQUAL(shown.lost_before, 0);
	window_lost(window, 10);
	expect_close(2000, 1000, 2000);
	CU_ASSERT_EQUAL(shown.lost, 7);
	CU_ASSERT_EQUAL(shown.lost_before, 3);
	end();
}

/* More producers than may be, and more frames that wait: counted, and in no figure. */
static void limits(void)
{
	static struct producer many[TOP_PRODUCERS + 2];

	begin(SEC);
	for (unsigned i = 0; i < TOP_PRODUCERS + 2; i++) {
		many[i] = (struct producer){ .id = i + 1, .pid = 1 };
		add(make(&many[i], 2, 0, 10, 0));
	}
	for (unsigned i = 0; i < TOP_AHEAD + 3; i++)
		add(make(&many[0], 3 + i, 5000, 5001, 0));
	expect_close(1000, 0, 1000);
	CU_ASSERT_EQUAL(shown.nr, TOP_PRODUCERS);
	CU_ASSERT_EQUAL(shown.dropped, 2 + 3);
	/* Now there is room for who comes: the first but the one that is looked at gives way. */
	window_keep(window, 1);
	add(make(&many[TOP_PRODUCERS], 3, 10, 1100, 0));
	expect_close(2000, 1000, 2000);
	CU_ASSERT_EQUAL(shown.nr, TOP_PRODUCERS);
	CU_ASSERT_EQUAL(shown.dropped, 2 + 3);
	CU_ASSERT_PTR_EQUAL(shown.figures[0].producer, &many[0]);
	CU_ASSERT_PTR_EQUAL(shown.figures[1].producer, &many[2]);
	CU_ASSERT_PTR_EQUAL(shown.figures[TOP_PRODUCERS - 1].producer, &many[TOP_PRODUCERS]);
	end();
}

int main(void)
{
	static const struct check_case cases[] = {
		{ "figures", figures },
		{ "next_interval", next_interval },
		{ "ahead_and_late", ahead_and_late },
		{ "longer", longer },
		{ "jank", jank },
		{ "slow", slow },
		{ "idle", idle },
		{ "burst", burst },
		{ "before", before },
		{ "gone", gone },
		{ "fences", fences },
		{ "losses", losses },
		{ "limits", limits },
		{ NULL, NULL },
	};

	return check_main("top_window", cases);
}
