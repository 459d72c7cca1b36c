/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Frames of HWUI from streams made by hand: what belongs together is found, whatever the order in
 * which it comes, and each stage has the time that its thread lost there.
 */
#include "hwui_app.h"
#include "model/metrics.h"

static uint64_t stage_sum(const struct frame *f, enum stage stage)
{
	CU_ASSERT_TRUE(f->hwui.stages_known & 1u << stage);
	return budget_total(&f->hwui.stages[stage]);
}

static int64_t metric(const struct frame *f, enum metric id)
{
	int64_t value = -1;

	CU_ASSERT_TRUE(frame_metric(&f->hwui.slots, id, &value));
	return value;
}

static void check_edges(const struct frame *f, enum stage stage, uint64_t from_ns, uint64_t to_ns)
{
	const struct stage_edges *edges = &f->hwui.stage_edges[stage];

	CU_ASSERT_EQUAL(edges->from_ns, from_ns);
	CU_ASSERT_EQUAL(edges->to_ns, to_ns);
}
/* The frame's own beginning, kind and numbers, and its stages one after the other. */
static void whole(void)
{
	const struct script s = { .vsync = 100000, .id = 7, .number = 3, .moved_deadline = 32000 };
	struct world w;

	begin(&w);
	frame(&w, &s);
	end(&w, 200000);
	CU_ASSERT_EQUAL_FATAL(w.nr, 2);

	const struct frame *f = &w.frames[0];
	const struct hwui_frame *hf = &f->hwui;

	CU_ASSERT_EQUAL(f->status, FRAME_COMPLETE);
	CU_ASSERT_EQUAL(f->start_ns, 100000);
	CU_ASSERT_EQUAL(f->end_ns, 109900);
	CU_ASSERT_EQUAL(f->render_start_ns, 105000);
	CU_ASSERT_EQUAL(hf->kind, FRAME_NORMAL);
	CU_ASSERT_EQUAL(hf->ui_tid, UI);
	CU_ASSERT_EQUAL(hf->vsync_id, 7);
	CU_ASSERT_EQUAL(hf->frame_number, 3);
	CU_ASSERT_EQUAL(hf->jank_tracker, TRACKER);
	CU_ASSERT_EQUAL(hf->slots.ns[SLOT_FRAME_DEADLINE], 116000);
	CU_ASSERT_EQUAL(hf->deadline_after_ns, 132000);
	CU_ASSERT_EQUAL(hf->ui_end_ns, 107800);
	CU_ASSERT_EQUAL(budget_total(&hf->ui), 7800);
	CU_ASSERT_EQUAL(hf->sync_dequeue_ns, 1000);
	CU_ASSERT_EQUAL(metric(f, METRIC_SYNC), 2000);
	CU_ASSERT_EQUAL(metric(f, METRIC_TOTAL), 15000);
	for (unsigned i = STAGE_UNKNOWN_DELAY; i <= STAGE_RENDER_QUEUE; i++)
		CU_ASSERT_EQUAL(stage_sum(f, (enum stage)i), 1000);
	CU_ASSERT_EQUAL(stage_sum(f, STAGE_SYNC_PREPARE), 1000);
	CU_ASSERT_EQUAL(stage_sum(f, STAGE_SYNC_DEQUEUE), 1000);
	CU_ASSERT_EQUAL(stage_sum(f, STAGE_COMMAND_ISSUE), 1000);
	CU_ASSERT_EQUAL(stage_sum(f, STAGE_SWAP_BUFFERS), 1000);
	CU_ASSERT_EQUAL(stage_sum(f, STAGE_GPU), 5000);
	for (unsigned i = STAGE_UNKNOWN_DELAY; i <= STAGE_RENDER_QUEUE; i++)
		check_edges(f, (enum stage)i, 100000 + 1000 * i, 101000 + 1000 * i);
	check_edges(f, STAGE_SYNC_PREPARE, 106000, 108000);
	check_edges(f, STAGE_SYNC_DEQUEUE, 106500, 107500);
	check_edges(f, STAGE_COMMAND_ISSUE, 108000, 109000);
	check_edges(f, STAGE_SWAP_BUFFERS, 109000, 110000);
	check_edges(f, STAGE_GPU, 110000, 115000);
	CU_ASSERT_EQUAL(hf->top_stage, STAGE_GPU);
	CU_ASSERT_EQUAL(hf->top_cause, BUDGET_GPU);
	/* Behind the last buffer there is but the cut rest. */
	CU_ASSERT_EQUAL(w.frames[1].status, FRAME_TRUNCATED);
	CU_ASSERT_EQUAL(w.frames[1].hwui.kind, FRAME_PLAIN);
	world_close(&w);
}

