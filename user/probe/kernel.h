/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What the running kernel and this process's rights allow. */
#ifndef PROBE_KERNEL_H
#define PROBE_KERNEL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

enum check_state { CHECK_OK, CHECK_DEGRADED, CHECK_MISSING };

/* One finding, as `doctor` prints it. Strings are static or inside the struct. */
struct kernel_check {
	const char *name; /* "kernel BTF" */
	const char *loss; /* what is lost without it; NULL if ok */
	const char *fix; /* how to get it; NULL if ok */
	enum check_state state;
	bool required; /* record can't work when this is MISSING */
	char detail[160]; /* what was found */
};

#define KERNEL_CHECKS_MAX 40

/* Fill `checks` (KERNEL_CHECKS_MAX long); returns how many. Never fails: what can't be determined
 * is a finding. */
int kernel_checks(struct kernel_check *checks);

/*
 * Take the kernel's types from this file, BTF or an ELF file with it, instead of
 * /sys/kernel/btf/vmlinux: for kernels built without. The string must stay. 0, or a negative errno
 * with a text if it has none.
 */
int kernel_use_btf(const char *path, struct err *e);

/* That file, or NULL. */
const char *kernel_btf_file(void);

/* Are the kernel's types known? Does it know them itself, as typed tracepoint programs need? */
bool kernel_has_btf(void);
bool kernel_has_own_btf(void);

/* Does the kernel's BTF know this raw tracepoint ("sched_switch")? */
bool kernel_has_tracepoint(const char *name);

/* How many arguments it has (sched_switch: 3, or 4 with the state), or -ENOENT if it is not known.
 */
int kernel_tracepoint_args(const char *name);

/* Does the kernel's BTF know this helper of BPF programs ("task_pt_regs")? */
bool kernel_has_helper(const char *name);

/* tracefs event available ("dma_fence/dma_fence_init")? */
bool kernel_has_trace_event(const char *name);

/* Does local_interrupt_disable() have bits of preempt_count that were hard interrupts' before? */
bool kernel_moved_hardirq(void);

struct kernel_symbol {
	const char *name;
	uint64_t address;
};

/*
 * Fill in the addresses of symbols of the kernel, from /proc/kallsyms; 0 for one that is not
 * there, or hidden (kptr_restrict).
 */
void kernel_symbols(struct kernel_symbol *symbols, unsigned nr);

/* Where tracefs is mounted, or NULL. */
const char *kernel_tracefs(void);

/* /proc/sys/kernel/pid_max, or 4194304 if it can't be read. */
uint32_t kernel_pid_max(void);

/*
 * The required ones of kernel_checks(), which must hold before a capture can start: rights, BPF,
 * types, the tracepoints of threads, uprobes. 0, or -EPERM/-ENOTSUP with a text that says what is
 * missing and how to get it.
 */
int kernel_ready(struct err *e);

#endif
