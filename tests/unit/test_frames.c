/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Which calls end a frame, whose it is, and what becomes of it at the edges: short streams, and the
 * frames worked out from them by hand.
 */
#include "events.h"
#include "model/producers.h"

#define A 0xa000
#define B 0xb000
#define WINDOW 0x7700

/* Frame `n` (from 0) ran from `start` to `end`, and so on. */
static void frame_is(const struct world *w, size_t n, const char *name, uint64_t number,
		     uint64_t start, uint64_t end, enum frame_status status)
{
	CU_ASSERT_FATAL(n < w->nr);

	const struct frame *f = &w->frames[n];

	CU_ASSERT_TRUE(frame_is_sound(f));
	if (strcmp(f->producer->name, name) || f->number != number || f->start_ns != start ||
	    f->end_ns != end || f->status != status) {
		printf("# frame %zu is %s %llu [%llu, %llu] %s\n", n, f->producer->name,
		       (unsigned long long)f->number, (unsigned long long)f->start_ns,
		       (unsigned long long)f->end_ns, frame_status_name(f->status));
		CU_FAIL("another frame than worked out");
	}
}

static void test_two_surfaces(void)
{
	struct world w;

	world_start(&w, 1000);
	SWAP(&w, 1, 1090, 1100, A, 0);
	SWAP(&w, 2, 1140, 1150, B, 0);
	SWAP(&w, 3, 1190, 1200, 0xb400000000000000 | A, 0); /* its tag is no part of it */
	SWAP(&w, 4, 1290, 1300, B, 0);
	TASK(&w, LAST, 1310, .span_seq = 4);
	world_stop(&w, 1310);
	CU_ASSERT_EQUAL(w.nr, 6);
	frame_is(&w, 0, "app", 1, 1000, 1100, FRAME_TRUNCATED);
	frame_is(&w, 1, "app#2", 1, 1000, 1150, FRAME_TRUNCATED);
	frame_is(&w, 2, "app", 2, 1100, 1200, FRAME_COMPLETE);
	frame_is(&w, 3, "app#2", 2, 1150, 1300, FRAME_COMPLETE);
	frame_is(&w, 4, "app", 3, 1200, 1310, FRAME_TRUNCATED);
	frame_is(&w, 5, "app#2", 3, 1300, 1310, FRAME_TRUNCATED);
	CU_ASSERT_EQUAL(w.frames[0].producer->surface, A);
	CU_ASSERT_EQUAL(w.frames[0].producer->id, 1);
	CU_ASSERT_EQUAL(w.frames[1].producer->id, 2);
	CU_ASSERT_EQUAL(w.frames[2].swap_ns, 10);
	CU_ASSERT_EQUAL(w.frames[2].seen, 1u << FS_ROLE_SWAP);
	CU_ASSERT_EQUAL(w.frames[4].seen, 0);
	CU_ASSERT_EQUAL(model_stats(w.model)->frames, 6);
	CU_ASSERT_EQUAL(model_stats(w.model)->producers, 2);
	world_close(&w);
}

/* One surface drawn to by two threads, and the same address in two processes: four producers. */
static void test_threads_and_processes(void)
{
	struct world w;

	world_start(&w, 1000);
	TASK(&w, SEEN, 1000, .h.tid = 101, .comm = "render");
	TASK(&w, SEEN, 1000, .h.tid = 201, .h.tgid = 200, .comm = "worker");
	SWAP(&w, 1, 1090, 1100, A, 0);
	SWAP(&w, 1, 1100, 1110, A, 0, .h.tid = 101);
	SWAP(&w, 1, 1110, 1120, A, 0, .h.tid = 201, .h.tgid = 200);
	SWAP(&w, 1, 1120, 1130, A, 0, .h.tid = 301, .h.tgid = 300);
	CU_ASSERT_EQUAL(w.nr, 4);
	/* A process's name is its main thread's, else the thread's own, else its id. */
	frame_is(&w, 0, "app", 1, 1000, 1100, FRAME_TRUNCATED);
	frame_is(&w, 1, "app#2", 1, 1000, 1110, FRAME_TRUNCATED);
	frame_is(&w, 2, "worker", 1, 1000, 1120, FRAME_TRUNCATED);
	frame_is(&w, 3, "pid-300", 1, 1120, 1130, FRAME_TRUNCATED);
	CU_ASSERT_EQUAL(w.frames[1].producer->pid, TID);
	CU_ASSERT_EQUAL(w.frames[1].producer->render_tid, 101);
	CU_ASSERT_EQUAL(w.frames[1].producer->ui_tid, 101);
	world_close(&w);
}

