/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* How fast a producer's frames follow one another. */
#ifndef MODEL_PACE_H
#define MODEL_PACE_H

#include <stdbool.h>
#include <stdint.h>

#include "model/frame.h"

/* Zero it before the producer's first frame. */
struct pace {
	uint64_t first_end_ns; /* ends of the first and last swap seen */
	uint64_t last_end_ns;
	uint64_t swaps; /* behind the first */
	uint64_t prev_end_ns; /* of the frame before */
	uint64_t prev_number;
	bool any; /* first_end_ns and last_end_ns are set */
};

/*
 * Take the producer's next frame, of whatever status. True if it is known to follow the one before,
 * with *interval_ns from that one's end to its own. A skipped frame is nothing's end.
 */
bool pace_add(struct pace *p, const struct frame *f, uint64_t *interval_ns);

/* Frames per second between the first and the last swap seen. 0: fewer than two swaps. */
double pace_fps(const struct pace *p);

#endif
