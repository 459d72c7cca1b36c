/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* From frame ends to frames. */
#include "model/builder.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "model/hwui.h"
#include "model/outbox.h"
#include "model/waits.h"

struct builder *builder_new(void)
{
	return calloc(1, sizeof(struct builder));
}

void builder_free(struct model *m, struct thread *t)
{
	struct builder *b = t->builder;

	if (!b)
		return;
	for (unsigned i = 0; i < b->nr_makers; i++)
		tally_free(&b->makers[i].open.tally);
	for (uint32_t i = b->first_draft; i < b->nr_drafts; i++)
		tally_free(&b->drafts[i].tally);
	m->drafts -= b->nr_drafts - b->first_draft;
	free(b->makers);
	free(b->drafts);
	free(b->calls);
	free(b);
	t->builder = NULL;
}

static int push_draft(struct model *m, struct builder *b, const struct draft *draft)
{
	if (b->first_draft == b->nr_drafts)
		b->first_draft = b->nr_drafts = 0;
	if (b->nr_drafts == b->room_drafts && b->first_draft > b->room_drafts / 2) {
		b->nr_drafts -= b->first_draft;
		memmove(b->drafts, b->drafts + b->first_draft, b->nr_drafts * sizeof(*b->drafts));
		b->first_draft = 0;
	}
	if (b->nr_drafts == b->room_drafts) {
		uint32_t room = b->room_drafts ? b->room_drafts * 2 : 4;
		struct draft *drafts = realloc(b->drafts, room * sizeof(*drafts));

		if (!drafts)
			return -ENOMEM;
		b->drafts = drafts;
		b->room_drafts = room;
	}
	b->drafts[b->nr_drafts++] = *draft;
	m->drafts++;
	return 0;
}

int builder_commit(struct model *m, struct thread *t, struct maker *maker, uint64_t end,
		   bool truncated)
{
	struct builder *b = t->builder;
	struct draft draft = maker->open;

	if (end <= draft.start_ns) {
		m->stats.stale++;
		return 0;
	}
	draft.end_ns = end;
	draft.truncated |= truncated;
	draft.number++;
	draft.context = maker->context;

	int err = push_draft(m, b, &draft);

	if (err)
		return err;
	maker->used_ns = end;
	maker->open = (struct draft){
		.producer = draft.producer,
		.number = draft.number,
		.start_ns = end,
		.tally.itemize = true,
	};
	builder_emit(m, t);
	return 0;
}

static int close_maker(struct model *m, struct thread *t, struct maker *maker, uint64_t at)
{
	int err = 0;

	if (at > maker->open.start_ns)
		err = builder_commit(m, t, maker, at, true);
	tally_free(&maker->open.tally);
	return err;
}

int builder_close(struct model *m, struct thread *t, uint64_t at)
{
	struct builder *b = t->builder;
	int err = 0;

	while (b->nr_makers && !err) {
		err = close_maker(m, t, &b->makers[0], at);
		b->nr_makers--;
		memmove(b->makers, b->makers + 1, b->nr_makers * sizeof(*b->makers));
	}
	return err;
}

/* Close the frame of the maker that has been idle for longest, as far as the thread was seen. */
static int retire_one(struct model *m, struct thread *t)
{
	struct builder *b = t->builder;
	unsigned oldest = 0;

	for (unsigned i = 1; i < b->nr_makers; i++) {
		if (b->makers[i].used_ns < b->makers[oldest].used_ns)
			oldest = i;
	}

	int err = close_maker(m, t, &b->makers[oldest], thread_last_ns(t));

	b->nr_makers--;
	memmove(b->makers + oldest, b->makers + oldest + 1,
		(b->nr_makers - oldest) * sizeof(*b->makers));
	return err;
}

struct maker *builder_by_surface(struct builder *b, uint64_t surface, bool by_queue)
{
	for (unsigned i = 0; i < b->nr_makers; i++) {
		struct maker *maker = &b->makers[i];

		if (maker->open.producer->surface == surface && maker->by_queue == by_queue)
			return maker;
	}
	return NULL;
}

static struct maker *by_context(struct builder *b, uint64_t context)
{
	for (unsigned i = 0; i < b->nr_makers; i++) {
		if (context && b->makers[i].context == context)
			return &b->makers[i];
	}
	return NULL;
}

