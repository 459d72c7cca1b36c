/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The input of a libFuzzer target, as the file that its reader opens. */
#ifndef TESTS_FUZZ_INPUT_H
#define TESTS_FUZZ_INPUT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* Its name, until the next call. */
static inline const char *fuzz_input(const uint8_t *data, size_t size)
{
	static int fd = -1;
	static char path[64];

	if (fd < 0)
		fd = memfd_create("input", MFD_CLOEXEC);
	if (fd < 0 || ftruncate(fd, 0) || pwrite(fd, data, size, 0) != (ssize_t)size)
		abort();
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return path;
}

#endif
