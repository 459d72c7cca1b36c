// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Off-CPU intervals of the watched threads, one record each, and the life of those threads.
 *
 * Every program exists twice: as tp_btf, and as raw_tp for kernels that can't load the former. User
 * space loads one of the two.
 */
#include "block.bpf.h"
#include "compat.bpf.h"
#include "framescope.bpf.h"

char LICENSE[] SEC("license") = "Dual BSD/GPL";

__u64 refused_samples;
__u64 refused_records;
const struct fs_thread thread_zero = {}; /* too large for the BPF stack */
const volatile bool has_prev_state = false;
const volatile bool has_task_pt_regs = false;
const volatile __s64 preempt_count_distance = 0;
const volatile __u32 hardirq_mask = FS_HARDIRQ_LOW;
const volatile __u64 sync_file_fops = 0;
const volatile __u64 array_driver_name = 0;
const volatile __u64 chain_driver_name = 0;
const volatile __u8 syscall_class[FS_SYSCALL_MAX] = {};

/* It did not block, or nobody saw it block. */
static __always_inline void describe_nothing(struct fs_offcpu *off)
{
	off->call = FS_CALL_UNKNOWN;
	off->file = FS_FILE_NONE;
	off->syscall = -1;
	off->fd = -1;
	off->nfds = 0;
}

/* The thread's slot gets a new owner; what is known of the former one goes. */
static __always_inline void own_slot(__u32 slot, __u32 tid, __u32 tgid)
{
	struct fs_thread *t;

	bpf_map_update_elem(&threads, &slot, &thread_zero, BPF_ANY);
	t = thread_of(slot);
	if (!t)
		return;
	t->tid = tid;
	t->tgid = tgid;
}

/*
 * Without room the thread is not followed, and a record says so. It may have a slot already: user
 * space, listing the process's threads, was faster, or the end of the tid's former owner was not
 * seen.
 */
static __always_inline void watch_new(void *ctx, __u32 tid, __u32 tgid)
{
	__u32 slot = slot_of(tid);

	if ((!slot || slot == FS_SLOT_NONE) && bpf_map_pop_elem(&free_slots, &slot)) {
		struct fs_lost lost;

		emit_lost(ctx, &lost, FS_LOST_MAP, tid, tgid);
		set_slot(tid, FS_SLOT_NONE);
		return;
	}
	own_slot(slot, tid, tgid);
	set_slot(tid, slot);
}

static __always_inline void watch_end(__u32 tid)
{
	__u32 slot = slot_of(tid);
	struct fs_thread *t = thread_of(slot);

	set_slot(tid, 0);
	if (!t)
		return;
	t->tid = 0;
	bpf_map_push_elem(&free_slots, &slot, BPF_ANY);
}

static __always_inline void switch_out(void *ctx, bool typed, bool preempt,
				       struct task_struct *prev, struct fs_thread *t, __u32 state,
				       struct task_struct *next, __u64 now)
{
	if (state & TASK_DEAD) {
		watch_end(t->tid);
		return;
	}
	end_unseen(ctx, t, now);
	t->off.out_ns = now;
	t->off.seq++;
	t->off.state = state;
	t->off.cpu_out = bpf_get_smp_processor_id();
	if (preempt || !state) {
		t->off.flags = FS_OFF_PREEMPTED;
		describe_nothing(&t->off);
		t->off.peer_tid = READ(typed, next, pid);
		t->off.peer_tgid = READ(typed, next, tgid);
		bpf_core_read_str(t->off.peer_comm, sizeof(t->off.peer_comm), &next->comm);
	} else {
		t->off.flags = 0;
		describe_block(typed, &t->off, prev);
		if (may_name(&t->off))
			name_waited(ctx, typed, t, prev);
	}
}

static __always_inline void switch_in(void *ctx, struct fs_thread *t, __u64 now)
{
	if (!t->off.out_ns) {
		t->off.seq++;
		t->off.flags = FS_OFF_NO_START;
		describe_nothing(&t->off);
		t->off.state = 0;
		t->off.cpu_out = 0;
	}
	end_interval(ctx, t, now);
}

