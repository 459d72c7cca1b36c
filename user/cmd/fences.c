/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* framescope fences: timelines, waits for fences, and fences that never signalled. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/log.h"
#include "base/text.h"
#include "cmd/analysis.h"
#include "cmd/cmd.h"
#include "model/fence_stats.h"
#include "output/fences.h"
#include "output/meta.h"

struct fences_run {
	struct analysis analysis;
	struct fence_stats *stats;
	struct listing printer;
	const char *timeline; /* a pattern; NULL: all */
	bool matched; /* some timeline or wait */
	int error; /* negative errno of what failed in the sink ... */
	int write_error; /* ... or in writing the rows */
	bool stop;
};

/* As printed, so that what was copied from the output is found again. */
static bool matches(const char *pattern, const struct fence_name *name, uint64_t context)
{
	char full[WORDS_LEN + 64], timeline[WORDS_LEN], number[32];

	fences_full_name(full, sizeof(full), name);
	text_escape(timeline, sizeof(timeline), name->timeline, sizeof(name->timeline));
	snprintf(number, sizeof(number), "%" PRIu64, context);
	return text_matches(pattern, full) || text_matches(pattern, timeline) ||
	       text_matches(pattern, number);
}

static bool wanted(struct fences_run *run, const struct fence_name *name, uint64_t context)
{
	if (run->timeline && !matches(run->timeline, name, context))
		return false;
	run->matched = true;
	return true;
}

static void print_row(struct fences_run *run, const struct fences_row *row)
{
	listing_print(&run->printer, row);
	run->write_error = output_failed(run->printer.out);
	run->stop = run->write_error != 0;
}

static void on_wait(void *ctx, const struct fence_wait *w)
{
	struct fences_run *run = ctx;
	struct fence_name name;

	if (run->stop)
		return;
	run->error = fence_stats_wait(run->stats, w);
	run->stop = run->error != 0;
	if (run->stop || run->printer.view != &fences_waits)
		return;
	model_fence_name(run->analysis.model, w->fence.context, &name);
	if (wanted(run, &name, w->fence.context))
		print_row(run, &(struct fences_row){
				       .wait = w,
				       .name = &name,
				       .origin_ns = analysis_origin(&run->analysis),
			       });
}

static void print_timelines(struct fences_run *run)
{
	const struct fence_timeline *t;

	for (size_t i = 0; !run->stop && (t = fence_stats_timeline(run->stats, i)); i++) {
		const struct fences_row row = {
			.timeline = t,
			.name = &t->name,
			.length_ns = model_length_ns(run->analysis.model),
		};

		if (wanted(run, &t->name, t->context) && run->printer.view == &fences_timelines)
			print_row(run, &row);
	}
}

static void print_unsignaled(struct fences_run *run)
{
	struct fence_unsignaled u;

	for (size_t i = 0; !run->stop && fence_stats_unsignaled(run->stats, i, &u); i++) {
		const struct fences_row row = { .unsignaled = &u, .name = &u.name };

		/* No fault: of interest to none but a program that looks for everything. */
		if (u.fate == FENCE_UNUSED && run->printer.format == &row_table)
			continue;
		if (wanted(run, &u.name, u.id.context) && run->printer.view == &fences_unsignaled)
			print_row(run, &row);
	}
}

static void warn(const struct fences_run *run, const char *path)
{
	const struct fence_losses *lost = fence_stats_losses(run->stats);
	struct source_absence absence;
	unsigned index = 0;

	if (lost->fences || lost->destroyed)
		log_warn("%s: more fences without an end than are kept: %" PRIu64
			 " are in no figure, %" PRIu64 " in no list of the unsignalled",
			 path, lost->fences, lost->destroyed);
	if (lost->contexts)
		log_warn("%s: more timelines than are kept; fences of the last ones are in no row",
			 path);
	if (fence_stats_timeline(run->stats, 0))
		return;
	/* Why a trace has none was said. */
	if (meta_is_trace(model_meta(run->analysis.model))) {
		if (!source_absence(run->analysis.source, SOURCE_FENCES, &index, &absence))
			log_warn("%s: there are no fences in it: it is of a trace, which has no "
				 "dma_fence events",
				 path);
	} else {
		log_warn("%s: there are no fences in it: a software renderer makes none, nor is "
			 "there a GPU where there is no /dev/dri; framescope doctor says whether "
			 "this machine shows them",
			 path);
	}
}

/* A pattern that no timeline has is a mistake worth more than an empty table. */
static int no_such_timeline(const struct fences_run *run, struct err *e)
{
	err_set(e, -ENOENT, "no timeline matches '%s'", run->timeline);
	return err_hint(e, "framescope fences FILE, which names them");
}

