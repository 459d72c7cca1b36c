/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* An app's frames as marks, in the ways of several releases of Android, and what they must give. */
#ifndef TESTS_MARKS_APP_H
#define TESTS_MARKS_APP_H

#include "traced.h"

#define UI 100
#define RT 110
#define WINDOW "VRI[Main]#0(BLAST Consumer)0"

/* How a release marks. */
struct style {
	bool ids; /* the vsync's */
	bool post; /* postAndWait is marked */
	bool names; /* of surfaces */
	bool late; /* the buffer is dequeued when it is drawn into, not in syncFrameState */
	bool bare; /* "E" without a pid */
	const char *draw;
};

static const struct style android_8 = { .late = true, .bare = true, .draw = "draw" };
static const struct style android_11 = { .draw = "draw" };
static const struct style android_12 = { .ids = true, .draw = "draw" };
static const struct style android_13 = { .ids = true, .post = true, .draw = "draw" };
static const struct style android_15 = {
	.ids = true, .post = true, .names = true, .draw = "draw-VRI[Main]"
};

/* One process's threads, and what its marks are like. */
struct app {
	struct traced *t;
	const struct style *style;
	uint32_t ui, rt;
	const char *window;
};

static inline void begin(const struct app *a, uint64_t ns, uint32_t tid, const char *name)
{
	char text[256];

	snprintf(text, sizeof(text), "B|%u|%s", a->ui, name);
	traced_mark(a->t, ns, tid, text);
}

static inline void begin_id(const struct app *a, uint64_t ns, uint32_t tid, const char *name,
			    int64_t id)
{
	char text[128];

	snprintf(text, sizeof(text), "%s %lld", name, (long long)id);
	begin(a, ns, tid, a->style->ids ? text : name);
}

static unsigned leave_out; /* which of the next ends; 0 = none */

static inline void end(const struct app *a, uint64_t ns, uint32_t tid)
{
	char text[32];

	if (leave_out && !--leave_out)
		return;
	snprintf(text, sizeof(text), "E|%u", a->ui);
	traced_mark(a->t, ns, tid, a->style->bare ? "E" : text);
}

static inline void slice(const struct app *a, uint64_t from, uint64_t to, uint32_t tid,
			 const char *name)
{
	begin(a, from, tid, name);
	end(a, to, tid);
}

static inline void dequeue(const struct app *a, uint64_t from, uint64_t to)
{
	char name[128];

	snprintf(name, sizeof(name), "dequeueBuffer - %s", a->window ? a->window : WINDOW);
	begin(a, from, a->rt, a->style->names ? name : "dequeueBuffer");
	slice(a, from + 10, to - 10, a->rt, "dequeueBuffer");
	end(a, to, a->rt);
}

/* The UI thread's part up to its waiting for the RenderThread. */
static inline void ui_part(const struct app *a, uint64_t v, int64_t id)
{
	begin_id(a, v, a->ui, "Choreographer#doFrame", id);
	slice(a, v + 100, v + 200, a->ui, "input");
	slice(a, v + 300, v + 400, a->ui, "animation");
	begin(a, v + 500, a->ui, "traversal");
	begin(a, v + 600, a->ui, a->style->draw);
	slice(a, v + 700, v + 800, a->ui, "Record View#draw()");
	if (a->style->post)
		begin(a, v + 900, a->ui, "postAndWait");
}

/* The RenderThread's, until the UI thread may go on. */
static inline void sync_part(const struct app *a, uint64_t v, int64_t id)
{
	begin_id(a, v + 1000, a->rt, a->style->ids ? "DrawFrames" : "DrawFrame", id);
	begin(a, v + 1100, a->rt, "syncFrameState");
	if (!a->style->late)
		dequeue(a, v + 1200, v + 1300);
	end(a, v + 1400, a->rt);
}

static inline void ui_rest(const struct app *a, uint64_t v)
{
	if (a->style->post)
		end(a, v + 1500, a->ui);
	end(a, v + 1600, a->ui);
	end(a, v + 1700, a->ui);
	end(a, v + 1800, a->ui);
}

