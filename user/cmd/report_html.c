/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Reads each input twice, for what a page has of it depends on all of it (html/detail.h); a text of
 * dumpsys, which may come from a pipe, once.
 */
#include "cmd/report_html.h"

#include <errno.h>
#include <stdio.h>

#include "cmd/analysis.h"
#include "cmd/cmd.h"
#include "cmd/dumped.h"
#include "cmd/out_file.h"
#include "html/html.h"
#include "output/meta.h"

/* One input. */
struct run {
	const char *path;
	FILE *out;
	struct judging judging;
	struct export x;
	struct analysis analysis;
	struct dumped dumped; /* one of these has the frames */
	struct detail detail;
	struct probed probed;
	struct summary *summary; /* for what is not to be trusted */
	struct html_file file;
};

static int on_record(void *ctx, const struct fs_header *rec)
{
	struct run *r = ctx;

	return export_record(&r->x, rec);
}

static int judge(void *ctx, struct frame *f)
{
	struct run *r = ctx;
	int rc = judging_frame(&r->judging, r->analysis.model, f);

	return rc ? rc : summary_add(r->summary, f);
}

/* The first reading. What the input lacks is said after the second. */
static int survey(struct run *r, struct err *e)
{
	struct export x = { .ops = &detail_ops, .priv = &r->detail };
	const struct model_sink sink = export_sink(&x);
	struct analysis a = { 0 };
	const struct fs_header *rec;
	int rc = analysis_open(&a, r->path, &sink, e), memory = 0;

	x.out = r->out;
	if (rc)
		goto out;
	export_begin(&x, a.model, a.source);
	while (!memory && !x.stop && (rc = source_next(a.source, &rec, e)) > 0) {
		export_record(&x, rec);
		memory = model_feed(a.model, rec);
	}
	if (!memory && !rc)
		memory = model_finish(a.model);
	if (!memory && !rc)
		export_end(&x);
	if (!memory)
		memory = x.error ? x.error : rc ? 0 : detail_settle(&r->detail);
	if (memory)
		rc = err_errno(e, memory, "cannot report on %s", r->path);
out:
	analysis_close(&a);
	return rc < 0 ? rc : 0;
}

static int put_info(struct run *r, bool dump, struct err *e)
{
	struct report report = { .path = r->path };
	int rc;

	if (!dump) {
		report.input = source_stats(r->analysis.source);
		report.model = model_stats(r->analysis.model);
		report.source = r->analysis.source;
		report.meta = model_meta(r->analysis.model);
		report.trace = meta_is_trace(report.meta);
		report.probed = &r->probed;
		report.origin_ns = analysis_origin(&r->analysis);
		report.summary = r->summary;
	}
	rc = html_info(r->out, &r->file, &report, dump);
	return rc ? err_errno(e, rc, "cannot report on %s", r->path) : 0;
}

static int read_capture(struct run *r, struct err *e)
{
	struct analysis *a = &r->analysis;
	struct model_sink sink;
	int rc = r->file.baseline ? 0 : survey(r, e);

	if (!rc)
		rc = judging_calibrate(&r->judging, r->path, e);
	if (rc)
		return rc;
	r->summary = summary_new();
	if (!r->summary)
		return err_errno(e, -ENOMEM, "cannot report on %s", r->path);
	r->file.detail = &r->detail;
	r->file.probed = &r->probed;
	sink = export_sink(&r->x);
	a->record = on_record;
	a->record_ctx = r;
	rc = analysis_open(a, r->path, &sink, e);
	if (rc)
		return rc;
	export_begin(&r->x, a->model, a->source);
	return r->x.stop ? 0 : analysis_run(a, &r->x.stop, e);
}

static int on_dumped_frame(void *ctx, struct frame *f)
{
	struct run *r = ctx;

	export_frame(&r->x, f);
	return r->x.error;
}

static int read_dump(struct run *r, struct err *e)
{
	struct dumped *d = &r->dumped;
	int rc;

	d->judging = &r->judging;
	d->frame = on_dumped_frame;
	d->ctx = r;
	d->stop = &r->x.stop;
	rc = dumped_open(d, r->path, e);
	if (rc)
		return rc;
	export_begin(&r->x, NULL, NULL);
	rc = dumped_run(d, r->path, e);
	if (!rc)
		dumped_warn(d, r->path);
	return rc;
}

static int finish(struct run *r, bool dump, struct err *e)
{
	if (!r->x.stop)
		export_end(&r->x);
	if (r->x.error)
		return err_errno(e, r->x.error, "cannot report on %s", r->path);
	if (r->x.stop)
		return 0;
	judging_warn(&r->judging, r->path);
	return put_info(r, dump, e);
}

/* 0 or a negative errno; *failed is that of the first write that failed. */
static int put_file(const struct report_html_request *q, FILE *out, unsigned index,
		    const char *path, int *failed, struct err *e)
{
	struct run r = {
		.path = path,
		.out = out,
		.judging = *q->judging,
		.file = { .index = index, .baseline = path == q->baseline },
	};
	bool dump = dumped_is(path);
	int rc;

	r.x = (struct export){
		.ops = &html_ops,
		.out = out,
		.judge = judge,
		.judge_ctx = &r,
		.priv = &r.file,
	};
	rc = dump ? read_dump(&r, e) : read_capture(&r, e);
	if (!rc)
		rc = finish(&r, dump, e);
	*failed = r.x.write_error;
	export_free(&r.x);
	analysis_close(&r.analysis);
	dumped_close(&r.dumped);
	judging_free(&r.judging);
	summary_free(r.summary);
	probed_free(&r.probed);
	detail_free(&r.detail);
	return rc;
}

static int check_names(const struct report_html_request *q, struct err *e)
{
	for (unsigned i = 0; i <= q->nr_paths; i++) {
		const char *path = i < q->nr_paths ? q->paths[i] : q->baseline;

		if (!path || !cmd_is_same_file(path, q->output))
			continue;
		err_set(e, -EINVAL, "'%s' is an input itself", q->output);
		return err_hint(e, "another name with --html");
	}
	return 0;
}

int report_html(const struct report_html_request *q, struct err *e)
{
	struct out_file out = { 0 };
	int rc = check_names(q, e), failed = 0;

	if (rc)
		return rc;
	rc = out_file_open(&out, q->output, e);
	if (rc) {
		err_hint(e, "another name with --html");
		goto out;
	}
	html_begin(out.f);
	for (unsigned i = 0; i < q->nr_paths && !rc && !failed; i++)
		rc = put_file(q, out.f, i, q->paths[i], &failed, e);
	if (q->baseline && !rc && !failed)
		rc = put_file(q, out.f, q->nr_paths, q->baseline, &failed, e);
	if (rc)
		goto out;
	html_end(out.f);
	rc = out_file_commit(&out, failed ? failed : output_failed(out.f), e);
	if (rc == -ENOSPC)
		err_hint(e, "free some space, or another file system with --html");
out:
	out_file_close(&out);
	return rc;
}
