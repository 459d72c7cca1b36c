/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * From 6.13 on the kernel may give each BPF function of 64 bytes or more of stack, rounded up to
 * 16, one stack per CPU. A uprobe's program can be preempted, and the next one on that CPU would
 * write over its records. So no function of these programs may use that much: loads them, and
 * prints what the verifier says of each.
 *
 * Exit code: 0 all is right, 1 it is not.
 */
#include <bpf/libbpf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture/kernel_side.h"

/* Bytes: the most that is less than the kernel's BPF_PRIV_STACK_MIN_SIZE when it is rounded up. */
#define STACK_MAX 48
#define LOG_STATS 4

static char log_text[1 << 20];

/* "stack depth 32+0+56": of the program and its functions, at the log's end. */
static int check(const char *name)
{
	const char *at = strstr(log_text, "stack depth ");
	int failed = 0;

	if (!at) {
		printf("%s: the verifier does not tell\n", name);
		return 1;
	}
	at += strlen("stack depth ");
	printf("%s: %.*s bytes of %d\n", name, (int)strcspn(at, "\n"), at, STACK_MAX);
	for (char *end = (char *)at - 1; *end == ' ' || *end == '+';)
		failed |= strtoul(end + 1, &end, 10) > STACK_MAX;
	return failed;
}

static int load(const char *name)
{
	struct framescope_bpf *skel = framescope_bpf__open();
	struct bpf_program *prog = skel ? bpf_object__find_program_by_name(skel->obj, name) : NULL;
	int failed = 1;

	if (prog) {
		bpf_program__set_autoload(prog, true);
		bpf_program__set_log_level(prog, LOG_STATS);
		bpf_program__set_log_buf(prog, log_text, sizeof(log_text));
		/* Else the verifier drops what is for them. */
		skel->rodata->array_driver_name = 1;
		skel->rodata->chain_driver_name = 2;
		skel->rodata->has_attach_cookie = true;
	}
	if (!prog || framescope_bpf__load(skel))
		printf("%s: can't be loaded\n", name);
	else
		failed = check(name);
	framescope_bpf__destroy(skel);
	return failed;
}

int main(void)
{
	int failed = load("span_entry") | load("mark_entry");

	return load("span_return") | failed;
}
