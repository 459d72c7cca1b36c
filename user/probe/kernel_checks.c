/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The findings of `doctor`, in one table, and what of them must hold before a capture can start.
 * Adding a check is one function and one row.
 */
#include "probe/kernel.h"

#include <bpf/btf.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>

#include "probe/kernel_facts.h"
#include "probe/kernel_rights.h"
#include "probe/percpu.h"

#define COUNT(table) (sizeof(table) / sizeof(*(table)))

#if defined(__x86_64__)
#define MACHINE "x86_64"
#elif defined(__aarch64__)
#define MACHINE "aarch64"
#endif

struct row {
	const char *name;
	void (*run)(struct kernel_check *c); /* fills state and detail; the name is set */
	const char *loss;
	const char *fix;
	bool required;
	int code; /* of a required one that is missing */
};

static void check_release(struct kernel_check *c)
{
	const char *release = kernel_release();

	if (!*release)
		check_found(c, CHECK_MISSING, "/proc/sys/kernel/osrelease can't be read");
	else if (!kernel_at_least(5, 10))
		check_found(c, CHECK_MISSING, "%s is older than 5.10", release);
	else
		check_found(c, CHECK_OK, "%s", release);
}

static void check_machine(struct kernel_check *c)
{
	struct utsname name;

	if (uname(&name))
		check_found(c, CHECK_DEGRADED, "unknown: %s", strerror(errno));
	else
		check_found(c, strcmp(name.machine, MACHINE) ? CHECK_MISSING : CHECK_OK, "%s",
			    name.machine);
}

static void check_jit(struct kernel_check *c)
{
	char text[16];

	if (kernel_read("/proc/sys/net/core/bpf_jit_enable", text, sizeof(text)) < 0)
		check_found(c, CHECK_DEGRADED, "not shown (another network namespace, or none)");
	else
		check_found(c, strcmp(text, "0") ? CHECK_OK : CHECK_DEGRADED, "%s",
			    strcmp(text, "0") ? "on" : "off");
}

static void check_btf(struct kernel_check *c)
{
	const struct btf *btf = kernel_btf();

	if (btf && kernel_btf_file())
		check_found(c, CHECK_OK, "%u types, from %s", btf__type_cnt(btf) - 1,
			    kernel_btf_file());
	else if (btf)
		check_found(c, CHECK_OK, "%u types", btf__type_cnt(btf) - 1);
	else
		check_found(c, CHECK_MISSING, "this kernel has no /sys/kernel/btf/vmlinux");
}

/* Each architecture has registers of its own, by which its types are told. */
static void check_btf_machine(struct kernel_check *c)
{
	static const struct {
		const char *machine, *member; /* of struct pt_regs */
	} known[] = { { "x86_64", "r15" }, { "aarch64", "syscallno" } };

	if (!kernel_has_struct("pt_regs")) {
		check_found(c, CHECK_OK, "not told by the types");
		return;
	}
	for (size_t i = 0; i < COUNT(known); i++) {
		if (!kernel_has_member("pt_regs", known[i].member))
			continue;
		if (!strcmp(known[i].machine, MACHINE))
			check_found(c, CHECK_OK, MACHINE);
		else
			check_found(c, CHECK_MISSING, "of an %s kernel, this is " MACHINE,
				    known[i].machine);
		return;
	}
	check_found(c, CHECK_MISSING, "of another architecture, this is " MACHINE);
}

static void check_pid_max(struct kernel_check *c)
{
	uint32_t max = kernel_pid_max();

	check_found(c, max > 4194304 ? CHECK_DEGRADED : CHECK_OK, "%u", max);
}

static void check_tracepoint(struct kernel_check *c)
{
	int args = kernel_tracepoint_args(c->name);

	if (args < 0)
		check_found(c, CHECK_MISSING, "not in this kernel");
	else
		check_found(c, CHECK_OK, "%d argument%s", args, args == 1 ? "" : "s");
}

static void check_switch(struct kernel_check *c)
{
	int args = kernel_tracepoint_args(c->name);

	if (args < 0)
		check_found(c, CHECK_MISSING, "not in this kernel");
	else if (args < 3)
		check_found(c, CHECK_MISSING, "unknown form: %d arguments", args);
	else
		check_found(c, CHECK_OK, "%d arguments (%s the task's state)", args,
			    args > 3 ? "with" : "without");
}

static void check_task_state(struct kernel_check *c)
{
	if (kernel_has_member("task_struct", "__state"))
		check_found(c, CHECK_OK, "task_struct.__state");
	else if (kernel_has_member("task_struct", "state"))
		check_found(c, CHECK_OK, "task_struct.state");
	else
		check_found(c, CHECK_MISSING, "neither task_struct.__state nor .state");
}

