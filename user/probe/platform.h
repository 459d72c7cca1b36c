/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What Android this machine runs, and what follows from that. */
#ifndef PROBE_PLATFORM_H
#define PROBE_PLATFORM_H

#include <stdbool.h>

#define PLATFORM_TEXT_LEN 96 /* with the NUL; a property's value has at most 92 bytes */

/* Any bytes but NUL and newlines may be in the texts. What is not known is 0 or empty. */
struct platform {
	unsigned sdk; /* ro.build.version.sdk */
	char release[PLATFORM_TEXT_LEN]; /* ro.build.version.release */
	char model[PLATFORM_TEXT_LEN]; /* ro.product.model */
	char build[PLATFORM_TEXT_LEN]; /* ro.build.fingerprint, as far as it goes */
};

/*
 * Ask this machine, by the getprop in $PATH: elsewhere than on Android there is none, and nothing
 * is known. Starts it as a child and waits for it, 2 s at most in all.
 */
void platform_read(struct platform *p);

/* How many slots HWUI's FrameInfo has had: ascending, ended by 0. */
extern const unsigned platform_layouts[];

bool platform_is_layout(unsigned slots);

/*
 * How many slots it has on this SDK level; 0 if that is not known, or if there are several for it:
 * then it must show in the data.
 */
unsigned platform_frame_info_layout(unsigned sdk);

#endif
