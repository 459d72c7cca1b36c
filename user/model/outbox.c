// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The queue of frames that wait for what becomes known later. */
#include "model/outbox.h"

#include <stdlib.h>

static void send(struct model *m, const struct frame *f)
{
	m->stats.frames++;
	if (m->sink.frame)
		m->sink.frame(m->sink.ctx, f);
}

static struct waiting_frame *at(const struct outbox *o, unsigned i)
{
	return &o->frames[(o->head + i) % OUTBOX_MAX];
}

static bool is_ready(const struct waiting_frame *w)
{
	return w->settled && (!w->f.has_acquire || w->f.acquire_signal_ns);
}

static void send_first(struct model *m)
{
	struct outbox *o = &m->outbox;

	send(m, &at(o, 0)->f);
	o->head = (o->head + 1) % OUTBOX_MAX;
	o->nr--;
}

static void send_ready(struct model *m)
{
	while (m->outbox.nr && is_ready(at(&m->outbox, 0)))
		send_first(m);
}

/* Its queue depth, if that can be said by now, or never will. */
static void settle(const struct model *m, struct waiting_frame *w)
{
	unsigned depth;

	switch (window_depth(&w->taken, &m->fences, &depth)) {
	case DEPTH_NOT_YET:
		return;
	case DEPTH_KNOWN:
		w->f.has_depth = true;
		w->f.queue_depth = depth;
		break;
	case DEPTH_UNKNOWN:
		break;
	}
	w->settled = true;
}

void outbox_put(struct model *m, const struct frame *f, const struct buffer_taken *taken)
{
	struct waiting_frame w = { .f = *f, .taken = *taken };
	struct outbox *o = &m->outbox;

	settle(m, &w);
	if (!o->frames)
		o->frames = calloc(OUTBOX_MAX, sizeof(*o->frames));
	if (!o->frames || (!o->nr && is_ready(&w))) {
		send(m, &w.f);
		return;
	}
	if (o->nr == OUTBOX_MAX)
		send_first(m);
	*at(o, o->nr++) = w;
}

void outbox_signaled(struct model *m, struct fence_id id)
{
	struct outbox *o = &m->outbox;
	const struct fence *fence = o->nr ? fences_find(&m->fences, id) : NULL;

	if (!fence)
		return;
	for (unsigned i = 0; i < o->nr; i++) {
		struct frame *f = &at(o, i)->f;

		if (f->has_acquire && fence_same(f->acquire, id)) {
			f->acquire_signal_ns = fence->signal_ns;
			f->gpu_ns = fence->hardware_ns;
		}
		if (f->has_release && fence_same(f->release, id))
			f->release_signal_ns = fence->signal_ns;
	}
	send_ready(m);
}

void outbox_dequeued(struct model *m, const struct window *w)
{
	struct outbox *o = &m->outbox;

	for (unsigned i = 0; i < o->nr; i++) {
		struct waiting_frame *waiting = at(o, i);

		if (!waiting->settled && waiting->taken.window == w)
			settle(m, waiting);
	}
	send_ready(m);
}

void outbox_tick(struct model *m, uint64_t now)
{
	struct outbox *o = &m->outbox;

	while (o->nr && now > at(o, 0)->f.end_ns && now - at(o, 0)->f.end_ns > OUTBOX_NS)
		send_first(m);
	send_ready(m);
}