static void check_fence_identity(struct kernel_check *c)
{
	if (kernel_has_member("dma_fence", "context") && kernel_has_member("dma_fence", "seqno"))
		check_found(c, CHECK_OK, "dma_fence.context, dma_fence.seqno");
	else
		check_found(c, CHECK_MISSING, "no dma_fence.context and dma_fence.seqno");
}

static void check_sync_file(struct kernel_check *c)
{
	struct kernel_symbol fops = { .name = "sync_file_fops" };

	kernel_symbols(&fops, 1);
	if (kernel_has_member("sync_file", "fence") && kernel_has_member("file", "private_data"))
		check_found(c, CHECK_OK, "sync_file.fence; told by %s",
			    fops.address ? "name and operations" : "name");
	else
		check_found(c, CHECK_MISSING, "no sync_file.fence (CONFIG_SYNC_FILE)");
}

static void check_containers(struct kernel_check *c)
{
	struct kernel_symbol symbols[] = { { .name = "dma_fence_array_get_driver_name" },
					   { .name = "dma_fence_chain_get_driver_name" } };
	unsigned nr = 0;

	kernel_symbols(symbols, COUNT(symbols));
	for (size_t i = 0; i < COUNT(symbols); i++)
		nr += symbols[i].address != 0;
	if (nr == COUNT(symbols))
		check_found(c, CHECK_OK, "dma_fence_array, dma_fence_chain");
	else
		check_found(c, nr ? CHECK_DEGRADED : CHECK_MISSING,
			    "/proc/kallsyms hides or lacks %s",
			    nr ? "one of array and chain" : "both array and chain");
}

static void check_gpu_scheduler(struct kernel_check *c)
{
	static const char *const events[] = { "drm_sched_job_run", "drm_run_job" };
	char path[64];

	for (size_t i = 0; i < COUNT(events); i++) {
		snprintf(path, sizeof(path), "gpu_scheduler/%s", events[i]);
		if (kernel_has_trace_event(path)) {
			check_found(c, CHECK_OK, "%s", events[i]);
			return;
		}
	}
	check_found(c, CHECK_OK, "not in use: from submission on, the hardware may be at a fence");
}

static void check_resv(struct kernel_check *c)
{
	if (kernel_has_member("dma_resv", "fences"))
		check_found(c, CHECK_OK, "dma_resv.fences");
	else if (kernel_has_member("dma_resv", "fence_excl"))
		check_found(c, CHECK_OK, "dma_resv.fence_excl (before 5.19)");
	else
		check_found(c, CHECK_MISSING, "no dma_resv with fences");
}

static void check_waker_context(struct kernel_check *c)
{
#if defined(__x86_64__)
	if (!percpu_preempt_count_distance())
		check_found(c, CHECK_MISSING,
			    "neither BTF nor /proc/kallsyms tells where preempt_count lies");
	else if (kernel_has_variable("pcpu_hot"))
		check_found(c, CHECK_OK, "per-CPU pcpu_hot");
	else
		check_found(c, CHECK_OK, "per-CPU __preempt_count%s",
			    kernel_has_variable("__preempt_count") ? "" : ", by /proc/kallsyms");
#elif defined(__aarch64__)
	if (kernel_has_member("thread_info", "preempt_count"))
		check_found(c, CHECK_OK, "thread_info.preempt_count");
	else
		check_found(c, CHECK_MISSING, "no thread_info.preempt_count");
#endif
}

static void check_registers(struct kernel_check *c)
{
	if (kernel_has_helper("task_pt_regs"))
		check_found(c, CHECK_OK, "bpf_task_pt_regs");
	else
		check_found(c, CHECK_OK, "computed from the task's stack (no bpf_task_pt_regs)");
}

static void check_cookie(struct kernel_check *c)
{
	if (kernel_has_helper("get_attach_cookie"))
		check_found(c, CHECK_OK, "bpf_get_attach_cookie");
	else
		check_found(c, CHECK_OK,
			    "none before Linux 5.15: a program for each function instead");
}

static void check_tracefs(struct kernel_check *c)
{
	const char *path = kernel_tracefs();

	if (!path)
		check_found(c, CHECK_DEGRADED, "not mounted");
	else if (!kernel_has_trace_event("sched/sched_switch"))
		check_found(c, CHECK_DEGRADED, "%s, but its events are not visible", path);
	else
		check_found(c, CHECK_OK, "%s", path);
}

