/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Where the time of a frame of HWUI went: stage by stage, and in each by cause. */
#ifndef MODEL_STAGES_H
#define MODEL_STAGES_H

#include "model/outbox.h"

/* Is all known that can be said of the frame's stages? Of a frame that has none: yes. */
bool stages_ready(const struct model *m, struct waiting_frame *w);

/*
 * The frame is about to leave: what its FrameInfo says becomes its beginning, its kind and its
 * stages; its budgets are cut accordingly. Nothing changes if nothing is known of it.
 */
void stages_fill(struct model *m, struct waiting_frame *w);

#endif
