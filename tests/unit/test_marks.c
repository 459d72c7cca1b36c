/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Calls and frames from marks written by hand, in the ways of several releases of Android. */
#include "marks_app.h"

static void release(const struct style *s)
{
	struct traced t;
	struct app a;

	start(&t, &a, s);
	frame(&a, 10000, 7);
	frame(&a, 20000, 8);
	frame(&a, 30000, 9);
	traced_end(&t);
	CU_ASSERT_EQUAL_FATAL(t.world.nr, 3);
	for (unsigned i = 0; i < 3; i++)
		check_frame(&t, i, 10000 * (i + 1), 7 + i, s);
	CU_ASSERT_EQUAL(t.nr_lost_ends, 0);
	CU_ASSERT_EQUAL(t.counts.unmatched_ends, 0);
	CU_ASSERT_EQUAL(t.nr_infos, 3);
	CU_ASSERT_EQUAL(t.nr_points, s->post ? 7 : 6);
	/* doFrame, [postAndWait,] DrawFrame, syncFrameState, two dequeues, queue and swap */
	CU_ASSERT_EQUAL(t.counts.frame_marks, 3 * (s->post ? 8 : 7));
	traced_close(&t);
}

static void release_8(void)
{
	release(&android_8);
}

static void release_11(void)
{
	release(&android_11);
}

static void release_12(void)
{
	release(&android_12);
}

static void release_13(void)
{
	release(&android_13);
}

static void release_15(void)
{
	release(&android_15);
}

/* Each call with its nesting, number and surface. */
static void spans(void)
{
	static const struct {
		uint64_t exit, entry;
		const char *symbol;
		uint32_t seq, depth;
	} want[] = {
		{ 11290, 11210, "dequeueBuffer", 1, 3 },
		{ 11300, 11200, "dequeueBuffer", 2, 2 },
		{ 11400, 11100, "syncFrameState", 3, 1 },
		{ 11500, 10900, "postAndWait", 1, 1 },
		{ 11800, 10000, "Choreographer#doFrame", 2, 0 },
		{ 12200, 12100, "queueBuffer", 4, 2 },
		{ 12300, 12000, "eglSwapBuffers", 5, 1 },
		{ 12400, 11000, "DrawFrame", 6, 0 },
	};
	struct traced t;
	struct app a;

	start(&t, &a, &android_15);
	frame(&a, 10000, 7);
	traced_end(&t);
	CU_ASSERT_EQUAL_FATAL(t.nr_spans, 8);
	for (unsigned i = 0; i < 8; i++) {
		const struct fs_span *s = &t.spans[i].rec;

		CU_ASSERT_EQUAL(s->h.time_ns, want[i].exit);
		CU_ASSERT_EQUAL(s->entry_ns, want[i].entry);
		CU_ASSERT_STRING_EQUAL(t.spans[i].symbol, want[i].symbol);
		CU_ASSERT_EQUAL(s->seq, want[i].seq);
		CU_ASSERT_EQUAL(s->depth, want[i].depth);
		CU_ASSERT_EQUAL(s->h.tgid, UI);
	}
	/* One window: dequeue and queue by its first argument, swap by its second. */
	CU_ASSERT_NOT_EQUAL(t.spans[1].rec.args[0], 0);
	CU_ASSERT_NOT_EQUAL(t.spans[1].rec.args[0], RT);
	CU_ASSERT_EQUAL(t.spans[0].rec.args[0], t.spans[1].rec.args[0]);
	CU_ASSERT_EQUAL(t.spans[5].rec.args[0], t.spans[1].rec.args[0]);
	CU_ASSERT_EQUAL(t.spans[6].rec.args[1], t.spans[1].rec.args[0]);
	CU_ASSERT_EQUAL(t.info.h.time_ns, 11000);
	CU_ASSERT_EQUAL(t.info.sync_queued_ns, 10900);
	traced_close(&t);
}

