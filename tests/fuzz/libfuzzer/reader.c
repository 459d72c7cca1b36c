/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A libFuzzer target: the input is a file, and goes the whole way that a file goes, from its reader
 * through the model. Built once for each reader, of which READER is the source_ops; an input that
 * another one would read is turned down.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "fuzz/libfuzzer/input.h"
#include "model/fence_stats.h"
#include "model/model.h"
#include "stream/source.h"
#include "trace/perfetto.h"
#include "trace/text.h"

static void on_frame(void *ctx, struct frame *f)
{
	(void)ctx;
	/* The parts of a budget are the whole, whatever the input. */
	if (budget_total(&f->render) != f->end_ns - f->render_start_ns && f->dumped == DUMP_NONE)
		abort();
}

static void on_wait(void *ctx, const struct fence_wait *w)
{
	if (fence_stats_wait(*(struct fence_stats **)ctx, w))
		abort();
}

static void follow(struct source *s)
{
	struct fence_stats *stats = NULL;
	const struct model_sink sink = { .frame = on_frame, .fence_wait = on_wait, .ctx = &stats };
	struct model *m = model_new(&sink);
	const struct fs_header *rec;
	struct err e = { 0 };

	stats = m ? fence_stats_new(m) : NULL;
	if (!stats)
		abort();
	while (source_next(s, &rec, &e) > 0)
		if (model_feed(m, rec))
			abort();
	if (model_finish(m) || fence_stats_finish(stats))
		abort();
	fence_stats_free(stats);
	model_free(m);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct source *s = NULL;
	struct err e = { 0 };

	if (!READER.detect(data, size < SOURCE_HEAD_LEN ? size : SOURCE_HEAD_LEN))
		return -1;
	if (!source_open(fuzz_input(data, size), &s, &e))
		follow(s);
	source_close(s);
	return 0;
}