/* What was skipped at first, of a context whose surface is seen now. */
static struct maker *nameless(const struct model *m, const struct thread *t, uint64_t surface,
			      bool by_queue)
{
	struct hwui *h = t->process ? t->process->hwui : NULL;
	const struct work *work = h ? hwui_work(h, t->tid, m->stats.last_ns) : NULL;
	struct maker *maker = work ? by_context(t->builder, work->context) : NULL;

	if (!maker || maker->open.producer->surface || !surface)
		return NULL;
	maker->open.producer->surface = surface;
	maker->by_queue = by_queue;
	maker->window = by_queue ? surface : 0;
	return maker;
}

int builder_maker(struct model *m, struct thread *t, uint64_t surface, bool by_queue,
		  struct maker **out)
{
	struct builder *b = t->builder;
	int err = 0;

	*out = builder_by_surface(b, surface, by_queue);
	if (*out)
		return 0;
	*out = nameless(m, t, surface, by_queue);
	if (*out)
		return 0;

	if (b->nr_makers == MAKERS_MAX)
		err = retire_one(m, t);
	if (!err && b->nr_makers == b->room_makers) {
		unsigned room = b->room_makers ? b->room_makers * 2 : 1;
		struct maker *makers = realloc(b->makers, room * sizeof(*makers));

		if (!makers)
			return -ENOMEM;
		b->makers = makers;
		b->room_makers = room;
	}

	struct producer *producer = NULL;
	char buf[FS_COMM_LEN + 8];

	if (!err)
		err = producers_add(&m->producers, t->tgid, t->tid, surface,
				    thread_process_name(t, buf, sizeof(buf)), &producer);
	if (err || !producer)
		return err;
	producer->surface_made_up = m->marked;
	m->stats.producers++;

	struct maker *maker = &b->makers[b->nr_makers++];

	/* Its first frame reaches back to where the thread's time is known from. */
	*maker = (struct maker){
		.open = { .producer = producer, .start_ns = t->birth_ns, .truncated = true },
		.window = by_queue ? surface : 0,
		.by_queue = by_queue,
		.used_ns = t->birth_ns,
	};
	tally_copy(&maker->open.tally, &t->life);
	maker->open.tally.itemize = true;
	*out = maker;
	return 0;
}

void builder_note_context(struct builder *b, struct maker *maker, uint64_t context)
{
	struct maker *before = by_context(b, context);

	/* A window that is stopped and started again has a new surface. */
	if (before)
		before->context = 0;
	if (context)
		maker->context = context;
}

int builder_skipped(struct model *m, struct thread *t, uint64_t context, uint64_t at)
{
	struct builder *b = t->builder;
	struct maker *maker = by_context(b, context);
	int err = 0;

	if (at <= t->birth_ns || at < t->timeline.front_ns) {
		m->stats.stale++;
		return 0;
	}
	if (!maker) {
		/* What it draws into is not known before it has drawn. */
		err = builder_maker(m, t, context, true, &maker);
		if (err || !maker)
			return err;
		maker->open.producer->surface = 0;
		maker->window = 0;
		maker->context = context;
	}

	/* Buffers and what else it has go on into its next frame. */
	struct draft draft = {
		.producer = maker->open.producer,
		.number = ++maker->open.number,
		.start_ns = maker->open.start_ns,
		.end_ns = at,
		.skipped = true,
		.context = context,
		.lossy = maker->open.lossy,
		.tally.itemize = true,
	};

	tally_copy(&draft.tally, &maker->open.tally);
	err = push_draft(m, b, &draft);
	if (err)
		tally_free(&draft.tally);
	else
		builder_emit(m, t);
	return err;
}

struct maker *builder_by_window(struct builder *b, uint64_t window)
{
	for (unsigned i = 0; i < b->nr_makers; i++) {
		if (window && b->makers[i].window == window)
			return &b->makers[i];
	}
	return NULL;
}

