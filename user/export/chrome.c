/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Chrome JSON (Trace Event Format) for chrome://tracing and whatever else reads it: probed calls on
 * their threads; frames, stages, blocks and fences on tracks beside them, with what the rows have
 * as arguments. Times are us with three decimals, and exact.
 */
#include "export/chrome.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "output/blocks.h"
#include "output/frames.h"
#include "output/meta.h"
#include "output/stages.h"

#define POINTS_MAX 16384 /* whose names are kept */
#define TASKS_MAX 65536 /* whose names wait for the end */
#define POINT_NAME_LEN (FS_LIB_LEN + FS_SYMBOL_LEN)
#define TRACK_LEN (PRODUCER_NAME_LEN + 32)
#define BLOCK_TRACK_LEN (FS_COMM_LEN + 32)

static int begin(struct export *x)
{
	struct chrome *c = calloc(1, sizeof(*c));

	if (!c)
		return -ENOMEM;
	x->priv = c;
	line_begin(&c->line, x->out);
	fputs("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[", x->out);
	return 0;
}

static void release(struct export *x)
{
	struct chrome *c = x->priv;

	if (!c)
		return;
	for (size_t i = 0; i < c->points.room; i++)
		free(c->points.slots[i].value);
	idmap_free(&c->points);
	for (size_t i = 0; i < c->tasks.room; i++)
		free(c->tasks.slots[i].value);
	idmap_free(&c->tasks);
	chrome_lanes_free(c);
	chrome_fences_free(c);
	free(c);
}

/* The function, or where it is in its file. */
static int take_point(struct chrome *c, const struct fs_point *point)
{
	char *name = NULL, *old;

	if (!point->id || c->points.nr == POINTS_MAX)
		return 0;
	if (*point->symbol)
		name = strdup(point->symbol);
	else if (asprintf(&name, "%s@0x%" PRIx64, point->lib, (uint64_t)point->offset) < 0)
		name = NULL;
	old = idmap_get(&c->points, point->id);
	if (!name || idmap_put(&c->points, point->id, name)) {
		free(name);
		return -ENOMEM;
	}
	free(old);
	return 0;
}

static void put_return(struct chrome *c, uint64_t value)
{
	line_put(&c->line, ",\"args\":{\"ret\":\"");
	line_took(&c->line, text_hex_digits(line_room(&c->line, TEXT_DIGITS), value));
	line_put(&c->line, "\"}");
}

static void put_span(struct chrome *c, const struct fs_span *span)
{
	const struct chrome_at at = { span->h.tgid, span->h.tid, span->entry_ns };
	const char *name = span->point ? idmap_get(&c->points, span->point) : NULL;
	char number[32];

	if (span->entry_ns > span->h.time_ns)
		return;
	if (!name)
		snprintf(number, sizeof(number), "point %" PRIu32, span->point);
	chrome_begin(c, 'X', &at, "call", name ? name : number);
	chrome_duration(c, span->h.time_ns - span->entry_ns);
	if (span->flags & FS_OPEN)
		line_put(&c->line, ",\"args\":{\"open\":1}");
	else
		put_return(c, (uint64_t)span->ret);
	chrome_end(c);
}

/* A thread is called several things one after the other; viewers take what comes last. */
struct task {
	uint32_t tgid;
	char comm[FS_COMM_LEN];
};

static void put_task(struct chrome *c, uint32_t tid, const struct task *task)
{
	chrome_metadata(c, task->tgid, tid, "thread_name", task->comm);
	if (tid == task->tgid)
		chrome_metadata(c, task->tgid, tid, "process_name", task->comm);
}

