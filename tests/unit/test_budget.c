/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The table of causes, row by row as documented. */
#include <linux/types.h>
#include <string.h>

#include <framescope/event.h>

#include "check.h"
#include "model/budget.h"
#include "model/frame.h"

#define SLEEPING 1
#define UNINTERRUPTIBLE 2
#define KILLABLE 0x102
#define TRACED 8

static void test_causes(void)
{
	static const struct {
		struct fs_offcpu off;
		enum budget_part cause;
	} rows[] = {
		{ { .call = FS_CALL_FUTEX, .state = SLEEPING }, BUDGET_LOCK },
		{ { .call = FS_CALL_SLEEP, .state = SLEEPING }, BUDGET_SLEEP },
		{ { .call = FS_CALL_NONE, .state = UNINTERRUPTIBLE }, BUDGET_IO },
		{ { .call = FS_CALL_NONE, .state = SLEEPING }, BUDGET_IO },
		{ { .call = FS_CALL_NONE, .state = TRACED }, BUDGET_OTHER },
		{ { .call = FS_CALL_OTHER, .state = SLEEPING }, BUDGET_OTHER },
		{ { .call = FS_CALL_OTHER, .state = KILLABLE }, BUDGET_IO },
		{ { .call = FS_CALL_COMPAT, .state = SLEEPING }, BUDGET_OTHER },
		{ { .call = FS_CALL_UNKNOWN, .state = SLEEPING }, BUDGET_UNKNOWN },
		{ { .call = FS_CALL_UNKNOWN, .state = UNINTERRUPTIBLE }, BUDGET_IO },
		{ { .call = 200, .state = SLEEPING }, BUDGET_UNKNOWN },
		{ { .call = FS_CALL_IOCTL, .file = FS_FILE_BINDER, .state = 1 }, BUDGET_BINDER },
		{ { .call = FS_CALL_IOCTL, .file = FS_FILE_GPU, .state = 1 }, BUDGET_GPU },
		{ { .call = FS_CALL_IOCTL, .file = FS_FILE_GPU, .state = 2 }, BUDGET_GPU },
		{ { .call = FS_CALL_IOCTL, .file = FS_FILE_DMA_BUF, .state = 1 }, BUDGET_FENCE },
		{ { .call = FS_CALL_IOCTL, .file = FS_FILE_CHAR, .state = 1 }, BUDGET_OTHER },
		{ { .call = FS_CALL_IOCTL, .file = FS_FILE_SOCKET, .state = 1 }, BUDGET_OTHER },
		{ { .call = FS_CALL_IOCTL, .file = FS_FILE_UNKNOWN, .state = 1 }, BUDGET_UNKNOWN },
		{ { .call = FS_CALL_IOCTL, .file = FS_FILE_UNKNOWN, .state = 2 }, BUDGET_IO },
		{ { .call = FS_CALL_POLL, .file = FS_FILE_SYNC_FILE, .nfds = 1, .state = 1 },
		  BUDGET_FENCE },
		{ { .call = FS_CALL_READ, .file = FS_FILE_SYNC_FILE, .nfds = 1, .state = 1 },
		  BUDGET_FENCE },
		{ { .call = FS_CALL_EPOLL, .file = FS_FILE_DMA_BUF, .nfds = 1, .state = 1 },
		  BUDGET_FENCE },
		{ { .call = FS_CALL_SELECT, .file = FS_FILE_DMA_BUF, .nfds = 1, .state = 1 },
		  BUDGET_FENCE },
		{ { .call = FS_CALL_POLL, .file = FS_FILE_SOCKET, .nfds = 2, .state = 1 },
		  BUDGET_IPC },
		{ { .call = FS_CALL_READ, .file = FS_FILE_SOCKET, .state = 1 }, BUDGET_IPC },
		{ { .call = FS_CALL_READ, .file = FS_FILE_PIPE, .state = 1 }, BUDGET_IPC },
		{ { .call = FS_CALL_READ, .file = FS_FILE_EVENTFD, .state = 1 }, BUDGET_IPC },
		{ { .call = FS_CALL_READ, .file = FS_FILE_TTY, .state = 1 }, BUDGET_IPC },
		{ { .call = FS_CALL_EPOLL, .file = FS_FILE_EPOLL, .state = 1 }, BUDGET_IPC },
		{ { .call = FS_CALL_READ, .file = FS_FILE_TIMERFD, .state = 1 }, BUDGET_SLEEP },
		{ { .call = FS_CALL_POLL, .file = FS_FILE_TIMERFD, .nfds = 1, .state = 1 },
		  BUDGET_SLEEP },
		{ { .call = FS_CALL_POLL, .state = 1 }, BUDGET_SLEEP },
		{ { .call = FS_CALL_SELECT, .state = 1 }, BUDGET_SLEEP },
		{ { .call = FS_CALL_READ, .file = FS_FILE_REGULAR, .state = 2 }, BUDGET_IO },
		/* Faults on the way into a wait; a vfork() that waits for its child. */
		{ { .call = FS_CALL_FUTEX, .state = 0x102 }, BUDGET_IO },
		{ { .call = FS_CALL_SLEEP, .state = 2 }, BUDGET_IO },
		{ { .call = FS_CALL_READ, .file = FS_FILE_PIPE, .state = 0x102 }, BUDGET_IO },
		{ { .call = FS_CALL_POLL, .nfds = 1, .file = FS_FILE_SYNC_FILE, .state = 2 },
		  BUDGET_IO },
		{ { .call = FS_CALL_FUTEX, .state = 0x2001 }, BUDGET_LOCK },
		{ { .call = FS_CALL_OTHER, .state = 0x2102 }, BUDGET_OTHER },
		{ { .call = FS_CALL_READ, .file = FS_FILE_REGULAR, .state = 1 }, BUDGET_IO },
		{ { .call = FS_CALL_READ, .file = FS_FILE_BLOCK, .state = 2 }, BUDGET_IO },
		{ { .call = FS_CALL_READ, .file = FS_FILE_ANON, .state = 1 }, BUDGET_OTHER },
		{ { .call = FS_CALL_READ, .file = 99, .state = 1 }, BUDGET_OTHER },
		{ { .call = FS_CALL_FUTEX, .flags = FS_OFF_PREEMPTED }, BUDGET_RUNNABLE },
		{ { .flags = FS_OFF_NEW }, BUDGET_RUNNABLE },
		{ { .flags = FS_OFF_PREEMPTED, .state = TRACED }, BUDGET_RUNNABLE },
	};

	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (budget_cause(&rows[i].off) == rows[i].cause)
			continue;
		printf("# row %u: %s\n", i, budget_part_name(budget_cause(&rows[i].off)));
		CU_FAIL("another cause than the table's");
	}
}

