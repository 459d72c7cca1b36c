/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What the readers of others' traces have in common: events as the kernel's tracing or an app marks
 * them go in, records as the product's own recording would have made them come out, into the
 * source's merge. Switches and wakings become off-CPU intervals; marks become calls, FrameInfos and
 * markers (marks.h); fences become fences.
 *
 * Events must come in order of time, across all CPUs. One that is older than the one before is
 * taken at its word, and may reach the model too late. Nothing is made up: what an event does not
 * say is absent in its record.
 *
 * All functions return 0 or -ENOMEM. Times are ns of the trace's clock. Strings are copied.
 */
#ifndef TRACE_INTAKE_H
#define TRACE_INTAKE_H

#include <linux/types.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <framescope/event.h>

#include "stream/source.h"

struct intake;

/* Who did it, when and where. */
struct intake_at {
	uint64_t ns;
	uint32_t cpu; /* FS_CPU_NONE: not said */
	uint32_t tid; /* the running thread; 0 = not known, or the idle one */
	uint32_t tgid; /* its process; 0 = not said */
	const char *comm; /* the thread's name; NULL = not said */
	uint32_t context; /* enum fs_context: FS_CTX_TASK, or in which kind of interrupt */
};

/* What of a trace there was, to say why something is absent. */
struct intake_counts {
	uint64_t switches;
	uint64_t wakings;
	uint64_t marks; /* B, E, S, F, C, I, N, G, H */
	uint64_t frame_marks; /* of them, those that frames are made of */
	uint64_t fences;
	uint64_t timelines; /* of FrameTimeline */
	uint64_t buffers; /* GraphicsFrameEvents */
	uint64_t unmatched_ends; /* E without a B: left out */
};

/* NULL when out of memory. Ends with intake_free(), which takes NULL. */
struct intake *intake_new(struct source *s);
void intake_free(struct intake *in);

const struct intake_counts *intake_counts(const struct intake *in);

/* For source_ops.warn: what of its marks is left out, for who debugs. */
void intake_warn(const struct intake *in);

/* The trace's JSON text about itself, before the first event: {"source": "ftrace text", ...}. */
int intake_meta(struct intake *in, const char *json);

/* The thread is there; what is not known of it is 0 or NULL. From process trees and the like. */
int intake_thread(struct intake *in, uint64_t ns, uint32_t tid, uint32_t tgid, const char *comm);

/* The same, but the name counts only as long as nothing else names the thread. */
int intake_thread_guessed(struct intake *in, uint64_t ns, uint32_t tid, uint32_t tgid,
			  const char *comm);

/* A step in a thread's life, enum fs_task_op: NEW (at: the parent), EXEC, EXIT, RENAME. */
int intake_task(struct intake *in, const struct intake_at *at, unsigned op, uint32_t tid,
		const char *comm);

/* The state that tools call 'I': TASK_UNINTERRUPTIBLE | TASK_NOLOAD, a worker without work. */
#define INTAKE_STATE_IDLE 0x402

/* at->tid leaves the CPU in that state (the kernel's TASK_ bits; 0 = runnable). */
int intake_switch(struct intake *in, const struct intake_at *at, uint64_t prev_state,
		  uint32_t next_tid, const char *next_comm);

/* at->tid wakes wakee. Of sched_waking and sched_wakeup for one waking, the first counts. */
int intake_waking(struct intake *in, const struct intake_at *at, uint32_t wakee,
		  const char *wakee_comm);

/* The text of a tracing_mark_write or print event, such as "B|1234|name"; not NUL-terminated. */
int intake_mark(struct intake *in, const struct intake_at *at, const char *text, size_t len);

/* names may be NULL or empty. */
int intake_fence(struct intake *in, const struct intake_at *at, unsigned op, uint64_t context,
		 uint64_t seqno, const char *driver, const char *timeline);

/* Events were lost on that CPU before ns; count 0 = not known how many. */
int intake_lost(struct intake *in, uint64_t ns, uint32_t cpu, uint64_t count);

/* A whole record of a kind that goes through as it is, such as fs_timeline or fs_buffer. */
int intake_record(struct intake *in, const struct fs_header *rec);

/* The trace is over: what is open ends here, as at a capture's stop. */
int intake_finish(struct intake *in);

#endif
