/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What a thread that blocks in a system call may be waiting for, by the call's number. */
#ifndef PROBE_SYSCALLS_H
#define PROBE_SYSCALLS_H

#include <stddef.h>
#include <stdint.h>

#include <linux/types.h>

#include <framescope/capture.h>

/*
 * Fill classes[nr] with the enum fs_call of system call `nr` of that architecture's 64-bit ABI, for
 * all nr below n. Numbers without a class are FS_CALL_OTHER, and so is everything for an unknown
 * architecture.
 */
void syscall_classes(uint32_t arch, uint8_t *classes, size_t n);

#endif
