/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A made-up machine for the tests of kernel_checks(): its /proc and /sys in a directory, with
 * kernel types built for the purpose.
 */
#ifndef TESTS_UNIT_MADE_UP_KERNEL_H
#define TESTS_UNIT_MADE_UP_KERNEL_H

#include <bpf/btf.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"
#include "probe/kernel_facts.h"

#define BTF_FILE "/sys/kernel/btf/vmlinux"
#define UPROBE_FILE "/sys/bus/event_source/devices/uprobe/type"
#define CLOCK_FILE "/sys/devices/system/clocksource/clocksource0/current_clocksource"
#define LIMITS                                                                                     \
	"Limit                     Soft Limit           Hard Limit           Units     \n"         \
	"Max locked memory         %s              %s              bytes     \n"

/* Capability sets, by the numbers of <linux/capability.h>. */
#define CAPS_ALL "000001ffffffffff"
#define CAPS_NONE "0000000000000000"
#define CAPS_BPF "0000008000000000" /* 39 */
#define CAPS_PERFMON "0000004000000000" /* 38 */
#define CAPS_BPF_PERFMON "000000c000000000"
#define CAPS_ADMIN "0000000000200000" /* 21 */
#define CAPS_PTRACE "0000000000080000" /* 19 */
#define CAPS_IPC_LOCK "0000000000004000" /* 14 */
#define CAPS_RESOURCE "0000000001000000" /* 24 */

static char root[64];

