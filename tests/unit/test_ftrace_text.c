/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The text of ftrace: heads of lines in all dialects, and what each event prints. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "image.h"
#include "trace_records.h"

static struct reading r;

static void read_bytes(const void *data, size_t len)
{
	struct image_file f;

	image_open(&f, data, len);
	read_all(f.path, &r);
	image_close(&f);
}

static void read_string(const char *text)
{
	read_bytes(text, strlen(text));
}

/* What came between META with CLOCK START and CLOCK STOP. */
static void expect(const char *const *expected)
{
	unsigned wanted = 0;

	while (expected[wanted])
		wanted++;
	CU_ASSERT_EQUAL(r.ret, 0);
	CU_ASSERT_EQUAL(r.n, wanted + 3);
	if (r.n < 3)
		return;
	CU_ASSERT_EQUAL(reading_at(&r, 0)->kind, FS_KIND_META);
	CU_ASSERT_EQUAL(reading_at(&r, 1)->kind, FS_KIND_CLOCK);
	CU_ASSERT_EQUAL(reading_at(&r, r.n - 1)->kind, FS_KIND_CLOCK);
	for (unsigned i = 0; i < wanted && i + 3 < r.n; i++)
		trace_expect(reading_at(&r, i + 2), expected[i]);
}

#define EXPECT(...) expect((const char *const[]){ __VA_ARGS__, NULL })

#define TRACER "# tracer: nop\n#\n"

/* A fence is the shortest event whose record has all that a head says. */
#define FENCE "dma_fence_signaled: driver= timeline= context=1 seqno=2\n"

/* One line's head gives a thread with this name, and a fence record that begins so. */
static void expect_head(const char *head, const char *who, const char *comm, unsigned irq)
{
	char text[512], seen[TRACE_LINE], fence[TRACE_LINE];

	snprintf(text, sizeof(text), TRACER "%s " FENCE, head);
	read_string(text);
	snprintf(seen, sizeof(seen), "%s seen %s 0", who, comm);
	snprintf(fence, sizeof(fence), "%s fence 4 1:2 irq=%u", who, irq);
	EXPECT(seen, fence);
	if (r.n != 5)
		printf("# %s", text);
}

static void heads(void)
{
	/* Since 5.15: migrate-disable has a column. */
	expect_head("           gears-7       [001] d..2. 12.345678:", "12345678000 1 7/0", "gears",
		    1);
	expect_head("           gears-7       [001] d.h2. 12.345678:", "12345678000 1 7/0", "gears",
		    3);
	expect_head("           gears-7       [001] .Ns1. 12.345678:", "12345678000 1 7/0", "gears",
		    2);
	/* Before: four. */
	expect_head("           gears-7     [001] d..2 12.345678:", "12345678000 1 7/0", "gears",
		    1);
	expect_head("           gears-7     [001] dNH3 12.345678:", "12345678000 1 7/0", "gears",
		    3);
	expect_head("           gears-7     [001] d.Z3 12.345678:", "12345678000 1 7/0", "gears",
		    3);
	/* Before 3.2: none. */
	expect_head("           gears-7     [001]    12.345678:", "12345678000 1 7/0", "gears", 0);
	/* With the process. */
	expect_head("           gears-7     (    5) [001] d..2 12.345678:", "12345678000 1 7/5",
		    "gears", 1);
	expect_head("           gears-7     (-----) [001] d..2 12.345678:", "12345678000 1 7/0",
		    "gears", 1);
	expect_head("           gears-12345 (12345) [011] .... 12.345678:",
		    "12345678000 11 12345/12345", "gears", 1);
	/* trace-cmd, and its times with nine digits. */
	expect_head("           gears-7     [001]    12.345678901:", "12345678901 1 7/0", "gears",
		    0);
	expect_head("gears-7 [001] 12.5:", "12500000000 1 7/0", "gears", 0);
}

