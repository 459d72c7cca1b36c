/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* One row per frame. */
#ifndef OUTPUT_FRAMES_H
#define OUTPUT_FRAMES_H

#include <stdint.h>

#include "model/frame.h"
#include "output/listing.h"

struct frame_row {
	const struct frame *frame;
	uint64_t origin_ns; /* what "start ms" counts from */
};

extern const struct listing_view frames_view; /* of struct frame_row */
extern const struct listing_view dumped_frames_view; /* the same, for frames of a dump */

#endif
