/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Adds up the rows of tables in ms. */
#include "judge/table_times.h"

#include <errno.h>
#include <stdbool.h>

#define INTERVAL_NS 16666666

static int get(struct table_times *t, const struct producer *p, struct window_times **out)
{
	struct window_times *w = roster_get(&t->windows, p->id);

	*out = w;
	if (w)
		return 0;
	w = roster_add(&t->windows, p->id, sizeof(*w));
	if (!w)
		return -ENOMEM;
	w->producer = p;
	w->total = quantile_new();
	*out = w;
	return w->total ? 0 : -ENOMEM;
}

int table_times_add(struct table_times *t, const struct frame *f)
{
	struct window_times *w;
	uint64_t total = 0;
	bool cut = false;
	int rc;

	if (f->dumped != DUMP_TIMES || f->fault)
		return 0;
	rc = get(t, f->producer, &w);
	if (rc)
		return rc;
	for (unsigned i = 0; i < TIME_NR; i++) {
		total += (uint64_t)f->times_ns[i];
		cut |= f->times_ns[i] >= TABLE_CUT_NS;
	}
	w->frames++;
	w->over += total > INTERVAL_NS;
	w->cut += cut;
	return quantile_add(w->total, total);
}

const struct window_times *table_times_of(const struct table_times *t, const struct producer *p)
{
	return roster_get(&t->windows, p->id);
}

void table_times_free(struct table_times *t)
{
	for (unsigned i = 0; i < t->windows.nr; i++)
		quantile_free(((struct window_times *)t->windows.entries[i])->total);
	roster_free(&t->windows);
}
