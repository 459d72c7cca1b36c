/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What the model makes of the records, as slices: a producer's frames with their columns, the
 * stages of HWUI's, and for what a thread was blocked.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "export/perfetto.h"
#include "output/blocks.h"
#include "output/frames.h"
#include "stream/record.h"

static void begin_slice(struct packets *p, uint64_t ns, uint64_t track, const char *category)
{
	event_begin(p, PERFETTO__TRACK_EVENT__TYPE__TYPE_SLICE_BEGIN, ns, track);
	event_category(p, category);
}

static void put_end(struct packets *p, uint64_t ns, uint64_t track)
{
	event_begin(p, PERFETTO__TRACK_EVENT__TYPE__TYPE_SLICE_END, ns, track);
	event_end(p);
}

struct out_producer *perfetto_producer(struct perfetto *o, const struct producer *p)
{
	struct out_producer *producer = idmap_get(&o->producers, p->id);

	if (producer)
		return producer;
	producer = calloc(1, sizeof(*producer));
	if (!producer || idmap_put(&o->producers, p->id, producer)) {
		free(producer);
		return NULL;
	}
	producer->parent = process_track(&o->tracks, p->pid);
	snprintf(producer->name, sizeof(producer->name), "frames %s", p->name);
	if (p->pid && *p->process)
		tracks_name(&o->tracks, o->now_ns, p->pid, p->pid, 0, p->process);
	return producer;
}

void perfetto_frames_free(struct perfetto *o)
{
	for (size_t i = 0; i < o->producers.room; i++) {
		struct out_producer *p = o->producers.slots[i].value;

		if (!o->producers.slots[i].id)
			continue;
		lanes_free(&p->frames);
		free(p);
	}
	idmap_free(&o->producers);
}

/* A column that was observed; those whose names are literals, which they all are. */
static void put_cell(struct packets *p, const char *name, const struct cell *c)
{
	char text[32];
	int len;

	switch (c->kind) {
	case CELL_ABSENT:
		break;
	case CELL_NUMBER:
		note_uint(p, name, c->number);
		break;
	case CELL_SIGNED:
		note_int(p, name, (int64_t)c->number);
		break;
	case CELL_THOUSANDTHS:
		len = snprintf(text, sizeof(text), "%" PRIu64 ".%03" PRIu64, c->number / 1000,
			       c->number % 1000);
		note_once(p, name, text, (size_t)len);
		break;
	case CELL_TEXT:
		note_once(p, name, c->text, strlen(c->text));
		break;
	case CELL_WORD:
		note_once(p, name, c->word, c->word_len);
		break;
	}
}

static void put_columns(struct perfetto *o, const struct frame *f)
{
	const struct frame_row row = { .frame = f };
	struct cell cell;

	for (const struct listing_column *c = frames_view.columns; c->name; c++) {
		listing_get(c, &row, &cell);
		put_cell(o->packets, c->name, &cell);
	}
}

static void put_frame(struct perfetto *o, struct out_producer *producer, const struct frame *f)
{
	struct packets *p = o->packets;
	char name[EXPORT_FRAME_LEN];
	uint64_t from = f->start_ns, to = f->end_ns;
	const struct lane_place place = {
		.parent = producer->parent,
		.name = producer->name,
		.rank = 0,
	};
	uint64_t track = lanes_take_any(&o->tracks, &producer->frames, &place, &from, &to);

	if (!track)
		return;
	export_frame_name(name, f);
	begin_slice(p, from, track, "frame");
	event_name_once(p, name);
	put_columns(o, f);
	event_end(p);
	put_end(p, to, track);
}

/* The names of a budget's parts, as columns have them. */
static const struct listing_column parts[BUDGET_NR] = { BUDGET_COLUMNS(NULL) };

static void put_stage(struct perfetto *o, const struct frame *f, enum stage stage)
{
	const struct stage_edges *edges = &f->hwui.stage_edges[stage];
	const struct budget *budget = &f->hwui.stages[stage];
	uint32_t tid =
		stage_thread(stage) == STAGE_OF_UI ? f->hwui.ui_tid : f->producer->render_tid;
	struct out_thread *thread = tracks_thread(&o->tracks, tid, f->producer->pid);
	uint64_t from = edges->from_ns, to = edges->to_ns;
	struct packets *p = o->packets;
	uint64_t track;

	if (!thread || from > to)
		return;
	track = thread_lane_any(&o->tracks, thread, LANES_STAGES, &from, &to);
	if (!track)
		return;
	begin_slice(p, from, track, "stage");
	event_name(p, stage_name(stage));
	note_uint(p, "frame", f->number);
	note_string(p, "producer", f->producer->name, strlen(f->producer->name));
	for (unsigned i = 0; i < BUDGET_NR; i++)
		if (budget->ns[i])
			note_uint(p, parts[i].name, budget->ns[i]);
	event_end(p);
	put_end(p, to, track);
}