/* An input slice is only there if there was input. */
static void no_input(void)
{
	const struct frame *f;
	struct traced t;
	struct app a;

	start(&t, &a, &android_15);
	begin(&a, 10000, UI, "Choreographer#doFrame 7");
	slice(&a, 10300, 10400, UI, "animation");
	begin(&a, 10500, UI, "traversal");
	begin(&a, 10600, UI, "draw");
	/* one of the app's own: of no meaning */
	slice(&a, 10650, 10660, UI, "input");
	slice(&a, 10670, 10680, UI, "draw");
	begin(&a, 10900, UI, "postAndWait");
	sync_part(&a, 10000, 7);
	ui_rest(&a, 10000);
	draw_part(&a, 10000);
	traced_end(&t);
	CU_ASSERT_EQUAL_FATAL(t.world.nr, 1);
	f = frame_at(&t.world, 0);
	CU_ASSERT_FALSE(slot_known(&f->hwui.slots, SLOT_HANDLE_INPUT_START));
	CU_ASSERT_EQUAL(f->hwui.slots.ns[SLOT_DRAW_START], 10600);
	CU_ASSERT_FALSE(f->hwui.stages_known & STAGE(INPUT_HANDLING));
	stage_is(f, STAGE_ANIMATION, 200);
	stage_is(f, STAGE_DRAW, 300);
	traced_close(&t);
}

/* A late frame is given to another vsync: that is the one which the RenderThread names. */
static void is_resynced(void)
{
	const struct frame *f;
	struct traced t;
	struct app a;

	start(&t, &a, &android_15);
	begin(&a, 10000, UI, "Choreographer#doFrame 7");
	begin(&a, 10050, UI, "Choreographer#doFrame - resynced to 9 in 4.2ms");
	slice(&a, 10100, 10200, UI, "input");
	begin(&a, 10500, UI, "traversal");
	begin(&a, 10600, UI, "draw");
	begin(&a, 10900, UI, "postAndWait");
	sync_part(&a, 10000, 9);
	ui_rest(&a, 10000);
	end(&a, 11900, UI);
	draw_part(&a, 10000);
	traced_end(&t);
	CU_ASSERT_EQUAL_FATAL(t.world.nr, 1);
	f = frame_at(&t.world, 0);
	CU_ASSERT_EQUAL(f->hwui.vsync_id, 9);
	CU_ASSERT_EQUAL(f->start_ns, 10000);
	CU_ASSERT_EQUAL(f->hwui.slots.ns[SLOT_HANDLE_INPUT_START], 10100);
	CU_ASSERT_EQUAL(f->hwui.slots.ns[SLOT_PERFORM_TRAVERSALS_START], 10500);
	traced_close(&t);
}

/* The ids of two threads of a process tell whose frame is drawn; without a match it is nobody's. */
static void by_id(void)
{
	struct traced t;
	struct app a;

	start(&t, &a, &android_13);
	begin(&a, 9000, 105, "Choreographer#doFrame 6");
	begin(&a, 9100, 105, "traversal");
	begin(&a, 9200, 105, "draw");
	ui_part(&a, 10000, 7);
	sync_part(&a, 10000, 7);
	ui_rest(&a, 10000);
	draw_part(&a, 10000);
	ui_part(&a, 20000, 8);
	sync_part(&a, 20000, 5);
	ui_rest(&a, 20000);
	draw_part(&a, 20000);
	traced_end(&t);
	CU_ASSERT_EQUAL(t.nr_infos, 1);
	CU_ASSERT_EQUAL(t.info.slots[FS_MARKS_UI_TID], UI);
	CU_ASSERT_EQUAL_FATAL(t.world.nr, 2);
	CU_ASSERT_EQUAL(t.world.frames[0].start_ns, 10000);
	/* A plain one: from the end of the one before. */
	CU_ASSERT_EQUAL(t.world.frames[1].hwui.kind, FRAME_PLAIN);
	CU_ASSERT_EQUAL(t.world.frames[1].start_ns, 12300);
	traced_close(&t);
}

