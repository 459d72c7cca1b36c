/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The parts of a budget, and which one a blocked thread's time belongs to. */
#include "model/budget.h"

#include <stdbool.h>
#include <stddef.h>

/* Task states at switch-out; the values are the same from 5.10 to 6.18. */
#define STATE_UNINTERRUPTIBLE 0x2u /* also part of TASK_KILLABLE and TASK_IDLE */
#define STATE_STOPPED 0x4u
#define STATE_TRACED 0x8u
#define STATE_FREEZABLE 0x2000u /* from 6.1 on; no wait for storage is */

static const char *const part_names[] = {
	[BUDGET_RUNNING] = "running", [BUDGET_RUNNABLE] = "runnable", [BUDGET_FENCE] = "fence",
	[BUDGET_SLOT] = "slot",       [BUDGET_GPU] = "gpu",           [BUDGET_LOCK] = "lock",
	[BUDGET_BINDER] = "binder",   [BUDGET_IPC] = "ipc",           [BUDGET_IO] = "io",
	[BUDGET_SLEEP] = "sleep",     [BUDGET_OTHER] = "other",       [BUDGET_UNKNOWN] = "unknown",
};
_Static_assert(sizeof(part_names) / sizeof(part_names[0]) == BUDGET_NR, "a name for every part");

static const char *const confidence_names[] = {
	[CONF_NONE] = "none",
	[CONF_PROBABLE] = "probable",
	[CONF_EXACT] = "exact",
};
_Static_assert(sizeof(confidence_names) / sizeof(confidence_names[0]) == CONF_NR,
	       "a name for every confidence");

const char *budget_part_name(enum budget_part part)
{
	return (unsigned)part < BUDGET_NR ? part_names[part] : NULL;
}

const char *confidence_name(enum confidence c)
{
	return (unsigned)c < CONF_NR ? confidence_names[c] : NULL;
}

uint64_t budget_total(const struct budget *b)
{
	uint64_t total = 0;

	for (unsigned i = 0; i < BUDGET_NR; i++)
		total += b->ns[i];
	return total;
}

/* A wait that nothing may interrupt, and not that of vfork() for its child. */
static bool uninterruptible(const struct fs_offcpu *off)
{
	return off->state & STATE_UNINTERRUPTIBLE && !(off->state & STATE_FREEZABLE);
}

/* A file that can't be named by its kind: what the task state alone says. */
static enum budget_part by_state(const struct fs_offcpu *off, enum budget_part interruptible)
{
	return uninterruptible(off) ? BUDGET_IO : interruptible;
}

static enum budget_part by_file(const struct fs_offcpu *off)
{
	switch ((enum fs_file)off->file) {
	case FS_FILE_SYNC_FILE:
	case FS_FILE_DMA_BUF:
		return BUDGET_FENCE;
	case FS_FILE_GPU:
		return BUDGET_GPU;
	case FS_FILE_BINDER:
		return BUDGET_BINDER;
	case FS_FILE_REGULAR:
	case FS_FILE_BLOCK:
		return BUDGET_IO;
	case FS_FILE_TIMERFD:
		return BUDGET_SLEEP;
	case FS_FILE_PIPE:
	case FS_FILE_SOCKET:
	case FS_FILE_EVENTFD:
	case FS_FILE_EPOLL:
	case FS_FILE_SIGNALFD:
	case FS_FILE_INOTIFY:
	case FS_FILE_TTY:
		return BUDGET_IPC;
	case FS_FILE_UNKNOWN:
		return by_state(off, BUDGET_UNKNOWN);
	case FS_FILE_NONE:
	case FS_FILE_CHAR:
	case FS_FILE_ANON:
	case FS_FILE_NR:
		break;
	}
	return by_state(off, BUDGET_OTHER);
}

/* Sockets and the like have hundreds of ioctls; only the ones that are known to wait are classed.
 */
static enum budget_part by_ioctl(const struct fs_offcpu *off)
{
	enum budget_part part = by_file(off);

	return part == BUDGET_IPC || part == BUDGET_SLEEP ? by_state(off, BUDGET_OTHER) : part;
}

static enum budget_part by_call(const struct fs_offcpu *off)
{
	switch ((enum fs_call)off->call) {
	case FS_CALL_FUTEX:
		return BUDGET_LOCK;
	case FS_CALL_SLEEP:
		return BUDGET_SLEEP;
	case FS_CALL_NONE:
		return BUDGET_IO;
	case FS_CALL_IOCTL:
		return by_ioctl(off);
	case FS_CALL_POLL:
	case FS_CALL_SELECT:
		if (!off->nfds && off->file == FS_FILE_NONE)
			return BUDGET_SLEEP;
		return by_file(off);
	case FS_CALL_READ:
	case FS_CALL_EPOLL:
		return by_file(off);
	case FS_CALL_OTHER:
	case FS_CALL_COMPAT:
		return by_state(off, BUDGET_OTHER);
	case FS_CALL_UNKNOWN:
	case FS_CALL_NR:
		break;
	}
	return by_state(off, BUDGET_UNKNOWN);
}

enum budget_part budget_cause(const struct fs_offcpu *off)
{
	enum budget_part part;

	if (off->flags & (FS_OFF_PREEMPTED | FS_OFF_NEW))
		return BUDGET_RUNNABLE;
	/* Stopped by a signal or a debugger, wherever that caught it. */
	if (off->state & (STATE_STOPPED | STATE_TRACED))
		return BUDGET_OTHER;
	part = by_call(off);
	/*
	 * The waits of these calls can be interrupted. One that can't be came up on the way: a page
	 * fault, or a lock of the kernel's.
	 */
	if (part == BUDGET_LOCK || part == BUDGET_SLEEP || part == BUDGET_IPC ||
	    part == BUDGET_FENCE)
		return by_state(off, part);
	return part;
}
