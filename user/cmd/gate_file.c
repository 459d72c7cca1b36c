/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Reads a file once, has its frames judged, and collects what they measure. */
#include "cmd/gate_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/analysis.h"
#include "cmd/dumped.h"
#include "output/meta.h"

_Static_assert(SOURCE_TOPICS_ALL == (1u << GATE_TOPICS) - 1, "a text for every topic");

struct run {
	struct gate_file *file;
	struct judging judging;
	struct analysis analysis;
	struct dumped dumped; /* one of these has the frames */
};

static int take(struct gate_file *f, const struct frame *frame)
{
	uint64_t interval_ns;

	f->error = gate_samples_add(f->samples, frame, &interval_ns);
	if (!f->error && f->frame && !frame->fault)
		f->error = f->frame(f->ctx, frame, interval_ns);
	f->stop = f->error != 0;
	return f->error;
}

static void on_frame(void *ctx, struct frame *frame)
{
	struct run *r = ctx;
	struct gate_file *f = r->file;

	if (f->stop)
		return;
	f->error = judging_frame(&r->judging, r->analysis.model, frame);
	f->stop = f->error != 0;
	if (!f->stop)
		take(f, frame);
}

static int on_dumped_frame(void *ctx, struct frame *frame)
{
	struct run *r = ctx;

	return take(r->file, frame);
}

static int note_absences(struct run *r)
{
	struct source_absence absence;
	unsigned index = 0, topic;

	while (source_absence(r->analysis.source, SOURCE_TOPICS_ALL, &index, &absence)) {
		topic = (unsigned)__builtin_ctz(absence.of);
		if (r->file->absent[topic])
			continue;
		r->file->absent[topic] = strdup(absence.text);
		if (!r->file->absent[topic])
			return -ENOMEM;
	}
	return 0;
}

static int note_capture(struct run *r)
{
	const struct source_stats *stats = source_stats(r->analysis.source);
	const char *meta = model_meta(r->analysis.model);

	r->file->lost = stats->lost;
	r->file->cut = stats->cut;
	r->file->trace = meta_is_trace(meta);
	r->file->meta = meta ? strdup(meta) : NULL;
	return meta && !r->file->meta ? -ENOMEM : note_absences(r);
}

static int read_capture(struct run *r, struct err *e)
{
	const struct model_sink sink = { .frame = on_frame, .ctx = r };
	struct gate_file *f = r->file;
	int rc = judging_calibrate(&r->judging, f->path, e);

	if (!rc)
		rc = analysis_open(&r->analysis, f->path, &sink, e);
	if (!rc)
		rc = analysis_run(&r->analysis, &f->stop, e);
	if (rc || f->error)
		return rc;
	f->error = note_capture(r);
	return 0;
}

static int read_dump(struct run *r, struct err *e)
{
	struct dumped *d = &r->dumped;
	int rc;

	r->file->dump = true;
	d->judging = &r->judging;
	d->frame = on_dumped_frame;
	d->ctx = r;
	d->stop = &r->file->stop;
	rc = dumped_open(d, r->file->path, e);
	if (!rc)
		rc = dumped_run(d, r->file->path, e);
	if (!rc)
		dumped_warn(d, r->file->path);
	return r->file->error == -E2BIG ? 0 : rc;
}

int gate_file_read(struct gate_file *f, const char *path, const struct judging *rules,
		   struct err *e)
{
	struct run r = { .file = f, .judging = *rules };
	int rc;

	f->path = path;
	f->samples = gate_samples_new(f->wanted);
	if (!f->samples)
		return err_errno(e, -ENOMEM, "cannot check %s", path);
	rc = dumped_is(path) ? read_dump(&r, e) : read_capture(&r, e);
	if (!rc && f->error == -E2BIG) {
		err_set(e, f->error, "cannot check %s: it has more than %d producers of frames",
			path, GATE_PRODUCERS_MAX);
		rc = err_hint(e, "record one app: framescope record -p PID, or --package NAME");
	} else if (!rc && f->error) {
		rc = err_errno(e, f->error, "cannot check %s", path);
	}
	if (!rc)
		judging_warn(&r.judging, path);
	dumped_close(&r.dumped);
	analysis_close(&r.analysis);
	judging_free(&r.judging);
	return rc;
}

void gate_file_free(struct gate_file *f)
{
	for (unsigned i = 0; i < GATE_TOPICS; i++) {
		free(f->absent[i]);
		f->absent[i] = NULL;
	}
	free(f->meta);
	gate_samples_free(f->samples);
	f->meta = NULL;
	f->samples = NULL;
}
