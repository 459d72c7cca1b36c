/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Which buffers of a window are in flight, in the cases that go wrong in practice. */
#include "events.h"
#include "model/buffers.h"

#define PID 7
#define WINDOW 0x7700
#define A 0xa0
#define B 0xb0
#define C 0xc0
#define SIGNALED 1

static struct windows windows;
static struct fences fences;
static struct window *w;

static void begin(void)
{
	windows = (struct windows){ 0 };
	fences = (struct fences){ 0 };
	w = windows_get(&windows, PID, WINDOW);
	CU_ASSERT_PTR_NOT_NULL_FATAL(w);
}

static void end(void)
{
	windows_free(&windows);
	fences_free(&fences);
}

/* A dequeue from `at` to at + 1 that brings a fence with that seqno, 0 = none. */
static struct buffer_taken dequeue(uint64_t buffer, uint64_t at, uint64_t fence, int signaled)
{
	window_dequeued(w, &(struct dequeue){
				   .buffer = buffer,
				   .exit_ns = at + 1,
				   .has_fence = fence,
				   .signaled = signaled,
				   .fence = { 50, fence },
			   });
	return (struct buffer_taken){ w, buffer, at };
}

/* The buffer comes without a fence, and is queued 5 later. */
static void draw(uint64_t buffer, uint64_t at)
{
	dequeue(buffer, at, 0, 0);
	window_queued(w, buffer, at + 5);
}

static void signal_fence(uint64_t seqno, uint64_t at)
{
	struct fs_fence rec = {
		.h = { .time_ns = at, .kind = FS_KIND_FENCE },
		.context = 50,
		.seqno = seqno,
		.op = FS_FENCE_SIGNALED,
	};

	CU_ASSERT_EQUAL(fences_feed(&fences, &rec), 0);
}

static void check(const struct buffer_taken *taken, enum depth_state known, unsigned should)
{
	unsigned depth = 99;

	CU_ASSERT_EQUAL(window_depth(taken, &fences, &depth), known);
	if (known == DEPTH_KNOWN)
		CU_ASSERT_EQUAL(depth, should);
}

/* Two buffers in turn, each back with a fence that signals 5 after the other's dequeue. */
static void test_two(void)
{
	struct buffer_taken taken;

	begin();
	draw(A, 100);
	draw(B, 110);
	taken = dequeue(A, 120, 1, 0);
	signal_fence(1, 125);
	window_queued(w, A, 130);
	check(&taken, DEPTH_NOT_YET, 0);
	dequeue(B, 140, 2, 0);
	check(&taken, DEPTH_NOT_YET, 0);
	window_queued(w, B, 145);
	dequeue(A, 150, 3, 0);
	/* A until 125; B until its fence, which has not signalled. */
	check(&taken, DEPTH_KNOWN, 2);
	end();
}

/* A cancelled buffer is free again: its next dequeue is not one from a use. */
static void test_cancelled(void)
{
	struct buffer_taken taken;

	begin();
	draw(A, 100);
	signal_fence(1, 110);
	dequeue(A, 120, 1, SIGNALED); /* and cancelled */
	taken = dequeue(A, 130, 1, SIGNALED);
	window_queued(w, A, 135);
	dequeue(A, 140, 2, 0);
	check(&taken, DEPTH_KNOWN, 0);
	end();
}

/* A fence that was only met says nothing: there are kinds whose life does not show. */
static void test_never_seen(void)
{
	const struct fs_fence_ref met = { .h.time_ns = 121, .context = 50, .seqno = 1 };
	const struct fs_fence made = {
		.h.time_ns = 119, .context = 50, .seqno = 1, .op = FS_FENCE_EMIT
	};
	struct buffer_taken taken;

	begin();
	draw(A, 100);
	draw(B, 110);
	CU_ASSERT_EQUAL(fences_met(&fences, &met), 0);
	dequeue(A, 120, 1, 0);
	signal_fence(2, 125);
	taken = dequeue(B, 130, 2, SIGNALED);
	window_queued(w, B, 135);
	signal_fence(3, 140);
	dequeue(B, 145, 3, SIGNALED);
	check(&taken, DEPTH_UNKNOWN, 0);
	CU_ASSERT_EQUAL(fences_feed(&fences, &made), 0);
	check(&taken, DEPTH_KNOWN, 1);
	end();
}

