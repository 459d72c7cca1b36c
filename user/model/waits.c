// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* From a blocked thread's descriptors to the one fence that ended the block. */
#include "model/waits.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/builder.h"
#include "model/fence_context.h"

/* How much earlier than its time-out a wait may seem to begin: it is measured from the block on. */
#define TIMEOUT_SLACK_NS UINT64_C(1000000)
/* The longest from the record of a fence's signal to its waking of a thread. */
#define CALLBACK_NS UINT64_C(1000000)

static const char *const outcome_names[] = {
	[WAIT_SIGNALED] = "signaled",
	[WAIT_TIMEOUT] = "timeout",
	[WAIT_OTHER] = "other",
	[WAIT_OPEN] = "open",
};
_Static_assert(sizeof(outcome_names) / sizeof(outcome_names[0]) == WAIT_OUTCOME_NR,
	       "a name for every outcome");

const char *wait_outcome_name(enum wait_outcome o)
{
	return (unsigned)o < WAIT_OUTCOME_NR ? outcome_names[o] : NULL;
}

static struct fence_id ref_end(const struct wait_ref *r)
{
	return r->in_container ? r->container : r->id;
}

static void add_ref(struct waits *w, const struct fs_fence_ref *rec)
{
	struct wait_ref *r;

	if (w->off_seq != rec->off_seq) {
		w->off_seq = rec->off_seq;
		w->nr_refs = 0;
		w->too_many = false;
	}
	if (w->nr_refs == REFS_MAX) {
		w->too_many = true;
		return;
	}
	r = &w->refs[w->nr_refs++];
	*r = (struct wait_ref){
		.id = { rec->context, rec->seqno },
		.container = { rec->container, rec->container_seqno },
		.timeout_ns = rec->timeout_ns,
		.fd = rec->fd,
		.in_container = rec->count != 0,
		.partial = rec->flags & FS_REF_MORE,
	};
}

static int get_waits(struct thread *t)
{
	if (!t->waits)
		t->waits = calloc(1, sizeof(*t->waits));
	return t->waits ? 0 : -ENOMEM;
}

/* The i-th of the fences met, counted from the last; NULL past those that are kept. */
static struct met *met_at(struct waits *w, unsigned i)
{
	return i < MET_NR && i < w->next_met ? &w->met[(w->next_met - 1 - i) & (MET_NR - 1)] : NULL;
}

/* The last one that was met in that role, between these times; `id` NULL: any. */
static struct met *find_met(struct waits *w, uint32_t role, const struct fence_id *id,
			    uint64_t from, uint64_t to)
{
	struct met *met;

	for (unsigned i = 0; (met = met_at(w, i)); i++)
		if (met->role == role && met->time_ns >= from && met->time_ns <= to &&
		    (!id || fence_same(met->id, *id)))
			break;
	return met;
}

static void meet(struct waits *w, const struct fs_fence_ref *rec)
{
	struct fence_id id = { rec->context, rec->seqno };
	struct met *met = NULL;

	/* The members of a container come one by one, in any order. */
	if (rec->count) {
		id = (struct fence_id){ rec->container, rec->container_seqno };
		met = find_met(w, rec->role, &id, rec->h.time_ns, rec->h.time_ns);
	}
	if (!met) {
		met = &w->met[w->next_met++ & (MET_NR - 1)];
		*met = (struct met){
			.id = id,
			.time_ns = rec->h.time_ns,
			.role = rec->role,
			.missing = rec->count ? rec->count : 1,
		};
	}
	if (rec->flags & FS_REF_SIGNALED && met->missing)
		met->missing--;
	met->untimed |= !rec->signal_ns;
	if (met->signal_ns < rec->signal_ns)
		met->signal_ns = rec->signal_ns;
}

bool met_signaled(const struct met *met, uint64_t *signal_ns)
{
	*signal_ns = met->missing || met->untimed ? 0 : met->signal_ns;
	return !met->missing;
}

int waits_ref(struct thread *t, const struct fs_fence_ref *rec)
{
	int err = get_waits(t);

	if (err)
		return err;
	if (rec->role == FS_REF_WAITED) {
		add_ref(t->waits, rec);
		return 0;
	}
	meet(t->waits, rec);
	return 0;
}

