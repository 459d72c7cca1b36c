// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The queue of frames that wait for their acquire fences. */
#include "model/outbox.h"

#include <stdlib.h>

static void send(struct model *m, const struct frame *f)
{
	m->stats.frames++;
	if (m->sink.frame)
		m->sink.frame(m->sink.ctx, f);
}

static struct frame *at(const struct outbox *o, unsigned i)
{
	return &o->frames[(o->head + i) % OUTBOX_MAX];
}

static bool waits_for_signal(const struct frame *f)
{
	return f->has_acquire && !f->acquire_signal_ns;
}

static void send_first(struct model *m)
{
	struct outbox *o = &m->outbox;

	send(m, at(o, 0));
	o->head = (o->head + 1) % OUTBOX_MAX;
	o->nr--;
}

void outbox_put(struct model *m, const struct frame *f)
{
	struct outbox *o = &m->outbox;

	if (!o->nr && !waits_for_signal(f)) {
		send(m, f);
		return;
	}
	if (!o->frames)
		o->frames = calloc(OUTBOX_MAX, sizeof(*o->frames));
	if (!o->frames) {
		send(m, f);
		return;
	}
	if (o->nr == OUTBOX_MAX)
		send_first(m);
	*at(o, o->nr++) = *f;
}

void outbox_signaled(struct model *m, struct fence_id id)
{
	struct outbox *o = &m->outbox;
	const struct fence *fence = o->nr ? fences_find(&m->fences, id) : NULL;

	if (!fence)
		return;
	for (unsigned i = 0; i < o->nr; i++) {
		struct frame *f = at(o, i);

		if (f->has_acquire && fence_same(f->acquire, id)) {
			f->acquire_signal_ns = fence->signal_ns;
			f->gpu_ns = fence->gpu_ns;
		}
		if (f->has_release && fence_same(f->release, id))
			f->release_signal_ns = fence->signal_ns;
	}
	while (o->nr && !waits_for_signal(at(o, 0)))
		send_first(m);
}

void outbox_tick(struct model *m, uint64_t now)
{
	struct outbox *o = &m->outbox;

	while (o->nr && now > at(o, 0)->end_ns && now - at(o, 0)->end_ns > OUTBOX_NS)
		send_first(m);
	while (o->nr && !waits_for_signal(at(o, 0)))
		send_first(m);
}