/* What a thread lost within a stage is that stage's, up to the stage's edge. */
static void causes(void)
{
	const struct script lock = {
		.vsync = 100000, .id = 7, .number = 3, .lock_from = 2600, .lock_to = 3900
	};
	const struct script slot = {
		.vsync = 200000, .id = 8, .number = 4, .slot_from = 6600, .slot_to = 7400
	};
	struct world w;

	begin(&w);
	frame(&w, &lock);
	frame(&w, &slot);
	end(&w, 300000);
	CU_ASSERT_EQUAL_FATAL(w.nr, 3);

	const struct hwui_frame *hf = &w.frames[0].hwui;

	CU_ASSERT_EQUAL(hf->stages[STAGE_ANIMATION].ns[BUDGET_LOCK], 400);
	CU_ASSERT_EQUAL(hf->stages[STAGE_LAYOUT_MEASURE].ns[BUDGET_LOCK], 890);
	CU_ASSERT_EQUAL(hf->stages[STAGE_LAYOUT_MEASURE].ns[BUDGET_RUNNABLE], 10);
	CU_ASSERT_EQUAL(hf->stages[STAGE_LAYOUT_MEASURE].ns[BUDGET_RUNNING], 100);
	CU_ASSERT_EQUAL(hf->ui.ns[BUDGET_LOCK], 1290);
	CU_ASSERT_EQUAL(w.frames[0].render.ns[BUDGET_LOCK], 0);
	CU_ASSERT_EQUAL(w.frames[0].blockers[0].cause, BUDGET_LOCK);
	CU_ASSERT_EQUAL(w.frames[0].blockers[0].ns, 1290);

	hf = &w.frames[1].hwui;
	CU_ASSERT_EQUAL(hf->stages[STAGE_SYNC_DEQUEUE].ns[BUDGET_SLOT], 790);
	CU_ASSERT_EQUAL(budget_total(&hf->stages[STAGE_SYNC_PREPARE]),
			hf->stages[STAGE_SYNC_PREPARE].ns[BUDGET_RUNNING]);
	CU_ASSERT_EQUAL(w.frames[1].render.ns[BUDGET_SLOT], 790);
	world_close(&w);
}

/* The next frame is drawn before the first is finished, on another thread. */
static void overlapping(void)
{
	struct script s[3] = { { .vsync = 100000, .id = 7, .number = 1 },
			       { .vsync = 111000, .id = 8, .number = 2 },
			       { .vsync = 122000, .id = 9, .number = 3 } };
	struct world w;

	begin(&w);
	draw(&w, &s[0]);
	info(&w, &s[0], FS_INFO_WHOLE, 115100, 116000);
	draw(&w, &s[1]);
	draw(&w, &s[2]);
	info(&w, &s[0], FS_INFO_AFTER, 137000, 116000);
	info(&w, &s[1], FS_INFO_WHOLE, 137100, 127000);
	info(&w, &s[1], FS_INFO_AFTER, 137200, 127000);
	info(&w, &s[2], FS_INFO_WHOLE, 137300, 138000);
	info(&w, &s[2], FS_INFO_AFTER, 137400, 138000);
	end(&w, 200000);
	CU_ASSERT_EQUAL_FATAL(w.nr, 4);
	for (unsigned i = 0; i < 3; i++) {
		CU_ASSERT_EQUAL(w.frames[i].hwui.vsync_id, 7 + (int64_t)i);
		CU_ASSERT_EQUAL(w.frames[i].start_ns, s[i].vsync);
		CU_ASSERT_EQUAL(w.frames[i].status, FRAME_COMPLETE);
		CU_ASSERT_TRUE(w.frames[i].hwui.whole);
	}
	world_close(&w);
}