static inline void put(const char *path, const void *data, size_t len)
{
	char full[512];

	snprintf(full, sizeof(full), "%s%s", root, path);
	for (char *slash = full + strlen(root) + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		mkdir(full, 0700);
		*slash = '/';
	}
	int fd = open(full, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	CU_ASSERT_FATAL(fd >= 0);
	CU_ASSERT_EQUAL_FATAL(write(fd, data, len), (ssize_t)len);
	close(fd);
}

static inline void put_text(const char *path, const char *text)
{
	put(path, text, strlen(text));
}

static inline void drop(const char *path)
{
	char full[512];

	snprintf(full, sizeof(full), "%s%s", root, path);
	unlink(full);
}

static inline void put_caps(const char *caps)
{
	char text[256];

	/* a name can't fake the line: the kernel escapes its newline */
	snprintf(text, sizeof(text),
		 "Name:\tx\\nCapEff:\tffffffffffffffff\nCapPrm:\t" CAPS_ALL "\nCapEff:\t%s\n",
		 caps);
	put_text("/proc/self/status", text);
}

static inline void put_memlock(const char *soft)
{
	char text[512];

	snprintf(text, sizeof(text), LIMITS, soft, "unlimited");
	put_text("/proc/self/limits", text);
}

static inline int add_tracepoint(struct btf *btf, const char *name, int args)
{
	char typedef_name[64];
	int integer = btf__add_int(btf, "int", 4, BTF_INT_SIGNED);
	int proto = btf__add_func_proto(btf, 0);

	for (int i = 0; i < args + 1; i++)
		btf__add_func_param(btf, "arg", integer);
	snprintf(typedef_name, sizeof(typedef_name), "btf_trace_%s", name);
	return btf__add_typedef(btf, typedef_name, btf__add_ptr(btf, proto));
}

static inline void add_struct(struct btf *btf, const char *type, const char *one, const char *two)
{
	int integer = btf__add_int(btf, "long", 8, 0);

	btf__add_struct(btf, type, 16);
	btf__add_field(btf, one, integer, 0, 0);
	if (two)
		btf__add_field(btf, two, integer, 64, 0);
}

/* preempt_count of x86-64: in a struct from 6.2 to 6.14, which stands for the old form here. */
static inline void add_percpu(struct btf *btf, bool in_struct)
{
	int integer = btf__add_int(btf, "unsigned int", 4, 0), type = integer;

	if (in_struct) {
		type = btf__add_struct(btf, "pcpu_hot", 16);
		btf__add_field(btf, "preempt_count", integer, 64, 0);
	}
	int queues = btf__add_var(btf, "runqueues", BTF_VAR_GLOBAL_ALLOCATED, integer);
	int count = btf__add_var(btf, in_struct ? "pcpu_hot" : "__preempt_count",
				 BTF_VAR_GLOBAL_ALLOCATED, type);
	btf__add_datasec(btf, ".data..percpu", 4096);
	btf__add_datasec_var_info(btf, queues, 64, 4);
	btf__add_datasec_var_info(btf, count, 256, 16);
}

/* Types of a kernel that has everything, in the form of 5.10 or of today. */
static inline void put_btf(bool old)
{
	static const char *const names[] = {
		"sched_waking",       "sched_wakeup_new",   "sched_process_fork",
		"sched_process_exec", "sched_process_exit", "task_rename",
		"dma_fence_init",     "dma_fence_emit",     "dma_fence_enable_signal",
		"dma_fence_signaled", "dma_fence_destroy",  "dma_fence_wait_start",
		"dma_fence_wait_end",
	};
	struct btf *btf = btf__new_empty();
	uint32_t size;

	CU_ASSERT_PTR_NOT_NULL_FATAL(btf);
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		add_tracepoint(btf, names[i], 1);
	add_tracepoint(btf, "sched_switch", old ? 3 : 4);
	add_struct(btf, "task_struct", old ? "state" : "__state", NULL);
	add_struct(btf, "dma_fence", "context", "seqno");
	add_struct(btf, "sync_file", "fence", NULL);
	add_struct(btf, "file", "private_data", NULL);
	add_struct(btf, "dma_resv", old ? "fence_excl" : "fences", NULL);

	/* thread_info keeps preempt_count in an anonymous union */
	int integer = btf__add_int(btf, "u64", 8, 0);
	int anonymous = btf__add_union(btf, NULL, 8);
	btf__add_field(btf, "preempt_count", integer, 0, 0);
	btf__add_struct(btf, "thread_info", 8);
	btf__add_field(btf, "", anonymous, 0, 0);
	add_percpu(btf, old);

	btf__add_enum(btf, "bpf_func_id", 4);
	btf__add_enum_value(btf, "BPF_FUNC_unspec", 0);
	if (!old) {
		btf__add_enum_value(btf, "BPF_FUNC_get_attach_cookie", 174);
		btf__add_enum_value(btf, "BPF_FUNC_task_pt_regs", 175);
	}
	const void *raw = btf__raw_data(btf, &size);
	CU_ASSERT_PTR_NOT_NULL_FATAL(raw);
	put(BTF_FILE, raw, size);
	btf__free(btf);
}

/* A machine where nothing is amiss. */
static inline void put_healthy(void)
{
	put_text("/proc/sys/kernel/osrelease", "6.12.30-android16-5\n");
	put_caps(CAPS_ALL);
	put_memlock("8388608");
	put_text("/proc/kallsyms", "ffffffff81da6e00 t __pfx_dma_fence_array_get_driver_name\n"
				   "ffffffff81da6e10 t dma_fence_array_get_driver_name\n"
				   "ffffffff81da7600 t dma_fence_chain_get_driver_name\n");
	put_text("/proc/self/mounts", "proc /proc proc rw 0 0\n"
				      "nodev /sys/kernel/tracing tracefs rw,relatime 0 0\n");
	put_text("/sys/kernel/tracing/events/sched/sched_switch/id", "314\n");
	put_text("/proc/sys/kernel/pid_max", "4194304\n");
	put_text("/proc/sys/kernel/perf_event_paranoid", "2\n");
	put_text("/proc/sys/kernel/perf_event_mlock_kb", "516\n");
	put_text("/proc/sys/kernel/bpf_stats_enabled", "0\n");
	put_text("/proc/sys/net/core/bpf_jit_enable", "1\n");
	put_text(UPROBE_FILE, "9\n");
	put_text("/sys/kernel/security/lockdown", "[none] integrity confidentiality\n");
	put_text(CLOCK_FILE, "arch_sys_counter\n");
	put_btf(false);
	kernel_set_root(root);
}

#endif
