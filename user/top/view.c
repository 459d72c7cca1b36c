// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The order of the list, and the keys. */
#include "top/view.h"

#include <string.h>

static const char *const sort_names[] = {
	[SORT_RATE] = "fps",
	[SORT_P95] = "p95",
	[SORT_JANK] = "jank",
	[SORT_NAME] = "name",
};
_Static_assert(sizeof(sort_names) / sizeof(sort_names[0]) == SORT_NR, "a name for every order");

const char *top_sort_name(enum top_sort sort)
{
	return sort_names[sort];
}

/* Is there what to sort by? */
static bool is_known(enum top_sort sort, const struct figures *f)
{
	switch (sort) {
	case SORT_RATE:
		return f->has_rate;
	case SORT_P95:
		return f->has_interval;
	case SORT_JANK:
		return f->judged;
	default:
		return true;
	}
}

/* Below 0: `a` comes before `b`. Both are known. */
static int compare(enum top_sort sort, const struct figures *a, const struct figures *b)
{
	double janky_a, janky_b;

	switch (sort) {
	case SORT_RATE:
		return (a->rate_mhz < b->rate_mhz) - (a->rate_mhz > b->rate_mhz);
	case SORT_P95:
		return (a->p95_ns < b->p95_ns) - (a->p95_ns > b->p95_ns);
	case SORT_JANK:
		janky_a = (double)a->janky / (double)a->judged;
		janky_b = (double)b->janky / (double)b->judged;
		return (janky_a < janky_b) - (janky_a > janky_b);
	default:
		return strcmp(a->producer->name, b->producer->name);
	}
}

static bool is_before(const struct view *v, const struct figures *a, const struct figures *b)
{
	bool known_a = is_known(v->sort, a), known_b = is_known(v->sort, b);
	int order;

	if (known_a != known_b)
		return known_a;
	order = known_a ? compare(v->sort, a, b) : 0;
	if (v->reverse)
		order = -order;
	return order < 0 || (!order && a->producer->id < b->producer->id);
}

/* By insertion: there are few, and from one interval to the next they are nearly in order. */
void view_order(const struct view *v, const struct snapshot *s, unsigned *order)
{
	for (unsigned i = 0; i < s->nr; i++) {
		unsigned at = i;

		for (; at && is_before(v, &s->figures[i], &s->figures[order[at - 1]]); at--)
			order[at] = order[at - 1];
		order[at] = i;
	}
}

const struct figures *view_picked(const struct view *v, const struct snapshot *s)
{
	for (unsigned i = 0; i < s->nr; i++)
		if (s->figures[i].producer->id == v->picked)
			return &s->figures[i];
	return NULL;
}

/* Pick the one that many rows further down. */
static void move(struct view *v, const struct snapshot *s, int by)
{
	unsigned order[TOP_PRODUCERS];
	unsigned at = 0;

	if (!s->nr)
		return;
	view_order(v, s, order);
	while (at < s->nr && s->figures[order[at]].producer->id != v->picked)
		at++;
	if (at == s->nr)
		at = by > 0 ? 0 : s->nr - 1;
	else if (by > 0)
		at += at + 1 < s->nr;
	else
		at -= at > 0;
	v->picked = s->figures[order[at]].producer->id;
}

static void open_picked(struct view *v, const struct snapshot *s)
{
	unsigned order[TOP_PRODUCERS];

	if (!s->nr)
		return;
	if (!view_picked(v, s)) {
		view_order(v, s, order);
		v->picked = s->figures[order[0]].producer->id;
	}
	v->opened = true;
}

void view_key(struct view *v, int key, const struct snapshot *s)
{
	if (v->help) {
		v->help = false;
		v->quit = key == 'q';
		return;
	}
	switch (key) {
	case 'q':
		v->quit = true;
		break;
	case 'h':
	case '?':
		v->help = true;
		break;
	case ' ':
	case 'p':
		v->paused = !v->paused;
		break;
	case 's':
		v->sort = (v->sort + 1) % SORT_NR;
		break;
	case 'r':
		v->reverse = !v->reverse;
		break;
	case 'j':
	case KEY_DOWN:
		move(v, s, 1);
		break;
	case 'k':
	case KEY_UP:
		move(v, s, -1);
		break;
	case KEY_ENTER:
		open_picked(v, s);
		break;
	case KEY_ESCAPE:
		if (!v->opened)
			v->picked = 0;
		v->opened = false;
		break;
	}
}
