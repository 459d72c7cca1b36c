/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A heap whose root is the first frame to be pushed out. */
#include "model/worst.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

/* Is `a` to be listed before `b`? Longer first, then earlier, then by producer. */
static bool is_worse(const struct frame *a, const struct frame *b)
{
	uint64_t wall_a = a->end_ns - a->start_ns, wall_b = b->end_ns - b->start_ns;

	if (wall_a != wall_b)
		return wall_a > wall_b;
	if (a->start_ns != b->start_ns)
		return a->start_ns < b->start_ns;
	return a->producer->id < b->producer->id;
}

static void replace_root(struct worst *w, const struct frame *f)
{
	unsigned i = 0;

	for (unsigned child; (child = 2 * i + 1) < w->nr; i = child) {
		if (child + 1 < w->nr && is_worse(&w->frames[child], &w->frames[child + 1]))
			child++;
		if (!is_worse(f, &w->frames[child]))
			break;
		w->frames[i] = w->frames[child];
	}
	w->frames[i] = *f;
}

int worst_add(struct worst *w, const struct frame *f)
{
	if (w->nr == w->max) {
		if (w->max && is_worse(f, &w->frames[0]))
			replace_root(w, f);
		return 0;
	}
	if (w->nr == w->room) {
		unsigned room = w->room ? 2 * w->room : 16;
		struct frame *frames = realloc(w->frames, room * sizeof(*frames));

		if (!frames)
			return -ENOMEM;
		w->frames = frames;
		w->room = room;
	}

	unsigned i = w->nr++;

	while (i && is_worse(&w->frames[(i - 1) / 2], f)) {
		w->frames[i] = w->frames[(i - 1) / 2];
		i = (i - 1) / 2;
	}
	w->frames[i] = *f;
	return 0;
}

static int compare(const void *a, const void *b)
{
	return is_worse(a, b) ? -1 : 1;
}

void worst_sort(struct worst *w)
{
	if (w->nr > 1)
		qsort(w->frames, w->nr, sizeof(*w->frames), compare);
}

void worst_free(struct worst *w)
{
	free(w->frames);
	*w = (struct worst){ 0 };
}
