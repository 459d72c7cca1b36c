/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Frames of which only marks tell: some slots are not known, and the rest is as exact as ever. From
 * records made by hand.
 */
#include <string.h>

#include "events.h"

#define UI TID
#define RT (TID + 1)
#define WINDOW 0x9000

static struct {
	uint32_t off[2], span[2];
} seq;

/* A trace: both threads, and all calls that marks can show. */
static void start(struct world *w)
{
	memset(&seq, 0, sizeof(seq));
	world_open(w);
	CLOCK(w, START, 1000);
	for (uint32_t role = 0; role < FS_ROLE_NR; role++)
		if (role != FS_ROLE_FRAME_INFO)
			FEED(w, POINT, fs_point, .id = role, .role = role, .lib = FS_LIB_MARKER);
	TASK(w, SEEN, 1000, .h.tid = UI, .comm = "app");
	TASK(w, SEEN, 1000, .h.tid = RT, .comm = "RenderThread");
}

static void call(struct world *w, uint32_t tid, enum fs_role role, uint64_t entry, uint64_t exit,
		 uint32_t depth)
{
	CALL(w, role, ++seq.span[tid - UI], entry, exit, .h.tid = tid, .depth = depth,
	     .args = { WINDOW, WINDOW }, .off_seq = seq.off[tid - UI]);
}

/* Off-CPU, in what is not known. */
static void off(struct world *w, uint32_t tid, uint64_t from, uint64_t wake, uint64_t to)
{
	OFF(w, ++seq.off[tid - UI], from, to, .h.tid = tid, .waking_ns = wake, .state = 1,
	    .context = FS_CTX_TASK, .peer_tid = 7);
}

/* What a frame that began at v has of its slots: 1u << enum fs_marks_slot. */
#define HAS(slot) (1u << FS_MARKS_##slot)
#define ALL                                                                                        \
	(HAS(UI_TID) | HAS(VSYNC_ID) | HAS(FRAME_START) | HAS(INPUT_START) |                       \
	 HAS(ANIMATION_START) | HAS(TRAVERSALS_START) | HAS(DRAW_START))

static struct fs_frame_info info_of(uint64_t v, unsigned has, bool queued)
{
	const int64_t slots[FS_MARKS_NR] = {
		[FS_MARKS_UI_TID] = UI,
		[FS_MARKS_VSYNC_ID] = 77,
		[FS_MARKS_FRAME_START] = (int64_t)v,
		[FS_MARKS_INPUT_START] = (int64_t)v + 1000,
		[FS_MARKS_ANIMATION_START] = (int64_t)v + 2000,
		[FS_MARKS_TRAVERSALS_START] = (int64_t)v + 3000,
		[FS_MARKS_DRAW_START] = (int64_t)v + 4000,
	};
	struct fs_frame_info rec = {
		.h = { .time_ns = v + 5700, .tid = RT },
		.sync_queued_ns = queued ? v + 5000 : 0,
		.part = FS_INFO_UI,
		.layout = FS_LAYOUT_MARKS,
		.count = FS_MARKS_NR,
	};

	for (unsigned i = 0; i < FS_MARKS_NR; i++)
		rec.slots[i] = has >> i & 1 ? slots[i] : 0;
	return rec;
}

/* A frame that begins at v; the RenderThread's part ends at v + 11000, its buffer at v + 9900. */
static void frame(struct world *w, uint64_t v, unsigned has, bool queued, bool synced)
{
	struct fs_frame_info info = info_of(v, has, queued);

	off(w, UI, v + 3100, v + 3300, v + 3400);
	feed(w, &info.h, FS_KIND_FRAME_INFO, sizeof(info));
	call(w, RT, FS_ROLE_DEQUEUE, v + 6500, v + 7500, 2);
	if (synced)
		call(w, RT, FS_ROLE_SYNC_STATE, v + 5800, v + 7700, 1);
	off(w, UI, v + 5100, v + 7600, v + 7700);
	if (queued)
		call(w, UI, FS_ROLE_UI_SYNC, v + 5000, v + 7800, 1);
	call(w, UI, FS_ROLE_SPAN, v, v + 8000, 0);
	call(w, RT, FS_ROLE_QUEUE, v + 9100, v + 9900, 1);
	call(w, RT, FS_ROLE_RENDER_FRAME, v + 5700, v + 11000, 0);
}

static const struct frame *only(struct world *w)
{
	world_stop(w, 200000);
	CU_ASSERT_FATAL(w->nr >= 1);
	return frame_at(w, 0);
}