int waits_name(struct thread *t, const struct fs_text *rec)
{
	struct waits *w;
	int err = get_waits(t);

	if (err)
		return err;
	w = t->waits;
	w->named_ns = rec->h.time_ns;
	memcpy(w->name, rec->text, sizeof(w->name));
	w->name[sizeof(w->name) - 1] = '\0';
	return 0;
}

/* The records of one call have one time, but may come in any order. */
static const char *name_of(struct waits *w, struct fence_id id)
{
	uint64_t at = w->named_ns;

	return at && find_met(w, FS_REF_WAIT_CALL, &id, at, at) ? w->name : "";
}

const struct met *waits_met(const struct thread *t, uint32_t role, uint64_t entry, uint64_t exit)
{
	return t->waits ? find_met(t->waits, role, NULL, entry, exit) : NULL;
}

/*
 * How the thread came by it: a buffer's fence keeps that role when sync_wait() is given it. One
 * that came to a consumer over a socket was seen when the producer gave it away.
 */
static uint32_t role_of(const struct model *m, struct waits *w, struct fence_id id)
{
	const struct fence *fence = fences_find(&m->fences, id);
	uint32_t role = FS_REF_WAITED;
	const struct met *met;

	for (unsigned i = 0; (met = met_at(w, i)); i++) {
		if (!fence_same(met->id, id))
			continue;
		if (met->role != FS_REF_WAIT_CALL)
			return met->role;
		role = FS_REF_WAIT_CALL;
	}
	return fence && fence->acquire ? FS_REF_ACQUIRE : role;
}

/* The fence, if its signal by `until` was seen; else NULL. */
static const struct fence *ended_by(const struct model *m, struct fence_id id, uint64_t until)
{
	const struct fence *fence = fences_find(&m->fences, id);

	return fence && fence->signal_ns && fence->signal_ns <= until ? fence : NULL;
}

/*
 * The ref whose end, of those that came by `until`, came last: a block goes on until it is woken,
 * and the first to signal wakes it, so an earlier one would have ended it before. Of a container's
 * members that is the last, without which the container would not have ended.
 */
static const struct wait_ref *find_ender(const struct model *m, const struct waits *w,
					 uint64_t until, const struct fence **end)
{
	const struct wait_ref *best = NULL;
	uint64_t best_member = 0;

	*end = NULL;
	for (unsigned i = 0; i < w->nr_refs; i++) {
		const struct wait_ref *r = &w->refs[i];
		const struct fence *fence = ended_by(m, ref_end(r), until);
		const struct fence *member = ended_by(m, r->id, until);
		uint64_t member_ns = member ? member->signal_ns : 0;

		if (!fence || (*end && fence->signal_ns < (*end)->signal_ns))
			continue;
		if (*end == fence && member_ns <= best_member)
			continue;
		best = r;
		best_member = member_ns;
		*end = fence;
	}
	return best;
}

/*
 * When the thread began to wait: at the call that says so, if one was seen since the last one's
 * end, else at the block.
 */
static uint64_t begin_of(struct waits *w, const struct wait_ref *r, uint64_t exit_ns,
			 uint64_t out_ns)
{
	const struct fence_id id = ref_end(r);
	const struct met *met = find_met(w, FS_REF_WAIT_CALL, &id, exit_ns, out_ns);

	return met ? met->time_ns : out_ns;
}

/* A timer is an interrupt. If there was only the fence to wait for, any interrupt is the timer. */
static bool timed_out(const struct thread *t, const struct wait_ref *r, const struct fs_offcpu *rec,
		      const struct off *off)
{
	uint64_t exit_ns = t->builder ? t->builder->exit_ns : 0;
	uint64_t timeout = (uint64_t)r->timeout_ns;
	uint64_t ns = off->wake_ns - begin_of(t->waits, r, exit_ns, off->out_ns);

	if (r->timeout_ns < 0 || !rec->waking_ns || rec->context == FS_CTX_TASK)
		return false;
	if (rec->context != FS_CTX_UNKNOWN && rec->nfds <= 1 && ns >= timeout / 2)
		return true;
	return ns + TIMEOUT_SLACK_NS >= timeout;
}

