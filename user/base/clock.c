// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Reading clocks. */
#include "base/clock.h"

#include <time.h>

#define SNAPSHOT_TRIES 5

static uint64_t read_ns(clockid_t id)
{
	struct timespec ts;

	clock_gettime(id, &ts);
	return (uint64_t)ts.tv_sec * NSEC_PER_SEC + (uint64_t)ts.tv_nsec;
}

uint64_t clock_monotonic_ns(void)
{
	return read_ns(CLOCK_MONOTONIC);
}

/* Of a few tries the one that took the least time, so that no preemption lies between the reads. */
struct clock_snapshot clock_snapshot(void)
{
	struct clock_snapshot best = { 0 };
	uint64_t best_ns = UINT64_MAX;

	for (int i = 0; i < SNAPSHOT_TRIES; i++) {
		struct clock_snapshot s = { .monotonic_ns = read_ns(CLOCK_MONOTONIC) };
		uint64_t took;

		s.boottime_ns = read_ns(CLOCK_BOOTTIME);
		s.realtime_ns = read_ns(CLOCK_REALTIME);
		took = read_ns(CLOCK_MONOTONIC) - s.monotonic_ns;
		if (took < best_ns) {
			best_ns = took;
			best = s;
		}
	}
	return best;
}
