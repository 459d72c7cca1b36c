/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Finished frames on their way out. A frame whose acquire fence has not signalled yet, whose queue
 * depth is not known yet or, of HWUI, whose FrameInfo or FrameTimeline has not come yet, waits here
 * for that, and the frames behind it with it, for their order; not for ever.
 */
#ifndef MODEL_OUTBOX_H
#define MODEL_OUTBOX_H

#include "model/hwui.h"

#define OUTBOX_MAX 256 /* frames */
#define OUTBOX_NS UINT64_C(1000000000) /* after its end a frame waits no longer */

struct waiting_frame {
	struct frame f;
	struct buffer_taken taken;
	uint64_t context; /* of HWUI's, that its window is of; 0 = not known */
	bool lossy; /* records of it were, also if it is truncated */
	/* For the outbox to find out: */
	bool settled; /* no more is to become known of its depth */
	bool unfinished; /* its FrameInfo is to come */
	bool staged; /* its stages have been made out */
	struct work work; /* that it is the result of; tid 0: of none */
};

/* Emit the frame, now or later. Without memory to keep it, now. */
void outbox_put(struct model *m, const struct waiting_frame *frame);

/* A frame of the process was finished. */
void outbox_finished(struct model *m, uint32_t tgid, struct finished *finished);

/* The thread is about to be forgotten: stages that lie in its time are made out now, or never. */
void outbox_thread_ends(struct model *m, const struct thread *t);

/* More is known of a thread or process: frames may be ready. */
void outbox_changed(struct model *m);

/* The fence has signalled, and the model knows. */
void outbox_signaled(struct model *m, struct fence_id id);

/* A buffer of the window has come back. */
void outbox_dequeued(struct model *m, const struct window *w);

/* The first end of those that wait and ended behind `since`; UINT64_MAX: there are none. */
uint64_t outbox_first_ns(const struct outbox *o, uint64_t since_ns);

/* It is `now`, or the end (UINT64_MAX): emit what has waited long enough. */
void outbox_tick(struct model *m, uint64_t now);

#endif
