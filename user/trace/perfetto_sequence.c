/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Packets that one writer made are a sequence. What they have in common is said once: the clock of
 * their times, and strings that are referred to by number. It holds until the sequence says that it
 * is cleared; where packets were lost in between, what needs it can't be understood.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "proto/perfetto.pb-c.h"
#include "trace/perfetto_parts.h"

static void drop_strings(struct pf *pf, struct pf_sequence *seq)
{
	for (unsigned what = 0; what < PF_INTERN_NR; what++) {
		struct map64 *strings = &seq->strings[what];

		for (size_t i = 0; i < strings->room; i++) {
			struct pf_string *string = strings->slots[i].value;

			if (string)
				pf->strings_bytes -= sizeof(*string) + string->len + 1;
		}
		map64_clear(strings, free);
	}
}

void pf_sequences_free(struct pf *pf)
{
	for (size_t i = 0; i < pf->sequences.room; i++) {
		if (pf->sequences.slots[i].value)
			drop_strings(pf, pf->sequences.slots[i].value);
	}
	map64_clear(&pf->sequences, free);
}

static int get(struct pf *pf, uint32_t id, struct pf_sequence **seq)
{
	*seq = map64_get(&pf->sequences, id);
	if (*seq)
		return 0;
	if (pf->sequences.nr == PF_SEQUENCES_MAX) {
		pf->unfollowed++;
		return 0;
	}
	*seq = calloc(1, sizeof(**seq));
	if (!*seq)
		return -ENOMEM;
	if (map64_put(&pf->sequences, id, *seq)) {
		free(*seq);
		return -ENOMEM;
	}
	return 0;
}

struct pf_string *pf_sequence_string(const struct pf_sequence *seq, enum pf_intern what,
				     uint64_t iid)
{
	return map64_get(&seq->strings[what], iid);
}

/* One entry of the interned data: iid 1, name or str 2. */
static int take_string(struct pf *pf, struct map64 *strings, const struct wire_field *entry)
{
	struct wire w = wire_in(entry);
	struct wire_field f, text = { 0 };
	struct pf_string *string, *before;
	uint64_t iid = 0;

	while (wire_next(&w, &f)) {
		if (f.number == 1)
			iid = wire_number(&f);
		else if (f.number == 2 && f.type == WIRE_BYTES)
			text = f;
	}

	size_t size = sizeof(*string) + text.len + 1;

	if (size > PF_STRINGS_BYTES - pf->strings_bytes) {
		pf->unfollowed++;
		return 0;
	}
	string = calloc(1, size);
	if (!string)
		return -ENOMEM;
	string->len = (uint32_t)text.len;
	if (text.len)
		memcpy(string->text, text.data, text.len);
	before = map64_get(strings, iid);
	if (map64_put(strings, iid, string)) {
		free(string);
		return -ENOMEM;
	}
	pf->strings_bytes += size;
	if (before)
		pf->strings_bytes -= sizeof(*before) + before->len + 1;
	free(before);
	return 0;
}

static int take_interned(struct pf *pf, struct pf_sequence *seq, const struct wire_field *data)
{
	struct wire w = wire_in(data);
	struct wire_field f;
	int ret = 0;

	while (!ret && wire_next(&w, &f)) {
		switch (f.number) {
		case 1:
			ret = take_string(pf, &seq->strings[PF_INTERN_CATEGORY], &f);
			break;
		case 2:
			ret = take_string(pf, &seq->strings[PF_INTERN_EVENT], &f);
			break;
		case 3:
			ret = take_string(pf, &seq->strings[PF_INTERN_ANNOTATION], &f);
			break;
		case 29:
			ret = take_string(pf, &seq->strings[PF_INTERN_VALUE], &f);
			break;
		default:
			break;
		}
	}
	return ret;
}

static void take_defaults(struct pf *pf, struct pf_sequence *seq, const struct wire_field *data)
{
	Perfetto__TracePacketDefaults *defaults = perfetto__trace_packet_defaults__unpack(
		pf_arena_reset(&pf->arena), data->len, data->data);

	if (!defaults)
		return;
	seq->clock = defaults->has_timestamp_clock_id ? defaults->timestamp_clock_id : 0;
	seq->track =
		defaults->track_event_defaults && defaults->track_event_defaults->has_track_uuid
			? defaults->track_event_defaults->track_uuid
			: 0;
}

static struct pf_scoped_clock *scoped(struct pf_sequence *seq, uint32_t id)
{
	for (unsigned i = 0; i < PF_SCOPED_CLOCKS; i++) {
		if (seq->clocks[i].id == id)
			return &seq->clocks[i];
	}
	return NULL;
}

/* A snapshot gives clocks of the sequence their place among the trace's own. */
static void set_scoped(struct pf_sequence *seq, const Perfetto__ClockSnapshot__Clock *clock,
		       uint32_t by, uint64_t by_ns)
{
	struct pf_scoped_clock *c = scoped(seq, clock->clock_id);

	if (!c)
		c = scoped(seq, 0);
	if (!c)
		return;
	*c = (struct pf_scoped_clock){
		.id = clock->clock_id,
		.incremental = clock->is_incremental,
		.unit = clock->unit_multiplier_ns ? clock->unit_multiplier_ns : 1,
		.last = clock->timestamp,
		.base = clock->timestamp,
		.base_ns = by_ns,
		.clock = by,
	};
}

