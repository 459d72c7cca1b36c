/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Names of libraries, with and without their version. */
#ifndef BASE_LIBNAME_H
#define BASE_LIBNAME_H

#include <stdbool.h>

/* Is the file at `path` the library `lib`? "libEGL.so" is also "/usr/lib/libEGL.so.1.1.0". */
bool libname_matches(const char *lib, const char *path);

#endif
