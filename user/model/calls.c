/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * From probed calls to frame ends. A call's record comes when it has ended: those of the calls
 * inside it come first. So what a queueBuffer means is known only when the outermost call around it
 * has ended, or has turned out to be lost.
 */
#include "model/builder.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "model/hwui.h"
#include "model/messages.h"
#include "model/outbox.h"
#include "model/waits.h"

/* What process() is told about the calls that had others around them. */
enum around {
	AROUND_SEEN, /* all that enclosed them has been seen */
	AROUND_LOST, /* something that enclosed them has not */
};

static bool ends_frame(enum fs_role role)
{
	return role == FS_ROLE_SWAP || role == FS_ROLE_PRESENT;
}

static uint64_t surface_of(const struct fs_span *rec, enum fs_role role)
{
	return rec->args[role == FS_ROLE_SWAP ? 1 : 0] & POINTER_MASK;
}

/* Calls of one role that overlap, which takes a contradictory stream, are counted once. */
static void add_time(struct maker *maker, const struct call *call)
{
	struct draft *frame = &maker->open;
	bool end = ends_frame((enum fs_role)call->role);
	uint64_t from = call->entry_ns;
	uint64_t *counted = &maker->counted_ns[end ? FS_ROLE_SWAP : call->role];

	if (from < frame->start_ns)
		from = frame->start_ns;
	if (from < *counted)
		from = *counted;

	uint64_t ns = from < call->exit_ns ? call->exit_ns - from : 0;

	*counted = call->exit_ns;
	frame->seen |= 1u << call->role;
	if (end)
		frame->swap_ns += ns;
	else if (call->role == FS_ROLE_DEQUEUE)
		frame->dequeue_ns += ns;
	else
		frame->queue_ns += ns;
	if (call->role == FS_ROLE_DEQUEUE) {
		frame->has_release = call->has_fence;
		frame->release = call->fence;
		frame->taken = call->taken;
		frame->dequeued_ns = call->open ? 0 : call->exit_ns;
	} else if (call->role == FS_ROLE_QUEUE) {
		frame->has_acquire = call->has_fence;
		frame->acquire = call->fence;
		frame->queued_ns = call->open ? 0 : call->exit_ns;
	}
}

/* The context of HWUI that the thread draws for at that moment; 0 if it is none's or not known. */
static uint64_t context_at(const struct thread *t, uint64_t at)
{
	struct hwui *h = t->process ? t->process->hwui : NULL;
	const struct work *work = h ? hwui_work(h, t->tid, at) : NULL;

	return work ? work->context : 0;
}

/* A call that ends a frame of the given surface. */
static int end_frame(struct model *m, struct thread *t, const struct call *call, bool by_queue)
{
	struct maker *maker;

	/* The past is folded up to front_ns: an end before that can't be placed exactly. */
	if (call->exit_ns <= t->birth_ns || call->exit_ns < t->timeline.front_ns) {
		m->stats.stale++;
		return 0;
	}

	int err = builder_maker(m, t, call->surface, by_queue, &maker);

	if (err || !maker)
		return err;
	builder_note_context(t->builder, maker, context_at(t, call->exit_ns));
	add_time(maker, call);
	return call->open ? 0 : builder_commit(m, t, maker, call->exit_ns, false);
}

/*
 * A window that was known by its queueing only turns out to be that of a surface: calls of the one
 * library were probed before those of the other. Its open frame began at another mark than it ends.
 */
static void adopt(struct builder *b, const struct call *call)
{
	struct maker *maker = builder_by_window(b, call->surface);

	if (!maker || !maker->by_queue)
		return;
	maker->by_queue = false;
	maker->open.producer->surface = call->owner;
	maker->open.truncated = true;
}

/* A dequeue or queue inside a swap: whose it is, is known, and so what that window is. */
static int add_owned(struct model *m, struct thread *t, const struct call *call)
{
	struct maker *maker;
	int err;

	if (!builder_by_surface(t->builder, call->owner, false))
		adopt(t->builder, call);
	err = builder_maker(m, t, call->owner, false, &maker);
	if (err || !maker)
		return err;
	maker->window = call->surface;
	add_time(maker, call);
	return 0;
}

static int dequeue_alone(struct thread *t, const struct call *call)
{
	struct builder *b = t->builder;
	struct maker *maker = builder_by_window(b, call->surface);

	/* The only producer's, unless that one is known to draw into another window. */
	if (!maker && b->nr_makers == 1 && !b->makers[0].window)
		maker = &b->makers[0];
	if (maker)
		add_time(maker, call);
	return 0;
}

static int queue_alone(struct model *m, struct thread *t, const struct call *call,
		       enum around around)
{
	struct maker *maker = builder_by_window(t->builder, call->surface);