static void check_clock(struct kernel_check *c)
{
	static const char *const fast[] = { "tsc", "kvm-clock", "arch_sys_counter",
					    "hyperv_clocksource_tsc_page", "xen" };
	struct timespec now;
	char source[64];

	if (clock_gettime(CLOCK_MONOTONIC, &now) || clock_gettime(CLOCK_BOOTTIME, &now)) {
		check_found(c, CHECK_MISSING, "CLOCK_MONOTONIC or CLOCK_BOOTTIME: %s",
			    strerror(errno));
		return;
	}
	if (kernel_read("/sys/devices/system/clocksource/clocksource0/current_clocksource", source,
			sizeof(source)) <= 0) {
		check_found(c, CHECK_DEGRADED, "the clock source is not shown");
		return;
	}
	for (size_t i = 0; i < sizeof(fast) / sizeof(*fast); i++) {
		if (!strcmp(source, fast[i])) {
			check_found(c, CHECK_OK, "%s", source);
			return;
		}
	}
	check_found(c, CHECK_DEGRADED, "%s may be slow to read", source);
}

#define NEEDS_BTF "a kernel with CONFIG_DEBUG_INFO_BTF=y, or --btf FILE of this kernel's build"
#define NEEDS_TRACE "a kernel with CONFIG_TRACEPOINTS=y and CONFIG_BPF_EVENTS=y"
#define NEEDS_FENCES "a kernel with CONFIG_DMA_SHARED_BUFFER=y (any DRM driver selects it)"
#define NEEDS_ROOT                                                                                 \
	"\"sudo framescope record ...\"; on Android, \"adb root\" first; or \"setcap "             \
	"cap_sys_admin,cap_sys_ptrace,cap_syslog,cap_ipc_lock,cap_dac_read_search+ep\" on it"
#define NO_RECORDING "recording (reading captures still works)"

static const struct row before_btf[] = {
	{ "kernel", check_release, NO_RECORDING,
	  "Linux 5.10 or later; on Android, GKI android12-5.10 or later", true, -ENOTSUP },
	{ "machine", check_machine, NO_RECORDING, "a framescope built for this machine", true,
	  -ENOTSUP },
	{ "capabilities", check_caps, NO_RECORDING, NEEDS_ROOT, true, -EPERM },
	{ "lockdown", check_lockdown, NO_RECORDING ": BPF may not read kernel memory",
	  "boot with lockdown=integrity or without lockdown", true, -EPERM },
	{ "PID namespace", check_pid_namespace, NO_RECORDING ": threads can't be told apart",
	  "outside of the container, or in one with the host's PID namespace", true, -ENOTSUP },
	{ "BPF programs", check_load, NO_RECORDING,
	  "root outside of containers, a kernel with CONFIG_BPF_SYSCALL=y; look for denials of "
	  "SELinux and seccomp in the kernel's log",
	  true, -EPERM },
	{ "kernel BTF", check_btf, NO_RECORDING "; tracepoints and fields can't be checked",
	  NEEDS_BTF, true, -ENOTSUP },
};

/* What only the types tell; left out when there are none. */
static const struct row from_btf[] = {
	{ "BTF's machine", check_btf_machine, NO_RECORDING,
	  "the BTF of exactly this kernel's build for this machine (--btf)", true, -ENOTSUP },
	{ "sched_switch", check_switch, NO_RECORDING, NEEDS_TRACE, true, -ENOTSUP },
	{ "sched_process_fork", check_tracepoint, NO_RECORDING ": new threads would be missed",
	  NEEDS_TRACE, true, -ENOTSUP },
	{ "sched_waking", check_tracepoint, "who wakes a blocked thread, and when", NEEDS_TRACE,
	  false, 0 },
	{ "sched_wakeup_new", check_tracepoint, "how long new threads wait for a CPU", NEEDS_TRACE,
	  false, 0 },
	{ "sched_process_exec", check_tracepoint, "programs that a watched process executes",
	  NEEDS_TRACE, false, 0 },
	{ "sched_process_exit", check_tracepoint, "ends of threads", NEEDS_TRACE, false, 0 },
	{ "task_rename", check_tracepoint, "new names of threads", NEEDS_TRACE, false, 0 },
	{ "dma_fence_init", check_tracepoint, "when fences are made", NEEDS_FENCES, false, 0 },
	{ "dma_fence_emit", check_tracepoint, "when fences are submitted", NEEDS_FENCES, false, 0 },
	{ "dma_fence_enable_signal", check_tracepoint, "when signalling is asked for", NEEDS_FENCES,
	  false, 0 },
	{ "dma_fence_signaled", check_tracepoint, "when fences signal", NEEDS_FENCES, false, 0 },
	{ "dma_fence_destroy", check_tracepoint, "when fences are freed", NEEDS_FENCES, false, 0 },
	{ "dma_fence_wait_start", check_tracepoint, "fence waits inside drivers", NEEDS_FENCES,
	  false, 0 },
	{ "dma_fence_wait_end", check_tracepoint, "fence waits inside drivers", NEEDS_FENCES, false,
	  0 },
	{ "task state", check_task_state, "whether a thread blocked or was preempted",
	  "a newer framescope that knows this kernel", false, 0 },
	{ "fence identity", check_fence_identity, "which fence an event is about", NEEDS_FENCES,
	  false, 0 },
	{ "sync files", check_sync_file, "which fence a descriptor stands for", NEEDS_FENCES, false,
	  0 },
	{ "fence containers", check_containers, "which fences a merged one holds",
	  "root, or CAP_SYSLOG; and \"sysctl kernel.kptr_restrict=1\" or 0", false, 0 },
	{ "buffers' fences", check_resv, "which fence a polled dma-buf waits for",
	  "a newer framescope that knows this kernel", false, 0 },
	{ "GPU scheduler", check_gpu_scheduler, NULL, NULL, false, 0 },
	{ "waker context", check_waker_context, "whether a thread or an interrupt woke a thread",
	  "a kernel with CONFIG_KALLSYMS_ALL, or a newer framescope that knows this one", false,
	  0 },
	{ "syscall registers", check_registers, NULL, NULL, false, 0 },
	{ "uprobe cookies", check_cookie, NULL, NULL, false, 0 },
};