/* The GPU's stage is that of a fence, which has a slice of its own. */
static void put_stages(struct perfetto *o, const struct frame *f)
{
	for (unsigned i = 0; i < STAGE_NR; i++)
		if (f->hwui.stages_known & 1u << i && stage_thread((enum stage)i) != STAGE_OF_GPU)
			put_stage(o, f, (enum stage)i);
}

/* The depth is as it was when the frame's buffer was asked for. */
static void put_depth(struct perfetto *o, struct out_producer *producer, const struct frame *f)
{
	char name[sizeof(producer->name) + 16];

	if (!f->has_depth || f->asked_ns < producer->depth_ns)
		return;
	if (!producer->depth_track) {
		snprintf(name, sizeof(name), "queue depth %s", f->producer->name);
		producer->depth_track =
			track_new(&o->tracks, producer->parent, name, 1, COUNTER_COUNT);
	}
	producer->depth_ns = f->asked_ns;
	event_begin(o->packets, PERFETTO__TRACK_EVENT__TYPE__TYPE_COUNTER, f->asked_ns,
		    producer->depth_track);
	event_counter(o->packets, f->queue_depth);
	event_end(o->packets);
}

int perfetto_frame(struct perfetto *o, const struct frame *f)
{
	struct out_producer *producer = perfetto_producer(o, f->producer);

	if (!producer)
		return -ENOMEM;
	put_frame(o, producer, f);
	put_stages(o, f);
	put_depth(o, producer, f);
	perfetto_buffers_frame(o, producer, f);
	return 0;
}

static void note_name(struct packets *p, const char *name, const char *text, size_t room)
{
	if (*text)
		note_string(p, name, text, strnlen(text, room));
}

static void put_fence(struct perfetto *o, struct fence_id id)
{
	struct packets *p = o->packets;
	struct fence_name name;

	model_fence_name(o->x->model, id.context, &name);
	note_uint(p, "fence_context", id.context);
	note_uint(p, "fence_seqno", id.seqno);
	note_name(p, "fence_driver", name.driver, sizeof(name.driver));
	note_name(p, "fence_timeline", name.timeline, sizeof(name.timeline));
}

static void put_why(struct perfetto *o, const struct block *b)
{
	const struct blocker *why = &b->why;
	bool preempted = why->cause == BUDGET_RUNNABLE;
	struct packets *p = o->packets;
	const char *call = record_call_name(why->call), *file = record_file_name(why->file);

	if (why->peer_tid) {
		note_name(p, preempted ? "taker" : "waker", why->peer_comm, FS_COMM_LEN);
		note_uint(p, preempted ? "taker_tid" : "waker_tid", why->peer_tid);
	}
	if (why->context)
		note_fixed(p, "waker_context", record_context_name(why->context));
	if (call && why->call)
		note_fixed(p, "call", call);
	if (file && why->file)
		note_fixed(p, "file", file);
	if (why->fd >= 0)
		note_int(p, "fd", why->fd);
	note_fixed(p, "confidence", confidence_name(why->confidence));
	if (why->timed_out)
		note_uint(p, "timed_out", 1);
}

/* What it was blocked for up to its waking, and from there on its wait for a CPU. */
int perfetto_block(struct perfetto *o, const struct block *b)
{
	struct out_thread *thread = tracks_thread(&o->tracks, b->tid, b->pid);
	struct packets *p = o->packets;
	bool preempted = b->why.cause == BUDGET_RUNNABLE;
	uint64_t from = b->out_ns, to = b->in_ns, woken, track;

	if (!thread)
		return 0;
	track = thread_lane_any(&o->tracks, thread, LANES_BLOCKED, &from, &to);
	if (!track)
		return 0;
	woken = preempted ? to : block_end_ns(b);
	woken = woken < from ? from : woken;
	begin_slice(p, from, track, "blocked");
	event_name(p, budget_part_name(b->why.cause));
	put_why(o, b);
	if (b->has_fence)
		put_fence(o, b->fence);
	event_end(p);
	put_end(p, woken, track);
	if (woken >= to)
		return 0;
	begin_slice(p, woken, track, "blocked");
	event_name(p, budget_part_name(BUDGET_RUNNABLE));
	note_fixed(p, "confidence", confidence_name(CONF_EXACT));
	event_end(p);
	put_end(p, to, track);
	return 0;
}
