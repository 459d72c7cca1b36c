/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What androidx.metrics.performance.JankStats says of a frame (its 1.0.0; of Android 7 on, for
 * what it measures below that is in no FrameInfo). It is janky if its UI part is longer than what
 * was expected times a multiplier. On API levels 24 to 30 an interval of the display is expected,
 * from 31 on the frame's own deadline.
 */
#ifndef JUDGE_JANKSTATS_H
#define JUDGE_JANKSTATS_H

#include <stdbool.h>
#include <stdint.h>

#include "model/verdict.h"
#include "stream/frame_slots.h"

#define JANKSTATS_MULTIPLIER 2.0f /* its default */

/*
 * What JankStats takes for the display's rate below API level 31, whatever the display: it asks
 * only if the context of the window's decor view is an activity, and that has been a context of its
 * own since before these releases.
 */
#define JANKSTATS_REFRESH_HZ 60.0f

/* One window's, as an app has one listener for each. */
struct jankstats {
	unsigned api; /* the platform's API level */
	float multiplier;
	int64_t expected_ns; /* below 31 */
	int64_t start_ns; /* of the frame before; 0: this is the first */
	int64_t end_ns; /* of its UI part */
};

/* A rate beyond 30 to 200 Hz is one of 60, as there. */
void jankstats_init(struct jankstats *js, unsigned api, float multiplier, float refresh_hz);

/*
 * To be given the window's frames as they were finished, with SLOT_FRAME_DEADLINE as finishFrame()
 * left it: INT64_MAX is no deadline, which is never missed; a slot that is otherwise not known was
 * not seen, and whether the frame is janky is then not known from 31 on. A frame that JankStats
 * leaves out as one that it has had already has no verdict, and neither has one whose UI part is
 * not known. That one moves the start of no other: most likely it was never finished.
 */
void jankstats_judge(struct jankstats *js, const struct frame_slots *slots,
		     struct jankstats_verdict *v);

#endif
