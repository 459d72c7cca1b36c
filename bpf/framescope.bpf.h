/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What the BPF programs share: the filter, the per-thread state, and the way out.
 *
 * A record is built on the BPF stack, or in the state of the one thread it is about, never in a
 * per-CPU buffer: a uprobe, a sched_switch and a fence signal nest on one CPU and would overwrite
 * each other's.
 */
#ifndef FRAMESCOPE_BPF_H
#define FRAMESCOPE_BPF_H

#include <vmlinux.h>

#include <bpf/bpf_helpers.h>

#include <framescope/state.h>

/*
 * The watched threads, a byte per tid. A byte, not a bit: user space, fork and exit set and clear
 * neighbours concurrently, and kernels before 5.12 have no atomic OR. A switch between two threads
 * that are not watched costs the loads of their numbers and of two bytes, and no helper call where
 * the kernel has BTF.
 */
extern __u8 watched[FS_TID_MAX];

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 16384);
	__type(key, __u32);
	__type(value, struct fs_thread);
} threads __weak SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
	__uint(key_size, sizeof(__u32));
	__uint(value_size, sizeof(__u32));
} events __weak SEC(".maps");

/* A new thread's state is copied from here: it is too large for the BPF stack. */
extern const struct fs_thread thread_zero;

/* No tid reaches FS_TID_MAX; the mask is for the verifier. */
static __always_inline bool is_watched(__u32 tid)
{
	return watched[tid & (FS_TID_MAX - 1)];
}

static __always_inline void set_watched(__u32 tid, bool on)
{
	watched[tid & (FS_TID_MAX - 1)] = on;
}

static __always_inline void fill_header(struct fs_header *h, __u16 kind, __u16 size, __u64 now,
					__u32 tid, __u32 tgid)
{
	h->time_ns = now;
	h->tid = tid;
	h->tgid = tgid;
	h->kind = kind;
	h->size = size;
	h->cpu = bpf_get_smp_processor_id();
}

/* Records that no ring took; user space compares them with what the rings themselves report. */
extern __u64 refused;

/* Which thread's record it was that a full ring refused shows in the sequence numbers. */
static __always_inline void emit(void *ctx, void *rec, __u64 size)
{
	if (bpf_perf_event_output(ctx, &events, BPF_F_CURRENT_CPU, rec, size))
		__sync_fetch_and_add(&refused, 1);
}

static __always_inline void emit_lost(void *ctx, __u32 where, __u32 tid, __u32 tgid)
{
	struct fs_lost lost = { .count = 1, .where = where };

	fill_header(&lost.h, FS_KIND_LOST, sizeof(lost), bpf_ktime_get_ns(), tid, tgid);
	emit(ctx, &lost, sizeof(lost));
}

/*
 * The thread's state, made if there is none. Without room for it the thread is not followed any
 * further, and a record says so, once.
 */
static __always_inline struct fs_thread *get_thread(void *ctx, __u32 tid, __u32 tgid)
{
	struct fs_thread *t = bpf_map_lookup_elem(&threads, &tid);

	if (t)
		return t;
	bpf_map_update_elem(&threads, &tid, &thread_zero, BPF_NOEXIST);
	t = bpf_map_lookup_elem(&threads, &tid);
	if (!t) {
		emit_lost(ctx, FS_LOST_MAP, tid, tgid);
		set_watched(tid, false);
	}
	return t;
}

static __always_inline bool in_interrupt(__u32 context)
{
	return context == FS_CTX_SOFTIRQ || context == FS_CTX_HARDIRQ;
}

/*
 * Who woke it. A waker announces itself before it takes the sleeper's run queue, so its
 * announcement may come before the switch-out; nobody can wake the thread a second time, so if none
 * came after the switch-out, the last one before it is the one.
 */
static __always_inline void take_waker(struct fs_thread *t)
{
	t->off.waking_ns = 0;
	t->off.context = FS_CTX_UNKNOWN;
	t->off.peer_tid = 0;
	t->off.peer_tgid = 0;
	__builtin_memset(t->off.peer_comm, 0, FS_COMM_LEN);
	if (t->waking_ns <= t->in_ns)
		return;
	t->off.waking_ns = t->waking_ns;
	if (t->waking_ns < t->off.out_ns) {
		t->off.waking_ns = t->off.out_ns;
		t->off.flags |= FS_OFF_WOKEN_EARLY;
	}
	t->off.context = t->waker_context;
	if (in_interrupt(t->waker_context))
		return;
	t->off.peer_tid = t->waker_tid;
	t->off.peer_tgid = t->waker_tgid;
	__builtin_memcpy(t->off.peer_comm, t->waker_comm, FS_COMM_LEN);
}

/* The thread is on a CPU again: send the interval. */
static __always_inline void end_interval(void *ctx, struct fs_thread *t, __u32 tid, __u32 tgid,
					 __u64 now)
{
	if (t->off.flags & FS_OFF_PREEMPTED) {
		t->off.waking_ns = 0;
		t->off.context = FS_CTX_UNKNOWN;
	} else {
		take_waker(t);
	}
	fill_header(&t->off.h, FS_KIND_OFFCPU, sizeof(t->off), now, tid, tgid);
	emit(ctx, &t->off, sizeof(t->off));
	t->off.out_ns = 0;
	t->in_ns = now;
}

/*
 * A thread that runs, or leaves its CPU, has come back since it left the last time. Some kernels
 * hide the switches away from certain tasks, and with them the switch-ins of those that follow.
 */
static __always_inline void end_unseen(void *ctx, struct fs_thread *t, __u32 tid, __u32 tgid,
				       __u64 now)
{
	if (!t->off.out_ns)
		return;
	t->off.flags |= FS_OFF_NO_END;
	end_interval(ctx, t, tid, tgid, now);
}

#endif