static void stage_is(const struct frame *f, enum stage stage, uint64_t from, uint64_t to)
{
	CU_ASSERT_TRUE(f->hwui.stages_known >> stage & 1);
	CU_ASSERT_EQUAL(budget_total(&f->hwui.stages[stage]), to - from);
	CU_ASSERT_EQUAL(f->hwui.stage_edges[stage].from_ns, from);
	CU_ASSERT_EQUAL(f->hwui.stage_edges[stage].to_ns, to);
}

/* It was posted: everything but what the vsync says. */
static void posted(void)
{
	const uint64_t v = 100000;
	const struct frame *f;
	struct world w;

	start(&w);
	frame(&w, v, ALL, true, true);
	f = only(&w);
	CU_ASSERT_EQUAL(f->status, FRAME_COMPLETE);
	CU_ASSERT_EQUAL(f->hwui.kind, FRAME_NORMAL);
	CU_ASSERT_FALSE(f->hwui.whole);
	CU_ASSERT_EQUAL(f->hwui.vsync_id, 77);
	CU_ASSERT_EQUAL(f->hwui.ui_tid, UI);
	CU_ASSERT_EQUAL(f->start_ns, v);
	CU_ASSERT_EQUAL(f->end_ns, v + 9900);
	CU_ASSERT_EQUAL(f->render_start_ns, v + 5000);
	CU_ASSERT_EQUAL(f->hwui.ui_end_ns, v + 7800);
	CU_ASSERT_FALSE(f->hwui.stages_known & 1u << STAGE_UNKNOWN_DELAY);
	stage_is(f, STAGE_INPUT_HANDLING, v + 1000, v + 2000);
	stage_is(f, STAGE_ANIMATION, v + 2000, v + 3000);
	stage_is(f, STAGE_LAYOUT_MEASURE, v + 3000, v + 4000);
	stage_is(f, STAGE_DRAW, v + 4000, v + 5000);
	stage_is(f, STAGE_RENDER_QUEUE, v + 5000, v + 5800);
	stage_is(f, STAGE_SYNC_DEQUEUE, v + 6500, v + 7500);
	/* The wait inside the post is for the RenderThread, as the post itself says. */
	CU_ASSERT_EQUAL(f->hwui.ui.ns[BUDGET_IPC], 2500);
	CU_ASSERT_EQUAL(f->hwui.ui.ns[BUDGET_UNKNOWN], 200);
	CU_ASSERT_EQUAL(f->hwui.ui.ns[BUDGET_RUNNABLE], 200);
	CU_ASSERT_EQUAL(f->hwui.ui.ns[BUDGET_RUNNING], 4900);
	CU_ASSERT_EQUAL(budget_total(&f->hwui.way), 9900);
	CU_ASSERT_EQUAL(f->hwui.way.ns[BUDGET_IPC], 0);
	world_close(&w);
}

/* When it was posted is not known: the RenderThread's part begins with the synchronisation. */
static void not_posted(void)
{
	const uint64_t v = 100000;
	const struct frame *f;
	struct world w;

	start(&w);
	frame(&w, v, ALL & ~HAS(VSYNC_ID), false, true);
	f = only(&w);
	CU_ASSERT_EQUAL(f->status, FRAME_COMPLETE);
	CU_ASSERT_EQUAL(f->hwui.vsync_id, 0);
	CU_ASSERT_EQUAL(f->hwui.ui_tid, UI);
	CU_ASSERT_EQUAL(f->start_ns, v);
	CU_ASSERT_EQUAL(f->render_start_ns, v + 5800);
	CU_ASSERT_EQUAL(f->hwui.ui_end_ns, v + 5800);
	CU_ASSERT_FALSE(f->hwui.stages_known & (1u << STAGE_DRAW | 1u << STAGE_RENDER_QUEUE));
	stage_is(f, STAGE_LAYOUT_MEASURE, v + 3000, v + 4000);
	stage_is(f, STAGE_SYNC_DEQUEUE, v + 6500, v + 7500);
	/* 200 in its traversals, and 700 since 5100, in what no mark names */
	CU_ASSERT_EQUAL(f->hwui.ui.ns[BUDGET_UNKNOWN], 900);
	CU_ASSERT_EQUAL(f->hwui.ui.ns[BUDGET_RUNNING], 4800);
	CU_ASSERT_EQUAL(budget_total(&f->hwui.way), 9900);
	world_close(&w);
}

