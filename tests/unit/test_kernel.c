/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The findings on kernels that this machine does not run: /proc and /sys are made up in a
 * directory, with kernel types built for the purpose. What is not read from files (the load of a
 * BPF program, the machine's name) stays this machine's.
 */
#include <bpf/btf.h>
#include <errno.h>
#include <ftw.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "made_up_kernel.h"
#include "probe/kernel.h"
#include "probe/kernel_facts.h"

static bool find(const char *name, struct kernel_check *found)
{
	struct kernel_check checks[KERNEL_CHECKS_MAX];
	int n = kernel_checks(checks);

	CU_ASSERT(n > 0 && n <= KERNEL_CHECKS_MAX);
	for (int i = 0; i < n; i++) {
		if (strcmp(checks[i].name, name) != 0)
			continue;
		*found = checks[i];
		return true;
	}
	return false;
}

/* The finding `name` must be in this state and its detail must contain `text`. */
static void expect(const char *name, enum check_state state, const char *text)
{
	struct kernel_check c;

	kernel_set_root(root); /* the files have changed */
	CU_ASSERT_TRUE_FATAL(find(name, &c));
	CU_ASSERT_EQUAL(c.state, state);
	CU_ASSERT_PTR_NOT_NULL(strstr(c.detail, text));
	CU_ASSERT_EQUAL(c.loss != NULL, state != CHECK_OK);
	CU_ASSERT_EQUAL(c.fix != NULL, state != CHECK_OK);
	if (c.state != state || !strstr(c.detail, text))
		printf("# %s: %d \"%s\", not %d \"%s\"\n", name, c.state, c.detail, state, text);
}

static void test_healthy(void)
{
	struct kernel_check checks[KERNEL_CHECKS_MAX];

	put_healthy();
	int n = kernel_checks(checks);
	CU_ASSERT(n > 30);
	for (int i = 0; i < n; i++) {
		/* this one is the real kernel's */
		if (!strcmp(checks[i].name, "BPF programs"))
			continue;
		CU_ASSERT_EQUAL(checks[i].state, CHECK_OK);
		CU_ASSERT_PTR_NULL(checks[i].loss);
		CU_ASSERT_PTR_NULL(checks[i].fix);
		CU_ASSERT(checks[i].detail[0] != '\0');
		if (checks[i].state != CHECK_OK)
			printf("# %s: %s\n", checks[i].name, checks[i].detail);
		for (int j = 0; j < i; j++)
			CU_ASSERT_STRING_NOT_EQUAL(checks[i].name, checks[j].name);
	}
}

static void test_release(void)
{
	put_healthy();
	put_text("/proc/sys/kernel/osrelease", "5.10.0\n");
	expect("kernel", CHECK_OK, "5.10.0");
	put_text("/proc/sys/kernel/osrelease", "5.9.16\n");
	expect("kernel", CHECK_MISSING, "5.9.16");
	put_text("/proc/sys/kernel/osrelease", "4.19.300\n");
	expect("kernel", CHECK_MISSING, "older than 5.10");
	put_text("/proc/sys/kernel/osrelease", "10.0\n");
	expect("kernel", CHECK_OK, "10.0");
	drop("/proc/sys/kernel/osrelease");
	expect("kernel", CHECK_MISSING, "osrelease");
}

static void test_capabilities(void)
{
	put_healthy();
	put_caps(CAPS_BPF_PERFMON);
	expect("capabilities", CHECK_OK, "CAP_BPF, CAP_PERFMON");
	expect("other processes", CHECK_DEGRADED, "CAP_SYS_PTRACE");
	expect("locked memory", CHECK_DEGRADED, "516 KiB");
	expect("BPF statistics", CHECK_DEGRADED, "CAP_SYS_ADMIN");
	expect("perf events", CHECK_OK, "CAP_PERFMON");
	put_caps(CAPS_ADMIN);
	expect("capabilities", CHECK_OK, "CAP_SYS_ADMIN");
	expect("BPF statistics", CHECK_OK, "can be switched on");
	put_caps(CAPS_BPF);
	expect("capabilities", CHECK_MISSING, "CAP_SYS_ADMIN");
	expect("perf events", CHECK_DEGRADED, "perf_event_paranoid 2");
	put_caps(CAPS_PERFMON);
	expect("capabilities", CHECK_MISSING, "CAP_SYS_ADMIN");
	put_caps(CAPS_PTRACE);
	expect("other processes", CHECK_OK, "visible");
	put_caps(CAPS_NONE);
	expect("capabilities", CHECK_MISSING, "needs root, or CAP_SYS_ADMIN");
	drop("/proc/self/status");
	expect("capabilities", CHECK_MISSING, "needs root");
}

static void test_memory(void)
{
	put_healthy();
	put_caps(CAPS_IPC_LOCK);
	expect("locked memory", CHECK_OK, "enough");
	put_caps(CAPS_NONE);
	put_text("/proc/sys/kernel/perf_event_paranoid", "-1\n");
	expect("locked memory", CHECK_OK, "enough");
	put_text("/proc/sys/kernel/perf_event_paranoid", "2\n");

	/* before 5.11 maps are locked memory too */
	put_text("/proc/sys/kernel/osrelease", "5.10.43-android12-9\n");
	expect("locked memory", CHECK_MISSING, "RLIMIT_MEMLOCK");
	put_memlock("unlimited");
	expect("locked memory", CHECK_DEGRADED, "516 KiB");
	put_memlock("65536");
	put_caps(CAPS_RESOURCE);
	expect("locked memory", CHECK_DEGRADED, "516 KiB");
}

static void test_lockdown(void)
{
	put_healthy();
	put_text("/sys/kernel/security/lockdown", "none [integrity] confidentiality\n");
	expect("lockdown", CHECK_OK, "integrity");
	put_text("/sys/kernel/security/lockdown", "none integrity [confidentiality]\n");
	expect("lockdown", CHECK_MISSING, "confidentiality");
	put_text("/sys/kernel/security/lockdown", "what is this\n");
	expect("lockdown", CHECK_DEGRADED, "what is this");
	drop("/sys/kernel/security/lockdown");
	expect("lockdown", CHECK_OK, "not reported");
	put_text("/sys/kernel/security/lsm", "capability,yama\n");
	expect("lockdown", CHECK_OK, "not in use");
	drop("/sys/kernel/security/lsm");
}

static void test_files(void)
{
	put_healthy();
	put_text("/proc/sys/net/core/bpf_jit_enable", "0\n");
	expect("BPF JIT", CHECK_DEGRADED, "off");
	drop("/proc/sys/net/core/bpf_jit_enable");
	expect("BPF JIT", CHECK_DEGRADED, "not shown");
	drop(UPROBE_FILE);
	expect("uprobes", CHECK_MISSING, "uprobe");
	put_text("/proc/sys/kernel/pid_max", "4194305\n");
	expect("pid_max", CHECK_DEGRADED, "4194305");
	put_text("/proc/sys/kernel/bpf_stats_enabled", "1\n");
	put_caps(CAPS_NONE);
	expect("BPF statistics", CHECK_OK, "on");
	drop("/proc/sys/kernel/bpf_stats_enabled");
	expect("BPF statistics", CHECK_DEGRADED, "no /proc");
	drop("/proc/sys/kernel/perf_event_paranoid");
	expect("perf events", CHECK_MISSING, "perf_event_paranoid");
	put_text(CLOCK_FILE, "hpet\n");
	expect("clock", CHECK_DEGRADED, "hpet");
	put_text(CLOCK_FILE, "kvm-clock\n");
	expect("clock", CHECK_OK, "kvm-clock");
	drop(CLOCK_FILE);
	expect("clock", CHECK_DEGRADED, "not shown");
	drop("/sys/kernel/tracing/events/sched/sched_switch/id");
	expect("tracefs", CHECK_DEGRADED, "not visible");
	put_text("/proc/self/mounts", "proc /proc proc rw 0 0\n");
	expect("tracefs", CHECK_DEGRADED, "not mounted");
}

static void test_pid_max(void)
{
	put_healthy();
	put_text("/proc/sys/kernel/pid_max", "32768\n");
	CU_ASSERT_EQUAL(kernel_pid_max(), 32768);
	put_text("/proc/sys/kernel/pid_max", "many\n");
	CU_ASSERT_EQUAL(kernel_pid_max(), 4194304);
	put_text("/proc/sys/kernel/pid_max", "");
	CU_ASSERT_EQUAL(kernel_pid_max(), 4194304);
	put_text("/proc/sys/kernel/pid_max", "99999999999\n");
	CU_ASSERT_EQUAL(kernel_pid_max(), 4194304);
	drop("/proc/sys/kernel/pid_max");
	CU_ASSERT_EQUAL(kernel_pid_max(), 4194304);
}

static void test_tracefs(void)
{
	put_healthy();
	CU_ASSERT_STRING_EQUAL(kernel_tracefs(), "/sys/kernel/tracing");
	CU_ASSERT_TRUE(kernel_has_trace_event("sched/sched_switch"));
	CU_ASSERT_FALSE(kernel_has_trace_event("dma_fence/dma_fence_init"));

	put_text("/proc/self/mounts", "t /mnt/trace tracefs rw 0 0\n");
	put_text("/mnt/trace/events/dma_fence/dma_fence_init/id", "5\n");
	kernel_set_root(root);
	CU_ASSERT_STRING_EQUAL(kernel_tracefs(), "/mnt/trace");
	CU_ASSERT_TRUE(kernel_has_trace_event("dma_fence/dma_fence_init"));

	/* what is only named so is none */
	put_text("/proc/self/mounts", "tracefs /x tmpfs rw 0 0\n");
	kernel_set_root(root);
	CU_ASSERT_PTR_NULL(kernel_tracefs());
	CU_ASSERT_FALSE(kernel_has_trace_event("sched/sched_switch"));
}

static void test_types(void)
{
	put_healthy();
	CU_ASSERT_TRUE(kernel_has_btf());
	CU_ASSERT_TRUE(kernel_has_tracepoint("sched_switch"));
	CU_ASSERT_FALSE(kernel_has_tracepoint("sched_switc"));
	CU_ASSERT_EQUAL(kernel_tracepoint_args("sched_switch"), 4);
	CU_ASSERT_EQUAL(kernel_tracepoint_args("sched_waking"), 1);
	CU_ASSERT_EQUAL(kernel_tracepoint_args("none"), -ENOENT);
	CU_ASSERT_TRUE(kernel_has_member("thread_info", "preempt_count"));
	CU_ASSERT_FALSE(kernel_has_member("thread_info", "flags"));
	CU_ASSERT_FALSE(kernel_has_member("no_such_struct", "x"));

	put_btf(true);
	kernel_set_root(root);
	CU_ASSERT_EQUAL(kernel_tracepoint_args("sched_switch"), 3);
	expect("sched_switch", CHECK_OK, "without the task's state");
	expect("task state", CHECK_OK, "task_struct.state");
	expect("syscall registers", CHECK_OK, "computed");
	expect("uprobe cookies", CHECK_OK, "a program for each function");
	expect("buffers' fences", CHECK_OK, "before 5.19");
#if defined(__x86_64__)
	expect("waker context", CHECK_OK, "pcpu_hot");
#endif
}

/* What /proc/kallsyms says, and what it says to those that may not know addresses. */
static void test_symbols(void)
{
	struct kernel_symbol symbols[] = { { .name = "dma_fence_array_get_driver_name" },
					   { .name = "schedule" },
					   { .name = "in_a_module" } };

	put_text("/proc/kallsyms", "ffffffff81da6e10 t dma_fence_array_get_driver_name\n"
				   "nonsense\n\n12 t\n"
				   "ffffffffc0001000 t in_a_module\t[module]\n");
	kernel_set_root(root);
	kernel_symbols(symbols, 3);
	CU_ASSERT_EQUAL(symbols[0].address, 0xffffffff81da6e10);
	CU_ASSERT_EQUAL(symbols[1].address, 0);
	CU_ASSERT_EQUAL(symbols[2].address, 0xffffffffc0001000);
	put_btf(false);
	kernel_set_root(root);
	expect("fence containers", CHECK_DEGRADED, "one of");
	put_text("/proc/kallsyms", "0000000000000000 t dma_fence_array_get_driver_name\n"
				   "0000000000000000 t dma_fence_chain_get_driver_name\n");
	expect("fence containers", CHECK_MISSING, "hides or lacks");
}

/* A kernel that has types, but none that we look for. */
static void test_no_tracepoints(void)
{
	struct btf *btf = btf__new_empty();
	uint32_t size;

	put_healthy();
	CU_ASSERT_PTR_NOT_NULL_FATAL(btf);
	add_struct(btf, "dma_fence", "seqno", NULL);
	add_tracepoint(btf, "sched_switch", 1);
	const void *raw = btf__raw_data(btf, &size);
	put(BTF_FILE, raw, size);
	btf__free(btf);

	expect("sched_switch", CHECK_MISSING, "unknown form");
	expect("sched_waking", CHECK_MISSING, "not in this kernel");
	expect("dma_fence_signaled", CHECK_MISSING, "not in this kernel");
	expect("task state", CHECK_MISSING, "__state");
	expect("fence identity", CHECK_MISSING, "dma_fence.context");
	expect("sync files", CHECK_MISSING, "CONFIG_SYNC_FILE");
	expect("buffers' fences", CHECK_MISSING, "no dma_resv");
	expect("waker context", CHECK_MISSING, "preempt_count");
#if defined(__x86_64__)
	put_text("/proc/kallsyms", "0000000000033c40 A runqueues\n000000000001fb80 A "
				   "__preempt_count\n");
	expect("waker context", CHECK_OK, "by /proc/kallsyms");
#endif
}

/* Types of which struct pt_regs has this register. */
static void put_registers(const char *member)
{
	struct btf *btf = btf__new_empty();
	uint32_t size;

	CU_ASSERT_PTR_NOT_NULL_FATAL(btf);
	add_struct(btf, "pt_regs", member, NULL);
	const void *raw = btf__raw_data(btf, &size);
	put(BTF_FILE, raw, size);
	btf__free(btf);
	kernel_set_root(root);
}

static void test_btf_machine(void)
{
	const char *own = "r15", *other = "syscallno", *machine = "of an aarch64 kernel";

#if defined(__aarch64__)
	own = "syscallno";
	other = "r15";
	machine = "of an x86_64 kernel";
#endif
	put_healthy();
	put_registers(own);
	expect("BTF's machine", CHECK_OK, "");
	put_registers(other);
	expect("BTF's machine", CHECK_MISSING, machine);
	put_registers("epc");
	expect("BTF's machine", CHECK_MISSING, "of another architecture");
}

/* Without types nothing is said of what only they tell. */
static void test_no_btf(void)
{
	struct kernel_check c;

	put_healthy();
	drop(BTF_FILE);
	expect("kernel BTF", CHECK_MISSING, "no /sys/kernel/btf/vmlinux");
	CU_ASSERT_FALSE(kernel_has_btf());
	CU_ASSERT_FALSE(kernel_has_tracepoint("sched_switch"));
	CU_ASSERT_EQUAL(kernel_tracepoint_args("sched_switch"), -ENOENT);
	CU_ASSERT_FALSE(find("sched_switch", &c));
	CU_ASSERT_TRUE(find("uprobes", &c));

	put_text(BTF_FILE, "this is not BTF");
	expect("kernel BTF", CHECK_MISSING, "vmlinux");
}

static void expect_not_ready(int code, const char *what, const char *hint)
{
	struct err e = { 0 };

	kernel_set_root(root);
	CU_ASSERT_EQUAL(kernel_ready(&e), code);
	CU_ASSERT_EQUAL(e.code, code);
	CU_ASSERT_PTR_NOT_NULL(strstr(e.what, what));
	CU_ASSERT_PTR_NOT_NULL(strstr(e.hint, hint));
}

static void test_not_ready(void)
{
	put_healthy();
	put_caps(CAPS_NONE);
	expect_not_ready(-EPERM, "needs root, or CAP_SYS_ADMIN", "sudo framescope record");
	put_caps(CAPS_ALL);
	put_text("/sys/kernel/security/lockdown", "none integrity [confidentiality]\n");
	expect_not_ready(-EPERM, "lockdown", "lockdown=integrity");
	put_text("/sys/kernel/security/lockdown", "[none]\n");
	put_text("/proc/sys/kernel/osrelease", "5.4.0\n");
	expect_not_ready(-ENOTSUP, "5.4.0 is older than 5.10", "Linux 5.10 or later");
}

/* The rest needs the real kernel to take a BPF program first. */
static void test_not_ready_root(void)
{
	struct err e = { 0 };

	put_healthy();
	CU_ASSERT_EQUAL(kernel_ready(&e), 0);
	drop(BTF_FILE);
	expect_not_ready(-ENOTSUP, "no /sys/kernel/btf/vmlinux", "CONFIG_DEBUG_INFO_BTF=y");
	put_btf(false);
	drop(UPROBE_FILE);
	expect_not_ready(-ENOTSUP, "uprobe", "CONFIG_UPROBE_EVENTS=y");
}

/* The real kernel: what its types say against what its tracefs lists. */
static void test_real_kernel(void)
{
	static const char *const events[] = { "sched/sched_switch", "sched/sched_waking",
					      "sched/sched_process_fork", "task/task_rename",
					      "dma_fence/dma_fence_signaled" };
	char path[256];

	kernel_set_root("");
	for (size_t i = 0; i < sizeof(events) / sizeof(*events); i++) {
		snprintf(path, sizeof(path), "%s/events/%s", kernel_tracefs(), events[i]);
		bool listed = !access(path, F_OK);

		CU_ASSERT_EQUAL(kernel_has_tracepoint(strchr(events[i], '/') + 1), listed);
		CU_ASSERT_EQUAL(kernel_has_trace_event(events[i]), listed);
	}
	CU_ASSERT_FALSE(kernel_has_trace_event("sched/no_such_event"));
}

static int remove_entry(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

int main(void)
{
	struct check_case cases[17] = {
		{ "healthy", test_healthy },
		{ "release", test_release },
		{ "capabilities", test_capabilities },
		{ "memory", test_memory },
		{ "lockdown", test_lockdown },
		{ "files", test_files },
		{ "pid_max", test_pid_max },
		{ "tracefs", test_tracefs },
		{ "types", test_types },
		{ "symbols", test_symbols },
		{ "no_tracepoints", test_no_tracepoints },
		{ "no_btf", test_no_btf },
		{ "not_ready", test_not_ready },
		{ "btf_machine", test_btf_machine },
	};
	size_t n = 14;

	if (geteuid() == 0)
		cases[n++] = (struct check_case){ "not_ready_root", test_not_ready_root };
	else
		printf("SKIP kernel/not_ready_root: needs root\n");
	if (geteuid() == 0 && kernel_has_btf() && kernel_tracefs())
		cases[n++] = (struct check_case){ "real_kernel", test_real_kernel };
	else
		printf("SKIP kernel/real_kernel: needs root, tracefs and kernel BTF\n");

	snprintf(root, sizeof(root), "/tmp/test_kernel.XXXXXX");
	if (!mkdtemp(root)) {
		perror("mkdtemp");
		return 1;
	}
	int ret = check_main("kernel", cases);
	kernel_set_root("");
	nftw(root, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
	return ret;
}
