// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The UI thread: Choreographer's doFrame() with its stages, and other messages. */
#include "standins/android/ui.h"

#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "standins/android/api.h"
#include "standins/android/backend.h"
#include "standins/android/looper.h"
#include "standins/android/render.h"
#include "standins/android/window.h"
#include "standins/android/work.h"
#include "standins/truth.h"

#define WINDOW_FRAMES 4 /* of a window that is not used for long */
#define SKIPS 3 /* one frame of so many is skipped */
#define EARLY_NS (2 * MS) /* before the vsync a message begins that is long */

static struct {
	struct looper looper;
	struct window *window, *second, *canvas;
	pthread_mutex_t mutex;
	pthread_cond_t cond;
	bool is_blocked;
	struct mark draw; /* at the begin of the last frame's drawing */
	unsigned turn; /* number of the doFrame() in its scenario */
} ui = { .mutex = PTHREAD_MUTEX_INITIALIZER, .cond = PTHREAD_COND_INITIALIZER };

void ui_open(void)
{
	looper_open(&ui.looper, true);
}

void ui_wake(void)
{
	api.utils->wake(&ui.looper);
}

int ui_sync_and_draw(void *proxy)
{
	struct window *w = window_of(proxy);
	int ret;

	ret = api.hwui->draw_frame(&w->task);
	w->posted->left_ns = now_ns();
	return ret;
}

int ui_draw_frame(void *task)
{
	struct frame *f = window_of(task)->posted;
	struct mark end = mark_now();

	frame_spend(f, STAGE_DRAW, &ui.draw, &end);
	f->queued_ns = now_ns();
	slot_set(f->ui, SLOT_SYNC_QUEUED, (int64_t)f->queued_ns);
	api.hwui->post_and_wait(task);
	return 0;
}

void ui_post_and_wait(void *task)
{
	struct window *w = window_of(task);

	pthread_mutex_lock(&ui.mutex);
	ui.is_blocked = true;
	render_post(w);
	while (ui.is_blocked)
		pthread_cond_wait(&ui.cond, &ui.mutex);
	pthread_mutex_unlock(&ui.mutex);
	w->posted->released_ns = now_ns();
}

void ui_unblock(void *task)
{
	window_of(task)->frame->unblock_ns = now_ns();
	pthread_mutex_lock(&ui.mutex);
	ui.is_blocked = false;
	pthread_cond_signal(&ui.cond);
	pthread_mutex_unlock(&ui.mutex);
}

static struct frame *new_frame(struct window *w)
{
	struct frame *f = frame_new(w);

	work_plan(f, ui.turn);
	f->ui_tid = gettid();
	f->tracker = (uintptr_t)&w->tracker;
	f->window_number = w->number;
	f->message = message_number(ui.looper.message);
	w->posted = f;
	if (!w->nr_buffers && w != ui.canvas)
		f->kind = "first";
	if (plan.scenario->turn == TURN_SKIPPED && ui.turn % SKIPS == SKIPS - 1)
		f->skip_reason = ui.turn / SKIPS % 2 ? "NoBuffer" : "NothingToDraw";
	if (!f->skip_reason)
		backend_expect();
	return f;
}

/* The UI thread's part is done. */
static void sync_and_draw(struct frame *f)
{
	ui.looper.message->frames++;
	f->called_ns = now_ns();
	api.hwui->sync_and_draw(&f->window->proxy);
	f->returned_ns = now_ns();
}

/* Choreographer's vsync: where the UI thread is late, the last one that has been. */
static void set_vsync(int64_t *java)
{
	uint64_t start_ns = now_ns(), vsync_ns = ui.looper.vsync_ns;
	uint64_t late_ns = start_ns - vsync_ns;
	bool has_id = plan.scenario->turn != TURN_NO_VSYNC_ID && layout >= 22;
	int64_t deadline_ns = has_id ? (int64_t)(vsync_ns + plan.period_ns) : INT64_MAX;

	slot_set(java, SLOT_VSYNC_ID, has_id ? ui.looper.vsync_id : -1);
	slot_set(java, SLOT_INTENDED_VSYNC, (int64_t)vsync_ns);
	slot_set(java, SLOT_VSYNC, (int64_t)(vsync_ns + late_ns / plan.period_ns * plan.period_ns));
	slot_set(java, SLOT_OLDEST_INPUT, INT64_MAX);
	slot_set(java, SLOT_DEADLINE, deadline_ns);
	slot_set(java, SLOT_START, (int64_t)start_ns);
	slot_set(java, SLOT_INTERVAL, (int64_t)plan.period_ns);
	slot_set(java, SLOT_WORKLOAD, deadline_ns - (int64_t)vsync_ns);
	slot_set(java, SLOT_ANIMATION_TIME, -1);
}

/* A frame's stage ends: its begin is a slot. */
static struct mark stage(struct frame *f, int64_t *java, enum slot slot, enum stage stage_of)
{
	struct mark m;

	slot_set(java, slot, (int64_t)now_ns());
	m = mark_now();
	work(f, stage_of);
	return m;
}

