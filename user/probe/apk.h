/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Libraries inside an APK, which is a zip file. Android maps one that is stored without compression
 * where it lies. The file is hostile input: nothing in it is believed unchecked.
 */
#ifndef PROBE_APK_H
#define PROBE_APK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

/* Entries with longer names are passed over. */
#define APK_NAME_MAX 512

struct apk;

/* A stored entry. */
struct apk_entry {
	char name[APK_NAME_MAX]; /* "lib/arm64-v8a/libgame.so"; any byte but NUL may be in it */
	uint64_t offset; /* of its contents, from the start of the APK */
	uint64_t size;
};

/* Is this the name of one? */
bool apk_is_named(const char *path);

/* Reads the list of entries. -EBADMSG if it is no zip file, or one of more than 4 GiB. */
int apk_open(const char *path, struct apk **out, struct err *e);
void apk_close(struct apk *a); /* NULL is fine */

/* The stored entry in whose contents byte `at` of the APK is. -ENOENT if there is none. */
int apk_entry_at(const struct apk *a, uint64_t at, struct apk_entry *entry);

/*
 * The entry of that name. -ENOENT, with the nearest name in e's hint, if there is none; -ENOTSUP if
 * it is compressed.
 */
int apk_entry_named(const struct apk *a, const char *name, struct apk_entry *entry, struct err *e);

#endif
