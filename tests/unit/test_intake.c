/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* From events to records: each rule of user/trace/intake*.c. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "stream/merge.h"
#include "trace/intake.h"
#include "trace/intake_parts.h"
#include "trace_records.h"

static struct source source;
static struct intake *in;

static void begin(void)
{
	source = (struct source){ .merge = merge_new() };
	in = intake_new(&source);
	if (!source.merge || !in)
		abort();
}

/* All records that came out, up to the NULL. */
static void end(const char *const *expected)
{
	const struct fs_header *h;
	unsigned n = 0, wanted = 0;

	CU_ASSERT_EQUAL(intake_finish(in), 0);
	merge_round(source.merge, UINT64_MAX);
	while (expected[wanted])
		wanted++;
	while ((h = merge_next(source.merge))) {
		if (n < wanted)
			trace_expect(h, expected[n]);
		n++;
	}
	CU_ASSERT_EQUAL(n, wanted);
	CU_ASSERT_EQUAL(merge_late(source.merge), 0);
	intake_free(in);
	merge_free(source.merge);
}

#define END(...) end((const char *const[]){ __VA_ARGS__, NULL })

static struct intake_at at(uint64_t ns, uint32_t cpu, uint32_t tid, const char *comm)
{
	return (struct intake_at){
		.ns = ns, .cpu = cpu, .tid = tid, .comm = comm, .context = FS_CTX_TASK
	};
}

/* From a thread (0: idle) to another on a CPU. Threads have the names "t" and their number. */
static void run(uint64_t ns, uint32_t cpu, uint32_t prev, uint64_t state, uint32_t next)
{
	char prev_comm[16], next_comm[16];

	snprintf(prev_comm, sizeof(prev_comm), "t%u", prev);
	snprintf(next_comm, sizeof(next_comm), "t%u", next);
	struct intake_at a = at(ns, cpu, prev, prev_comm);
	CU_ASSERT_EQUAL(intake_switch(in, &a, state, next, next_comm), 0);
}

static void wake(uint64_t ns, uint32_t cpu, uint32_t waker, uint32_t context, uint32_t wakee)
{
	char comm[16], wakee_comm[16];

	snprintf(comm, sizeof(comm), "t%u", waker);
	snprintf(wakee_comm, sizeof(wakee_comm), "t%u", wakee);
	struct intake_at a = at(ns, cpu, waker, comm);
	a.context = context;
	CU_ASSERT_EQUAL(intake_waking(in, &a, wakee, wakee_comm), 0);
}

/* 7 sleeps from 200 to 400, woken by 8 at 300; it was off-CPU before 100, nobody knows since when.
 */
static void blocked(void)
{
	begin();
	run(100, 0, 0, 0, 7);
	run(200, 0, 7, 1, 0);
	wake(300, 1, 8, FS_CTX_TASK, 7);
	run(400, 2, 0, 0, 7);
	run(500, 2, 7, 2, 0);
	CU_ASSERT_EQUAL(intake_counts(in)->switches, 4);
	CU_ASSERT_EQUAL(intake_counts(in)->wakings, 1);
	END("100 0 0/0 clock 1", "100 0 7/0 seen t7 0",
	    "100 0 7/0 off 1 0x8 out=0,0 wake=0,-1,0 peer=0/0, state=0", "300 1 8/0 seen t8 0",
	    "400 2 7/0 off 2 0 out=200,0 wake=300,1,1 peer=8/0,t8 state=0x1",
	    "500 -1 7/0 off 3 0x1 out=500,2 wake=0,-1,0 peer=0/0, state=0x2", "500 -1 0/0 clock 3");
}

