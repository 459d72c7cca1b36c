/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * read_source FILE: reads it to its end, without anything behind the reader. Prints its bytes, the
 * nanoseconds it took and how many records it had.
 */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

#include "stream/source.h"

static uint64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

int main(int argc, char **argv)
{
	const struct fs_header *rec;
	const struct source_stats *stats;
	struct source *s;
	struct err e = { 0 };
	uint64_t start_ns = now_ns();
	int ret;

	if (argc != 2) {
		fprintf(stderr, "usage: read_source FILE\n");
		return 2;
	}
	ret = source_open(argv[1], &s, &e);
	while (!ret && (ret = source_next(s, &rec, &e)) == 1)
		ret = 0;
	if (ret < 0) {
		err_print(&e);
		return 1;
	}
	stats = source_stats(s);
	printf("%" PRIu64 " %" PRIu64 " %" PRIu64 "\n", stats->bytes, now_ns() - start_ns,
	       stats->records);
	source_close(s);
	return 0;
}
