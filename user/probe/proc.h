/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Processes, threads and mapped files, from /proc. */
#ifndef PROBE_PROC_H
#define PROBE_PROC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/err.h"

/* The name of a process or thread: 0, or -ESRCH if it is gone. `comm` has FS_COMM_LEN bytes. */
int proc_comm(pid_t pid, char *comm);

/*
 * The name that a process was called by, or has given itself since: argv[0], cut to len - 1 bytes.
 * 0, -ESRCH if it is gone, or another negative errno. Empty for a kernel thread, for one that has
 * ended and for one without arguments.
 */
int proc_argv0(pid_t pid, char *name, size_t len);

/* The process a thread belongs to, and its parent process; -ESRCH if it is gone. */
int proc_ids(pid_t tid, pid_t *tgid, pid_t *ppid);

/* Call fn for every process; stops at the first non-zero return and gives it back. */
int proc_each(int (*fn)(void *ctx, pid_t pid), void *ctx);

/* Call fn for every thread of a process, likewise; -ESRCH if the process is gone. */
int proc_each_thread(pid_t pid, int (*fn)(void *ctx, pid_t tid), void *ctx);

/* A file mapped with execute permission. `path` is usable by this process: below /proc/PID/root
 * where that differs from our own root. Identity is (dev, ino). */
struct proc_map {
	uint64_t dev;
	uint64_t ino;
	uint64_t offset; /* where in the file the mapping begins */
	const char *path;
	const char *name; /* path as the process sees it */
};

/*
 * Call fn for every such file of a process, each once, but an APK for each place that is mapped;
 * returns as proc_each().
 */
int proc_each_map(pid_t pid, int (*fn)(void *ctx, const struct proc_map *map), void *ctx);

/*
 * The size of the process's executable library mappings (VmLib), KiB: changes when a library is
 * loaded, and is read without the target's mmap lock. 0 if only the main thread has ended. -ESRCH
 * if the process is gone, a zombie, or a kernel thread.
 */
int proc_lib_size(pid_t pid, uint64_t *kib);

#endif
