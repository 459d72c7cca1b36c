/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A thread's timeline and what a frame's budget says of it. Every case is a short stream and the
 * figures worked out from it by hand. The ends of frames are test_frames.c's.
 */
#include "events.h"

#define SURFACE 0x5500

static void test_running_blocked_runnable(void)
{
	struct world w;

	world_start(&w, 1000);
	SWAP(&w, 1, 1090, 1100, SURFACE, 0);
	LOCK(&w, 1, 1120, 1150, 1160);
	SWAP(&w, 2, 1190, 1200, SURFACE, 1);
	/* Nothing later is needed: the swap itself says that no interval is missing. */
	CU_ASSERT_EQUAL(w.nr, 2);
	TASK(&w, LAST, 1230, .off_seq = 1, .span_seq = 2);
	world_stop(&w, 1230);

	CU_ASSERT_EQUAL(w.nr, 3);
	CU_ASSERT_EQUAL(frame_at(&w, 0)->status, FRAME_TRUNCATED);
	CU_ASSERT_EQUAL(frame_at(&w, 0)->start_ns, 1000);
	BUDGET_IS(frame_at(&w, 0), [BUDGET_RUNNING] = 100);
	CU_ASSERT_EQUAL(frame_at(&w, 1)->status, FRAME_COMPLETE);
	CU_ASSERT_EQUAL(frame_at(&w, 1)->start_ns, 1100);
	CU_ASSERT_EQUAL(frame_at(&w, 1)->end_ns, 1200);
	BUDGET_IS(
		frame_at(&w, 1), [BUDGET_RUNNING] = 60, [BUDGET_LOCK] = 30, [BUDGET_RUNNABLE] = 10);
	CU_ASSERT_EQUAL(frame_at(&w, 2)->status, FRAME_TRUNCATED);
	CU_ASSERT_EQUAL(frame_at(&w, 2)->end_ns, 1230);
	BUDGET_IS(frame_at(&w, 2), [BUDGET_RUNNING] = 30);

	const struct blocker *b = frame_top_blocker(frame_at(&w, 1), BUDGET_LOCK);

	CU_ASSERT_PTR_NOT_NULL_FATAL(b);
	CU_ASSERT_EQUAL(b->ns, 30);
	CU_ASSERT_EQUAL(b->count, 1);
	CU_ASSERT_EQUAL(b->confidence, CONF_EXACT);
	CU_ASSERT_EQUAL(b->call, FS_CALL_FUTEX);
	CU_ASSERT_EQUAL(b->peer_tid, 7);
	CU_ASSERT_STRING_EQUAL(b->peer_comm, "waker");
	b = frame_top_blocker(frame_at(&w, 1), BUDGET_RUNNABLE);
	CU_ASSERT_PTR_NOT_NULL_FATAL(b);
	CU_ASSERT_EQUAL(b->peer_tid, 0);
	world_close(&w);
}

/*
 * The switch-in was hidden by the kernel: from the waking on, or from the switch-out if the thread
 * was preempted, it was ready or running. That is no lost record.
 */
static void test_unseen_end(void)
{
	struct world w;

	world_start(&w, 1000);
	SWAP(&w, 1, 1090, 1100, SURFACE, 0);
	LOCK(&w, 1, 1110, 1130, 1135, .flags = FS_OFF_NO_END);
	OFF(&w, 2, 1150, 1157, .flags = FS_OFF_PREEMPTED | FS_OFF_NO_END, .peer_tid = 9);
	/* Nor was its waking seen. */
	LOCK(&w, 3, 1160, 0, 1180, .flags = FS_OFF_NO_END);
	SWAP(&w, 2, 1190, 1200, SURFACE, 3);
	CU_ASSERT_EQUAL(frame_at(&w, 1)->status, FRAME_COMPLETE);
	/* Running 1100-1110, 1135-1150, 1157-1160 and 1180-1200. */
	BUDGET_IS(
		frame_at(&w, 1), [BUDGET_RUNNING] = 48, [BUDGET_LOCK] = 20, [BUDGET_UNKNOWN] = 32);
	CU_ASSERT_PTR_NULL(frame_top_blocker(frame_at(&w, 1), BUDGET_RUNNABLE));
	world_close(&w);
}