/* Two windows are drawn in one doFrame; their surfaces have names. */
static void two_windows(void)
{
	struct traced t;
	struct app a, b;
	const uint64_t v = 10000;

	start(&t, &a, &android_15);
	b = a;
	b.window = "Dialog#1(BLAST Consumer)1";
	for (unsigned n = 0; n < 2; n++) {
		uint64_t at = v * (n + 1);

		ui_part(&a, at, 7 + n);
		sync_part(&a, at, 7 + n);
		end(&a, at + 1500, UI);
		end(&a, at + 1600, UI);
		draw_part(&a, at);
		begin(&a, at + 2500, UI, "draw-Dialog");
		begin(&a, at + 2600, UI, "postAndWait");
		sync_part(&b, at + 2000, 7 + n);
		end(&a, at + 3500, UI);
		end(&a, at + 3600, UI);
		end(&a, at + 3700, UI);
		end(&a, at + 3800, UI);
		draw_part(&b, at + 2000);
	}
	traced_end(&t);
	CU_ASSERT_EQUAL_FATAL(t.world.nr, 4);
	for (unsigned n = 0; n < 2; n++) {
		const struct frame *one = frame_at(&t.world, 2 * n);
		const struct frame *two = frame_at(&t.world, 2 * n + 1);
		uint64_t at = v * (n + 1);

		CU_ASSERT_PTR_NOT_EQUAL(one->producer, two->producer);
		CU_ASSERT_NOT_EQUAL(one->producer->surface, two->producer->surface);
		CU_ASSERT_EQUAL(one->number, n + 1);
		CU_ASSERT_EQUAL(two->number, n + 1);
		CU_ASSERT_EQUAL(one->start_ns, at);
		CU_ASSERT_EQUAL(one->render_start_ns, at + 900);
		CU_ASSERT_EQUAL(one->end_ns, at + 2300);
		CU_ASSERT_EQUAL(two->start_ns, at);
		CU_ASSERT_EQUAL(two->render_start_ns, at + 2600);
		CU_ASSERT_EQUAL(two->hwui.slots.ns[SLOT_DRAW_START], (int64_t)at + 2500);
		CU_ASSERT_EQUAL(two->hwui.ui_end_ns, at + 3500);
		CU_ASSERT_EQUAL(two->end_ns, at + 4300);
	}
	traced_close(&t);
}

/* What two processes do at the same time is kept apart. */
static void two_processes(void)
{
	static const struct style *const styles[] = { &android_11, &android_13 };

	for (unsigned i = 0; i < 2; i++) {
		struct traced t;
		struct app a, b;

		start(&t, &a, styles[i]);
		b = a;
		b.ui = 200;
		b.rt = 210;
		slice(&b, 1004, 1005, 200, "x");
		slice(&b, 1006, 1007, 210, "x");
		ui_part(&a, 10000, 7);
		ui_part(&b, 10900, 7);
		sync_part(&b, 10900, 7);
		sync_part(&a, 11800, 7);
		ui_rest(&b, 11800);
		ui_rest(&a, 12000);
		draw_part(&a, 12000);
		draw_part(&b, 13000);
		traced_end(&t);
		CU_ASSERT_EQUAL_FATAL(t.world.nr, 2);

		const struct frame *fa = frame_at(&t.world, 0), *fb = frame_at(&t.world, 1);

		CU_ASSERT_EQUAL(fa->producer->pid, UI);
		CU_ASSERT_EQUAL(fa->start_ns, 10000);
		CU_ASSERT_EQUAL(fa->end_ns, 14300);
		CU_ASSERT_EQUAL(fa->hwui.ui_tid, UI);
		CU_ASSERT_EQUAL(fb->producer->pid, 200);
		CU_ASSERT_EQUAL(fb->start_ns, 10900);
		CU_ASSERT_EQUAL(fb->end_ns, 15300);
		CU_ASSERT_EQUAL(fb->hwui.ui_tid, 200);
		CU_ASSERT_EQUAL(t.nr_lost_ends, 0);
		traced_close(&t);
	}
}

