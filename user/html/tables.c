/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The rows that a page has: frames with all columns of `frames` and what the page needs besides to
 * draw them; blocks and fences with those of `export`, as far as struct detail keeps them; and
 * where records were lost.
 */
#include <errno.h>

#include "html/html.h"
#include "output/blocks.h"
#include "output/fences.h"
#include "output/frames.h"
#include "output/frames_columns.h"

struct page_row {
	struct frame_row row; /* what frames_columns are of */
	bool full; /* its blocks are all there */
};

static void get_full(const void *row, unsigned arg, struct cell *c)
{
	(void)arg;
	if (((const struct page_row *)row)->full)
		cell_set_number(c, 1);
}

static void get_told(const void *row, unsigned arg, struct cell *c)
{
	(void)arg;
	if (frame_of_row(row)->dumped)
		cell_set_number(c, frame_of_row(row)->dumped);
}

/* Of others the way is the render thread's. */
static void get_way(const void *row, unsigned arg, struct cell *c)
{
	const struct frame *f = frame_of_row(row);

	if (!f->dumped && f->hwui.kind != FRAME_PLAIN)
		cell_set_number(c, f->hwui.way.ns[arg]);
}

static void get_from(const void *row, unsigned arg, struct cell *c)
{
	const struct frame *f = frame_of_row(row);

	if (f->hwui.stages_known & 1u << arg)
		cell_set_number(c, f->hwui.stage_edges[arg].from_ns);
}

static void get_to(const void *row, unsigned arg, struct cell *c)
{
	const struct frame *f = frame_of_row(row);

	if (f->hwui.stages_known & 1u << arg)
		cell_set_number(c, f->hwui.stage_edges[arg].to_ns);
}

/* clang-format off */
#define STAGE(name, stage)                      \
	{ "from_" name, get_from, stage },      \
	{ "to_" name, get_to, stage }
/* clang-format on */

static const struct listing_column page_columns[] = {
	{ "full", get_full, 0 },
	{ "told", get_told, 0 },
	{ "way_running", get_way, BUDGET_RUNNING },
	{ "way_runnable", get_way, BUDGET_RUNNABLE },
	{ "way_fence", get_way, BUDGET_FENCE },
	{ "way_slot", get_way, BUDGET_SLOT },
	{ "way_gpu", get_way, BUDGET_GPU },
	{ "way_lock", get_way, BUDGET_LOCK },
	{ "way_binder", get_way, BUDGET_BINDER },
	{ "way_ipc", get_way, BUDGET_IPC },
	{ "way_io", get_way, BUDGET_IO },
	{ "way_sleep", get_way, BUDGET_SLEEP },
	{ "way_other", get_way, BUDGET_OTHER },
	{ "way_unknown", get_way, BUDGET_UNKNOWN },
	STAGE("unknown_delay", STAGE_UNKNOWN_DELAY),
	STAGE("input_handling", STAGE_INPUT_HANDLING),
	STAGE("animation", STAGE_ANIMATION),
	STAGE("layout_measure", STAGE_LAYOUT_MEASURE),
	STAGE("draw", STAGE_DRAW),
	STAGE("render_queue", STAGE_RENDER_QUEUE),
	STAGE("sync_prepare", STAGE_SYNC_PREPARE),
	STAGE("sync_dequeue", STAGE_SYNC_DEQUEUE),
	STAGE("command_issue", STAGE_COMMAND_ISSUE),
	STAGE("swap_buffers", STAGE_SWAP_BUFFERS),
	STAGE("gpu", STAGE_GPU),
	{ NULL, NULL, 0 },
};

_Static_assert(BUDGET_NR == 12 && STAGE_NR == 11, "a new part or stage needs columns, here and in "
						  "page/names.js");

static void get_lost_time(const void *row, unsigned arg, struct cell *c)
{
	(void)arg;
	cell_set_number(c, ((const struct fs_lost *)row)->h.time_ns);
}

static void get_lost_count(const void *row, unsigned arg, struct cell *c)
{
	const struct fs_lost *lost = row;

	(void)arg;
	if (lost->count)
		cell_set_number(c, lost->count);
}