/* Interval 2 is lost, and no span says where: all from the last swap to interval 3 is unknown. */
static void test_gap(void)
{
	struct world w;

	world_start(&w, 1000);
	SWAP(&w, 1, 1090, 1100, SURFACE, 0);
	LOCK(&w, 1, 1110, 1120, 1120);
	SWAP(&w, 2, 1190, 1200, SURFACE, 1);
	LOCK(&w, 3, 1250, 1260, 1270);
	SWAP(&w, 3, 1290, 1300, SURFACE, 3);
	LOCK(&w, 4, 1310, 1330, 1330);
	SWAP(&w, 4, 1390, 1400, SURFACE, 4);
	world_stop(&w, 1400);

	CU_ASSERT_EQUAL(w.nr, 4);
	CU_ASSERT_EQUAL(frame_at(&w, 1)->status, FRAME_COMPLETE);
	CU_ASSERT_EQUAL(frame_at(&w, 2)->status, FRAME_LOSSY);
	BUDGET_IS(frame_at(&w, 2), [BUDGET_UNKNOWN] = 50, [BUDGET_LOCK] = 10,
		  [BUDGET_RUNNABLE] = 10, [BUDGET_RUNNING] = 30);
	CU_ASSERT_EQUAL(frame_at(&w, 3)->status, FRAME_COMPLETE);
	BUDGET_IS(frame_at(&w, 3), [BUDGET_LOCK] = 20, [BUDGET_RUNNING] = 80);

	const struct blocker *b = frame_top_blocker(frame_at(&w, 2), BUDGET_UNKNOWN);

	CU_ASSERT_PTR_NOT_NULL_FATAL(b);
	CU_ASSERT_EQUAL(b->confidence, CONF_NONE);
	world_close(&w);
}

/*
 * Interval 2 is lost somewhere before the swap at 1200, which comes behind it. From there to
 * interval 3 the thread ran, so that the frame after the swap is whole.
 */
static void test_gap_before_span(void)
{
	struct world w;

	world_start(&w, 1000);
	LOCK(&w, 1, 1010, 1020, 1020);
	SWAP(&w, 1, 1090, 1100, SURFACE, 1);
	SWAP(&w, 2, 1190, 1200, SURFACE, 2);
	CU_ASSERT_EQUAL(w.nr, 1); /* it may still come */
	LOCK(&w, 3, 1250, 1260, 1260);
	SWAP(&w, 3, 1290, 1300, SURFACE, 3);
	world_stop(&w, 1300);

	CU_ASSERT_EQUAL(w.nr, 3);
	CU_ASSERT_EQUAL(frame_at(&w, 1)->status, FRAME_LOSSY);
	BUDGET_IS(frame_at(&w, 1), [BUDGET_UNKNOWN] = 100);
	CU_ASSERT_EQUAL(frame_at(&w, 2)->status, FRAME_COMPLETE);
	BUDGET_IS(frame_at(&w, 2), [BUDGET_LOCK] = 10, [BUDGET_RUNNING] = 90);
	world_close(&w);
}

/* The record of interval 2 comes after the swap behind it: late, but nothing is missing. */
static void test_late_interval(void)
{
	struct world w;

	world_start(&w, 1000);
	LOCK(&w, 1, 1010, 1020, 1020);
	SWAP(&w, 1, 1090, 1100, SURFACE, 1);
	SWAP(&w, 2, 1190, 1200, SURFACE, 2);
	LOCK(&w, 2, 1110, 1140, 1150);
	CU_ASSERT_EQUAL(w.nr, 2);
	CU_ASSERT_EQUAL(frame_at(&w, 1)->status, FRAME_COMPLETE);
	BUDGET_IS(
		frame_at(&w, 1), [BUDGET_LOCK] = 30, [BUDGET_RUNNABLE] = 10, [BUDGET_RUNNING] = 60);
	/* This one comes when its time has been accounted for. */
	LOCK(&w, 3, 1160, 1170, 1170);
	CU_ASSERT_EQUAL(model_stats(w.model)->stale, 1);
	world_close(&w);
}

/* The numbering starts anew: what was between is unknown. */
static void test_backwards(void)
{
	struct world w;

	world_start(&w, 1000);
	LOCK(&w, 1, 1010, 1020, 1020);
	LOCK(&w, 2, 1030, 1040, 1040);
	LOCK(&w, 1, 1060, 1070, 1070);
	SWAP(&w, 1, 1090, 1100, SURFACE, 1);
	CU_ASSERT_EQUAL(w.nr, 1);
	BUDGET_IS(
		frame_at(&w, 0), [BUDGET_LOCK] = 30, [BUDGET_UNKNOWN] = 20, [BUDGET_RUNNING] = 50);
	world_close(&w);
}