static __always_inline int on_switch(void *ctx, bool typed, bool preempt, struct task_struct *prev,
				     struct task_struct *next, __u32 state)
{
	__u32 out = slot_of(READ(typed, prev, pid));
	__u32 in = slot_of(READ(typed, next, pid));
	struct fs_thread *t;
	__u64 now;

	if (!out && !in)
		return 0;
	now = bpf_ktime_get_ns();
	t = thread_of(out);
	if (t)
		switch_out(ctx, typed, preempt, prev, t, has_prev_state ? state : task_state(prev),
			   next, now);
	t = thread_of(in);
	if (t)
		switch_in(ctx, t, now);
	return 0;
}

SEC("?tp_btf/sched_switch")
int sched_switch(__u64 *ctx)
{
	/* Reading an argument that the kernel does not pass would not load. */
	__u32 state = has_prev_state ? ctx[3] : 0;

	return on_switch(ctx, true, ctx[0], (void *)ctx[1], (void *)ctx[2], state);
}

SEC("?raw_tp/sched_switch")
int sched_switch_raw(struct bpf_raw_tracepoint_args *ctx)
{
	__u32 state = has_prev_state ? ctx->args[3] : 0;

	return on_switch(ctx, false, ctx->args[0], (void *)ctx->args[1], (void *)ctx->args[2],
			 state);
}

static __always_inline int on_waking(bool typed, struct task_struct *task)
{
	struct fs_thread *t = thread_of(slot_of(READ(typed, task, pid)));
	__u64 id;

	if (!t)
		return 0;
	t->waking_ns = bpf_ktime_get_ns();
	t->waker_cpu = bpf_get_smp_processor_id();
	t->waker_context = current_context(typed);
	if (in_interrupt(t->waker_context))
		return 0; /* the running task is a bystander */
	id = bpf_get_current_pid_tgid();
	t->waker_tid = (__u32)id;
	t->waker_tgid = id >> 32;
	bpf_get_current_comm(t->waker_comm, sizeof(t->waker_comm));
	return 0;
}

SEC("?tp_btf/sched_waking")
int sched_waking(__u64 *ctx)
{
	return on_waking(true, (void *)ctx[0]);
}

SEC("?raw_tp/sched_waking")
int sched_waking_raw(struct bpf_raw_tracepoint_args *ctx)
{
	return on_waking(false, (void *)ctx->args[0]);
}

/* A new thread waits for its first CPU from here on. */
static __always_inline int on_wakeup_new(bool typed, struct task_struct *task)
{
	struct fs_thread *t = thread_of(slot_of(READ(typed, task, pid)));

	if (!t)
		return 0;
	t->off.out_ns = bpf_ktime_get_ns();
	t->off.seq = 1;
	t->off.flags = FS_OFF_NEW;
	describe_nothing(&t->off);
	t->off.cpu_out = bpf_get_smp_processor_id();
	return 0;
}

SEC("?tp_btf/sched_wakeup_new")
int sched_wakeup_new(__u64 *ctx)
{
	return on_wakeup_new(true, (void *)ctx[0]);
}

SEC("?raw_tp/sched_wakeup_new")
int sched_wakeup_new_raw(struct bpf_raw_tracepoint_args *ctx)
{
	return on_wakeup_new(false, (void *)ctx->args[0]);
}

static __always_inline void emit_task(void *ctx, struct task_struct *task, __u32 tid, __u32 op,
				      __u32 parent)
{
	struct fs_task rec = { .op = op, .parent = parent };

	fill_header(&rec.h, FS_KIND_TASK, sizeof(rec), bpf_ktime_get_ns(), tid,
		    BPF_CORE_READ(task, tgid));
	bpf_core_read_str(rec.comm, sizeof(rec.comm), &task->comm);
	emit(ctx, &rec, sizeof(rec));
}

static __always_inline int on_fork(void *ctx, bool typed, struct task_struct *parent,
				   struct task_struct *child)
{
	__u32 ptid = READ(typed, parent, pid);
	__u32 tid;

	if (!slot_of(ptid))
		return 0;
	tid = BPF_CORE_READ(child, pid);
	watch_new(ctx, tid, BPF_CORE_READ(child, tgid));
	emit_task(ctx, child, tid, FS_TASK_NEW, ptid);
	return 0;
}

