/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A thread's timeline and what a frame's budget says of it. Every case is a short stream and the
 * figures worked out from it by hand. The ends of frames are test_frames.c's.
 */
#include "events.h"

#define SURFACE 0x5500

/* The parts that are not named must be 0. */
#define BUDGET_IS(f, ...)                                                                          \
	budget_is(&(f)->render, &(struct budget){ .ns = { __VA_ARGS__ } }, __LINE__)

static void budget_is(const struct budget *got, const struct budget *want, int line)
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
static const struct frame *frame_at(const struct world *w, size_t n)
{
	CU_ASSERT_FATAL(n < w->nr);
	CU_ASSERT_TRUE(frame_is_sound(&w->frames[n]));
	return &w->frames[n];
}

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
	SWAP(&w, 2, 1190, 1200, SURFACE, 2);
	CU_ASSERT_EQUAL(frame_at(&w, 1)->status, FRAME_COMPLETE);
	/* Running 1100-1110, 1135-1150 and 1157-1200. */
	BUDGET_IS(
		frame_at(&w, 1), [BUDGET_RUNNING] = 68, [BUDGET_LOCK] = 20, [BUDGET_UNKNOWN] = 12);
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

#define FENCE(w, what, at) FEED(w, FENCE, fs_fence, .h.time_ns = (at), .op = FS_FENCE_##what)
#define GPU(w, n, out, wake, in)                                                                   \
	OFF(w, n, out, in, .waking_ns = (wake), .state = 1, .call = FS_CALL_IOCTL,                 \
	    .file = FS_FILE_GPU, .nfds = 1, .context = FS_CTX_HARDIRQ, .peer_tid = 55)

static void test_wait_in_kernel(void)
{
	struct world w;

	world_start(&w, 1000);
	FENCE(&w, WAIT_START, 1009);
	GPU(&w, 1, 1010, 1030, 1035);
	FENCE(&w, WAIT_END, 1036);
	GPU(&w, 2, 1040, 1045, 1045);
	FENCE(&w, WAIT_START, 1050); /* its end is lost: the call of interval 3 is no such wait */
	LOCK(&w, 3, 1060, 1070, 1070);
	GPU(&w, 4, 1080, 1082, 1082);
	SWAP(&w, 1, 1090, 1100, SURFACE, 4);
	BUDGET_IS(frame_at(&w, 0), [BUDGET_FENCE] = 20, [BUDGET_RUNNABLE] = 5, [BUDGET_GPU] = 7,
		  [BUDGET_LOCK] = 10, [BUDGET_RUNNING] = 58);

	const struct blocker *b = frame_top_blocker(frame_at(&w, 0), BUDGET_FENCE);

	CU_ASSERT_PTR_NOT_NULL_FATAL(b);
	CU_ASSERT_EQUAL(b->confidence, CONF_EXACT);
	CU_ASSERT_EQUAL(b->peer_tid, 0); /* a bystander of the interrupt */
	CU_ASSERT_EQUAL(b->context, FS_CTX_HARDIRQ);
	world_close(&w);
}

/* Waits for another thread inside SLOT and DEQUEUE are slot waits; a fence wait there is not. */
static void test_slot(void)
{
	struct world w;

	world_start(&w, 1000);
	SWAP(&w, 1, 1090, 1100, SURFACE, 0);
	LOCK(&w, 1, 1110, 1115, 1115); /* outside */
	LOCK(&w, 2, 1120, 1130, 1130); /* in SLOT in DEQUEUE */
	CALL(&w, FS_ROLE_SLOT, 2, 1119, 1135, .depth = 2, .off_seq = 2);
	LOCK(&w, 3, 1140, 1147, 1147); /* in DEQUEUE */
	OFF(&w, 4, 1150, 1156, .waking_ns = 1156, .state = 1, .call = FS_CALL_POLL,
	    .file = FS_FILE_SYNC_FILE, .nfds = 1);
	CALL(&w, FS_ROLE_DEQUEUE, 3, 1118, 1160, .depth = 1, .args[0] = 1, .off_seq = 4);
	LOCK(&w, 5, 1170, 1174, 1174); /* in QUEUE in the swap */
	CALL(&w, FS_ROLE_QUEUE, 4, 1165, 1180, .depth = 1, .args[0] = 1, .off_seq = 5);
	SWAP(&w, 5, 1117, 1200, SURFACE, 5);
	CU_ASSERT_EQUAL(w.nr, 2);
	BUDGET_IS(frame_at(&w, 1), [BUDGET_LOCK] = 5 + 4, [BUDGET_SLOT] = 10 + 7,
		  [BUDGET_FENCE] = 6, [BUDGET_RUNNING] = 68);

	/* The two are one reason, as sure as the less sure of them. */
	const struct blocker *b = frame_top_blocker(frame_at(&w, 1), BUDGET_SLOT);

	CU_ASSERT_PTR_NOT_NULL_FATAL(b);
	CU_ASSERT_EQUAL(b->ns, 17);
	CU_ASSERT_EQUAL(b->count, 2);
	CU_ASSERT_EQUAL(b->confidence, CONF_PROBABLE);
	world_close(&w);
}

static void test_slot_alone_is_exact(void)
{
	struct world w;

	world_start(&w, 1000);
	LOCK(&w, 1, 1020, 1030, 1030);
	CALL(&w, FS_ROLE_SLOT, 1, 1019, 1035, .off_seq = 1);
	SWAP(&w, 2, 1090, 1100, SURFACE, 1);
	BUDGET_IS(frame_at(&w, 0), [BUDGET_SLOT] = 10, [BUDGET_RUNNING] = 90);
	CU_ASSERT_EQUAL(frame_at(&w, 0)->blockers[0].confidence, CONF_EXACT);
	world_close(&w);
}