/* Without HWUI, or anything but the buffers. */
static void plain(void)
{
	static const struct {
		const char *outer, *inner;
	} ways[] = {
		{ "eglSwapBuffers", "queueBuffer" },
		{ "eglSwapBuffers", "eglSwapBuffersWithDamageKHR" },
		{ "vkQueuePresentKHR", "queueBuffer" },
		{ "queueBuffer", "queueBuffer" },
		{ "queueBuffer", "other" },
	};

	for (unsigned i = 0; i < sizeof(ways) / sizeof(*ways); i++) {
		struct traced t;
		struct app a;

		start(&t, &a, &android_13);
		for (uint64_t v = 10000; v < 40000; v += 10000) {
			begin(&a, v, RT, ways[i].outer);
			slice(&a, v + 10, v + 20, RT, ways[i].inner);
			end(&a, v + 30, RT);
		}
		traced_end(&t);
		CU_ASSERT_FATAL(t.world.nr >= 3);
		CU_ASSERT_EQUAL(t.world.frames[0].status, FRAME_TRUNCATED);
		for (unsigned n = 0; n < 3; n++)
			CU_ASSERT_EQUAL(frame_at(&t.world, n)->end_ns, 10030 + 10000 * n);
		for (unsigned n = 1; n < 3; n++) {
			CU_ASSERT_EQUAL(t.world.frames[n].status, FRAME_COMPLETE);
			CU_ASSERT_EQUAL(t.world.frames[n].start_ns, 30 + 10000 * n);
			CU_ASSERT_EQUAL(t.world.frames[n].hwui.kind, FRAME_PLAIN);
		}
		traced_close(&t);
	}
}

/* The buffers that a thread moves for others are theirs. */
static void binder_threads(void)
{
	struct traced t;
	const struct intake_at at = { .ns = 5000, .tid = 77, .comm = "Binder:70_2" };

	traced_open(&t);
	CU_ASSERT_EQUAL(intake_thread(t.in, 1000, 77, 70, "Binder:70_2"), 0);
	CU_ASSERT_EQUAL(intake_mark(t.in, &at, "B|70|queueBuffer", 16), 0);
	CU_ASSERT_EQUAL(intake_mark(t.in, &at, "E|70", 4), 0);
	traced_end(&t);
	CU_ASSERT_EQUAL(t.nr_spans, 0);
	CU_ASSERT_EQUAL(t.counts.frame_marks, 0);
	CU_ASSERT_EQUAL(t.counts.unmatched_ends, 0);
	traced_close(&t);
}

/* A frame that is begun and not drawn, and why. */
static void skipped(void)
{
	struct traced t;
	struct app a;
	const struct frame *f;

	start(&t, &a, &android_15);
	frame(&a, 10000, 7);
	ui_part(&a, 20000, 8);
	begin(&a, 21000, RT, "DrawFrames 8");
	slice(&a, 21100, 21400, RT, "syncFrameState");
	traced_mark(&t, 21410, RT, "I|100|Frame skipped: NothingToDraw");
	traced_mark(&t, 21420, RT, "I|100|something else");
	end(&a, 21430, RT);
	ui_rest(&a, 20000);
	frame(&a, 30000, 9);
	traced_end(&t);
	CU_ASSERT_EQUAL(t.nr_markers, 1);
	CU_ASSERT_EQUAL_FATAL(t.world.nr, 3);
	f = frame_at(&t.world, 1);
	CU_ASSERT_EQUAL(f->hwui.kind, FRAME_SKIPPED);
	CU_ASSERT_STRING_EQUAL(f->hwui.skip_reason, "NothingToDraw");
	CU_ASSERT_EQUAL(f->start_ns, 20000);
	CU_ASSERT_EQUAL(f->end_ns, 21430);
	CU_ASSERT_PTR_EQUAL(f->producer, t.world.frames[0].producer);
	check_frame(&t, 2, 30000, 9, &android_15);
	traced_close(&t);
}

