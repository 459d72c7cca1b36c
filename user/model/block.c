/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Gives away what leaves a thread's timeline. */
#include "model/block.h"

#include <string.h>

#include "model/thread.h"

void block_send(const struct model *m, const struct thread *t, const struct off *off)
{
	bool preempted = off->cause == BUDGET_RUNNABLE;
	uint64_t end = preempted ? off->in_ns : off->wake_ns;

	if (!m->sink.block || !t->builder || off->in_ns == off->out_ns)
		return;

	struct block b = {
		.pid = t->tgid,
		.tid = t->tid,
		.comm = t->comm,
		.out_ns = off->out_ns,
		.wake_ns = off->wake_ns,
		.in_ns = off->in_ns,
		.has_fence = off->has_fence,
		.fence = off->fence,
		.why = {
			.cause = (enum budget_part)off->cause,
			/* That it was given no CPU was seen, whoever had it. */
			.confidence = preempted ? CONF_EXACT : (enum confidence)off->confidence,
			.call = off->call,
			.file = off->file,
			.context = off->context,
			.timed_out = off->flags & OFF_TIMED_OUT,
			.blocked = off->cause == BUDGET_UNKNOWN,
			.fd = off->fd,
			.peer_tid = off->peer_tid,
			.peer_tgid = off->peer_tgid,
			.ns = end - off->out_ns,
			.count = 1,
		},
	};
	memcpy(b.why.peer_comm, off->peer_comm, sizeof(b.why.peer_comm));
	m->sink.block(m->sink.ctx, &b);
}

void block_send_rest(const struct model *m, const struct thread *t)
{
	const struct timeline *tl = &t->timeline;

	for (uint32_t i = 0; i < tl->nr; i++)
		block_send(m, t, &tl->ring[(tl->head + i) & (tl->room - 1)]);
}