static void kinds(void)
{
	const struct script s[] = {
		{ .vsync = 100000, .id = 7, .number = 1, .flags = FRAME_FLAG_FIRST_DRAW },
		{ .vsync = 200000, .id = 8, .no_queue = true, .no_finish = true },
		{ .vsync = 300000,
		  .id = 9,
		  .number = 2,
		  .flags = FRAME_FLAG_RT_ANIMATION,
		  .no_ui = true },
		{ .vsync = 400000, .id = 10, .number = 3, .flags = FRAME_FLAG_SURFACE_CANVAS },
	};
	static const enum frame_kind kinds[] = { FRAME_FIRST, FRAME_SKIPPED, FRAME_RT_ANIMATION,
						 FRAME_SURFACE_CANVAS };
	struct world w;

	begin(&w);
	for (unsigned i = 0; i < 4; i++)
		frame(&w, &s[i]);
	end(&w, 500000);
	CU_ASSERT_EQUAL_FATAL(w.nr, 5);
	for (unsigned i = 0; i < 4; i++) {
		CU_ASSERT_EQUAL(w.frames[i].hwui.kind, kinds[i]);
		CU_ASSERT_EQUAL(w.frames[i].status, FRAME_COMPLETE);
		CU_ASSERT_EQUAL(w.frames[i].number, i + 1);
		CU_ASSERT_EQUAL(w.frames[i].producer->surface, WINDOW);
	}
	CU_ASSERT_EQUAL(w.frames[1].end_ns, 211000);
	/* Nobody else has a part in it, and the RenderThread began late by itself. */
	CU_ASSERT_EQUAL(w.frames[2].hwui.ui_end_ns, 0);
	CU_ASSERT_EQUAL(w.frames[2].render_start_ns, 300000);
	CU_ASSERT_EQUAL(stage_sum(&w.frames[2], STAGE_RENDER_QUEUE), 6000);
	CU_ASSERT_FALSE(w.frames[2].hwui.stages_known & 1u << STAGE_DRAW);
	world_close(&w);
}

/* Skipped before the surface was ever seen: the same window's later. */
static void skipped_first(void)
{
	const struct script s[] = {
		{ .vsync = 100000, .id = 7, .no_queue = true, .no_finish = true },
		{ .vsync = 200000, .id = 8, .number = 1 },
	};
	struct world w;

	begin(&w);
	frame(&w, &s[0]);
	FEED(&w, MARKER, fs_marker, .h.time_ns = 190000, .h.tid = RT, .phase = 'I',
	     .text = "Frame skipped: too late to count");
	frame(&w, &s[1]);
	end(&w, 300000);
	CU_ASSERT_EQUAL_FATAL(w.nr, 3);
	CU_ASSERT_EQUAL(w.frames[0].hwui.kind, FRAME_SKIPPED);
	CU_ASSERT_STRING_EQUAL(w.frames[0].hwui.skip_reason, "");
	CU_ASSERT_PTR_EQUAL(w.frames[0].producer, w.frames[1].producer);
	CU_ASSERT_EQUAL(w.frames[1].producer->surface, WINDOW);
	world_close(&w);
}

static void skip_reason(void)
{
	const struct script s = { .vsync = 100000, .id = 7, .no_queue = true };
	struct world w;

	begin(&w);
	info(&w, &s, FS_INFO_UI, 105900, 116000);
	FEED(&w, MARKER, fs_marker, .h.time_ns = 106000, .h.tid = RT, .phase = 'I',
	     .text = "Frame skipped: NothingToDraw");
	call(&w, RT, FS_ROLE_RENDER_FRAME, 105700, 111000, 0, 0, 0, 0);
	end(&w, 200000);
	CU_ASSERT_TRUE_FATAL(w.nr > 0);
	CU_ASSERT_EQUAL(w.frames[0].hwui.kind, FRAME_SKIPPED);
	CU_ASSERT_STRING_EQUAL(w.frames[0].hwui.skip_reason, "NothingToDraw");
	world_close(&w);
}

/* A call of the RenderThread was lost in it: it may have been the queueing. */
static void not_skipped(void)
{
	const struct script s = { .vsync = 100000, .id = 7, .no_queue = true };
	struct world w;

	begin(&w);
	info(&w, &s, FS_INFO_UI, 105900, 116000);
	call(&w, RT, FS_ROLE_SYNC_STATE, 105800, 107700, 1, 0, 0, 0);
	seq.span[1]++;
	call(&w, RT, FS_ROLE_RENDER_FRAME, 105700, 111000, 0, 0, 0, 0);
	end(&w, 200000);
	for (size_t i = 0; i < w.nr; i++)
		CU_ASSERT_NOT_EQUAL(w.frames[i].hwui.kind, FRAME_SKIPPED);
	world_close(&w);
}