static void test_first_is_not_one(void)
{
	struct world w;

	world_start(&w, 1000);
	LOCK(&w, 5, 1040, 1050, 1060);
	SWAP(&w, 1, 1090, 1100, SURFACE, 5);
	CU_ASSERT_EQUAL(w.nr, 1);
	CU_ASSERT_EQUAL(frame_at(&w, 0)->status, FRAME_TRUNCATED);
	BUDGET_IS(frame_at(&w, 0), [BUDGET_UNKNOWN] = 40, [BUDGET_LOCK] = 10,
		  [BUDGET_RUNNABLE] = 10, [BUDGET_RUNNING] = 40);
	world_close(&w);
}

static void test_off_since_before_the_start(void)
{
	struct world w;

	world_start(&w, 1000);
	OFF(&w, 1, 0, 1030, .flags = FS_OFF_NO_START, .waking_ns = 1020);
	SWAP(&w, 1, 1090, 1100, SURFACE, 1);
	BUDGET_IS(frame_at(&w, 0), [BUDGET_UNKNOWN] = 30, [BUDGET_RUNNING] = 70);
	world_close(&w);
}

/* A thread without a SEEN or NEW record: nothing is said about the time before its first record. */
static void test_unannounced(void)
{
	struct world w;

	world_start(&w, 1000);
	LOCK(&w, 1, 1500, 1510, 1510, .h.tid = 3);
	SWAP(&w, 1, 1590, 1600, SURFACE, 1, .h.tid = 3);
	CU_ASSERT_EQUAL(w.nr, 1);
	CU_ASSERT_EQUAL(frame_at(&w, 0)->start_ns, 1500);
	BUDGET_IS(frame_at(&w, 0), [BUDGET_LOCK] = 10, [BUDGET_RUNNING] = 90);
	world_close(&w);
}

static void test_new_thread(void)
{
	struct world w;

	world_start(&w, 1000);
	TASK(&w, NEW, 1100, .h.tid = 101, .parent = TID, .comm = "child");
	OFF(&w, 1, 1105, 1125, .h.tid = 101, .flags = FS_OFF_NEW, .peer_tid = 9);
	SWAP(&w, 1, 1190, 1200, SURFACE, 1, .h.tid = 101);
	CU_ASSERT_EQUAL(w.nr, 1);
	CU_ASSERT_EQUAL(frame_at(&w, 0)->start_ns, 1105);
	BUDGET_IS(frame_at(&w, 0), [BUDGET_RUNNABLE] = 20, [BUDGET_RUNNING] = 75);
	CU_ASSERT_EQUAL(frame_at(&w, 0)->blockers[0].peer_tid, 0);
	world_close(&w);
}

static void test_preempted(void)
{
	struct world w;

	world_start(&w, 1000);
	OFF(&w, 1, 1010, 1050, .flags = FS_OFF_PREEMPTED, .waking_ns = 1020, .peer_tid = 66,
	    .peer_tgid = 60, .peer_comm = "hog");
	SWAP(&w, 1, 1090, 1100, SURFACE, 1);
	BUDGET_IS(frame_at(&w, 0), [BUDGET_RUNNABLE] = 40, [BUDGET_RUNNING] = 60);

	const struct blocker *b = &frame_at(&w, 0)->blockers[0];

	CU_ASSERT_EQUAL(b->cause, BUDGET_RUNNABLE);
	CU_ASSERT_EQUAL(b->peer_tid, 66);
	CU_ASSERT_EQUAL(b->peer_tgid, 60);
	CU_ASSERT_STRING_EQUAL(b->peer_comm, "hog");
	CU_ASSERT_EQUAL(b->confidence, CONF_EXACT);
	world_close(&w);
}

static void test_no_waking_seen(void)
{
	struct world w;

	world_start(&w, 1000);
	LOCK(&w, 1, 1010, 0, 1050);
	SWAP(&w, 1, 1090, 1100, SURFACE, 1);
	BUDGET_IS(frame_at(&w, 0), [BUDGET_LOCK] = 40, [BUDGET_RUNNING] = 60);
	CU_ASSERT_EQUAL(frame_at(&w, 0)->blockers[0].confidence, CONF_PROBABLE);
	world_close(&w);
}

