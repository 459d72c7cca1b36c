/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* From off-CPU records to a thread's timeline. */
#include "model/block.h"
#include "model/builder.h"
#include "model/thread.h"
#include "model/waits.h"

#include <string.h>

/*
 * Make room for one more interval: a longer history where frames may need it, else the oldest one
 * is folded into the sums.
 */
static int make_room(struct model *m, struct thread *t)
{
	struct timeline *tl = &t->timeline;

	if (!timeline_full(tl))
		return 0;
	if (!tl->room)
		return timeline_grow(tl, HISTORY_IDLE);
	if (t->builder && tl->room < HISTORY_MAX &&
	    builder_needs(t->builder, timeline_oldest(tl), m->stats.last_ns)) {
		uint32_t room = tl->room * 2;
		size_t others = m->history - (tl->room > HISTORY_IDLE ? tl->room : 0);

		if (others + room <= HISTORY_ALL) {
			int err = timeline_grow(tl, room);

			if (!err)
				m->history = others + room;
			return err;
		}
	}

	const struct off *oldest = timeline_oldest(tl);

	/* A kept call that ended within it would put a frame's end there: not possible later. */
	if (t->builder && t->builder->nr_calls && t->builder->calls[0].exit_ns < oldest->in_ns) {
		int err = calls_flush(m, t);

		if (err)
			return err;
	}
	off_tally(oldest, t->birth_ns, UINT64_MAX, &t->life);
	if (t->builder)
		builder_fold(t->builder, oldest);
	block_send(m, t, oldest);
	timeline_drop_oldest(tl);
	return 0;
}

static int push(struct model *m, struct thread *t, const struct off *off)
{
	int err = make_room(m, t);

	if (err)
		return err;
	timeline_push(&t->timeline, off);
	if (t->builder)
		builder_emit(m, t);
	return 0;
}

/* The thread ran, or nothing is known of it, from the cursor to `to`. */
static int push_stretch(struct model *m, struct thread *t, uint64_t to, uint8_t flags)
{
	uint64_t from = t->timeline.cursor_ns;
	struct off off = {
		.begin_ns = from, .out_ns = to, .wake_ns = to, .in_ns = to, .flags = flags
	};

	return to > from ? push(m, t, &off) : 0;
}

void thread_anchor(struct thread *t, uint64_t at, uint32_t off_seq)
{
	if (at <= t->timeline.cursor_ns)
		return;
	if (off_seq == t->offcpu_seq) {
		t->confirmed_ns = at;
	} else if (off_seq > t->offcpu_seq) {
		if (t->anchor_ns <= t->timeline.cursor_ns || t->anchor_seq != off_seq)
			t->anchor_ns = at;
		t->anchor_last_ns = at;
		t->anchor_seq = off_seq;
	}
}

int thread_confirm(struct model *m, struct thread *t)
{
	if (!t->builder || builder_due_ns(t->builder) > t->confirmed_ns)
		return 0;
	return push_stretch(m, t, t->confirmed_ns, 0);
}

/*
 * From the cursor to `to`, before which the last off-CPU interval was off_seq: *flags for the
 * stretch that is left. Intervals whose records are missing lie in a part as small as the spans
 * allow.
 */
static int bridge(struct model *m, struct thread *t, uint64_t to, uint32_t off_seq, uint8_t *flags)
{
	int err = 0;

	*flags = 0;
	if (off_seq == t->offcpu_seq)
		return 0;
	if (t->confirmed_ns <= to)
		err = push_stretch(m, t, t->confirmed_ns, 0);
	if (t->anchor_seq == off_seq && t->anchor_ns > t->timeline.cursor_ns && t->anchor_ns < to)
		return err ? err : push_stretch(m, t, t->anchor_ns, OFF_HOLE | OFF_LOST);
	*flags = OFF_HOLE | OFF_LOST;
	return err;
}

int thread_ran(struct model *m, struct thread *t, uint64_t at, uint32_t off_seq)
{
	uint8_t flags;
	int err;

	if (m->stats.stop_ns && at > m->stats.stop_ns)
		at = m->stats.stop_ns;
	err = bridge(m, t, at, off_seq, &flags);
	return err ? err : push_stretch(m, t, at, flags);
}