/* No function that queues a buffer is probed: of no frame it is seen that nothing was drawn. */
static void queueing_unseen(void)
{
	const struct script s = { .vsync = 100000, .id = 7, .no_queue = true };
	struct world w;

	begin(&w);
	model_free(w.model);
	w.model = model_new(&(struct model_sink){ .frame = world_frame, .ctx = &w });
	CLOCK(&w, START, 1000);
	FEED(&w, POINT, fs_point, .id = FS_ROLE_RENDER_FRAME, .role = FS_ROLE_RENDER_FRAME);
	info(&w, &s, FS_INFO_UI, 105900, 116000);
	call(&w, RT, FS_ROLE_RENDER_FRAME, 105700, 111000, 0, 0, 0, 0);
	end(&w, 200000);
	CU_ASSERT_EQUAL(w.nr, 0);
	world_close(&w);
}

/* Two windows take turns, and are finished late. */
static void two_windows(void)
{
	struct script s[4];
	struct world w;

	begin(&w);
	for (unsigned i = 0; i < 4; i++) {
		s[i] = (struct script){
			.vsync = 100000 + 20000 * i,
			.id = 7 + i / 2,
			.number = 1 + i / 2,
			.window = WINDOW + i % 2,
			.tracker = TRACKER + i % 2,
			.context = CONTEXT + i % 2,
		};
		frame(&w, &s[i]);
	}
	end(&w, 300000);
	CU_ASSERT_EQUAL_FATAL(w.nr, 6);
	for (unsigned i = 0; i < 4; i++) {
		CU_ASSERT_EQUAL(w.frames[i].hwui.jank_tracker, s[i].tracker);
		CU_ASSERT_EQUAL(w.frames[i].producer->surface, s[i].window);
		CU_ASSERT_EQUAL(w.frames[i].start_ns, s[i].vsync);
	}
	world_close(&w);
}

/* A window's surface was exchanged: what is skipped then is the new one's. */
static void new_surface(void)
{
	const struct script s[] = {
		{ .vsync = 100000, .id = 7, .number = 1 },
		{ .vsync = 120000, .id = 8, .number = 1, .window = WINDOW + 1 },
		{ .vsync = 140000, .id = 9, .no_queue = true, .no_finish = true },
	};
	struct world w;

	begin(&w);
	for (unsigned i = 0; i < 3; i++)
		frame(&w, &s[i]);
	end(&w, 300000);
	CU_ASSERT_TRUE_FATAL(w.nr > 2);
	CU_ASSERT_EQUAL(w.frames[2].hwui.kind, FRAME_SKIPPED);
	CU_ASSERT_EQUAL(w.frames[2].producer->surface, WINDOW + 1);
	world_close(&w);
}

/* Queued, but never shown: the next one's end says that nothing more comes of it. */
static void never_finished(void)
{
	const struct script s[] = {
		{ .vsync = 100000, .id = 7, .number = 1, .no_finish = true },
		{ .vsync = 120000, .id = 8, .number = 2 },
	};
	struct world w;

	begin(&w);
	frame(&w, &s[0]);
	CU_ASSERT_EQUAL(w.nr, 0);
	frame(&w, &s[1]);
	CU_ASSERT_EQUAL(w.nr, 2);
	end(&w, 200000);
	CU_ASSERT_EQUAL(w.frames[0].hwui.kind, FRAME_NORMAL);
	CU_ASSERT_EQUAL(w.frames[0].status, FRAME_COMPLETE);
	CU_ASSERT_FALSE(w.frames[0].hwui.whole);
	CU_ASSERT_EQUAL(w.frames[0].start_ns, 100000);
	CU_ASSERT_EQUAL(metric(&w.frames[0], METRIC_DRAW), 1000);
	CU_ASSERT_FALSE(w.frames[0].hwui.stages_known & 1u << STAGE_GPU);
	world_close(&w);
}