/* Woken as it left: all of it is runnable. */
static void test_woken_early(void)
{
	struct world w;

	world_start(&w, 1000);
	LOCK(&w, 1, 1010, 1010, 1050, .flags = FS_OFF_WOKEN_EARLY);
	SWAP(&w, 1, 1090, 1100, SURFACE, 1);
	BUDGET_IS(frame_at(&w, 0), [BUDGET_RUNNABLE] = 40, [BUDGET_RUNNING] = 60);
	world_close(&w);
}

static void test_open_at_the_stop(void)
{
	struct world w;

	world_start(&w, 1000);
	SWAP(&w, 1, 1090, 1100, SURFACE, 0);
	LOCK(&w, 1, 1120, 1150, 1200, .flags = FS_OPEN);
	world_stop(&w, 1200);
	CU_ASSERT_EQUAL(w.nr, 2);
	CU_ASSERT_EQUAL(frame_at(&w, 1)->status, FRAME_TRUNCATED);
	BUDGET_IS(
		frame_at(&w, 1), [BUDGET_RUNNING] = 20, [BUDGET_LOCK] = 30, [BUDGET_RUNNABLE] = 50);
	world_close(&w);
}

/* Neither an open interval nor a LAST record: nobody knows what the thread did at the end. */
static void test_silent_end(void)
{
	struct world w;

	world_start(&w, 1000);
	SWAP(&w, 1, 1090, 1100, SURFACE, 0);
	world_stop(&w, 1200);
	CU_ASSERT_EQUAL(w.nr, 2);
	BUDGET_IS(frame_at(&w, 1), [BUDGET_UNKNOWN] = 100);
	world_close(&w);
}

/* Interval 2, which LAST counts, never came; it lies behind the swap. */
static void test_gap_at_the_stop(void)
{
	struct world w;

	world_start(&w, 1000);
	LOCK(&w, 1, 1010, 1020, 1020);
	SWAP(&w, 1, 1090, 1100, SURFACE, 1);
	TASK(&w, LAST, 1200, .off_seq = 2, .span_seq = 1);
	world_stop(&w, 1200);
	CU_ASSERT_EQUAL(w.nr, 2);
	BUDGET_IS(frame_at(&w, 0), [BUDGET_LOCK] = 10, [BUDGET_RUNNING] = 90);
	BUDGET_IS(frame_at(&w, 1), [BUDGET_UNKNOWN] = 100);
	world_close(&w);
}

/* LAST counts an interval from after the stop, whose record comes behind it. */
static void test_last_taken_late(void)
{
	struct world w;

	world_start(&w, 1000);
	SWAP(&w, 1, 1090, 1100, SURFACE, 0);
	TASK(&w, LAST, 1200, .off_seq = 1, .span_seq = 1);
	CLOCK(&w, STOP, 1200);
	LOCK(&w, 1, 1210, 1220, 1220);
	CU_ASSERT_EQUAL(model_finish(w.model), 0);
	CU_ASSERT_EQUAL(w.nr, 2);
	BUDGET_IS(frame_at(&w, 1), [BUDGET_RUNNING] = 100);
	world_close(&w);
}

/* Without a stop mark the file was cut: the time ends where the thread was last seen. */
static void test_cut_file(void)
{
	struct world w;

	world_start(&w, 1000);
	SWAP(&w, 1, 1090, 1100, SURFACE, 0);
	LOCK(&w, 1, 1120, 1150, 1160);
	CALL(&w, FS_ROLE_SPAN, 2, 1161, 1180, .off_seq = 1);
	CU_ASSERT_EQUAL(model_finish(w.model), 0);
	CU_ASSERT_EQUAL(w.nr, 2);
	CU_ASSERT_EQUAL(frame_at(&w, 1)->end_ns, 1180);
	BUDGET_IS(
		frame_at(&w, 1), [BUDGET_RUNNING] = 40, [BUDGET_LOCK] = 30, [BUDGET_RUNNABLE] = 10);
	world_close(&w);
}

