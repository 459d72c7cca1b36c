// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* RenderThread, and the slots that it fills in. */
#include "standins/android/render.h"

#include <pthread.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "standins/android/api.h"
#include "standins/android/backend.h"
#include "standins/android/looper.h"
#include "standins/android/ui.h"
#include "standins/android/window.h"
#include "standins/android/work.h"
#include "standins/truth.h"

#define POSTS_MAX 4

static struct {
	pthread_t thread;
	pthread_mutex_t mutex;
	struct looper looper;
	struct window *posts[POSTS_MAX];
	unsigned nr_posts;
	_Atomic unsigned nr_animations; /* frames that are still to be made */
	struct window *animated;
	_Atomic bool stops;
} rt = { .mutex = PTHREAD_MUTEX_INITIALIZER };

static struct mark synced; /* at the end of the last dequeue */
static struct mark busy_since; /* at the last frame's begin of drawing */

static struct window *next_post(void)
{
	struct window *w = NULL;

	pthread_mutex_lock(&rt.mutex);
	if (rt.nr_posts) {
		w = rt.posts[0];
		memmove(rt.posts, rt.posts + 1, --rt.nr_posts * sizeof(rt.posts[0]));
	}
	pthread_mutex_unlock(&rt.mutex);
	return w;
}

static void animate(void)
{
	unsigned left = atomic_load(&rt.nr_animations);

	if (!left)
		return;
	if (rt.looper.has_vsync) {
		api.hwui->prepare_and_draw(&rt.animated->context, rt.animated);
		rt.looper.has_vsync = false;
		rt.looper.armed_ns = 0;
		if (!--left)
			ui_wake();
		atomic_store(&rt.nr_animations, left);
	}
	if (left && !rt.looper.armed_ns)
		looper_ask_vsync(&rt.looper, now_ns());
}

static void *render_main(void *arg)
{
	(void)arg;
	prctl(PR_SET_NAME, "RenderThread");
	busy_since = mark_now();
	while (!atomic_load(&rt.stops)) {
		struct window *w;

		looper_poll(&rt.looper, -1);
		while ((w = next_post()))
			api.hwui->run(&w->task);
		animate();
	}
	return NULL;
}

void render_open(void)
{
	looper_open(&rt.looper, false);
	if (pthread_create(&rt.thread, NULL, render_main, NULL))
		die(0, "can't start a thread");
}

void render_close(void)
{
	atomic_store(&rt.stops, true);
	api.utils->wake(&rt.looper);
	pthread_join(rt.thread, NULL);
}

void render_post(struct window *w)
{
	pthread_mutex_lock(&rt.mutex);
	rt.posts[rt.nr_posts++] = w;
	pthread_mutex_unlock(&rt.mutex);
	api.utils->wake(&rt.looper);
}

void render_animate(struct window *w, unsigned frames)
{
	rt.animated = w;
	rt.looper.armed_ns = 0;
	atomic_store(&rt.nr_animations, frames);
	api.utils->wake(&rt.looper);
}

bool render_is_animating(void)
{
	return atomic_load(&rt.nr_animations) != 0;
}

void render_run(void *task)
{
	struct window *w = window_of(task);
	struct frame *f = w->posted;
	char tree_info[256] = "";
	bool draws;

	w->frame = f;
	draws = api.hwui->sync_state(task, tree_info);
	api.hwui->unblock(task);
	if (draws)
		api.hwui->draw(&w->context, false);
	else
		memcpy(f->slots, f->info, sizeof(f->slots));
}

bool render_sync_state(void *task, void *info)
{
	struct window *w = window_of(task);

	api.hwui->prepare_tree(&w->context, info, w->frame->ui,
			       slot_get(w->frame->ui, SLOT_SYNC_QUEUED), w);
	return strcmp(w->frame->kind, "skipped") != 0;
}

/* The frame is given up; the next one takes its FrameInfo. */
static void skip(struct frame *f)
{
	slot_set(f->info, SLOT_FLAGS, slot_get(f->info, SLOT_FLAGS) | FLAG_SKIPPED);
	f->kind = "skipped";
	f->is_scripted = false;
	if (layout >= 24) {
		char text[64];

		snprintf(text, sizeof(text), "Frame skipped: %s", f->skip_reason);
		api.cutils->instant(text);
	}
}

void render_prepare_tree(void *context, void *info, int64_t *ui_slots, int64_t sync_queued_ns,
			 void *root)
{
	struct window *w = window_of(context);
	struct frame *f = w->frame;
	struct mark begin, prepared;

	(void)info;
	(void)root;
	f->render_tid = gettid();
	f->info = window_info(w);
	memcpy(f->info, ui_slots, layout_ui_slots() * sizeof(*ui_slots));
	slot_set(f->info, SLOT_SYNC_QUEUED, sync_queued_ns);
	slot_set(f->info, SLOT_SYNC, (int64_t)now_ns());
	begin = mark_now();
	frame_spend_since(f, STAGE_RENDER_QUEUE, (uint64_t)sync_queued_ns, &busy_since, &begin);
	work(f, STAGE_SYNC_PREPARE);
	prepared = mark_now();
	frame_spend(f, STAGE_SYNC_PREPARE, &begin, &prepared);
	if (work_is_void(f)) {
		skip(f);
		return;
	}
	if (api.hwui->reserve_next(&w->reliable))
		skip(f);
	synced = mark_now();
	frame_spend(f, STAGE_SYNC_DEQUEUE, &prepared, &synced);
}

