/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What the two files that read bundles of ftrace's events share. */
#ifndef TRACE_PERFETTO_BUNDLE_H
#define TRACE_PERFETTO_BUNDLE_H

#include "trace/perfetto_parts.h"

/* What holds for all events of a bundle. */
struct bundle {
	struct pf *pf;
	uint32_t cpu;
	unsigned clock; /* enum pf_clock */
	uint64_t offset; /* to be added first */
	uint64_t first_ns; /* the earliest event so far */
};

/* Of an event: who ran, and in what context. */
struct about {
	uint64_t ns;
	uint32_t tid;
	uint32_t context; /* enum fs_context */
};

#define BODY(member) sizeof(((struct pf_event *)0)->member)

/* The kernel's flags of an event: in what context it was, enum fs_context. */
uint32_t pf_context_of(uint64_t common_flags);

/*
 * A state as sched_switch tells it, in the kernel's bits. That it was still runnable is the one bit
 * above all that it tells, 0x100 since 4.14 and higher ones before. Its own bit for a kernel
 * thread's idling is another one's in the kernel.
 */
uint64_t pf_state_of(uint64_t told);

/* Room for an event, or NULL: out of memory. */
struct pf_event *pf_bundle_event(struct bundle *b, const struct about *who, enum pf_event_kind kind,
				 size_t body);

/* What happened, by the field of FtraceEvent that it is in. 0 or -ENOMEM. */
int pf_ftrace_event(struct bundle *b, const struct about *who, const struct wire_field *f);

#endif
