/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Collects the values of a run's frames. */
#include "gate/samples.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/idmap.h"
#include "base/text.h"

#define FIRST_ROOM 16

struct gate_samples {
	bool wanted[GATE_METRICS_MAX];
	unsigned interval; /* which metric that is */
	struct idmap by_id;
	struct gate_producer **producers;
	unsigned nr;
	size_t kept; /* room of all series */
	uint64_t display_ns;
};

struct gate_samples *gate_samples_new(const bool *wanted)
{
	struct gate_samples *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	for (unsigned i = 0; i < gate_metrics(); i++)
		s->wanted[i] = !wanted || wanted[i];
	s->interval =
		(unsigned)gate_metric_find(GATE_METRIC_INTERVAL, sizeof(GATE_METRIC_INTERVAL) - 1);
	return s;
}

static void producer_free(struct gate_producer *p)
{
	for (unsigned i = 0; i < GATE_METRICS_MAX; i++) {
		if (p->series[i])
			free(p->series[i]->values);
		free(p->series[i]);
	}
	free(p->window);
	free(p);
}

void gate_samples_free(struct gate_samples *s)
{
	if (!s)
		return;
	for (unsigned i = 0; i < s->nr; i++)
		producer_free(s->producers[i]);
	free(s->producers);
	idmap_free(&s->by_id);
	free(s);
}

/* Of two neighbours, one: which, depends on nothing but where they are (splitmix64). */
static uint64_t scramble(uint64_t x)
{
	x += UINT64_C(0x9e3779b97f4a7c15);
	x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
	return x ^ x >> 31;
}

static void thin(struct gate_series *s)
{
	size_t half = s->nr / 2;

	for (size_t i = 0; i < half; i++)
		s->values[i] = s->values[2 * i + (scramble(s->stride + i) & 1)];
	s->nr = half;
	s->stride *= 2;
}

static int make_room(struct gate_samples *all, struct gate_series *s)
{
	size_t room = s->room ? s->room * 2 : FIRST_ROOM;
	int64_t *values;

	if (s->nr < s->room)
		return 0;
	if (s->room && (room > GATE_SERIES_MAX || all->kept + s->room > GATE_VALUES_MAX)) {
		thin(s);
		return 0;
	}
	values = realloc(s->values, room * sizeof(*values));
	if (!values)
		return -ENOMEM;
	all->kept += room - s->room;
	s->values = values;
	s->room = room;
	return 0;
}

static int keep(struct gate_samples *all, struct gate_series *s, int64_t value)
{
	uint64_t at;
	int err;

	if (!s->stride)
		s->stride = 1;
	at = s->count % s->stride;
	/* Each of the stretch's values is the chosen one with the same chance. */
	if (!at || scramble(s->count) % (at + 1) == 0)
		s->pending = value;
	if (at + 1 < s->stride)
		return 0;
	err = make_room(all, s);
	/* Thinning has made the stretches longer: this one may be the first half of one. */
	if (err || (s->count + 1) % s->stride)
		return err;
	s->values[s->nr++] = s->pending;
	return 0;
}

static int series_add(struct gate_samples *all, struct gate_series **to, int64_t value)
{
	struct gate_series *s = *to;
	int err;

	if (!s)
		s = *to = calloc(1, sizeof(*s));
	if (!s)
		return -ENOMEM;
	err = keep(all, s, value);
	if (err)
		return err;
	if (!s->count || value < s->min)
		s->min = value;
	if (!s->count || value > s->max)
		s->max = value;
	s->count++;
	s->sum += (double)value;
	return 0;
}

static struct gate_producer *producer_new(const struct producer *of)
{
	struct gate_producer *p = calloc(1, sizeof(*p));

	if (!p)
		return NULL;
	text_escape(p->name, sizeof(p->name), of->name, sizeof(of->name));
	p->window = of->window ? strdup(of->window) : NULL;
	if (of->window && !p->window) {
		free(p);
		return NULL;
	}
	return p;
}

static int get_producer(struct gate_samples *s, const struct producer *of,
			struct gate_producer **out)
{
	struct gate_producer **all, *p = idmap_get(&s->by_id, of->id);
	int err;

	*out = p;
	if (p)
		return 0;
	if (s->nr == GATE_PRODUCERS_MAX)
		return -E2BIG;
	all = realloc(s->producers, (s->nr + 1) * sizeof(struct gate_producer *));
	if (!all)
		return -ENOMEM;
	s->producers = all;
	p = producer_new(of);
	if (!p)
		return -ENOMEM;
	err = idmap_put(&s->by_id, of->id, p);
	if (err) {
		producer_free(p);
		return err;
	}
	s->producers[s->nr++] = p;
	*out = p;
	return 0;
}

static int add_values(struct gate_samples *s, struct gate_producer *p, const struct frame *f)
{
	int64_t value;
	int err = 0;

	for (unsigned i = 0; i < gate_metrics() && !err; i++) {
		const struct gate_metric *m = gate_metric_at(i);

		if (!s->wanted[i] || !m->read || !m->read(m, f, &value))
			continue;
		if (f->status == FRAME_COMPLETE)
			err = series_add(s, &p->series[i], value);
		else
			p->elsewhere[i] = true;
	}
	return err;
}

static void note_display(struct gate_samples *s, const struct frame *f)
{
	const struct frame_slots *slots = &f->hwui.slots;
	int64_t ns;

	if (!slot_known(slots, SLOT_FRAME_INTERVAL))
		return;
	ns = slots->ns[SLOT_FRAME_INTERVAL];
	if (ns > 0 && (!s->display_ns || (uint64_t)ns < s->display_ns))
		s->display_ns = (uint64_t)ns;
}

uint64_t gate_samples_display_ns(const struct gate_samples *s)
{
	return s->display_ns;
}

int gate_samples_add(struct gate_samples *s, const struct frame *f, uint64_t *interval_ns)
{
	bool dump = f->dumped && !frame_is_told(f), follows = false;
	struct gate_producer *p;
	uint64_t interval;
	int err;

	*interval_ns = 0;
	if (f->fault)
		return 0;
	note_display(s, f);
	err = get_producer(s, f->producer, &p);
	if (err)
		return err;
	if (!dump)
		follows = pace_add(&p->pace, f, &interval);
	p->told_in_dump = dump;
	p->seen |= f->seen;
	if (f->hwui.kind == FRAME_SKIPPED)
		return 0;
	p->counts[f->status]++;
	err = add_values(s, p, f);
	if (err || f->status != FRAME_COMPLETE)
		return err;
	p->wall_sum_ns += f->end_ns - f->start_ns;
	if (!follows || interval > INT64_MAX)
		return 0;
	*interval_ns = interval;
	return s->wanted[s->interval] ? series_add(s, &p->series[s->interval], (int64_t)interval)
				      : 0;
}

const struct gate_producer *gate_samples_producer(const struct gate_samples *s, unsigned index)
{
	return index < s->nr ? s->producers[index] : NULL;
}

const struct gate_producer *gate_samples_find(const struct gate_samples *s, const char *name)
{
	for (unsigned i = 0; i < s->nr; i++)
		if (!strcmp(s->producers[i]->name, name))
			return s->producers[i];
	return NULL;
}

double gate_producer_seconds(const struct gate_producer *p)
{
	if (p->pace.last_end_ns <= p->pace.first_end_ns)
		return 0;
	return (double)(p->pace.last_end_ns - p->pace.first_end_ns) / 1e9;
}