int thread_settle(struct model *m, struct thread *t, uint64_t at)
{
	int err = 0;

	if (t->confirmed_ns <= at)
		err = push_stretch(m, t, t->confirmed_ns, 0);
	return err ? err : push_stretch(m, t, at, OFF_HOLE | OFF_LOST);
}

uint64_t thread_known_ns(const struct thread *t)
{
	uint64_t cursor = t->timeline.cursor_ns;

	return t->confirmed_ns > cursor ? t->confirmed_ns : cursor;
}

void thread_tally(const struct thread *t, uint64_t from, uint64_t to, struct tally *tally)
{
	uint64_t before = budget_total(&tally->budget), cursor, known, seen;
	const struct blocker unknown = { .cause = BUDGET_UNKNOWN, .fd = -1 };

	if (to <= from)
		return;
	if (t && t->started) {
		timeline_tally(&t->timeline, from, to, tally);
		cursor = t->timeline.cursor_ns > from ? t->timeline.cursor_ns : from;
		known = thread_known_ns(t) < to ? thread_known_ns(t) : to;
		if (known > cursor)
			tally->budget.ns[BUDGET_RUNNING] += known - cursor;
	}
	seen = budget_total(&tally->budget) - before;
	if (seen < to - from)
		tally_add(tally, &unknown, to - from - seen);
}

/* Did the record say what the cause was taken from, and is that all the thread waited for? */
static bool identified(const struct fs_offcpu *rec, enum budget_part cause)
{
	if (cause == BUDGET_IO)
		return rec->file == FS_FILE_REGULAR || rec->file == FS_FILE_BLOCK;
	switch ((enum fs_call)rec->call) {
	case FS_CALL_FUTEX:
		/* Whoever lets go of a lock is a task: an interrupt is the end of a timeout. */
		return rec->context != FS_CTX_SOFTIRQ && rec->context != FS_CTX_HARDIRQ;
	case FS_CALL_SLEEP:
		return true;
	case FS_CALL_IOCTL:
	case FS_CALL_READ:
		return rec->file != FS_FILE_UNKNOWN;
	case FS_CALL_POLL:
	case FS_CALL_SELECT:
		return rec->file != FS_FILE_UNKNOWN && rec->nfds <= 1;
	case FS_CALL_OTHER:
		return cause == BUDGET_OTHER;
	case FS_CALL_EPOLL: /* what it waits for is a set that the record does not hold */
	default:
		return false;
	}
}

/* These calls wait for wake-ups of their own, never inside dma_fence_wait(). */
static bool never_in_fence_wait(const struct fs_offcpu *rec)
{
	switch ((enum fs_call)rec->call) {
	case FS_CALL_FUTEX:
	case FS_CALL_POLL:
	case FS_CALL_SELECT:
	case FS_CALL_EPOLL:
	case FS_CALL_SLEEP:
		return true;
	default:
		return false;
	}
}

static void find_cause(struct thread *t, const struct fs_offcpu *rec, bool woken, struct off *off)
{
	enum budget_part cause = budget_cause(rec);

	off->cause = (uint8_t)cause;
	if (cause != BUDGET_UNKNOWN)
		off->confidence = woken && identified(rec, cause) ? CONF_EXACT : CONF_PROBABLE;
	if (t->fence_wait && never_in_fence_wait(rec))
		t->fence_wait = false; /* the record of its end was lost */
	if (t->fence_wait && t->fence_wait_ns <= rec->out_ns) {
		off->cause = BUDGET_FENCE;
		off->confidence = CONF_EXACT;
		off->flags |= OFF_CLAIMED;
	}
	if (t->builder && t->builder->exit_ns >= off->in_ns)
		calls_claim(t->builder, off);
}

static void take_peer(const struct fs_offcpu *rec, struct off *off)
{
	/* In an interrupt the running task is a bystander. */
	if (!(off->flags & OFF_PREEMPTED) &&
	    (rec->context == FS_CTX_SOFTIRQ || rec->context == FS_CTX_HARDIRQ))
		return;
	off->peer_tid = rec->peer_tid;
	off->peer_tgid = rec->peer_tgid;
	memcpy(off->peer_comm, rec->peer_comm, sizeof(off->peer_comm));
	off->peer_comm[sizeof(off->peer_comm) - 1] = '\0';
}

