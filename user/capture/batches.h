/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The intervals that each CPU collects to send them together: whose turn it is, and what is left.
 */
#ifndef CAPTURE_BATCHES_H
#define CAPTURE_BATCHES_H

#include <stdint.h>

#include <framescope/event.h>

#include "base/err.h"

struct batches {
	int map_fd; /* map: struct fs_batch by CPU */
	int send_fd; /* program: sends the batch of the CPU it runs on */
	uint32_t cpus;
};

/*
 * Have every CPU send what it has collected: all that ended before this call is in the rings after
 * it. CPUs with nothing are left alone, and those that are offline are left to batches_rest().
 */
int batches_send(const struct batches *b, struct err *e);

/*
 * Call fn with every record that has not been sent, valid during the call. The kernel side must be
 * silent by then.
 */
void batches_rest(const struct batches *b, void (*fn)(void *ctx, const struct fs_header *rec),
		  void *ctx);

#endif
