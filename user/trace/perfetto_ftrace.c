/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Bundles of ftrace's events, each of one CPU. Most of a trace is in these, so they are read where
 * they lie. Switches and wakings may be packed together (compact_sched): columns of numbers, of
 * which times are differences; who ran before a switch, or woke, is then who the CPU was switched
 * to last.
 */
#include <errno.h>
#include <string.h>

#include "trace/perfetto_bundle.h"

#define INTERN_TABLE_MAX 4096 /* names in one bundle; its buffer has some pages */

static uint64_t bundle_ns(struct bundle *b, uint64_t told)
{
	uint64_t ns = pf_clocks_convert(&b->pf->clocks, b->clock,
					b->pf->looking ? PF_CLOCK_BOOTTIME : PF_CLOCK_MONOTONIC,
					told + b->offset);

	if (ns < b->first_ns)
		b->first_ns = ns;
	return ns;
}

/* One FtraceEvent: timestamp 1, pid 2, common_flags 5, and what happened. False: nothing did. */
static bool read_event(struct bundle *b, const struct wire_field *event, struct about *who,
		       struct wire_field *body)
{
	struct wire w = wire_in(event);
	struct wire_field f;
	uint64_t told = 0;

	*who = (struct about){ .context = FS_CTX_UNKNOWN };
	body->data = NULL;
	while (wire_next(&w, &f)) {
		if (f.type == WIRE_BYTES)
			*body = f;
		else if (f.number == 1)
			told = f.value;
		else if (f.number == 2)
			who->tid = (uint32_t)f.value;
		else if (f.number == 5)
			who->context = pf_context_of(f.value);
	}
	who->ns = bundle_ns(b, told);
	return body->data;
}

#define COLUMNS 13

/* The columns of a CompactSched, by their field numbers. */
struct columns {
	struct wire of[COLUMNS];
	unsigned nr_names;
	char names[INTERN_TABLE_MAX][FS_COMM_LEN];
};

enum {
	SWITCH_TIME = 1,
	SWITCH_STATE = 2,
	SWITCH_NEXT = 3,
	INTERN_TABLE = 5,
	SWITCH_NAME = 6,
	WAKING_TIME = 7,
	WAKING_PID = 8,
	WAKING_NAME = 11,
	WAKING_FLAGS = 12,
};

/* The column's next number; 0 where it is shorter than that of the times. */
static uint64_t next_of(struct columns *c, unsigned column)
{
	uint64_t value = 0;

	if (c->of[column].at < c->of[column].end)
		wire_varint(&c->of[column], &value);
	return value;
}

static void name_of(struct columns *c, unsigned column, char comm[FS_COMM_LEN])
{
	bool there = c->of[column].at < c->of[column].end;
	uint64_t index = next_of(c, column);

	if (there && index < c->nr_names)
		memcpy(comm, c->names[index], FS_COMM_LEN);
	else
		comm[0] = '\0';
}

static int take_compact_switch(struct bundle *b, struct columns *c, uint64_t ns)
{
	const struct about who = { .ns = ns };
	struct pf_event *ev =
		pf_bundle_event(b, &who, PF_EVENT_SWITCH, BODY(sw) - sizeof(ev->sw.prev_comm));

	if (!ev)
		return -ENOMEM;
	ev->sw.implied = true;
	ev->sw.state = pf_state_of(next_of(c, SWITCH_STATE));
	ev->sw.next = (uint32_t)next_of(c, SWITCH_NEXT);
	name_of(c, SWITCH_NAME, ev->sw.next_comm);
	return pf_event_add(b->pf, ev);
}

static int take_compact_waking(struct bundle *b, struct columns *c, uint64_t ns)
{
	const struct about who = { .ns = ns };
	struct pf_event *ev = pf_bundle_event(b, &who, PF_EVENT_WAKING, BODY(waking));
	bool flags = c->of[WAKING_FLAGS].at < c->of[WAKING_FLAGS].end;

	if (!ev)
		return -ENOMEM;
	ev->waking.implied = true;
	ev->waking.wakee = (uint32_t)next_of(c, WAKING_PID);
	ev->waking.context = flags ? pf_context_of(next_of(c, WAKING_FLAGS)) : FS_CTX_UNKNOWN;
	name_of(c, WAKING_NAME, ev->waking.comm);
	return pf_event_add(b->pf, ev);
}

static void read_columns(struct columns *c, const struct wire_field *compact)
{
	struct wire w = wire_in(compact);
	struct wire_field f;

	c->nr_names = 0;
	memset(c->of, 0, sizeof(c->of));
	while (wire_next(&w, &f)) {
		if (f.number == INTERN_TABLE && c->nr_names < INTERN_TABLE_MAX)
			wire_string(&f, c->names[c->nr_names++], FS_COMM_LEN);
		else if (f.number < COLUMNS)
			c->of[f.number] = wire_in(&f);
	}
}

/*
 * What a bundle has, three series that are each in order. They go into the merge in the order of
 * all three: what a CPU's events are not in order of costs the merge dearly.
 */
struct series {
	struct bundle *b;
	struct columns columns;
	uint64_t told[COLUMNS]; /* by the columns of times */
	uint64_t switch_ns; /* the next one's; UINT64_MAX: none */
	uint64_t waking_ns;
	struct wire events;
	struct about who; /* of the next event; ns UINT64_MAX: none */
	struct wire_field body;
};

static uint64_t next_time(struct series *s, unsigned column)
{
	struct wire *times = &s->columns.of[column];

	if (times->at >= times->end)
		return UINT64_MAX;
	s->told[column] += next_of(&s->columns, column);
	return times->bad ? UINT64_MAX : bundle_ns(s->b, s->told[column]);
}

