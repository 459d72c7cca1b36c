/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The recent past of one thread. */
#include "model/timeline.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static struct off *at(const struct timeline *tl, uint32_t index)
{
	return &tl->ring[(tl->head + index) & (tl->room - 1)];
}

void timeline_free(struct timeline *tl)
{
	free(tl->ring);
	*tl = (struct timeline){ 0 };
}

void timeline_restart(struct timeline *tl, uint64_t start)
{
	tl->nr = 0;
	tl->head = 0;
	tl->front_ns = start;
	tl->cursor_ns = start;
}

int timeline_grow(struct timeline *tl, uint32_t room)
{
	struct off *ring = malloc(room * sizeof(*ring));

	if (!ring)
		return -ENOMEM;
	for (uint32_t i = 0; i < tl->nr; i++)
		ring[i] = *at(tl, i);
	free(tl->ring);
	tl->ring = ring;
	tl->room = room;
	tl->head = 0;
	return 0;
}

void timeline_drop_oldest(struct timeline *tl)
{
	tl->front_ns = at(tl, 0)->in_ns;
	tl->head = (tl->head + 1) & (tl->room - 1);
	tl->nr--;
}

void timeline_push(struct timeline *tl, const struct off *off)
{
	*at(tl, tl->nr++) = *off;
	tl->cursor_ns = off->in_ns;
}

static uint64_t overlap(uint64_t a, uint64_t b, uint64_t from, uint64_t to)
{
	uint64_t low = a > from ? a : from;
	uint64_t high = b < to ? b : to;

	return low < high ? high - low : 0;
}

/* Were records lost between `from` and `to`? A loss of no length counts where it lies. */
static bool loss_within(const struct off *off, uint64_t from, uint64_t to)
{
	if (!(off->flags & OFF_LOST))
		return false;
	if (off->begin_ns == off->out_ns)
		return from <= off->begin_ns && off->begin_ns <= to;
	return off->begin_ns < to && from < off->out_ns;
}

/* Of most threads no blockers are asked for, only how long it was. */
static void add_sums(const struct off *off, uint64_t from, uint64_t to, struct tally *t)
{
	uint64_t running = overlap(off->begin_ns, off->out_ns, from, to);
	uint64_t runnable = overlap(off->wake_ns, off->in_ns, from, to);
	uint64_t blocked = overlap(off->out_ns, off->wake_ns, from, to);

	t->budget.ns[off->flags & OFF_HOLE ? BUDGET_UNKNOWN : BUDGET_RUNNING] += running;
	t->budget.ns[BUDGET_RUNNABLE] += runnable;
	t->budget.ns[off->cause] += blocked;
	t->rest_ns += runnable + blocked + (off->flags & OFF_HOLE ? running : 0);
}

void off_tally(const struct off *off, uint64_t from, uint64_t to, struct tally *t)
{
	uint64_t ns = overlap(off->begin_ns, off->out_ns, from, to);
	struct blocker b;

	if (loss_within(off, from, to))
		t->lossy = true;
	if (!t->itemize) {
		add_sums(off, from, to, t);
		return;
	}
	b = (struct blocker){ .fd = -1 };
	if (ns && off->flags & OFF_HOLE) {
		b.cause = BUDGET_UNKNOWN;
		tally_add(t, &b, ns);
	} else {
		t->budget.ns[BUDGET_RUNNING] += ns;
	}

	ns = overlap(off->wake_ns, off->in_ns, from, to);
	if (ns) {
		b.cause = BUDGET_RUNNABLE;
		b.confidence = CONF_EXACT;
		if (off->flags & OFF_PREEMPTED) {
			b.peer_tid = off->peer_tid;
			b.peer_tgid = off->peer_tgid;
			memcpy(b.peer_comm, off->peer_comm, sizeof(b.peer_comm));
		}
		tally_add(t, &b, ns);
	}

	ns = overlap(off->out_ns, off->wake_ns, from, to);
	if (ns) {
		b.cause = (enum budget_part)off->cause;
		b.confidence = (enum confidence)off->confidence;
		b.call = off->call;
		b.file = off->file;
		b.context = off->context;
		b.fd = off->fd;
		b.peer_tid = off->peer_tid;
		b.peer_tgid = off->peer_tgid;
		memcpy(b.peer_comm, off->peer_comm, sizeof(b.peer_comm));
		b.timed_out = off->flags & OFF_TIMED_OUT;
		b.blocked = b.cause == BUDGET_UNKNOWN;
		tally_add(t, &b, ns);
	}
}

/* The index of the first interval that ends at or behind `from`. */
static uint32_t first_from(const struct timeline *tl, uint64_t from)
{
	uint32_t low = 0, high = tl->nr;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (at(tl, middle)->in_ns < from)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

uint64_t timeline_first(const struct timeline *tl, uint64_t from, uint64_t to,
			enum budget_part cause)
{
	for (uint32_t i = first_from(tl, from); i < tl->nr && at(tl, i)->out_ns <= to; i++) {
		const struct off *off = at(tl, i);

		if (off->out_ns >= from && off->cause == cause && off->wake_ns > off->out_ns &&
		    off->confidence == CONF_EXACT)
			return off->out_ns;
	}
	return 0;
}

void timeline_tally(const struct timeline *tl, uint64_t from, uint64_t to, struct tally *t)
{
	/* One of no length at the very end may be a loss. */
	uint32_t low = first_from(tl, from);

	for (; low < tl->nr && at(tl, low)->begin_ns <= to; low++)
		off_tally(at(tl, low), from, to, t);
}

/* In a trace nothing but the call says what its waits are for. */
static void claim_unknown(struct off *off, enum fs_role role)
{
	if (off->cause != BUDGET_UNKNOWN)
		return;
	if (role == FS_ROLE_SLOT)
		off->cause = BUDGET_SLOT;
	else if (role == FS_ROLE_UI_SYNC)
		off->cause = BUDGET_IPC;
	else if (role == FS_ROLE_FENCE_WAIT)
		off->cause = BUDGET_FENCE;
	else
		return;
	off->confidence = CONF_PROBABLE;
}

void off_claim(struct off *off, enum fs_role role, bool marked)
{
	if (off->flags & (OFF_CLAIMED | OFF_PREEMPTED))
		return;
	off->flags |= OFF_CLAIMED;
	if (marked)
		claim_unknown(off, role);
	if (off->cause != BUDGET_LOCK && off->cause != BUDGET_BINDER && off->cause != BUDGET_IPC)
		return;
	if (role == FS_ROLE_SLOT || role == FS_ROLE_DEQUEUE) {
		off->cause = BUDGET_SLOT;
		off->confidence = role == FS_ROLE_SLOT ? CONF_EXACT : CONF_PROBABLE;
	} else if (role == FS_ROLE_UI_SYNC) {
		off->cause = BUDGET_IPC;
	}
}

void timeline_claim(struct timeline *tl, uint64_t entry, uint64_t exit, enum fs_role role,
		    bool marked)
{
	for (uint32_t i = tl->nr; i > 0 && at(tl, i - 1)->out_ns >= entry; i--) {
		struct off *off = at(tl, i - 1);

		if (off->in_ns <= exit)
			off_claim(off, role, marked);
	}
}
