/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* MiniDebugInfo: the compressed symbol table that a stripped library may carry. */
#ifndef PROBE_DEBUGDATA_H
#define PROBE_DEBUGDATA_H

#include <stddef.h>

/* What a section may unpack to, bytes; those of Android's largest libraries have about 10 MiB. */
#define DEBUGDATA_MAX (64u << 20)

/*
 * Unpack the xz stream of a .gnu_debugdata section. On success *out is malloc'ed, the caller's, and
 * holds *out_len bytes. -EBADMSG if it is damaged or cut, -EFBIG beyond DEBUGDATA_MAX, -ENOMEM.
 */
int debugdata_unpack(const void *data, size_t len, unsigned char **out, size_t *out_len);

#endif