	/* The swap around it was lost, or this frame was queued without one. */
	if (maker && !maker->by_queue) {
		add_time(maker, call);
		return 0;
	}
	if (!maker && around == AROUND_LOST)
		return 0;
	return end_frame(m, t, call, true);
}

static int process(struct model *m, struct thread *t, const struct call *call, enum around around)
{
	switch (call->role) {
	case FS_ROLE_NR:
		builder_lossy(t->builder, false);
		return 0;
	case FS_ROLE_SWAP:
	case FS_ROLE_PRESENT:
		return end_frame(m, t, call, false);
	case FS_ROLE_DEQUEUE:
		return call->owned ? add_owned(m, t, call) : dequeue_alone(t, call);
	default:
		return call->owned ? add_owned(m, t, call) : queue_alone(m, t, call, around);
	}
}

/* Process the first `nr` calls; `outer_ns` is where the outermost call seen around them began. */
static int process_first(struct model *m, struct thread *t, unsigned nr, uint64_t outer_ns,
			 enum around around)
{
	struct builder *b = t->builder;
	int err = 0;

	for (unsigned i = 0; i < nr && !err; i++) {
		struct call call = b->calls[i];
		bool seen = call.depth == 0 || call.entry_ns >= outer_ns;

		err = process(m, t, &call, seen ? AROUND_SEEN : around);
	}
	if (!nr)
		return 0;
	b->nr_calls -= nr;
	memmove(b->calls, b->calls + nr, b->nr_calls * sizeof(*b->calls));
	return err;
}

int calls_flush(struct model *m, struct thread *t)
{
	return process_first(m, t, t->builder->nr_calls, UINT64_MAX, AROUND_LOST);
}

static int keep(struct model *m, struct thread *t, const struct call *call)
{
	struct builder *b = t->builder;
	int err = 0;

	/* No swap has that many calls in it: what is around them is a whole main loop. */
	if (b->nr_calls == CALLS_MAX)
		err = process_first(m, t, 1, UINT64_MAX, AROUND_SEEN);
	if (!err && b->nr_calls == b->room_calls) {
		unsigned room = b->room_calls ? b->room_calls * 2 : 4;
		struct call *calls = realloc(b->calls, room * sizeof(*calls));

		if (!calls)
			return -ENOMEM;
		b->calls = calls;
		b->room_calls = room;
	}
	if (!err)
		b->calls[b->nr_calls++] = *call;
	return err;
}

/* What the ended call says about the kept ones inside it. */
static void enclose(struct builder *b, const struct call *outer)
{
	bool swap = ends_frame((enum fs_role)outer->role);
	unsigned kept = 0;

	for (unsigned i = 0; i < b->nr_calls; i++) {
		struct call *call = &b->calls[i];
		bool inside = call->role != FS_ROLE_NR && call->entry_ns >= outer->entry_ns &&
			      call->depth > outer->depth;

		/* A wrapper and what it calls are one call. */
		if (inside &&
		    (call->role == outer->role || (swap && ends_frame((enum fs_role)call->role))))
			continue;
		if (inside && swap) {
			call->owned = true;
			call->owner = outer->surface;
		}
		b->calls[kept++] = *call;
	}
	b->nr_calls = kept;
}

void calls_claim(const struct builder *b, struct off *off)
{
	/* In their order of ending, so that the innermost comes first. */
	for (unsigned i = b->next_claim; i < b->next_claim + CLAIMS_NR; i++) {
		const struct claim *claim = &b->claims[i & (CLAIMS_NR - 1)];

		if (claim->role != FS_ROLE_SPAN && off->out_ns >= claim->entry_ns &&
		    off->in_ns <= claim->exit_ns)
			off_claim(off, claim->role, claim->marked);
	}
}

static int note_gap(struct model *m, struct thread *t, uint64_t now)
{
	struct builder *b = t->builder;
	struct call gap = { .role = FS_ROLE_NR, .entry_ns = b->exit_ns, .exit_ns = b->exit_ns };

	windows_lossy(&m->windows, t->tgid, now);
	hwui_gap(t);
	b->poll_exit_ns = 0;
	if (b->nr_calls)
		return keep(m, t, &gap);
	builder_lossy(b, false);
	return 0;
}

/* The first probed call of a thread: from now on its history is kept in detail. */
static int begin(struct thread *t)
{
	t->builder = builder_new();
	if (!t->builder)
		return -ENOMEM;
	t->life.itemize = true;
	return 0;
}

