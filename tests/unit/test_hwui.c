/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Frames of HWUI from streams made by hand: what belongs together is found, whatever the order in
 * which it comes, and each stage has the time that its thread lost there.
 */
#include <string.h>

#include "events.h"
#include "model/metrics.h"
#include "model/thread.h"

#define UI TID
#define RT (TID + 1)
#define CALLBACK (TID + 2)
#define TRACKER 0xb400007000
#define CONTEXT 0xb400008000
#define WINDOW 0x9000

/* What one frame did, in times after its intended vsync; a layout of 23 slots. */
struct script {
	uint64_t vsync;
	int64_t id;
	int64_t flags;
	uint64_t number;
	uint64_t lock_from, lock_to; /* the UI thread waits for a lock */
	uint64_t slot_from, slot_to; /* the RenderThread does, inside the dequeue */
	bool no_queue, no_finish, no_after, no_ui;
	uint64_t moved_deadline;
	uint64_t window, tracker, context; /* if not the usual ones */
};

/* Sequence numbers of the threads. */
static struct {
	uint32_t off[3], span[3];
} seq;

static struct message messages[16];
static unsigned nr_messages;

static void on_message(void *ctx, const struct message *m)
{
	(void)ctx;
	if (nr_messages < 16)
		messages[nr_messages++] = *m;
}

static void begin(struct world *w)
{
	const struct model_sink sink = {
		.frame = world_frame, .fence_wait = world_wait, .message = on_message, .ctx = w
	};

	memset(&seq, 0, sizeof(seq));
	nr_messages = 0;
	*w = (struct world){ 0 };
	w->model = model_new(&sink);
	CLOCK(w, START, 1000);
	for (uint32_t role = 0; role < FS_ROLE_NR; role++)
		FEED(w, POINT, fs_point, .id = role, .role = role);
	for (uint32_t tid = UI; tid <= CALLBACK; tid++)
		TASK(w, SEEN, 1000, .h.tid = tid, .comm = "app");
}

static void call(struct world *w, uint32_t tid, enum fs_role role, uint64_t entry, uint64_t exit,
		 uint32_t depth, uint64_t arg0, uint64_t arg1, uint64_t arg3)
{
	CALL(w, role, ++seq.span[tid - UI], entry, exit, .h.tid = tid, .depth = depth,
	     .args = { arg0, arg1, 0, arg3 }, .off_seq = seq.off[tid - UI]);
}

static void off(struct world *w, uint32_t tid, uint64_t from, uint64_t wake, uint64_t to)
{
	LOCK(w, ++seq.off[tid - UI], from, wake, to, .h.tid = tid);
}

static void info(struct world *w, const struct script *s, enum fs_info_part part, uint64_t at,
		 uint64_t deadline)
{
	uint64_t v = s->vsync;
	uint32_t tid = part == FS_INFO_UI ? RT : CALLBACK;
	const int64_t slots[] = {
		s->flags,  s->id,    v,       v,         0,         v + 1000, v + 2000, v + 3000,
		v + 4000,  deadline, v + 500, 16000,     v + 5000,  v + 6000, v + 8000, v + 9000,
		v + 15000, 1,        1,       v + 15000, v + 10000, 929,      v + 9500,
	};
	struct fs_frame_info rec = {
		.h = { .time_ns = at, .tid = tid },
		.object = part == FS_INFO_UI ? (s->context ? s->context : CONTEXT)
					     : (s->tracker ? s->tracker : TRACKER),
		.frame_number = part == FS_INFO_UI ? 0 : s->number,
		.sync_queued_ns = part == FS_INFO_UI ? v + 5000 : 0,
		.part = (__u16)part,
		.layout = 23,
		.count = FS_FRAME_SLOTS,
		.flags = part == FS_INFO_WHOLE && !s->no_after ? FS_INFO_FOLLOWED : 0,
	};

	memcpy(rec.slots, slots, sizeof(slots));
	if (s->flags & FRAME_FLAG_RT_ANIMATION) {
		for (unsigned i = 5; i <= 8; i++)
			rec.slots[i] = (int64_t)v;
	}
	feed(w, &rec.h, FS_KIND_FRAME_INFO, sizeof(rec));
}