static inline void draw_part(const struct app *a, uint64_t v)
{
	if (a->style->late)
		dequeue(a, v + 1850, v + 1950);
	begin(a, v + 2000, a->rt, "eglSwapBuffersWithDamageKHR");
	slice(a, v + 2100, v + 2200, a->rt, "queueBuffer");
	end(a, v + 2300, a->rt);
	end(a, v + 2400, a->rt);
}

static inline void frame(const struct app *a, uint64_t v, int64_t id)
{
	ui_part(a, v, id);
	sync_part(a, v, id);
	ui_rest(a, v);
	draw_part(a, v);
}

/* Both threads are known before the frames. */
static inline void start(struct traced *t, struct app *a, const struct style *style)
{
	traced_open(t);
	*a = (struct app){ .t = t, .style = style, .ui = UI, .rt = RT };
	slice(a, 1000, 1001, UI, "x");
	slice(a, 1002, 1003, RT, "x");
}

#define STAGE(name) (1u << STAGE_##name)

static inline void stage_is(const struct frame *f, enum stage stage, uint64_t ns)
{
	CU_ASSERT_TRUE(f->hwui.stages_known >> stage & 1);
	CU_ASSERT_EQUAL(budget_total(&f->hwui.stages[stage]), ns);
}

/* Frame `n`, which began at v. */
static inline void check_frame(const struct traced *t, size_t n, uint64_t v, int64_t id,
			       const struct style *s)
{
	const struct frame *f = frame_at(&t->world, n);
	const struct hwui_frame *hf = &f->hwui;
	uint32_t known = STAGE(INPUT_HANDLING) | STAGE(ANIMATION) | STAGE(LAYOUT_MEASURE) |
			 STAGE(SYNC_PREPARE);

	CU_ASSERT_EQUAL(f->status, FRAME_COMPLETE);
	CU_ASSERT_EQUAL(f->start_ns, v);
	CU_ASSERT_EQUAL(f->end_ns, v + 2300);
	CU_ASSERT_EQUAL(f->render_start_ns, s->post ? v + 900 : v + 1100);
	CU_ASSERT_EQUAL(hf->ui_end_ns, s->post ? v + 1500 : v + 1100);
	CU_ASSERT_EQUAL(budget_total(&hf->ui), hf->ui_end_ns - v);
	CU_ASSERT_EQUAL(budget_total(&hf->way), 2300);
	CU_ASSERT_EQUAL(hf->kind, FRAME_NORMAL);
	CU_ASSERT_EQUAL(hf->vsync_id, s->ids ? id : 0);
	CU_ASSERT_EQUAL(hf->ui_tid, UI);
	CU_ASSERT_EQUAL(f->producer->ui_tid, UI);
	CU_ASSERT_EQUAL(f->producer->render_tid, RT);
	CU_ASSERT_EQUAL(f->producer->pid, UI);
	CU_ASSERT_FALSE(hf->whole);
	/* Before its first frame ends nothing says that there is a producer. */
	CU_ASSERT_EQUAL(f->dequeue_ns, f->number == 1 ? 0 : 100);
	CU_ASSERT_EQUAL(f->queue_ns, 100);
	CU_ASSERT_EQUAL(f->swap_ns, 300);
	CU_ASSERT_EQUAL(hf->has_dequeue, !s->late);
	CU_ASSERT_EQUAL(hf->sync_dequeue_ns, s->late ? 0 : 100);
	known |= s->late ? 0 : STAGE(SYNC_DEQUEUE);
	known |= s->post ? STAGE(DRAW) | STAGE(RENDER_QUEUE) : 0;
	CU_ASSERT_EQUAL(hf->stages_known, known);
	stage_is(f, STAGE_INPUT_HANDLING, 200);
	stage_is(f, STAGE_ANIMATION, 200);
	stage_is(f, STAGE_LAYOUT_MEASURE, 100);
	stage_is(f, STAGE_SYNC_PREPARE, s->late ? 300 : 200);
	if (s->post) {
		stage_is(f, STAGE_DRAW, 300);
		stage_is(f, STAGE_RENDER_QUEUE, 200);
	}
	/* Without switches nobody knows what the threads did. */
	CU_ASSERT_EQUAL(hf->way.ns[BUDGET_UNKNOWN], 2300);
}

#endif
