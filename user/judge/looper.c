/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* UIThreadMonitor's view of a message, and the arithmetic of FPSCollector. */
#include "judge/looper.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "judge/java.h"

/* What Matrix takes for the display's interval if it can't ask. */
#define FALLBACK_NS 16666667

#define SLICE_MS 10000
#define MOST_FPS 60.0f

void looper_task(const struct message *msg, struct looper_task *task)
{
	int64_t jitter;

	*task = (struct looper_task){
		.contains_frame = msg->frames != 0,
		.known = !msg->frames || msg->intended_vsync_ns,
		.intended_ns = msg->frames ? msg->intended_vsync_ns : msg->from_ns,
		.has_costs = msg->input_ns != 0,
	};
	if (task->has_costs) {
		task->input_ns = msg->animation_ns - msg->input_ns;
		task->animation_ns = msg->traversals_ns - msg->animation_ns;
		task->traversal_ns = msg->to_ns - msg->traversals_ns;
	}
	if (task->known) {
		jitter = (int64_t)(msg->to_ns - task->intended_ns);
		task->dropped = (int32_t)(jitter / LOOPER_INTERVAL_NS);
	}
}

void looper_window_init(struct looper_window *w, const struct matrix_config *config,
			const char *scene)
{
	*w = (struct looper_window){ .config = config };
	snprintf(w->scene, sizeof(w->scene), "%s", scene);
}

static void collect(struct looper_window *w, int32_t dropped)
{
	float interval_ms = (float)(w->interval_ns ? w->interval_ns : FALLBACK_NS) / 1000000.0f;
	enum matrix_level level = matrix_level(w->config, dropped);
	float cost = (float)((int64_t)dropped + 1) * interval_ms;

	/* Into a long: each frame's fraction is lost. */
	w->frame_cost_ms = java_long((float)w->frame_cost_ms + cost);
	w->now.frames++;
	w->now.level[level]++;
	w->now.sum[level] += dropped > 0 ? dropped : 0;
	w->now.dropped += dropped;
}

static void add_task(struct looper_report *r, const struct message *msg,
		     const struct looper_task *task)
{
	r->tasks++;
	r->tasks_with_frame += task->contains_frame;
	r->task_ns += msg->to_ns - msg->from_ns;
	if (!task->has_costs)
		return;
	r->costs++;
	r->input_ns += task->input_ns;
	r->animation_ns += task->animation_ns;
	r->traversal_ns += task->traversal_ns;
}

bool looper_window_add(struct looper_window *w, const struct message *msg, struct looper_report *r)
{
	struct looper_task task;

	looper_task(msg, &task);
	if (!w->interval_ns)
		w->interval_ns = msg->interval_ns;
	if (!w->now.begin_ns)
		w->now.begin_ns = msg->from_ns;
	w->now.end_ns = msg->to_ns;
	w->now.left_out += !task.known;
	add_task(&w->now, msg, &task);
	if (!task.contains_frame || !task.known)
		return false;
	collect(w, task.dropped);
	return w->frame_cost_ms >= SLICE_MS && looper_window_flush(w, r);
}

bool looper_window_flush(struct looper_window *w, struct looper_report *r)
{
	float fps;

	if (!w->now.begin_ns)
		return false;
	*r = w->now;
	r->scene = w->scene;
	if (r->frames) {
		fps = 1000.0f * (float)r->frames / (float)w->frame_cost_ms;
		r->fps = fps < MOST_FPS ? fps : MOST_FPS;
	}
	w->now = (struct looper_report){ 0 };
	w->frame_cost_ms = 0;
	return true;
}

int looper_add(struct looper *l, const struct message *msg, struct looper_report *r)
{
	struct looper_window *w = roster_get(&l->windows, msg->tid);

	/* With another name it is another program: the one before has ended, or become it. */
	if (!w || strcmp(w->scene, msg->process) != 0) {
		w = roster_add(&l->windows, msg->tid, sizeof(*w));
		if (!w)
			return -ENOMEM;
		looper_window_init(w, l->config, msg->process);
	}
	return looper_window_add(w, msg, r);
}

int looper_finish(struct looper *l, struct looper_report *r)
{
	for (unsigned i = 0; i < l->windows.nr; i++) {
		if (looper_window_flush(l->windows.entries[i], r))
			return 1;
	}
	return 0;
}

void looper_free(struct looper *l)
{
	roster_free(&l->windows);
}