/* Nor the synchronisation: then it begins with the call that makes the frame. */
static void not_synced(void)
{
	const uint64_t v = 100000;
	const struct frame *f;
	struct world w;

	start(&w);
	frame(&w, v, HAS(UI_TID) | HAS(FRAME_START), false, false);
	f = only(&w);
	CU_ASSERT_EQUAL(f->status, FRAME_COMPLETE);
	CU_ASSERT_EQUAL(f->start_ns, v);
	CU_ASSERT_EQUAL(f->render_start_ns, v + 5700);
	CU_ASSERT_EQUAL(f->hwui.stages_known, 0);
	CU_ASSERT_EQUAL(budget_total(&f->hwui.ui), 5700);
	CU_ASSERT_EQUAL(budget_total(&f->hwui.way), 9900);
	world_close(&w);
}

/* A stage with an edge that is not known is not known, and nothing else is moved. */
static void some_slots(void)
{
	const uint64_t v = 100000;
	const struct frame *f;
	struct world w;

	start(&w);
	frame(&w, v, ALL & ~(HAS(INPUT_START) | HAS(DRAW_START)), true, true);
	f = only(&w);
	CU_ASSERT_EQUAL(f->hwui.stages_known, 1u << STAGE_ANIMATION | 1u << STAGE_RENDER_QUEUE |
						      1u << STAGE_SYNC_PREPARE |
						      1u << STAGE_SYNC_DEQUEUE);
	stage_is(f, STAGE_ANIMATION, v + 2000, v + 3000);
	world_close(&w);
}

/* Several: each has the post and the thread that are its own. */
static void several(void)
{
	struct world w;

	start(&w);
	for (unsigned i = 1; i <= 4; i++)
		frame(&w, 20000 * i, ALL, i % 2, true);
	world_stop(&w, 200000);
	CU_ASSERT_FATAL(w.nr >= 4);
	for (unsigned i = 1; i <= 4; i++) {
		const struct frame *f = frame_at(&w, i - 1);

		CU_ASSERT_EQUAL(f->status, FRAME_COMPLETE);
		CU_ASSERT_EQUAL(f->start_ns, 20000 * i);
		CU_ASSERT_EQUAL(f->hwui.ui_end_ns, 20000 * i + (i % 2 ? 7800 : 5800));
		CU_ASSERT_EQUAL(f->dequeue_ns, i == 1 ? 0 : 1000);
	}
	world_close(&w);
}

/* Without switches: nobody knows, and that is said. */
static void unwatched(void)
{
	const uint64_t v = 100000;
	struct fs_frame_info info = info_of(v, ALL, false);
	const struct frame *f;
	struct world w;

	start(&w);
	feed(&w, &info.h, FS_KIND_FRAME_INFO, sizeof(info));
	OFF(&w, ++seq.off[1], 0, v + 7700, .h.tid = RT, .flags = FS_OFF_NO_START | FS_OFF_NO_END);
	call(&w, RT, FS_ROLE_SYNC_STATE, v + 5800, v + 7700, 1);
	OFF(&w, ++seq.off[0], 0, v + 8000, .flags = FS_OFF_NO_START | FS_OFF_NO_END);
	call(&w, UI, FS_ROLE_SPAN, v, v + 8000, 0);
	OFF(&w, ++seq.off[1], 0, v + 9900, .h.tid = RT, .flags = FS_OFF_NO_START | FS_OFF_NO_END);
	call(&w, RT, FS_ROLE_QUEUE, v + 9100, v + 9900, 1);
	OFF(&w, ++seq.off[1], 0, v + 11000, .h.tid = RT, .flags = FS_OFF_NO_START | FS_OFF_NO_END);
	call(&w, RT, FS_ROLE_RENDER_FRAME, v + 5700, v + 11000, 0);
	f = only(&w);
	CU_ASSERT_EQUAL(f->status, FRAME_COMPLETE);
	CU_ASSERT_EQUAL(f->hwui.way.ns[BUDGET_UNKNOWN], 9900);
	CU_ASSERT_EQUAL(f->hwui.ui.ns[BUDGET_UNKNOWN], 5800);
	world_close(&w);
}