static int print_fences(struct fences_run *run, const char *path, struct err *e)
{
	const struct model_sink sink = { .fence_wait = on_wait, .ctx = run };
	struct listing *p = &run->printer;
	uint64_t context;
	int rc;

	run->analysis.topics = SOURCE_FENCES;
	rc = analysis_open(&run->analysis, path, &sink, e);
	if (rc)
		return rc;
	run->stats = fence_stats_new(run->analysis.model);
	if (!run->stats)
		return err_errno(e, -ENOMEM, "cannot collect the fences of %s", path);
	if (run->timeline && cmd_number(run->timeline, 0, UINT64_MAX, &context))
		fence_stats_single(run->stats, context);
	output_begin();
	listing_begin(p);
	rc = analysis_run(&run->analysis, &run->stop, e);
	if (rc)
		return rc;
	if (!run->error && !run->write_error)
		run->error = fence_stats_finish(run->stats);
	if (run->error)
		return err_errno(e, run->error, "cannot collect the fences of %s", path);
	print_timelines(run);
	print_unsignaled(run);
	if (!run->write_error)
		listing_end(p);
	rc = output_finish(p->out, run->write_error, e);
	if (rc || run->stop)
		return rc;
	warn(run, path);
	if (run->timeline && !run->matched && fence_stats_timeline(run->stats, 0))
		rc = no_such_timeline(run, e);
	return rc;
}

static int fences_main(const struct command *self, int argc, char **argv)
{
	static const struct option options[] = {
		{ "format", required_argument, NULL, 'f' },
		{ "timeline", required_argument, NULL, 't' },
		{ "waits", no_argument, NULL, 'w' },
		{ "unsignaled", no_argument, NULL, 'u' },
		{ 0 },
	};
	struct fences_run run = {
		.printer = { .out = stdout, .format = &row_table, .view = &fences_timelines }
	};
	bool waits = false, unsignaled = false;
	struct err e = { 0 };
	int opt, rc;

	while ((opt = cmd_getopt(self, argc, argv, "f:t:", options)) != -1) {
		switch (opt) {
		case 'f':
			run.printer.format = row_format_find(optarg);
			if (!run.printer.format)
				return cmd_usage_format(self, optarg);
			break;
		case 't':
			run.timeline = optarg;
			break;
		case 'w':
			waits = true;
			break;
		case 'u':
			unsignaled = true;
			break;
		}
	}
	if (cmd_one_capture(self, argc))
		return EXIT_USAGE;
	if (waits && unsignaled)
		return cmd_usage(self, "--waits and --unsignaled are two views: one at a time");
	if (waits)
		run.printer.view = &fences_waits;
	if (unsignaled)
		run.printer.view = &fences_unsignaled;

	const struct style style = style_for(stdout);

	run.printer.style = &style;
	rc = print_fences(&run, argv[optind], &e);
	fence_stats_free(run.stats);
	analysis_close(&run.analysis);
	return rc ? cmd_fail(&e) : EXIT_OK;
}

const struct command cmd_fences = {
	.name = "fences",
	.summary = "dma-fences: timelines, waits for them, those that never signalled",
	.help = "usage: framescope fences FILE [options]\n"
		"\n"
		"One block per timeline of fences: how many, most in flight at a time, processes\n"
		"that waited for them (victims), how long until they signalled, and how long the\n"
		"hardware was at them, inferred: from the later of the signal before and the\n"
		"fence's own submission. 'busy' is that time's share of the capture.\n"
		"\n"
		"  -t, --timeline GLOB  only timelines for which GLOB matches 'driver/timeline',\n"
		"                       the timeline, or the number of the context; '~' is any\n"
		"                       characters, as where a table has cut a name\n"
		"  --waits              instead, one row per wait of a thread for a fence\n"
		"  --unsignaled         instead, one row per fence that never signalled\n"
		"  -f, --format FORMAT  table (default; times in ms), csv or ndjson (integer ns)\n"
		"  -h, --help           this text\n"
		"  --version            the version\n"
		"\n"
		"FILE is a capture of framescope record, a trace that others recorded (the text\n"
		"of ftrace, atrace, systrace or trace-cmd, or a Perfetto trace, also gzip'ed), or\n"
		"the text of framescope dump. What was not observed is '-' in the table, an empty\n"
		"cell in CSV, no key in NDJSON. Fences whose driver has them on no timeline\n"
		"('unbound': one context each) share a row; '--timeline NUMBER' gives a context\n"
		"of its own.\n"
		"\n"
		"Who waits for a fence that does not come, and the waits for one driver's fences:\n"
		"  framescope fences framescope.fsc --unsignaled\n"
		"  framescope fences framescope.fsc --waits --timeline 'virtio_gpu/*'\n",
	.run = fences_main,
};
