/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* HWUI's ProfileData: the totals of a window, or of all, as `dumpsys gfxinfo` prints them. */
#ifndef TESTS_ANDROID_PROFILE_H
#define TESTS_ANDROID_PROFILE_H

#include <stdint.h>
#include <stdio.h>

/* Why a frame is janky, in the order in which they are printed. */
enum jank {
	JANK_VSYNC,
	JANK_INPUT,
	JANK_UI,
	JANK_SYNC,
	JANK_RENDER,
	JANK_DEADLINE,
	JANK_LEGACY, /* Android 12 on */
	JANKS
};

struct profile {
	uint32_t total, janky, legacy;
	uint32_t jank[JANKS];
	uint32_t fast[57], gpu[26];
	uint16_t slow[97];
};

/* How long a frame took, and the GPU with one. */
void profile_frame(struct profile *p, int64_t ns);
void profile_gpu(struct profile *p, int64_t ns);

void profile_print(FILE *out, const struct profile *p);

#endif
