/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Which blocks and fences a page has. */
#include "html/detail.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The longest frames of one producer: a heap, the shortest of them on top. */
struct longest {
	unsigned nr;
	struct {
		uint64_t wall_ns;
		uint64_t from_ns, to_ns;
		uint32_t ui_tid, render_tid;
	} frames[DETAIL_FRAMES];
};

#define STEP_BITS 4

_Static_assert(DETAIL_STEPS == 1u << STEP_BITS, "a step is its top bits below the first");

/* Lengths are told apart by their highest bit and the ones right below it. */
static unsigned step_of(uint64_t ns)
{
	unsigned top = ns < DETAIL_STEPS ? 0 : 63 - (unsigned)__builtin_clzll(ns) - STEP_BITS;

	return top ? (top << STEP_BITS) + (unsigned)(ns >> top) : (unsigned)ns;
}

/* The shortest length of a step. */
static uint64_t step_ns(unsigned step)
{
	unsigned top = step < 2 * DETAIL_STEPS ? 0 : (step >> STEP_BITS) - 1;

	return (uint64_t)(step - (top << STEP_BITS)) << top;
}

static void swap_frames(struct longest *l, unsigned a, unsigned b)
{
	__typeof__(l->frames[0]) kept = l->frames[a];

	l->frames[a] = l->frames[b];
	l->frames[b] = kept;
}

static void sift_up(struct longest *l, unsigned at)
{
	for (; at && l->frames[at].wall_ns < l->frames[(at - 1) / 2].wall_ns; at = (at - 1) / 2)
		swap_frames(l, at, (at - 1) / 2);
}

static void sift_down(struct longest *l)
{
	unsigned at = 0, least;

	for (;;) {
		least = at;
		for (unsigned i = 2 * at + 1; i <= 2 * at + 2 && i < l->nr; i++)
			if (l->frames[i].wall_ns < l->frames[least].wall_ns)
				least = i;
		if (least == at)
			return;
		swap_frames(l, at, least);
		at = least;
	}
}

static struct longest *get_longest(struct detail *d, const struct producer *p, int *rc)
{
	struct longest *l = idmap_get(&d->producers, p->id);

	if (l || d->nr_producers == DETAIL_PRODUCERS)
		return l;
	l = calloc(1, sizeof(*l));
	*rc = l ? idmap_put(&d->producers, p->id, l) : -ENOMEM;
	if (*rc) {
		free(l);
		return NULL;
	}
	d->nr_producers++;
	return l;
}

/* What was only told of has no threads that could have been blocked. */
static int on_frame(struct export *x, const struct frame *f)
{
	uint64_t wall_ns = f->end_ns - f->start_ns;
	struct longest *l;
	unsigned at = 0;
	int rc = 0;

	if (f->dumped)
		return 0;
	l = get_longest(x->priv, f->producer, &rc);
	if (!l || (l->nr == DETAIL_FRAMES && wall_ns <= l->frames[0].wall_ns))
		return rc;
	if (l->nr < DETAIL_FRAMES)
		at = l->nr++;
	l->frames[at].wall_ns = wall_ns;
	l->frames[at].from_ns = f->start_ns;
	l->frames[at].to_ns = f->end_ns;
	l->frames[at].ui_tid = f->hwui.ui_tid ? f->hwui.ui_tid : f->producer->ui_tid;
	l->frames[at].render_tid = f->producer->render_tid;
	if (at || l->nr < DETAIL_FRAMES)
		sift_up(l, at);
	else
		sift_down(l);
	return 0;
}

static int on_block(struct export *x, const struct block *b)
{
	struct detail *d = x->priv;

	d->blocks.counts[step_of(b->in_ns - b->out_ns)]++;
	return 0;
}

bool detail_fence_span(const struct fence *f, bool over, enum fence_end how, uint64_t now_ns,
		       uint64_t *from_ns, uint64_t *to_ns)
{
	*to_ns = over && how == FENCE_END_SIGNALED ? f->signal_ns : now_ns;
	return fence_submitted(f, from_ns) && *from_ns <= *to_ns;
}

static int count_fence(struct export *x, const struct fence *f, bool over, enum fence_end how)
{
	struct detail *d = x->priv;
	uint64_t from, to;

	if (detail_fence_span(f, over, how, x->now_ns, &from, &to))
		d->fences.counts[step_of(to - from)]++;
	return 0;
}

static int fence_ended(struct export *x, const struct fence *f, enum fence_end how)
{
	return count_fence(x, f, true, how);
}

static int fence_left(struct export *x, const struct fence *f)
{
	return count_fence(x, f, false, FENCE_END_SIGNALED);
}

const struct export_ops detail_ops = {
	.name = "detail",
	.frame = on_frame,
	.block = on_block,
	.fence_ended = fence_ended,
	.fence_left = fence_left,
};