/* Up to the return of the RenderThread's call, at vsync + 11000. */
static void draw(struct world *w, const struct script *s)
{
	uint64_t v = s->vsync, window = s->window ? s->window : WINDOW;

	if (s->lock_to)
		off(w, UI, v + s->lock_from, v + s->lock_to - 10, v + s->lock_to);
	info(w, s, FS_INFO_UI, v + 5900, v + 16000);
	if (s->slot_to)
		off(w, RT, v + s->slot_from, v + s->slot_to - 10, v + s->slot_to);
	call(w, RT, FS_ROLE_DEQUEUE, v + 6500, v + 7500, 3, window, 0, 0);
	call(w, RT, FS_ROLE_FRAME_UI, v + 5900, v + 7600, 2, CONTEXT, 0, 0);
	call(w, RT, FS_ROLE_SYNC_STATE, v + 5800, v + 7700, 1, 0, 0, 0);
	call(w, RT, FS_ROLE_UI_RELEASE, v + 7750, v + 7760, 1, 0, 0, 0);
	if (!s->no_ui)
		call(w, UI, FS_ROLE_UI_SYNC, v + 4900, v + 7800, 0, 0, 0, 0);
	call(w, RT, FS_ROLE_FRAME_TIMELINE, v + 8100, v + 8110, 1, window, s->number,
	     (uint64_t)s->id);
	if (!s->no_queue)
		call(w, RT, FS_ROLE_QUEUE, v + 9100, v + 9900, 1, window, 0, 0);
	call(w, RT, FS_ROLE_RENDER_FRAME, v + 5700, v + 11000, 0, 0, 0, 0);
}

static void finish(struct world *w, const struct script *s)
{
	uint64_t v = s->vsync;

	if (s->no_finish)
		return;
	info(w, s, FS_INFO_WHOLE, v + 15100, v + 16000);
	if (!s->no_after)
		info(w, s, FS_INFO_AFTER, v + 15200,
		     s->moved_deadline ? v + s->moved_deadline : v + 16000);
}

static void frame(struct world *w, const struct script *s)
{
	draw(w, s);
	finish(w, s);
}

/* Some frames, then the end. Those of which the first is cut by the capture's beginning are left.
 */
static void end(struct world *w, uint64_t stop)
{
	world_stop(w, stop);
	for (size_t i = 0; i < w->nr; i++)
		CU_ASSERT_TRUE(frame_is_sound(&w->frames[i]));
}

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

/* What the UI thread did from one poll to the next; the poll itself is no message. */
static void polls(void)
{
	const struct script s = {
		.vsync = 100000, .id = 7, .number = 3, .lock_from = 2600, .lock_to = 3900
	};
	struct world w;

	begin(&w);
	call(&w, UI, FS_ROLE_VSYNC, 100300, 100310, 1, 0, 100000, 0);
	call(&w, UI, FS_ROLE_POLL, 99000, 100400, 0, 0, 0, 0);
	frame(&w, &s);
	off(&w, UI, 120100, 149990, 150000);
	call(&w, UI, FS_ROLE_POLL, 120000, 150010, 0, 0, 0, 0);
	call(&w, UI, FS_ROLE_POLL, 150500, 150510, 0, 0, 0, 0);
	end(&w, 200000);
	CU_ASSERT_EQUAL_FATAL(nr_messages, 2);
	CU_ASSERT_EQUAL(messages[0].from_ns, 100400);
	CU_ASSERT_EQUAL(messages[0].to_ns, 120000);
	CU_ASSERT_EQUAL(messages[0].frames, 1);
	CU_ASSERT_EQUAL(messages[0].vsync_id, 7);
	CU_ASSERT_EQUAL(messages[0].intended_vsync_ns, 100000);
	CU_ASSERT_EQUAL(messages[0].input_ns, 101000);
	CU_ASSERT_EQUAL(messages[0].animation_ns, 102000);
	CU_ASSERT_EQUAL(messages[0].traversals_ns, 103000);
	CU_ASSERT_EQUAL(messages[0].interval_ns, 16000);
	CU_ASSERT_EQUAL(messages[0].budget.ns[BUDGET_LOCK], 1290);
	CU_ASSERT_EQUAL(budget_total(&messages[0].budget), 19600);
	CU_ASSERT_EQUAL(messages[1].from_ns, 150010);
	CU_ASSERT_EQUAL(messages[1].to_ns, 150500);
	CU_ASSERT_EQUAL(messages[1].frames, 0);
	CU_ASSERT_EQUAL(messages[1].input_ns, 0);
	CU_ASSERT_EQUAL(messages[1].budget.ns[BUDGET_RUNNING], 490);
	CU_ASSERT_TRUE_FATAL(w.nr > 0);
	CU_ASSERT_EQUAL(w.frames[0].hwui.commit_ns, 120000 - 107800);
	CU_ASSERT_EQUAL(w.frames[0].hwui.vsync_delivered_ns, 100310);
	world_close(&w);
}

