/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* From a text of dumpsys to the report on it. */
#include "cmd/report_dump.h"

#include <errno.h>
#include <stdio.h>

#include "cmd/dumped.h"
#include "judge/gfxinfo_rows_check.h"
#include "output/output.h"
#include "output/report_dump.h"

struct dump_run {
	struct dumped dumped;
	struct gfxinfo_totals *totals;
	struct findings *findings;
	struct latency *latency;
	struct table_times times;
	bool stop; /* never */
};

static int on_frame(void *ctx, struct frame *f)
{
	struct dump_run *run = ctx;

	return table_times_add(&run->times, f);
}

static int on_item(void *ctx, const struct gfxinfo_item *item)
{
	struct dump_run *run = ctx;
	int rc = 0;

	if (item->kind == GFXINFO_DUMP)
		rc = findings_check(run->findings, run->totals);
	if (!rc)
		rc = gfxinfo_totals_feed(run->totals, item);
	if (!rc)
		rc = latency_add(run->latency, item);
	return rc;
}

static int check_rows(const struct dump_run *run)
{
	const struct gfxinfo_finding_sink sink = findings_sink(run->findings);
	const struct verdicts *verdicts = run->dumped.judging->verdicts;
	const struct totals_entry *e = NULL;

	while (verdicts && (e = gfxinfo_totals_next(run->totals, e))) {
		const struct producer *p = dump_frames_producer(run->dumped.frames, e->pid,
								e->process, e->name, e->window_nr);
		const struct window_verdicts *w = p ? verdicts_of(verdicts, p) : NULL;

		if (w)
			gfxinfo_check_rows(e, w, &sink);
	}
	return findings_error(run->findings);
}

static int print(const struct dump_run *run, const char *path, bool json, struct err *e)
{
	const struct dump_report report = {
		.path = path,
		.input = gfxinfo_input(run->dumped.text),
		.totals = run->totals,
		.findings = run->findings,
		.frames = run->dumped.frames,
		.verdicts = run->dumped.judging->verdicts,
		.times = &run->times,
		.latency = run->latency,
	};
	const struct style style = style_for(stdout);
	int rc = 0;

	output_begin();
	if (json)
		rc = report_dump_json(stdout, &report, e);
	else
		report_dump_text(stdout, &style, &report);
	return rc ? rc : output_finish(stdout, output_failed(stdout), e);
}

int report_dump(const char *path, struct judging *j, bool json, bool *wrong, struct err *e)
{
	struct dump_run run = {
		.totals = gfxinfo_totals_new(),
		.findings = findings_new(),
		.latency = latency_new(),
	};
	struct dumped *d = &run.dumped;
	int rc;

	d->judging = j;
	d->frame = on_frame;
	d->item = on_item;
	d->ctx = &run;
	d->stop = &run.stop;
	if (!run.totals || !run.findings || !run.latency) {
		rc = err_errno(e, -ENOMEM, "cannot report on %s", path);
		goto out;
	}
	rc = dumped_open(d, path, e);
	if (!rc)
		rc = dumped_run(d, path, e);
	if (rc)
		goto out;
	rc = findings_check(run.findings, run.totals);
	if (!rc)
		rc = check_rows(&run);
	if (rc) {
		err_errno(e, rc, "cannot report on %s", path);
		goto out;
	}
	dumped_warn(d, path);
	*wrong =
		findings_contradictions(run.findings) != 0 || !gfxinfo_totals_checkable(run.totals);
	rc = print(&run, path, json, e);
out:
	dumped_close(d);
	table_times_free(&run.times);
	latency_free(run.latency);
	findings_free(run.findings);
	gfxinfo_totals_free(run.totals);
	return rc;
}
