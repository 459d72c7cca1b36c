/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The loop of the programs that damage a file again and again: fuzz_NAME [SECONDS [FIRST-INPUT]].
 */
#ifndef TESTS_FUZZ_FILE_H
#define TESTS_FUZZ_FILE_H

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

struct fuzz_file {
	const char *name;
	unsigned char *image; /* has room for any input */
	size_t (*make)(unsigned char *image, uint64_t input); /* always the same; its size */
	const char *(*use)(const char *path, size_t size); /* what was wrong, or NULL */
};

static inline double fuzz_seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static inline int fuzz_file(const struct fuzz_file *f, int argc, char **argv)
{
	double end = fuzz_seconds() + (argc > 1 ? strtod(argv[1], NULL) : 5);
	uint64_t first = argc > 2 ? strtoull(argv[2], NULL, 10) : 1, input = first;
	int fd = memfd_create(f->name, MFD_CLOEXEC);
	char path[64];

	if (fd < 0) {
		printf("FAIL fuzz/%s: memfd_create: %s\n", f->name, strerror(errno));
		return 1;
	}
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	for (; fuzz_seconds() < end; input++) {
		size_t size = f->make(f->image, input);

		if (ftruncate(fd, (off_t)size) || pwrite(fd, f->image, size, 0) != (ssize_t)size) {
			printf("FAIL fuzz/%s: cannot write the input: %s\n", f->name,
			       strerror(errno));
			return 1;
		}
		const char *wrong = f->use(path, size);
		if (wrong) {
			printf("FAIL fuzz/%s: input %llu: %s\n", f->name, (unsigned long long)input,
			       wrong);
			return 1;
		}
	}
	close(fd);
	printf("PASS fuzz/%s (%llu inputs)\n", f->name, (unsigned long long)(input - first));
	return 0;
}

#endif