/* The same where records were lost after it: its FrameInfo may be among them. */
static void finish_lost(void)
{
	const struct script s = { .vsync = 100000, .id = 7, .number = 1, .no_finish = true };
	struct world w;

	begin(&w);
	frame(&w, &s);
	FEED(&w, LOST, fs_lost, .h.time_ns = 115000, .h.cpu = 3, .where = FS_LOST_RING, .count = 1);
	end(&w, UINT64_C(5000000000));
	CU_ASSERT_TRUE_FATAL(w.nr > 0);
	CU_ASSERT_EQUAL(w.frames[0].status, FRAME_LOSSY);
	world_close(&w);
}

/* The capture stops between a buffer's queueing and the end of the call that made it: one frame. */
static void stopped_within(void)
{
	const struct script s[] = { { .vsync = 100000, .id = 7, .number = 1 },
				    { .vsync = 120000, .id = 8, .number = 2 } };
	struct world w;

	begin(&w);
	frame(&w, &s[0]);
	info(&w, &s[1], FS_INFO_UI, 125900, 136000);
	call(&w, RT, FS_ROLE_QUEUE, 129100, 129900, 1, WINDOW, 0, 0);
	end(&w, 130500);
	CU_ASSERT_EQUAL_FATAL(w.nr, 3);
	CU_ASSERT_EQUAL(w.frames[1].start_ns, 120000);
	CU_ASSERT_EQUAL(w.frames[1].hwui.kind, FRAME_NORMAL);
	CU_ASSERT_EQUAL(w.frames[2].start_ns, 129900);
	CU_ASSERT_EQUAL(w.frames[2].status, FRAME_TRUNCATED);
	CU_ASSERT_EQUAL(w.frames[2].hwui.kind, FRAME_PLAIN);
	world_close(&w);
}

/* Of the first frame it is not known when it was synced; the next is posted while it is drawn. */
static void posted_early(void)
{
	const struct script s[] = { { .vsync = 100000, .id = 7 }, { .vsync = 114000, .id = 8 } };
	struct world w;

	begin(&w);
	info(&w, &s[0], FS_INFO_UI, 105900, 116000);
	call(&w, UI, FS_ROLE_UI_SYNC, 104900, 107800, 0, 0, 0, 0);
	call(&w, RT, FS_ROLE_QUEUE, 119100, 120900, 1, WINDOW, 0, 0);
	call(&w, RT, FS_ROLE_RENDER_FRAME, 105700, 121000, 0, 0, 0, 0);
	info(&w, &s[1], FS_INFO_UI, 121500, 130000);
	call(&w, UI, FS_ROLE_UI_SYNC, 118900, 123800, 0, 0, 0, 0);
	call(&w, RT, FS_ROLE_QUEUE, 125100, 125900, 1, WINDOW, 0, 0);
	call(&w, RT, FS_ROLE_RENDER_FRAME, 121400, 127000, 0, 0, 0, 0);
	end(&w, 200000);
	CU_ASSERT_EQUAL_FATAL(w.nr, 3);
	CU_ASSERT_EQUAL(w.frames[0].hwui.ui_end_ns, 107800);
	CU_ASSERT_EQUAL(w.frames[1].hwui.ui_end_ns, 123800);
	world_close(&w);
}

/* The deadline that one frame was left with got lost: the others keep theirs. */
static void after_lost(void)
{
	const struct script s[] = {
		{ .vsync = 100000, .id = 7, .number = 1, .moved_deadline = 30000 },
		{ .vsync = 120000, .id = 8, .number = 2, .moved_deadline = 40000 },
		{ .vsync = 140000, .id = 9, .number = 3, .moved_deadline = 50000 },
	};
	struct world w;

	begin(&w);
	draw(&w, &s[0]);
	info(&w, &s[0], FS_INFO_WHOLE, 115100, 116000);
	for (unsigned i = 1; i < 3; i++)
		frame(&w, &s[i]);
	end(&w, 200000);
	CU_ASSERT_EQUAL_FATAL(w.nr, 4);
	for (unsigned i = 0; i < 3; i++) {
		CU_ASSERT_TRUE(w.frames[i].hwui.whole);
		CU_ASSERT_EQUAL(w.frames[i].hwui.deadline_after_ns,
				i ? (int64_t)(s[i].vsync + s[i].moved_deadline) : 0);
	}
	world_close(&w);
}

