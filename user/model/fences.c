// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * What happened to fences, record by record.
 *
 * When the hardware began with a fence is inferred: not before the fence was submitted, and not
 * before the fence ahead of it on its context had signalled. A fence whose submission was not seen
 * gives no such figure. One that is the first to signal on its context does: had there been one
 * ahead of it at its submission, its signal would have been seen since.
 */
#include "model/fences.h"

#include <errno.h>

#include "model/fence_context.h"
#include "model/fence_entry.h"

bool fence_submitted(const struct fence *f, uint64_t *ns)
{
	if (f->has_run)
		*ns = f->run_ns;
	else if (f->has_emit)
		*ns = f->emit_ns;
	else if (f->has_init)
		*ns = f->init_ns;
	return f->has_run || f->has_emit || f->has_init;
}

/*
 * From times out of order nothing is inferred, nor of what the driver gave up: its signal does not
 * say when the hardware was done.
 */
static void infer_hardware(struct fence *f)
{
	const struct fence_context *c = f->context;
	uint64_t start = 0;

	if (f->error || !fence_submitted(f, &start) || start > f->signal_ns)
		return;
	if (c->signaled && c->last_signal_ns > f->signal_ns)
		return;
	if (c->signaled && c->last_signal_ns > start)
		start = c->last_signal_ns;
	f->has_hardware = true;
	f->hardware_ns = f->signal_ns - start;
}

static int signal_fence(struct fences *t, struct fence *f)
{
	struct fence_context *c = f->context;
	int err;

	infer_hardware(f);
	err = fence_end(t, f, FENCE_END_SIGNALED, f->signal_ns);
	fence_context_signaled(c, f->id.seqno, f->signal_ns);
	return err;
}

/* The record of its signal did not come, but a descriptor's record said that it had signalled. */
static int signal_told(struct fences *t, struct fence *f, uint64_t now_ns)
{
	return f->signal_ns ? signal_fence(t, f) : fence_end(t, f, FENCE_END_TOLD, now_ns);
}

static void note_signaller(struct fences *t, struct fence *f, const struct fs_fence *rec)
{
	bool interrupt = rec->irq == FS_CTX_SOFTIRQ || rec->irq == FS_CTX_HARDIRQ;
	struct fence **last;

	f->signal_context = rec->irq < FS_CTX_NR ? (uint8_t)rec->irq : FS_CTX_UNKNOWN;
	f->signaller_tid = interrupt ? 0 : rec->h.tid;
	f->signal_cpu = rec->h.cpu;
	if (f->signal_cpu >= FENCE_CPUS)
		return;
	last = &t->last_signal[f->signal_cpu];
	if (*last)
		(*last)->next_signal_ns = rec->h.time_ns;
	*last = f;
}

static int feed_signal(struct fences *t, const struct fs_fence *rec)
{
	const struct fence_id id = { rec->context, rec->seqno };
	struct fence *f = NULL;
	int err = fence_get(t, id, rec->h.time_ns, &f);

	/* It can signal only once. */
	if (err || f->place == PLACE_DONE)
		return err;
	if (f->place == PLACE_DESTROYED && rec->h.time_ns > f->end_ns)
		return 0;
	f->signal_ns = rec->h.time_ns;
	f->error = rec->error;
	note_signaller(t, f, rec);
	return signal_fence(t, f);
}

static int feed_destroy(struct fences *t, const struct fs_fence *rec)
{
	struct fence *f = fences_find(t, (struct fence_id){ rec->context, rec->seqno });
	int err = 0;

	if (!f || f->place == PLACE_DESTROYED)
		return 0;
	if (f->place == PLACE_IN_FLIGHT && !f->told)
		return fence_end(t, f, FENCE_END_DESTROYED, rec->h.time_ns);
	if (f->place == PLACE_IN_FLIGHT)
		err = signal_told(t, f, rec->h.time_ns);
	f->closed = true;
	return err;
}

static int feed_init(struct fences *t, const struct fs_fence *rec)
{
	const struct fence_id id = { rec->context, rec->seqno };
	uint64_t at = rec->h.time_ns;
	struct fence *f = fences_find(t, id);
	int err = 0;

	if (f && f->place != PLACE_IN_FLIGHT) {
		if (at <= f->end_ns)
			return 0;
		fence_displace(t, f);
		f = NULL;
	}
	if (!f)
		err = fence_new(t, id, at, PLACE_IN_FLIGHT, &f);
	if (err)
		return err;
	/*
	 * Drivers that number a fence only when they submit it make it with 0, and may make several
	 * before they submit one: it is then the last one that is remembered.
	 */
	if (f->has_init && rec->seqno)
		return 0;
	if (!f->has_init && at > f->first_ns)
		return 0; /* it was there before: this is of another one, or out of order */
	f->first_ns = at;
	f->has_init = true;
	f->init_ns = at;
	f->init_tid = rec->h.tid;
	return 0;
}