/* In an interrupt the running thread is a bystander. */
static void interrupt(void)
{
	begin();
	run(100, 0, 7, 2, 8);
	wake(150, 0, 8, FS_CTX_HARDIRQ, 7);
	run(160, 0, 8, 0, 7);
	run(170, 0, 7, 1, 8);
	wake(180, 0, 8, FS_CTX_SOFTIRQ, 7);
	run(190, 0, 8, 1, 7);
	END("100 0 0/0 clock 1", "100 0 7/0 seen t7 0", "100 0 8/0 seen t8 0",
	    "100 0 8/0 off 1 0x8 out=0,0 wake=0,-1,0 peer=0/0, state=0",
	    "160 0 7/0 off 1 0 out=100,0 wake=150,0,3 peer=0/0, state=0x2",
	    "170 0 8/0 off 2 0x2 out=160,0 wake=0,-1,0 peer=7/0,t7 state=0",
	    "190 0 7/0 off 2 0 out=170,0 wake=180,0,2 peer=0/0, state=0x1", "190 -1 7/0 last  2",
	    "190 -1 8/0 off 3 0x1 out=190,0 wake=0,-1,0 peer=0/0, state=0x1", "190 -1 0/0 clock 3");
}

/* Who took the CPU is the peer of one that was preempted, and a waking in between is none of it. */
static void preempted(void)
{
	begin();
	run(100, 3, 7, 0, 8);
	wake(120, 1, 9, FS_CTX_TASK, 7);
	run(130, 3, 8, 1, 7);
	END("100 3 0/0 clock 1", "100 3 7/0 seen t7 0", "100 3 8/0 seen t8 0",
	    "100 3 8/0 off 1 0x8 out=0,0 wake=0,-1,0 peer=0/0, state=0", "120 1 9/0 seen t9 0",
	    "130 3 7/0 off 1 0x2 out=100,3 wake=0,-1,0 peer=8/0,t8 state=0", "130 -1 7/0 last  1",
	    "130 -1 8/0 off 2 0x1 out=130,3 wake=0,-1,0 peer=0/0, state=0x1", "130 -1 0/0 clock 3");
}

/*
 * sched_waking and sched_wakeup for one waking: the first counts. One from before the switch-out
 * counts from there on, unless another one comes.
 */
static void wakings(void)
{
	begin();
	run(100, 0, 7, 1, 0);
	wake(110, 1, 8, FS_CTX_TASK, 7);
	wake(115, 0, 9, FS_CTX_HARDIRQ, 7);
	run(120, 0, 0, 0, 7);
	wake(130, 1, 8, FS_CTX_TASK, 7);
	run(140, 0, 7, 2, 0);
	run(150, 0, 0, 0, 7);
	wake(160, 1, 8, FS_CTX_TASK, 7);
	run(170, 0, 7, 2, 0);
	wake(180, 1, 9, FS_CTX_TASK, 7);
	run(190, 0, 0, 0, 7);
	END("100 0 0/0 clock 1", "100 0 7/0 seen t7 0", "110 1 8/0 seen t8 0",
	    "115 0 9/0 seen t9 0", "120 0 7/0 off 1 0 out=100,0 wake=110,1,1 peer=8/0,t8 state=0x1",
	    "150 0 7/0 off 2 0x10 out=140,0 wake=140,1,1 peer=8/0,t8 state=0x2",
	    "190 0 7/0 off 3 0 out=170,0 wake=180,1,1 peer=9/0,t9 state=0x2", "190 -1 7/0 last  3",
	    "190 -1 0/0 clock 3");
}

/* What is open at the end: its waker too, if it came behind the switch-out. */
static void open_intervals(void)
{
	begin();
	run(100, 0, 7, 1, 8);
	wake(110, 0, 8, FS_CTX_TASK, 7);
	wake(120, 0, 8, FS_CTX_TASK, 8);
	run(130, 0, 8, 2, 0);
	END("100 0 0/0 clock 1", "100 0 7/0 seen t7 0", "100 0 8/0 seen t8 0",
	    "100 0 8/0 off 1 0x8 out=0,0 wake=0,-1,0 peer=0/0, state=0",
	    "130 -1 7/0 off 1 0x1 out=100,0 wake=110,0,1 peer=8/0,t8 state=0x1",
	    "130 -1 8/0 off 2 0x1 out=130,0 wake=0,-1,0 peer=0/0, state=0x2", "130 -1 0/0 clock 3");
}

