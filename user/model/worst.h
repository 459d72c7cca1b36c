/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The longest frames of many, in bounded memory. */
#ifndef MODEL_WORST_H
#define MODEL_WORST_H

#include "model/frame.h"

/* All zero but for `max` is empty. */
struct worst {
	struct frame *frames; /* until worst_sort() in no order of use to others */
	unsigned nr;
	unsigned room;
	unsigned max; /* how many to keep */
};

/* Keep the frame if it is one of the longest so far; of equals the earlier. 0 or -ENOMEM. */
int worst_add(struct worst *w, const struct frame *f);

/* Put the frames in order, longest first. No frame may be added after that. */
void worst_sort(struct worst *w);

void worst_free(struct worst *w); /* leaves it empty */

#endif
