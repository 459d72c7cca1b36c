/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What the BPF programs share: the filter, the per-thread state, and the way out.
 *
 * A record is built on the BPF stack, or in the state of the one thread it is about, never in a
 * per-CPU buffer: a uprobe, a sched_switch and a fence signal nest on one CPU and would overwrite
 * each other's. Only finished intervals are collected per CPU, under a guard.
 */
#ifndef FRAMESCOPE_BPF_H
#define FRAMESCOPE_BPF_H

#include <vmlinux.h>

#include <bpf/bpf_helpers.h>

#include <framescope/state.h>

/*
 * By tid, the slot of a watched thread's state. A switch between two threads that are not watched
 * costs the loads of their numbers and of two slots, and no call where the kernel has BTF (look-ups
 * in arrays are inlined). User space sizes it by the highest tid, and maps it.
 */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__uint(map_flags, BPF_F_MMAPABLE);
	__type(key, __u32);
	__type(value, struct fs_slot_page);
} watched __weak SEC(".maps");

/* Slots in use have an owner each, and its state; slot 0 is nobody's. User space sizes it. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct fs_thread);
} threads __weak SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_STACK);
	__uint(max_entries, 1);
	__uint(value_size, sizeof(__u32));
} free_slots __weak SEC(".maps");

/* By CPU. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct fs_batch);
} batches __weak SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
	__uint(key_size, sizeof(__u32));
	__uint(value_size, sizeof(__u32));
} events __weak SEC(".maps");

static __always_inline __u32 slot_of(__u32 tid)
{
	__u32 page = tid / FS_PAGE_TIDS;
	const struct fs_slot_page *p = bpf_map_lookup_elem(&watched, &page);

	return p ? p->slots[tid & (FS_PAGE_TIDS - 1)] : 0;
}

static __always_inline void set_slot(__u32 tid, __u32 slot)
{
	__u32 page = tid / FS_PAGE_TIDS;
	struct fs_slot_page *p = bpf_map_lookup_elem(&watched, &page);

	if (p)
		p->slots[tid & (FS_PAGE_TIDS - 1)] = slot;
}

/* The state of a watched thread; NULL for one that is not, or that there was no room for. */
static __always_inline struct fs_thread *thread_of(__u32 slot)
{
	return slot ? bpf_map_lookup_elem(&threads, &slot) : NULL;
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

/* What no ring took; user space compares the samples with what the rings themselves report. */
extern __u64 refused_samples;
extern __u64 refused_records;

/* Which thread's record it was that a full ring refused shows in the sequence numbers. */
static __always_inline void emit_many(void *ctx, void *recs, __u64 size, __u32 nr)
{
	if (bpf_perf_event_output(ctx, &events, BPF_F_CURRENT_CPU, recs, size)) {
		__sync_fetch_and_add(&refused_samples, 1);
		__sync_fetch_and_add(&refused_records, nr);
	}
}

static __always_inline void emit(void *ctx, void *rec, __u64 size)
{
	emit_many(ctx, rec, size, 1);
}

static __always_inline void emit_lost(void *ctx, struct fs_lost *lost, __u32 where, __u32 tid,
				      __u32 tgid)
{
	lost->count = 1;
	lost->where = where;
	lost->pad = 0;
	fill_header(&lost->h, FS_KIND_LOST, sizeof(*lost), bpf_ktime_get_ns(), tid, tgid);
	emit(ctx, lost, sizeof(*lost));
}

/*
 * Keep a finished interval until there are enough to send, or send it by itself if this CPU's batch
 * can't be touched. Records of one CPU may leave out of order, then; the reader sorts them.
 */
static __always_inline void collect(void *ctx, const struct fs_offcpu *off)
{
	__u32 cpu = off->h.cpu, nr;
	struct fs_batch *b = bpf_map_lookup_elem(&batches, &cpu);

	if (!b || b->busy) {
		emit(ctx, (void *)off, sizeof(*off));
		return;
	}
	b->busy = 1;
	barrier();
	nr = b->nr & (FS_BATCH - 1);
	b->recs[nr] = *off;
	if (nr == FS_BATCH - 1)
		emit_many(ctx, b->recs, sizeof(b->recs), FS_BATCH);
	b->nr = (nr + 1) & (FS_BATCH - 1);
	barrier();
	b->busy = 0;
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
	t->off.cpu_waking = -1;
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
	t->off.cpu_waking = (__s32)t->waker_cpu;
	if (in_interrupt(t->waker_context))
		return;
	t->off.peer_tid = t->waker_tid;
	t->off.peer_tgid = t->waker_tgid;
	__builtin_memcpy(t->off.peer_comm, t->waker_comm, FS_COMM_LEN);
}

/* The thread is on a CPU again: the interval is complete. */
static __always_inline void end_interval(void *ctx, struct fs_thread *t, __u64 now)
{
	if (t->off.flags & FS_OFF_PREEMPTED) {
		t->off.waking_ns = 0;
		t->off.cpu_waking = -1;
		t->off.context = FS_CTX_UNKNOWN;
	} else {
		take_waker(t);
	}
	fill_header(&t->off.h, FS_KIND_OFFCPU, sizeof(t->off), now, t->tid, t->tgid);
	collect(ctx, &t->off);
	t->off.out_ns = 0;
	t->in_ns = now;
}

/*
 * A thread that runs, or leaves its CPU, has come back since it left the last time. Some kernels
 * hide the switches away from certain tasks, and with them the switch-ins of those that follow.
 */
static __always_inline void end_unseen(void *ctx, struct fs_thread *t, __u64 now)
{
	if (!t->off.out_ns)
		return;
	t->off.flags |= FS_OFF_NO_END;
	end_interval(ctx, t, now);
}

#endif