static void emit(struct model *m, const struct thread *t, struct draft *d)
{
	const struct timeline *tl = &t->timeline;
	struct tally *tally = &d->tally;
	struct waiting_frame w = {
		.f = {
			.producer = d->producer,
			.number = d->number,
			.start_ns = d->start_ns,
			.end_ns = d->end_ns,
			.render_start_ns = d->start_ns,
			.seen = d->seen,
			.swap_ns = d->swap_ns,
			.dequeue_ns = d->dequeue_ns,
			.queue_ns = d->queue_ns,
			.buffer = d->taken.buffer,
			.asked_ns = d->taken.since_ns,
			.dequeued_ns = d->dequeued_ns,
			.queued_ns = d->queued_ns,
			.has_acquire = d->has_acquire,
			.has_release = d->has_release,
			.acquire = d->acquire,
			.release = d->release,
			.hwui.kind = d->skipped ? FRAME_SKIPPED : FRAME_PLAIN,
		},
		.taken = d->taken,
		.context = d->context,
	};

	timeline_tally(tl, d->start_ns, d->end_ns, tally);
	w.f.render = tally->budget;
	frame_take_blockers(&w.f, tally);
	w.lossy = d->lossy || tally->lossy;
	if (d->truncated)
		w.f.status = FRAME_TRUNCATED;
	else
		w.f.status = w.lossy ? FRAME_LOSSY : FRAME_COMPLETE;
	tally_free(tally);
	waits_frame(m, t, &w.f);
	outbox_put(m, &w);
}

void builder_emit(struct model *m, struct thread *t)
{
	struct builder *b = t->builder;

	while (b->first_draft < b->nr_drafts &&
	       b->drafts[b->first_draft].end_ns <= t->timeline.cursor_ns) {
		emit(m, t, &b->drafts[b->first_draft++]);
		m->drafts--;
	}
}

uint64_t builder_due_ns(const struct builder *b)
{
	return b->first_draft < b->nr_drafts ? b->drafts[b->first_draft].end_ns : UINT64_MAX;
}

uint64_t builder_first_ns(const struct builder *b, uint64_t since_ns)
{
	uint64_t first = UINT64_MAX;

	for (uint32_t i = b->first_draft; i < b->nr_drafts && first == UINT64_MAX; i++)
		if (b->drafts[i].end_ns > since_ns)
			first = b->drafts[i].end_ns;
	for (unsigned i = 0; i < b->nr_calls; i++)
		if (b->calls[i].exit_ns > since_ns)
			return b->calls[i].exit_ns < first ? b->calls[i].exit_ns : first;
	return first;
}

bool builder_overdue(const struct model *m, const struct builder *b)
{
	return b->nr_drafts - b->first_draft > DRAFTS_MAX || m->drafts > DRAFTS_ALL;
}

void builder_fold(struct builder *b, const struct off *off)
{
	for (uint32_t i = b->first_draft; i < b->nr_drafts; i++) {
		struct draft *d = &b->drafts[i];

		off_tally(off, d->start_ns, d->end_ns, &d->tally);
	}
	for (unsigned i = 0; i < b->nr_makers; i++) {
		struct draft *d = &b->makers[i].open;

		off_tally(off, d->start_ns, UINT64_MAX, &d->tally);
	}
}

bool builder_needs(const struct builder *b, const struct off *off, uint64_t now)
{
	/* What a frame's stages were becomes known when its GPU work is done, or later. */
	if (b->staged && off->in_ns + STAGES_NS > now)
		return true;
	/* A message goes on. */
	if (b->poll_exit_ns && off->in_ns > b->poll_exit_ns)
		return true;
	/*
	 * Before the first frame end it is not known whose frame it will be in. Of a thread with
	 * messages there may never be one: every process has such a thread.
	 */
	if ((!b->nr_makers && !b->poll_exit_ns) || b->first_draft < b->nr_drafts)
		return true;
	for (unsigned i = 0; i < b->nr_makers; i++) {
		if (b->makers[i].open.start_ns < off->in_ns)
			return true;
	}
	return false;
}

void builder_lossy(struct builder *b, bool drafts)
{
	for (unsigned i = 0; i < b->nr_makers; i++)
		b->makers[i].open.lossy = true;
	for (uint32_t i = b->first_draft; drafts && i < b->nr_drafts; i++)
		b->drafts[i].lossy = true;
}