/* Android 15's short queueBuffer calls the long one; both return. */
static void test_wrapper(void)
{
	struct buffer_taken taken;

	begin();
	dequeue(A, 100, 0, 0);
	window_queued(w, A, 104);
	window_queued(w, A, 105);
	dequeue(B, 110, 0, 0);
	dequeue(B, 109, 0, 0);
	window_queued(w, B, 115);
	taken = dequeue(A, 120, 1, 0);
	window_queued(w, A, 125);
	dequeue(B, 130, 2, 0);
	window_queued(w, B, 135);
	dequeue(A, 140, 3, 0);
	check(&taken, DEPTH_KNOWN, 2);
	end();
}

/* A buffer that was freed never comes back: unknown for a while, then it is left out. */
static void test_freed(void)
{
	struct buffer_taken taken;
	uint64_t at = 200;
	unsigned unknown = 0, depth;

	begin();
	draw(C, 100);
	for (unsigned i = 0; i < 10; i++, at += 20) {
		taken = dequeue(A, at, i + 1, 0);
		signal_fence(i + 1, at + 2);
		window_queued(w, A, at + 10);
		dequeue(A, at + 20, i + 2, 0);
		unknown += window_depth(&taken, &fences, &depth) == DEPTH_UNKNOWN;
	}
	CU_ASSERT_EQUAL(unknown, 4);
	check(&taken, DEPTH_KNOWN, 1);
	end();
}

/* Lost calls: nothing is said of frames before them, nor of any when a thread can't be followed. */
static void test_lossy(void)
{
	struct buffer_taken before, after;

	begin();
	before = dequeue(A, 100, 0, 0);
	window_queued(w, A, 105);
	windows_lossy(&windows, PID + 1, 110);
	check(&before, DEPTH_NOT_YET, 0);
	windows_lossy(&windows, PID, 110);
	check(&before, DEPTH_UNKNOWN, 0);
	dequeue(B, 115, 7, 0); /* was queued before */
	signal_fence(7, 119);
	window_queued(w, B, 118);
	after = dequeue(A, 120, 1, 0);
	window_queued(w, A, 125);
	dequeue(B, 130, 2, 0);
	window_queued(w, B, 135);
	dequeue(A, 140, 3, 0);
	check(&after, DEPTH_KNOWN, 2);
	windows_lossy(&windows, PID, UINT64_MAX);
	check(&after, DEPTH_UNKNOWN, 0);
	windows_lossy(&windows, PID, 150);
	check(&after, DEPTH_UNKNOWN, 0);
	end();
}

/* The signal was seen by the descriptor only, without its time. */
static void test_untimed(void)
{
	struct buffer_taken first, second;

	begin();
	draw(A, 100);
	first = dequeue(A, 120, 1, SIGNALED);
	window_queued(w, A, 125);
	second = dequeue(A, 140, 2, 0);
	check(&first, DEPTH_UNKNOWN, 0);
	window_queued(w, A, 145);
	dequeue(A, 160, 3, 0);
	check(&second, DEPTH_KNOWN, 1);
	end();
}