/* The fence's signal runs its waiters' callbacks at once, with interrupts off. */
static bool woke_by_callback(const struct fence *end, const struct fs_offcpu *rec)
{
	bool same = end->signal_context == rec->context &&
		    (!end->signaller_tid || end->signaller_tid == rec->peer_tid);

	return same && rec->waking_ns - end->signal_ns <= CALLBACK_NS &&
	       end->signal_cpu < FENCE_CPUS &&
	       (!end->next_signal_ns || end->next_signal_ns > rec->waking_ns);
}

/*
 * A fence that had signalled before the thread left its CPU would not have let it block, unless the
 * thread had looked at it just before that, and the waking was under way. Or else the descriptor
 * has become another fence's in between.
 */
static enum confidence confidence_of(const struct fence *end, const struct fs_offcpu *rec,
				     bool partial)
{
	bool before = end->signal_ns < rec->out_ns && !(rec->flags & FS_OFF_WOKEN_EARLY);

	if (partial || !rec->waking_ns || end->signal_cpu == FS_CPU_NONE ||
	    rec->cpu_waking != (int32_t)end->signal_cpu)
		return CONF_PROBABLE;
	return before && !woke_by_callback(end, rec) ? CONF_PROBABLE : CONF_EXACT;
}

static void name_signaller(struct model *m, const struct fence *end, const struct fs_offcpu *rec,
			   struct fence_wait *wait)
{
	const struct thread *t;

	wait->context = end->signal_context;
	wait->signaller_tid = end->signaller_tid;
	if (!end->signaller_tid)
		return;
	t = idmap_get(&m->threads, end->signaller_tid);
	if (rec->peer_tid == end->signaller_tid)
		memcpy(wait->signaller, rec->peer_comm, FS_COMM_LEN);
	else if (t)
		memcpy(wait->signaller, t->comm, FS_COMM_LEN);
	wait->signaller[FS_COMM_LEN - 1] = '\0';
}

/* The frame that the thread is making, if it makes those of one surface only. */
static void name_frame(const struct thread *t, struct fence_wait *wait)
{
	if (!t->builder || t->builder->nr_makers != 1)
		return;
	wait->producer = t->builder->makers[0].open.producer->id;
	wait->frame = t->builder->makers[0].open.number + 1;
}

static void remember(struct waits *w, const struct fence_wait *wait, const struct off *off)
{
	w->waited[w->next_waited++ & (WAITED_NR - 1)] = (struct waited){
		.id = wait->in_container ? wait->container : wait->fence,
		.start_ns = off->out_ns,
		.end_ns = off->wake_ns,
		.confidence = wait->confidence,
	};
}

/* A wait inside the kernel names its fence by itself. */
static bool refs_of(struct thread *t, const struct fs_offcpu *rec)
{
	if (t->fence_wait && t->fence_wait_ns <= rec->out_ns) {
		struct fs_fence_ref ref = {
			.context = t->fence_wait_id.context,
			.seqno = t->fence_wait_id.seqno,
			.timeout_ns = -1,
			.fd = -1,
			.off_seq = rec->seq,
		};

		if (!get_waits(t))
			add_ref(t->waits, &ref);
	}
	return t->waits && t->waits->nr_refs && t->waits->off_seq == rec->seq &&
	       !t->waits->too_many;
}

/* Who signalled says more than who woke: for a container that is an interrupt of its own. */
static void blame_signaller(const struct fence_wait *wait, struct off *off)
{
	off->context = wait->context;
	if (off->peer_tid == wait->signaller_tid)
		return;
	off->peer_tid = wait->signaller_tid;
	off->peer_tgid = 0;
	memcpy(off->peer_comm, wait->signaller, FS_COMM_LEN);
}

/* The timer that woke it is nobody's doing. */
static void blame_nobody(struct off *off)
{
	off->flags |= OFF_TIMED_OUT;
	off->context = FS_CTX_UNKNOWN;
	off->peer_tid = 0;
	off->peer_tgid = 0;
	memset(off->peer_comm, 0, FS_COMM_LEN);
}

