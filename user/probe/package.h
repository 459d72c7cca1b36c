/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The processes of an Android package: those that run, and those that start later. The system names
 * a process after its package, or "package:name" where the app has several; the kernel's comm has
 * only the last 15 bytes of that, so it is argv[0] that counts. Any program's will do.
 */
#ifndef PROBE_PACKAGE_H
#define PROBE_PACKAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/err.h"

/* Bytes of argv[0] that are looked at, with the NUL; a package's name is shorter. */
#define PACKAGE_NAME_LEN 256

/* May this be a package's name at all, by its length? */
bool package_is_name(const char *package);

/* Is a process of this name (argv[0]) one of the package: "P", or "P:" and something after it? */
bool package_matches(const char *package, const char *name);

struct package_watch;

/*
 * Begin to look for processes of `package`, which is copied. -EINVAL if that is no name, -ENOMEM.
 * Nothing was looked at yet.
 */
int package_watch_open(const char *package, struct package_watch **out, struct err *e);

/*
 * Call fn once with each process of the package that was not there at the last call; pid is that of
 * the process, name its argv[0], valid during the call. To be called often: a process that starts
 * is found at the first call after it has taken its name. (Only one that takes it later than
 * PACKAGE_YOUNG_NS after its start, and comes from no zygote, is found up to PACKAGE_YOUNG_NS after
 * that.) A call costs little more than one read if no process has started since the last one.
 * `now_ns` is CLOCK_MONOTONIC. Stops at the first non-zero return of fn and gives it back; else 0,
 * or a negative errno if /proc can't be read.
 */
int package_watch_poll(struct package_watch *w, uint64_t now_ns,
		       int (*fn)(void *ctx, pid_t pid, const char *name), void *ctx);

#define PACKAGE_YOUNG_NS (2000 * 1000000ull)

/*
 * The name most like the package's among all that were looked at so far, for whoever has mistyped
 * it; NULL if none is like it. It is any bytes that a process has chosen. Owned by w.
 */
const char *package_watch_nearest(const struct package_watch *w);

void package_watch_close(struct package_watch *w); /* NULL is fine */

#endif
