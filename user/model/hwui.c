/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Keeps what HWUI's functions say of a process. Calls that are inside the one that makes a frame
 * end before it does: what they say is gathered in the current work until that one ends, too.
 */
#include "model/hwui.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "model/builder.h"
#include "model/outbox.h"

/* *out is NULL where nothing can be kept: of no process, or of one too many. */
static int get(struct model *m, const struct thread *t, struct hwui **out)
{
	struct process *p = t->process;

	*out = NULL;
	if (!p)
		return 0;
	if (!p->hwui && m->hwuis < HWUIS_MAX) {
		p->hwui = calloc(1, sizeof(*p->hwui));
		if (!p->hwui)
			return -ENOMEM;
		m->hwuis++;
	}
	*out = p->hwui;
	return 0;
}

static void remember(struct time_mark *ring, unsigned *next, uint64_t from, uint64_t to,
		     uint32_t tid)
{
	ring[(*next)++ & (TIMES_NR - 1)] = (struct time_mark){ from, to, tid };
}

/* The current work goes to the ended ones. */
static void end_work(struct hwui *h)
{
	if (h->current.tid)
		h->works[h->next_work++ & (WORKS_NR - 1)] = h->current;
	h->current = (struct work){ 0 };
}

/* The work that the thread is at; `at` is within it. */
static struct work *current(struct hwui *h, uint32_t tid, uint64_t at)
{
	struct work *w = &h->current;

	if (w->tid && w->tid != tid)
		end_work(h);
	if (!w->tid)
		*w = (struct work){ .tid = tid, .first_ns = at };
	if (at < w->first_ns)
		w->first_ns = at;
	return w;
}

/*
 * The call that makes a frame has ended. Without a buffer queued in it nothing was drawn - if the
 * UI thread's part shows that there was a frame to be drawn, nothing of it was lost, and queueing
 * would have been seen.
 */
static int end_frame(struct model *m, struct thread *t, struct hwui *h, const struct call *call)
{
	struct work *w = &h->current;
	struct work ended;

	/* What was begun is of an earlier call, whose own record was lost; or nothing was seen in
	 * it. */
	if (w->tid != t->tid || w->first_ns < call->entry_ns) {
		end_work(h);
		*w = (struct work){ .tid = t->tid, .first_ns = call->entry_ns };
	}
	w->entry_ns = call->entry_ns;
	w->exit_ns = call->exit_ns;
	ended = *w;
	end_work(h);
	if (!ended.ui.layout || ended.queued || ended.lossy || !m->stats.ends_probed)
		return 0;
	return builder_skipped(m, t, ended.context, ended.exit_ns);
}

static void note_post(struct hwui *h, const struct thread *t, const struct call *call)
{
	struct time_mark *last = &h->posts[(h->next_post - 1) & (TIMES_NR - 1)];

	h->ui_tid = t->tid;
	/* A wrapper and what it calls are one post. */
	if (h->next_post && last->tid == t->tid && last->from_ns >= call->entry_ns)
		h->next_post--;
	remember(h->posts, &h->next_post, call->entry_ns, call->exit_ns, t->tid);
}

static bool makes_frames(const struct hwui *h, const struct thread *t, uint64_t at)
{
	return h->current.tid == t->tid && at >= h->current.first_ns;
}

