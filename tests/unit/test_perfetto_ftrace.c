/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Bundles of ftrace's events, made byte by byte, against records worked out by hand. */
#include "perfetto_trace.h"

/*
 * One CPU: a hard interrupt wakes 10 at 900, which runs from 1000 on, wakes 11 at 1400 and is put
 * aside for it at 1500; 11 sleeps uninterruptibly from 2000 on. Who ran before 1000 is not said.
 */
static void compact(void)
{
	static struct bytes compact_sched;

	compact_sched.len = 0;
	put_column(&compact_sched, 1, (const uint64_t[]){ 1000, 500, 500 }, 3);
	put_column(&compact_sched, 2, (const uint64_t[]){ 1, 0x100, 2 }, 3);
	put_column(&compact_sched, 3, (const uint64_t[]){ 10, 11, 0 }, 3);
	put_column(&compact_sched, 4, (const uint64_t[]){ 120, 120, 120 }, 3);
	put_string(&compact_sched, 5, "app");
	put_string(&compact_sched, 5, "worker");
	put_string(&compact_sched, 5, "swapper/0");
	put_column(&compact_sched, 6, (const uint64_t[]){ 0, 1, 2 }, 3);
	put_column(&compact_sched, 7, (const uint64_t[]){ 900, 500 }, 2);
	put_column(&compact_sched, 8, (const uint64_t[]){ 10, 11 }, 2);
	put_column(&compact_sched, 11, (const uint64_t[]){ 0, 1 }, 2);
	put_column(&compact_sched, 12, (const uint64_t[]){ 0x09, 0 }, 2);
	put_message(&bundle, 4, &compact_sched);
	add_bundle(0);
	EXPECT("900 0 10/0 seen app 0",
	       "1000 0 10/0 off 1 0x8 out=0,0 wake=900,0,3 peer=0/0, state=0",
	       "1400 0 11/0 seen worker 0",
	       "1500 0 11/0 off 1 0x8 out=0,0 wake=1400,0,1 peer=10/0,app state=0",
	       "2000 -1 10/0 off 2 0x3 out=1500,0 wake=0,-1,0 peer=11/0,worker state=0",
	       "2000 -1 11/0 off 2 0x1 out=2000,0 wake=0,-1,0 peer=0/0, state=0x2");
	CU_ASSERT_FALSE(stats.cut);
	CU_ASSERT_EQUAL(stats.malformed, 0);
}

/* The same as literal bytes, with the columns in another order and no flags of the wakings. */
static void literal(void)
{
	static const unsigned char bytes[] = {
		0x0a, 0x2b, /* packet, 43 bytes */
		0x0a, 0x27, /* bundle, 39 bytes */
		0x08, 0x01, /* cpu 1 */
		0x22, 0x23, /* compact_sched, 35 bytes */
		0x1a, 0x02, 0x0a, 0x00, /* next_pid 10, 0 */
		0x2a, 0x03, 'a', 'p', 'p', /* intern_table */
		0x2a, 0x04, 'i', 'd', 'l', 'e', 0x32, 0x02, 0x00, 0x01, /* next_comm_index */
		0x12, 0x02, 0x01, 0x01, /* prev_state */
		0x0a, 0x04, 0xe8, 0x07, 0xf4, 0x03, /* times 1000, + 500 */
		0x3a, 0x01, 0x64, /* waking at 100 */
		0x42, 0x01, 0x0a, /* of 10 */
		/* without its name's index */
		0x50, 0x03, /* trusted_packet_sequence_id */
	};

	expect_bytes(bytes, sizeof(bytes),
		     (const char *const[]){
			     "100 1 10/0 seen  0", "1000 1 10/0 seen app 0",
			     "1000 1 10/0 off 1 0x8 out=0,0 wake=100,1,0 peer=0/0, state=0",
			     "1500 -1 10/0 off 2 0x1 out=1500,1 wake=0,-1,0 peer=0/0, state=0x1",
			     NULL });
}

