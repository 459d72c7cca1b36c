/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What SurfaceFlinger's FrameTimeline says of many frames, and HWUI's verdict on the same ones. */
#ifndef MODEL_TIMELINE_SUMMARY_H
#define MODEL_TIMELINE_SUMMARY_H

#include <stdint.h>

#include "model/frame.h"

#define FT_JANK_BITS 32

/* Frames; those of both have a verdict of HWUI's, too. */
struct timeline_count {
	uint64_t frames;
	uint64_t both;
	uint64_t hwui_janky; /* of both */
};

/* All 0 is none. */
struct timeline_summary {
	struct timeline_count all; /* of which it is said what became of them */
	struct timeline_count jank[FT_JANK_BITS]; /* that have the bit: a frame may have several */
	uint64_t present[FT_PRESENT_NR]; /* 0: not said, or of no name */
	uint64_t expired; /* predictions */
	uint64_t several; /* the token has several layers: the verdict may be another's */
};

/* Frames without such a verdict change nothing. */
void timeline_summary_add(struct timeline_summary *s, const struct frame *f);

#endif