int hwui_call(struct model *m, struct thread *t, const struct call *call, const struct fs_span *rec)
{
	uint64_t entry = call->entry_ns, exit = call->exit_ns;
	struct hwui *h = t->process ? t->process->hwui : NULL;
	struct work *w;
	int err;

	if (call->open)
		return 0;
	switch (call->role) {
	case FS_ROLE_UI_SYNC:
	case FS_ROLE_RENDER_FRAME:
	case FS_ROLE_SYNC_STATE:
	case FS_ROLE_UI_RELEASE:
	case FS_ROLE_FRAME_TIMELINE:
	case FS_ROLE_VSYNC:
		err = get(m, t, &h);
		if (err || !h)
			return err;
		break;
	default:
		if (!h)
			return 0;
	}
	switch (call->role) {
	case FS_ROLE_UI_SYNC:
		t->builder->staged = true;
		note_post(h, t, call);
		outbox_changed(m);
		return 0;
	case FS_ROLE_VSYNC:
		if (rec->args[1] && rec->args[1] <= exit)
			remember(h->vsyncs, &h->next_vsync, rec->args[1], exit, t->tid);
		return 0;
	case FS_ROLE_SYNC_STATE:
		t->builder->staged = true;
		w = current(h, t->tid, entry);
		w->sync_entry_ns = entry;
		w->sync_exit_ns = exit;
		return 0;
	case FS_ROLE_UI_RELEASE:
		current(h, t->tid, entry);
		return 0;
	case FS_ROLE_RENDER_FRAME:
		return end_frame(m, t, h, call);
	case FS_ROLE_DEQUEUE:
		if (makes_frames(h, t, entry)) {
			h->current.dequeue_entry_ns = entry;
			h->current.dequeue_exit_ns = exit;
		}
		return 0;
	case FS_ROLE_QUEUE:
	case FS_ROLE_SWAP:
	case FS_ROLE_PRESENT:
		if (makes_frames(h, t, entry))
			h->current.queued = true;
		return 0;
	case FS_ROLE_FRAME_TIMELINE:
		/* Another thread's surface has nothing to do with what the RenderThread draws. */
		if (h->current.tid && h->current.tid != t->tid)
			return 0;
		/* Where nothing else is seen of HWUI, this is what tells its frames apart. */
		if (!h->current.ui.layout && h->current.vsync_id)
			end_work(h);
		w = current(h, t->tid, entry);
		w->frame_number = rec->args[1];
		w->vsync_id = (int64_t)rec->args[3];
		return 0;
	default:
		return 0;
	}
}

void hwui_gap(struct thread *t)
{
	struct hwui *h = t->process ? t->process->hwui : NULL;

	if (h && h->current.tid == t->tid)
		h->current.lossy = true;
}

static void begin_frame(struct hwui *h, const struct thread *t, const struct fs_frame_info *rec,
			const struct frame_slots *slots)
{
	struct work *w;

	/* Nothing of it comes before this: what there is has not been seen to end. */
	end_work(h);
	if (t->builder)
		t->builder->staged = true;
	w = current(h, t->tid, rec->h.time_ns);
	w->ui = *slots;
	w->context = rec->object & POINTER_MASK;
	if (slots->layout != FS_LAYOUT_MARKS)
		return;
	w->ui_tid = (uint32_t)rec->slots[FS_MARKS_UI_TID];
	if (w->ui_tid)
		h->ui_tid = w->ui_tid;
}

/*
 * The thread is at a FrameInfo again. What it was given before has returned by now: either this is
 * what that left of the same frame, or the record of that was lost. `slots` NULL: not believed.
 */
static void end_followed(struct model *m, const struct thread *t, struct hwui *h,
			 const struct frame_slots *slots)
{
	for (unsigned i = 0; i < INFOS_NR; i++) {
		struct finished *f = &h->finished[i];

		if (f->tid != t->tid || !f->followed)
			continue;
		f->followed = false;
		if (slots && slot_known(slots, SLOT_FRAME_DEADLINE) &&
		    slots->ns[SLOT_SYNC_QUEUED] == f->slots.ns[SLOT_SYNC_QUEUED])
			f->deadline_after_ns = slots->ns[SLOT_FRAME_DEADLINE];
		outbox_finished(m, t->tgid, f);
	}
}

static void add_finished(struct model *m, const struct thread *t, struct hwui *h,
			 const struct fs_frame_info *rec, const struct frame_slots *slots)
{
	struct finished *f = &h->finished[h->next_finished++ & (INFOS_NR - 1)];

	*f = (struct finished){
		.tid = t->tid,
		.jank_tracker = rec->object & POINTER_MASK,
		.frame_number = rec->frame_number,
		.slots = *slots,
		.followed = rec->flags & FS_INFO_FOLLOWED,
	};
	if (!f->followed)
		outbox_finished(m, t->tgid, f);
}

int hwui_info(struct model *m, struct thread *t, const struct fs_frame_info *rec)
{
	struct frame_slots slots;
	struct hwui *h;
	bool plausible;
	int err = get(m, t, &h);

	if (err || !h)
		return err;
	plausible = frame_slots_take(rec, &slots);
	m->stats.implausible += !plausible && rec->part != FS_INFO_AFTER;
	switch (rec->part) {
	case FS_INFO_UI:
		if (plausible)
			begin_frame(h, t, rec, &slots);
		return 0;
	case FS_INFO_WHOLE:
		end_followed(m, t, h, NULL);
		if (plausible)
			add_finished(m, t, h, rec, &slots);
		return 0;
	case FS_INFO_AFTER:
		end_followed(m, t, h, plausible ? &slots : NULL);
		return 0;
	default:
		return 0;
	}
}