/* The signal of what `r` stands for, `end`, ended it. */
static void end_by_signal(struct model *m, const struct wait_ref *r, const struct fence *end,
			  const struct fs_offcpu *rec, struct off *off, struct fence_wait *wait)
{
	const struct fence *member = ended_by(m, r->id, off->wake_ns);
	/* Where the kernel hides what tells a container, it looks like a fence; but for its name.
	 */
	bool hidden = !r->in_container && fence_context_is_container(end->context);

	wait->outcome = WAIT_SIGNALED;
	wait->confidence = confidence_of(end, rec, r->partial || hidden || !member);
	/* A container is signalled by an interrupt of its own, on behalf of its last member. */
	if (member)
		end = member;
	wait->signal_ns = end->signal_ns;
	wait->error = end->error;
	name_signaller(m, end, rec, wait);
	off->cause = BUDGET_FENCE;
	off->confidence = (uint8_t)wait->confidence;
	if (wait->confidence == CONF_EXACT)
		blame_signaller(wait, off);
}

/* Nothing that it waited for had signalled. */
static void end_without_signal(const struct thread *t, const struct fs_offcpu *rec, struct off *off,
			       struct fence_wait *wait)
{
	if (rec->flags & FS_OPEN) {
		wait->outcome = WAIT_OPEN;
	} else if (timed_out(t, &t->waits->refs[0], rec, off)) {
		wait->outcome = WAIT_TIMEOUT;
		blame_nobody(off);
	} else {
		wait->outcome = WAIT_OTHER;
	}
}

static void resolve(struct model *m, struct thread *t, const struct fs_offcpu *rec, struct off *off)
{
	struct fence_wait wait = { .pid = t->tgid, .tid = t->tid, .comm = t->comm };
	const struct wait_ref *r = NULL;
	const struct fence *end = NULL;

	if (!(rec->flags & FS_OPEN))
		r = find_ender(m, t->waits, off->wake_ns, &end);
	if (r) {
		end_by_signal(m, r, end, rec, off, &wait);
	} else {
		r = &t->waits->refs[0];
		end_without_signal(t, rec, off, &wait);
	}
	wait.fd = r->fd;
	wait.fence = r->id;
	off->fence = r->id;
	off->has_fence = true;
	wait.container = r->container;
	wait.in_container = r->in_container;
	wait.role = role_of(m, t->waits, ref_end(r));
	wait.name = name_of(t->waits, ref_end(r));
	wait.start_ns = off->out_ns;
	wait.wake_ns = rec->waking_ns ? off->wake_ns : 0;
	wait.end_ns = off->in_ns;
	name_frame(t, &wait);
	remember(t->waits, &wait, off);
	if (m->sink.fence_wait)
		m->sink.fence_wait(m->sink.ctx, &wait);
}

void waits_resolve(struct model *m, struct thread *t, const struct fs_offcpu *rec, struct off *off)
{
	if (refs_of(t, rec))
		resolve(m, t, rec, off);
}

void waits_frame(struct model *m, const struct thread *t, struct frame *f)
{
	const struct waits *w = t->waits;
	const struct fence *fence;

	if (f->has_acquire && (fence = fences_find(&m->fences, f->acquire))) {
		f->acquire_signal_ns = fence->signal_ns;
		f->gpu_ns = fence->hardware_ns;
	}
	if (f->has_release && (fence = fences_find(&m->fences, f->release)))
		f->release_signal_ns = fence->signal_ns;
	for (unsigned i = 0; w && i < WAITED_NR && i < w->next_waited; i++) {
		const struct waited *waited = &w->waited[i];

		if (waited->start_ns < f->start_ns || waited->end_ns > f->end_ns)
			continue;
		if (!f->waited || waited->confidence < f->fence_confidence)
			f->fence_confidence = waited->confidence;
		f->waited = true;
		if (f->has_release && fence_same(waited->id, f->release))
			f->release_wait_ns += waited->end_ns - waited->start_ns;
	}
}
