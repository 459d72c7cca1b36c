/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Where the kernel keeps its per-CPU variables, from its BTF or its symbols. */
#ifndef PROBE_PERCPU_H
#define PROBE_PERCPU_H

#include <stdint.h>

struct btf;

/*
 * How far a CPU's preempt_count lies behind that CPU's run queue (`runqueues`), in bytes: the same
 * on every CPU. 0 if the running kernel does not tell, or where the count is not a per-CPU variable
 * (arm64 has it in thread_info).
 *
 * x86-64: `__preempt_count`, but the member preempt_count of `pcpu_hot` from 6.2 to 6.14.
 */
int64_t percpu_preempt_count_distance(void);

/* The same from a given BTF. */
int64_t percpu_preempt_count_distance_in(const struct btf *btf);

/*
 * The same from /proc/kallsyms, for kernels whose BTF lists no per-CPU variables (that of many 5.10
 * ones): 0 without CONFIG_KALLSYMS_ALL, or where the addresses are hidden.
 */
int64_t percpu_preempt_count_distance_by_symbols(void);

#endif