/* The fence that the thread made last on that context without a number gets it now. */
static int number_fence(struct fences *t, const struct fs_fence *rec)
{
	const struct fence_id id = { rec->context, rec->seqno };
	struct fence *f = fences_find(t, id);

	if ((f && !f->closed) || !rec->seqno)
		return 0;

	struct fence *made = fences_find(t, (struct fence_id){ rec->context, 0 });

	if (!made || made->place != PLACE_IN_FLIGHT || !made->has_init || made->has_emit ||
	    made->init_tid != rec->h.tid)
		return 0;
	if (f)
		fence_displace(t, f);
	return fence_renumber(t, made, rec->seqno);
}

static int feed_emit(struct fences *t, const struct fs_fence *rec)
{
	const struct fence_id id = { rec->context, rec->seqno };
	struct fence *f = NULL;
	int err = number_fence(t, rec);

	if (!err)
		err = fence_get(t, id, rec->h.time_ns, &f);
	if (err || f->place != PLACE_IN_FLIGHT || f->has_emit)
		return err;
	f->has_emit = true;
	f->emit_ns = rec->h.time_ns;
	return 0;
}

static int feed_run(struct fences *t, const struct fs_fence *rec)
{
	const struct fence_id id = { rec->context, rec->seqno };
	struct fence *f = NULL;
	int err = fence_get(t, id, rec->h.time_ns, &f);

	if (err || f->place != PLACE_IN_FLIGHT)
		return err;
	f->has_run = true;
	f->run_ns = rec->h.time_ns;
	return 0;
}

int fences_feed(struct fences *t, const struct fs_fence *rec)
{
	const struct fence_id id = { rec->context, rec->seqno };
	struct fence *f = NULL;
	int err;

	switch (rec->op) {
	case FS_FENCE_INIT:
		return feed_init(t, rec);
	case FS_FENCE_EMIT:
		return feed_emit(t, rec);
	case FS_FENCE_RUN:
		return feed_run(t, rec);
	case FS_FENCE_ENABLE:
		/* Only asked of a fence that has not signalled. */
		err = fence_get(t, id, rec->h.time_ns, &f);
		if (!err)
			f->enabled = true;
		return err;
	case FS_FENCE_SIGNALED:
		return feed_signal(t, rec);
	case FS_FENCE_DESTROY:
		return feed_destroy(t, rec);
	default:
		return 0;
	}
}

int fences_name(struct fences *t, const struct fs_fence_name *rec)
{
	struct fence_context *c;
	int err = fence_context_get(t, rec->context, &c);

	if (err)
		return err;
	fence_context_named(c, rec);
	if (!t->observer || !*c->driver || !*c->timeline)
		return 0;
	return t->observer->named(t->observer->ctx, c);
}

/* A descriptor's record says that the fence had signalled, and perhaps when. */
static int tell_signal(struct fences *t, struct fence_id id, const struct fs_fence_ref *rec)
{
	struct fence *f = fences_find(t, id);

	if (!f && rec->signal_ns) {
		int err = fence_new(t, id, rec->h.time_ns, PLACE_DONE, &f);

		if (err)
			return err;
		f->end_ns = rec->signal_ns;
		f->closed = true;
	}
	if (!f)
		return 0;
	f->told = true;
	if (!f->signal_ns)
		f->signal_ns = rec->signal_ns;
	return 0;
}

static void note_acquire(struct fences *t, struct fence_id id)
{
	struct fence *f = fences_find(t, id);

	if (f)
		f->acquire = true;
}

static int note_container(struct fences *t, const struct fs_fence_ref *rec)
{
	char name[MEMBER_NAME_LEN];
	struct fence_context *c;
	int err = fence_context_get(t, rec->container, &c);

	if (!err)
		err = fence_context_holds(c, fence_context_find(t, rec->context), name);
	if (!err && *name && t->observer)
		t->observer->holds(t->observer->ctx, c, name);
	return err;
}

int fences_met(struct fences *t, const struct fs_fence_ref *rec)
{
	const struct fence_id id = { rec->context, rec->seqno };
	struct fence *f = NULL;
	int err;

	if (rec->flags & FS_REF_SIGNALED)
		err = tell_signal(t, id, rec);
	else
		err = fence_get(t, id, rec->h.time_ns, &f);
	if (!err && rec->role == FS_REF_ACQUIRE) {
		note_acquire(t, id);
		note_acquire(t, (struct fence_id){ rec->container, rec->container_seqno });
	}
	return err || !rec->count ? err : note_container(t, rec);
}

int fences_finish(struct fences *t, uint64_t now_ns)
{
	struct fence *f, *next;
	int err = 0;

	for (f = t->places[PLACE_IN_FLIGHT]; f && !err; f = next) {
		next = f->next;
		if (f->told)
			err = signal_told(t, f, now_ns);
	}
	return err;
}