/* One with the number of another process's thread is not that thread. */
static int take_task(struct chrome *c, const struct fs_task *rec)
{
	struct task *task = idmap_get(&c->tasks, rec->h.tid), now = { .tgid = rec->h.tgid };

	if (!*rec->comm || !rec->h.tgid || !rec->h.tid)
		return 0;
	memcpy(now.comm, rec->comm, sizeof(now.comm) - 1);
	if (!task && c->tasks.nr == TASKS_MAX) {
		put_task(c, rec->h.tid, &now);
		return 0;
	}
	if (!task) {
		task = malloc(sizeof(*task));
		if (!task || idmap_put(&c->tasks, rec->h.tid, task)) {
			free(task);
			return -ENOMEM;
		}
	} else if (task->tgid != now.tgid) {
		put_task(c, rec->h.tid, task);
	}
	*task = now;
	return 0;
}

/* A trace of others may not say how its clock relates to others. */
static const char *clock_name(const struct export *x)
{
	json_t *meta = meta_parse(model_meta(x->model));
	const char *clock = meta_string(meta, "clock");
	bool monotonic = !meta_string(meta, "source") || (clock && !strcmp(clock, "monotonic"));

	json_decref(meta);
	return monotonic ? "CLOCK_MONOTONIC" : "the trace's own";
}

static int end(struct export *x)
{
	const struct model_stats *s = model_stats(x->model);
	struct chrome *c = x->priv;

	for (size_t i = 0; i < c->tasks.room; i++)
		if (c->tasks.slots[i].id)
			put_task(c, c->tasks.slots[i].id, c->tasks.slots[i].value);
	fprintf(x->out,
		"\n],\"otherData\":{\"schema\":\"framescope.chrome/1\","
		"\"framescope\":\"" FRAMESCOPE_VERSION "\",\"clock\":\"%s\"",
		clock_name(x));
	if (s->realtime_offset_ns)
		fprintf(x->out, ",\"realtime_offset_ns\":%" PRIu64, s->realtime_offset_ns);
	if (s->start_ns)
		fprintf(x->out, ",\"start_ns\":%" PRIu64, s->start_ns);
	if (s->stop_ns)
		fprintf(x->out, ",\"stop_ns\":%" PRIu64, s->stop_ns);
	fputs("}}\n", x->out);
	return 0;
}

static int record(struct export *x, const struct fs_header *rec)
{
	struct chrome *c = x->priv;

	switch (rec->kind) {
	case FS_KIND_POINT:
		return take_point(c, (const struct fs_point *)rec);
	case FS_KIND_SPAN:
		put_span(c, (const struct fs_span *)rec);
		return 0;
	case FS_KIND_TASK:
		return take_task(c, (const struct fs_task *)rec);
	default:
		return 0;
	}
}

/* Those of one thread, or the GPU's: a track is taken for all of them together. */
static void put_stages(struct chrome *c, const struct frame *f, enum stage_thread whose,
		       const char *what)
{
	const struct producer *p = f->producer;
	const struct hwui_frame *hf = &f->hwui;
	uint64_t from = UINT64_MAX, to = 0, last = 0, tid;
	char track[TRACK_LEN];

	for (unsigned i = 0; i < STAGE_NR; i++) {
		const struct stage_edges *edges = &hf->stage_edges[i];

		if (stage_thread((enum stage)i) != whose || !(hf->stages_known & 1u << i))
			continue;
		from = edges->from_ns < from ? edges->from_ns : from;
		to = edges->to_ns > to ? edges->to_ns : to;
	}
	if (from > to)
		return;
	snprintf(track, sizeof(track), "%s %s", what, p->name);
	tid = chrome_lane(c, p->pid, track, from, to);
	for (unsigned i = 0; i < STAGE_NR; i++) {
		const struct stage_edges *edges = &hf->stage_edges[i];

		if (stage_thread((enum stage)i) != whose || !(hf->stages_known & 1u << i))
			continue;
		/* Slots in no order make stages that no track has room for. */
		if (edges->from_ns < last && i != STAGE_SYNC_DEQUEUE)
			continue;
		chrome_slice(c, &(struct chrome_slice){
					.pid = p->pid,
					.tid = tid,
					.track = track,
					.category = "stage",
					.name = stage_name((enum stage)i),
					.from_ns = edges->from_ns,
					.to_ns = edges->to_ns,
					.columns = stages_view.columns,
					.row = &(struct stage_row){ f, (enum stage)i },
				});
		last = edges->to_ns > last ? edges->to_ns : last;
	}
}

