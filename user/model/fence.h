/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What is known of a fence, and of a thread's wait for one. */
#ifndef MODEL_FENCE_H
#define MODEL_FENCE_H

#include <linux/types.h>
#include <stdbool.h>
#include <stdint.h>

#include <framescope/event.h>

#include "model/budget.h"

struct fence_id {
	uint64_t context;
	uint64_t seqno;
};

/* "of DRIVER/TIMELINE, DRIVER/TIMELINE, ..." */
#define FENCE_TIMELINE_LEN (2 * (FS_DRIVER_LEN + FS_TIMELINE_LEN) + 16)

/* Of its context. Empty where it is not known. */
struct fence_name {
	char driver[FS_DRIVER_LEN];
	char timeline[FENCE_TIMELINE_LEN];
};

enum wait_outcome {
	WAIT_SIGNALED, /* the fence signalled, and that ended the wait */
	WAIT_TIMEOUT, /* no fence that it waited for had signalled; its time was over */
	WAIT_OTHER, /* nor was its time over: another descriptor, or a signal */
	WAIT_OPEN, /* had not ended when the capture did */
	WAIT_OUTCOME_NR
};

const char *wait_outcome_name(enum wait_outcome o); /* "signaled", "timeout", "other", "open" */

/* One stretch in which a thread was blocked for a fence; valid during the sink's call. */
struct fence_wait {
	uint32_t pid;
	uint32_t tid;
	const char *comm; /* of the thread; empty if not known */
	const char *name; /* that the waiting function was given; empty if none was */
	uint32_t producer; /* id of the producer that the thread was making a frame for; 0 = none */
	uint64_t frame; /* that frame's number */
	int32_t fd; /* -1: a wait inside the kernel */
	uint32_t role; /* enum fs_ref_role: how the fence was met before; WAITED = only here;
			  ACQUIRE also if it was another thread that gave it away */
	/* Who ended it if it did (of a container the last member), else the one waited for. */
	struct fence_id fence;
	struct fence_id container; /* it was met in; valid if in_container */
	bool in_container;
	uint64_t start_ns; /* switch-out */
	uint64_t wake_ns; /* 0 = no waking seen */
	uint64_t end_ns; /* switch-in, or the end of the capture */
	enum wait_outcome outcome;
	uint64_t signal_ns; /* valid if WAIT_SIGNALED */
	uint32_t error; /* errno that it signalled with; 0 = none */
	uint8_t context; /* enum fs_context that signalled it */
	uint32_t signaller_tid; /* 0 = an interrupt, or not known */
	char signaller[FS_COMM_LEN];
	enum confidence confidence; /* of the fence being the one */
};

#endif