/* From the longest on, as many steps as there is room for. */
static void settle_kind(struct detail_kind *k)
{
	unsigned nr = sizeof(k->counts) / sizeof(k->counts[0]), least = nr;
	uint64_t kept = 0;

	while (least && kept + k->counts[least - 1] <= DETAIL_LONG)
		kept += k->counts[--least];
	k->least_ns = least < nr ? step_ns(least) : UINT64_MAX;
}

static void add_window(struct detail *d, uint32_t tid, uint64_t from_ns, uint64_t to_ns)
{
	d->windows[d->nr_windows++] = (struct detail_window){ tid, from_ns, to_ns };
}

static int by_begin(const void *a, const void *b)
{
	const struct detail_window *x = a, *y = b;

	if (x->tid != y->tid)
		return x->tid < y->tid ? -1 : 1;
	return (x->from_ns > y->from_ns) - (x->from_ns < y->from_ns);
}

static void join_windows(struct detail *d)
{
	unsigned nr = 0;

	qsort(d->windows, d->nr_windows, sizeof(*d->windows), by_begin);
	for (unsigned i = 0; i < d->nr_windows; i++) {
		const struct detail_window w = d->windows[i];
		struct detail_window *last = nr ? &d->windows[nr - 1] : NULL;

		if (!last || last->tid != w.tid || last->to_ns < w.from_ns)
			d->windows[nr++] = w;
		else if (last->to_ns < w.to_ns)
			last->to_ns = w.to_ns;
	}
	d->nr_windows = nr;
}

int detail_settle(struct detail *d)
{
	settle_kind(&d->blocks);
	settle_kind(&d->fences);
	if (!d->nr_producers)
		return 0;
	d->windows = calloc(3 * (size_t)DETAIL_FRAMES * d->nr_producers, sizeof(*d->windows));
	if (!d->windows)
		return -ENOMEM;
	for (size_t i = 0; i < d->producers.room; i++) {
		const struct longest *l = d->producers.slots[i].value;

		for (unsigned j = 0; d->producers.slots[i].id && j < l->nr; j++) {
			add_window(d, 0, l->frames[j].from_ns, l->frames[j].to_ns);
			add_window(d, l->frames[j].render_tid, l->frames[j].from_ns,
				   l->frames[j].to_ns);
			if (l->frames[j].ui_tid)
				add_window(d, l->frames[j].ui_tid, l->frames[j].from_ns,
					   l->frames[j].to_ns);
		}
	}
	join_windows(d);
	return 0;
}

/* Does it reach into a window of that thread? */
static bool is_near(const struct detail *d, uint32_t tid, uint64_t from_ns, uint64_t to_ns)
{
	unsigned low = 0, high = d->nr_windows;

	/* The first that ends at or behind its beginning. */
	while (low < high) {
		unsigned middle = low + (high - low) / 2;
		const struct detail_window *w = &d->windows[middle];

		if (w->tid < tid || (w->tid == tid && w->to_ns < from_ns))
			low = middle + 1;
		else
			high = middle;
	}
	return low < d->nr_windows && d->windows[low].tid == tid &&
	       d->windows[low].from_ns <= to_ns;
}

static bool keep(struct detail *d, struct detail_kind *k, uint32_t tid, uint64_t from_ns,
		 uint64_t to_ns)
{
	if (to_ns - from_ns >= k->least_ns)
		return true;
	if (is_near(d, tid, from_ns, to_ns)) {
		if (k->near < DETAIL_NEAR) {
			k->near++;
			return true;
		}
		k->full_until_ns = k->full_until_ns ? k->full_until_ns : from_ns;
	}
	k->left_out++;
	return false;
}

bool detail_block(struct detail *d, const struct block *b)
{
	return keep(d, &d->blocks, b->tid, b->out_ns, b->in_ns);
}

bool detail_fence(struct detail *d, uint64_t from_ns, uint64_t to_ns)
{
	return keep(d, &d->fences, 0, from_ns, to_ns);
}

static bool is_inside(const struct detail *d, uint32_t tid, const struct frame *f)
{
	for (unsigned low = 0, high = d->nr_windows; low < high;) {
		unsigned middle = low + (high - low) / 2;
		const struct detail_window *w = &d->windows[middle];

		if (w->tid == tid && w->from_ns <= f->start_ns && f->end_ns <= w->to_ns)
			return true;
		if (w->tid < tid || (w->tid == tid && w->from_ns <= f->start_ns))
			low = middle + 1;
		else
			high = middle;
	}
	return false;
}

bool detail_frame(const struct detail *d, const struct frame *f)
{
	uint32_t ui_tid = f->hwui.ui_tid ? f->hwui.ui_tid : f->producer->ui_tid;

	if (f->dumped)
		return false;
	if (!d->blocks.least_ns)
		return true;
	return is_inside(d, f->producer->render_tid, f) && (!ui_tid || is_inside(d, ui_tid, f));
}

void detail_free(struct detail *d)
{
	for (size_t i = 0; i < d->producers.room; i++)
		if (d->producers.slots[i].id)
			free(d->producers.slots[i].value);
	idmap_free(&d->producers);
	free(d->windows);
	*d = (struct detail){ 0 };
}