static void comms(void)
{
	/* Right-aligned in sixteen columns, as the kernel prints it. */
	expect_head("   my - app [x]-7     (    5) [001] d..2 12.345678:", "12345678000 1 7/5",
		    "my - app [x]", 1);
	expect_head("   Binder:5_2-1-7     [001] d..2 12.345678:", "12345678000 1 7/0",
		    "Binder:5_2-1", 1);
	expect_head("kworker/0:1-event-7     [001] d..2 12.345678:", "12345678000 1 7/0",
		    "kworker/0:1-eve", 1);
	expect_head(" x-1 [0] 1.0: y:-7     [001] d..2 12.345678:", "12345678000 1 7/0",
		    "x-1 [0] 1.0: y:", 1);
	expect_head("           #head-7     [001] d..2 12.345678:", "12345678000 1 7/0", "#head",
		    1);
	/* Whole names, by a tool that put them in. */
	expect_head("com.google.android.apps-x [y] (z)-7     (    5) [001] d..2 12.345678:",
		    "12345678000 1 7/5", "com.google.andr", 1);
	expect_head("kworker/u16:3-events_unbound-88 (   88) [001] .... 12.345678:",
		    "12345678000 1 88/88", "kworker/u16:3-e", 1);
	expect_head("           <...>-7     (-----) [001] d..2 12.345678:", "12345678000 1 7/0", "",
		    1);
	/* The idle thread is none. */
	read_string(TRACER "          <idle>-0     [001] d.h2 12.345678: " FENCE);
	EXPECT("12345678000 1 0/0 fence 4 1:2 irq=3");
}

#define LINE(time, what) "           gears-7     (    5) [001] d..2 " time ": " what "\n"
#define SEEN "1000000000 1 7/5 seen gears 0"

#define SWITCH "sched_switch: prev_comm=gears prev_pid=7 prev_prio=120 prev_state="
#define TO " ==> next_comm=t9 next_pid=9 next_prio=120"

/* The state's letters become this bit mask; preempted ones have none. */
static void expect_state(const char *letters, unsigned mask)
{
	char text[512], off[TRACE_LINE];

	snprintf(text, sizeof(text), TRACER LINE("1.000000", SWITCH "%s" TO), letters);
	read_string(text);
	if (mask)
		snprintf(off, sizeof(off),
			 "1000000000 -1 7/5 off 1 0x1 out=1000000000,1 wake=0,-1,0 peer=0/0, "
			 "state=%#x",
			 mask);
	else
		snprintf(off, sizeof(off),
			 "1000000000 -1 7/5 off 1 0x3 out=1000000000,1 wake=0,-1,0 peer=9/0,t9 "
			 "state=0");
	EXPECT(SEEN, "1000000000 1 9/0 seen t9 0",
	       "1000000000 1 9/0 off 1 0x8 out=0,0 wake=0,-1,0 peer=0/0, state=0", off,
	       "1000000000 -1 9/0 last  1");
}

static void states(void)
{
	expect_state("R", 0);
	expect_state("R+", 0);
	expect_state("S+", 0);
	expect_state("S", 1);
	expect_state("D", 2);
	expect_state("T", 4);
	expect_state("t", 8);
	expect_state("P", 0x40);
	expect_state("D|K", 0x102);
	expect_state("DK", 0x102);
	expect_state("D|W", 0x102);
	expect_state("D|N", 0x402);
	expect_state("I", 0x402);
	expect_state("W", 0x402);

	/* These are its end. */
	for (const char *c = "XZx"; *c; c++) {
		char text[512];

		snprintf(text, sizeof(text), TRACER LINE("1.000000", SWITCH "%c" TO), *c);
		read_string(text);
		EXPECT(SEEN, "1000000000 1 7/5 exit gears 0", "1000000000 1 9/0 seen t9 0",
		       "1000000000 1 9/0 off 1 0x8 out=0,0 wake=0,-1,0 peer=0/0, state=0",
		       "1000000000 -1 9/0 last  1");
	}
	read_string(TRACER LINE("1.000000", SWITCH "Q" TO));
	EXPECT(NULL);
	CU_ASSERT_EQUAL(r.stats.malformed, 1);
}

