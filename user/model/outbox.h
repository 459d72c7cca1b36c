/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Finished frames on their way out. A frame whose acquire fence has not signalled yet waits here
 * for that, and the frames behind it with it, for their order; not for ever.
 */
#ifndef MODEL_OUTBOX_H
#define MODEL_OUTBOX_H

#include "model/thread.h"

#define OUTBOX_MAX 256 /* frames */
#define OUTBOX_NS UINT64_C(1000000000) /* after its end a frame waits no longer */

/* Emit the frame, now or later. Without memory to keep it, now. */
void outbox_put(struct model *m, const struct frame *f);

/* The fence has signalled, and the model knows. */
void outbox_signaled(struct model *m, struct fence_id id);

/* It is `now`, or the end (UINT64_MAX): emit what has waited long enough. */
void outbox_tick(struct model *m, uint64_t now);

#endif