/* A thread that is made, runs, executes, and ends: its EXIT comes once, with its last interval. */
static void life(void)
{
	struct intake_at a;

	begin();
	a = at(100, 0, 7, "t7");
	a.tgid = 5;
	CU_ASSERT_EQUAL(intake_task(in, &a, FS_TASK_NEW, 9, "t7"), 0);
	CU_ASSERT_EQUAL(intake_thread(in, 100, 9, 5, "t7"), 0);
	a.ns = 110; /* woken for the first time */
	CU_ASSERT_EQUAL(intake_task(in, &a, FS_TASK_NEW, 9, "t7"), 0);
	run(120, 1, 0, 0, 9);
	a = at(130, 1, 9, "t9");
	CU_ASSERT_EQUAL(intake_task(in, &a, FS_TASK_EXEC, 9, NULL), 0);
	a.ns = 140;
	CU_ASSERT_EQUAL(intake_task(in, &a, FS_TASK_EXIT, 9, "t9"), 0);
	run(150, 1, 9, 0, 7);
	run(160, 1, 7, 0, 9);
	run(170, 1, 9, 0x10, 0);
	CU_ASSERT_PTR_NULL(intake_thread_get(in, 9));
	END("100 0 0/0 clock 1", "100 0 7/5 seen t7 0", "100 0 9/0 new t7 0 of 7",
	    "120 1 9/5 rename t9 0", "120 1 9/5 off 1 0x4 out=110,0 wake=0,-1,0 peer=0/0, state=0",
	    "130 1 9/5 exec t9 0", "140 1 9/5 exit t9 1",
	    "150 1 7/5 off 1 0x8 out=0,0 wake=0,-1,0 peer=0/0, state=0",
	    "160 1 9/5 off 2 0x2 out=150,1 wake=0,-1,0 peer=7/5,t7 state=0",
	    "170 -1 7/5 off 2 0x3 out=160,1 wake=0,-1,0 peer=9/5,t9 state=0", "170 -1 0/0 clock 3");
}

/* Its last switch says that it has ended, if nothing did before; its id may come again. */
static void dead(void)
{
	begin();
	run(100, 0, 0, 0, 7);
	run(110, 0, 7, 0x20, 0);
	CU_ASSERT_PTR_NULL(intake_thread_get(in, 7));
	run(120, 0, 0, 0, 7);
	END("100 0 0/0 clock 1", "100 0 7/0 seen t7 0",
	    "100 0 7/0 off 1 0x8 out=0,0 wake=0,-1,0 peer=0/0, state=0", "110 0 7/0 exit t7 1",
	    "120 0 7/0 seen t7 0", "120 0 7/0 off 1 0x8 out=0,0 wake=0,-1,0 peer=0/0, state=0",
	    "120 -1 7/0 last  1", "120 -1 0/0 clock 3");
}

/* Another process's: the id is another thread's now. */
static void reused(void)
{
	struct intake_at a;

	begin();
	a = at(100, 0, 7, "old");
	a.tgid = 7;
	CU_ASSERT_EQUAL(intake_switch(in, &a, 1, 0, ""), 0);
	a = at(110, 0, 8, "t8");
	CU_ASSERT_EQUAL(intake_waking(in, &a, 7, "old"), 0);
	a = at(120, 0, 7, "new");
	a.tgid = 6;
	CU_ASSERT_EQUAL(intake_switch(in, &a, 1, 0, ""), 0);
	END("100 0 0/0 clock 1", "100 0 7/7 seen old 0", "110 0 8/0 seen t8 0",
	    "120 0 7/6 seen new 0",
	    "120 -1 7/6 off 1 0x1 out=120,0 wake=0,-1,0 peer=0/0, state=0x1", "120 -1 0/0 clock 3");
}

/*
 * Names from events about a thread count; one in the head of a line only until there is such a one,
 * for it is from when the trace was read.
 */