/* Names that look like keys. */
static void keys_in_names(void)
{
	read_string(TRACER LINE("1.000000", "sched_switch: prev_comm=a prev_pid=1 x prev_pid=7 "
					    "prev_prio=120 prev_state=S ==> next_comm=b next_pid=2 "
					    "next_pid=9 next_prio=1"));
	EXPECT("1000000000 1 7/5 seen a prev_pid=1 x 0", "1000000000 1 9/0 seen b next_pid=2 0",
	       "1000000000 1 9/0 off 1 0x8 out=0,0 wake=0,-1,0 peer=0/0, state=0",
	       "1000000000 -1 7/5 off 1 0x1 out=1000000000,1 wake=0,-1,0 peer=0/0, state=0x1",
	       "1000000000 -1 9/0 last  1");
	read_string(TRACER LINE("1.000000",
				SWITCH "S ==> next_comm= ==> next_comm= next_pid=9 next_prio=1"));
	EXPECT(SEEN, "1000000000 1 9/0 seen  ==> next_comm= 0",
	       "1000000000 1 9/0 off 1 0x8 out=0,0 wake=0,-1,0 peer=0/0, state=0",
	       "1000000000 -1 7/5 off 1 0x1 out=1000000000,1 wake=0,-1,0 peer=0/0, state=0x1",
	       "1000000000 -1 9/0 last  1");
	read_string(
		TRACER LINE("1.000000", "sched_waking: comm=x pid=1 pid=9 prio=1 target_cpu=000"));
	EXPECT(SEEN, "1000000000 1 9/0 seen x pid=1 0");
}

/* From 1 s to 3 s, woken at 2 s, in each form that a waking has. */
static void expect_waking(const char *waking, const char *woken)
{
	char text[1024], off[TRACE_LINE];

	snprintf(text, sizeof(text),
		 TRACER LINE("1.000000",
			     SWITCH "S" TO) "              t9-9     [001] d.h2 2.000000: %s\n"
					    "              t9-9     [001] d..2 3.000000: "
					    "sched_switch: prev_comm=t9 prev_pid=9 "
					    "prev_prio=1 prev_state=S ==> next_comm=gears "
					    "next_pid=7 next_prio=120\n",
		 waking);
	read_string(text);
	snprintf(off, sizeof(off), "3000000000 1 7/5 off 1 0 out=1000000000,1 %s state=0x1", woken);
	EXPECT(SEEN, "1000000000 1 9/0 seen t9 0",
	       "1000000000 1 9/0 off 1 0x8 out=0,0 wake=0,-1,0 peer=0/0, state=0", off,
	       "3000000000 -1 7/5 last  1",
	       "3000000000 -1 9/0 off 2 0x1 out=3000000000,1 wake=0,-1,0 peer=0/0, state=0x1");
	CU_ASSERT_EQUAL(r.stats.malformed, 0);
}

static void wakings(void)
{
	static const char woken[] = "wake=2000000000,1,3 peer=0/0,";
	static const char not_woken[] = "wake=0,-1,0 peer=0/0,";

	expect_waking("sched_waking: comm=gears pid=7 prio=120 target_cpu=001", woken);
	expect_waking("sched_wakeup: comm=gears pid=7 prio=120 target_cpu=001", woken);
	expect_waking("sched_wakeup: comm=gears pid=7 prio=120 success=1 target_cpu=001", woken);
	expect_waking("sched_wakeup: comm=gears pid=7 prio=120 success=0 target_cpu=001",
		      not_woken);
	expect_waking("sched_wakeup:         gears:7 [120] success=1 CPU:001", woken);
	expect_waking("sched_wakeup:         gears:7 [120] CPU:001", woken);
}

