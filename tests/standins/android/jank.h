/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* HWUI's JankTracker: what it says of each frame, and what it counts. */
#ifndef TESTS_ANDROID_JANK_H
#define TESTS_ANDROID_JANK_H

#include <stdbool.h>
#include <stdint.h>

#include "standins/android/profile.h"

/* One window's. */
struct jank_tracker {
	int64_t interval_ns; /* of the display when the window was made */
	int64_t swap_deadline_ns;
	int64_t next_unstuffed_ns;
	struct profile profile;
};

struct jank_verdict {
	bool is_janky, is_legacy, is_stuffed, is_davey;
	unsigned types; /* 1u << enum jank */
	int64_t total_ns;
};

void jank_open(struct jank_tracker *t);

/* The words of a verdict in the truth. */
void jank_print(FILE *out, const struct jank_verdict *v);

/* Appends what `dumpsys gfxinfo` prints. 0 or -errno. */
int jank_dump(const char *path);

/* What the libraries do. */
void jank_legacy(void *tracker, void *info);
void jank_finish(void *tracker, void *info, void *reporter, int64_t frame_number, int32_t control);

#endif