/* The wait's record comes after those of the calls around it: the innermost one has its say. */
static void test_late_slot(void)
{
	struct world w;

	world_start(&w, 1000);
	CALL(&w, FS_ROLE_SLOT, 1, 1019, 1035, .depth = 1, .off_seq = 1);
	CALL(&w, FS_ROLE_DEQUEUE, 2, 1018, 1036, .args[0] = 1, .off_seq = 1);
	LOCK(&w, 1, 1020, 1030, 1030);
	SWAP(&w, 3, 1090, 1100, SURFACE, 1);
	CU_ASSERT_EQUAL(w.nr, 1);
	BUDGET_IS(frame_at(&w, 0), [BUDGET_SLOT] = 10, [BUDGET_RUNNING] = 90);
	CU_ASSERT_EQUAL(frame_at(&w, 0)->blockers[0].confidence, CONF_EXACT);
	world_close(&w);
}

/* A dequeue and the wait in it are still open at the stop; their order in the stream is no matter.
 */
static void test_slot_open_at_the_stop(void)
{
	for (int span_first = 0; span_first < 2; span_first++) {
		struct world w;

		world_start(&w, 1000);
		SWAP(&w, 1, 1090, 1100, SURFACE, 0);
		if (span_first)
			CALL(&w, FS_ROLE_DEQUEUE, 2, 1110, 1200, .flags = FS_OPEN, .args[0] = 1);
		LOCK(&w, 1, 1120, 0, 1200, .flags = FS_OPEN);
		if (!span_first)
			CALL(&w, FS_ROLE_DEQUEUE, 2, 1110, 1200, .flags = FS_OPEN, .args[0] = 1);
		world_stop(&w, 1200);
		CU_ASSERT_EQUAL(w.nr, 2);
		BUDGET_IS(frame_at(&w, 1), [BUDGET_SLOT] = 80, [BUDGET_RUNNING] = 20);
		CU_ASSERT_EQUAL(frame_at(&w, 1)->seen, 1u << FS_ROLE_DEQUEUE);
		CU_ASSERT_EQUAL(frame_at(&w, 1)->dequeue_ns, 90);
		world_close(&w);
	}
}

/* Intervals of a frame are added up by reason, and listed longest first. */
static void test_blockers(void)
{
	struct world w;
	uint64_t at = 1100;

	world_start(&w, 1000);
	SWAP(&w, 1, 1090, 1100, SURFACE, 0);
	/* 20 descriptors, three waits of 1, 2 ... 20 ns each, and 1 ns of running behind each wait
	 */
	for (unsigned i = 0; i < 60; i++) {
		unsigned fd = i % 20 + 1;

		OFF(&w, i + 1, at, at + fd, .waking_ns = at + fd, .state = 1, .fd = (int)fd,
		    .call = FS_CALL_READ, .file = FS_FILE_SOCKET, .nfds = 1, .context = FS_CTX_TASK,
		    .peer_tid = 8);
		at += fd + 1;
	}
	SWAP(&w, 2, at - 1, at, SURFACE, 60);
	BUDGET_IS(frame_at(&w, 1), [BUDGET_IPC] = 3 * 210, [BUDGET_RUNNING] = 60);
	CU_ASSERT_EQUAL(w.frames[1].nr_blockers, FRAME_BLOCKERS);
	for (unsigned i = 0; i < FRAME_BLOCKERS; i++) {
		CU_ASSERT_EQUAL(w.frames[1].blockers[i].fd, 20 - (int)i);
		CU_ASSERT_EQUAL(w.frames[1].blockers[i].ns, 3 * (20 - i));
		CU_ASSERT_EQUAL(w.frames[1].blockers[i].count, 3);
	}
	/* Descriptors 1 to 4 did not fit. */
	CU_ASSERT_EQUAL(w.frames[1].blockers_rest_ns, 3 * (1 + 2 + 3 + 4));
	world_close(&w);
}

/* The longest reason comes when there are more than are kept apart. */
static void test_many_blockers(void)
{
	struct world w;

	world_start(&w, 1000);
	SWAP(&w, 1, 1090, 1100, SURFACE, 0);
	for (uint32_t i = 0; i < 200; i++)
		LOCK(&w, i + 1, 1105 + i * 10, 1109 + i * 10, 1109 + i * 10, .fd = (int)i);
	LOCK(&w, 201, 4000, 4900, 4900, .fd = 777);
	SWAP(&w, 2, 4990, 5000, SURFACE, 201);
	CU_ASSERT_EQUAL(frame_at(&w, 1)->blockers[0].fd, 777);
	CU_ASSERT_EQUAL(w.frames[1].blockers[0].ns, 900);
	CU_ASSERT_EQUAL(w.frames[1].blockers_rest_ns, 4 * (200 - (FRAME_BLOCKERS - 1)));
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
		{ "wait for a fence in the kernel", test_wait_in_kernel },
		{ "slot", test_slot },
		{ "slot, exact", test_slot_alone_is_exact },
		{ "slot, late", test_late_slot },
		{ "slot, open at the stop", test_slot_open_at_the_stop },
		{ "blockers", test_blockers },
		{ "many blockers", test_many_blockers },
		{ "long frame", test_long_frame },
		{ NULL, NULL },
	};

	return check_main("model", cases);
}