static const struct row after_btf[] = {
	{ "uprobes", check_uprobe, NO_RECORDING ": no function's calls are seen",
	  "root, or CAP_SYS_ADMIN, without which newer kernels grant none; a kernel with "
	  "CONFIG_UPROBE_EVENTS=y",
	  true, -ENOTSUP },
	{ "perf events", check_paranoid, "calls of probed functions", "root, or CAP_SYS_ADMIN",
	  false, 0 },
	{ "locked memory", check_memory, "records, when a ring is full; all of them without maps",
	  "\"ulimit -l unlimited\"; root, or CAP_IPC_LOCK, before 5.11 CAP_SYS_RESOURCE too", true,
	  -EPERM },
	{ "other processes", check_ptrace,
	  "libraries of other users' processes, from 6.15 on of those in containers only",
	  "root, or CAP_SYS_PTRACE", false, 0 },
	{ "pid_max", check_pid_max, "threads with a number above 4194304",
	  "\"sysctl kernel.pid_max=4194304\"", false, 0 },
	{ "tracefs", check_tracefs, "names of fence timelines",
	  "root, or CAP_DAC_READ_SEARCH; and \"mount -t tracefs tracefs /sys/kernel/tracing\"",
	  false, 0 },
	{ "BPF JIT", check_jit, "speed: without it BPF programs are interpreted",
	  "\"sysctl net.core.bpf_jit_enable=1\"", false, 0 },
	{ "BPF statistics", check_stats, "the run time of each BPF program in the totals",
	  "root, or \"sysctl kernel.bpf_stats_enabled=1\"", false, 0 },
	{ "clock", check_clock, "speed: each record reads the clock several times",
	  "a faster one of those listed in /sys/devices/system/clocksource/clocksource0", false,
	  0 },
};

_Static_assert(COUNT(before_btf) + COUNT(from_btf) + COUNT(after_btf) <= KERNEL_CHECKS_MAX,
	       "kernel_checks() has room for all");

static const struct {
	const struct row *rows;
	size_t count;
	bool needs_btf;
} tables[] = {
	{ before_btf, COUNT(before_btf), false },
	{ from_btf, COUNT(from_btf), true },
	{ after_btf, COUNT(after_btf), false },
};

static void run(const struct row *row, struct kernel_check *c)
{
	*c = (struct kernel_check){ .name = row->name, .required = row->required };
	row->run(c);
	if (c->state != CHECK_OK) {
		c->loss = row->loss;
		c->fix = row->fix;
	}
}

int kernel_checks(struct kernel_check *checks)
{
	int n = 0;

	for (size_t t = 0; t < COUNT(tables); t++) {
		if (tables[t].needs_btf && !kernel_has_btf())
			continue;
		for (size_t i = 0; i < tables[t].count; i++)
			run(&tables[t].rows[i], &checks[n++]);
	}
	return n;
}

int kernel_ready(struct err *e)
{
	struct kernel_check c;

	for (size_t t = 0; t < COUNT(tables); t++) {
		for (size_t i = 0; i < tables[t].count; i++) {
			const struct row *row = &tables[t].rows[i];

			if (!row->required)
				continue;
			run(row, &c);
			if (c.state != CHECK_MISSING)
				continue;
			err_set(e, row->code, "cannot record: %s: %s", c.name, c.detail);
			return err_hint(e, "%s", c.fix);
		}
	}
	return 0;
}
