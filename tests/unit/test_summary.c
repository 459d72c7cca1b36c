/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Figures over frames made by hand. */
#include <linux/types.h>
#include <string.h>

#include "check.h"
#include "model/summary.h"

static const struct producer one = { .id = 1, .pid = 10, .name = "one" };
static const struct producer two = { .id = 2, .pid = 20, .name = "two" };

/* A frame that ran for all but `lock` ns. */
static struct frame make(const struct producer *p, uint64_t number, uint64_t start, uint64_t end,
			 uint64_t lock)
{
	struct frame f = {
		.producer = p,
		.number = number,
		.start_ns = start,
		.end_ns = end,
		.render.ns = { [BUDGET_RUNNING] = end - start - lock, [BUDGET_LOCK] = lock },
		.seen = 1u << FS_ROLE_SWAP,
		.swap_ns = 3,
	};

	if (lock) {
		f.nr_blockers = 1;
		f.blockers[0] = (struct blocker){ .cause = BUDGET_LOCK,
						  .confidence = CONF_EXACT,
						  .call = FS_CALL_FUTEX,
						  .fd = -1,
						  .peer_tid = 7,
						  .peer_comm = "waker",
						  .ns = lock,
						  .count = 1 };
	}
	return f;
}

static void add(struct summary *s, struct frame f, enum frame_status status)
{
	f.status = status;
	CU_ASSERT_EQUAL(summary_add(s, &f), 0);
}

static void test_figures(void)
{
	struct summary *s = summary_new();

	add(s, make(&one, 1, 0, 50, 0), FRAME_TRUNCATED);
	add(s, make(&two, 1, 0, 60, 0), FRAME_TRUNCATED);
	add(s, make(&one, 2, 50, 60, 2), FRAME_COMPLETE);
	add(s, make(&one, 3, 60, 80, 5), FRAME_COMPLETE);
	add(s, make(&one, 4, 80, 380, 100), FRAME_LOSSY);
	add(s, make(&one, 5, 380, 420, 9), FRAME_COMPLETE);
	add(s, make(&one, 6, 420, 450, 0), FRAME_TRUNCATED);

	const struct producer_summary *p = summary_producer(s, 0);

	CU_ASSERT_PTR_NOT_NULL_FATAL(p);
	CU_ASSERT_PTR_EQUAL(p->producer, &one);
	CU_ASSERT_EQUAL(p->counts[FRAME_COMPLETE], 3);
	CU_ASSERT_EQUAL(p->counts[FRAME_LOSSY], 1);
	CU_ASSERT_EQUAL(p->counts[FRAME_TRUNCATED], 2);
	/* The first swap ended the first frame, the last one the fifth: the sixth was cut. */
	CU_ASSERT_EQUAL(p->pace.first_end_ns, 50);
	CU_ASSERT_EQUAL(p->pace.swaps, 4);
	CU_ASSERT_EQUAL(p->pace.last_end_ns, 420);
	CU_ASSERT_EQUAL(quantile_count(p->wall), 3);
	CU_ASSERT_EQUAL(quantile_at(p->wall, 500), 20);
	CU_ASSERT_EQUAL(quantile_at(p->wall, 1000), 40);
	CU_ASSERT_EQUAL(quantile_count(p->interval), 3);
	CU_ASSERT_EQUAL(quantile_at(p->interval, 500), 20);
	CU_ASSERT_EQUAL(quantile_at(p->parts[BUDGET_LOCK], 500), 5);
	CU_ASSERT_EQUAL(quantile_count(p->parts[BUDGET_GPU]), 3);
	CU_ASSERT_EQUAL(quantile_at(p->parts[BUDGET_GPU], 500), 0);
	CU_ASSERT_EQUAL(p->total.ns[BUDGET_LOCK], 2 + 5 + 9);
	CU_ASSERT_EQUAL(p->total.ns[BUDGET_RUNNING], 8 + 15 + 31);
	CU_ASSERT_EQUAL(quantile_count(p->swap), 3);
	CU_ASSERT_EQUAL(quantile_count(p->dequeue), 0);
	CU_ASSERT_EQUAL(p->nr_blockers, 1);
	CU_ASSERT_EQUAL(p->blockers[0].ns, 16);
	CU_ASSERT_EQUAL(p->blockers[0].count, 3);
	CU_ASSERT_EQUAL(p->nr_worst, 3);
	CU_ASSERT_EQUAL(p->worst[0].number, 5);
	CU_ASSERT_EQUAL(p->worst[1].number, 3);
	CU_ASSERT_EQUAL(p->worst[2].number, 2);

	p = summary_producer(s, 1);
	CU_ASSERT_PTR_NOT_NULL_FATAL(p);
	CU_ASSERT_PTR_EQUAL(p->producer, &two);
	CU_ASSERT_EQUAL(quantile_count(p->wall), 0);
	CU_ASSERT_EQUAL(p->nr_worst, 0);
	CU_ASSERT_PTR_NULL(summary_producer(s, 2));
	summary_free(s);
	summary_free(NULL);
}

