/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* framescope messages: what UI threads were asked to do, and how long they were at it. */
#include <errno.h>
#include <string.h>

#include "base/text.h"
#include "cmd/analysis.h"
#include "cmd/cmd.h"
#include "output/messages.h"

#define DEFAULT_LONGER_NS UINT64_C(1000000)

struct messages_run {
	struct analysis analysis;
	struct listing listing;
	uint64_t longer_ns;
	int write_error; /* negative errno of what failed in writing the rows */
	bool stop;
};

static void on_message(void *ctx, const struct message *m)
{
	struct messages_run *run = ctx;
	const struct message_row row = {
		.message = m,
		.origin_ns = analysis_origin(&run->analysis),
	};

	if (run->stop || m->to_ns - m->from_ns < run->longer_ns)
		return;
	listing_print(&run->listing, &row);
	run->write_error = output_failed(run->listing.out);
	run->stop = run->write_error != 0;
}

static int print_messages(struct messages_run *run, const char *path, struct err *e)
{
	const struct model_sink sink = { .message = on_message, .ctx = run };
	int rc;

	run->analysis.topics = SOURCE_BUDGETS;
	rc = analysis_open(&run->analysis, path, &sink, e);
	if (rc)
		return rc;
	output_begin();
	listing_begin(&run->listing);
	rc = analysis_run(&run->analysis, &run->stop, e);
	if (rc)
		return rc;
	if (!run->write_error)
		listing_end(&run->listing);
	return output_finish(run->listing.out, run->write_error, e);
}

static int messages_main(const struct command *self, int argc, char **argv)
{
	static const struct option options[] = {
		{ "format", required_argument, NULL, 'f' },
		{ "longer", required_argument, NULL, 'l' },
		{ 0 },
	};
	struct messages_run run = {
		.listing = { .out = stdout, .format = &row_table, .view = &messages_view },
		.longer_ns = DEFAULT_LONGER_NS,
	};
	const struct style style = style_for(stdout);
	struct err e = { 0 };
	int opt, rc;

	while ((opt = cmd_getopt(self, argc, argv, "f:", options)) != -1) {
		switch (opt) {
		case 'f':
			run.listing.format = row_format_find(optarg);
			if (!run.listing.format)
				return cmd_usage_format(self, optarg);
			break;
		case 'l':
			if (!cmd_milliseconds(optarg, &run.longer_ns))
				return cmd_usage(self, "--longer takes milliseconds, not '%s'",
						 optarg);
			break;
		}
	}
	if (cmd_one_capture(self, argc))
		return EXIT_USAGE;
	run.listing.style = &style;
	rc = print_messages(&run, argv[optind], &e);
	analysis_close(&run.analysis);
	return rc ? cmd_fail(&e) : EXIT_OK;
}

const struct command cmd_messages = {
	.name = "messages",
	.summary = "what UI threads of Android apps did between polls of their looper",
	.help = "usage: framescope messages FILE [options]\n"
		"\n"
		"One row per message of a UI thread: the time from the return of one\n"
		"Looper::pollOnce() to the call of the next. 'frames' is how many frames it\n"
		"posted to the RenderThread; a long one that posted none is what made the frame\n"
		"behind it late.\n"
		"\n"
		"      --longer MS      only messages of at least that length (default 1; 0: all)\n"
		"  -f, --format FORMAT  table (default; times in ms), csv or ndjson (integer ns)\n"
		"  -h, --help           this text\n"
		"      --version        the version\n"
		"\n"
		"FILE is a capture of framescope record, a trace that others recorded (the text\n"
		"of ftrace, atrace, systrace or trace-cmd, or a Perfetto trace, also gzip'ed), or\n"
		"the text of framescope dump. What was not observed is '-' in the table, an empty\n"
		"cell in CSV, no key in NDJSON.\n"
		"\n"
		"The messages that took longer than a frame of 60 Hz:\n"
		"  framescope messages framescope.fsc --longer 16.7\n",
	.run = messages_main,
};