static void get_lost_cpu(const void *row, unsigned arg, struct cell *c)
{
	const struct fs_lost *lost = row;

	(void)arg;
	if (lost->h.cpu != FS_CPU_NONE)
		cell_set_number(c, lost->h.cpu);
}

static const struct listing_column loss_columns[] = {
	{ "time_ns", get_lost_time, 0 },
	{ "count", get_lost_count, 0 },
	{ "cpu", get_lost_cpu, 0 },
	{ NULL, NULL, 0 },
};

static int begin(struct export *x)
{
	struct html_file *h = x->priv;

	h->frames = pack_table_new(x->out, PACK_FRAMES, h->index, page_columns, frames_columns);
	if (!h->frames)
		return -ENOMEM;
	if (h->baseline || !h->detail)
		return 0;
	h->blocks = pack_table_new(x->out, PACK_BLOCKS, h->index, blocks_view.columns, NULL);
	h->fences = pack_table_new(x->out, PACK_FENCES, h->index, fences_lives.columns, NULL);
	h->losses = pack_table_new(x->out, PACK_LOSSES, h->index, loss_columns, NULL);
	return h->blocks && h->fences && h->losses ? 0 : -ENOMEM;
}

static int record(struct export *x, const struct fs_header *rec)
{
	struct html_file *h = x->priv;

	if (rec->kind == FS_KIND_LOST && h->losses && h->nr_losses++ < HTML_LOSSES)
		return pack_row(h->losses, rec);
	return h->probed ? probed_feed(h->probed, rec) : 0;
}

static int frame(struct export *x, const struct frame *f)
{
	struct html_file *h = x->priv;
	const struct page_row row = {
		.row = { .frame = f },
		.full = h->detail && !h->baseline && detail_frame(h->detail, f),
	};

	return pack_row(h->frames, &row);
}

static int block(struct export *x, const struct block *b)
{
	struct html_file *h = x->priv;
	struct fence_name name;

	if (!h->blocks || !detail_block(h->detail, b))
		return 0;
	if (b->has_fence)
		model_fence_name(x->model, b->fence.context, &name);
	return pack_row(h->blocks,
			&(struct block_row){ .block = b, .name = b->has_fence ? &name : NULL });
}

static int put_fence(struct export *x, const struct fence *f, bool over, enum fence_end how)
{
	struct html_file *h = x->priv;
	struct fence_name name;
	struct fences_row row;
	uint64_t from, to;

	/* What was not seen to be submitted has no place on a lane. */
	if (!h->fences || !detail_fence_span(f, over, how, x->now_ns, &from, &to) ||
	    !detail_fence(h->detail, from, to))
		return 0;
	row = export_fence_row(x, f, over, how, &name);
	return pack_row(h->fences, &row);
}

static int fence_ended(struct export *x, const struct fence *f, enum fence_end how)
{
	return put_fence(x, f, true, how);
}

static int fence_left(struct export *x, const struct fence *f)
{
	return put_fence(x, f, false, FENCE_END_SIGNALED);
}

static int end(struct export *x)
{
	struct html_file *h = x->priv;
	int rc = pack_flush(h->frames);

	if (!rc && h->blocks)
		rc = pack_flush(h->blocks);
	if (!rc && h->fences)
		rc = pack_flush(h->fences);
	if (!rc && h->losses)
		rc = pack_flush(h->losses);
	return rc;
}

/* Not what the caller owns. */
static void release(struct export *x)
{
	struct html_file *h = x->priv;

	pack_table_free(h->frames);
	pack_table_free(h->blocks);
	pack_table_free(h->fences);
	pack_table_free(h->losses);
	h->frames = h->blocks = h->fences = h->losses = NULL;
}

const struct export_ops html_ops = {
	.name = "html",
	.begin = begin,
	.record = record,
	.frame = frame,
	.block = block,
	.fence_ended = fence_ended,
	.fence_left = fence_left,
	.end = end,
	.free = release,
};
