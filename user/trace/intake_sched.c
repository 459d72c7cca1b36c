// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Off-CPU intervals from switches and wakings, and the life of threads, by the rules of the
 * product's own kernel side (bpf/sched.bpf.c). What it reads from the kernel beyond these events,
 * such as the system call that a thread blocks in, is absent.
 */
#include <string.h>

#include "trace/intake_parts.h"

/* Bits of a task's state, as the kernel has had them since 4.14: it runs no more. */
#define STATE_DEAD 0xb0u /* EXIT_DEAD, EXIT_ZOMBIE, TASK_DEAD */

static bool in_interrupt(uint32_t context)
{
	return context == FS_CTX_SOFTIRQ || context == FS_CTX_HARDIRQ;
}

static void begin_interval(struct intake_thread *t, uint64_t out_ns, uint32_t cpu, uint32_t flags)
{
	t->off = (struct fs_offcpu){
		.out_ns = out_ns,
		.seq = t->off_seq + 1,
		.flags = flags,
		.syscall = -1,
		.fd = -1,
		.cpu_out = cpu,
		.call = FS_CALL_UNKNOWN,
		.file = FS_FILE_NONE,
		.context = FS_CTX_UNKNOWN,
		.cpu_waking = -1,
	};
	t->on_cpu = false;
}

static void take_waker(const struct intake_thread *t, struct fs_offcpu *off)
{
	off->waking_ns = t->waking_ns;
	if (t->waking_ns < off->out_ns) {
		off->waking_ns = off->out_ns;
		off->flags |= FS_OFF_WOKEN_EARLY;
	}
	off->context = (uint8_t)t->waker_context;
	off->cpu_waking = t->waker_cpu == FS_CPU_NONE ? -1 : (int32_t)t->waker_cpu;
	if (in_interrupt(t->waker_context))
		return;
	off->peer_tid = t->waker_tid;
	off->peer_tgid = t->waker_tgid;
	memcpy(off->peer_comm, t->waker_comm, sizeof(off->peer_comm));
}

static int emit_interval(struct intake *in, const struct intake_thread *t, struct fs_offcpu *off,
			 uint64_t ns, uint32_t cpu)
{
	off->h = (struct fs_header){
		.time_ns = ns, .tid = t->tid, .tgid = t->tgid, .kind = FS_KIND_OFFCPU, .cpu = cpu
	};
	return intake_emit(in, &off->h);
}

/* The thread is on a CPU again: the interval is complete. */
static int end_interval(struct intake *in, struct intake_thread *t, const struct intake_at *at)
{
	int err;

	if (!(t->off.flags & FS_OFF_PREEMPTED) && t->woken)
		take_waker(t, &t->off);
	err = emit_interval(in, t, &t->off, at->ns, at->cpu);
	t->off_seq = t->off.seq;
	t->off.seq = 0;
	t->woken = false;
	t->fresh = false;
	t->on_cpu = true;
	return err;
}

static int end_unseen(struct intake *in, struct intake_thread *t, const struct intake_at *at)
{
	if (!t->off.seq)
		return 0;
	t->off.flags |= FS_OFF_NO_END;
	return end_interval(in, t, at);
}

static int thread_ends(struct intake *in, struct intake_thread *t, const struct intake_at *at)
{
	int err = end_unseen(in, t, at);

	return err ? err : intake_emit_task(in, at, t, FS_TASK_EXIT, 0);
}

static int switch_out(struct intake *in, struct intake_thread *t, const struct intake_at *at,
		      uint64_t state)
{
	int err = 0;

	if (state & STATE_DEAD) {
		if (!t->exiting)
			err = thread_ends(in, t, at);
		intake_thread_drop(in, t);
		return err;
	}
	err = end_unseen(in, t, at);
	begin_interval(t, at->ns, at->cpu, state ? 0 : FS_OFF_PREEMPTED);
	t->off.state = (uint32_t)state;
	return err;
}

static int switch_in(struct intake *in, struct intake_thread *t, const struct intake_at *at)
{
	if (!t->off.seq)
		begin_interval(t, 0, 0, FS_OFF_NO_START);
	return end_interval(in, t, at);
}

static void take_taker(struct intake_thread *t, uint32_t tid, const char *comm,
		       const struct intake_thread *taker)
{
	t->off.peer_tid = tid;
	t->off.peer_tgid = taker ? taker->tgid : 0;
	if (comm)
		memcpy(t->off.peer_comm, comm, strnlen(comm, FS_COMM_LEN - 1));
}

int intake_switch(struct intake *in, const struct intake_at *at, uint64_t prev_state,
		  uint32_t next_tid, const char *next_comm)
{
	struct intake_thread *prev, *next;
	int err = intake_begin(in, at->ns, at->cpu);

	in->counts.switches++;
	if (!err)
		err = intake_meet_named(in, at, at->tid, at->tgid, at->comm, &prev);
	if (!err && prev)
		err = switch_out(in, prev, at, prev_state);
	if (!err)
		err = intake_meet_named(in, at, next_tid, 0, next_comm, &next);
	if (err)
		return err;
	prev = intake_thread_get(in, at->tid);
	if (prev && prev != next && prev->off.seq && prev->off.flags & FS_OFF_PREEMPTED)
		take_taker(prev, next_tid, next_comm, next);
	if (at->cpu < INTAKE_CPUS)
		in->running[at->cpu] = next_tid;
	return next ? switch_in(in, next, at) : 0;
}

