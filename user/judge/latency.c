/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A frame is known again by its three times. Of one that was not shown yet, the time it was desired
 * at has to do.
 */
#include "judge/latency.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#define SEEN_NR 256 /* rows of two dumps */

struct row {
	int64_t desired_ns, present_ns, ready_ns; /* INT64_MAX: not yet */
};

struct latency {
	struct latency_figures figures;
	struct row seen[SEEN_NR]; /* the latest, a ring */
	uint64_t nr_seen; /* ever */
	uint64_t line; /* of the row before */
	int64_t last_present_ns; /* of the frame before in this dump; 0 = not known */
};

struct latency *latency_new(void)
{
	struct latency *l = calloc(1, sizeof(*l));

	if (!l)
		return NULL;
	l->figures.interval = quantile_new();
	if (l->figures.interval)
		return l;
	free(l);
	return NULL;
}

void latency_free(struct latency *l)
{
	if (!l)
		return;
	quantile_free(l->figures.interval);
	free(l);
}

static bool unfinished(const struct row *r)
{
	return r->present_ns == INT64_MAX || r->ready_ns == INT64_MAX;
}

/* Is this that, or what that becomes or was? */
static bool same_frame(const struct row *seen, const struct row *r)
{
	if (seen->desired_ns != r->desired_ns)
		return false;
	if (seen->ready_ns != r->ready_ns && seen->ready_ns != INT64_MAX &&
	    r->ready_ns != INT64_MAX)
		return false;
	return seen->present_ns == r->present_ns || unfinished(seen) || unfinished(r);
}

static struct row *find(struct latency *l, const struct row *r)
{
	uint64_t nr = l->nr_seen < SEEN_NR ? l->nr_seen : SEEN_NR;

	for (uint64_t i = 1; i <= nr; i++) {
		struct row *seen = &l->seen[(l->nr_seen - i) % SEEN_NR];

		if (same_frame(seen, r))
			return seen;
	}
	return NULL;
}

/* Is that a finished frame that was not counted before? */
static bool is_new(struct latency *l, const struct row *r)
{
	struct latency_figures *f = &l->figures;
	struct row *seen = find(l, r);

	if (seen && (unfinished(r) || !unfinished(seen))) {
		f->repeated += !unfinished(r);
		return false;
	}
	if (seen)
		*seen = *r;
	else
		l->seen[l->nr_seen++ % SEEN_NR] = *r;
	if (unfinished(r)) {
		f->unfinished++;
		return false;
	}
	f->unfinished -= seen != NULL;
	return true;
}

static void judge(struct latency_figures *f, const struct row *r, uint64_t refresh_ns)
{
	f->frames++;
	if (!r->desired_ns)
		return;
	f->desired++;
	f->late += r->present_ns > r->desired_ns &&
		   (uint64_t)(r->present_ns - r->desired_ns) >= refresh_ns - refresh_ns / 2;
	if (!r->ready_ns)
		return;
	f->ready++;
	f->ready_late += r->ready_ns > r->desired_ns;
}

static int add_interval(struct latency_figures *f, uint64_t ns, uint64_t refresh_ns)
{
	uint64_t refreshes = ns / refresh_ns + (ns % refresh_ns >= refresh_ns - refresh_ns / 2);

	f->intervals++;
	f->span_ns += ns;
	f->missed_vsyncs += refreshes ? refreshes - 1 : 0;
	return quantile_add(f->interval, ns);
}

int latency_add(struct latency *l, const struct gfxinfo_item *item)
{
	const struct row r = { item->desired_ns, item->present_ns, item->ready_ns };
	int64_t last = l->last_present_ns;
	bool new;

	if (item->kind != GFXINFO_LATENCY || !item->refresh_ns)
		return 0;
	/* Each dump begins with a line of its own. */
	if (item->line != l->line + 1)
		last = 0;
	l->line = item->line;
	l->last_present_ns = last;
	l->figures.refresh_ns = item->refresh_ns;
	if (item->fault && item->fault != FAULT_UNFINISHED) {
		l->figures.faulty++;
		l->last_present_ns = 0;
		return 0;
	}
	new = is_new(l, &r);
	if (unfinished(&r))
		return 0;
	l->last_present_ns = r.present_ns;
	if (!new)
		return 0;
	judge(&l->figures, &r, item->refresh_ns);
	if (!last || r.present_ns <= last)
		return 0;
	return add_interval(&l->figures, (uint64_t)(r.present_ns - last), item->refresh_ns);
}

const struct latency_figures *latency_figures(const struct latency *l)
{
	return &l->figures;
}

double latency_fps(const struct latency_figures *f)
{
	return f->span_ns ? (double)f->intervals * 1e9 / (double)f->span_ns : 0;
}