static int take(struct model *m, struct thread *t, const struct call *call)
{
	struct builder *b = t->builder;
	enum fs_role role = (enum fs_role)call->role;
	int err = 0;

	if (role == FS_ROLE_DEQUEUE || role == FS_ROLE_SLOT || role == FS_ROLE_QUEUE ||
	    role == FS_ROLE_UI_SYNC || (m->marked && role == FS_ROLE_FENCE_WAIT)) {
		timeline_claim(&t->timeline, call->entry_ns, call->exit_ns, role, m->marked);
		b->claims[b->next_claim++ & (CLAIMS_NR - 1)] = (struct claim){
			.entry_ns = call->entry_ns,
			.exit_ns = call->exit_ns,
			.role = role,
			.marked = m->marked,
		};
	}
	if (ends_frame(role) || role == FS_ROLE_DEQUEUE || role == FS_ROLE_QUEUE) {
		enclose(b, call);
		err = keep(m, t, call);
	}
	/* Open calls come in no order of depth: only the end of the stream settles them. */
	if (!err && call->depth == 0 && !call->open)
		err = process_first(m, t, b->nr_calls, call->entry_ns, AROUND_LOST);
	return err;
}

/* The fence of the buffer that a call moves, and what that means for the window. */
static void note_buffer(struct model *m, const struct thread *t, const struct fs_span *rec,
			struct call *call)
{
	bool dequeued = call->role == FS_ROLE_DEQUEUE;
	const struct met *met = waits_met(t, dequeued ? FS_REF_RELEASE : FS_REF_ACQUIRE,
					  call->entry_ns, call->exit_ns);
	uint64_t buffer = rec->args[3] & POINTER_MASK;
	struct window *w;

	if (met) {
		call->has_fence = true;
		call->fence = met->id;
	}
	if (!t->tgid || call->open)
		return;
	w = windows_get(&m->windows, t->tgid, call->surface);
	if (!w)
		return;
	if (call->role == FS_ROLE_CANCEL) {
		window_cancelled(w, buffer);
		return;
	}
	if (call->role == FS_ROLE_QUEUE) {
		window_queued(w, buffer, call->exit_ns);
		return;
	}

	struct dequeue d = {
		.buffer = buffer,
		.entry_ns = call->entry_ns,
		.exit_ns = call->exit_ns,
		.starved_ns =
			timeline_first(&t->timeline, call->entry_ns, call->exit_ns, BUDGET_SLOT),
		.has_fence = call->has_fence,
		.fence = call->fence,
	};

	if (met)
		d.signaled = met_signaled(met, &d.signal_ns);
	call->taken = (struct buffer_taken){ w, buffer, call->entry_ns };
	window_dequeued(w, &d);
	outbox_dequeued(m, w);
}

/* A call that has ended: is one before it missing? */
static int note_end(struct model *m, struct thread *t, const struct fs_span *rec, uint64_t exit_ns,
		    bool known)
{
	struct builder *b = t->builder;
	int err = 0;

	/* A call of a function whose POINT record was lost may have been anything. */
	if (rec->seq != b->seq + 1 || !known)
		err = note_gap(m, t, exit_ns);
	b->seq = rec->seq;
	/* It ran user code: no wait in the kernel is going on. */
	t->fence_wait = false;
	thread_anchor(t, exit_ns, rec->off_seq);
	return err;
}

int calls_add(struct model *m, struct thread *t, const struct fs_span *rec)
{
	uint64_t stop = m->stats.stop_ns;
	int known = roles_get(&m->roles, rec->point);
	enum fs_role role = known < 0 ? FS_ROLE_SPAN : (enum fs_role)known;
	struct call call = {
		.entry_ns = rec->entry_ns,
		.exit_ns = rec->h.time_ns,
		.surface = surface_of(rec, role),
		.depth = rec->depth,
		.role = (uint8_t)role,
		.open = rec->flags & FS_OPEN,
	};
	int err = 0;

	if (stop && call.exit_ns > stop) {
		if (call.entry_ns >= stop)
			return 0;
		call.exit_ns = stop;
		call.open = true;
	}
	if (!t->builder) {
		err = begin(t);
		if (err)
			return err;
	}

	struct builder *b = t->builder;

	if (call.exit_ns < b->exit_ns) {
		m->stats.stale++;
		return 0;
	}
	if (call.entry_ns > call.exit_ns)
		call.entry_ns = call.exit_ns;
	thread_start(m, t, call.entry_ns ? call.entry_ns : call.exit_ns, false);
	/* Calls that did not end are numbered by the one who found them open, if at all. */
	if (!call.open)
		err = note_end(m, t, rec, call.exit_ns, known >= 0);
	b->exit_ns = call.exit_ns;
	if (role == FS_ROLE_DEQUEUE || role == FS_ROLE_QUEUE || role == FS_ROLE_CANCEL)
		note_buffer(m, t, rec, &call);
	if (!err)
		err = hwui_call(m, t, &call, rec);
	if (!err)
		err = take(m, t, &call);
	if (!err && role == FS_ROLE_POLL)
		message_poll(m, t, &call);
	if (!err)
		err = thread_confirm(m, t);
	/* Thousands of frames without one off-CPU record: nobody watches this thread's CPU. */
	if (!err && builder_overdue(m, b))
		err = thread_settle(m, t, call.exit_ns);
	return err;
}