/* Where there are sched_waking events, a sched_wakeup says nothing new. */
static void both_wakings(void)
{
	read_string(TRACER LINE("0.500000", "sched_waking: comm=t9 pid=9 prio=1 target_cpu=000")
			    LINE("1.000000", SWITCH "S" TO)
				    LINE("2.000000",
					 "sched_wakeup: comm=gears pid=7 prio=1 target_cpu=000"));
	EXPECT("500000000 1 7/5 seen gears 0", "500000000 1 9/0 seen t9 0",
	       "1000000000 1 9/0 off 1 0x8 out=0,0 wake=500000000,1,1 peer=7/5,gears state=0",
	       "2000000000 -1 7/5 off 1 0x1 out=1000000000,1 wake=0,-1,0 peer=0/0, state=0x1",
	       "2000000000 -1 9/0 last  1");
}

static void lives(void)
{
	/* clang-format off */
	static const char text[] = TRACER
		LINE("1.000000", "task_newtask: pid=8 comm=gears clone_flags=3d0f00 oom_score_adj=0")
		LINE("1.000000", "sched_process_fork: comm=gears pid=7 child_comm=gears child_pid=8")
		LINE("2.000000", "sched_wakeup_new: comm=gears pid=8 prio=120 target_cpu=001")
		LINE("3.000000", "task_rename: pid=8 oldcomm=gears newcomm=a newcomm=b oom_score_adj=0")
		LINE("4.000000", "sched_process_exec: filename=/bin/x y pid=8 old_pid=8")
		LINE("5.000000", "sched_process_exit: comm=b pid=8 prio=120 group_dead=true")
		LINE("6.000000", "sched_process_fork: comm=gears pid=7 child_comm=c child_pid=9");
	/* clang-format on */

	read_string(text);
	EXPECT(SEEN, "1000000000 1 8/0 new gears 0 of 7", "3000000000 1 8/5 rename b 0",
	       "4000000000 1 8/5 exec b 0",
	       /* that it ran was not shown */
	       "5000000000 1 8/5 off 1 0x24 out=2000000000,1 wake=0,-1,0 peer=0/0, state=0",
	       "5000000000 1 8/5 exit b 1", "6000000000 1 9/0 new c 0 of 7",
	       "6000000000 -1 9/0 off 1 0x5 out=6000000000,1 wake=0,-1,0 peer=0/0, state=0");
}

/* Marks: 'I' is an instant, whose text is a marker's. */
static void expect_mark(const char *event)
{
	char text[512];

	snprintf(text, sizeof(text), TRACER LINE("1.000000", "%s"), event);
	read_string(text);
	EXPECT(SEEN, "1000000000 1 7/5 marker I Frame skipped: a|b: c");
}

static void marks(void)
{
	expect_mark("tracing_mark_write: I|5|Frame skipped: a|b: c");
	expect_mark("print: I|5|Frame skipped: a|b: c");
	expect_mark("print:                tracing_mark_write: I|5|Frame skipped: a|b: c");
	expect_mark("print:                ffffff80081a1b2c: I|5|Frame skipped: a|b: c");
	expect_mark("print: 0xffffff80081a1b2cs: I|5|Frame skipped: a|b: c");
	expect_mark("0xffffffff: I|5|Frame skipped: a|b: c");
	expect_mark("0: I|5|Frame skipped: a|b: c");
	expect_mark("bprint: I|5|Frame skipped: a|b: c");
}

