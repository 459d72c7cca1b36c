/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Why a thread did not run. */
#ifndef MODEL_BLOCKER_H
#define MODEL_BLOCKER_H

#include <linux/types.h>
#include <stdbool.h>
#include <stdint.h>

#include <framescope/event.h>

#include "model/budget.h"

/* One reason for which a thread did not run: a cause, who ended it, and what it waited on. */
struct blocker {
	enum budget_part cause;
	enum confidence confidence; /* of the cause */
	uint8_t call; /* enum fs_call */
	uint8_t file; /* enum fs_file */
	uint8_t context; /* enum fs_context of the waking, or of the fence's signal */
	bool timed_out; /* nobody ended it: its time was over */
	bool blocked; /* of BUDGET_UNKNOWN: it did wait, only in what is not known */
	int32_t fd; /* -1: none */
	uint32_t peer_tid; /* waker, or signaller of the fence; for BUDGET_RUNNABLE who took the
			      CPU; 0 = none seen */
	uint32_t peer_tgid;
	char peer_comm[FS_COMM_LEN];
	uint64_t ns; /* sum over `count` intervals */
	uint64_t count;
};

#endif
