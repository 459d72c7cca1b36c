/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A stage lies between two slots of the FrameInfo; what its thread did meanwhile is in that
 * thread's timeline. Together the stages, where all are known, are the frame's way from its
 * intended vsync to its buffer: whatever holds up one of them holds up the frame.
 */
#include "model/stages.h"

#include <string.h>

#include "model/builder.h"
#include "model/frame_timeline.h"
#include "model/hwui.h"

struct view {
	struct frame *f;
	const struct frame_slots *slots;
	const struct work *work;
	const struct hwui *h;
	uint32_t ui_tid; /* 0: not known, or it has no part */
	const struct thread *ui; /* NULL: none, or gone */
	const struct thread *render;
	const struct time_mark *post;
	bool has_ui; /* the UI thread has a part in the frame */
	bool lossy;
};

static const struct thread *thread_of(const struct model *m, uint32_t tid, uint32_t tgid)
{
	const struct thread *t = idmap_get(&m->threads, tid);

	return t && t->tgid == tgid ? t : NULL;
}

static uint64_t slot(const struct view *v, enum frame_slot slot)
{
	return slot_known(v->slots, slot) ? (uint64_t)v->slots->ns[slot] : 0;
}

/*
 * When the frame began. Marks do not say which vsync it was meant for, only when the UI thread
 * began with it; FrameTimeline may (take_expected()).
 */
static uint64_t start_of(const struct view *v)
{
	uint64_t vsync = slot(v, SLOT_INTENDED_VSYNC);

	return vsync ? vsync : slot(v, SLOT_FRAME_START);
}

/*
 * When the frame became the RenderThread's. Before Android 13 no mark says when it was posted: then
 * it is when the RenderThread began with it.
 */
static uint64_t handed_over(const struct view *v)
{
	const struct work *work = v->work;
	uint64_t queued = slot(v, SLOT_SYNC_QUEUED);

	if (!v->has_ui)
		return start_of(v);
	if (queued)
		return queued;
	if (work->sync_entry_ns)
		return work->sync_entry_ns;
	return work->entry_ns ? work->entry_ns : work->first_ns;
}

static void look(const struct model *m, struct waiting_frame *w, struct view *v)
{
	const struct producer *producer = w->f.producer;
	const struct process *p = idmap_get(&m->processes, producer->pid);
	uint64_t queued, sync;

	*v = (struct view){
		.f = &w->f,
		.slots = &w->f.hwui.slots,
		.work = &w->work,
		.h = p ? p->hwui : NULL,
		.render = thread_of(m, producer->render_tid, producer->pid),
		.has_ui = !(w->f.hwui.slots.ns[SLOT_FLAGS] & FRAME_FLAG_RT_ANIMATION),
		.lossy = w->lossy,
	};
	if (!v->has_ui || !v->h)
		return;
	queued = slot(v, SLOT_SYNC_QUEUED);
	sync = slot(v, SLOT_SYNC_START);
	if (!sync)
		sync = v->work->sync_exit_ns ? v->work->sync_exit_ns : w->f.end_ns;
	v->post = queued ? hwui_post(v->h, queued, sync) : NULL;
	v->ui_tid = v->work->ui_tid ? v->work->ui_tid : v->h->ui_tid;
	if (v->post)
		v->ui_tid = v->post->tid;
	v->ui = thread_of(m, v->ui_tid, producer->pid);
}

/* Is it seen when the thread's messages end? */
static bool polls(const struct thread *t)
{
	return t->builder && t->builder->poll_exit_ns;
}

bool stages_ready(const struct model *m, struct waiting_frame *w)
{
	struct view v;

	if (!w->f.hwui.slots.layout)
		return true;
	look(m, w, &v);
	/* Whose thread it is becomes known when the first post returns. */
	if (v.has_ui && v.h && !v.ui_tid)
		return !m->posts;
	if (!v.has_ui || !v.ui)
		return true;
	if (!slot(&v, SLOT_SYNC_QUEUED))
		return thread_known_ns(v.ui) >= handed_over(&v);
	/* What the UI thread does when it was let go is the frame's commit. */
	return v.post && thread_known_ns(v.ui) >= v.post->to_ns &&
	       (!polls(v.ui) || hwui_message_at(v.h, v.ui_tid, v.post->to_ns));
}

