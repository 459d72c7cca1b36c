/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Reads a file once, and gives what is in it to a format. */
#include "cmd/export_file.h"

#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "cmd/analysis.h"
#include "cmd/dumped.h"
#include "cmd/out_file.h"

#define LOOK_EVERY 65536 /* records, between two looks at the clock; a power of two */
#define PROGRESS_NS (500 * NSEC_PER_MSEC)

struct run {
	struct export x;
	struct analysis analysis;
	struct dumped dumped; /* one of these has the frames */
	struct judging *judging;
	struct out_file out;
	uint64_t records;
	uint64_t bytes; /* of input, 0 = not known */
	uint64_t shown_ns; /* the last look */
	bool progress, shown;
};

static void show_progress(struct run *r)
{
	uint64_t now = clock_monotonic_ns(), done = source_stats(r->analysis.source)->bytes;

	if (now - r->shown_ns < PROGRESS_NS)
		return;
	r->shown_ns = now;
	r->shown = true;
	fprintf(stderr, "\r  %u %%  %.1f of %.1f MiB\033[K",
		(unsigned)(done >= r->bytes ? 100 : (double)done * 100 / (double)r->bytes),
		(double)done / (1 << 20), (double)r->bytes / (1 << 20));
	fflush(stderr);
}

/* Where it would not be among the rows. */
static void begin_progress(struct run *r, const char *path)
{
	struct stat st;

	r->shown_ns = clock_monotonic_ns();
	if (!stat(path, &st) && S_ISREG(st.st_mode))
		r->bytes = (uint64_t)st.st_size;
	r->progress = r->bytes && log_level() >= LOG_INFO && isatty(STDERR_FILENO) &&
		      !isatty(fileno(r->out.f));
}

static void end_progress(struct run *r)
{
	if (r->shown)
		fputs("\r\033[K", stderr);
	r->shown = false;
}

static int on_record(void *ctx, const struct fs_header *rec)
{
	struct run *r = ctx;

	if (r->progress && !(++r->records & (LOOK_EVERY - 1)))
		show_progress(r);
	return export_record(&r->x, rec);
}

static int judge(void *ctx, struct frame *f)
{
	struct run *r = ctx;

	return judging_frame(r->judging, r->analysis.model, f);
}

static int read_records(struct run *r, const char *path, struct err *e)
{
	const struct model_sink sink = export_sink(&r->x);
	struct analysis *a = &r->analysis;
	int rc = judging_calibrate(r->judging, path, e);

	if (rc)
		return rc;
	a->record = on_record;
	a->record_ctx = r;
	a->topics = SOURCE_TOPICS_ALL;
	rc = analysis_open(a, path, &sink, e);
	if (rc)
		return rc;
	begin_progress(r, path);
	export_begin(&r->x, a->model, a->source);
	if (!r->x.stop)
		rc = analysis_run(a, &r->x.stop, e);
	end_progress(r);
	return rc;
}

static int on_dumped_frame(void *ctx, struct frame *f)
{
	struct run *r = ctx;

	export_frame(&r->x, f);
	return r->x.error;
}

static int read_dump(struct run *r, const char *path, struct err *e)
{
	struct dumped *d = &r->dumped;
	int rc;

	d->judging = r->judging;
	d->frame = on_dumped_frame;
	d->ctx = r;
	d->stop = &r->x.stop;
	rc = dumped_open(d, path, e);
	if (rc)
		return rc;
	export_begin(&r->x, NULL, NULL);
	rc = dumped_run(d, path, e);
	if (!rc)
		dumped_warn(d, path);
	return rc;
}

static int run(struct run *r, const struct export_request *q, struct err *e)
{
	int rc = out_file_open(&r->out, q->output, e);

	if (rc)
		return rc;
	r->x.out = r->out.f;
	rc = dumped_is(q->input) ? read_dump(r, q->input, e) : read_records(r, q->input, e);
	if (!rc && !r->x.stop)
		export_end(&r->x);
	if (!rc && r->x.error)
		rc = err_errno(e, r->x.error, "cannot export %s", q->input);
	if (rc)
		return rc;
	return out_file_commit(&r->out, r->x.write_error, e);
}

static int check_rows(const struct export_request *q, struct err *e)
{
	if (!dumped_is(q->input) || (q->format->rows && q->rows == EXPORT_FRAMES))
		return 0;
	err_set(e, -EINVAL,
		"'%s' is a text of dumpsys, or a pipe, where such a text is expected: it has "
		"frames "
		"and nothing else",
		q->input);
	return err_hint(e, "--format csv --rows frames");
}

int export_file(const struct export_request *q, struct err *e)
{
	struct run r = {
		.x = { .ops = q->format->ops, .rows = q->rows, .judge = judge, .judge_ctx = &r },
		.judging = q->judging,
	};
	int rc = check_rows(q, e);

	if (!rc && cmd_is_same_file(q->input, q->output)) {
		err_set(e, -EINVAL, "'%s' is the input itself", q->output);
		rc = err_hint(e, "another name with -o");
	}
	if (rc)
		return rc;
	rc = run(&r, q, e);
	if (!rc && !r.x.stop)
		judging_warn(r.judging, q->input);
	export_free(&r.x);
	out_file_close(&r.out);
	dumped_close(&r.dumped);
	analysis_close(&r.analysis);
	return rc;
}

bool export_is_recorded(const char *output)
{
	const struct export_format *format = export_find_file(output);

	return format && format->binary;
}

static bool is_regular(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISREG(st.st_mode);
}

int export_recorded(const char *input, const char *output, struct err *e)
{
	struct judging judging;
	const struct export_request q = {
		.input = input,
		.output = output,
		.format = export_find_file(output),
		.judging = &judging,
	};
	int rc;

	judging_init(&judging);
	rc = export_file(&q, e);
	judging_free(&judging);
	if (rc)
		return err_hint(e, "framescope export %s -o %s, for the recording is whole", input,
				output);
	log_info("%s: a Perfetto trace, for https://ui.perfetto.dev and framescope report", output);
	/* Whoever reads a pipe may have left before the end. */
	if (!is_regular(output))
		log_info("%s: kept, as the trace went to what is no file", input);
	else if (unlink(input))
		log_warn("%s: cannot be removed", input);
	return 0;
}