/* A mark says whose thread it is, where that is not known better. */
static void processes(void)
{
	const struct intake_at known = { .ns = 2000, .tid = 50, .tgid = 40 };
	struct traced t;

	traced_open(&t);
	CU_ASSERT_EQUAL(intake_thread(t.in, 1000, 61, 60, "other"), 0);
	/* by its mark */
	traced_mark(&t, 2000, RT, "B|100|eglSwapBuffers");
	traced_mark(&t, 2001, RT, "E|100");
	/* known otherwise: a number of another namespace */
	CU_ASSERT_EQUAL(intake_mark(t.in, &known, "B|5|eglSwapBuffers", 18), 0);
	CU_ASSERT_EQUAL(intake_mark(t.in, &known, "E|5", 3), 0);
	/* a thread of another process, and so no process */
	traced_mark(&t, 2000, 70, "B|61|eglSwapBuffers");
	traced_mark(&t, 2003, 70, "E|61");
	/* an end says nothing */
	traced_mark(&t, 2000, 80, "E|100");
	traced_mark(&t, 2000, 80, "B|81|eglSwapBuffers");
	traced_mark(&t, 2004, 80, "E|100");
	traced_end(&t);
	CU_ASSERT_EQUAL_FATAL(t.nr_spans, 4);
	for (unsigned i = 0; i < t.nr_spans; i++) {
		const struct fs_header *h = &t.spans[i].rec.h;

		CU_ASSERT_EQUAL(h->tgid, h->tid == RT   ? 100
					 : h->tid == 50 ? 40
					 : h->tid == 80 ? 81
							: 0);
	}
	traced_close(&t);
}

/* Where switches are in the trace, the threads' time is known. */
static void with_switches(void)
{
	struct traced t;
	struct app a;
	const struct frame *f;

	traced_open(&t);
	a = (struct app){ .t = &t, .style = &android_12, .ui = UI, .rt = RT };
	traced_switch(&t, 1000, 0, 0, 0, UI);
	traced_switch(&t, 1000, 1, 0, 0, RT);
	traced_switch(&t, 1100, 1, RT, 1, 0);
	ui_part(&a, 10000, 7);
	traced_switch(&t, 10950, 0, UI, 1, 0);
	traced_switch(&t, 10980, 1, 0, 0, RT);
	sync_part(&a, 10000, 7);
	traced_switch(&t, 11450, 0, 0, 0, UI);
	ui_rest(&a, 10000);
	traced_switch(&t, 11900, 1, RT, 2, 0);
	traced_switch(&t, 11940, 1, 0, 0, RT);
	draw_part(&a, 10000);
	traced_switch(&t, 12500, 1, RT, 1, 0);
	traced_switch(&t, 12600, 0, UI, 1, 0);
	traced_end(&t);
	CU_ASSERT_FATAL(t.world.nr >= 1);
	f = frame_at(&t.world, 0);
	CU_ASSERT_EQUAL(f->status, FRAME_COMPLETE);
	CU_ASSERT_EQUAL(f->start_ns, 10000);
	CU_ASSERT_EQUAL(f->render_start_ns, 11100);
	/* The UI thread ran for 950 of its 1100, and waited for what no event names. */
	CU_ASSERT_EQUAL(f->hwui.ui.ns[BUDGET_RUNNING], 950);
	CU_ASSERT_EQUAL(f->hwui.ui.ns[BUDGET_UNKNOWN], 150);
	/* The RenderThread waited for 40 of its 1200. */
	CU_ASSERT_EQUAL(f->render.ns[BUDGET_RUNNING], 1160);
	CU_ASSERT_EQUAL(f->render.ns[BUDGET_IO], 40);
	CU_ASSERT_EQUAL(f->hwui.way.ns[BUDGET_RUNNING], 950 + 1160);
	traced_close(&t);
}

int main(void)
{
	static const struct check_case cases[] = {
		{ "release_8", release_8 },
		{ "release_11", release_11 },
		{ "release_12", release_12 },
		{ "release_13", release_13 },
		{ "release_15", release_15 },
		{ "spans", spans },
		{ "no_input", no_input },
		{ "is_resynced", is_resynced },
		{ "by_id", by_id },
		{ "two_windows", two_windows },
		{ "two_processes", two_processes },
		{ "plain", plain },
		{ "binder_threads", binder_threads },
		{ "skipped", skipped },
		{ "processes", processes },
		{ "with_switches", with_switches },
		{ NULL, NULL },
	};

	return check_main("marks", cases);
}
