/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What happened to fences, record by record.
 *
 * When the hardware began with a fence is inferred: not before the fence was submitted, and not
 * before the fence ahead of it on its context had signalled. A fence whose submission was not seen
 * gives no such figure. One that is the first to signal on its context does: had there been one
 * ahead of it at its submission, its signal would have been seen since.
 */
#include "model/fence_stats.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "model/fence_track.h"

const char *fence_fate_name(enum fence_fate f)
{
	static const char *const names[FENCE_FATE_NR] = {
		[FENCE_PENDING] = "pending",
		[FENCE_DESTROYED] = "destroyed",
		[FENCE_UNUSED] = "unused",
	};

	return (unsigned)f < FENCE_FATE_NR ? names[f] : "?";
}

const char *fence_motion_name(enum fence_motion m)
{
	static const char *const names[FENCE_MOTION_NR] = {
		[FENCE_MOTION_UNKNOWN] = "",
		[FENCE_MOVING] = "moving",
		[FENCE_DEAD] = "dead",
	};

	return (unsigned)m < FENCE_MOTION_NR ? names[m] : "?";
}

struct fence_stats *fence_stats_new(void)
{
	return calloc(1, sizeof(struct fence_stats));
}

void fence_stats_free(struct fence_stats *s)
{
	if (!s)
		return;
	tracked_fences_free(s);
	contexts_free(s);
	for (size_t i = 0; i < s->threads.room; i++)
		if (s->threads.slots[i].id)
			free(s->threads.slots[i].value);
	idmap_free(&s->threads);
	free(s->unsignaled);
	free(s);
}

void fence_stats_single(struct fence_stats *s, uint64_t context)
{
	s->has_single = true;
	s->single = context;
}

static int add_sample(struct quantile **q, uint64_t ns)
{
	if (!*q)
		*q = quantile_new();
	return *q ? quantile_add(*q, ns) : -ENOMEM;
}

/* When it was handed to the hardware, as far as that was seen. */
static bool submission(const struct tracked_fence *f, uint64_t *ns)
{
	if (f->has_emit)
		*ns = f->emit_ns;
	else if (f->has_init)
		*ns = f->init_ns;
	return f->has_emit || f->has_init;
}

/* Of two sequence numbers, which may wrap. */
static bool is_later(uint64_t a, uint64_t b)
{
	return (int64_t)(a - b) > 0;
}

static int add_hardware(struct fence_acc *a, uint64_t ns)
{
	if (__builtin_add_overflow(a->sum.hardware_total_ns, ns, &a->sum.hardware_total_ns))
		a->sum.hardware_total_ns = UINT64_MAX;
	return add_sample(&a->sum.hardware, ns);
}

/* The figures of a fence that signalled at `at`; from times out of order none are made. */
static int add_figures(struct fence_acc *a, const struct tracked_context *c,
		       const struct tracked_fence *f, uint64_t at)
{
	bool in_order = !c->signaled || c->last_signal_ns <= at;
	uint64_t start = 0;
	int err = 0;

	if (f->has_emit && f->emit_ns <= at)
		err = add_sample(&a->sum.emit_signal, at - f->emit_ns);
	if (!err && f->has_init && f->init_ns <= at)
		err = add_sample(&a->sum.init_signal, at - f->init_ns);
	if (!err && c->signaled && in_order)
		err = add_sample(&a->sum.gap, at - c->last_signal_ns);
	if (err || !in_order || !submission(f, &start) || start > at)
		return err;
	if (at - start > a->longest_ns)
		a->longest_ns = at - start;
	if (c->signaled && c->last_signal_ns > start)
		start = c->last_signal_ns;
	return add_hardware(a, at - start);
}

static int signal_fence(struct fence_stats *s, struct tracked_fence *f, uint64_t at)
{
	struct tracked_context *c = f->context;
	int err = context_attach(s, c);

	if (err)
		return err;
	if (c->acc) {
		c->acc->sum.signaled++;
		err = add_figures(c->acc, c, f, at);
	}
	if (!c->signaled || at > c->last_signal_ns)
		c->last_signal_ns = at;
	if (!c->signaled || is_later(f->id.seqno, c->last_seqno))
		c->last_seqno = f->id.seqno;
	c->signaled = true;
	fence_end(s, f, PLACE_DONE, at);
	return err;
}

