/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What this process may do: capabilities, limits, and what the kernel refuses when it is asked. */
#include "probe/kernel_rights.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <linux/capability.h>
#include <linux/perf_event.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "probe/kernel_facts.h"

/* Newer than the oldest <linux/capability.h> that we build with. */
#ifndef CAP_PERFMON
#define CAP_PERFMON 38
#define CAP_BPF 39
#endif

void check_found(struct kernel_check *c, enum check_state state, const char *fmt, ...)
{
	va_list args;

	c->state = state;
	va_start(args, fmt);
	vsnprintf(c->detail, sizeof(c->detail), fmt, args);
	va_end(args);
}

static bool capable(unsigned cap)
{
	/* CAP_SYS_ADMIN still includes what was split off it */
	return kernel_capable(cap) || kernel_capable(CAP_SYS_ADMIN);
}

void check_caps(struct kernel_check *c)
{
	if (kernel_capable(CAP_SYS_ADMIN))
		check_found(c, CHECK_OK, "CAP_SYS_ADMIN");
	else if (capable(CAP_BPF) && capable(CAP_PERFMON))
		check_found(c, CHECK_OK, "CAP_BPF, CAP_PERFMON: enough but for uprobes, perhaps");
	else
		check_found(c, CHECK_MISSING, "needs root, or CAP_SYS_ADMIN");
}

void check_ptrace(struct kernel_check *c)
{
	if (kernel_capable(CAP_SYS_PTRACE))
		check_found(c, CHECK_OK, "visible (CAP_SYS_PTRACE)");
	else
		check_found(c, CHECK_DEGRADED, "not visible: no CAP_SYS_PTRACE");
}

#define INIT_PID_NS_INO 0xeffffffcu /* PROC_PID_INIT_INO, fixed by the kernel */

/* The kernel side sees threads by their numbers in the first PID namespace. */
void check_pid_namespace(struct kernel_check *c)
{
	struct stat st;

	if (stat("/proc/self/ns/pid", &st))
		check_found(c, CHECK_DEGRADED, "unknown: %s", strerror(errno));
	else if (st.st_ino != INIT_PID_NS_INO)
		check_found(c, CHECK_MISSING, "not the machine's own: thread numbers differ here");
	else
		check_found(c, CHECK_OK, "the machine's own");
}

void check_lockdown(struct kernel_check *c)
{
	char text[128], mode[32];

	if (kernel_read("/sys/kernel/security/lockdown", text, sizeof(text)) < 0) {
		bool mounted = kernel_read("/sys/kernel/security/lsm", text, sizeof(text)) >= 0;

		check_found(c, CHECK_OK, "%s",
			    mounted ? "not in use" : "not reported (securityfs is not mounted)");
		return;
	}
	const char *open = strchr(text, '[');
	if (!open || sscanf(open, "[%31[a-z]]", mode) != 1)
		check_found(c, CHECK_DEGRADED, "not understood: \"%.60s\"", text);
	else
		check_found(c, strcmp(mode, "confidentiality") ? CHECK_OK : CHECK_MISSING, "%s",
			    mode);
}

/* The proof: SELinux, seccomp or a user namespace may refuse what the capabilities promise. */
void check_load(struct kernel_check *c)
{
	const struct bpf_insn insns[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0 },
		{ .code = BPF_JMP | BPF_EXIT },
	};

	int fd = bpf_prog_load(BPF_PROG_TYPE_RAW_TRACEPOINT, "doctor", "GPL", insns,
			       sizeof(insns) / sizeof(*insns), NULL);
	if (fd < 0) {
		check_found(c, CHECK_MISSING, "the kernel refuses to load one: %s", strerror(-fd));
		return;
	}
	close(fd);
	check_found(c, CHECK_OK, "can be loaded");
}