static void fences(void)
{
	static const char *const events[] = { "init",    "emit",       "enable_signal", "signaled",
					      "destroy", "wait_start", "wait_end" };
	char text[512], fence[TRACE_LINE];

	for (unsigned i = 0; i < 7; i++) {
		for (unsigned old = 0; old < 2; old++) {
			snprintf(text, sizeof(text),
				 TRACER LINE("1.000000", "%sfence_%s: driver=mali gpu timeline=a "
							 "context=b c context=77 seqno=4294967295"),
				 old ? "" : "dma_", events[i]);
			read_string(text);
			snprintf(fence, sizeof(fence),
				 "1000000000 1 7/5 fence %u 77:4294967295 irq=1", i + 1);
			EXPECT(SEEN, "1000000000 1 7/5 names 77 'mali gpu' 'a context=b c'", fence);
		}
	}
	/* Names that are cut or gone; and what is no single fence. */
	read_string(
		TRACER LINE("1.000000", "dma_fence_init: driver=drm_s timeline= context=3 seqno=1")
			LINE("1.000000", "dma_fence_init: context=4 seqno=2") LINE(
				"1.000000", "dma_fence_init: driver=only context=5 seqno=2")
				LINE("1.000000", "fence_annotate_wait_on: driver=a timeline=b "
						 "context=1 seqno=2  "
						 "waits on driver=c timeline=d context=3 seqno=4")
					LINE("1.000000", "dma_fence_init: driver=x timeline=y "
							 "context=99999999999 seqno=1")
						LINE("1.000000", "dma_fence_init: driver=x "
								 "timeline=y context=6"));
	EXPECT(SEEN, "1000000000 1 7/5 names 3 'drm_s' ''", "1000000000 1 7/5 fence 1 3:1 irq=1",
	       "1000000000 1 7/5 fence 1 4:2 irq=1", "1000000000 1 7/5 names 5 'only' ''",
	       "1000000000 1 7/5 fence 1 5:2 irq=1");
	CU_ASSERT_EQUAL(r.stats.malformed, 2);
}

/* Since 6.17 a job's fence has its numbers; before, only where another line gives them. */
static void gpu_scheduler(void)
{
	read_string(
		TRACER LINE("1.000000",
			    "drm_sched_job_queue: dev=0000:03:00.0, fence=21:4294967298, "
			    "ring=gfx_0.0.0, job count:1, hw job count:0, client_id:5")
			LINE("1.000000", "drm_sched_job_add_dep: fence=21:1 depends on fence=22:9")
				LINE("2.000000",
				     "drm_sched_job_run: dev=0000:03:00.0, fence=21:2, "
				     "ring=gfx_0.0.0, job count:0, hw job count:1, client_id:5")
					LINE("3.000000",
					     "drm_sched_job_done: fence=21:2 signaled"));
	EXPECT(SEEN, "1000000000 1 7/5 names 21 '' 'gfx_0.0.0'",
	       "1000000000 1 7/5 fence 2 21:2 irq=1", "2000000000 1 7/5 fence 8 21:2 irq=1",
	       "3000000000 1 7/5 fence 4 21:2 irq=1");
	/* The fences' own events say the rest. */
	read_string(TRACER LINE(
		"1.000000",
		"dma_fence_init: driver=drm_sched timeline=gfx context=21 "
		"seqno=2") LINE("1.000000",
				"drm_sched_job_queue: dev=x, fence=21:2, ring=gfx, job count:1, "
				"hw job count:0, client_id:5")
			    LINE("2.000000",
				 "drm_sched_job_run: dev=x, fence=21:2, ring=gfx, job count:0, "
				 "hw job count:1, client_id:5")
				    LINE("3.000000", "drm_sched_job_done: fence=21:2 signaled"));
	EXPECT(SEEN, "1000000000 1 7/5 names 21 'drm_sched' 'gfx'",
	       "1000000000 1 7/5 fence 1 21:2 irq=1", "2000000000 1 7/5 fence 8 21:2 irq=1");
	read_string(
		TRACER LINE("1.000000",
			    "drm_sched_job: entity=000000001a2b3c4d, id=1, "
			    "fence=00000000deadbeef, ring=gfx, job count:1, hw job count:0")
			LINE("1.100000", "drm_sched_job_wait_dep: job ring=sdma0, id=9, depends "
					 "fence=00000000deadbeef, context=21, seq=2")
				LINE("2.000000",
				     "drm_run_job: entity=000000001a2b3c4d, id=1, "
				     "fence=00000000deadbeef, ring=gfx, job count:1, hw job "
				     "count:0") LINE("3.000000", "drm_sched_process_job: "
								 "fence=00000000deadbeef signaled")
					LINE("4.000000", "drm_sched_process_job: "
							 "fence=00000000deadbeef signaled"));
	EXPECT("2000000000 1 7/5 seen gears 0", "2000000000 1 7/5 names 21 '' 'gfx'",
	       "2000000000 1 7/5 fence 8 21:2 irq=1", "3000000000 1 7/5 fence 4 21:2 irq=1");
	CU_ASSERT_EQUAL(r.stats.malformed, 0);
}

