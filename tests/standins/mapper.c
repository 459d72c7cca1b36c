/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Maps a piece of a file as code and calls what is at an offset in it, as a linker does with a
 * library that lies inside another file:
 *
 *     mapper FILE OFFSET CALLS
 *
 * The function takes and returns an int, and fits into a page with whatever it calls.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

typedef int (*function)(int x);

int main(int argc, char **argv)
{
	const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);

	if (argc != 4) {
		fputs("usage: mapper FILE OFFSET CALLS\n", stderr);
		return 2;
	}
	uint64_t offset = strtoull(argv[2], NULL, 0), start = offset & ~(page - 1);
	int fd = open(argv[1], O_RDONLY | O_CLOEXEC), x = 0;
	unsigned char *code =
		mmap(NULL, 2 * page, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, (off_t)start);

	if (fd < 0 || code == MAP_FAILED) {
		perror(argv[1]);
		return 1;
	}
	function f = (function)(uintptr_t)(code + (offset - start));

	usleep(600000); /* long enough for the mapping to be seen: it is looked for now and then */
	for (long calls = strtol(argv[3], NULL, 10); calls > 0; calls--) {
		x = f(x);
		usleep(1000);
	}
	return x < 0;
}
