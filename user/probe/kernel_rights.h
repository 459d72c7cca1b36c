/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The findings of kernel_checks() that are about rights and limits, and how a finding is noted. */
#ifndef PROBE_KERNEL_RIGHTS_H
#define PROBE_KERNEL_RIGHTS_H

#include "probe/kernel.h"

/* Fill in what was found. */
void check_found(struct kernel_check *c, enum check_state state, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Each fills in state and detail; the name is set. */
void check_caps(struct kernel_check *c);
void check_ptrace(struct kernel_check *c);
void check_pid_namespace(struct kernel_check *c);
void check_lockdown(struct kernel_check *c);
void check_load(struct kernel_check *c);
void check_paranoid(struct kernel_check *c);
void check_memory(struct kernel_check *c);
void check_uprobe(struct kernel_check *c);
void check_stats(struct kernel_check *c);

#endif