/* Events as they are, of two CPUs whose bundles follow each other. */
static void full(void)
{
	add_switch(2000, 20, 1, 21);
	add_switch(4000, 21, 0x100, 20);
	add_bundle(0);
	put_string(&body, 1, "t20");
	put_number(&body, 2, 20);
	event.len = 0;
	put_number(&event, 1, 3000);
	put_number(&event, 2, 30);
	put_number(&event, 5, 0x10); /* common_flags: in a softirq */
	put_message(&event, 20, &body);
	put_message(&bundle, 2, &event);
	body.len = 0;
	add_bundle(1);
	EXPECT("2000 0 20/0 seen t20 0", "2000 0 21/0 seen t21 0",
	       "2000 0 21/0 off 1 0x8 out=0,0 wake=0,-1,0 peer=0/0, state=0", "3000 1 30/0 seen  0",
	       "4000 0 20/0 off 1 0 out=2000,0 wake=3000,1,2 peer=0/0, state=0x1",
	       "4000 -1 20/0 last  1",
	       "4000 -1 21/0 off 2 0x3 out=4000,0 wake=0,-1,0 peer=20/0,t20 state=0");
	CU_ASSERT_EQUAL(stats.late, 0);
}

/* States as they are told, and as the kernel has them. */
static void states(void)
{
	add_switch(1000, 20, 0x80, 0); /* a kernel thread that idles */
	add_switch(2000, 0, 0, 20);
	add_switch(3000, 20, 0x800, 0); /* runnable, as before 4.14 */
	add_switch(4000, 0, 0, 20);
	add_switch(5000, 20, 0x102, 0);
	add_bundle(0);
	EXPECT("1000 0 20/0 seen t20 0",
	       "2000 0 20/0 off 1 0 out=1000,0 wake=0,-1,0 peer=0/0, state=0x402",
	       "4000 0 20/0 off 2 0x2 out=3000,0 wake=0,-1,0 peer=0/0,t0 state=0",
	       "5000 -1 20/0 off 3 0x1 out=5000,0 wake=0,-1,0 peer=0/0, state=0x2");
}

/*
 * Something was lost on CPU 0 before its second bundle: who runs then is not who was switched to
 * before, so that the waker is not known.
 */
static void lost(void)
{
	static struct bytes compact_sched;

	add_switch(1000, 0, 0, 20);
	add_bundle(0);
	compact_sched.len = 0;
	put_column(&compact_sched, 7, (const uint64_t[]){ 2000 }, 1);
	put_column(&compact_sched, 8, (const uint64_t[]){ 21 }, 1);
	put_message(&bundle, 4, &compact_sched);
	put_number(&bundle, 3, 1);
	add_bundle(0);
	EXPECT("1000 0 20/0 seen t20 0",
	       "1000 0 20/0 off 1 0x8 out=0,0 wake=0,-1,0 peer=0/0, state=0", "2000 0 0/0 lost 0",
	       "2000 0 21/0 seen  0", "2000 -1 20/0 last  2");
	CU_ASSERT_EQUAL(stats.lost_unknown, 1);
}

/*
 * A process forks a thread, which waits for its first CPU; then it exits. What the process tree
 * says stands right before the first event.
 */
static void life(void)
{
	static struct bytes tree, thread;

	tree.len = thread.len = packet.len = 0;
	put_number(&thread, 1, 41);
	put_string(&thread, 2, "known");
	put_number(&thread, 3, 40);
	put_message(&tree, 2, &thread);
	put_message(&packet, 2, &tree);
	put_number(&packet, 8, 500);
	add_packet(&packet);
	put_number(&body, 1, 42);
	put_string(&body, 2, "new");
	put_number(&body, 3, 0x10f00); /* CLONE_THREAD among others */
	add_event(1000, 41, 235);
	put_string(&body, 1, "new");
	put_number(&body, 2, 42);
	add_event(1100, 41, 114);
	add_switch(1200, 0, 0, 42);
	put_number(&body, 1, 42);
	put_string(&body, 2, "t42");
	put_string(&body, 3, "named");
	add_event(1300, 42, 236);
	put_string(&body, 1, "named");
	put_number(&body, 2, 42);
	put_number(&body, 3, 40);
	add_event(1400, 42, 238);
	add_bundle(2);
	EXPECT("999 -1 41/40 seen known 0", "1000 2 42/0 new new 0 of 41",
	       "1200 2 42/40 rename t42 0",
	       "1200 2 42/40 off 1 0x4 out=1100,2 wake=0,-1,0 peer=0/0, state=0",
	       "1300 2 42/40 rename named 0", "1400 2 42/40 exit named 1");
}

static void put_process(struct bytes *tree, uint64_t pid, const char *command)
{
	static struct bytes process;

	process.len = 0;
	put_number(&process, 1, pid);
	if (command)
		put_string(&process, 3, command);
	put_message(tree, 1, &process);
}