static void wait_for_release(struct buffer *b)
{
	if (b->fence < 0)
		return;
	backend_waits(b);
	api.sync_wait(b->fence, -1);
	close(b->fence);
	b->fence = -1;
}

/* What FrameTimelineInfo begins with: from Android 14 on it is a Parcelable. */
static void set_timeline(struct window *w, int64_t vsync_id)
{
	const struct {
		const void *vtable;
		int64_t vsync_id;
		int32_t input_event;
		int64_t start_ns;
	} info = { .vtable = &rt, .vsync_id = vsync_id };

	if (api.gui->set_timeline && vsync_id != -1)
		api.gui->set_timeline(&w->surface, w->frame_number,
				      layout >= 24 ? (const void *)&info : &info.vsync_id);
}

/* In Vulkan HWUI hands the buffer over by itself, in GL the driver does when told to swap. */
static void hand_over(struct window *w, struct frame *f)
{
	if (plan.vulkan) {
		work(f, STAGE_SWAP_BUFFERS);
		slot_set(f->info, SLOT_SUBMITTED, (int64_t)now_ns());
	}
	f->queue_ns = now_ns();
	if (plan.vulkan)
		api.gui->queue(&w->surface, w->reserved, backend_acquire_fence(f));
	else
		api.swap(&rt, &w->surface, NULL, 0);
	f->queue_end_ns = now_ns();
	w->queue_ns = (int64_t)(f->queue_end_ns - f->queue_ns);
}

unsigned int render_swap(void *surface)
{
	struct window *w = window_of(surface);

	work(w->frame, STAGE_SWAP_BUFFERS);
	api.gui->queue(surface, w->reserved, backend_acquire_fence(w->frame));
	return 1;
}

void render_draw(void *context, bool solely_textures)
{
	struct window *w = window_of(context);
	struct frame *f = w->frame;
	struct mark issued, swapped;
	void *buffer;
	int fence;

	(void)solely_textures;
	slot_set(f->info, SLOT_ISSUE, (int64_t)now_ns());
	slot_set(f->info, SLOT_INTERVAL, (int64_t)plan.period_ns);
	busy_since = mark_now();
	frame_spend(f, STAGE_SYNC_PREPARE, &synced, &busy_since);
	api.gui->hook_dequeue(&w->surface, &buffer, &fence);
	wait_for_release(buffer);
	work(f, STAGE_COMMAND_ISSUE);
	f->frame_number = w->frame_number;
	set_timeline(w, f->vsync_id);
	w->frame_number++;
	slot_set(f->info, SLOT_SWAP, (int64_t)now_ns());
	slot_set(f->info, SLOT_SUBMITTED, slot_get(f->info, SLOT_SWAP));
	issued = mark_now();
	frame_spend(f, STAGE_COMMAND_ISSUE, &busy_since, &issued);
	hand_over(w, f);
	slot_set(f->info, SLOT_SWAPPED, (int64_t)now_ns());
	slot_set(f->info, SLOT_DEQUEUE_TIME, w->dequeue_ns);
	slot_set(f->info, SLOT_QUEUE_TIME, w->queue_ns);
	if (layout < 22)
		slot_set(f->info, SLOT_COMPLETED, (int64_t)now_ns());
	swapped = mark_now();
	frame_spend(f, STAGE_SWAP_BUFFERS, &issued, &swapped);
	w->current = (w->current + 1) % INFOS;
	atomic_store(&f->is_drawn, true);
	if (layout < 22)
		api.hwui->finish(&w->tracker, f->info, NULL, 0, 0);
}

void render_prepare_and_draw(void *context, void *root)
{
	struct window *w = window_of(context);
	int64_t vsync_ns = (int64_t)rt.looper.vsync_ns;
	static const enum slot all[] = {
		SLOT_INTENDED_VSYNC, SLOT_VSYNC, SLOT_HANDLE_INPUT, SLOT_ANIMATION,
		SLOT_TRAVERSALS,     SLOT_DRAW,  SLOT_START,
	};
	struct frame *f = frame_new(w);
	char tree_info[256] = "";
	int64_t queued_ns;

	work_plan(f, 0);
	backend_expect();
	f->kind = "rt_animation";
	f->ui_tid = getpid();
	f->vsync_id = layout >= 22 ? rt.looper.vsync_id : -1;
	f->tracker = (uintptr_t)&w->tracker;
	f->window_number = w->number;
	for (unsigned i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		slot_set(f->ui, all[i], vsync_ns);
	slot_set(f->ui, SLOT_FLAGS, FLAG_RT_ANIMATION);
	slot_set(f->ui, SLOT_VSYNC_ID, f->vsync_id);
	slot_set(f->ui, SLOT_DEADLINE, vsync_ns + (int64_t)plan.period_ns);
	slot_set(f->ui, SLOT_INTERVAL, (int64_t)plan.period_ns);
	slot_set(f->ui, SLOT_WORKLOAD, (int64_t)plan.period_ns);
	slot_set(f->ui, SLOT_ANIMATION_TIME, -1);
	w->frame = f;
	queued_ns = (int64_t)now_ns();
	frame_spend_wait(f, STAGE_DRAW, vsync_ns, queued_ns);
	busy_since = mark_now();
	api.hwui->prepare_tree(context, tree_info, f->ui, queued_ns, root);
	api.hwui->draw(context, false);
}
