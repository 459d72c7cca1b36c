/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The kernel side's table of watched threads, and who is put into it. */
#ifndef CAPTURE_WATCH_H
#define CAPTURE_WATCH_H

#include <linux/types.h>
#include <stdint.h>
#include <sys/types.h>

#include <framescope/event.h>

#include "base/err.h"

struct watch {
	volatile uint8_t *watched; /* FS_TID_MAX bytes, shared with the kernel side */
	/* A thread has joined: its FS_TASK_SEEN record, valid during the call. */
	void (*seen)(void *ctx, const struct fs_task *rec);
	void *ctx;
};

/*
 * Watch every thread of a process. A thread that it starts meanwhile is caught by the kernel side
 * (if its creator is watched already) or here (by looking until nothing new turns up). -ESRCH if
 * the process is gone.
 */
int watch_process(const struct watch *w, pid_t pid, struct err *e);

/* Watch every thread but those of this process. */
int watch_all(const struct watch *w, struct err *e);

/* Watch nobody: the kernel side falls silent. */
void watch_none(const struct watch *w);

#endif
