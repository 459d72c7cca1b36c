/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The snapshots, and what follows from them for times between two. */
#include "trace/perfetto_clock.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void pf_clocks_free(struct pf_clocks *c)
{
	free(c->instants);
	*c = (struct pf_clocks){ 0 };
}

bool pf_clock_known(unsigned clock)
{
	return clock == PF_CLOCK_REALTIME || clock == PF_CLOCK_MONOTONIC || clock == PF_CLOCK_RAW ||
	       clock == PF_CLOCK_BOOTTIME;
}

int pf_clocks_add(struct pf_clocks *c, const struct pf_instant *instant)
{
	if (c->settled)
		return 0;
	if (c->nr == PF_SNAPSHOTS_MAX) {
		for (size_t i = 0; i < c->nr / 2; i++)
			c->instants[i] = c->instants[2 * i];
		c->nr /= 2;
	}
	if (c->nr == c->room) {
		size_t room = c->room ? 2 * c->room : 16;
		struct pf_instant *instants = realloc(c->instants, room * sizeof(*instants));

		if (!instants)
			return -ENOMEM;
		c->instants = instants;
		c->room = room;
	}
	c->instants[c->nr++] = *instant;
	memset(c->stretch, 0, sizeof(c->stretch));
	return 0;
}

static int by_time(const void *a, const void *b)
{
	const struct pf_instant *x = a, *y = b;

	for (unsigned clock = PF_CLOCKS - 1; clock > 0; clock--) {
		if (x->ns[clock] != y->ns[clock])
			return x->ns[clock] < y->ns[clock] ? -1 : 1;
	}
	return 0;
}

void pf_clocks_settle(struct pf_clocks *c)
{
	if (c->nr)
		qsort(c->instants, c->nr, sizeof(*c->instants), by_time);
	memset(c->stretch, 0, sizeof(c->stretch));
	c->settled = true;
}

static bool has_both(const struct pf_instant *i, unsigned from, unsigned to)
{
	return i->ns[from] && i->ns[to];
}

bool pf_clocks_related(const struct pf_clocks *c, unsigned from, unsigned to)
{
	if (from == to)
		return true;
	for (size_t i = 0; i < c->nr; i++) {
		if (has_both(&c->instants[i], from, to))
			return true;
	}
	return false;
}

/* The stretch that ns is in. There are few snapshots, and a stretch serves many events. */
static struct pf_stretch find_stretch(const struct pf_clocks *c, unsigned from, unsigned to,
				      uint64_t ns)
{
	const struct pf_instant *before = NULL, *after = NULL;
	struct pf_stretch s = { .to = UINT64_MAX, .limit = UINT64_MAX };

	for (size_t i = 0; i < c->nr; i++) {
		const struct pf_instant *at = &c->instants[i];

		if (!has_both(at, from, to))
			continue;
		if (at->ns[from] <= ns) {
			if (!before || at->ns[from] >= before->ns[from])
				before = at;
		} else if (!after || at->ns[from] < after->ns[from]) {
			after = at;
		}
	}
	if (!before && !after)
		return s;

	if (before) {
		s.from = before->ns[from];
		s.offset = before->ns[to] - before->ns[from];
	} else {
		s.offset = after->ns[to] - after->ns[from];
	}
	if (after) {
		s.to = after->ns[from];
		if (!before || after->ns[to] >= before->ns[to])
			s.limit = after->ns[to];
	}
	/* Before the clock's own beginning there is no time. */
	if (!before && s.offset >> 63 && ns < -s.offset)
		s.offset = -ns;
	return s;
}

uint64_t pf_clocks_convert(struct pf_clocks *c, unsigned from, unsigned to, uint64_t ns)
{
	struct pf_stretch *s = &c->stretch[from][to];

	if (from == to)
		return ns;
	if (ns < s->from || ns >= s->to)
		*s = find_stretch(c, from, to, ns);

	uint64_t converted = ns + s->offset;

	return converted < s->limit ? converted : s->limit;
}
