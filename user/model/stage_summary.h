/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What a report says of the stages of a window's frames. */
#ifndef MODEL_STAGE_SUMMARY_H
#define MODEL_STAGE_SUMMARY_H

#include <stdint.h>

#include "base/quantile.h"
#include "model/frame.h"

/* Of complete frames only, but for the counts by kind. */
struct stage_summary {
	uint64_t kinds[FRAME_KIND_NR]; /* FRAME_PLAIN: those of which nothing is known */
	uint64_t unfinished; /* of these kinds, those whose FrameInfo never came, */
	uint64_t marked; /* but for those of which only marks tell */
	struct quantile *lengths[STAGE_NR]; /* of the frames that had the stage; NULL: none had */
	struct budget total[STAGE_NR];
	uint64_t on_top[STAGE_NR]; /* frames in which it held the longest cause */
};

void stage_summary_free(struct stage_summary *s); /* leaves it empty */

/* 0 or -ENOMEM. */
int stage_summary_add(struct stage_summary *s, const struct frame *f);

/* Has any frame had a stage? */
bool stage_summary_any(const struct stage_summary *s);

#endif