/* Layout, drawing and the rest of the window's frame. */
static void traverse(struct frame *f, int64_t *java, const struct mark *traversals)
{
	work(f, STAGE_LAYOUT_MEASURE);
	ui.draw = stage(f, java, SLOT_DRAW, STAGE_DRAW);
	frame_spend(f, STAGE_LAYOUT_MEASURE, traversals, &ui.draw);
	slot_set(java, SLOT_FLAGS, strcmp(f->kind, "first") ? 0 : FLAG_FIRST);
	memcpy(f->ui, java, sizeof(f->ui));
	f->vsync_id = layout >= 22 ? slot_get(java, SLOT_VSYNC_ID) : -1;
	sync_and_draw(f);
}

/*
 * Of Surface.lockHardwareCanvas(), for which no Choreographer works: all that it would have set is
 * when the frame was posted.
 */
static void draw_canvas(void)
{
	static const enum slot at_vsync[] = { SLOT_INTENDED_VSYNC, SLOT_VSYNC,
					      SLOT_HANDLE_INPUT,   SLOT_ANIMATION,
					      SLOT_TRAVERSALS,     SLOT_DRAW };
	struct frame *f = new_frame(ui.canvas);
	int64_t now = (int64_t)now_ns();

	f->kind = "surface_canvas";
	f->is_scripted = false;
	slot_set(f->ui, SLOT_FLAGS, FLAG_CANVAS);
	slot_set(f->ui, SLOT_VSYNC_ID, -1);
	for (unsigned i = 0; i < sizeof(at_vsync) / sizeof(*at_vsync); i++)
		slot_set(f->ui, at_vsync[i], now);
	slot_set(f->ui, SLOT_DEADLINE, INT64_MAX);
	slot_set(f->ui, SLOT_START, now);
	slot_set(f->ui, SLOT_INTERVAL, -1);
	sync_and_draw(f);
}

static void do_frame(void)
{
	struct mark input, animation, traversals;
	int64_t java[INFO_SLOTS] = { 0 };
	struct frame *f;

	if (!ui.window || (plan.scenario->turn == TURN_NEW_WINDOWS && ui.turn % WINDOW_FRAMES == 0))
		ui.window = window_new();
	f = new_frame(ui.window);
	if (plan.scenario->turn == TURN_NEW_WINDOWS)
		f->is_scripted = ui.turn % WINDOW_FRAMES == 0;
	set_vsync(java);
	ui.looper.message->vsync_id = layout >= 22 ? slot_get(java, SLOT_VSYNC_ID) : -1;
	input = stage(f, java, SLOT_HANDLE_INPUT, STAGE_INPUT_HANDLING);
	frame_spend_since(f, STAGE_UNKNOWN_DELAY, ui.looper.vsync_ns, &ui.looper.before, &input);
	animation = stage(f, java, SLOT_ANIMATION, STAGE_ANIMATION);
	frame_spend(f, STAGE_INPUT_HANDLING, &input, &animation);
	slot_set(java, SLOT_TRAVERSALS, (int64_t)now_ns());
	traversals = mark_now();
	frame_spend(f, STAGE_ANIMATION, &animation, &traversals);
	traverse(f, java, &traversals);
	if (plan.scenario->turn == TURN_TWO_WINDOWS) {
		if (!ui.second)
			ui.second = window_new();
		f = new_frame(ui.second);
		/* To it, all that the first one's frame takes is layout. */
		f->stage = STAGE_LAYOUT_MEASURE;
		f->is_scripted = false;
		traverse(f, java, &traversals);
	}
	if (plan.scenario->turn == TURN_CANVAS) {
		if (!ui.canvas)
			ui.canvas = window_new();
		draw_canvas();
	}
	work_a_little(); /* the commit callbacks */
}

/* A message that is still running when the vsync comes. */
static void long_message(void)
{
	uint64_t vsync_ns = ui.looper.armed_ns;
	uint64_t end_ns = vsync_ns + plan.period_ns * plan.scenario->percent / 100;
	uint64_t now = now_ns();

	looper_poll(&ui.looper,
		    now + EARLY_NS < vsync_ns ? (int)((vsync_ns - EARLY_NS - now) / MS) : 0);
	work_until(end_ns);
}

static void wait_for_vsync(void)
{
	bool is_long = plan.scenario->turn == TURN_LONG_MESSAGE;

	looper_ask_vsync(&ui.looper, now_ns() + (is_long ? EARLY_NS + MS : 0));
	if (is_long)
		long_message();
	while (!ui.looper.has_vsync)
		looper_poll(&ui.looper, -1);
	ui.looper.has_vsync = false;
}

void ui_play(const struct scenario *s)
{
	unsigned frames = s->frames ? s->frames : plan.frames;

	plan.scenario = s;
	plan.period_ns = 1000000000u / (s->hz ? s->hz : 60);
	vsync_period(plan.period_ns);
	work_start();
	if (s->turn == TURN_RT_ANIMATION) {
		if (!ui.window)
			ui.window = window_new();
		render_animate(ui.window, frames);
		while (render_is_animating())
			looper_poll(&ui.looper, 100);
	} else {
		for (ui.turn = 0; ui.turn < frames; ui.turn++) {
			wait_for_vsync();
			do_frame();
		}
	}
	while (!backend_is_idle())
		looper_poll(&ui.looper, 1);
	work_stop();
}
