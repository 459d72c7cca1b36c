/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* framescope report: where the time of the frames went, per producer. */
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "cmd/analysis.h"
#include "cmd/cmd.h"
#include "cmd/judging.h"
#include "cmd/dumped.h"
#include "cmd/report_dump.h"
#include "cmd/report_gfxinfo.h"
#include "cmd/report_html.h"
#include "cmd/report_matrix.h"
#include "judge/long_messages.h"
#include "output/meta.h"
#include "output/output.h"

struct report_run {
	struct summary *summary;
	struct analysis analysis;
	struct judging judging;
	struct long_messages long_messages;
	int error; /* negative errno of what failed in the sink */
	bool stop;
};

static void on_frame(void *ctx, struct frame *f)
{
	struct report_run *run = ctx;

	if (run->stop)
		return;
	run->error = judging_frame(&run->judging, run->analysis.model, f);
	if (!run->error)
		run->error = summary_add(run->summary, f);
	run->stop = run->error != 0;
}

static void on_message(void *ctx, const struct message *msg)
{
	struct report_run *run = ctx;

	if (run->stop)
		return;
	run->error = long_messages_add(&run->long_messages, msg);
	run->stop = run->error != 0;
}

static int on_record(void *ctx, const struct fs_header *rec)
{
	return probed_feed(ctx, rec);
}

static int make_report(struct report_run *run, const char *path, bool json, struct err *e)
{
	const struct model_sink sink = { .frame = on_frame, .message = on_message, .ctx = run };
	struct probed probed = { 0 };
	struct analysis *a = &run->analysis;
	int rc;

	run->summary = summary_new();
	a->record = on_record;
	a->record_ctx = &probed;
	if (!run->summary) {
		rc = err_errno(e, -ENOMEM, "cannot report on %s", path);
		goto out;
	}
	rc = judging_calibrate(&run->judging, path, e);
	if (!rc)
		rc = analysis_open(a, path, &sink, e);
	if (!rc)
		rc = analysis_run(a, &run->stop, e);
	if (!rc && run->error)
		rc = err_errno(e, run->error, "cannot report on %s", path);
	if (rc)
		goto out;
	judging_finish(&run->judging);

	const struct report report = {
		.path = path,
		.input = source_stats(a->source),
		.model = model_stats(a->model),
		.source = a->source,
		.meta = model_meta(a->model),
		.trace = meta_is_trace(model_meta(a->model)),
		.probed = &probed,
		.origin_ns = analysis_origin(a),
		.summary = run->summary,
		.verdicts = run->judging.verdicts,
		.long_messages = &run->long_messages,
	};
	output_begin();
	if (json) {
		rc = report_json(stdout, &report, e);
	} else {
		const struct style style = style_for(stdout);

		report_text(stdout, &style, &report);
	}
	if (!rc)
		rc = output_finish(stdout, output_failed(stdout), e);
out:
	summary_free(run->summary);
	long_messages_free(&run->long_messages);
	analysis_close(a);
	probed_free(&probed);
	return rc;
}

/* What is left on the command line are inputs, for a page any number of them. */
static int check_inputs(const struct command *self, int argc, const char *html,
			const char *baseline)
{
	if (baseline && !html)
		return cmd_usage(self, "--baseline is for --html");
	if (!html)
		return cmd_one_capture(self, argc);
	if (argc == optind)
		return cmd_usage(self, "which capture file?");
	if (argc - optind > REPORT_HTML_FILES)
		return cmd_usage(self, "at most %d files in one page", REPORT_HTML_FILES);
	return EXIT_OK;
}