static void test_cut_at_the_stop(void)
{
	struct world w;

	world_start(&w, 1000);
	SWAP(&w, 1, 1090, 1100, SURFACE, 0);
	LOCK(&w, 1, 1110, 1120, 1120);
	CLOCK(&w, STOP, 1200);
	LOCK(&w, 2, 1150, 1230, 1250); /* not woken before the stop */
	SWAP(&w, 2, 1240, 1260, SURFACE, 2);
	TASK(&w, EXIT, 1300, .off_seq = 2);
	CU_ASSERT_EQUAL(model_finish(w.model), 0);
	CU_ASSERT_EQUAL(w.nr, 2);
	CU_ASSERT_EQUAL(frame_at(&w, 1)->end_ns, 1200);
	CU_ASSERT_EQUAL(frame_at(&w, 1)->status, FRAME_TRUNCATED);
	CU_ASSERT_EQUAL(frame_at(&w, 1)->seen, 0);
	BUDGET_IS(frame_at(&w, 1), [BUDGET_LOCK] = 60, [BUDGET_RUNNING] = 40);
	world_close(&w);
}

static void test_absurd_times(void)
{
	struct world w;

	world_start(&w, 1000);
	SWAP(&w, 1, 1090, 1100, SURFACE, 0);
	LOCK(&w, 1, 1190, 0, 1150); /* out after in: all that is known is that it was there */
	LOCK(&w, 2, 1160, 1999, 1180); /* woken after its return: not taken for a waking */
	LOCK(&w, 3, 1170, 1190, 1195); /* left before it came */
	SWAP(&w, 2, 1196, 1200, SURFACE, 3);
	LOCK(&w, 4, 0, 0, 1250); /* left at no time */
	SWAP(&w, 3, 1290, 1300, SURFACE, 4);
	CU_ASSERT_EQUAL(w.nr, 3);
	CU_ASSERT_EQUAL(frame_at(&w, 1)->status, FRAME_LOSSY);
	BUDGET_IS(frame_at(&w, 1), [BUDGET_UNKNOWN] = 50, [BUDGET_LOCK] = 20 + 10,
		  [BUDGET_RUNNABLE] = 5, [BUDGET_RUNNING] = 10 + 5);
	CU_ASSERT_EQUAL(frame_at(&w, 2)->status, FRAME_LOSSY);
	BUDGET_IS(frame_at(&w, 2), [BUDGET_UNKNOWN] = 50, [BUDGET_RUNNING] = 50);
	world_close(&w);
}

/* More intervals than are kept apart: the sums are still exact, and so are the reasons. */
static void test_long_frame(void)
{
	enum { NR = 20000 };
	struct world w;

	world_start(&w, 1000);
	SWAP(&w, 1, 1090, 1100, SURFACE, 0);
	for (unsigned i = 0; i < NR; i++) {
		uint64_t out = 1100 + i * 10;

		LOCK(&w, i + 1, out + 2, out + 6, out + 9);
	}
	SWAP(&w, 2, 1100 + NR * 10 - 1, 1100 + NR * 10, SURFACE, NR);
	CU_ASSERT_EQUAL(w.nr, 2);
	CU_ASSERT_EQUAL(frame_at(&w, 1)->status, FRAME_COMPLETE);
	BUDGET_IS(frame_at(&w, 1), [BUDGET_RUNNING] = 3 * NR, [BUDGET_LOCK] = 4 * NR,
		  [BUDGET_RUNNABLE] = 3 * NR);
	CU_ASSERT_EQUAL(w.frames[1].blockers[0].count, NR);
	CU_ASSERT_EQUAL(w.frames[1].blockers_rest_ns, 0);
	world_close(&w);
}

int main(void)
{
	static const struct check_case cases[] = {
		{ "running, blocked, runnable", test_running_blocked_runnable },
		{ "unseen_end", test_unseen_end },
		{ "gap in the numbering", test_gap },
		{ "gap before a span", test_gap_before_span },
		{ "late interval", test_late_interval },
		{ "numbering goes back", test_backwards },
		{ "first number is not 1", test_first_is_not_one },
		{ "off-CPU since before the start", test_off_since_before_the_start },
		{ "thread nobody announced", test_unannounced },
		{ "new thread", test_new_thread },
		{ "preempted", test_preempted },
		{ "no waking seen", test_no_waking_seen },
		{ "woken as it left", test_woken_early },
		{ "off-CPU at the stop", test_open_at_the_stop },
		{ "silent end", test_silent_end },
		{ "gap before the stop", test_gap_at_the_stop },
		{ "LAST taken late", test_last_taken_late },
		{ "cut file", test_cut_file },
		{ "cut at the stop", test_cut_at_the_stop },
		{ "absurd times", test_absurd_times },
		{ "long frame", test_long_frame },
		{ NULL, NULL },
	};

	return check_main("model", cases);
}
