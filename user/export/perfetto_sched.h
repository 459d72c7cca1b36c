/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Off-CPU intervals turned back into what the scheduler did: switches and wakings, as bundles of
 * ftrace events per CPU.
 *
 * A switch has no field for who left: that is who came in before on that CPU. But when a thread
 * left is in the record of its next coming in, which may be long after the one of who came behind
 * it. So a coming in is written when it is known what it followed: until then it is kept with the
 * thread that had the CPU (struct sched_thread), one for each thread alive. Where a CPU went to a
 * thread that is not watched, a stand-in of that CPU has it, never the idle thread: what ran there
 * was not observed.
 *
 * Times of ftrace events are BOOTTIME, by the clock records; times given here are MONOTONIC.
 */
#ifndef EXPORT_PERFETTO_SCHED_H
#define EXPORT_PERFETTO_SCHED_H

#include <linux/types.h>
#include <stdbool.h>
#include <stdint.h>

#include <framescope/event.h>

#include "export/perfetto_tracks.h"

#define SCHED_CPUS 1024 /* trace_processor takes no others */
#define SCHED_NOT_WATCHED (INT32_C(1) << 30) /* plus the CPU: tids of the stand-ins */
/*
 * So many switches, and wakings, of a CPU are written at once: some 64 KiB and more. With more CPUs
 * than SCHED_FULL_CPUS, fewer, so that those that wait to be written stay below 30 MiB.
 */
#define BUNDLE_MAX 8192
#define SCHED_FULL_CPUS 32
#define CLOCKS_NR 64 /* a power of two; the last clock records */
#define WAKERS_NR 1024 /* a power of two; wakers that are not watched whose names are kept */

struct sched_clock {
	uint64_t monotonic_ns;
	uint64_t boottime_ns;
};

struct sched_cpu;

/* A thread that is not watched, and the name that the trace has for it. */
struct sched_waker {
	uint32_t tid;
	char comm[FS_COMM_LEN];
};

struct sched {
	struct tracks *tracks;
	struct packets *packets;
	struct sched_cpu *cpus[SCHED_CPUS]; /* NULL: nothing happened there */
	unsigned nr_cpus; /* where something did */
	struct sched_clock clocks[CLOCKS_NR];
	unsigned nr_clocks; /* counts on */
	struct sched_waker wakers[WAKERS_NR]; /* by tid; one gives way to another */
	/*
	 * How the kernel's trace event says that a thread was preempted depends on its release.
	 * 0x100 is from 4.14 on; without a release trace_processor believes in 4.4.
	 */
	bool has_release;
	bool used; /* a switch was taken: that stays as it is */
};

void sched_begin(struct sched *s, struct tracks *t);
void sched_free(struct sched *s);

/* BOOTTIME by now. */
void sched_clock(struct sched *s, uint64_t monotonic_ns, uint64_t boottime_ns);

/* 0 or -ENOMEM. */
int sched_offcpu(struct sched *s, const struct fs_offcpu *rec);

/* Events of the CPU `id` were lost. 0 or -ENOMEM. */
int sched_lost(struct sched *s, uint32_t id);

/* The thread is about to be forgotten. 0 or -ENOMEM. */
int sched_forget(struct sched *s, struct out_thread *thread);

/* All threads are settled, and the last bundles written. 0 or -ENOMEM. */
int sched_end(struct sched *s);

#endif
