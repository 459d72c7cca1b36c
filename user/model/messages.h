/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The messages of a UI thread. Its looper polls for the next one when it is done with one: what
 * lies between two polls is a message, or next to nothing.
 */
#ifndef MODEL_MESSAGES_H
#define MODEL_MESSAGES_H

#include <linux/types.h>
#include <stdbool.h>
#include <stdint.h>

#include "model/blocker.h"

struct call;
struct model;
struct thread;

struct message {
	uint32_t pid;
	uint32_t tid;
	const char *process; /* its name */
	uint64_t from_ns; /* the poll returned */
	uint64_t to_ns; /* the next one began */
	bool lossy; /* records of what the thread waited for were lost: its ends are sure */
	unsigned frames; /* that it posted to the RenderThread */
	int64_t vsync_id; /* of the last of these that has one; 0 = not known */
	/*
	 * Of the Choreographer's doFrame() in it, by what it left in the FrameInfo of a frame that
	 * was posted then. 0 = not known: one that posts no frame is not seen.
	 */
	uint64_t intended_vsync_ns;
	uint64_t input_ns; /* HandleInputStart */
	uint64_t animation_ns; /* AnimationStart */
	uint64_t traversals_ns; /* PerformTraversalsStart */
	uint64_t interval_ns; /* of the display; from Android 12 on */
	struct budget budget; /* sums to to_ns - from_ns */
	uint64_t unknown_wait_ns; /* of its unknown part: it waited, in what is not known */
	struct blocker blocker; /* the longest one, if its ns is not 0 */
};

/* A poll of the thread has ended, and with its beginning the message before. */
void message_poll(struct model *m, struct thread *t, const struct call *poll);

#endif