/* A stage's time is that of up to two spans; the second one is empty for most. */
static void add_stage(struct view *v, enum stage stage, const struct stage_edges *spans,
		      unsigned nr)
{
	enum stage_thread whose = stage_thread(stage);
	const struct thread *t = whose == STAGE_OF_UI ? v->ui : v->render;
	const struct blocker gpu = { .cause = BUDGET_GPU, .confidence = CONF_EXACT, .fd = -1 };
	struct hwui_frame *hf = &v->f->hwui;
	struct tally tally = { .itemize = true };
	const struct blocker *blocker;

	for (unsigned i = 0; i < nr; i++) {
		uint64_t from = spans[i].from_ns, to = spans[i].to_ns;

		if (whose == STAGE_OF_GPU && to > from)
			tally_add(&tally, &gpu, to - from);
		else
			thread_tally(t, from, to, &tally);
	}
	hf->stages_known |= 1u << stage;
	hf->stages[stage] = tally.budget;
	hf->stage_edges[stage] = (struct stage_edges){ spans[0].from_ns, spans[nr - 1].to_ns };
	v->lossy |= tally.lossy;
	blockers_sort(tally.blockers, tally.nr);
	for (unsigned part = 0; part < BUDGET_NR; part++) {
		if (tally.budget.ns[part] <= hf->top_ns)
			continue;
		hf->top_stage = stage;
		hf->top_cause = (enum budget_part)part;
		hf->top_ns = tally.budget.ns[part];
		/* Nobody is blocked while the GPU draws. */
		blocker = whose == STAGE_OF_GPU
				  ? NULL
				  : blockers_find(tally.blockers, tally.nr, hf->top_cause);
		hf->has_top_blocker = blocker;
		if (blocker)
			hf->top_blocker = *blocker;
	}
	tally_free(&tally);
}

static void add_simple(struct view *v, enum stage stage, uint64_t from, uint64_t to)
{
	const struct stage_edges span = { from, to };

	if (from && to >= from)
		add_stage(v, stage, &span, 1);
}

static void ui_stages(struct view *v)
{
	static const enum frame_slot edges[] = {
		SLOT_INTENDED_VSYNC,           SLOT_HANDLE_INPUT_START, SLOT_ANIMATION_START,
		SLOT_PERFORM_TRAVERSALS_START, SLOT_DRAW_START,         SLOT_SYNC_QUEUED,
	};

	for (unsigned i = STAGE_UNKNOWN_DELAY; i <= STAGE_DRAW; i++)
		add_simple(v, (enum stage)i, slot(v, edges[i]), slot(v, edges[i + 1]));
}

static uint64_t clamp(uint64_t at, uint64_t low, uint64_t high)
{
	if (at < low)
		return low;
	return at < high ? at : high;
}

/* From SyncStart, or without it from the call, to the same of its end. */
static struct stage_edges sync_span(const struct view *v)
{
	struct stage_edges sync = { slot(v, SLOT_SYNC_START),
				    slot(v, SLOT_ISSUE_DRAW_COMMANDS_START) };

	if (!sync.from_ns || !sync.to_ns)
		sync = (struct stage_edges){ v->work->sync_entry_ns, v->work->sync_exit_ns };
	return sync;
}

static void sync_stages(struct view *v)
{
	struct hwui_frame *hf = &v->f->hwui;
	const struct work *work = v->work;
	struct stage_edges sync = sync_span(v), rest[2];

	if (!sync.from_ns || sync.to_ns < sync.from_ns)
		return;
	add_simple(v, STAGE_RENDER_QUEUE,
		   v->has_ui ? slot(v, SLOT_SYNC_QUEUED) : slot(v, SLOT_INTENDED_VSYNC),
		   sync.from_ns);
	if (!work->dequeue_entry_ns || work->dequeue_entry_ns < sync.from_ns ||
	    work->dequeue_entry_ns >= sync.to_ns) {
		add_simple(v, STAGE_SYNC_PREPARE, sync.from_ns, sync.to_ns);
		return;
	}
	rest[0] = (struct stage_edges){ sync.from_ns, work->dequeue_entry_ns };
	rest[1] = (struct stage_edges){ clamp(work->dequeue_exit_ns, sync.from_ns, sync.to_ns),
					sync.to_ns };
	add_stage(v, STAGE_SYNC_PREPARE, rest, 2);
	add_simple(v, STAGE_SYNC_DEQUEUE, rest[0].to_ns, rest[1].from_ns);
	hf->has_dequeue = true;
	hf->sync_dequeue_ns = rest[1].from_ns - rest[0].to_ns;
}

static void draw_stages(struct view *v)
{
	uint64_t swapped = slot(v, SLOT_SWAP_BUFFERS_COMPLETED);
	uint64_t done = slot(v, SLOT_GPU_COMPLETED);

	if (!v->f->hwui.whole)
		return;
	/* Before Android 12 this is the end of the draw, and nothing waits for the GPU. */
	if (v->slots->layout < SLOTS_12)
		swapped = slot(v, SLOT_FRAME_COMPLETED);
	if (!done)
		done = v->f->acquire_signal_ns;
	add_simple(v, STAGE_COMMAND_ISSUE, slot(v, SLOT_ISSUE_DRAW_COMMANDS_START),
		   slot(v, SLOT_SWAP_BUFFERS));
	add_simple(v, STAGE_SWAP_BUFFERS, slot(v, SLOT_SWAP_BUFFERS), swapped);
	if (done)
		add_simple(v, STAGE_GPU, swapped, done > swapped ? done : swapped);
}