void hwui_marker(struct thread *t, const struct fs_marker *rec)
{
	static const char skipped[] = "Frame skipped: ";
	struct hwui *h = t->process ? t->process->hwui : NULL;

	if (!h || rec->phase != 'I' || h->current.tid != t->tid ||
	    strncmp(rec->text, skipped, sizeof(skipped) - 1) != 0)
		return;
	/* Both end with NUL, the reader of records sees to it. */
	strncpy(h->current.skip_reason, rec->text + sizeof(skipped) - 1, SKIP_REASON_LEN - 1);
}

void hwui_message(struct hwui *h, uint64_t from, uint64_t to, uint32_t tid)
{
	remember(h->messages, &h->next_message, from, to, tid);
}

struct work *hwui_work(struct hwui *h, uint32_t tid, uint64_t at)
{
	if (h->current.tid == tid && h->current.first_ns <= at)
		return &h->current;
	for (unsigned i = 1; i <= WORKS_NR; i++) {
		struct work *w = &h->works[(h->next_work - i) & (WORKS_NR - 1)];
		uint64_t from = w->entry_ns ? w->entry_ns : w->first_ns;

		if (w->tid == tid && from <= at)
			return !w->exit_ns || at <= w->exit_ns ? w : NULL;
	}
	return NULL;
}

bool hwui_is_of(const struct finished *f, const struct work *work, uint64_t end)
{
	const struct frame_slots *s = &f->slots;
	enum frame_slot last = slot_known(s, SLOT_SWAP_BUFFERS_COMPLETED)
				       ? SLOT_SWAP_BUFFERS_COMPLETED
				       : SLOT_FRAME_COMPLETED;

	if (!f->tid || f->followed || f->used || (uint64_t)s->ns[SLOT_SWAP_BUFFERS] > end)
		return false;
	if (slot_known(s, last) && (uint64_t)s->ns[last] < end)
		return false;
	/* Of the RenderThread's frames only one can have ended in that time. */
	if (work->ui.layout)
		return work->ui.ns[SLOT_SYNC_QUEUED] == s->ns[SLOT_SYNC_QUEUED];
	return !work->frame_number || !f->frame_number || work->frame_number == f->frame_number;
}

struct finished *hwui_finished(struct hwui *h, const struct work *work, uint64_t end)
{
	for (unsigned i = 1; i <= INFOS_NR; i++) {
		struct finished *f = &h->finished[(h->next_finished - i) & (INFOS_NR - 1)];

		if (hwui_is_of(f, work, end))
			return f;
	}
	return NULL;
}

const struct time_mark *hwui_post(const struct hwui *h, uint64_t queued, uint64_t sync_start)
{
	/* From the oldest on: the next frame may have been posted before this one was drawn. */
	for (unsigned i = 0; i < TIMES_NR; i++) {
		const struct time_mark *post = &h->posts[(h->next_post + i) & (TIMES_NR - 1)];

		if (post->tid && post->from_ns <= sync_start && post->to_ns >= queued)
			return post;
	}
	return NULL;
}

static bool posted_in(const struct work *w, uint64_t from, uint64_t to)
{
	uint64_t queued = (uint64_t)w->ui.ns[SLOT_SYNC_QUEUED];

	return slot_known(&w->ui, SLOT_SYNC_QUEUED) && queued >= from && queued <= to;
}

const struct work *hwui_posted(const struct hwui *h, uint64_t from, uint64_t to)
{
	if (posted_in(&h->current, from, to))
		return &h->current;
	for (unsigned i = 0; i < WORKS_NR; i++) {
		if (posted_in(&h->works[i], from, to))
			return &h->works[i];
	}
	return NULL;
}

const struct time_mark *hwui_message_at(const struct hwui *h, uint32_t tid, uint64_t at)
{
	for (unsigned i = 1; i <= TIMES_NR; i++) {
		const struct time_mark *message =
			&h->messages[(h->next_message - i) & (TIMES_NR - 1)];

		if (message->tid == tid && message->from_ns <= at && at <= message->to_ns)
			return message;
	}
	return NULL;
}

uint64_t hwui_vsync(const struct hwui *h, uint32_t tid, uint64_t vsync)
{
	uint64_t at = 0;

	/* The latest to be told in the ring, the earliest to be told of it. */
	for (unsigned i = 1; i <= TIMES_NR; i++) {
		const struct time_mark *told = &h->vsyncs[(h->next_vsync - i) & (TIMES_NR - 1)];

		if (told->tid == tid && told->from_ns == vsync)
			at = told->to_ns;
	}
	return at;
}
