/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The one clock of everything inside, and its relation to the others. */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <stdint.h>

#define NSEC_PER_SEC 1000000000ull
#define NSEC_PER_MSEC 1000000ull

/* CLOCK_MONOTONIC, ns: the clock of bpf_ktime_get_ns(), of vsync and of HWUI's frame times. */
uint64_t clock_monotonic_ns(void);

struct clock_snapshot {
	uint64_t monotonic_ns;
	uint64_t boottime_ns;
	uint64_t realtime_ns;
};

/* The three clocks at (nearly) one instant. */
struct clock_snapshot clock_snapshot(void);

#endif
