// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The queue of frames that wait for what becomes known later. */
#include "model/outbox.h"

#include <stdlib.h>

#include "model/frame_timeline.h"
#include "model/stages.h"

static void make_stages(struct model *m, struct waiting_frame *w)
{
	if (!w->staged)
		stages_fill(m, w);
	w->staged = true;
}

/* The vsync id that it was given, which is FrameTimeline's token; 0: it is not known. */
static int64_t token_of(const struct waiting_frame *w)
{
	const struct hwui_frame *f = &w->f.hwui;

	/* Another window's frame may have it, but nothing of this one was shown. */
	if (f->kind == FRAME_SKIPPED)
		return 0;
	if (slot_known(&f->slots, SLOT_VSYNC_ID))
		return f->slots.ns[SLOT_VSYNC_ID];
	return w->work.vsync_id;
}

static void send(struct model *m, struct waiting_frame *w)
{
	make_stages(m, w);
	frame_timeline_take(m, &w->f, token_of(w));
	m->stats.frames++;
	m->stats.hwui_frames += w->f.hwui.kind != FRAME_PLAIN;
	if (m->sink.frame)
		m->sink.frame(m->sink.ctx, &w->f);
}

static struct waiting_frame *at(const struct outbox *o, unsigned i)
{
	return &o->frames[(o->head + i) % OUTBOX_MAX];
}

static bool has_vsync(const struct waiting_frame *w)
{
	return slot_known(&w->f.hwui.slots, SLOT_INTENDED_VSYNC);
}

/* Has FrameTimeline said all that it will? */
static bool is_told(const struct model *m, const struct waiting_frame *w)
{
	/* A trace of others does not have the intended vsync; what does need not be one. */
	if (!m->timelines && has_vsync(w))
		return true;
	return frame_timeline_ready(m, w->f.producer, token_of(w));
}

/* Is there all that its stages follow from? */
static bool may_stage(const struct model *m, struct waiting_frame *w)
{
	if ((w->f.has_acquire && !w->f.acquire_signal_ns) || w->unfinished)
		return false;
	/* FrameTimeline may know its beginning. */
	return w->staged || (stages_ready(m, w) && (has_vsync(w) || is_told(m, w)));
}

static bool is_ready(const struct model *m, struct waiting_frame *w)
{
	return w->settled && may_stage(m, w) && is_told(m, w);
}

/*
 * Before it is forgotten what the threads did then: for a buffer that does not come back, frames
 * may wait longer. To a frame without a FrameInfo one may still come.
 */
static void stage_held(struct model *m)
{
	struct outbox *o = &m->outbox;

	for (unsigned i = 0; i < o->nr; i++) {
		struct waiting_frame *w = at(o, i);

		if (!w->staged && (w->f.hwui.whole || w->f.hwui.kind == FRAME_SKIPPED) &&
		    may_stage(m, w))
			make_stages(m, w);
	}
}

static void send_first(struct model *m)
{
	struct outbox *o = &m->outbox;

	send(m, at(o, 0));
	o->head = (o->head + 1) % OUTBOX_MAX;
	o->nr--;
}

static void send_ready(struct model *m)
{
	m->outbox.changed = false;
	while (m->outbox.nr && is_ready(m, at(&m->outbox, 0)))
		send_first(m);
	stage_held(m);
}

void outbox_changed(struct model *m)
{
	m->outbox.changed = true;
}

/* Its queue depth, if that can be said by now, or never will. */
static void settle(const struct model *m, struct waiting_frame *w)
{
	unsigned depth;

	switch (window_depth(&w->taken, &m->fences, &depth)) {
	case DEPTH_NOT_YET:
		return;
	case DEPTH_KNOWN:
		w->f.has_depth = true;
		w->f.queue_depth = depth;
		break;
	case DEPTH_UNKNOWN:
		break;
	}
	w->settled = true;
}

static struct hwui *hwui_of(const struct model *m, uint32_t tgid)
{
	const struct process *p = idmap_get(&m->processes, tgid);

	return p ? p->hwui : NULL;
}

static void take_finished(struct waiting_frame *w, struct finished *finished)
{
	struct hwui_frame *f = &w->f.hwui;

	f->whole = true;
	f->slots = finished->slots;
	f->deadline_after_ns = finished->deadline_after_ns;
	f->jank_tracker = finished->jank_tracker;
	f->frame_number = finished->frame_number;
	finished->used = true;
	w->unfinished = false;
}