/* A swap was missed between two frames: that is no interval. */
static void test_interval_needs_both_ends(void)
{
	struct summary *s = summary_new();

	add(s, make(&one, 4, 100, 110, 0), FRAME_COMPLETE);
	add(s, make(&one, 5, 110, 130, 0), FRAME_COMPLETE);
	add(s, make(&one, 7, 200, 230, 0), FRAME_COMPLETE);

	const struct producer_summary *p = summary_producer(s, 0);

	CU_ASSERT_PTR_NOT_NULL_FATAL(p);
	CU_ASSERT_EQUAL(quantile_count(p->wall), 3);
	CU_ASSERT_EQUAL(quantile_count(p->interval), 1);
	CU_ASSERT_EQUAL(quantile_at(p->interval, 500), 20);
	CU_ASSERT_EQUAL(p->pace.first_end_ns, 100);
	CU_ASSERT_EQUAL(p->pace.swaps, 4);
	CU_ASSERT_EQUAL(p->pace.last_end_ns, 230);
	summary_free(s);
}

/* A frame that was skipped has no swap: the interval goes on over it. */
static void test_interval_over_skipped(void)
{
	struct frame first = make(&one, 4, 100, 110, 0), skipped = make(&one, 5, 110, 120, 0),
		     second = make(&one, 6, 120, 140, 0);
	struct summary *s = summary_new();

	first.hwui.kind = second.hwui.kind = FRAME_NORMAL;
	skipped.hwui.kind = FRAME_SKIPPED;
	add(s, first, FRAME_COMPLETE);
	add(s, skipped, FRAME_COMPLETE);
	add(s, second, FRAME_COMPLETE);

	const struct producer_summary *p = summary_producer(s, 0);

	CU_ASSERT_PTR_NOT_NULL_FATAL(p);
	CU_ASSERT_EQUAL(quantile_count(p->interval), 1);
	CU_ASSERT_EQUAL(quantile_at(p->interval, 500), 30);
	CU_ASSERT_EQUAL(p->pace.swaps, 1);
	summary_free(s);
}

/* 30 frames, 1 to 30 long, in an order that is not theirs; of two that are equal the earlier. */
static void test_worst(void)
{
	struct summary *s = summary_new();
	uint64_t at = 0;

	for (uint64_t i = 0; i < 30; i++) {
		uint64_t wall = i * 7 % 30 + 1;

		add(s, make(&one, i + 1, at, at + wall, 0), FRAME_COMPLETE);
		at += wall;
	}
	add(s, make(&one, 31, at, at + 30, 0), FRAME_COMPLETE);

	const struct producer_summary *p = summary_producer(s, 0);
	static const uint64_t walls[] = { 30, 30, 29, 28, 27, 26, 25, 24, 23, 22 };

	CU_ASSERT_PTR_NOT_NULL_FATAL(p);
	CU_ASSERT_EQUAL(p->nr_worst, SUMMARY_WORST);
	for (unsigned i = 0; i < SUMMARY_WORST; i++)
		CU_ASSERT_EQUAL(p->worst[i].end_ns - p->worst[i].start_ns, walls[i]);
	/* 7 i = 29 (mod 30) at i = 17, the eighteenth frame. */
	CU_ASSERT_EQUAL(p->worst[0].number, 18);
	CU_ASSERT_EQUAL(p->worst[1].number, 31);
	summary_free(s);
}

/* 15 wakers; waker n costs n in each of ten frames. */
static void test_blockers(void)
{
	struct summary *s = summary_new();

	for (uint64_t i = 0; i < 10; i++) {
		struct frame f = make(&one, i + 1, i * 1000, i * 1000 + 1000, 0);

		for (unsigned n = 0; n < 15; n++)
			f.blockers[n] =
				(struct blocker){ .cause = BUDGET_IPC,
						  .confidence = n == 14 && i == 4 ? CONF_PROBABLE
										  : CONF_EXACT,
						  .peer_tid = n + 1,
						  .ns = n + 1,
						  .count = 2 };
		f.nr_blockers = 15;
		add(s, f, FRAME_COMPLETE);
	}

	const struct producer_summary *p = summary_producer(s, 0);

	CU_ASSERT_PTR_NOT_NULL_FATAL(p);
	CU_ASSERT_EQUAL(p->nr_blockers, SUMMARY_BLOCKERS);
	for (unsigned i = 0; i < SUMMARY_BLOCKERS; i++) {
		CU_ASSERT_EQUAL(p->blockers[i].peer_tid, 15 - i);
		CU_ASSERT_EQUAL(p->blockers[i].ns, 10 * (15 - i));
		CU_ASSERT_EQUAL(p->blockers[i].count, 20);
	}
	/* As sure as its least sure part. */
	CU_ASSERT_EQUAL(p->blockers[0].confidence, CONF_PROBABLE);
	CU_ASSERT_EQUAL(p->blockers[1].confidence, CONF_EXACT);
	/* Asked again, the same. */
	CU_ASSERT_EQUAL(summary_producer(s, 0)->nr_blockers, SUMMARY_BLOCKERS);
	summary_free(s);
}

int main(void)
{
	static const struct check_case cases[] = {
		{ "figures", test_figures },
		{ "an interval has two ends", test_interval_needs_both_ends },
		{ "an interval over a skipped frame", test_interval_over_skipped },
		{ "worst frames", test_worst },
		{ "blockers", test_blockers },
		{ NULL, NULL },
	};

	return check_main("summary", cases);
}
