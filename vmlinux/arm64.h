/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The arm64 part of vmlinux.h. */

struct user_pt_regs {
	u64 regs[31];
	u64 sp;
	u64 pc;
	u64 pstate;
};

struct pt_regs {
	u64 regs[31];
	u64 sp;
	u64 pc;
	u64 pstate;
	u64 orig_x0;
	s32 syscallno;
	/* The kernel's has more, up to a size that differs: see bpf_core_type_size() at its user.
	 */
};

struct thread_info {
	unsigned long flags;
	u64 preempt_count;
};
