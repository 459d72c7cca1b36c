/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Attaches the two programs of calls to a function in a file. */
#ifndef CAPTURE_ATTACH_H
#define CAPTURE_ATTACH_H

#include <linux/types.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bpf_link;
struct bpf_program;

/* The number that a copy of a program has in place of a cookie: bpf/uprobe.bpf.c. */
#define ATTACH_PLACEHOLDER UINT64_C(0x66735f706f696e74)

struct attachment {
	struct bpf_link *link;
	int event_fd, prog_fd; /* without cookies; -1 = none */
};

/*
 * Attach prog to the entry, or the return, of what lies at `offset` of the file, for all processes.
 * It learns `cookie` when it runs: from the attachment or, with cookies == false (before 5.15), by
 * being a copy of the program with that number in it. 0 or a negative errno.
 */
int attach_uprobe(const struct bpf_program *prog, const char *path, uint64_t offset,
		  uint64_t cookie, bool ret, bool cookies, struct attachment *a);

void attach_end(struct attachment *a);

/*
 * The same for many: the kernel waits for its CPUs with each, but can do so for several at a time.
 */
void attach_end_all(struct attachment **list, size_t nr);

#endif
