/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Frames one after the other, for what a gate makes of them. */
#ifndef TESTS_UNIT_GATE_FRAMES_H
#define TESTS_UNIT_GATE_FRAMES_H

#include <stdio.h>
#include <string.h>

#include "check.h"
#include "gate/samples.h"

/* A producer whose frames come one after the other. Zero it but for the first two. */
struct maker {
	struct gate_samples *samples;
	struct producer producer;
	uint64_t number, at_ns;
};

static inline struct maker maker_of(struct gate_samples *s, uint32_t id, const char *name)
{
	struct maker m = { .samples = s, .producer = { .id = id, .render_tid = 1 } };

	snprintf(m.producer.name, sizeof(m.producer.name), "%s", name);
	m.at_ns = 1000000000;
	return m;
}

/* The next frame, that long; all of it ran. Returns its interval, 0: not known. */
static inline uint64_t make_frame(struct maker *m, uint64_t wall_ns, enum frame_status status)
{
	struct frame f = {
		.producer = &m->producer,
		.number = ++m->number,
		.start_ns = m->at_ns,
		.end_ns = m->at_ns + wall_ns,
		.status = status,
	};
	uint64_t interval_ns;

	f.render.ns[BUDGET_RUNNING] = wall_ns;
	m->at_ns += wall_ns;
	CU_ASSERT_EQUAL_FATAL(gate_samples_add(m->samples, &f, &interval_ns), 0);
	return interval_ns;
}

static inline unsigned metric_of(const char *name)
{
	int index = gate_metric_find(name, strlen(name));

	CU_ASSERT_FATAL(index >= 0);
	return (unsigned)index;
}

static inline const struct gate_series *series_of(const struct gate_producer *p, const char *name)
{
	return p->series[metric_of(name)];
}

#endif
