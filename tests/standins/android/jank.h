/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* HWUI's JankTracker, as far as it changes the frame's slots. */
#ifndef TESTS_ANDROID_JANK_H
#define TESTS_ANDROID_JANK_H

#include <stdint.h>

/* What the libraries do. */
void jank_legacy(void *tracker, void *info);
void jank_finish(void *tracker, void *info, void *reporter, int64_t frame_number, int32_t control);

#endif