/* Garbage where the FrameInfo should be is counted, not believed. */
static void implausible(void)
{
	const struct script s = { .vsync = 100000, .id = 7, .number = 1, .no_finish = true };
	struct fs_frame_info rec = {
		.h = { .time_ns = 116000, .tid = CALLBACK },
		.object = TRACKER,
		.part = FS_INFO_WHOLE,
		.layout = 23,
		.count = FS_FRAME_SLOTS,
	};
	struct world w;

	begin(&w);
	frame(&w, &s);
	for (unsigned i = 0; i < FS_FRAME_SLOTS; i++)
		rec.slots[i] = 7599383958533334121 - i;
	feed(&w, &rec.h, FS_KIND_FRAME_INFO, sizeof(rec));
	end(&w, 200000);
	CU_ASSERT_EQUAL(model_stats(w.model)->implausible, 1);
	CU_ASSERT_FALSE(w.frames[0].hwui.whole);
	world_close(&w);
}

/* Where the end of the swap is a slot of its own, another does not stand for it. */
static void no_swap_end(void)
{
	const struct script s = { .vsync = 100000, .id = 7, .number = 1, .no_finish = true };
	struct fs_frame_info rec = {
		.h = { .time_ns = 115100, .tid = CALLBACK },
		.object = TRACKER,
		.frame_number = 1,
		.part = FS_INFO_WHOLE,
		.layout = 23,
		.count = FS_FRAME_SLOTS,
		.slots = { 0,      7,      100000, 100000, 0,      101000, 102000, 103000,
			   104000, 116000, 100500, 16000,  105000, 106000, 108000, 109000,
			   115000, 1,      1,      115000, 0,      929,    109500 },
	};
	struct world w;

	begin(&w);
	frame(&w, &s);
	feed(&w, &rec.h, FS_KIND_FRAME_INFO, sizeof(rec));
	end(&w, 200000);
	CU_ASSERT_TRUE_FATAL(w.nr > 0);
	CU_ASSERT_TRUE(w.frames[0].hwui.whole);
	CU_ASSERT_EQUAL(stage_sum(&w.frames[0], STAGE_COMMAND_ISSUE), 1000);
	CU_ASSERT_FALSE(w.frames[0].hwui.stages_known & 1u << STAGE_SWAP_BUFFERS);
	CU_ASSERT_FALSE(w.frames[0].hwui.stages_known & 1u << STAGE_GPU);
	world_close(&w);
}

/* A frame that is being made for one window is none of another. */
static void cut_beside(void)
{
	const struct script one = { .vsync = 100000, .id = 7, .number = 1 };
	const struct script other = {
		.vsync = 200000,
		.id = 8,
		.window = WINDOW + 1,
		.tracker = TRACKER + 1,
		.context = CONTEXT + 1,
		.no_queue = true,
		.no_finish = true,
	};
	struct world w;

	begin(&w);
	frame(&w, &one);
	CLOCK(&w, STOP, 210900);
	frame(&w, &other);
	CU_ASSERT_EQUAL(model_finish(w.model), 0);
	CU_ASSERT_EQUAL_FATAL(w.nr, 2);
	CU_ASSERT_EQUAL(w.frames[1].hwui.kind, FRAME_PLAIN);
	CU_ASSERT_EQUAL(w.frames[1].status, FRAME_TRUNCATED);
	world_close(&w);
}

int main(void)
{
	static const struct check_case cases[] = {
		{ "whole", whole },
		{ "causes", causes },
		{ "overlapping", overlapping },
		{ "kinds", kinds },
		{ "skipped_first", skipped_first },
		{ "skip_reason", skip_reason },
		{ "not_skipped", not_skipped },
		{ "queueing_unseen", queueing_unseen },
		{ "two_windows", two_windows },
		{ "new_surface", new_surface },
		{ "never_finished", never_finished },
		{ "finish_lost", finish_lost },
		{ "stopped_within", stopped_within },
		{ "posted_early", posted_early },
		{ "after_lost", after_lost },
		{ "implausible", implausible },
		{ "cut_beside", cut_beside },
		{ "no_swap_end", no_swap_end },
		{ NULL, NULL },
	};

	return check_main("hwui", cases);
}