static void test_names(void)
{
	static const char *const parts[] = { "running", "runnable", "fence",  "slot",
					     "gpu",     "lock",     "binder", "ipc",
					     "io",      "sleep",    "other",  "unknown" };

	for (unsigned i = 0; i < BUDGET_NR; i++)
		CU_ASSERT_STRING_EQUAL(budget_part_name((enum budget_part)i), parts[i]);
	CU_ASSERT_PTR_NULL(budget_part_name(BUDGET_NR));
	CU_ASSERT_STRING_EQUAL(confidence_name(CONF_NONE), "none");
	CU_ASSERT_STRING_EQUAL(confidence_name(CONF_PROBABLE), "probable");
	CU_ASSERT_STRING_EQUAL(confidence_name(CONF_EXACT), "exact");
	CU_ASSERT_PTR_NULL(confidence_name(CONF_NR));
	CU_ASSERT_STRING_EQUAL(frame_status_name(FRAME_COMPLETE), "complete");
	CU_ASSERT_STRING_EQUAL(frame_status_name(FRAME_LOSSY), "lossy");
	CU_ASSERT_STRING_EQUAL(frame_status_name(FRAME_TRUNCATED), "truncated");
	CU_ASSERT_PTR_NULL(frame_status_name(FRAME_STATUS_NR));
}

static void test_total_and_top(void)
{
	struct frame f = {
		.render.ns = { [BUDGET_RUNNING] = 5, [BUDGET_LOCK] = 9, [BUDGET_UNKNOWN] = 9 },
		.nr_blockers = 3,
		.blockers = { { .cause = BUDGET_UNKNOWN, .ns = 9 },
			      { .cause = BUDGET_LOCK, .ns = 6 },
			      { .cause = BUDGET_LOCK, .ns = 3 } },
	};
	uint64_t ns;

	CU_ASSERT_EQUAL(budget_total(&f.render), 23);
	CU_ASSERT_EQUAL(frame_top_cause(&f, &ns), BUDGET_LOCK);
	CU_ASSERT_EQUAL(ns, 9);
	CU_ASSERT_PTR_EQUAL(frame_top_blocker(&f, BUDGET_LOCK), &f.blockers[1]);
	CU_ASSERT_PTR_NULL(frame_top_blocker(&f, BUDGET_FENCE));
}

int main(void)
{
	static const struct check_case cases[] = {
		{ "causes by call and file", test_causes },
		{ "names", test_names },
		{ "total and largest part", test_total_and_top },
		{ NULL, NULL },
	};

	return check_main("budget", cases);
}
