/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Carries records from the kernel side to user space: today a perf ring per CPU. The rest of the
 * program sees only this interface, so that another kind of ring is another .c file.
 */
#ifndef CAPTURE_TRANSPORT_H
#define CAPTURE_TRANSPORT_H

#include <linux/types.h>
#include <stddef.h>
#include <stdint.h>

#include <framescope/event.h>

#include "base/err.h"

struct transport;

struct transport_sink {
	/* A record; valid during the call. */
	void (*record)(void *ctx, const struct fs_header *rec);
	/* The ring of `cpu` had no room for `count` records. */
	void (*lost)(void *ctx, uint32_t cpu, uint64_t count);
	void *ctx;
};

/*
 * Rings of `ring_bytes` each (rounded up to a power of two of pages) for every CPU that is online,
 * fed through the perf event array `map_fd`. -ENOMEM or -EPERM (locked memory) with what to try.
 */
int transport_open(int map_fd, size_t ring_bytes, const struct transport_sink *sink,
		   struct transport **out, struct err *e);

/* Sleep until a ring is a quarter full or timeout_ms passed. 0, -EINTR, or another negative errno.
 */
int transport_wait(struct transport *t, int timeout_ms);

/* Hand everything that is in the rings to the sink. */
int transport_drain(struct transport *t);

void transport_close(struct transport *t); /* NULL is fine */

#endif
