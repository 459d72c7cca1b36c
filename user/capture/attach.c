// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * One program serves every probed function where the kernel passes a cookie. Where it does not,
 * each function has a copy of the loaded program, in which the placeholder is the cookie.
 */
#include "capture/attach.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define UPROBE_PMU "/sys/bus/event_source/devices/uprobe/"

#define LOAD_CONSTANT 0x18 /* opcode of a 64-bit load: BPF_LD | BPF_DW | BPF_IMM */

/* A 64-bit constant is two instructions, each with half of it. */
static unsigned put_cookie(struct bpf_insn *insns, size_t nr, uint64_t cookie)
{
	unsigned found = 0;

	for (size_t i = 0; i + 1 < nr; i++) {
		if (insns[i].code != LOAD_CONSTANT || insns[i].imm != (int32_t)ATTACH_PLACEHOLDER ||
		    insns[i + 1].imm != (int32_t)(ATTACH_PLACEHOLDER >> 32))
			continue;
		insns[i].imm = (int32_t)cookie;
		insns[i + 1].imm = (int32_t)(cookie >> 32);
		found++;
	}
	return found;
}

static int load_copy(const struct bpf_program *prog, uint64_t cookie)
{
	size_t nr = bpf_program__insn_cnt(prog);
	struct bpf_insn *insns = calloc(nr, sizeof(*insns));
	int fd = -ENOMEM;

	if (!insns)
		return fd;
	memcpy(insns, bpf_program__insns(prog), nr * sizeof(*insns));
	fd = -EINVAL;
	if (put_cookie(insns, nr, cookie))
		fd = bpf_prog_load(BPF_PROG_TYPE_KPROBE, bpf_program__name(prog), "Dual BSD/GPL",
				   insns, nr, NULL);
	free(insns);
	return fd;
}

static int read_number(const char *path, const char *format)
{
	FILE *f = fopen(path, "re");
	int value = -1;

	if (!f)
		return -errno;
	if (fscanf(f, format, &value) != 1)
		value = -EINVAL;
	fclose(f);
	return value;
}

static int open_event(const char *path, uint64_t offset, bool ret)
{
	int type = read_number(UPROBE_PMU "type", "%d");
	int bit = ret ? read_number(UPROBE_PMU "format/retprobe", "config:%d") : 0;
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = (__u32)type,
		.config = ret ? 1ull << (bit & 63) : 0,
		.config1 = (uint64_t)(uintptr_t)path,
		.config2 = offset,
	};
	int fd;

	if (type < 0 || bit < 0)
		return type < 0 ? type : bit;
	fd = (int)syscall(SYS_perf_event_open, &attr, -1, 0, -1, PERF_FLAG_FD_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

static int attach_copy(const struct bpf_program *prog, const char *path, uint64_t offset,
		       uint64_t cookie, bool ret, struct attachment *a)
{
	a->prog_fd = load_copy(prog, cookie);
	if (a->prog_fd < 0)
		return a->prog_fd;
	a->event_fd = open_event(path, offset, ret);
	if (a->event_fd < 0)
		return a->event_fd;
	if (ioctl(a->event_fd, PERF_EVENT_IOC_SET_BPF, a->prog_fd) ||
	    ioctl(a->event_fd, PERF_EVENT_IOC_ENABLE, 0))
		return -errno;
	return 0;
}

int attach_uprobe(const struct bpf_program *prog, const char *path, uint64_t offset,
		  uint64_t cookie, bool ret, bool cookies, struct attachment *a)
{
	const struct bpf_uprobe_opts opts = {
		.sz = sizeof(opts),
		.bpf_cookie = cookie,
		.retprobe = ret,
	};
	int err = 0;

	*a = (struct attachment){ .event_fd = -1, .prog_fd = -1 };
	if (!cookies) {
		err = attach_copy(prog, path, offset, cookie, ret, a);
	} else {
		a->link = bpf_program__attach_uprobe_opts(prog, -1, path, offset, &opts);
		if (!a->link)
			err = -errno;
	}
	if (err)
		attach_end(a);
	return err;
}

void attach_end(struct attachment *a)
{
	bpf_link__destroy(a->link);
	a->link = NULL;
	if (a->event_fd >= 0)
		close(a->event_fd);
	if (a->prog_fd >= 0)
		close(a->prog_fd);
	a->event_fd = a->prog_fd = -1;
}

#define HELPERS 16

struct ending {
	struct attachment **list;
	size_t nr;
	size_t next;
};

static void *end_some(void *arg)
{
	struct ending *ending = arg;
	size_t i;

	while ((i = __atomic_fetch_add(&ending->next, 1, __ATOMIC_RELAXED)) < ending->nr)
		attach_end(ending->list[i]);
	return NULL;
}

void attach_end_all(struct attachment **list, size_t nr)
{
	struct ending ending = { .list = list, .nr = nr };
	pthread_t helpers[HELPERS];
	unsigned started = 0;

	while (started < HELPERS && started + 1 < nr &&
	       !pthread_create(&helpers[started], NULL, end_some, &ending))
		started++;
	end_some(&ending);
	while (started)
		pthread_join(helpers[--started], NULL);
}
