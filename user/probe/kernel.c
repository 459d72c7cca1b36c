/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Facts about the running kernel: its release, rights, types, tracepoints. Each is read once. */
#include "probe/kernel.h"

#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "probe/kernel_facts.h"

#define BTF_PATH "/sys/kernel/btf/vmlinux"
#define PID_MAX_LIMIT 4194304u /* of every 64-bit kernel */
#define ANONYMOUS_DEPTH 8

static struct {
	const char *root;
	struct btf *btf;
	const char *btf_file; /* --btf */
	bool btf_tried;
	char release[128];
	char tracefs[256];
} kernel = { .root = "" };

void kernel_set_root(const char *root)
{
	btf__free(kernel.btf);
	memset(&kernel, 0, sizeof(kernel));
	kernel.root = root;
}

static const char *rooted(const char *path, char full[PATH_MAX])
{
	int n = snprintf(full, PATH_MAX, "%s%s", kernel.root, path);

	return n < PATH_MAX ? full : path;
}

ssize_t kernel_read(const char *path, char *text, size_t len)
{
	char full[PATH_MAX];
	ssize_t n;

	text[0] = '\0';
	int fd = open(rooted(path, full), O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	n = read(fd, text, len - 1);
	if (n < 0)
		n = -errno;
	close(fd);
	if (n < 0)
		return n;
	text[n] = '\0';
	if (n && text[n - 1] == '\n')
		text[--n] = '\0';
	return n;
}

const char *kernel_release(void)
{
	if (!kernel.release[0])
		kernel_read("/proc/sys/kernel/osrelease", kernel.release, sizeof(kernel.release));
	return kernel.release;
}

bool kernel_at_least(unsigned major, unsigned minor)
{
	char *end;
	unsigned long is_major = strtoul(kernel_release(), &end, 10);

	if (*end != '.')
		return false;
	return is_major > major || (is_major == major && strtoul(end + 1, NULL, 10) >= minor);
}

bool kernel_capable(unsigned cap)
{
	static const char key[] = "\nCapEff:";
	char status[4096];

	if (kernel_read("/proc/self/status", status, sizeof(status)) < 0)
		return false;
	const char *line = strstr(status, key);
	return line && (strtoull(line + sizeof(key) - 1, NULL, 16) >> cap & 1);
}

uint32_t kernel_pid_max(void)
{
	unsigned long max;
	char text[32], *end;

	if (kernel_read("/proc/sys/kernel/pid_max", text, sizeof(text)) <= 0)
		return PID_MAX_LIMIT;
	max = strtoul(text, &end, 10);
	return *end || !max || max > UINT32_MAX ? PID_MAX_LIMIT : (uint32_t)max;
}

const char *kernel_tracefs(void)
{
	char path[PATH_MAX], line[1024], at[sizeof(kernel.tracefs)], type[64];

	if (kernel.tracefs[0])
		return kernel.tracefs;
	/* where debugfs is mounted, a look at this directory mounts tracefs on it */
	(void)access(rooted("/sys/kernel/debug/tracing/events", path), F_OK);
	FILE *mounts = fopen(rooted("/proc/self/mounts", path), "re");
	if (!mounts)
		return NULL;
	while (!kernel.tracefs[0] && fgets(line, sizeof(line), mounts)) {
		if (sscanf(line, "%*s %255s %63s", at, type) == 2 && !strcmp(type, "tracefs"))
			memcpy(kernel.tracefs, at, sizeof(at));
	}
	fclose(mounts);
	return kernel.tracefs[0] ? kernel.tracefs : NULL;
}

bool kernel_has_trace_event(const char *name)
{
	const char *tracefs = kernel_tracefs();
	char file[PATH_MAX], full[PATH_MAX];
	struct stat st;

	if (!tracefs)
		return false;
	snprintf(file, sizeof(file), "%s/events/%s/id", tracefs, name);
	/* Unlike access(2) this counts the capabilities of a program that has some. */
	return !stat(rooted(file, full), &st);
}

const struct btf *kernel_btf(void)
{
	libbpf_print_fn_t print;
	char path[PATH_MAX];

	if (kernel.btf_tried)
		return kernel.btf;
	kernel.btf_tried = true;
	/* that there is none is a finding, not something for libbpf to report */
	print = libbpf_set_print(NULL);
	kernel.btf = btf__parse(rooted(BTF_PATH, path), NULL);
	libbpf_set_print(print);
	return kernel.btf;
}

int kernel_use_btf(const char *path, struct err *e)
{
	libbpf_print_fn_t print;
	struct btf *btf;
	struct stat st;
	int err;

	if (!stat(path, &st) && !S_ISREG(st.st_mode)) {
		err_set(e, -EINVAL, "'%s' is no regular file", path);
		return err_hint(e, "a file with the BTF of exactly this kernel's build");
	}
	print = libbpf_set_print(NULL);
	btf = btf__parse(path, NULL);
	err = btf ? 0 : -errno;
	libbpf_set_print(print);
	if (err) {
		/* libbpf has numbers of its own for what it does not understand, and says of an ELF
		 * file without BTF, and of an empty file, what the system says of other things. */
		if (err <= -__LIBBPF_ERRNO__START || !access(path, R_OK))
			err_set(e, -EINVAL, "'%s' is neither BTF nor an ELF file with it", path);
		else
			err_errno(e, err, "cannot read the kernel's types from '%s'", path);
		return err_hint(e, "the BTF of exactly this kernel's build: its vmlinux, or what "
				   "'pahole --btf_encode_detached' makes of that");
	}
	btf__free(kernel.btf);
	kernel.btf = btf;
	kernel.btf_file = path;
	kernel.btf_tried = true;
	if (kernel_has_tracepoint("sched_switch"))
		return 0;
	err_set(e, -EINVAL, "'%s' describes no kernel that framescope could record on", path);
	return err_hint(e, "the BTF of exactly this kernel's build; it has a type "
			   "btf_trace_sched_switch");
}

const char *kernel_btf_file(void)
{
	return kernel.btf_file;
}

bool kernel_has_btf(void)
{
	return kernel_btf() != NULL;
}

bool kernel_has_own_btf(void)
{
	char path[PATH_MAX];

	return !access(rooted(BTF_PATH, path), R_OK);
}

static const struct btf_type *find_type(const char *name, unsigned kind)
{
	const struct btf *btf = kernel_btf();
	int id = btf ? btf__find_by_name_kind(btf, name, kind) : -ENOENT;

	return id > 0 ? btf__type_by_id(btf, (unsigned)id) : NULL;
}

/*
 * Every tracepoint has a typedef btf_trace_NAME of a pointer to its probe's prototype, whose first
 * argument is the registration's own.
 */
static const struct btf_type *find_tracepoint(const char *name)
{
	char type_name[128];

	snprintf(type_name, sizeof(type_name), "btf_trace_%s", name);
	return find_type(type_name, BTF_KIND_TYPEDEF);
}

bool kernel_has_tracepoint(const char *name)
{
	return find_tracepoint(name) != NULL;
}

int kernel_tracepoint_args(const char *name)
{
	const struct btf_type *type = find_tracepoint(name);

	if (type)
		type = btf__type_by_id(kernel.btf, type->type);
	if (type && btf_is_ptr(type))
		type = btf__type_by_id(kernel.btf, type->type);
	if (!type || !btf_is_func_proto(type) || !btf_vlen(type))
		return -ENOENT;
	return btf_vlen(type) - 1;
}

static bool member_within(const struct btf_type *type, const char *member, unsigned depth)
{
	const struct btf_member *m = btf_members(type);

	for (unsigned i = 0; i < btf_vlen(type); i++) {
		const char *name = btf__name_by_offset(kernel.btf, m[i].name_off);

		if (name && !strcmp(name, member))
			return true;
		if (!name || name[0] || !depth)
			continue;
		const struct btf_type *inner = btf__type_by_id(kernel.btf, m[i].type);
		if (inner && btf_is_composite(inner) && member_within(inner, member, depth - 1))
			return true;
	}
	return false;
}

bool kernel_has_member(const char *type, const char *member)
{
	const struct btf_type *found = find_type(type, BTF_KIND_STRUCT);

	return found && member_within(found, member, ANONYMOUS_DEPTH);
}

bool kernel_has_struct(const char *type)
{
	return find_type(type, BTF_KIND_STRUCT) != NULL;
}

bool kernel_has_variable(const char *name)
{
	return find_type(name, BTF_KIND_VAR) != NULL;
}

bool kernel_moved_hardirq(void)
{
	return kernel_has_variable("local_interrupt_disable_state");
}

bool kernel_has_helper(const char *name)
{
	const struct btf_type *ids = find_type("bpf_func_id", BTF_KIND_ENUM);
	char wanted[64];

	snprintf(wanted, sizeof(wanted), "BPF_FUNC_%s", name);
	for (unsigned i = 0; ids && i < btf_vlen(ids); i++) {
		const char *id = btf__name_by_offset(kernel.btf, btf_enum(ids)[i].name_off);

		if (id && !strcmp(id, wanted))
			return true;
	}
	return false;
}

/* "ffffffff81da6e10 t dma_fence_array_get_driver_name"; those of modules have more. */
static void take_symbol(char *line, struct kernel_symbol *symbols, unsigned nr, unsigned *missing)
{
	char *rest;
	uint64_t address = strtoull(line, &rest, 16);

	if (strlen(rest) < 4 || rest[0] != ' ')
		return;
	rest += 3;
	rest[strcspn(rest, "\t\n")] = '\0';
	for (unsigned i = 0; i < nr; i++) {
		if (!address || symbols[i].address || strcmp(rest, symbols[i].name) != 0)
			continue;
		symbols[i].address = address;
		(*missing)--;
	}
}

void kernel_symbols(struct kernel_symbol *symbols, unsigned nr)
{
	char full[PATH_MAX], *line = NULL;
	unsigned missing = nr;
	size_t room = 0;

	for (unsigned i = 0; i < nr; i++)
		symbols[i].address = 0;
	FILE *f = fopen(rooted("/proc/kallsyms", full), "re");
	if (!f)
		return;
	while (missing && getline(&line, &room, f) > 0)
		take_symbol(line, symbols, nr, &missing);
	free(line);
	fclose(f);
}
