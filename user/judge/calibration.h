/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What JankTracker was told of the display when the app's window was made, and no FrameInfo says:
 * estimated from many of them.
 */
#ifndef JUDGE_CALIBRATION_H
#define JUDGE_CALIBRATION_H

#include <stdbool.h>
#include <stdint.h>

#include "stream/frame_slots.h"

#define CALIBRATION_SAMPLES 512

/* All zero is an empty one. */
struct calibration {
	int64_t last_vsync_ns;
	unsigned nr_steps, nr_dequeues;
	int64_t steps_ns[CALIBRATION_SAMPLES]; /* from one intended vsync to the next */
	struct {
		int64_t interval_ns; /* 0 = not known */
		int64_t end_ns; /* since the frame's vsync */
	} dequeues[CALIBRATION_SAMPLES]; /* that had to wait */
};

void calibration_add(struct calibration *c, const struct frame_slots *s);

/* No further frame is needed, for the interval or for the offset, too. */
bool calibration_full(const struct calibration *c, bool offset);

/*
 * The display's interval in ns, by the steps of the vsyncs: 0 if these are too few, no multiples of
 * one, or all longer than any display's. An app that draws at every other vsync only looks as if
 * the display were that slow.
 */
int64_t calibration_interval(const struct calibration *c);

/*
 * How long after the vsync for apps the compositor's is, in ns, if it is 0 to 4 ms: a blocked
 * dequeue ends when the compositor has latched. False if too few frames waited for a buffer.
 */
bool calibration_offset(const struct calibration *c, int64_t *offset_ns);

#endif
