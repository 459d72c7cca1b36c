/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Frames that SurfaceFlinger told of, and nothing else is known of: their producer is a layer, and
 * all of their time is unknown.
 */
#ifndef MODEL_TOLD_H
#define MODEL_TOLD_H

#include "model/thread.h"

struct teller; /* a layer that such frames are of */

/*
 * The layer of a process (0: not known), made if it is new; *out is NULL if there are too many. It
 * lives as long as the model. 0 or -ENOMEM.
 */
int told_layer(struct model *m, uint32_t pid, const char *layer, struct teller **out);

/* Give the frame to the sink, with its producer, number and budget; its other members are set. */
void told_send(struct model *m, struct teller *layer, struct frame *f);

void tellers_free(struct teller *all); /* NULL is fine */

#endif
