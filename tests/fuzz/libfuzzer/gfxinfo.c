/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A libFuzzer target: the reader of dumpsys texts. */
#include <stdint.h>
#include <stdlib.h>

#include "fuzz/libfuzzer/input.h"
#include "stream/gfxinfo.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct gfxinfo_item *item;
	struct gfxinfo *g = NULL;
	struct err e = { 0 };
	uint64_t line = 1;

	if (!gfxinfo_detect(data, size) || gfxinfo_open(fuzz_input(data, size), &g, &e))
		return -1;
	while (gfxinfo_next(g, &item, &e) > 0) {
		if (item->line < line)
			abort();
		line = item->line;
	}
	gfxinfo_close(g);
	return 0;
}
