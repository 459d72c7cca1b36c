/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What had not ended when the capture stopped: recorded as open, not lost. */
#ifndef CAPTURE_OPEN_RECORDS_H
#define CAPTURE_OPEN_RECORDS_H

#include <stdint.h>

#include <framescope/event.h>

/*
 * Read the kernel side's per-thread state (map of slot to struct fs_thread), and call fn with a
 * record for every open off-CPU interval and span, and for every thread that is on a CPU. The
 * kernel side must be silent by then. 0 or a negative errno.
 */
int open_records(int threads_fd, uint64_t stop_ns,
		 void (*fn)(void *ctx, const struct fs_header *rec), void *ctx);

#endif