/* The budgets of both threads, each for its own part, and who held them up on the frame's way. */
static void cut_budgets(struct view *v)
{
	struct frame *f = v->f;
	struct hwui_frame *hf = &f->hwui;
	struct tally ui = { 0 }, render = { 0 }, way = { .itemize = true };

	f->start_ns = start_of(v);
	f->render_start_ns = handed_over(v);
	if (v->has_ui) {
		hf->ui_end_ns = v->post ? v->post->to_ns : f->render_start_ns;
		thread_tally(v->ui, f->start_ns, hf->ui_end_ns, &ui);
		thread_tally(v->ui, f->start_ns, f->render_start_ns, &way);
	}
	thread_tally(v->render, f->render_start_ns, f->end_ns, &render);
	thread_tally(v->render, f->render_start_ns, f->end_ns, &way);
	hf->ui = ui.budget;
	hf->way = way.budget;
	f->render = render.budget;
	frame_take_blockers(f, &way);
	v->lossy |= way.lossy || ui.lossy;
	tally_free(&way);
}

static uint64_t birth(const struct thread *t)
{
	return t && t->started ? t->birth_ns : 0;
}

/* Its FrameInfo has not come, and may be among what was lost. */
static bool finish_lost(const struct model *m, const struct waiting_frame *w)
{
	return w->work.ui.layout && m->finishes && !w->f.hwui.whole &&
	       w->f.hwui.kind != FRAME_SKIPPED && m->stats.last_loss_ns >= w->f.end_ns;
}

static void judge_status(const struct model *m, const struct waiting_frame *w, struct view *v)
{
	struct frame *f = v->f;
	bool cut = f->start_ns < m->stats.start_ns || f->start_ns < birth(v->render) ||
		   (v->has_ui && f->start_ns < birth(v->ui));

	/* It begins where its slots say; only its end can have been cut otherwise. */
	if (cut || (f->status == FRAME_TRUNCATED && !w->work.queued && !f->hwui.whole &&
		    f->hwui.kind != FRAME_SKIPPED))
		f->status = FRAME_TRUNCATED;
	else
		f->status = v->lossy || finish_lost(m, w) ? FRAME_LOSSY : FRAME_COMPLETE;
}

static void fill_ids(struct waiting_frame *w, struct view *v)
{
	struct hwui_frame *hf = &w->f.hwui;
	uint32_t tid = v->has_ui ? v->ui_tid : w->f.producer->render_tid;
	const struct time_mark *message;

	if (hf->kind != FRAME_SKIPPED)
		hf->kind = frame_kind_of(hf->slots.ns[SLOT_FLAGS]);
	hf->ui_tid = v->ui_tid;
	memcpy(hf->skip_reason, w->work.skip_reason, sizeof(hf->skip_reason));
	if (slot_known(v->slots, SLOT_VSYNC_ID))
		hf->vsync_id = v->slots->ns[SLOT_VSYNC_ID];
	if (!v->h)
		return;
	hf->vsync_delivered_ns = hwui_vsync(v->h, tid, slot(v, SLOT_INTENDED_VSYNC));
	message = v->post ? hwui_message_at(v->h, v->ui_tid, v->post->to_ns) : NULL;
	if (message)
		hf->commit_ns = message->to_ns - v->post->to_ns;
}

/* The vsync that SurfaceFlinger expected the frame to begin with is the one it was meant for. */
static void take_expected(const struct model *m, struct waiting_frame *w)
{
	struct frame_slots *s = &w->f.hwui.slots;
	uint64_t start, deadline;

	if (s->layout != FS_LAYOUT_MARKS || w->f.hwui.kind == FRAME_SKIPPED ||
	    !slot_known(s, SLOT_VSYNC_ID) ||
	    !frame_timeline_expected(m, w->f.producer->pid, s->ns[SLOT_VSYNC_ID], &start,
				     &deadline))
		return;
	if (!start || start > (uint64_t)s->ns[SLOT_FRAME_START])
		return;
	s->ns[SLOT_INTENDED_VSYNC] = (int64_t)start;
	s->known |= 1u << SLOT_INTENDED_VSYNC;
}

void stages_fill(struct model *m, struct waiting_frame *w)
{
	struct hwui_frame *hf = &w->f.hwui;
	struct view v;

	/* How the platform calls the buffer is known by the caller's word, if not by the queue's.
	 */
	if (!hf->frame_number)
		hf->frame_number = w->work.frame_number;
	hf->vsync_id = w->work.vsync_id;
	if (!hf->slots.layout)
		return;
	take_expected(m, w);
	look(m, w, &v);
	if (handed_over(&v) >= w->f.end_ns || start_of(&v) > handed_over(&v) ||
	    slot(&v, SLOT_SYNC_QUEUED) >= w->f.end_ns) {
		m->stats.implausible++;
		hf->slots = (struct frame_slots){ 0 };
		hf->way = w->f.render;
		return;
	}
	fill_ids(w, &v);
	if (w->f.hwui.ui_tid)
		producers_set_ui(&m->producers, w->f.producer->id, w->f.hwui.ui_tid);
	cut_budgets(&v);
	if (v.has_ui)
		ui_stages(&v);
	sync_stages(&v);
	draw_stages(&v);
	judge_status(m, w, &v);
}
