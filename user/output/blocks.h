/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* One row per stretch in which a thread that makes frames did not run. */
#ifndef OUTPUT_BLOCKS_H
#define OUTPUT_BLOCKS_H

#include <stdint.h>

#include "model/block.h"
#include "output/listing.h"

struct block_row {
	const struct block *block;
	const struct fence_name *name; /* of its fence's timeline, if it has a fence */
	uint64_t origin_ns; /* what the times in a table count from */
};

extern const struct listing_view blocks_view; /* of struct block_row */

/* Until when it was blocked, not only waiting for a CPU; ns. */
uint64_t block_end_ns(const struct block *b);

#endif