/*
 * A process tree has a command in place of the first thread's name. The kernel of an Android
 * device calls surfaceflinger that, and SystemUI "ndroid.systemui". What an event says counts for
 * more.
 */
static void first_threads(void)
{
	static struct bytes tree, thread;

	tree.len = thread.len = packet.len = 0;
	put_process(&tree, 30, "/system/bin/surfaceflinger");
	put_process(&tree, 31, "com.android.systemui");
	put_process(&tree, 32, "com.example.app");
	put_process(&tree, 33, "a.service.with@2.0-in-its-name");
	put_process(&tree, 34, NULL);
	put_process(&tree, 20, "renamed");
	put_number(&thread, 1, 32);
	put_string(&thread, 2, "its own");
	put_number(&thread, 3, 32);
	put_message(&tree, 2, &thread);
	put_message(&packet, 2, &tree);
	put_number(&packet, 8, 500);
	add_packet(&packet);
	add_switch(1000, 0, 0, 20);
	add_bundle(0);
	EXPECT("999 -1 32/32 seen its own 0", "999 -1 30/30 seen surfaceflinger 0",
	       "999 -1 31/31 seen ndroid.systemui 0", "999 -1 33/33 seen a.service.with@ 0",
	       "999 -1 34/34 seen  0", "999 -1 20/20 seen renamed 0", "1000 0 20/20 rename t20 0",
	       "1000 0 20/20 off 1 0x8 out=0,0 wake=0,-1,0 peer=0/0, state=0",
	       "1000 -1 20/20 last  1");
}

static void fence(uint64_t ns, uint32_t field, uint64_t seqno)
{
	put_number(&body, 1, 7);
	put_string(&body, 2, "vgem");
	put_number(&body, 3, seqno);
	put_string(&body, 4, "ring");
	add_event(ns, 0, field);
}

static void fences(void)
{
	fence(1000, 414, 1);
	fence(1100, 415, 1);
	fence(1200, 417, 1);
	fence(1300, 416, 1);
	fence(1400, 418, 1);
	fence(1500, 316, 2); /* as before 4.9 */
	fence(1600, 318, 2);
	fence(1700, 319, 2);
	fence(1800, 317, 2);
	add_bundle(0);
	EXPECT("1000 0 0/0 names 7 'vgem' 'ring'", "1000 0 0/0 fence 1 7:1 irq=0",
	       "1100 0 0/0 fence 2 7:1 irq=0", "1200 0 0/0 fence 6 7:1 irq=0",
	       "1300 0 0/0 fence 4 7:1 irq=0", "1400 0 0/0 fence 7 7:1 irq=0",
	       "1500 0 0/0 fence 1 7:2 irq=0", "1600 0 0/0 fence 3 7:2 irq=0",
	       "1700 0 0/0 fence 4 7:2 irq=0", "1800 0 0/0 fence 5 7:2 irq=0");
}

static void job(uint64_t ns, uint32_t field)
{
	if (field == 592) {
		put_number(&body, 1, 401);
		put_number(&body, 2, 1);
	} else {
		put_string(&body, 1, "gfx_0.0.0");
		put_number(&body, 5, 401);
		put_number(&body, 6, 1);
	}
	add_event(ns, 9381, field);
}

/* The numbers of test/trace_processor's drm_sched_617 in Perfetto. What older kernels tell names no
 * fence. */
static void jobs(void)
{
	job(2664817937804, 593);
	job(2664817945719, 594);
	put_number(&body, 1, 18446743526218327296u);
	put_number(&body, 2, 18446743526909918272u);
	put_string(&body, 6, "ring0");
	add_event(2664817945720, 365, 412);
	job(2664818155405, 592);
	add_bundle(0);
	EXPECT("2664817937804 0 9381/0 seen  0", "2664817937804 0 9381/0 names 401 '' 'gfx_0.0.0'",
	       "2664817937804 0 9381/0 fence 2 401:1 irq=0",
	       "2664817945719 0 9381/0 fence 8 401:1 irq=0",
	       "2664818155405 0 9381/0 fence 4 401:1 irq=0");
}

static const struct check_case cases[] = {
	{ "compact", compact },
	{ "literal", literal },
	{ "full", full },
	{ "states", states },
	{ "lost", lost },
	{ "life", life },
	{ "first_threads", first_threads },
	{ "fences", fences },
	{ "jobs", jobs },
	{ NULL, NULL },
};

int main(void)
{
	return check_main("perfetto_ftrace", cases);
}