static int frame(struct export *x, const struct frame *f)
{
	const struct producer *p = f->producer;
	struct chrome *c = x->priv;
	char track[TRACK_LEN], name[EXPORT_FRAME_LEN];

	snprintf(track, sizeof(track), "frames %s", p->name);
	export_frame_name(name, f);
	chrome_slice(c, &(struct chrome_slice){
				.pid = p->pid,
				.tid = chrome_lane(c, p->pid, track, f->start_ns, f->end_ns),
				.track = track,
				.category = "frame",
				.name = name,
				.from_ns = f->start_ns,
				.to_ns = f->end_ns,
				.columns = frames_view.columns,
				.row = &(struct frame_row){ .frame = f },
			});
	put_stages(c, f, STAGE_OF_UI, "UI stages");
	put_stages(c, f, STAGE_OF_RENDER, "render stages");
	put_stages(c, f, STAGE_OF_GPU, "GPU");
	if (f->has_depth) {
		snprintf(track, sizeof(track), "queue depth %s", p->name);
		chrome_counter(c, &(struct chrome_at){ .pid = p->pid, .ns = f->asked_ns }, "frame",
			       track, "buffers", f->queue_depth);
	}
	return c->error;
}

/* "RenderThread 1234 blocked" */
static void block_track(char track[static BLOCK_TRACK_LEN], const struct block *b)
{
	size_t len = strnlen(b->comm, FS_COMM_LEN);
	char *at = track;

	memcpy(at, b->comm, len);
	at += len;
	*at++ = ' ';
	at = text_digits(at, b->tid);
	memcpy(at, " blocked", sizeof(" blocked"));
}

/* Beside their thread, in whose calls they would not always nest. */
static int block(struct export *x, const struct block *b)
{
	struct chrome *c = x->priv;
	struct fence_name fence = { 0 };
	bool preempted = b->why.cause == BUDGET_RUNNABLE;
	uint64_t blocked_to = preempted ? b->in_ns : block_end_ns(b);
	char track[BLOCK_TRACK_LEN];
	struct chrome_slice s = {
		.pid = b->pid,
		.track = track,
		.category = "blocked",
		.name = budget_part_name(b->why.cause),
		.from_ns = b->out_ns,
		.to_ns = blocked_to,
		.columns = blocks_view.columns,
		.row = &(struct block_row){ .block = b, .name = &fence },
	};
	struct chrome_at signal;

	block_track(track, b);
	s.tid = chrome_lane(c, b->pid, track, b->out_ns, b->in_ns);
	if (b->has_fence)
		model_fence_name(x->model, b->fence.context, &fence);
	chrome_slice(c, &s);
	if (s.tid && s.to_ns < b->in_ns) {
		chrome_begin(c, 'X', &(struct chrome_at){ s.pid, s.tid, s.to_ns }, "blocked",
			     budget_part_name(BUDGET_RUNNABLE));
		chrome_duration(c, b->in_ns - s.to_ns);
		chrome_end(c);
	}
	/* A nanosecond before their ends: an arrow goes to what encloses it. */
	if (s.tid && blocked_to > b->out_ns && b->has_fence && !b->why.timed_out &&
	    chrome_fence_signal(c, b->fence, b->out_ns + 1, blocked_to, &signal)) {
		signal.ns--;
		chrome_flow(c, &signal, &(struct chrome_at){ s.pid, s.tid, blocked_to - 1 },
			    "signal");
	}
	return c->error;
}

const struct export_ops export_chrome = {
	.name = "chrome",
	.begin = begin,
	.record = record,
	.frame = frame,
	.block = block,
	.fence_begun = chrome_fence_begun,
	.fence_ended = chrome_fence_ended,
	.fence_left = chrome_fence_left,
	.end = end,
	.free = release,
};
