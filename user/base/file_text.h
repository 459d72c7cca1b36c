/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The whole of a small file. */
#ifndef BASE_FILE_TEXT_H
#define BASE_FILE_TEXT_H

#include <stddef.h>

#include "base/err.h"

/*
 * Its bytes, of which there may be `max`, and in *len how many; the caller's, to be freed. NULL
 * with the error: that of open(2) or read(2), -ENOMEM, or -E2BIG, of which `too_long` says why.
 */
char *file_text(const char *path, size_t max, const char *too_long, size_t *len, struct err *e);

#endif