/* What a call of a trace says of the waits inside it. */
static void claims(void)
{
	static const struct {
		enum fs_role role;
		enum budget_part part;
	} calls[] = {
		{ FS_ROLE_SLOT, BUDGET_SLOT },     { FS_ROLE_FENCE_WAIT, BUDGET_FENCE },
		{ FS_ROLE_UI_SYNC, BUDGET_IPC },   { FS_ROLE_DEQUEUE, BUDGET_UNKNOWN },
		{ FS_ROLE_QUEUE, BUDGET_UNKNOWN }, { FS_ROLE_SPAN, BUDGET_UNKNOWN },
	};

	for (unsigned i = 0; i < sizeof(calls) / sizeof(*calls); i++) {
		struct world w;
		const struct frame *f;

		start(&w);
		call(&w, RT, FS_ROLE_SWAP, 2000, 2100, 0);
		off(&w, RT, 3100, 3500, 3600);
		call(&w, RT, calls[i].role, 3000, 4000, 1);
		/* one that can't be interrupted is what it is */
		OFF(&w, ++seq.off[1], 4200, 4400, .h.tid = RT, .waking_ns = 4400, .state = 2);
		call(&w, RT, calls[i].role, 4100, 4500, 1);
		call(&w, RT, FS_ROLE_SWAP, 2900, 5000, 0);
		world_stop(&w, 6000);
		CU_ASSERT_FATAL(w.nr >= 2);
		f = frame_at(&w, 1);
		CU_ASSERT_EQUAL(f->end_ns, 5000);
		CU_ASSERT_EQUAL(f->render.ns[calls[i].part], 400);
		CU_ASSERT_EQUAL(f->render.ns[BUDGET_IO], 200);
		CU_ASSERT_EQUAL(frame_top_blocker(f, calls[i].part)->confidence,
				calls[i].part == BUDGET_UNKNOWN ? CONF_NONE : CONF_PROBABLE);
		world_close(&w);
	}
}

/* Slots that are in no order, or not those of a UI thread's part, are not believed. */
static void slots(void)
{
	struct fs_frame_info rec = info_of(100000, ALL, true);
	struct frame_slots s;

	CU_ASSERT_TRUE(frame_slots_take(&rec, &s));
	CU_ASSERT_EQUAL(s.layout, FS_LAYOUT_MARKS);
	CU_ASSERT_EQUAL(s.ns[SLOT_FRAME_START], 100000);
	CU_ASSERT_EQUAL(s.ns[SLOT_SYNC_QUEUED], 105000);
	CU_ASSERT_FALSE(slot_known(&s, SLOT_INTENDED_VSYNC));
	CU_ASSERT_FALSE(slot_known(&s, SLOT_FLAGS));
	rec.slots[FS_MARKS_VSYNC_ID] = -1;
	CU_ASSERT_TRUE(frame_slots_take(&rec, &s));
	CU_ASSERT_FALSE(slot_known(&s, SLOT_VSYNC_ID));
	rec = info_of(100000, ALL & ~HAS(FRAME_START), true);
	CU_ASSERT_FALSE(frame_slots_take(&rec, &s));
	CU_ASSERT_EQUAL(s.layout, 0);
	rec = info_of(100000, ALL, true);
	rec.slots[FS_MARKS_DRAW_START] = 102999;
	CU_ASSERT_FALSE(frame_slots_take(&rec, &s));
	rec = info_of(100000, ALL, true);
	rec.h.time_ns = 104999;
	CU_ASSERT_FALSE(frame_slots_take(&rec, &s));
	rec = info_of(100000, ALL, true);
	rec.part = FS_INFO_WHOLE;
	CU_ASSERT_FALSE(frame_slots_take(&rec, &s));
	rec = info_of(100000, ALL, true);
	rec.count = FS_MARKS_NR - 1;
	CU_ASSERT_FALSE(frame_slots_take(&rec, &s));
	CU_ASSERT_PTR_NULL(frame_slots_order(FS_LAYOUT_MARKS));
}

/* An end that was lost: the frame in which that shows is not complete, the next one is. */
static void lost_end(void)
{
	struct world w;

	start(&w);
	frame(&w, 20000, ALL, true, true);
	call(&w, RT, FS_ROLE_DEQUEUE, 36500, 37500, 2);
	FEED(&w, LOST, fs_lost, .h = { .time_ns = 38000, .tid = RT, .cpu = FS_CPU_NONE },
	     .count = 1, .where = FS_LOST_END);
	frame(&w, 40000, ALL, true, true);
	frame(&w, 60000, ALL, true, true);
	world_stop(&w, 200000);
	CU_ASSERT_FATAL(w.nr >= 3);
	CU_ASSERT_EQUAL(w.frames[0].status, FRAME_COMPLETE);
	CU_ASSERT_EQUAL(w.frames[1].status, FRAME_LOSSY);
	CU_ASSERT_EQUAL(w.frames[2].status, FRAME_COMPLETE);
	world_close(&w);
}

int main(void)
{
	static const struct check_case cases[] = {
		{ "posted", posted },         { "not_posted", not_posted },
		{ "not_synced", not_synced }, { "some_slots", some_slots },
		{ "several", several },       { "unwatched", unwatched },
		{ "claims", claims },         { "slots", slots },
		{ "lost_end", lost_end },     { NULL, NULL },
	};

	return check_main("marks_model", cases);
}
