/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Fences that never signal: which are listed, who waits for them, and what moves without them. */
#include "unit/watched.h"

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
	NAME(&w, 2, "msm", "gpu0");
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
	NAME(&w, 2, "msm", "gpu0");
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

int main(void)
{
	static const struct check_case cases[] = {
		{ "never signalled", test_unsignaled },
		{ "losses", test_loss },
		{ "waiters", test_waiters },
		{ "many waiters", test_many_waiters },
		{ "wide numbers", test_wide_numbers },
		{ NULL, NULL },
	};

	return check_main("fence unsignaled", cases);
}
