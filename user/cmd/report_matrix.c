/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* From a file to Matrix's reports: a function for each of their shapes. */
#include "cmd/report_matrix.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/text.h"
#include "cmd/analysis.h"
#include "cmd/judge_file.h"
#include "output/matrix_json.h"
#include "output/output.h"

struct looper_run {
	struct analysis analysis;
	struct looper looper;
	int error; /* negative errno of what failed in the sink */
	int write_error; /* or in writing */
	bool stop;
};

/* Of an instant of the capture, in ms of CLOCK_REALTIME; 0 = not known. */
static uint64_t realtime_ms(const struct analysis *a, uint64_t at)
{
	uint64_t offset = model_stats(a->model)->realtime_offset_ns;

	return offset ? (at + offset) / NSEC_PER_MSEC : 0;
}

static void print_looper(struct looper_run *run, const struct looper_report *r, bool partial)
{
	const struct matrix_issue issue = {
		.process = r->scene,
		.time_ms = realtime_ms(&run->analysis, r->end_ns),
		.partial = partial,
	};

	run->error = matrix_json_looper(stdout, r, &issue);
	run->write_error = output_failed(stdout);
	run->stop = run->error || run->write_error;
}

static void on_message(void *ctx, const struct message *msg)
{
	struct looper_run *run = ctx;
	struct looper_report r;
	int rc;

	if (run->stop)
		return;
	rc = looper_add(&run->looper, msg, &r);
	if (rc > 0)
		print_looper(run, &r, false);
	else
		run->error = rc;
	run->stop |= run->error != 0;
}

/* A line when the frames of a process have taken 10 s, and in the end what is left. */
static int make_looper(const char *path, struct judging *j, struct err *e)
{
	struct looper_run run = { .looper = { .config = &j->rules.matrix } };
	const struct model_sink sink = { .message = on_message, .ctx = &run };
	struct looper_report r;
	int rc;

	if (dumped_is(path)) {
		err_set(e, -EINVAL, "'%s' has no messages of UI threads: it is a text of dumpsys",
			path);
		return err_hint(e, "--matrix framemetrics, or a capture of framescope record");
	}
	rc = analysis_open(&run.analysis, path, &sink, e);
	output_begin();
	if (!rc)
		rc = analysis_run(&run.analysis, &run.stop, e);
	while (!rc && !run.stop && looper_finish(&run.looper, &r))
		print_looper(&run, &r, true);
	if (!rc && !run.looper.windows.nr)
		log_warn("%s: there are no messages of UI threads in it: they are seen by "
			 "Looper::pollOnce() of Android's libutils.so",
			 path);
	if (!rc && run.error)
		rc = err_errno(e, run.error, "cannot report on %s", path);
	if (!rc)
		rc = output_finish(stdout, run.write_error, e);
	looper_free(&run.looper);
	analysis_close(&run.analysis);
	return rc;
}

struct frames_run {
	struct judged_file file;
	int error; /* as above */
	int write_error;
	bool stop;
};

static void on_report(void *ctx, const struct window_verdicts *w, const struct matrix_report *r)
{
	struct frames_run *run = ctx;
	uint64_t offset = judged_file_realtime(&run->file);
	const struct matrix_issue issue = {
		.process = w->producer->process,
		.time_ms = offset ? (r->end_ns + offset) / NSEC_PER_MSEC : 0,
	};

	if (run->stop)
		return;
	run->error = matrix_json_frames(stdout, r, &issue);
	run->write_error = output_failed(stdout);
	run->stop = run->error || run->write_error;
}

/* A line for each window's 10 s. */
static int make_frames(const char *path, struct judging *j, struct err *e)
{
	struct frames_run run = { .file = { .judging = j, .stop = &run.stop } };
	int rc;

	run.file.report = on_report;
	run.file.report_ctx = &run;
	output_begin();
	rc = judge_file(&run.file, path, e);
	if (!rc && !judging_any(j))
		log_warn("%s: no frame in it has a FrameInfo of Android's HWUI", path);
	if (!rc)
		judging_warn(j, path);
	if (!rc && run.error)
		rc = err_errno(e, run.error, "cannot report on %s", path);
	if (!rc)
		rc = output_finish(stdout, run.write_error, e);
	judged_file_close(&run.file);
	return rc;
}

static const struct matrix_shape shapes[] = {
	{ "framemetrics", make_frames },
	{ "looper", make_looper },
};

#define SHAPES (sizeof(shapes) / sizeof(*shapes))

const struct matrix_shape *matrix_shape_find(const char *name)
{
	for (unsigned i = 0; i < SHAPES; i++) {
		if (!strcmp(shapes[i].name, name))
			return &shapes[i];
	}
	return NULL;
}

int matrix_shape_usage(const struct command *self, const char *name)
{
	const char *names[SHAPES + 1] = { NULL }, *near;

	for (unsigned i = 0; i < SHAPES; i++)
		names[i] = shapes[i].name;
	near = text_nearest(name, names);
	if (near)
		return cmd_usage(self, "unknown shape '%s'; did you mean %s?", name, near);
	return cmd_usage(self, "unknown shape '%s'; there are framemetrics and looper", name);
}
