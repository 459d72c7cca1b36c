/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The intake's inside: what its files (intake.c, intake_*.c, marks*.c) share.
 *
 * Records of one CPU and time are delivered in the order in which they were emitted; those of
 * several CPUs by time, then CPU.
 */
#ifndef TRACE_INTAKE_PARTS_H
#define TRACE_INTAKE_PARTS_H

#include "base/idmap.h"
#include "trace/intake.h"

/* Alive at a time; further ones are not followed. As many as the model follows. */
#define INTAKE_THREADS_MAX 65536

/* Whose running threads are kept. */
#define INTAKE_CPUS 4096

/* What is known of a thread between its events; dropped when it exits. */
struct intake_thread {
	uint32_t tid;
	uint32_t tgid; /* 0 = not known yet */
	char comm[FS_COMM_LEN]; /* empty if not known */
	bool sure; /* the name is from an event about the thread, not from a line's head */
	bool on_cpu; /* by its last event; never true in a trace without switches */
	bool fresh; /* made by fork, and has not run yet */
	bool exiting; /* its EXIT went out; its last switch is to come */
	bool woken; /* since its last switch-in; `waking_ns` and the waker are valid */
	uint32_t off_seq; /* of its last off-CPU interval that has ended; 0 = none */
	uint32_t span_seq; /* calls so far, counted by marks.c */
	struct fs_offcpu off; /* the open interval; seq 0: none is open */
	uint64_t waking_ns;
	uint32_t waker_tid;
	uint32_t waker_tgid;
	uint32_t waker_cpu;
	uint32_t waker_context; /* enum fs_context */
	char waker_comm[FS_COMM_LEN];
	void *marks; /* owned by marks.c; NULL until it sets it */
};

struct intake {
	struct source *s;
	struct intake_counts counts;
	struct idmap threads; /* tid -> struct intake_thread */
	struct idmap names; /* of fences: by context, what went out (intake_fences.c) */
	struct fs_meta *meta; /* waits for the first event; owned */
	uint32_t *running; /* by CPU, up to INTAKE_CPUS: the thread that took it last; 0 = none */
	bool begun; /* first_ns is valid, the CLOCK START went out */
	uint64_t first_ns;
	uint64_t last_ns; /* the highest time of an event */
	void *marks; /* owned by marks.c; NULL until it sets it */
};

/*
 * Copy a record into the source's merge. The caller fills all but `size`, which is that of the
 * kind's struct. 0 or -ENOMEM.
 */
int intake_emit(struct intake *in, struct fs_header *rec);

/* The thread, or NULL if there is none of that id: 0, too many at a time, or not met yet. */
struct intake_thread *intake_thread_get(struct intake *in, uint32_t tid);

/* An event at that time is about to go in: for the first one the META and CLOCK START go out. */
int intake_begin(struct intake *in, uint64_t ns, uint32_t cpu);

/* The running thread, made if it is new. *t is NULL if it is not followed. 0 or -ENOMEM. */
int intake_meet(struct intake *in, const struct intake_at *at, struct intake_thread **t);

/* A thread that an event about it names; tgid 0, comm NULL or empty: not said. As above. */
int intake_meet_named(struct intake *in, const struct intake_at *at, uint32_t tid, uint32_t tgid,
		      const char *comm, struct intake_thread **t);

/* A thread that is known not to be there yet; nothing goes out. As above. */
int intake_thread_add(struct intake *in, uint32_t tid, uint32_t tgid, const char *comm,
		      struct intake_thread **t);

/* Make a TASK record of it. */
int intake_emit_task(struct intake *in, const struct intake_at *at, const struct intake_thread *t,
		     unsigned op, uint32_t parent);

/* Forget it; nothing goes out. */
void intake_thread_drop(struct intake *in, struct intake_thread *t);

/* The thread's process has become known; a no-op if it is known already, or tgid is 0. */
static inline void intake_thread_tgid(struct intake_thread *t, uint32_t tgid)
{
	if (!t->tgid)
		t->tgid = tgid;
}

/*
 * intake_sched.c: the running thread does something itself, so it is on a CPU. As long as the trace
 * has shown no switch at all, nobody knows whether it was on one before; with `ends` that is said.
 */
int intake_sched_ran(struct intake *in, const struct intake_at *at, struct intake_thread *t,
		     bool ends);

/* intake_sched.c: what the thread is in the middle of when the trace ends. */
int intake_sched_finish(struct intake *in, const struct intake_thread *t);

/* intake_fences.c */
void intake_names_free(struct intake *in);

/*
 * marks.c. intake_mark() calls marks_feed() after it has met the running thread, which
 * intake_thread_get(in, at->tid) gives (NULL: it is not followed), and has settled its off_seq: a
 * call that ends now has off_seq as its fs_span.off_seq. What a mark says of the process is passed
 * on with intake_thread_tgid(). marks_feed() counts marks, frame_marks and unmatched_ends.
 * marks_finish() comes before the threads' last records, which have span_seq in them; calls that
 * are open then end at in->last_ns with FS_OPEN. The free functions take what was never set.
 */
int marks_feed(struct intake *in, const struct intake_at *at, const char *text, size_t len);
int marks_lost(struct intake *in, uint32_t cpu); /* FS_CPU_NONE: of any */
int marks_finish(struct intake *in);
void marks_free_thread(struct intake_thread *t);
void marks_free(struct intake *in);

#endif
