/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Gives records, and what the model makes of them, to a format. */
#include "export/export.h"

#include <inttypes.h>
#include <string.h>

#include "model/fence_context.h"
#include "output/output.h"

const struct export_format export_formats[] = {
	{ .ops = &export_perfetto, .suffixes = { ".pftrace", ".perfetto-trace" }, .binary = true },
	{ .ops = &export_chrome, .suffixes = { ".json" } },
	{ .ops = &export_csv, .suffixes = { ".csv" }, .rows = true },
	{ .ops = &export_ndjson, .suffixes = { ".ndjson", ".jsonl" }, .rows = true },
	{ .ops = &export_openmetrics, .suffixes = { ".om", ".prom" }, .short_text = true },
	{ 0 },
};

const struct export_format *export_find(const char *name)
{
	for (const struct export_format *f = export_formats; f->ops; f++)
		if (!strcmp(f->ops->name, name))
			return f;
	return NULL;
}

static bool ends_with(const char *path, const char *suffix)
{
	size_t len = strlen(path), end = suffix ? strlen(suffix) : 0;

	return end && len > end && !strcmp(path + len - end, suffix);
}

const struct export_format *export_find_file(const char *path)
{
	for (const struct export_format *f = export_formats; f->ops; f++)
		if (ends_with(path, f->suffixes[0]) || ends_with(path, f->suffixes[1]))
			return f;
	return NULL;
}

/* Something was given away. errno is what is known of a failed write: it is looked at at once. */
static void took(struct export *x, int err)
{
	x->error = err;
	x->write_error = output_failed(x->out);
	x->stop = x->error || x->write_error;
}

static void begun(void *ctx, const struct fence *f)
{
	struct export *x = ctx;

	if (!x->stop && x->ops->fence_begun)
		took(x, x->ops->fence_begun(x, f));
}

/* One that was destroyed may yet be said to have signalled, by a record that came late. */
static int ended(void *ctx, struct fence *f, enum fence_end how)
{
	struct export *x = ctx;

	if (!x->stop && x->ops->fence_ended && f->place == PLACE_IN_FLIGHT)
		took(x, x->ops->fence_ended(x, f, how));
	return 0;
}

static int forgotten(void *ctx, struct fence *f)
{
	(void)ctx;
	(void)f;
	return 0;
}

static int named(void *ctx, struct fence_context *c)
{
	(void)ctx;
	(void)c;
	return 0;
}

static void holds(void *ctx, struct fence_context *c, const char *member)
{
	(void)ctx;
	(void)c;
	(void)member;
}

static int waited(void *ctx, struct fence_id id, uint32_t pid, uint32_t tid, const char *comm)
{
	(void)ctx;
	(void)id;
	(void)pid;
	(void)tid;
	(void)comm;
	return 0;
}

struct fences_row export_fence_row(const struct export *x, const struct fence *f, bool over,
				   enum fence_end how, struct fence_name *name)
{
	*name = (struct fence_name){ 0 };
	fence_context_name(f->context, name);
	return (struct fences_row){
		.fence = f,
		.ended = over,
		.how = how,
		.signaller = model_thread_name(x->model, f->signaller_tid),
		.name = name,
	};
}

void export_frame_name(char name[EXPORT_FRAME_LEN], const struct frame *f)
{
	uint64_t ns;
	enum budget_part cause = frame_top_cause(f, &ns);
	bool known = ns && !frame_is_told(f);

	snprintf(name, EXPORT_FRAME_LEN, "frame %" PRIu64 "%s%s", f->number, known ? " " : "",
		 known ? budget_part_name(cause) : "");
}

void export_frame(struct export *x, const struct frame *f)
{
	if (!x->stop && x->ops->frame)
		took(x, x->ops->frame(x, f));
}

/* Each one is judged, for it changes the state that the next is judged by. */
static void on_frame(void *ctx, struct frame *f)
{
	struct export *x = ctx;

	if (!x->stop && x->judge && x->ops->frame)
		took(x, x->judge(x->judge_ctx, f));
	export_frame(x, f);
}

static void on_wait(void *ctx, const struct fence_wait *w)
{
	struct export *x = ctx;

	if (!x->stop && x->ops->wait)
		took(x, x->ops->wait(x, w));
}

static void on_block(void *ctx, const struct block *b)
{
	struct export *x = ctx;

	if (!x->stop && x->ops->block)
		took(x, x->ops->block(x, b));
}

struct model_sink export_sink(struct export *x)
{
	return (struct model_sink){
		.frame = on_frame,
		.fence_wait = x->ops->wait ? on_wait : NULL,
		.block = x->ops->block ? on_block : NULL,
		.ctx = x,
	};
}

void export_begin(struct export *x, struct model *m, const struct source *s)
{
	x->model = m;
	x->source = s;
	x->observer = (struct fence_observer){
		.ctx = x,
		.begun = begun,
		.ended = ended,
		.forgotten = forgotten,
		.named = named,
		.holds = holds,
		.waited = waited,
	};
	if (m)
		model_watch_fences(m, &x->observer);
	if (x->ops->begin)
		took(x, x->ops->begin(x));
}

int export_record(struct export *x, const struct fs_header *rec)
{
	x->now_ns = rec->time_ns;
	if (!x->stop && x->ops->record)
		took(x, x->ops->record(x, rec));
	return 0;
}

void export_end(struct export *x)
{
	const struct fence *f = x->model ? model_fences_in_flight(x->model) : NULL;

	for (; f && !x->stop && x->ops->fence_left; f = f->next)
		took(x, x->ops->fence_left(x, f));
	if (!x->stop && x->ops->end)
		took(x, x->ops->end(x));
}

void export_free(struct export *x)
{
	if (x->ops->free)
		x->ops->free(x);
	x->priv = NULL;
}