static void names(void)
{
	struct intake_at a;

	begin();
	a = at(100, 0, 7, "late name, too long");
	CU_ASSERT_EQUAL(intake_fence(in, &a, FS_FENCE_SIGNALED, 1, 2, NULL, NULL), 0);
	a.comm = "other";
	CU_ASSERT_EQUAL(intake_fence(in, &a, FS_FENCE_SIGNALED, 1, 3, NULL, NULL), 0);
	a.ns = 110;
	CU_ASSERT_EQUAL(intake_task(in, &a, FS_TASK_RENAME, 7, "true"), 0);
	a.ns = 120;
	CU_ASSERT_EQUAL(intake_fence(in, &a, FS_FENCE_SIGNALED, 1, 4, NULL, NULL), 0);
	a.tid = 8;
	a.comm = NULL;
	CU_ASSERT_EQUAL(intake_fence(in, &a, FS_FENCE_SIGNALED, 1, 5, NULL, NULL), 0);
	CU_ASSERT_EQUAL(intake_thread(in, 130, 8, 3, "known"), 0);
	END("100 0 0/0 clock 1", "100 0 7/0 seen late name, too  0", "100 0 7/0 fence 4 1:2 irq=1",
	    "100 0 7/0 rename other 0", "100 0 7/0 fence 4 1:3 irq=1", "110 0 7/0 rename true 0",
	    "120 0 7/0 fence 4 1:4 irq=1", "120 0 8/0 seen  0", "120 0 8/0 fence 4 1:5 irq=1",
	    "130 -1 8/3 seen known 0", "130 -1 0/0 clock 3");
}

/*
 * One that does something runs, though its switch-in was not shown. Without any switch in the trace
 * nobody knows what it did before.
 */
static void ran(void)
{
	struct intake_at a;

	begin();
	a = at(90, 0, 7, "t7");
	CU_ASSERT_EQUAL(intake_mark(in, &a, "I|7|x", 5), 0);
	a.ns = 95;
	CU_ASSERT_EQUAL(intake_mark(in, &a, "E|7", 3), 0);
	run(100, 0, 7, 1, 0);
	a.ns = 120;
	CU_ASSERT_EQUAL(intake_mark(in, &a, "I|7|y", 5), 0);
	a.ns = 130;
	CU_ASSERT_EQUAL(intake_mark(in, &a, "I|7|z", 5), 0);
	CU_ASSERT_EQUAL(intake_counts(in)->marks, 4);

	struct intake_thread *t = intake_thread_get(in, 7);
	CU_ASSERT_EQUAL(t->off_seq, 2);
	CU_ASSERT_TRUE(t->on_cpu);
	intake_free(in);
	merge_free(source.merge);
}

/* What was lost on a CPU may have been switches of the thread that was on it: its number leaps. */
static void lost(void)
{
	begin();
	run(100, 0, 0, 0, 7);
	run(110, 1, 0, 0, 8);
	CU_ASSERT_EQUAL(intake_lost(in, 120, 0, 48), 0);
	run(130, 0, 7, 1, 0);
	run(140, 1, 8, 1, 0);
	CU_ASSERT_EQUAL(intake_lost(in, 150, FS_CPU_NONE, 0), 0);
	END("100 0 0/0 clock 1", "100 0 7/0 seen t7 0",
	    "100 0 7/0 off 1 0x8 out=0,0 wake=0,-1,0 peer=0/0, state=0", "110 1 8/0 seen t8 0",
	    "110 1 8/0 off 1 0x8 out=0,0 wake=0,-1,0 peer=0/0, state=0", "120 0 0/0 lost 48",
	    "150 -1 0/0 lost 0", "150 -1 7/0 off 3 0x1 out=130,0 wake=0,-1,0 peer=0/0, state=0x1",
	    "150 -1 8/0 off 2 0x1 out=140,1 wake=0,-1,0 peer=0/0, state=0x1", "150 -1 0/0 clock 3");
}