/* The record of its signal did not come, but a descriptor's record said that it had signalled. */
static int signal_told(struct fence_stats *s, struct tracked_fence *f, uint64_t now_ns)
{
	struct tracked_context *c = f->context;

	if (f->told_signal_ns)
		return signal_fence(s, f, f->told_signal_ns);

	int err = context_attach(s, c);

	if (!err && c->acc)
		c->acc->sum.signaled++;
	fence_end(s, f, PLACE_DONE, now_ns);
	return err;
}

static int destroy_fence(struct fence_stats *s, struct tracked_fence *f, uint64_t at)
{
	int err = 0;

	if (f->place == PLACE_DESTROYED)
		return 0;
	if (f->place == PLACE_IN_FLIGHT && !f->told_signaled) {
		fence_end(s, f, PLACE_DESTROYED, at);
		return 0;
	}
	if (f->place == PLACE_IN_FLIGHT)
		err = signal_told(s, f, at);
	fence_forget(s, f);
	return err;
}

static int init_fence(struct fence_stats *s, const struct fs_fence *rec)
{
	const struct fence_id id = { rec->context, rec->seqno };
	uint64_t at = rec->h.time_ns;
	struct tracked_fence *f = fence_find(s, id);

	if (s->stop_ns && at > s->stop_ns)
		return 0;
	if (f && f->place != PLACE_IN_FLIGHT) {
		if (at <= f->end_ns)
			return 0;
		fence_displace(s, f);
	}

	int err = fence_get(s, id, at, &f);

	if (err || !f)
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

static int emit_fence(struct fence_stats *s, const struct fs_fence *rec)
{
	const struct fence_id id = { rec->context, rec->seqno };
	const struct fence_id unnumbered = { rec->context, 0 };
	uint64_t at = rec->h.time_ns;
	struct tracked_fence *f = fence_find(s, id);
	int err;

	if (s->stop_ns && at > s->stop_ns)
		return 0;
	if (!f && rec->seqno) {
		f = fence_find(s, unnumbered);
		if (f && f->place == PLACE_IN_FLIGHT && f->has_init && !f->has_emit &&
		    f->init_tid == rec->h.tid) {
			err = fence_renumber(s, f, rec->seqno);
			if (err)
				return err;
		}
	}
	err = fence_get(s, id, at, &f);
	if (err || !f || f->place != PLACE_IN_FLIGHT || f->has_emit)
		return err;
	f->has_emit = true;
	f->emit_ns = at;
	return 0;
}

static int feed_fence(struct fence_stats *s, const struct fs_fence *rec)
{
	const struct fence_id id = { rec->context, rec->seqno };
	struct tracked_fence *f;
	int err;

	switch (rec->op) {
	case FS_FENCE_INIT:
		return init_fence(s, rec);
	case FS_FENCE_EMIT:
		return emit_fence(s, rec);
	case FS_FENCE_ENABLE:
		/* Only asked of a fence that has not signalled. */
		err = fence_get(s, id, rec->h.time_ns, &f);
		if (!err && f)
			f->enabled = true;
		return err;
	case FS_FENCE_SIGNALED:
		err = fence_get(s, id, rec->h.time_ns, &f);
		if (err || !f || f->place == PLACE_DONE)
			return err;
		if (f->place == PLACE_DESTROYED && rec->h.time_ns > f->end_ns)
			return 0;
		return signal_fence(s, f, rec->h.time_ns);
	case FS_FENCE_DESTROY:
		f = fence_find(s, id);
		return f ? destroy_fence(s, f, rec->h.time_ns) : 0;
	default:
		return 0;
	}
}

static int feed_name(struct fence_stats *s, const struct fs_fence_name *rec)
{
	struct tracked_context *c;
	int err = context_get(s, rec->context, &c);

	return err || !c ? err : context_named(s, c, rec);
}

/* A process had a thread wait for fences of this context. */
static int add_victim(struct fence_stats *s, struct tracked_context *c, uint32_t pid)
{
	int err = context_attach(s, c);

	if (err || !c->acc || !pid || c->acc->victims.nr >= FENCE_VICTIMS_MAX)
		return err;
	return idmap_put(&c->acc->victims, pid, c);
}

static int add_waiter(struct fence_stats *s, struct fence_id id, uint32_t pid, uint32_t tid,
		      const char *comm)
{
	struct tracked_context *c = context_find(s, id.context);
	struct tracked_fence *f = fence_find(s, id);
	int err = c ? add_victim(s, c, pid) : 0;

	return err || !f || !tid ? err : fence_waited(f, pid, tid, comm);
}

static int feed_ref(struct fence_stats *s, const struct fs_fence_ref *rec)
{
	const struct fence_id id = { rec->context, rec->seqno };
	const struct fence_id container = { rec->container, rec->container_seqno };
	const struct thread_name *thread = idmap_get(&s->threads, rec->h.tid);
	const char *comm = thread ? thread->comm : "";
	struct tracked_context *c = NULL;
	struct tracked_fence *f = fence_find(s, id);
	int err = 0;

	if (s->stop_ns && rec->h.time_ns > s->stop_ns)
		return 0;
	if (f && rec->flags & FS_REF_SIGNALED) {
		f->told_signaled = true;
		f->told_signal_ns = rec->signal_ns;
	} else if (!(rec->flags & FS_REF_SIGNALED)) {
		err = fence_get(s, id, rec->h.time_ns, &f);
	}
	if (!err && rec->count)
		err = context_get(s, rec->container, &c);
	if (!err && c) {
		const struct tracked_context *member = context_find(s, rec->context);

		if (member)
			context_holds(c, member);
		else
			c->container = true;
	}
	/* A descriptor that has signalled already is not what a thread waits for. */
	if (err || rec->role != FS_REF_WAITED || rec->flags & FS_REF_SIGNALED)
		return err;
	err = add_waiter(s, id, rec->h.tgid, rec->h.tid, comm);
	if (!err && rec->count)
		err = add_waiter(s, container, rec->h.tgid, rec->h.tid, comm);
	return err;
}

static int feed_task(struct fence_stats *s, const struct fs_task *rec)
{
	struct thread_name *t = idmap_get(&s->threads, rec->h.tid);

	if (rec->op == FS_TASK_EXIT || !*rec->comm || !rec->h.tid)
		return 0;
	if (!t) {
		if (s->threads.nr >= FENCE_THREADS_MAX)
			return 0;
		t = malloc(sizeof(*t));
		if (!t)
			return -ENOMEM;
		if (idmap_put(&s->threads, rec->h.tid, t)) {
			free(t);
			return -ENOMEM;
		}
	}
	snprintf(t->comm, sizeof(t->comm), "%s", rec->comm);
	return 0;
}

static void feed_clock(struct fence_stats *s, const struct fs_clock *rec)
{
	if (rec->mark == FS_CLOCK_START && !s->start_ns)
		s->start_ns = rec->h.time_ns;
	if (rec->mark == FS_CLOCK_STOP && !s->stop_ns)
		s->stop_ns = rec->h.time_ns;
}

int fence_stats_feed(struct fence_stats *s, const struct fs_header *rec)
{
	if (!s->first_ns)
		s->first_ns = rec->time_ns;
	if (rec->time_ns > s->last_ns)
		s->last_ns = rec->time_ns;
	switch (rec->kind) {
	case FS_KIND_FENCE:
		return feed_fence(s, (const struct fs_fence *)rec);
	case FS_KIND_FENCE_NAME:
		return feed_name(s, (const struct fs_fence_name *)rec);
	case FS_KIND_FENCE_REF:
		return feed_ref(s, (const struct fs_fence_ref *)rec);
	case FS_KIND_TASK:
		return feed_task(s, (const struct fs_task *)rec);
	case FS_KIND_CLOCK:
		feed_clock(s, (const struct fs_clock *)rec);
		return 0;
	case FS_KIND_LOST:
		s->last_loss_ns = rec->time_ns;
		return 0;
	default:
		return 0;
	}
}

int fence_stats_wait(struct fence_stats *s, const struct fence_wait *w)
{
	int err = add_waiter(s, w->fence, w->pid, w->tid, w->comm);

	if (!err && w->in_container)
		err = add_waiter(s, w->container, w->pid, w->tid, w->comm);
	return err;
}

static uint64_t capture_end(const struct fence_stats *s)
{
	return s->stop_ns ? s->stop_ns : s->last_ns;
}

uint64_t fence_stats_length_ns(const struct fence_stats *s)
{
	uint64_t start = s->start_ns ? s->start_ns : s->first_ns, end = capture_end(s);

	return end > start ? end - start : 0;
}

static enum fence_fate fate(const struct tracked_fence *f)
{
	if (f->place == PLACE_IN_FLIGHT)
		return FENCE_PENDING;
	if (context_is_container(f->context) && !f->enabled && !f->waiters)
		return FENCE_UNUSED;
	return FENCE_DESTROYED;
}

/* The unused last; the others by age. */
static int by_age(const void *pa, const void *pb)
{
	const struct tracked_fence *a = *(const struct tracked_fence *const *)pa;
	const struct tracked_fence *b = *(const struct tracked_fence *const *)pb;
	bool unused_a = fate(a) == FENCE_UNUSED, unused_b = fate(b) == FENCE_UNUSED;

	if (unused_a != unused_b)
		return unused_a ? 1 : -1;
	if (a->first_ns != b->first_ns)
		return a->first_ns < b->first_ns ? -1 : 1;
	if (a->id.context != b->id.context)
		return a->id.context < b->id.context ? -1 : 1;
	return (a->id.seqno > b->id.seqno) - (a->id.seqno < b->id.seqno);
}

static int list_unsignaled(struct fence_stats *s)
{
	static const enum fence_place places[] = { PLACE_DESTROYED, PLACE_IN_FLIGHT };
	size_t nr = s->nr_placed[PLACE_DESTROYED] + s->nr_placed[PLACE_IN_FLIGHT];
	const struct tracked_fence *f;

	if (!nr)
		return 0;
	s->unsignaled = calloc(nr, sizeof(void *));
	if (!s->unsignaled)
		return -ENOMEM;
	for (size_t i = 0; i < 2; i++) {
		for (f = s->places[places[i]]; f; f = f->next) {
			s->unsignaled[s->nr_unsignaled++] = f;
			if (f->context->acc)
				f->context->acc->sum.unsignaled++;
		}
	}
	qsort(s->unsignaled, nr, sizeof(void *), by_age);
	return 0;
}

int fence_stats_finish(struct fence_stats *s)
{
	struct tracked_fence *f, *next;
	int err = 0;

	/* Signals that only a descriptor's record told of. */
	for (f = s->places[PLACE_IN_FLIGHT]; f; f = next) {
		next = f->next;
		if (!err && f->told_signaled)
			err = signal_told(s, f, capture_end(s));
	}
	if (!err)
		err = contexts_finish(s);
	return err ? err : list_unsignaled(s);
}

const struct fence_timeline *fence_stats_timeline(const struct fence_stats *s, size_t i)
{
	return i < s->nr_accs ? &s->accs[i]->sum : NULL;
}

/*
 * Does the context signal without this fence? Nothing is said of a container, whose own context
 * says nothing about its members', and of a fence that is younger than others have grown.
 */
static enum fence_motion motion(const struct fence_stats *s, const struct tracked_fence *f,
				uint64_t age_ns)
{
	const struct tracked_context *c = f->context;
	uint64_t since = f->first_ns;
	bool born = submission(f, &since);

	if (c->signaled && (c->last_signal_ns > since || is_later(c->last_seqno, f->id.seqno)))
		return FENCE_MOVING;
	if (!born || context_is_container(c) || s->last_loss_ns >= since)
		return FENCE_MOTION_UNKNOWN;
	return c->acc && age_ns <= c->acc->longest_ns ? FENCE_MOTION_UNKNOWN : FENCE_DEAD;
}

static unsigned count_victims(const struct waiter_list *w)
{
	unsigned victims = 0;

	for (unsigned i = 0; i < w->nr; i++) {
		bool first = w->list[i].pid != 0;

		for (unsigned j = 0; j < i && first; j++)
			first = w->list[j].pid != w->list[i].pid;
		victims += first;
	}
	return victims;
}

bool fence_stats_unsignaled(const struct fence_stats *s, size_t i, struct fence_unsignaled *u)
{
	if (i >= s->nr_unsignaled)
		return false;

	const struct tracked_fence *f = s->unsignaled[i];
	uint64_t end = f->place == PLACE_IN_FLIGHT ? capture_end(s) : f->end_ns;
	uint64_t since = 0;

	*u = (struct fence_unsignaled){ .id = f->id, .fate = fate(f) };
	context_name(f->context, &u->name);
	u->born = submission(f, &since) && since <= end;
	if (u->born)
		u->age_ns = end - since;
	u->motion = motion(s, f, u->age_ns);
	if (f->waiters) {
		u->waiters = f->waiters->list;
		u->nr_waiters = f->waiters->nr;
		u->victims = count_victims(f->waiters);
		u->more = f->waiters->more;
	}
	return true;
}

void fence_stats_name(const struct fence_stats *s, uint64_t context, struct fence_name *name)
{
	const struct tracked_context *c = context_find(s, context);

	*name = (struct fence_name){ 0 };
	if (c)
		context_name(c, name);
}

const struct fence_losses *fence_stats_losses(const struct fence_stats *s)
{
	return &s->losses;
}
