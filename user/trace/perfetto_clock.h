/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The clocks of a Perfetto trace. Events have times of BOOTTIME unless they say otherwise; records
 * have those of MONOTONIC. ClockSnapshots say what the clocks were at the same instants.
 */
#ifndef TRACE_PERFETTO_CLOCK_H
#define TRACE_PERFETTO_CLOCK_H

#include <linux/types.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Clocks of the whole trace, by their numbers in packets. */
enum pf_clock {
	PF_CLOCK_REALTIME = 1,
	PF_CLOCK_MONOTONIC = 3,
	PF_CLOCK_RAW = 5,
	PF_CLOCK_BOOTTIME = 6,
	PF_CLOCKS = 7,
};

/* From here to 127 are clocks of one sequence. */
#define PF_CLOCK_SCOPED 64

/*
 * As many are kept; of more, every second one, again and again. They come every ten seconds or so,
 * and say something new only if the machine slept in between.
 */
#define PF_SNAPSHOTS_MAX 1024

/* One instant; 0 = the clock was not in the snapshot. */
struct pf_instant {
	uint64_t ns[PF_CLOCKS];
};

/* How to get from one clock to another: a stretch in which the same holds. */
struct pf_stretch {
	uint64_t from; /* of the first clock: [from, to) */
	uint64_t to;
	uint64_t offset; /* what to add, modulo 2^64 */
	uint64_t limit; /* of the second clock: it was not later than this */
};

struct pf_clocks {
	struct pf_instant *instants;
	size_t nr;
	size_t room;
	bool settled;
	unsigned primary; /* of the trace, where it was said: a clock's number; or 0 */
	struct pf_stretch stretch[PF_CLOCKS][PF_CLOCKS]; /* used last; empty: to <= from */
};

void pf_clocks_free(struct pf_clocks *c);

/* A snapshot is met, while the trace is looked through for them. 0 or -ENOMEM. */
int pf_clocks_add(struct pf_clocks *c, const struct pf_instant *instant);

/* All have been met. */
void pf_clocks_settle(struct pf_clocks *c);

/* Is this a clock of the whole trace that is understood? */
bool pf_clock_known(unsigned clock);

/* Does a snapshot have both? If none does, times can't be translated and stay as they are. */
bool pf_clocks_related(const struct pf_clocks *c, unsigned from, unsigned to);

/*
 * The time of one clock in another's: by the last snapshot before it, or else the first one. Never
 * later than the next snapshot, whose difference is another one if the machine slept between them.
 */
uint64_t pf_clocks_convert(struct pf_clocks *c, unsigned from, unsigned to, uint64_t ns);

#endif
