/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What android.view.FrameMetrics makes of the slots of a FrameInfo, for the comparer alone: by the
 * positions of the slots in each layout.
 */
#ifndef TESTS_LIVE_ANDROID_METRICS_H
#define TESTS_LIVE_ANDROID_METRICS_H

#include "live/android/truth.h"

/* What a frame's row must say in a column: a number, or nothing. */
struct expected {
	const char *column;
	bool has_value;
	int64_t value;
	bool may_miss; /* nothing will do, too: Android says that it does not know */
	bool is_metric; /* of FrameMetrics, which is told nothing of a Surface's canvas */
};

#define EXPECTED_MAX 32

/*
 * How many of the columns there are. `is_certain`: JankTracker's state is known, and with it what
 * of its verdict follows from earlier frames.
 */
unsigned metrics_of(const struct app_frame *f, bool is_certain,
		    struct expected expected[EXPECTED_MAX]);

int64_t metrics_intended(const struct app_frame *f);

/* From the intended vsync to the end. */
int64_t metrics_total(const struct app_frame *f);

#endif
