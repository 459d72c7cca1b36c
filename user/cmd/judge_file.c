/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Has all frames of a file judged. */
#include "cmd/judge_file.h"

#include <errno.h>

#include "base/clock.h"

static void on_frame(void *ctx, struct frame *frame)
{
	struct judged_file *f = ctx;

	if (!f->error && !*f->stop)
		f->error = judging_frame(f->judging, f->analysis.model, frame);
}

static int judge_capture(struct judged_file *f, const char *path, struct err *e)
{
	const struct model_sink sink = { .frame = on_frame, .ctx = f };
	int rc = judging_calibrate(f->judging, path, e);

	f->analysis.topics = SOURCE_FRAMES | SOURCE_VERDICTS;
	if (!rc)
		rc = analysis_open(&f->analysis, path, &sink, e);
	if (!rc)
		rc = analysis_run(&f->analysis, f->stop, e);
	if (!rc && f->error)
		rc = err_errno(e, f->error, "cannot report on %s", path);
	if (rc)
		return rc;
	f->uptime_ms = model_end_ns(f->analysis.model) / NSEC_PER_MSEC;
	judging_finish(f->judging);
	return 0;
}

static int on_item(void *ctx, const struct gfxinfo_item *item)
{
	struct judged_file *f = ctx;

	if (item->kind == GFXINFO_DUMP)
		f->uptime_ms = item->uptime_ms;
	return 0;
}

static int judge_dump(struct judged_file *f, const char *path, struct err *e)
{
	struct dumped *d = &f->dumped;
	int rc;

	d->judging = f->judging;
	d->item = on_item;
	d->ctx = f;
	d->stop = f->stop;
	rc = dumped_open(d, path, e);
	if (!rc)
		rc = dumped_run(d, path, e);
	if (!rc)
		dumped_warn(d, path);
	return rc;
}

int judge_file(struct judged_file *f, const char *path, struct err *e)
{
	f->judging->report = f->report;
	f->judging->report_ctx = f->report_ctx;
	return dumped_is(path) ? judge_dump(f, path, e) : judge_capture(f, path, e);
}

uint64_t judged_file_realtime(const struct judged_file *f)
{
	return f->analysis.model ? model_stats(f->analysis.model)->realtime_offset_ns : 0;
}

void judged_file_close(struct judged_file *f)
{
	analysis_close(&f->analysis);
	dumped_close(&f->dumped);
}