void outbox_thread_ends(struct model *m, const struct thread *t)
{
	struct outbox *o = &m->outbox;

	if (!t->process || !t->process->hwui)
		return;
	for (unsigned i = 0; i < o->nr; i++) {
		struct waiting_frame *w = at(o, i);

		if (w->f.producer->pid != t->tgid)
			continue;
		if (t->tid == w->f.producer->render_tid || t->tid == t->process->hwui->ui_tid)
			make_stages(m, w);
		/* What finishes it belongs to the same process. */
		w->unfinished &= !w->staged;
	}
	o->changed = true;
}

/* What HWUI has said of the frame by now. */
static void take_work(const struct model *m, struct waiting_frame *w)
{
	struct hwui *h = hwui_of(m, w->f.producer->pid);
	struct work *work = h ? hwui_work(h, w->f.producer->render_tid, w->f.end_ns) : NULL;
	struct finished *finished = NULL;

	/* It ends one frame: what is cut off behind that, by the capture's end, is not its. */
	if (!work || work->used)
		return;
	if (w->context && work->context && w->context != work->context)
		return;
	work->used = true;
	w->work = *work;
	w->f.hwui.slots = work->ui;
	if (w->f.hwui.kind != FRAME_SKIPPED) {
		finished = hwui_finished(h, work, w->f.end_ns);
		w->unfinished = m->finishes;
	}
	if (finished)
		take_finished(w, finished);
}

void outbox_put(struct model *m, const struct waiting_frame *frame)
{
	struct waiting_frame w = *frame;
	struct outbox *o = &m->outbox;

	settle(m, &w);
	take_work(m, &w);
	if (!o->frames)
		o->frames = calloc(OUTBOX_MAX, sizeof(*o->frames));
	if (!o->frames || (!o->nr && is_ready(m, &w))) {
		send(m, &w);
		return;
	}
	if (o->nr == OUTBOX_MAX)
		send_first(m);
	*at(o, o->nr++) = w;
}

/*
 * Frames of a window are finished in their order: those before this one that have not been were
 * never shown, and will not be.
 */
static void pass_over(struct outbox *o, unsigned nr)
{
	const struct waiting_frame *done = at(o, nr);

	for (unsigned i = 0; i < nr; i++) {
		struct waiting_frame *w = at(o, i);

		if (w->f.producer == done->f.producer)
			w->unfinished = false;
	}
}

void outbox_finished(struct model *m, uint32_t tgid, struct finished *finished)
{
	struct outbox *o = &m->outbox;

	for (unsigned i = 0; i < o->nr; i++) {
		struct waiting_frame *w = at(o, i);

		if (w->f.producer->pid != tgid || !w->work.tid || w->staged || w->f.hwui.whole ||
		    w->f.hwui.kind == FRAME_SKIPPED || !hwui_is_of(finished, &w->work, w->f.end_ns))
			continue;
		take_finished(w, finished);
		pass_over(o, i);
		send_ready(m);
		return;
	}
}

void outbox_signaled(struct model *m, struct fence_id id)
{
	struct outbox *o = &m->outbox;
	const struct fence *fence = o->nr ? fences_find(&m->fences, id) : NULL;

	if (!fence)
		return;
	for (unsigned i = 0; i < o->nr; i++) {
		struct frame *f = &at(o, i)->f;

		if (f->has_acquire && fence_same(f->acquire, id)) {
			f->acquire_signal_ns = fence->signal_ns;
			f->gpu_ns = fence->hardware_ns;
		}
		if (f->has_release && fence_same(f->release, id))
			f->release_signal_ns = fence->signal_ns;
	}
	send_ready(m);
}

void outbox_dequeued(struct model *m, const struct window *w)
{
	struct outbox *o = &m->outbox;

	for (unsigned i = 0; i < o->nr; i++) {
		struct waiting_frame *waiting = at(o, i);

		if (!waiting->settled && waiting->taken.window == w)
			settle(m, waiting);
	}
	send_ready(m);
}

void outbox_tick(struct model *m, uint64_t now)
{
	struct outbox *o = &m->outbox;

	while (o->nr && now > at(o, 0)->f.end_ns && now - at(o, 0)->f.end_ns > OUTBOX_NS) {
		send_first(m);
		o->changed = true;
	}
	if (o->changed)
		send_ready(m);
}

uint64_t outbox_first_ns(const struct outbox *o, uint64_t since_ns)
{
	uint64_t first = UINT64_MAX;

	for (unsigned i = 0; i < o->nr; i++) {
		uint64_t end = at(o, i)->f.end_ns;

		if (end > since_ns && end < first)
			first = end;
	}
	return first;
}