static void next_event(struct series *s)
{
	struct wire_field f;

	while (wire_next(&s->events, &f)) {
		if (f.number == 2 && f.type == WIRE_BYTES &&
		    read_event(s->b, &f, &s->who, &s->body))
			return;
	}
	s->who.ns = UINT64_MAX;
}

static int take_series(struct series *s)
{
	int ret = 0;

	s->switch_ns = next_time(s, SWITCH_TIME);
	s->waking_ns = next_time(s, WAKING_TIME);
	next_event(s);
	while (!ret) {
		uint64_t compact_ns = s->switch_ns < s->waking_ns ? s->switch_ns : s->waking_ns;

		if (s->who.ns <= compact_ns) {
			if (s->who.ns == UINT64_MAX)
				break;
			ret = pf_ftrace_event(s->b, &s->who, &s->body);
			next_event(s);
		} else if (s->waking_ns <= s->switch_ns) {
			ret = take_compact_waking(s->b, &s->columns, s->waking_ns);
			s->waking_ns = next_time(s, WAKING_TIME);
		} else {
			ret = take_compact_switch(s->b, &s->columns, s->switch_ns);
			s->switch_ns = next_time(s, SWITCH_TIME);
		}
	}
	return ret;
}

/* What of a bundle is not an event. */
struct head {
	uint32_t cpu;
	bool lost;
	uint32_t clock; /* FtraceClock: 0 is BOOTTIME, 4 MONOTONIC_RAW */
	uint64_t ftrace_ns; /* the same instant, by both */
	uint64_t boot_ns;
	struct wire_field first; /* event */
	struct wire_field compact;
};

static bool read_head(const struct wire_field *bundle, struct head *h)
{
	struct wire w = wire_in(bundle);
	struct wire_field f;

	*h = (struct head){ 0 };
	while (wire_next(&w, &f)) {
		switch (f.number) {
		case 1:
			h->cpu = (uint32_t)wire_number(&f);
			break;
		case 2:
			if (!h->first.data)
				h->first = f;
			break;
		case 3:
			h->lost = wire_number(&f);
			break;
		case 4:
			h->compact = f;
			break;
		case 5:
			h->clock = (uint32_t)wire_number(&f);
			break;
		case 6:
			h->ftrace_ns = wire_number(&f);
			break;
		case 7:
			h->boot_ns = wire_number(&f);
			break;
		default:
			break;
		}
	}
	return !w.bad;
}

static struct bundle bundle_of(struct pf *pf, const struct head *h)
{
	struct bundle b = {
		.pf = pf, .cpu = h->cpu, .clock = PF_CLOCK_BOOTTIME, .first_ns = UINT64_MAX
	};

	if (!h->clock)
		return b;
	if (h->boot_ns && h->ftrace_ns)
		b.offset = h->boot_ns - h->ftrace_ns;
	else if (h->clock == 4)
		b.clock = PF_CLOCK_RAW;
	else
		pf->unordered_clock++;
	return b;
}

/* The first time in a column of a CompactSched, or in an event. */
static bool first_time(const struct wire_field *message, uint32_t number, uint64_t *told)
{
	struct wire w = wire_in(message);
	struct wire_field f;

	while (wire_next(&w, &f)) {
		if (f.number != number)
			continue;
		*told = f.value;
		if (f.type != WIRE_BYTES)
			return true;
		w = wire_in(&f);
		return f.len && wire_varint(&w, told);
	}
	return false;
}

bool pf_ftrace_first(struct pf *pf, const struct wire_field *bundle, uint64_t *ns)
{
	struct head h;
	uint64_t told;

	if (!read_head(bundle, &h))
		return false;

	struct bundle b = bundle_of(pf, &h);

	if (h.first.data && first_time(&h.first, 1, &told))
		bundle_ns(&b, told);
	if (h.compact.data && first_time(&h.compact, SWITCH_TIME, &told))
		bundle_ns(&b, told);
	if (h.compact.data && first_time(&h.compact, WAKING_TIME, &told))
		bundle_ns(&b, told);
	*ns = b.first_ns;
	return *ns != UINT64_MAX;
}

/* Something was lost on the CPU before this bundle. */
static int take_lost(struct bundle *b, const struct wire_field *bundle)
{
	struct about who = { 0 };
	struct pf_event *ev;

	if (!pf_ftrace_first(b->pf, bundle, &who.ns))
		who.ns = b->pf->last_ns;
	ev = pf_bundle_event(b, &who, PF_EVENT_LOST, 0);
	return ev ? pf_event_add(b->pf, ev) : -ENOMEM;
}

int pf_ftrace_dropped(struct pf *pf, const struct wire_field *bundle)
{
	struct bundle b = { .pf = pf, .cpu = FS_CPU_NONE, .first_ns = UINT64_MAX };

	return take_lost(&b, bundle);
}

int pf_ftrace(struct pf *pf, const struct wire_field *bundle)
{
	struct series s;
	struct head h;
	int ret = 0;

	if (!read_head(bundle, &h)) {
		pf->reader.malformed++;
		return 0;
	}

	struct bundle b = bundle_of(pf, &h);

	if (h.lost)
		ret = take_lost(&b, bundle);
	if (ret)
		return ret;
	s.b = &b;
	s.events = wire_in(bundle);
	memset(s.told, 0, sizeof(s.told));
	read_columns(&s.columns, &h.compact);
	return take_series(&s);
}