int intake_waking(struct intake *in, const struct intake_at *at, uint32_t wakee,
		  const char *wakee_comm)
{
	struct intake_thread *waker, *t = NULL;
	int err = intake_begin(in, at->ns, at->cpu);

	in->counts.wakings++;
	if (!err)
		err = intake_meet(in, at, &waker);
	if (!err)
		err = intake_meet_named(in, at, wakee, 0, wakee_comm, &t);
	if (err || !t || t->fresh)
		return err;
	/* One that came while it ran may have been of another wait; this one is of this wait. */
	if (t->woken && t->off.seq && t->waking_ns >= t->off.out_ns)
		return 0;
	t->woken = true;
	t->waking_ns = at->ns;
	t->waker_cpu = at->cpu;
	t->waker_context = at->context;
	t->waker_tid = at->tid;
	memset(t->waker_comm, 0, sizeof(t->waker_comm));
	waker = intake_thread_get(in, at->tid);
	t->waker_tgid = waker ? waker->tgid : at->tgid;
	if (waker)
		memcpy(t->waker_comm, waker->comm, sizeof(t->waker_comm));
	return 0;
}

/* Fork, and again when it is woken for the first time: from then on it waits for a CPU. */
static int task_new(struct intake *in, const struct intake_at *at, uint32_t tid, const char *comm)
{
	struct intake_thread *t = intake_thread_get(in, tid);
	int err;

	if (t && t->fresh) {
		begin_interval(t, at->ns, at->cpu, FS_OFF_NEW);
		return 0;
	}
	if (t)
		intake_thread_drop(in, t);
	err = intake_thread_add(in, tid, 0, comm, &t);
	if (err || !t)
		return err;
	t->fresh = true;
	begin_interval(t, at->ns, at->cpu, FS_OFF_NEW);
	return intake_emit_task(in, at, t, FS_TASK_NEW, at->tid);
}

int intake_task(struct intake *in, const struct intake_at *at, unsigned op, uint32_t tid,
		const char *comm)
{
	struct intake_thread *t;
	int err = intake_begin(in, at->ns, at->cpu);

	if (!err && op == FS_TASK_NEW) {
		err = intake_meet(in, at, &t);
		return err || !tid ? err : task_new(in, at, tid, comm);
	}
	if (!err)
		err = intake_meet_named(in, at, tid, tid == at->tid ? at->tgid : 0, comm, &t);
	if (err || !t)
		return err;
	if (op == FS_TASK_EXEC)
		return intake_emit_task(in, at, t, FS_TASK_EXEC, 0);
	/* It is followed until its last switch: it still runs, and may block, until then. */
	if (op == FS_TASK_EXIT && !t->exiting) {
		t->exiting = true;
		return thread_ends(in, t, at);
	}
	return 0;
}

int intake_sched_ran(struct intake *in, const struct intake_at *at, struct intake_thread *t,
		     bool ends)
{
	int err;

	if (in_interrupt(at->context))
		return 0;
	if (!t->off.seq && !in->counts.switches && ends)
		begin_interval(t, 0, 0, FS_OFF_NO_START);
	err = end_unseen(in, t, at);
	t->on_cpu = in->counts.switches;
	return err;
}

int intake_lost(struct intake *in, uint64_t ns, uint32_t cpu, uint64_t count)
{
	struct fs_lost rec = {
		.h = { .time_ns = ns, .kind = FS_KIND_LOST, .cpu = cpu },
		.count = count,
		.where = FS_LOST_RING,
	};
	struct intake_thread *t = NULL;
	int err = intake_begin(in, ns, cpu);

	if (cpu < INTAKE_CPUS)
		t = intake_thread_get(in, in->running[cpu]);
	/* Switches of the thread that ran there may have been among them: a gap says so. */
	if (t && t->on_cpu)
		t->off_seq++;
	if (!err)
		err = marks_lost(in, cpu);
	return err ? err : intake_emit(in, &rec.h);
}

/* A waking before the switch-out is left out: only the switch-in tells whether it was the one. */
int intake_sched_finish(struct intake *in, const struct intake_thread *t)
{
	const struct intake_at at = { .ns = in->last_ns, .cpu = FS_CPU_NONE };
	struct fs_offcpu off = t->off;

	if (t->exiting)
		return 0;
	if (!off.seq)
		return t->on_cpu ? intake_emit_task(in, &at, t, FS_TASK_LAST, 0) : 0;
	off.flags |= FS_OPEN;
	if (!(off.flags & FS_OFF_PREEMPTED) && t->woken && t->waking_ns >= off.out_ns)
		take_waker(t, &off);
	return emit_interval(in, t, &off, in->last_ns, FS_CPU_NONE);
}