/* The blocked and the runnable part of an interval whose begin, out and in are set. */
static void split(struct model *m, struct thread *t, const struct fs_offcpu *rec, struct off *off)
{
	bool woken = rec->waking_ns >= rec->out_ns && rec->waking_ns <= rec->h.time_ns &&
		     rec->waking_ns <= off->in_ns && rec->waking_ns;

	off->fd = rec->fd;
	off->call = rec->call < FS_CALL_NR ? rec->call : FS_CALL_UNKNOWN;
	off->file = rec->file < FS_FILE_NR ? rec->file : FS_FILE_UNKNOWN;
	off->context = rec->context < FS_CTX_NR ? rec->context : FS_CTX_UNKNOWN;
	if (rec->flags & (FS_OFF_PREEMPTED | FS_OFF_NEW)) {
		off->wake_ns = off->out_ns;
		off->cause = BUDGET_RUNNABLE;
		if (rec->flags & FS_OFF_PREEMPTED) {
			off->flags |= OFF_PREEMPTED;
			take_peer(rec, off);
		}
		return;
	}
	off->wake_ns = off->in_ns;
	if (woken)
		off->wake_ns = rec->waking_ns > off->out_ns ? rec->waking_ns : off->out_ns;
	find_cause(t, rec, woken, off);
	if (woken || !rec->waking_ns)
		take_peer(rec, off);
	waits_resolve(m, t, rec, off);
}

/* The stretch before the interval and the interval; `out` and `in` are cut to the capture. */
static int add_interval(struct model *m, struct thread *t, const struct fs_offcpu *rec,
			uint64_t out, uint64_t in)
{
	bool no_start = rec->flags & FS_OFF_NO_START;
	bool absurd = !no_start && (!rec->out_ns || rec->out_ns > rec->h.time_ns);
	uint64_t cursor = t->timeline.cursor_ns;
	struct off off = { .fd = -1, .out_ns = in, .wake_ns = in, .in_ns = in };
	int err = bridge(m, t, out > cursor ? out : cursor, rec->seq - 1, &off.flags);

	if (err)
		return err;
	off.begin_ns = t->timeline.cursor_ns;
	if (off.flags)
		t->fence_wait = false; /* the record of its end may be lost too */
	if (absurd) {
		off.flags = OFF_HOLE | OFF_LOST;
	} else if (no_start) {
		off.flags |= OFF_HOLE;
	} else {
		off.out_ns = out > off.begin_ns ? out : off.begin_ns;
		split(m, t, rec, &off);
	}
	/*
	 * Its coming back was not seen: from the waking on it was ready or on a CPU; without one it
	 * may have been any of the three.
	 */
	if (!absurd && rec->flags & FS_OFF_NO_END) {
		if (!rec->waking_ns)
			off.wake_ns = off.out_ns;
		off.in_ns = off.wake_ns;
	}
	err = push(m, t, &off);
	return err ? err : push_stretch(m, t, in, OFF_HOLE);
}

int thread_offcpu(struct model *m, const struct fs_offcpu *rec)
{
	const struct exited *exited = &m->exited[rec->h.tid & (EXITED_NR - 1)];
	uint64_t stop = m->stats.stop_ns, in = rec->h.time_ns;
	uint64_t out = rec->out_ns && rec->out_ns < in ? rec->out_ns : in;
	struct thread *t;
	int err;

	/* It exited, which was its end; it may still block before the kernel lets go of it. */
	if (exited->tid == rec->h.tid && rec->seq > exited->offcpu_seq &&
	    !(rec->flags & FS_OFF_NEW))
		return 0;
	err = thread_get(m, &rec->h, &t);
	if (err || !t)
		return err;
	if (stop && in > stop) {
		in = stop;
		out = out < stop ? out : stop;
	}
	thread_start(m, t, out, rec->flags & FS_OFF_NEW);
	if (in < t->timeline.cursor_ns) {
		m->stats.stale++;
		return 0;
	}
	err = add_interval(m, t, rec, out, in);
	t->offcpu_seq = rec->seq;
	t->confirmed_ns = t->anchor_seq == rec->seq ? t->anchor_last_ns : 0;
	return err ? err : thread_confirm(m, t);
}

void thread_fence(struct thread *t, const struct fs_fence *rec)
{
	t->fence_wait = rec->op == FS_FENCE_WAIT_START;
	t->fence_wait_ns = rec->h.time_ns;
	t->fence_wait_id = (struct fence_id){ rec->context, rec->seqno };
}
