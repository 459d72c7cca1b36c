/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Why a thread was blocked, how sure that is, and how the reasons of a frame are listed. Every case
 * is a short stream and the figures worked out from it by hand.
 */
#include "events.h"

#define SURFACE 0x5500

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

/* A trace says that a thread blocked and who woke it, but not in which call. */
static void test_wait_for_the_unknown(void)
{
	struct world w;
	const struct frame *f;

	world_start(&w, 1000);
	OFF(&w, 1, 1010, 1035, .waking_ns = 1030, .state = 1, .context = FS_CTX_TASK,
	    .peer_tid = 55);
	OFF(&w, 2, 1040, 1047, .waking_ns = 1047, .state = 1, .context = FS_CTX_TASK,
	    .peer_tid = 55);
	OFF(&w, 4, 1070, 1070, .flags = FS_OFF_NO_START); /* what was since 1047 is not known */
	SWAP(&w, 1, 1090, 1100, SURFACE, 4);
	f = frame_at(&w, 0);
	BUDGET_IS(f, [BUDGET_UNKNOWN] = 20 + 7 + 23, [BUDGET_RUNNABLE] = 5, [BUDGET_RUNNING] = 45);
	CU_ASSERT_EQUAL(f->unknown_wait_ns, 20 + 7);
	CU_ASSERT_EQUAL_FATAL(f->nr_blockers, 3);
	CU_ASSERT_TRUE(f->blockers[0].blocked);
	CU_ASSERT_EQUAL(f->blockers[0].cause, BUDGET_UNKNOWN);
	CU_ASSERT_EQUAL(f->blockers[0].ns, 27);
	CU_ASSERT_EQUAL(f->blockers[0].count, 2);
	CU_ASSERT_EQUAL(f->blockers[0].peer_tid, 55);
	CU_ASSERT_EQUAL(f->blockers[0].confidence, CONF_NONE);
	CU_ASSERT_FALSE(f->blockers[1].blocked);
	CU_ASSERT_EQUAL(f->blockers[1].cause, BUDGET_UNKNOWN);
	CU_ASSERT_EQUAL(f->blockers[1].ns, 23);
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

/* One interval of 10 in a frame, and how sure its cause is. */
static void certainty_is(struct fs_offcpu off, enum budget_part cause, enum confidence confidence)
{
	struct world w;

	world_start(&w, 1000);
	off.h.time_ns = 1030;
	off.out_ns = 1020;
	off.waking_ns = 1030;
	off.seq = 1;
	off.state = 1;
	feed(&w, &off.h, FS_KIND_OFFCPU, sizeof(off));
	SWAP(&w, 1, 1090, 1100, SURFACE, 1);
	CU_ASSERT_EQUAL(frame_at(&w, 0)->render.ns[cause], 10);
	CU_ASSERT_EQUAL(frame_at(&w, 0)->blockers[0].cause, cause);
	CU_ASSERT_EQUAL(frame_at(&w, 0)->blockers[0].confidence, confidence);
	world_close(&w);
}

#define CERTAINTY(part, conf, ...)                                                                 \
	certainty_is((struct fs_offcpu){ __VA_ARGS__ }, BUDGET_##part, CONF_##conf)

static void test_certainty(void)
{
	CERTAINTY(LOCK, EXACT, .call = FS_CALL_FUTEX, .context = FS_CTX_TASK);
	/* No interrupt lets go of a lock: the wait timed out. */
	CERTAINTY(LOCK, PROBABLE, .call = FS_CALL_FUTEX, .context = FS_CTX_HARDIRQ);
	CERTAINTY(LOCK, PROBABLE, .call = FS_CALL_FUTEX, .context = FS_CTX_SOFTIRQ);
	CERTAINTY(SLEEP, EXACT, .call = FS_CALL_SLEEP, .context = FS_CTX_HARDIRQ);
	CERTAINTY(IPC, EXACT, .call = FS_CALL_READ, .file = FS_FILE_SOCKET, .nfds = 1);
	CERTAINTY(IPC, EXACT, .call = FS_CALL_POLL, .file = FS_FILE_SOCKET, .nfds = 1);
	/* Of several descriptors it is not known which one ended the wait. */
	CERTAINTY(IPC, PROBABLE, .call = FS_CALL_POLL, .file = FS_FILE_SOCKET, .nfds = 2);
	CERTAINTY(IPC, PROBABLE, .call = FS_CALL_SELECT, .file = FS_FILE_SOCKET, .nfds = 3);
	CERTAINTY(IPC, PROBABLE, .call = FS_CALL_EPOLL, .file = FS_FILE_EPOLL, .nfds = 1);
	CERTAINTY(GPU, EXACT, .call = FS_CALL_IOCTL, .file = FS_FILE_GPU, .nfds = 1);
}

int main(void)
{
	static const struct check_case cases[] = {
		{ "wait for a fence in the kernel", test_wait_in_kernel },
		{ "wait for the unknown", test_wait_for_the_unknown },
		{ "slot", test_slot },
		{ "slot, exact", test_slot_alone_is_exact },
		{ "slot, late", test_late_slot },
		{ "slot, open at the stop", test_slot_open_at_the_stop },
		{ "blockers", test_blockers },
		{ "many blockers", test_many_blockers },
		{ "certainty", test_certainty },
		{ NULL, NULL },
	};

	return check_main("blockers", cases);
}