static void test_many(void)
{
	struct buffer_taken none = { 0 }, unread, last;

	begin();
	check(&none, DEPTH_UNKNOWN, 0);
	unread = dequeue(0, 100, 0, 0);
	check(&unread, DEPTH_UNKNOWN, 0);
	for (unsigned i = 1; i < WINDOWS_MAX; i++)
		CU_ASSERT_PTR_NOT_NULL(windows_get(&windows, PID, WINDOW + i));
	CU_ASSERT_PTR_NULL(windows_get(&windows, PID, WINDOW + WINDOWS_MAX));
	CU_ASSERT_PTR_EQUAL(windows_get(&windows, PID, WINDOW), w);
	/* One more than a queue has slots: the first is forgotten, not waited for. */
	for (uint64_t i = 1; i <= USES_MAX + 1; i++)
		draw(i, i * 10);
	last = dequeue(2, 2000, 0, 0);
	window_queued(w, 2, 2005);
	for (uint64_t i = 3; i <= USES_MAX + 1; i++)
		dequeue(i, 2010, i, 0);
	dequeue(2, 2020, 1, 0);
	check(&last, DEPTH_KNOWN, USES_MAX - 1);
	end();
}

/* A dequeue or queue by the model's thread, with a fence that signalled at `signal_ns`. */
static void move(struct world *world, enum fs_role role, uint32_t seq, uint64_t at, uint64_t buffer,
		 uint64_t signal_ns)
{
	bool dequeues = role == FS_ROLE_DEQUEUE;

	if (dequeues)
		FEED(world, FENCE_REF, fs_fence_ref, .h.time_ns = at + 2, .role = FS_REF_RELEASE,
		     .context = 50, .seqno = seq, .flags = FS_REF_SIGNALED, .signal_ns = signal_ns);
	CALL(world, role, seq, at, at + 2, .depth = !dequeues, .args[0] = WINDOW,
	     .args[3] = buffer);
}

/*
 * Twelve frames of two buffers in turn, 100 each. A buffer is free 10 before it is asked for again:
 * then the consumer has the other one.
 */
static unsigned count_depths(uint32_t lost, bool blind)
{
	struct world world;
	unsigned known = 0;

	world_start(&world, 1);
	for (uint32_t i = 1, seq = 1; i <= 12; i++) {
		uint64_t at = 100 * i, buffer = i % 2 ? A : B;

		seq += i == lost;
		if (blind && i == 7)
			FEED(&world, LOST, fs_lost, .h.time_ns = at, .where = FS_LOST_MAP);
		move(&world, FS_ROLE_DEQUEUE, seq, at, buffer, at - 10);
		move(&world, FS_ROLE_QUEUE, seq + 1, at + 50, buffer, 0);
		SWAP(&world, seq + 2, at + 49, at + 53, 1, 0);
		seq += 3;
	}
	world_stop(&world, 1300);
	CU_ASSERT_EQUAL(world.nr, 13);
	for (size_t i = 0; i < world.nr; i++) {
		known += world.frames[i].has_depth;
		if (world.frames[i].has_depth)
			CU_ASSERT_EQUAL(world.frames[i].queue_depth, 1);
	}
	world_close(&world);
	return known;
}

/*
 * Of 13 ends of frames: not of the first, whose surface is not known before its swap, and not of
 * the last three, whose buffers do not come back.
 */
static void test_frames(void)
{
	CU_ASSERT_EQUAL(count_depths(0, false), 9);
	/* A call is found lost at the 7th dequeue: 5 to 7 were not settled. */
	CU_ASSERT_EQUAL(count_depths(7, false), 6);
	/* A thread that is not followed from there on may do anything: 2 to 4 were settled. */
	CU_ASSERT_EQUAL(count_depths(0, true), 3);
}

int main(void)
{
	static const struct check_case cases[] = {
		{ "two buffers in turn", test_two },
		{ "a cancelled buffer", test_cancelled },
		{ "a call around the call", test_wrapper },
		{ "a freed buffer", test_freed },
		{ "a fence that was never seen", test_never_seen },
		{ "lost calls", test_lossy },
		{ "a signal without its time", test_untimed },
		{ "limits", test_many },
		{ "frames", test_frames },
		{ NULL, NULL },
	};

	return check_main("buffers", cases);
}
