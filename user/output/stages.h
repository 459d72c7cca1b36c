/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* One row per stage of a frame. */
#ifndef OUTPUT_STAGES_H
#define OUTPUT_STAGES_H

#include "model/frame.h"
#include "output/listing.h"

struct stage_row {
	const struct frame *frame;
	enum stage stage; /* known of the frame */
};

extern const struct listing_view stages_view; /* of struct stage_row */

#endif