/* While a frame waits behind another window's, its threads do a lot. */
static void held_up(void)
{
	const struct script held = { .vsync = 100000,
				     .id = 7,
				     .number = 1,
				     .no_finish = true,
				     .window = WINDOW + 1,
				     .context = CONTEXT + 1 };
	const struct script s = { .vsync = 200000, .id = 8, .number = 1 };
	struct world w;

	begin(&w);
	call(&w, UI, FS_ROLE_POLL, 99000, 100400, 0, 0, 0, 0);
	frame(&w, &held);
	call(&w, UI, FS_ROLE_POLL, 120000, 199000, 0, 0, 0, 0);
	frame(&w, &s);
	for (uint64_t at = 220000; at < 420000; at += 1000)
		call(&w, UI, FS_ROLE_POLL, at, at + 10, 0, 0, 0, 0);
	CU_ASSERT_EQUAL(w.nr, 0);
	end(&w, 500000);
	CU_ASSERT_TRUE_FATAL(w.nr > 1);
	CU_ASSERT_EQUAL(w.frames[1].hwui.vsync_id, 8);
	CU_ASSERT_EQUAL(w.frames[1].hwui.commit_ns, 220000 - 207800);
	world_close(&w);
}

/* A frame that is posted outside of a doFrame() has the times of the one before. */
static void polls_stale(void)
{
	const struct script s = { .vsync = 100000, .id = 7, .number = 3 };
	struct world w;

	begin(&w);
	call(&w, UI, FS_ROLE_POLL, 99000, 101001, 0, 0, 0, 0);
	frame(&w, &s);
	call(&w, UI, FS_ROLE_POLL, 120000, 150010, 0, 0, 0, 0);
	end(&w, 200000);
	CU_ASSERT_EQUAL_FATAL(nr_messages, 1);
	CU_ASSERT_EQUAL(messages[0].frames, 1);
	CU_ASSERT_EQUAL(messages[0].vsync_id, 7);
	CU_ASSERT_EQUAL(messages[0].intended_vsync_ns, 0);
	CU_ASSERT_EQUAL(messages[0].input_ns, 0);
	world_close(&w);
}

/* A call that could not be kept may have been a poll, and have ended the message. */
static void polls_lost(void)
{
	struct world w;

	begin(&w);
	call(&w, UI, FS_ROLE_POLL, 99000, 100400, 0, 0, 0, 0);
	FEED(&w, LOST, fs_lost, .h.time_ns = 110000, .h.tid = UI, .where = FS_LOST_MAP, .count = 1);
	call(&w, UI, FS_ROLE_POLL, 120000, 120010, 0, 0, 0, 0);
	call(&w, UI, FS_ROLE_POLL, 130000, 130010, 0, 0, 0, 0);
	end(&w, 200000);
	CU_ASSERT_EQUAL_FATAL(nr_messages, 1);
	CU_ASSERT_EQUAL(messages[0].from_ns, 120010);
	world_close(&w);
}

/* The memory for what frames need is not spent on threads that only wait for messages. */
static void idle_looper(void)
{
	struct world w;

	begin(&w);
	for (uint64_t at = 10000; at < 10000000; at += 1000) {
		off(&w, UI, at + 100, at + 190, at + 200);
		call(&w, UI, FS_ROLE_POLL, at, at + 300, 0, 0, 0, 0);
	}
	CU_ASSERT_EQUAL(w.model->history, 0);
	CU_ASSERT_EQUAL(messages[15].budget.ns[BUDGET_RUNNING], 700);
	end(&w, 20000000);
	world_close(&w);
}

/* A new program has nothing of the old one's: no message goes on, and no FrameInfo is its. */
static void exec_between(void)
{
	const struct script s = { .vsync = 100000, .id = 7, .number = 3, .no_finish = true };
	struct world w;

	begin(&w);
	call(&w, UI, FS_ROLE_POLL, 99000, 100400, 0, 0, 0, 0);
	frame(&w, &s);
	TASK(&w, EXEC, 120000, .h.tid = UI, .comm = "other");
	call(&w, UI, FS_ROLE_POLL, 130000, 150010, 0, 0, 0, 0);
	call(&w, RT, FS_ROLE_QUEUE, 151000, 152000, 0, WINDOW, 0, 0);
	call(&w, RT, FS_ROLE_QUEUE, 161000, 162000, 0, WINDOW, 0, 0);
	end(&w, 200000);
	CU_ASSERT_EQUAL(nr_messages, 0);
	CU_ASSERT_TRUE_FATAL(w.nr > 2);
	CU_ASSERT_EQUAL(w.frames[0].hwui.kind, FRAME_NORMAL);
	for (size_t i = 1; i < w.nr; i++)
		CU_ASSERT_EQUAL(w.frames[i].hwui.kind, FRAME_PLAIN);
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
		{ "polls", polls },
		{ "held_up", held_up },
		{ "polls_stale", polls_stale },
		{ "polls_lost", polls_lost },
		{ "idle_looper", idle_looper },
		{ "exec_between", exec_between },
		{ "no_swap_end", no_swap_end },
		{ NULL, NULL },
	};

	return check_main("hwui", cases);
}