SEC("?tp_btf/sched_process_fork")
int sched_process_fork(__u64 *ctx)
{
	return on_fork(ctx, true, (void *)ctx[0], (void *)ctx[1]);
}

SEC("?raw_tp/sched_process_fork")
int sched_process_fork_raw(struct bpf_raw_tracepoint_args *ctx)
{
	return on_fork(ctx, false, (void *)ctx->args[0], (void *)ctx->args[1]);
}

/*
 * A thread that executes a program becomes its process's only one and takes the leader's tid. What
 * is known of that tid was the former leader's.
 */
static __always_inline int on_exec(void *ctx, bool typed, struct task_struct *task, __u32 old_tid)
{
	__u32 tid = READ(typed, task, pid);
	struct fs_thread *t;

	if (!slot_of(tid) && !slot_of(old_tid))
		return 0;
	if (tid != old_tid) {
		watch_end(old_tid);
		watch_new(ctx, tid, READ(typed, task, tgid));
		emit_task(ctx, task, old_tid, FS_TASK_EXIT, 0);
	}
	t = thread_of(slot_of(tid));
	if (t) {
		t->depth = 0;
		t->too_deep = 0;
	}
	emit_task(ctx, task, tid, FS_TASK_EXEC, 0);
	return 0;
}

SEC("?tp_btf/sched_process_exec")
int sched_process_exec(__u64 *ctx)
{
	return on_exec(ctx, true, (void *)ctx[0], ctx[1]);
}

SEC("?raw_tp/sched_process_exec")
int sched_process_exec_raw(struct bpf_raw_tracepoint_args *ctx)
{
	return on_exec(ctx, false, (void *)ctx->args[0], ctx->args[1]);
}

/* It leaves the watch with its last switch, not here: it still runs, and may block, until then. */
static __always_inline int on_exit(void *ctx, bool typed, struct task_struct *task)
{
	__u32 tid = READ(typed, task, pid);
	struct fs_thread *t = thread_of(slot_of(tid));
	struct fs_task rec = { .op = FS_TASK_EXIT };

	if (!slot_of(tid))
		return 0;
	if (t) {
		end_unseen(ctx, t, bpf_ktime_get_ns());
		rec.off_seq = t->off.seq;
		rec.span_seq = t->span_seq;
	}
	fill_header(&rec.h, FS_KIND_TASK, sizeof(rec), bpf_ktime_get_ns(), tid,
		    BPF_CORE_READ(task, tgid));
	bpf_core_read_str(rec.comm, sizeof(rec.comm), &task->comm);
	emit(ctx, &rec, sizeof(rec));
	return 0;
}

SEC("?tp_btf/sched_process_exit")
int sched_process_exit(__u64 *ctx)
{
	return on_exit(ctx, true, (void *)ctx[0]);
}

SEC("?raw_tp/sched_process_exit")
int sched_process_exit_raw(struct bpf_raw_tracepoint_args *ctx)
{
	return on_exit(ctx, false, (void *)ctx->args[0]);
}

static __always_inline int on_rename(void *ctx, bool typed, struct task_struct *task,
				     const char *comm)
{
	__u32 tid = READ(typed, task, pid);
	struct fs_task rec = { .op = FS_TASK_RENAME };

	if (!slot_of(tid))
		return 0;
	fill_header(&rec.h, FS_KIND_TASK, sizeof(rec), bpf_ktime_get_ns(), tid,
		    BPF_CORE_READ(task, tgid));
	bpf_probe_read_kernel_str(rec.comm, sizeof(rec.comm), comm);
	emit(ctx, &rec, sizeof(rec));
	return 0;
}

SEC("?tp_btf/task_rename")
int task_rename(__u64 *ctx)
{
	return on_rename(ctx, true, (void *)ctx[0], (void *)ctx[1]);
}

SEC("?raw_tp/task_rename")
int task_rename_raw(struct bpf_raw_tracepoint_args *ctx)
{
	return on_rename(ctx, false, (void *)ctx->args[0], (void *)ctx->args[1]);
}
