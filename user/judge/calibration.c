/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Estimates the display's interval and the distance of its two vsyncs. */
#include "judge/calibration.h"

#include <stdlib.h>

#define MS INT64_C(1000000)
#define SHORTEST_NS (3 * MS) /* of an interval: 240 Hz has 4.2 ms */
#define LONGEST_NS (42 * MS) /* likewise: 24 Hz */
#define WAITED_NS (2 * MS) /* a dequeue of that length has waited for the compositor */
#define LEAST 8 /* samples */
#define STEPS_APART 8 /* after a longer pause the interval is lost in the noise */

/* Rates that displays have; an estimate this near to one means it. */
static const double rates_hz[] = {
	24, 30, 48, 50, 60, 72, 75, 80, 90, 96, 100, 120, 144, 165, 240
};
#define RATE_WITHIN 0.004

void calibration_add(struct calibration *c, const struct frame_slots *s)
{
	static const uint32_t needed = 1u << SLOT_VSYNC | 1u << SLOT_ISSUE_DRAW_COMMANDS_START |
				       1u << SLOT_DEQUEUE_DURATION;
	int64_t vsync = s->ns[SLOT_INTENDED_VSYNC], wait = s->ns[SLOT_DEQUEUE_DURATION], step;

	if (!slot_known(s, SLOT_INTENDED_VSYNC))
		return;
	/* Windows of one display share its vsyncs, in any order. */
	step = vsync - c->last_vsync_ns;
	if (c->last_vsync_ns && step >= SHORTEST_NS && step <= STEPS_APART * LONGEST_NS &&
	    c->nr_steps < CALIBRATION_SAMPLES)
		c->steps_ns[c->nr_steps++] = step;
	c->last_vsync_ns = vsync;
	if ((s->known & needed) != needed || wait < WAITED_NS ||
	    c->nr_dequeues == CALIBRATION_SAMPLES)
		return;
	c->dequeues[c->nr_dequeues].interval_ns =
		slot_known(s, SLOT_FRAME_INTERVAL) ? s->ns[SLOT_FRAME_INTERVAL] : 0;
	c->dequeues[c->nr_dequeues++].end_ns =
		(int64_t)((uint64_t)s->ns[SLOT_ISSUE_DRAW_COMMANDS_START] + (uint64_t)wait -
			  (uint64_t)s->ns[SLOT_VSYNC]);
}

bool calibration_full(const struct calibration *c, bool offset)
{
	return c->nr_steps == CALIBRATION_SAMPLES && (!offset || c->nr_dequeues >= LEAST);
}

/* The nearest that a display can mean by it; itself if there is none near. */
static int64_t rated(double interval_ns)
{
	for (size_t i = 0; i < sizeof(rates_hz) / sizeof(*rates_hz); i++) {
		double rated_ns = 1e9 / rates_hz[i];
		double off = (interval_ns - rated_ns) / rated_ns;

		if (off < RATE_WITHIN && off > -RATE_WITHIN)
			return (int64_t)rated_ns;
	}
	return (int64_t)interval_ns;
}

int64_t calibration_interval(const struct calibration *c)
{
	int64_t least = INT64_MAX, total = 0, steps = 0;
	unsigned near = 0, looked_at = 0;

	for (unsigned i = 0; i < c->nr_steps; i++)
		if (c->steps_ns[i] < least)
			least = c->steps_ns[i];
	/* Of who draws once a second no display is that slow. */
	if (least > LONGEST_NS)
		return 0;
	for (unsigned i = 0; i < c->nr_steps; i++) {
		int64_t n = (c->steps_ns[i] + least / 2) / least, off;

		if (n > STEPS_APART)
			continue;
		looked_at++;
		off = c->steps_ns[i] - n * least;
		if (off > least / 10 || off < -least / 10)
			continue;
		near++;
		total += c->steps_ns[i];
		steps += n;
	}
	if (near < LEAST || near * 10 < looked_at * 9)
		return 0;
	return rated((double)total / (double)steps);
}

static int compare(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return x < y ? -1 : x > y;
}

bool calibration_offset(const struct calibration *c, int64_t *offset_ns)
{
	int64_t estimated = calibration_interval(c), phases[CALIBRATION_SAMPLES];
	unsigned nr = 0;

	for (unsigned i = 0; i < c->nr_dequeues; i++) {
		int64_t interval =
			c->dequeues[i].interval_ns ? c->dequeues[i].interval_ns : estimated;

		if (interval > 0 && c->dequeues[i].end_ns >= 0)
			phases[nr++] = c->dequeues[i].end_ns % interval;
	}
	if (nr < LEAST)
		return false;
	qsort(phases, nr, sizeof(*phases), compare);
	*offset_ns = phases[nr / 2];
	return true;
}