static int add_clock_event(struct pf *pf, struct pf_instant instant)
{
	struct pf_event *ev;

	if (pf->looking || pf->own)
		return 0;
	if (!instant.ns[PF_CLOCK_MONOTONIC])
		instant.ns[PF_CLOCK_MONOTONIC] =
			pf_clocks_convert(&pf->clocks, PF_CLOCK_BOOTTIME, PF_CLOCK_MONOTONIC,
					  instant.ns[PF_CLOCK_BOOTTIME]);
	ev = pf_event_new(pf, PF_EVENT_CLOCK, instant.ns[PF_CLOCK_MONOTONIC], FS_CPU_NONE,
			  sizeof(ev->clock));
	if (!ev)
		return -ENOMEM;
	ev->clock = instant;
	return pf_event_add(pf, ev);
}

static int take_snapshot(struct pf *pf, struct pf_sequence *seq, const struct wire_field *data)
{
	static const uint32_t order[] = { PF_CLOCK_BOOTTIME, PF_CLOCK_MONOTONIC,
					  PF_CLOCK_REALTIME };
	Perfetto__ClockSnapshot *snapshot =
		perfetto__clock_snapshot__unpack(pf_arena_reset(&pf->arena), data->len, data->data);
	struct pf_instant instant = { 0 };
	uint32_t by = 0;
	int ret = 0;

	if (!snapshot)
		return 0;
	for (size_t i = 0; i < snapshot->n_clocks; i++) {
		const Perfetto__ClockSnapshot__Clock *clock = snapshot->clocks[i];

		if (pf_clock_known(clock->clock_id))
			instant.ns[clock->clock_id] = clock->timestamp;
	}
	for (size_t i = 0; !by && i < sizeof(order) / sizeof(order[0]); i++)
		by = instant.ns[order[i]] ? order[i] : 0;
	for (size_t i = 0; by && i < snapshot->n_clocks; i++) {
		if (snapshot->clocks[i]->clock_id >= PF_CLOCK_SCOPED)
			set_scoped(seq, snapshot->clocks[i], by, instant.ns[by]);
	}
	if (snapshot->has_primary_trace_clock && pf_clock_known(snapshot->primary_trace_clock))
		pf->clocks.primary = snapshot->primary_trace_clock;
	if (pf->looking)
		ret = pf_clocks_add(&pf->clocks, &instant);
	/* Those that a writer made to place its own clock say nothing new. */
	if (!ret && instant.ns[PF_CLOCK_BOOTTIME] && instant.ns[PF_CLOCK_REALTIME])
		ret = add_clock_event(pf, instant);
	return ret;
}

int pf_sequence_take(struct pf *pf, const struct pf_packet *p, struct pf_sequence **out)
{
	struct pf_sequence *seq;
	int ret;

	*out = NULL;
	if (p->machine) {
		pf->foreign++;
		return 0;
	}
	ret = get(pf, p->sequence, &seq);
	if (ret || !seq)
		return ret;
	if (p->dropped)
		seq->valid = false;
	if (p->flags & PF_SEQUENCE_CLEARED) {
		seq->valid = true;
		seq->clock = 0;
		seq->track = 0;
		drop_strings(pf, seq);
	}
	if (p->flags & PF_SEQUENCE_NEEDS && !seq->valid) {
		pf->stateless++;
		return 0;
	}
	if (p->defaults.data)
		take_defaults(pf, seq, &p->defaults);
	if (p->snapshot.data)
		ret = take_snapshot(pf, seq, &p->snapshot);
	if (!ret && p->interned.data && !pf->looking)
		ret = take_interned(pf, seq, &p->interned);
	*out = seq;
	return ret;
}

/* The times of a clock of the sequence, in those of a clock of the trace. */
static bool scoped_time(struct pf_sequence *seq, uint32_t *clock, uint64_t *ns)
{
	struct pf_scoped_clock *c = scoped(seq, *clock);

	if (!c)
		return false;
	if (c->incremental) {
		c->last += *ns;
		*ns = c->last;
	}
	*ns = c->base_ns + (*ns - c->base) * c->unit;
	*clock = c->clock;
	return true;
}

bool pf_sequence_time(struct pf *pf, struct pf_sequence *seq, const struct pf_packet *p,
		      uint64_t *ns)
{
	uint32_t clock = p->clock ? p->clock : seq->clock;

	if (!p->timed)
		return false;
	*ns = p->timestamp;
	if (clock >= PF_CLOCK_SCOPED && !scoped_time(seq, &clock, ns))
		return false;
	if (!clock)
		clock = pf->clocks.primary ? pf->clocks.primary : PF_CLOCK_BOOTTIME;
	if (!pf_clock_known(clock))
		return false;
	*ns = pf_clocks_convert(&pf->clocks, clock,
				pf->looking ? PF_CLOCK_BOOTTIME : PF_CLOCK_MONOTONIC, *ns);
	return true;
}
