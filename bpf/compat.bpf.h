/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What differs between kernel releases, each difference with the release that made it. */
#ifndef FRAMESCOPE_COMPAT_BPF_H
#define FRAMESCOPE_COMPAT_BPF_H

#include <vmlinux.h>

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#include <framescope/event.h>

/*
 * A pointer of a known kernel type (`typed`, a constant) is read by a plain load; any other only
 * through a helper, which costs ten times as much.
 */
#define READ(typed, ptr, field) ((typed) ? (ptr)->field : BPF_CORE_READ(ptr, field))

#define TASK_DEAD 0x80 /* the same bit from 5.10 to 6.18 */

/* What user space found before loading; the verifier then drops the branches that can't run. */
extern const volatile bool has_prev_state; /* sched_switch passes it, from 5.18 on */
extern const volatile bool has_task_pt_regs; /* helper, from 5.15 on */

struct task_struct___before_5_14 {
	volatile long state;
} __attribute__((preserve_access_index));

/*
 * Only without has_prev_state: the field may already have been changed by a waker when
 * sched_switch reads it, which is why the kernel came to pass it.
 */
static __always_inline __u32 task_state(struct task_struct *task)
{
	struct task_struct___before_5_14 *old = (void *)task;

	if (bpf_core_field_exists(old->state))
		return BPF_CORE_READ(old, state);
	return BPF_CORE_READ(task, __state);
}

#define HAS_CURRENT_TASK_BTF                                                                       \
	bpf_core_enum_value_exists(enum bpf_func_id, BPF_FUNC_get_current_task_btf) /* 5.11 */

#if defined(__TARGET_ARCH_x86)

#define TS_COMPAT 0x2 /* thread_info.status: in a 32-bit system call */
#define X32_SYSCALL_BIT 0x40000000
/* Stack size without KASAN; used only before 5.15, when there was no FRED padding either. */
#define THREAD_SIZE 16384

/*
 * preempt_count is a per-CPU variable, and a program may name one only if the kernel lists its data
 * symbols (CONFIG_KALLSYMS_ALL). Where the variable lies is in most kernels' BTF, though: user
 * space finds how far it is from this CPU's run queue, to which the running task leads.
 */
extern const volatile __s64 preempt_count_distance; /* from struct rq; 0 = not known */

static __always_inline bool preempt_count(bool typed, __u32 *count)
{
	struct task_struct *task;
	struct cfs_rq *cfs;
	struct rq *rq;

	if (!preempt_count_distance || !bpf_core_field_exists(((struct cfs_rq *)0)->rq))
		return false;
	if (typed && HAS_CURRENT_TASK_BTF) {
		task = bpf_get_current_task_btf();
		cfs = task->se.cfs_rq;
		rq = cfs->rq;
	} else {
		task = (void *)bpf_get_current_task();
		rq = BPF_CORE_READ(task, se.cfs_rq, rq);
	}
	return rq &&
	       !bpf_probe_read_kernel(count, sizeof(*count), (void *)rq + preempt_count_distance);
}

static __always_inline bool compat_syscall(bool typed, struct task_struct *task)
{
	return READ(typed, task, thread_info.status) & TS_COMPAT;
}

#define SYSCALL_PPOLL 271
#define REGS_SYSCALL orig_ax
#define REGS_ARG0 di
#define REGS_ARG1 si
#define REGS_ARG2 dx

/* How much higher the stack is at a function's return than at its entry. */
#define RETURN_ADDRESS_BYTES 8

#elif defined(__TARGET_ARCH_arm64)

#define TIF_32BIT 22
#define THREAD_SIZE 16384 /* with 4 KiB pages, the only size of GKI kernels before 5.15 */
#define X32_SYSCALL_BIT 0

static __always_inline bool preempt_count(bool typed, __u32 *count)
{
	struct task_struct *task = (void *)bpf_get_current_task();

	*count = (__u32)BPF_CORE_READ(task, thread_info.preempt_count);
	return true;
}

static __always_inline bool compat_syscall(bool typed, struct task_struct *task)
{
	return READ(typed, task, thread_info.flags) & (1UL << TIF_32BIT);
}

#define SYSCALL_PPOLL 73
#define REGS_SYSCALL syscallno
#define REGS_ARG0 regs[0]
#define REGS_ARG1 regs[1]
#define REGS_ARG2 regs[2]

/* The return address is in a register. */
#define RETURN_ADDRESS_BYTES 0

#endif

struct syscall {
	__s32 nr;
	__u64 arg0;
	__u64 arg1;
	__u64 arg2;
};

/* The system call of the running task, from the registers with which it entered the kernel. */
static __always_inline void current_syscall(struct task_struct *task, struct syscall *sc)
{
	struct pt_regs *regs;

	if (has_task_pt_regs &&
	    bpf_core_enum_value_exists(enum bpf_func_id, BPF_FUNC_task_pt_regs)) {
		regs = (void *)bpf_task_pt_regs(bpf_get_current_task_btf());
		sc->nr = regs->REGS_SYSCALL;
		sc->arg0 = regs->REGS_ARG0;
		sc->arg1 = regs->REGS_ARG1;
		sc->arg2 = regs->REGS_ARG2;
		return;
	}
	regs = (void *)BPF_CORE_READ(task, stack) + THREAD_SIZE -
	       bpf_core_type_size(struct pt_regs);
	sc->nr = BPF_CORE_READ(regs, REGS_SYSCALL);
	sc->arg0 = BPF_CORE_READ(regs, REGS_ARG0);
	sc->arg1 = BPF_CORE_READ(regs, REGS_ARG1);
	sc->arg2 = BPF_CORE_READ(regs, REGS_ARG2);
}

#define PREEMPT_SOFTIRQ 0x00000100 /* serving one; 0x200 and above only mean "disabled" */
/*
 * Hard interrupts, and NMIs, which count as such too. Where local_interrupt_disable() exists (Linux
 * 7), its nesting has their former place, and theirs is FS_HARDIRQ_HIGH.
 */
extern const volatile __u32 hardirq_mask;

static __always_inline enum fs_context current_context(bool typed)
{
	__u32 count;

	if (!preempt_count(typed, &count))
		return FS_CTX_UNKNOWN;
	if (count & hardirq_mask)
		return FS_CTX_HARDIRQ;
	return count & PREEMPT_SOFTIRQ ? FS_CTX_SOFTIRQ : FS_CTX_TASK;
}

#endif