static int report_main(const struct command *self, int argc, char **argv)
{
	static const struct option options[] = {
		{ "json", no_argument, NULL, 'j' },
		{ "matrix", required_argument, NULL, 'm' },
		{ "gfxinfo", no_argument, NULL, 'g' },
		{ "check-totals", no_argument, NULL, 'c' },
		{ "html", required_argument, NULL, 'w' },
		{ "baseline", required_argument, NULL, 'b' },
		JUDGING_OPTIONS,
		{ 0 },
	};
	struct report_run run = { 0 };
	const struct matrix_shape *shape = NULL;
	struct err e = { 0 };
	bool json = false, gfxinfo = false, check = false, wrong = false, dump;
	struct report_html_request html = { .judging = &run.judging };
	const char *path;
	int opt, rc;

	judging_init(&run.judging);
	while ((opt = cmd_getopt(self, argc, argv, "", options)) != -1) {
		switch (opt) {
		case 'j':
			json = true;
			break;
		case 'm':
			shape = matrix_shape_find(optarg);
			if (!shape)
				return matrix_shape_usage(self, optarg);
			break;
		case 'g':
			gfxinfo = true;
			break;
		case 'c':
			check = true;
			break;
		case 'w':
			html.output = optarg;
			break;
		case 'b':
			html.baseline = optarg;
			break;
		default:
			if (judging_option(self, &run.judging, opt, optarg))
				return EXIT_USAGE;
		}
	}
	if (check_inputs(self, argc, html.output, html.baseline))
		return EXIT_USAGE;
	if (json + gfxinfo + (shape != NULL) + (html.output != NULL) > 1)
		return cmd_usage(self, "one of --json, --gfxinfo, --matrix and --html at a time");
	if (check && (gfxinfo || shape || html.output))
		return cmd_usage(self, "--check-totals is of the report itself, not of --gfxinfo, "
				       "--matrix or --html");
	path = argv[optind];
	dump = dumped_is(path);
	if (check && !dump && !access(path, R_OK))
		return cmd_usage(self,
				 "--check-totals is for a text of dumpsys gfxinfo, and "
				 "'%s' is none",
				 path);
	html.paths = argv + optind;
	html.nr_paths = (unsigned)(argc - optind);
	if (html.output)
		rc = report_html(&html, &e);
	else if (shape)
		rc = shape->print(path, &run.judging, &e);
	else if (gfxinfo)
		rc = report_gfxinfo(path, &run.judging, &e);
	else if (dump)
		rc = report_dump(path, &run.judging, json, &wrong, &e);
	else
		rc = make_report(&run, path, json, &e);
	judging_free(&run.judging);
	if (rc)
		return cmd_fail(&e);
	return check && wrong ? EXIT_RUNTIME : EXIT_OK;
}

const struct command cmd_report = {
	.name = "report",
	.summary = "where the time of the frames went, and what they waited for",
	.help = "usage: framescope report FILE [options]\n"
		"       framescope report --html OUT.html FILE... [--baseline FILE]\n"
		"\n"
		"For each producer of frames: how many, how fast, how even; where their time\n"
		"went; what they waited for; the ten longest. Of Android apps also the verdicts\n"
		"of HWUI, JankStats and Matrix, and the long messages of UI threads. At the end,\n"
		"what in the capture is not to be trusted.\n"
		"\n"
		"  --json               the same as one JSON object, times in ns\n"
		"  --gfxinfo            instead, the totals and last 120 frames of each window as\n"
		"                       'dumpsys gfxinfo PACKAGE framestats' prints them\n"
		"  --matrix SHAPE       instead, what Tencent Matrix would have reported, a JSON\n"
		"                       object a line: 'framemetrics' as its 2.1.0, or 'looper'\n"
		"                       as its 0.8 to 2.0.2, which judge messages of UI threads\n"
		"  --html OUT.html      instead, one file to look at in a browser, of one FILE or\n"
		"                       several: it needs no network, and nothing beside it\n"
		"  --baseline FILE      of --html: one to compare the distributions with\n"
		"  --check-totals       of a text of dumpsys: exit with 1 if it contradicts\n"
		"                       itself\n" //
	JUDGING_HELP "  -h, --help           this text\n"
		"  --version            the version\n"
		"\n"
		"FILE is a capture of framescope record, a trace that others recorded (the text\n"
		"of ftrace, atrace, systrace or trace-cmd, or a Perfetto trace, also gzip'ed),\n"
		"the text of framescope dump, or that of 'dumpsys gfxinfo [PACKAGE] [framestats]'\n"
		"or 'dumpsys SurfaceFlinger --latency' ('-': that from standard input), of which\n"
		"the totals are checked, too. Percentiles, budget, waits and longest frames are\n"
		"of complete frames only. 'woken by' is who ended a wait. For a lock that is most\n"
		"often, but not surely, the thread that held it.\n"
		"\n"
		"  framescope report framescope.fsc\n"
		"  framescope report --html report.html framescope.fsc\n"
		"  framescope report framescope.fsc --json | jq '.producers[].wall_ns.p95'\n"
		"  adb shell dumpsys gfxinfo com.example.app framestats | framescope report -\n",
	.run = report_main,
};
