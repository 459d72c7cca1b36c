/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Libraries: those that a process maps, those in the usual places, and one at a path. A library is
 * a file, or an entry of an APK ("base.apk!/lib/arm64-v8a/libgame.so").
 */
#ifndef PROBE_LIBRARY_H
#define PROBE_LIBRARY_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/err.h"
#include "probe/elf.h"

/* What one is known by, whatever its path: a mount namespace or a link may have others for it. */
struct library_id {
	uint64_t dev;
	uint64_t ino;
	uint64_t base; /* where in the file its ELF begins: of several in an APK, which */
};

struct library {
	struct library_id id;
	uint64_t size; /* bytes, of an entry of an APK; else 0 */
	const char *path; /* of the file, where we can open and probe it */
	const char *name; /* as its users see it */
};

/*
 * Called with each library found, which is valid during the call. A non-zero return ends the search
 * and is what the search returns.
 */
typedef int (*library_fn)(void *ctx, const struct library *lib);

/* Those that a process maps for execution; -ESRCH if it is gone, -EACCES without the right. */
int library_each_mapped(pid_t pid, library_fn fn, void *ctx);

/* Those of this name, without version, in the usual places. */
int library_each_usual(const char *name, library_fn fn, void *ctx);

/*
 * The one at a path, with "!/" and the entry's name behind that of an APK. Negative, with its text,
 * if there is none; else what fn returns.
 */
int library_at(const char *path, library_fn fn, void *ctx, struct err *e);

/* Is this library meant by a name without version ("libEGL.so"), or by a path? */
bool library_matches(const char *wanted, const struct library *lib);

/* As elf_file_open(). */
int library_open(const struct library *lib, struct elf_file **out, struct err *e);

/* A set of libraries; NULL is empty. */
struct library_set;

/* 1 if it is new in the set, 0 if it was there, or -ENOMEM. */
int library_set_add(struct library_set **set, const struct library_id *id);
void library_set_free(struct library_set **set);

/* Call fn with the path of every library in the usual places. */
void library_usual_paths(void (*fn)(void *ctx, const char *path), void *ctx);

#endif
