/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Rows of frames, fences, waits and blocks: one kind as CSV, any as NDJSON. */
#include <errno.h>
#include <stdlib.h>

#include "export/export.h"
#include "output/blocks.h"
#include "output/fences.h"
#include "output/frames.h"
#include "output/listing.h"

struct rows {
	struct listing frames, fences, waits, blocks;
};

static int begin(struct export *x, const struct row_format *format)
{
	struct rows *r = calloc(1, sizeof(*r));

	if (!r)
		return -ENOMEM;
	x->priv = r;
	r->frames = r->fences = r->waits = r->blocks =
		(struct listing){ .out = x->out, .format = format };
	r->frames.view = &frames_view;
	r->fences.view = &fences_lives;
	r->waits.view = &fences_waits;
	r->blocks.view = &blocks_view;
	/* Several kinds, each with its head, are no CSV. */
	if (x->rows & EXPORT_FRAMES)
		listing_begin(&r->frames);
	if (x->rows & EXPORT_FENCES)
		listing_begin(&r->fences);
	if (x->rows & EXPORT_WAITS)
		listing_begin(&r->waits);
	if (x->rows & EXPORT_BLOCKS)
		listing_begin(&r->blocks);
	return 0;
}

static int begin_csv(struct export *x)
{
	return begin(x, &row_csv);
}

static int begin_ndjson(struct export *x)
{
	return begin(x, &row_ndjson);
}

static int frame(struct export *x, const struct frame *f)
{
	struct rows *r = x->priv;

	if (x->rows & EXPORT_FRAMES)
		listing_print(&r->frames, &(struct frame_row){ .frame = f });
	return 0;
}

static int wait(struct export *x, const struct fence_wait *w)
{
	struct rows *r = x->priv;
	struct fence_name name;

	if (!(x->rows & EXPORT_WAITS))
		return 0;
	model_fence_name(x->model, w->fence.context, &name);
	listing_print(&r->waits, &(struct fences_row){ .wait = w, .name = &name });
	return 0;
}

static int block(struct export *x, const struct block *b)
{
	struct rows *r = x->priv;
	struct fence_name name;

	if (!(x->rows & EXPORT_BLOCKS))
		return 0;
	if (b->has_fence)
		model_fence_name(x->model, b->fence.context, &name);
	listing_print(&r->blocks,
		      &(struct block_row){ .block = b, .name = b->has_fence ? &name : NULL });
	return 0;
}

static int print_fence(struct export *x, const struct fence *f, bool over, enum fence_end how)
{
	struct rows *r = x->priv;
	struct fence_name name;
	struct fences_row row;

	if (!(x->rows & EXPORT_FENCES))
		return 0;
	row = export_fence_row(x, f, over, how, &name);
	listing_print(&r->fences, &row);
	return 0;
}

static int fence_ended(struct export *x, const struct fence *f, enum fence_end how)
{
	return print_fence(x, f, true, how);
}

static int fence_left(struct export *x, const struct fence *f)
{
	return print_fence(x, f, false, FENCE_END_SIGNALED);
}

static void release(struct export *x)
{
	free(x->priv);
}

const struct export_ops export_csv = {
	.name = "csv",
	.begin = begin_csv,
	.frame = frame,
	.wait = wait,
	.block = block,
	.fence_ended = fence_ended,
	.fence_left = fence_left,
	.free = release,
};

const struct export_ops export_ndjson = {
	.name = "ndjson",
	.begin = begin_ndjson,
	.frame = frame,
	.wait = wait,
	.block = block,
	.fence_ended = fence_ended,
	.fence_left = fence_left,
	.free = release,
};