/* A wait for a fence that has no numbers. Nothing says what the thread did before its end. */
static void sync_waits(void)
{
	/* clang-format off */
	read_string(TRACER
		LINE("1.000000", "sync_wait: begin name=SurfaceView:6 state=1")
		LINE("1.500000", "sync_timeline: name=s3c-fb value=7094")
		LINE("2.000000", "sync_wait: end name=SurfaceView:6 state=1"));
	/* clang-format on */
	EXPECT(SEEN, "1000000000 1 0/0 kind 12",
	       "2000000000 1 7/5 off 1 0x28 out=0,0 wake=0,-1,0 peer=0/0, state=0",
	       "2000000000 1 7/5 kind 1");
}

static void losses(void)
{
	read_string(TRACER LINE("1.000000", FENCE) "CPU:2 [LOST 48 EVENTS]\n"
						   "CPU:3 [LOST EVENTS]\n"
						   "[LOST 7 EVENTS]\n"
						   "##### CPU 4 buffer started ####\n"
						   "CPU 5 is empty\n"
						   "# a comment\n\n");
	EXPECT(SEEN, "1000000000 1 7/5 fence 4 1:2 irq=1", "1000000000 2 0/0 lost 48",
	       "1000000000 3 0/0 lost 0", "1000000000 4 0/0 lost 0", "1000000000 -1 0/0 lost 7");
	CU_ASSERT_EQUAL(r.stats.lost, 55);
	CU_ASSERT_EQUAL(r.stats.lost_unknown, 2);
	CU_ASSERT_EQUAL(r.stats.malformed, 0);
}

/* What is no event is counted, and so is one whose text is broken; a half line at the end is cut.
 */
static void broken(void)
{
	/* clang-format off */
	static const char lines[] = TRACER
		"no event\n"
		LINE("1.000000", FENCE)
		"           gears-7     [001] d..2 99.000000000000: x: y\n"
		LINE("2.000000", "sched_switch: nonsense")
		LINE("2.000000", "sched_waking: comm=x")
		LINE("2.000000", "unknown_event: x")
		LINE("2.000000", "sched_stat_runtime: comm=gears pid=7");
	static const char half[] = TRACER
		LINE("1.000000", FENCE)
		"           gears-7     (    5) [001] d..2 2.000000: dma_fence_signaled: driver= "
		"timeline= context=1 seqno=2";
	/* clang-format on */

	read_string(lines);
	EXPECT(SEEN, "1000000000 1 7/5 fence 4 1:2 irq=1");
	CU_ASSERT_EQUAL(r.stats.malformed, 4);
	CU_ASSERT_FALSE(r.stats.cut);

	read_string(half);
	EXPECT(SEEN, "1000000000 1 7/5 fence 4 1:2 irq=1");
	CU_ASSERT_TRUE(r.stats.cut);
}

int main(void)
{
	static const struct check_case cases[] = {
		{ "heads", heads },           { "comms", comms },
		{ "states", states },         { "keys_in_names", keys_in_names },
		{ "wakings", wakings },       { "both_wakings", both_wakings },
		{ "lives", lives },           { "marks", marks },
		{ "fences", fences },         { "gpu_scheduler", gpu_scheduler },
		{ "sync_waits", sync_waits }, { "losses", losses },
		{ "broken", broken },         { NULL, NULL },
	};

	return check_main("ftrace_text", cases);
}