/* A process that is called as a second "app" would be. */
static void test_name_taken(void)
{
	struct world w;

	world_start(&w, 1000);
	TASK(&w, SEEN, 1000, .h.tid = 200, .h.tgid = 200, .comm = "app#2");
	SWAP(&w, 1, 1090, 1100, A, 0, .h.tid = 200, .h.tgid = 200);
	SWAP(&w, 1, 1090, 1100, A, 0);
	SWAP(&w, 2, 1101, 1102, B, 0);
	SWAP(&w, 3, 1103, 1104, 0xc000, 0);
	TASK(&w, RENAME, 1105, .comm = "other");
	SWAP(&w, 4, 1106, 1107, 0xd000, 0);
	CU_ASSERT_EQUAL_FATAL(w.nr, 5);
	CU_ASSERT_STRING_EQUAL(w.frames[0].producer->name, "app#2");
	CU_ASSERT_STRING_EQUAL(w.frames[1].producer->name, "app");
	CU_ASSERT_STRING_EQUAL(w.frames[2].producer->name, "app#3");
	CU_ASSERT_STRING_EQUAL(w.frames[3].producer->name, "app#4");
	CU_ASSERT_STRING_EQUAL(w.frames[4].producer->name, "other");
	world_close(&w);
}

/* Names that differ only behind what is kept of them, or not even there, are still told apart. */
static void test_long_names(void)
{
	struct producers producers = { 0 };
	char name[2 * PRODUCER_NAME_LEN];
	struct producer *p[4];

	memset(name, 'a', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	for (unsigned i = 0; i < 4; i++) {
		name[PRODUCER_NAME_LEN] = (char)('b' + i);
		CU_ASSERT_EQUAL(producers_add(&producers, 1, 1, i, name, &p[i]), 0);
		CU_ASSERT_PTR_NOT_NULL_FATAL(p[i]);
		for (unsigned j = 0; j < i; j++)
			CU_ASSERT_STRING_NOT_EQUAL(p[i]->name, p[j]->name);
	}
	CU_ASSERT_EQUAL(strlen(p[0]->name), PRODUCER_NAME_LEN - 1);
	CU_ASSERT_PTR_NOT_NULL(strstr(p[1]->name, "aaa#2"));
	CU_ASSERT_PTR_NOT_NULL(strstr(p[3]->name, "aaa#4"));
	producers_free(&producers);
}

/* eglSwapBuffersWithDamageKHR calls eglSwapBuffers, which presents: one frame, the outer call's. */
static void test_nested_swaps(void)
{
	struct world w;

	world_start(&w, 1000);
	SWAP(&w, 1, 1090, 1100, A, 0);
	CALL(&w, FS_ROLE_PRESENT, 2, 1192, 1194, .depth = 2, .args[0] = B);
	SWAP(&w, 3, 1191, 1195, A, 0, .depth = 1);
	CU_ASSERT_EQUAL(w.nr, 1); /* it may be the inner one */
	SWAP(&w, 4, 1190, 1200, A, 0);
	CU_ASSERT_EQUAL(w.nr, 2);
	frame_is(&w, 1, "app", 2, 1100, 1200, FRAME_COMPLETE);
	CU_ASSERT_EQUAL(w.frames[1].swap_ns, 10);
	/* Two swaps inside a call without a meaning are two frames. */
	SWAP(&w, 5, 1210, 1220, A, 0, .depth = 1);
	SWAP(&w, 6, 1230, 1240, A, 0, .depth = 1);
	CALL(&w, FS_ROLE_SPAN, 7, 1205, 1250);
	CU_ASSERT_EQUAL(w.nr, 4);
	frame_is(&w, 2, "app", 3, 1200, 1220, FRAME_COMPLETE);
	frame_is(&w, 3, "app", 4, 1220, 1240, FRAME_COMPLETE);
	world_close(&w);
}

static void test_present(void)
{
	struct world w;

	world_start(&w, 1000);
	CALL(&w, FS_ROLE_PRESENT, 1, 1090, 1100, .args[0] = A, .args[1] = 1);
	CALL(&w, FS_ROLE_PRESENT, 2, 1190, 1200, .args[0] = A, .args[1] = 2);
	CU_ASSERT_EQUAL(w.nr, 2);
	frame_is(&w, 1, "app", 2, 1100, 1200, FRAME_COMPLETE);
	CU_ASSERT_EQUAL(w.frames[1].seen, 1u << FS_ROLE_PRESENT);
	CU_ASSERT_EQUAL(w.frames[1].swap_ns, 10);
	world_close(&w);
}

/* Without a swap around it, queueBuffer ends the frame; with one it does not. */
static void test_queue(void)
{
	struct world w;

	world_start(&w, 1000);
	CALL(&w, FS_ROLE_DEQUEUE, 1, 1010, 1015, .args[0] = WINDOW);
	CALL(&w, FS_ROLE_QUEUE, 2, 1090, 1100, .args[0] = WINDOW);
	CALL(&w, FS_ROLE_DEQUEUE, 3, 1110, 1115, .args[0] = WINDOW);
	CALL(&w, FS_ROLE_DEQUEUE, 4, 1120, 1130, .args[0] = 0x8800); /* another window's */
	CALL(&w, FS_ROLE_QUEUE, 5, 1192, 1195, .args[0] = 0x6600, .depth = 1); /* a wrapper's */
	CALL(&w, FS_ROLE_QUEUE, 6, 1190, 1200, .args[0] = WINDOW);
	CU_ASSERT_EQUAL(w.nr, 2);
	frame_is(&w, 1, "app", 2, 1100, 1200, FRAME_COMPLETE);
	CU_ASSERT_EQUAL(w.frames[1].producer->surface, WINDOW);
	CU_ASSERT_EQUAL(w.frames[1].seen, 1u << FS_ROLE_QUEUE | 1u << FS_ROLE_DEQUEUE);
	CU_ASSERT_EQUAL(w.frames[1].queue_ns, 10);
	CU_ASSERT_EQUAL(w.frames[1].dequeue_ns, 5);
	world_close(&w);
}

/* Two surfaces: a dequeue belongs to the swap around it, or to whom its window was learned to be.
 */
static void test_dequeue_owners(void)
{
	struct world w;

	world_start(&w, 1000);
	CALL(&w, FS_ROLE_QUEUE, 1, 1091, 1092, .args[0] = 0x11, .depth = 1);
	SWAP(&w, 2, 1090, 1100, A, 0);
	SWAP(&w, 3, 1140, 1150, B, 0);
	CALL(&w, FS_ROLE_DEQUEUE, 4, 1160, 1161, .args[0] = 0x11); /* A's */
	CALL(&w, FS_ROLE_DEQUEUE, 5, 1170, 1173, .args[0] = 0x22); /* nobody's yet */
	CALL(&w, FS_ROLE_QUEUE, 6, 1191, 1193, .args[0] = 0x11, .depth = 1);
	CALL(&w, FS_ROLE_DEQUEUE, 7, 1193, 1197, .args[0] = 0x11, .depth = 1);
	SWAP(&w, 8, 1190, 1200, A, 0);
	CALL(&w, FS_ROLE_QUEUE, 9, 1241, 1242, .args[0] = 0x22, .depth = 1);
	SWAP(&w, 10, 1240, 1250, B, 0);
	CALL(&w, FS_ROLE_DEQUEUE, 11, 1260, 1267, .args[0] = 0x22); /* B's */
	SWAP(&w, 12, 1290, 1300, A, 0);
	SWAP(&w, 13, 1340, 1350, B, 0);
	CU_ASSERT_EQUAL_FATAL(w.nr, 6);
	frame_is(&w, 2, "app", 2, 1100, 1200, FRAME_COMPLETE);
	CU_ASSERT_EQUAL(w.frames[2].dequeue_ns, 1 + 4);
	CU_ASSERT_EQUAL(w.frames[2].queue_ns, 2);
	frame_is(&w, 3, "app#2", 2, 1150, 1250, FRAME_COMPLETE);
	CU_ASSERT_EQUAL(w.frames[3].seen, 1u << FS_ROLE_SWAP | 1u << FS_ROLE_QUEUE);
	frame_is(&w, 4, "app", 3, 1200, 1300, FRAME_COMPLETE);
	CU_ASSERT_EQUAL(w.frames[4].seen, 1u << FS_ROLE_SWAP);
	frame_is(&w, 5, "app#2", 3, 1250, 1350, FRAME_COMPLETE);
	CU_ASSERT_EQUAL(w.frames[5].dequeue_ns, 7);
	world_close(&w);
}

/* Of a swap only the queue inside is left: no frame of its own, and the gap shows. */
static void test_lost_swap(void)
{
	struct world w;

	world_start(&w, 1000);
	CALL(&w, FS_ROLE_QUEUE, 1, 1091, 1092, .args[0] = WINDOW, .depth = 1);
	SWAP(&w, 2, 1090, 1100, A, 0);
	CALL(&w, FS_ROLE_QUEUE, 3, 1191, 1192, .args[0] = WINDOW, .depth = 1);
	/* 4, the swap around it, is lost */
	CALL(&w, FS_ROLE_QUEUE, 5, 1291, 1292, .args[0] = WINDOW, .depth = 1);
	SWAP(&w, 6, 1290, 1300, A, 0);
	SWAP(&w, 7, 1390, 1400, A, 0);
	CU_ASSERT_EQUAL(w.nr, 3);
	frame_is(&w, 1, "app", 2, 1100, 1300, FRAME_LOSSY);
	frame_is(&w, 2, "app", 3, 1300, 1400, FRAME_COMPLETE);
	world_close(&w);
}

#define LOST(w, at, place, ...)                                                                    \
	FEED(w, LOST, fs_lost, .h.time_ns = (at), .where = FS_LOST_##place, __VA_ARGS__)

/*
 * Frames of 100 whose numbering has no gap, each with a report of lost records in its middle. Waits
 * for fences have no numbers, so what was lost may have been one of those.
 */
static void test_reported_losses(void)
{
	struct world w;
	uint32_t n = 0;

	world_start(&w, 1000);
	SWAP(&w, ++n, 1090, 1100, A, 0, .h.cpu = 2);
	/* Of this thread, and of a thread that is not followed. */
	LOST(&w, 1150, DEPTH, .count = 2);
	SWAP(&w, ++n, 1190, 1200, A, 0, .h.cpu = 2);
	LOST(&w, 1250, MAP, .count = 4, .h.tid = 77);
	SWAP(&w, ++n, 1290, 1300, A, 0, .h.cpu = 2);
	/* On the CPU it is on, and on another, where it can't have had a record. */
	LOST(&w, 1350, RING, .count = 3, .h.cpu = 2);
	SWAP(&w, ++n, 1390, 1400, A, 0, .h.cpu = 2);
	LOST(&w, 1450, RING, .count = 3, .h.cpu = 1);
	LOST(&w, 1450, FILE, .count = 3, .h.cpu = 3);
	SWAP(&w, ++n, 1490, 1500, A, 0, .h.cpu = 2);
	LOST(&w, 1550, FILE, .count = 0, .h.cpu = 2);
	SWAP(&w, ++n, 1590, 1600, A, 0, .h.cpu = 2);
	/* Nobody knows of which CPU. */
	LOST(&w, 1650, FILE, .h.cpu = FS_CPU_NONE);
	SWAP(&w, ++n, 1690, 1700, A, 0, .h.cpu = 2);
	/* It goes to CPU 1, where a loss is its own from then on. */
	LOCK(&w, 1, 1710, 1720, 1730, .h.cpu = 1);
	LOST(&w, 1740, RING, .count = 3, .h.cpu = 2);
	SWAP(&w, ++n, 1790, 1800, A, 1, .h.cpu = 1);
	LOST(&w, 1840, RING, .count = 3, .h.cpu = 1);
	LOCK(&w, 2, 1850, 1860, 1870, .h.cpu = 2);
	SWAP(&w, ++n, 1890, 1900, A, 2, .h.cpu = 2);
	SWAP(&w, ++n, 1990, 2000, A, 2, .h.cpu = 2);

	static const enum frame_status expected[] = {
		FRAME_TRUNCATED, FRAME_LOSSY, FRAME_COMPLETE, FRAME_LOSSY, FRAME_COMPLETE,
		FRAME_LOSSY,     FRAME_LOSSY, FRAME_COMPLETE, FRAME_LOSSY, FRAME_COMPLETE,
	};

	CU_ASSERT_EQUAL_FATAL(w.nr, sizeof(expected) / sizeof(expected[0]));
	for (size_t i = 0; i < w.nr; i++)
		frame_is(&w, i, "app", i + 1, 1000 + i * 100, 1100 + i * 100, expected[i]);
	world_close(&w);
}

/* The record that says what point 99 means was lost: its calls may have been swaps or dequeues. */
static void test_unknown_point(void)
{
	struct world w;

	world_start(&w, 1000);
	SWAP(&w, 1, 1090, 1100, A, 0);
	CALL(&w, 99, 2, 1110, 1120);
	SWAP(&w, 3, 1190, 1200, A, 0);
	CALL(&w, FS_ROLE_SPAN, 4, 1210, 1220);
	SWAP(&w, 5, 1290, 1300, A, 0);
	CALL(&w, 99, 6, 1391, 1392, .depth = 1);
	SWAP(&w, 7, 1390, 1400, A, 0);
	SWAP(&w, 8, 1490, 1500, A, 0);
	CU_ASSERT_EQUAL(w.nr, 5);
	frame_is(&w, 1, "app", 2, 1100, 1200, FRAME_LOSSY);
	frame_is(&w, 2, "app", 3, 1200, 1300, FRAME_COMPLETE);
	frame_is(&w, 3, "app", 4, 1300, 1400, FRAME_LOSSY);
	frame_is(&w, 4, "app", 5, 1400, 1500, FRAME_COMPLETE);
	world_close(&w);
}

static void test_exit(void)
{
	struct world w;

	world_start(&w, 1000);
	SWAP(&w, 1, 1090, 1100, A, 0);
	LOCK(&w, 1, 1110, 1120, 1120);
	TASK(&w, EXIT, 1150, .off_seq = 1, .span_seq = 1);
	CU_ASSERT_EQUAL(w.nr, 2);
	frame_is(&w, 1, "app", 2, 1100, 1150, FRAME_TRUNCATED);
	CU_ASSERT_EQUAL(w.frames[1].render.ns[BUDGET_RUNNING], 40);
	/* It blocks once more on its way out; then the id is used again. */
	LOCK(&w, 2, 1160, 1170, 1170);
	TASK(&w, NEW, 1200, .comm = "next");
	OFF(&w, 1, 1200, 1210, .flags = FS_OFF_NEW);
	SWAP(&w, 1, 1290, 1300, A, 1);
	world_stop(&w, 1300);
	CU_ASSERT_EQUAL(w.nr, 3);
	frame_is(&w, 2, "next", 1, 1200, 1300, FRAME_TRUNCATED);
	CU_ASSERT_EQUAL(w.frames[2].render.ns[BUDGET_RUNNABLE], 10);
	world_close(&w);
}

/* The exit's record is lost: the old thread's last frame ends where it was last seen. */
static void test_id_reused(void)
{
	struct world w;

	world_start(&w, 1000);
	SWAP(&w, 1, 1090, 1100, A, 0);
	LOCK(&w, 1, 1110, 1120, 1130);
	TASK(&w, NEW, 1200, .comm = "next");
	CU_ASSERT_EQUAL(w.nr, 2);
	frame_is(&w, 1, "app", 2, 1100, 1130, FRAME_TRUNCATED);
	/* The same with no record but one of another process. */
	SWAP(&w, 1, 1290, 1300, A, 0, .h.tgid = 500);
	world_stop(&w, 1300);
	CU_ASSERT_EQUAL(w.nr, 3);
	CU_ASSERT_EQUAL(w.frames[2].producer->pid, 500);
	world_close(&w);
}

static void test_exec(void)
{
	struct world w;

	world_start(&w, 1000);
	TASK(&w, SEEN, 1000, .h.tid = 101, .comm = "render");
	SWAP(&w, 1, 1090, 1100, A, 0);
	SWAP(&w, 1, 1100, 1110, B, 0, .h.tid = 101);
	LOCK(&w, 1, 1120, 1130, 1130);
	TASK(&w, EXEC, 1150, .comm = "image");
	SWAP(&w, 2, 1190, 1200, A, 1);
	world_stop(&w, 1200);
	CU_ASSERT_EQUAL_FATAL(w.nr, 5);
	/* Both surfaces of the process ended; when their threads' time is known depends. */
	for (unsigned i = 2; i < 5; i++) {
		if (!strcmp(w.frames[i].producer->name, "app"))
			frame_is(&w, i, "app", 2, 1100, 1150, FRAME_TRUNCATED);
		else if (!strcmp(w.frames[i].producer->name, "app#2"))
			frame_is(&w, i, "app#2", 2, 1110, 1150, FRAME_TRUNCATED);
		else
			frame_is(&w, i, "image", 1, 1150, 1200, FRAME_TRUNCATED);
	}
	world_close(&w);
}

static void test_swap_open_at_the_stop(void)
{
	struct world w;

	world_start(&w, 1000);
	SWAP(&w, 1, 1090, 1100, A, 0);
	CALL(&w, FS_ROLE_QUEUE, 2, 1191, 1192, .args[0] = WINDOW, .depth = 1);
	SWAP(&w, 3, 1190, 1250, A, 0, .flags = FS_OPEN);
	world_stop(&w, 1250);
	CU_ASSERT_EQUAL(w.nr, 2);
	frame_is(&w, 1, "app", 2, 1100, 1250, FRAME_TRUNCATED);
	CU_ASSERT_EQUAL(w.frames[1].swap_ns, 60);
	CU_ASSERT_EQUAL(w.frames[1].queue_ns, 1);
	world_close(&w);
}

/* The spans say that an interval is missing, and no record of one ever comes again. */
static void test_many_unconfirmed(void)
{
	enum { NR = 20000 };
	struct world w;

	world_start(&w, 1000);
	LOCK(&w, 1, 1010, 1020, 1020);
	for (unsigned i = 0; i < NR; i++)
		SWAP(&w, i + 1, 1100 + i * 100, 1150 + i * 100, A, 2);
	CU_ASSERT_TRUE(w.nr > NR / 2);
	world_stop(&w, 1150 + NR * 100);
	CU_ASSERT_EQUAL_FATAL(w.nr, NR + 1);
	for (unsigned i = 1; i < NR; i++) {
		CU_ASSERT_EQUAL_FATAL(w.frames[i].start_ns, w.frames[i - 1].end_ns);
		CU_ASSERT_EQUAL_FATAL(w.frames[i].render.ns[BUDGET_UNKNOWN], 100);
		CU_ASSERT_EQUAL_FATAL(w.frames[i].status, FRAME_LOSSY);
	}
	world_close(&w);
}

/* A main loop that is itself probed is around every swap, and never ends. */
static void test_swaps_in_an_endless_call(void)
{
	enum { NR = 200 };
	struct world w;

	world_start(&w, 1000);
	for (unsigned i = 0; i < NR; i++)
		SWAP(&w, i + 1, 1100 + i * 100, 1150 + i * 100, A, 0, .depth = 1);
	CU_ASSERT_TRUE(w.nr > NR / 2);
	TASK(&w, LAST, 1150 + NR * 100, .span_seq = NR);
	world_stop(&w, 1150 + NR * 100);
	CU_ASSERT_EQUAL_FATAL(w.nr, NR + 1);
	for (unsigned i = 1; i < NR; i++)
		frame_is(&w, i, "app", i + 1, 1050 + i * 100, 1150 + i * 100, FRAME_COMPLETE);
	world_close(&w);
}

/* The call around a swap goes on for longer than the history is kept. */
static void test_swap_long_ago(void)
{
	enum { NR = 10000 };
	struct world w;

	world_start(&w, 1000);
	SWAP(&w, 1, 1090, 1100, A, 0, .depth = 1);
	for (unsigned i = 0; i < NR; i++)
		LOCK(&w, i + 1, 1105 + i * 10, 1109 + i * 10, 1109 + i * 10);
	CALL(&w, FS_ROLE_SPAN, 2, 1080, 1100 + NR * 10, .off_seq = NR);
	SWAP(&w, 3, 1110 + NR * 10, 1120 + NR * 10, A, NR);
	CU_ASSERT_EQUAL(w.nr, 2);
	frame_is(&w, 0, "app", 1, 1000, 1100, FRAME_TRUNCATED);
	CU_ASSERT_EQUAL(w.frames[0].render.ns[BUDGET_RUNNING], 100);
	frame_is(&w, 1, "app", 2, 1100, 1120 + NR * 10, FRAME_COMPLETE);
	CU_ASSERT_EQUAL(w.frames[1].render.ns[BUDGET_LOCK], 4 * NR);
	world_close(&w);
}

/* A swap so late that the time around its end is not kept apart any more. */
static void test_swap_too_late(void)
{
	struct world w;

	world_start(&w, 1000);
	for (unsigned i = 0; i < 100; i++)
		LOCK(&w, i + 1, 1005 + i * 10, 1009 + i * 10, 1009 + i * 10);
	SWAP(&w, 1, 1090, 1100, A, 9);
	CU_ASSERT_EQUAL(w.nr, 0);
	CU_ASSERT_EQUAL(model_stats(w.model)->stale, 1);
	SWAP(&w, 2, 2090, 2100, A, 100);
	CU_ASSERT_EQUAL(w.nr, 1);
	frame_is(&w, 0, "app", 1, 1000, 2100, FRAME_TRUNCATED);
	CU_ASSERT_EQUAL(w.frames[0].render.ns[BUDGET_LOCK], 400);
	world_close(&w);
}

static void test_many_surfaces(void)
{
	enum { NR = 300 };
	struct world w;

	world_start(&w, 1000);
	for (unsigned i = 0; i < NR; i++)
		SWAP(&w, i + 1, 1100 + i * 100, 1150 + i * 100, A + i * 16, 0);
	world_stop(&w, 1200 + NR * 100);
	/* Each has a first frame, and one that is cut short: by the stop, or by too many others. */
	CU_ASSERT_EQUAL(w.nr, 2 * NR);
	CU_ASSERT_EQUAL(model_stats(w.model)->producers, NR);
	for (size_t i = 0; i < w.nr; i++)
		CU_ASSERT_EQUAL(w.frames[i].status, FRAME_TRUNCATED);
	world_close(&w);
}

static void test_stats_and_meta(void)
{
	struct world w;
	union {
		struct fs_meta meta;
		char bytes[sizeof(struct fs_meta) + 16];
	} rec = { 0 };

	strcpy(rec.meta.text, "{\"a\":1}");
	world_open(&w);
	CU_ASSERT_PTR_NULL(model_meta(w.model));
	feed(&w, &rec.meta.h, FS_KIND_META, sizeof(rec));
	CU_ASSERT_STRING_EQUAL(model_meta(w.model), "{\"a\":1}");
	FEED(&w, CLOCK, fs_clock, .h.time_ns = 1000, .mark = FS_CLOCK_START, .realtime_ns = 5000);
	CLOCK(&w, TICK, 1100);
	CLOCK(&w, STOP, 1200);
	CU_ASSERT_EQUAL(model_stats(w.model)->start_ns, 1000);
	CU_ASSERT_EQUAL(model_stats(w.model)->stop_ns, 1200);
	CU_ASSERT_EQUAL(model_stats(w.model)->realtime_offset_ns, 4000);
	CU_ASSERT_EQUAL(model_finish(w.model), 0);
	CU_ASSERT_EQUAL(w.nr, 0);
	world_close(&w);
	model_free(NULL);
}

int main(void)
{
	static const struct check_case cases[] = {
		{ "two surfaces", test_two_surfaces },
		{ "threads and processes", test_threads_and_processes },
		{ "a name that is taken", test_name_taken },
		{ "long names", test_long_names },
		{ "swaps in swaps", test_nested_swaps },
		{ "present", test_present },
		{ "queue", test_queue },
		{ "whose dequeue", test_dequeue_owners },
		{ "lost swap", test_lost_swap },
		{ "reported losses", test_reported_losses },
		{ "unknown_point", test_unknown_point },
		{ "exit", test_exit },
		{ "thread id reused", test_id_reused },
		{ "exec", test_exec },
		{ "swap open at the stop", test_swap_open_at_the_stop },
		{ "many unconfirmed frames", test_many_unconfirmed },
		{ "swaps in an endless call", test_swaps_in_an_endless_call },
		{ "swap long ago", test_swap_long_ago },
		{ "swap too late", test_swap_too_late },
		{ "many surfaces", test_many_surfaces },
		{ "statistics and META", test_stats_and_meta },
		{ NULL, NULL },
	};

	return check_main("frames", cases);
}
