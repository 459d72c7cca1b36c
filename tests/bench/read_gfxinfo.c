/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * read_gfxinfo FILE: only reads it, and prints "BYTES ELAPSED_NS ITEMS ROWS", for what reading
 * dumps costs by itself.
 */
#include <inttypes.h>
#include <stdio.h>
#include <time.h>

#include "stream/gfxinfo.h"

static uint64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

int main(int argc, char **argv)
{
	const struct gfxinfo_item *item;
	struct err e = { 0 };
	struct gfxinfo *g;
	uint64_t start_ns = now_ns(), items = 0;
	int ret;

	if (argc != 2) {
		fprintf(stderr, "usage: read_gfxinfo FILE\n");
		return 2;
	}
	if (gfxinfo_open(argv[1], &g, &e)) {
		err_print(&e);
		return 1;
	}
	while ((ret = gfxinfo_next(g, &item, &e)) == 1)
		items++;
	if (ret < 0) {
		err_print(&e);
		return 1;
	}
	const struct gfxinfo_input *in = gfxinfo_input(g);
	printf("%" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", in->bytes, now_ns() - start_ns,
	       items, in->rows);
	gfxinfo_close(g);
	return 0;
}
