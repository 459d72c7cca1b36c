/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What the findings of kernel_checks.c rest on; for them and for the tests. */
#ifndef PROBE_KERNEL_FACTS_H
#define PROBE_KERNEL_FACTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct btf;

/* For tests: read /proc and /sys below `root` ("" is the real ones), forgetting what was read. The
 * string must stay. */
void kernel_set_root(const char *root);

/* Read a small text file, without its last newline. Its length, or a negative errno. */
ssize_t kernel_read(const char *path, char *text, size_t len);

/* The kernel's release from /proc ("6.18.2-rc1"); is it at least major.minor? */
const char *kernel_release(void);
bool kernel_at_least(unsigned major, unsigned minor);

/* Is this capability (CAP_BPF ...) effective? */
bool kernel_capable(unsigned cap);

/* The kernel's types, loaded once, or NULL. */
const struct btf *kernel_btf(void);

bool kernel_has_struct(const char *type);

/* Has the struct this member, perhaps within anonymous ones? */
bool kernel_has_member(const char *type, const char *member);

/* Is there a per-CPU variable of this name? */
bool kernel_has_variable(const char *name);

#endif