/* Names of a context go out once, and again when an INIT or EMIT tells them. */
static void fences(void)
{
	struct intake_at a;

	begin();
	a = at(100, 0, 0, NULL);
	a.context = FS_CTX_HARDIRQ;
	CU_ASSERT_EQUAL(intake_fence(in, &a, FS_FENCE_SIGNALED, 5, 1, "signaled", "x"), 0);
	CU_ASSERT_EQUAL(intake_fence(in, &a, FS_FENCE_DESTROY, 5, 1, "other", "y"), 0);
	a = at(110, 1, 7, "t7");
	CU_ASSERT_EQUAL(intake_fence(in, &a, FS_FENCE_INIT, 5, 2, "gpu", "ring"), 0);
	CU_ASSERT_EQUAL(intake_fence(in, &a, FS_FENCE_EMIT, 5, 2, "gpu", "ring"), 0);
	CU_ASSERT_EQUAL(intake_fence(in, &a, FS_FENCE_WAIT_START, 6, 9, "", NULL), 0);
	CU_ASSERT_EQUAL(intake_fence(in, &a, FS_FENCE_WAIT_END, 6, 9, NULL, "only"), 0);
	CU_ASSERT_EQUAL(intake_counts(in)->fences, 6);
	END("100 0 0/0 clock 1", "100 0 0/0 names 5 'signaled' 'x'", "100 0 0/0 fence 4 5:1 irq=3",
	    "100 0 0/0 fence 5 5:1 irq=3", "110 1 7/0 seen t7 0", "110 1 7/0 names 5 'gpu' 'ring'",
	    "110 1 7/0 fence 1 5:2 irq=1", "110 1 7/0 fence 2 5:2 irq=1",
	    "110 1 7/0 fence 6 6:9 irq=1", "110 1 7/0 names 6 '' 'only'",
	    "110 1 7/0 fence 7 6:9 irq=1", "110 -1 0/0 clock 3");
}

/* A text about the trace comes first; records go through as they are. */
static void through(void)
{
	struct fs_buffer buffer = {
		.h = { .time_ns = 50, .tgid = 3, .kind = FS_KIND_BUFFER, .size = sizeof(buffer) },
		.type = 1,
	};

	begin();
	CU_ASSERT_EQUAL(intake_meta(in, "{}"), 0);
	CU_ASSERT_EQUAL(intake_meta(in, "{\"a\": 1}"), 0);
	CU_ASSERT_EQUAL(intake_record(in, &buffer.h), 0);
	CU_ASSERT_EQUAL(intake_counts(in)->buffers, 1);
	END("50 0 0/0 meta", "50 0 0/0 clock 1", "50 0 0/3 kind 15", "50 -1 0/0 clock 3");
	begin();
	CU_ASSERT_EQUAL(intake_meta(in, "{}"), 0);
	END("0 -1 0/0 meta");
	begin();
	end((const char *const[]){ NULL });
}

/* Only so many are followed at a time; those that ended make room. */
static void many(void)
{
	begin();
	for (uint32_t tid = 1; tid <= INTAKE_THREADS_MAX + 10; tid++)
		run(100, 0, 0, 0, tid);
	CU_ASSERT_EQUAL(in->threads.nr, INTAKE_THREADS_MAX);
	run(101, 0, 5, 0x10, 0);
	CU_ASSERT_EQUAL(in->threads.nr, INTAKE_THREADS_MAX - 1);
	run(102, 0, 0, 0, INTAKE_THREADS_MAX + 10);
	CU_ASSERT_PTR_NOT_NULL(intake_thread_get(in, INTAKE_THREADS_MAX + 10));
	intake_free(in);
	merge_free(source.merge);
}

int main(void)
{
	static const struct check_case cases[] = {
		{ "blocked", blocked },
		{ "interrupt", interrupt },
		{ "preempted", preempted },
		{ "wakings", wakings },
		{ "open_intervals", open_intervals },
		{ "life", life },
		{ "dead", dead },
		{ "reused", reused },
		{ "names", names },
		{ "ran", ran },
		{ "lost", lost },
		{ "fences", fences },
		{ "through", through },
		{ "many", many },
		{ NULL, NULL },
	};

	return check_main("intake", cases);
}