void check_paranoid(struct kernel_check *c)
{
	char text[16];

	if (kernel_read("/proc/sys/kernel/perf_event_paranoid", text, sizeof(text)) < 0)
		check_found(c, CHECK_MISSING, "no /proc/sys/kernel/perf_event_paranoid");
	else if (capable(CAP_PERFMON))
		check_found(c, CHECK_OK, "allowed (CAP_PERFMON)");
	else
		check_found(c, CHECK_DEGRADED, "limited by perf_event_paranoid %s", text);
}

/* "Max locked memory  8388608  8388608  bytes": the first of the two. */
static bool memlock_unlimited(void)
{
	static const char key[] = "\nMax locked memory";
	char limits[4096], soft[32];

	if (kernel_read("/proc/self/limits", limits, sizeof(limits)) < 0)
		return false;
	const char *line = strstr(limits, key);
	return line && sscanf(line + sizeof(key) - 1, " %31s", soft) == 1 &&
	       !strcmp(soft, "unlimited");
}

/* BPF maps are charged to the memory cgroup from 5.11 on; perf rings are still locked memory. */
void check_memory(struct kernel_check *c)
{
	bool maps =
		kernel_at_least(5, 11) || kernel_capable(CAP_SYS_RESOURCE) || memlock_unlimited();
	char ring[32], paranoid[16];

	kernel_read("/proc/sys/kernel/perf_event_mlock_kb", ring, sizeof(ring));
	kernel_read("/proc/sys/kernel/perf_event_paranoid", paranoid, sizeof(paranoid));
	if (!maps)
		check_found(c, CHECK_MISSING,
			    "RLIMIT_MEMLOCK is limited, and there is no CAP_SYS_RESOURCE");
	else if (kernel_capable(CAP_IPC_LOCK) || !strcmp(paranoid, "-1"))
		check_found(c, CHECK_OK, "enough for maps and rings");
	else
		check_found(c, CHECK_DEGRADED,
			    "rings of %s KiB per CPU, and \"ulimit -l\" for what is beyond: no "
			    "CAP_IPC_LOCK",
			    *ring ? ring : "a few hundred");
}

/* Ask for a probe in a file that there is not: rights are looked at before the file. */
void check_uprobe(struct kernel_check *c)
{
	static const char no_file[] = "/proc/self/no-such-file";
	struct perf_event_attr attr = {
		.size = sizeof(attr), .config1 = (uintptr_t)no_file, /* uprobe_path */
	};
	char type[16];
	int fd;

	if (kernel_read("/sys/bus/event_source/devices/uprobe/type", type, sizeof(type)) <= 0) {
		check_found(c, CHECK_MISSING, "no /sys/bus/event_source/devices/uprobe");
		return;
	}
	attr.type = (__u32)strtoul(type, NULL, 10);
	fd = (int)syscall(SYS_perf_event_open, &attr, -1, 0, -1, PERF_FLAG_FD_CLOEXEC);
	if (fd >= 0)
		close(fd);
	else if (errno == EACCES || errno == EPERM)
		check_found(c, CHECK_MISSING, "refused%s: %s",
			    kernel_capable(CAP_SYS_ADMIN) ? "" : " without CAP_SYS_ADMIN",
			    strerror(errno));
	if (c->state != CHECK_MISSING)
		check_found(c, CHECK_OK, "perf event type %s", type);
}

void check_stats(struct kernel_check *c)
{
	char on[16];

	if (kernel_read("/proc/sys/kernel/bpf_stats_enabled", on, sizeof(on)) < 0)
		check_found(c, CHECK_DEGRADED, "no /proc/sys/kernel/bpf_stats_enabled");
	else if (strcmp(on, "0") != 0)
		check_found(c, CHECK_OK, "on");
	else if (kernel_capable(CAP_SYS_ADMIN))
		check_found(c, CHECK_OK, "can be switched on");
	else
		check_found(c, CHECK_DEGRADED, "off, and switching on needs CAP_SYS_ADMIN");
}
