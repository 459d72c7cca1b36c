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
	volatile uint16_t *watched; /* slots by tid, shared with the kernel side */
	uint32_t nr_tids; /* its length */
	int watched_fd; /* the map it is */
	int threads_fd; /* map: state by slot */
	int free_fd; /* map: slots without an owner */
	int fill_fd; /* program: fills it, from slots_left on downwards, a part in each run */
	volatile uint32_t *slots_left;
	/*
	 * Of a thread that has joined its FS_TASK_SEEN record, of one for which there was no room
	 * an FS_LOST_MAP record; valid during the call.
	 */
	void (*record)(void *ctx, const struct fs_header *rec);
	void *ctx;
};

/* How many pages of slots the table must have for every tid of this machine. */
uint32_t watch_pages(void);

/* Map the table, and make room for `slots` threads: fewer than FS_SLOT_NONE. The fds are set. */
int watch_open(struct watch *w, uint32_t slots, struct err *e);
void watch_close(struct watch *w); /* what was never opened is fine */

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
