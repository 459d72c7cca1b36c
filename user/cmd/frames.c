/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* framescope frames: one row per frame. */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "base/log.h"
#include "base/text.h"
#include "cmd/analysis.h"
#include "cmd/cmd.h"
#include "cmd/dumped.h"
#include "cmd/judging.h"
#include "model/worst.h"
#include "output/frames.h"
#include "output/stages.h"

#define WORST_MAX 10000 /* about 35 MB of frames in memory */
#define OTHERS_MAX 32
#define NAME_MAX_LEN (4 * PRODUCER_NAME_LEN + 1)

struct frames_run {
	struct analysis analysis;
	struct dumped dumped; /* one of these has the frames */
	struct judging judging;
	struct listing listing; /* of frames, or of their stages */
	uint64_t from_ns, to_ns; /* since the capture's start */
	const char *producer; /* a pattern; NULL: all */
	struct worst worst; /* max 0: print as they come */
	uint64_t left_out[FRAME_STATUS_NR]; /* of the worst: the length of these is not theirs */
	bool producer_seen;
	const struct producer *others[OTHERS_MAX]; /* for the message that it was not seen */
	unsigned nr_others;
	int error; /* negative errno of what failed in the sink ... */
	int write_error; /* ... or in writing the rows */
	bool stop;
};

/* Producer names as printed, so that what was copied from the output is found again. */
static void producer_name(char *dst, const struct producer *p)
{
	text_escape(dst, NAME_MAX_LEN, p->name, sizeof(p->name));
}

static bool is_producer(struct frames_run *run, const struct producer *p)
{
	char name[NAME_MAX_LEN];

	producer_name(name, p);
	if (text_matches(run->producer, name) ||
	    (p->window && text_matches(run->producer, p->window))) {
		run->producer_seen = true;
		return true;
	}
	for (unsigned i = 0; i < run->nr_others; i++)
		if (run->others[i] == p)
			return false;
	if (run->nr_others < OTHERS_MAX)
		run->others[run->nr_others++] = p;
	return false;
}

static bool wanted(struct frames_run *run, const struct frame *f, uint64_t origin_ns)
{
	if (run->producer && !is_producer(run, f->producer))
		return false;
	/* A row without times is at none of them. */
	if (!f->end_ns)
		return !run->from_ns && run->to_ns == UINT64_MAX;
	if (f->end_ns < origin_ns || f->end_ns - origin_ns <= run->from_ns)
		return false;
	return f->start_ns < origin_ns || f->start_ns - origin_ns < run->to_ns;
}

/* What times count from: the times of a dump, as its "Uptime:", from the device's start. */
static uint64_t origin(const struct frames_run *run)
{
	return run->analysis.model ? analysis_origin(&run->analysis) : 0;
}

static void print_stages(struct frames_run *run, const struct frame *f)
{
	for (unsigned i = 0; i < STAGE_NR; i++) {
		if (f->hwui.stages_known & 1u << i)
			listing_print(&run->listing,
				      &(struct stage_row){ .frame = f, .stage = (enum stage)i });
	}
}

static void print_frame(struct frames_run *run, const struct frame *f)
{
	const struct frame_row row = { .frame = f, .origin_ns = origin(run) };

	if (run->listing.view == &stages_view)
		print_stages(run, f);
	else
		listing_print(&run->listing, &row);
	run->write_error = output_failed(run->listing.out);
}

static void take_frame(struct frames_run *run, const struct frame *f)
{
	if (!wanted(run, f, origin(run)))
		return;
	if (run->worst.max && f->status != FRAME_COMPLETE)
		run->left_out[f->status]++;
	else if (run->worst.max)
		run->error = worst_add(&run->worst, f);
	else
		print_frame(run, f);
	run->stop = run->error || run->write_error;
}

static void on_frame(void *ctx, struct frame *f)
{
	struct frames_run *run = ctx;

	if (run->stop)
		return;
	/* One that is not wanted, too, changes the state that the next is judged by. */
	run->error = judging_frame(&run->judging, run->analysis.model, f);
	run->stop = run->error;
	if (!run->stop)
		take_frame(run, f);
}

static int on_dumped_frame(void *ctx, struct frame *f)
{
	struct frames_run *run = ctx;

	take_frame(run, f);
	return run->error;
}

static void say_left_out(const struct frames_run *run, const char *path)
{
	uint64_t lossy = run->left_out[FRAME_LOSSY], truncated = run->left_out[FRAME_TRUNCATED];

	if (lossy + truncated)
		log_info("framescope: %s: frames left out, as they are not complete: %" PRIu64
			 " truncated, %" PRIu64 " lossy",
			 path, truncated, lossy);
}

/* A name that no producer has is a mistake worth more than an empty table. */
static int no_such_producer(const struct frames_run *run, struct err *e)
{
	char names[OTHERS_MAX][NAME_MAX_LEN];
	const char *list[OTHERS_MAX + 1] = { NULL };

	for (unsigned i = 0; i < run->nr_others; i++) {
		producer_name(names[i], run->others[i]);
		list[i] = names[i];
	}
	err_set(e, -ENOENT, "no frame of a producer that matches '%s'", run->producer);
	const char *near = text_nearest(run->producer, list);
	if (near)
		return err_hint(e, "--producer '%s'", near);
	return err_hint(e, "framescope report FILE, which names the producers");
}

static int read_capture(struct frames_run *run, const char *path, struct err *e)
{
	const struct model_sink sink = { .frame = on_frame, .ctx = run };
	int rc = judging_calibrate(&run->judging, path, e);

	run->analysis.topics = SOURCE_FRAMES | SOURCE_BUDGETS | SOURCE_VERDICTS;
	if (!rc)
		rc = analysis_open(&run->analysis, path, &sink, e);
	if (rc)
		return rc;
	output_begin();
	if (run->listing.format != &row_table)
		output_buffer(run->listing.out);
	listing_begin(&run->listing);
	rc = analysis_run(&run->analysis, &run->stop, e);
	if (!rc && run->error)
		rc = err_errno(e, run->error, "cannot collect the frames of %s", path);
	return rc;
}

static int read_dump(struct frames_run *run, const char *path, struct err *e)
{
	struct dumped *d = &run->dumped;

	d->judging = &run->judging;
	d->frame = on_dumped_frame;
	d->ctx = run;
	d->stop = &run->stop;
	run->listing.view = &dumped_frames_view;
	int rc = dumped_open(d, path, e);
	if (rc)
		return rc;
	output_begin();
	listing_begin(&run->listing);
	rc = dumped_run(d, path, e);
	if (!rc)
		dumped_warn(d, path);
	return rc;
}

static int print_frames(struct frames_run *run, const char *path, struct err *e)
{
	struct worst *w = &run->worst;
	int rc = dumped_is(path) ? read_dump(run, path, e) : read_capture(run, path, e);

	if (rc)
		return rc;
	worst_sort(w);
	for (unsigned i = 0; i < w->nr && !run->write_error; i++)
		print_frame(run, &w->frames[i]);
	if (!run->write_error)
		listing_end(&run->listing);
	rc = output_finish(stdout, run->write_error, e);
	if (!rc && !run->write_error) {
		judging_warn(&run->judging, path);
		say_left_out(run, path);
	}
	if (!rc && run->producer && !run->producer_seen && !run->stop)
		rc = no_such_producer(run, e);
	return rc;
}

static int frames_main(const struct command *self, int argc, char **argv)
{
	static const struct option options[] = {
		{ "format", required_argument, NULL, 'f' },
		{ "worst", required_argument, NULL, 'w' },
		{ "from", required_argument, NULL, 'F' },
		{ "to", required_argument, NULL, 'T' },
		{ "producer", required_argument, NULL, 'P' },
		{ "stages", no_argument, NULL, 's' },
		JUDGING_OPTIONS,
		{ 0 },
	};
	const struct style style = style_for(stdout);
	struct frames_run run = {
		.listing = { .out = stdout,
			     .style = &style,
			     .format = &row_table,
			     .view = &frames_view },
		.to_ns = UINT64_MAX,
	};
	struct err e = { 0 };
	uint64_t number;
	int opt;

	judging_init(&run.judging);
	while ((opt = cmd_getopt(self, argc, argv, "f:", options)) != -1) {
		switch (opt) {
		case 'f':
			run.listing.format = row_format_find(optarg);
			if (!run.listing.format)
				return cmd_usage_format(self, optarg);
			break;
		case 'w':
			if (!cmd_number(optarg, 1, WORST_MAX, &number))
				return cmd_usage(self,
						 "--worst takes a number from 1 to %d, not '%s'",
						 WORST_MAX, optarg);
			run.worst.max = (unsigned)number;
			break;
		case 'F':
			if (!cmd_milliseconds(optarg, &run.from_ns))
				return cmd_usage(self, "--from takes milliseconds, not '%s'",
						 optarg);
			break;
		case 'T':
			if (!cmd_milliseconds(optarg, &run.to_ns))
				return cmd_usage(self, "--to takes milliseconds, not '%s'", optarg);
			break;
		case 'P':
			run.producer = optarg;
			break;
		case 's':
			run.listing.view = &stages_view;
			break;
		default:
			if (judging_option(self, &run.judging, opt, optarg))
				return EXIT_USAGE;
		}
	}
	if (cmd_one_capture(self, argc))
		return EXIT_USAGE;
	if (run.listing.view == &stages_view && dumped_is(argv[optind]))
		return cmd_usage(self, "--stages is for captures: a text of dumpsys does not "
				       "say what threads did");
	if (run.from_ns >= run.to_ns)
		return cmd_usage(self, "--from must be before --to");

	int rc = print_frames(&run, argv[optind], &e);
	dumped_close(&run.dumped);
	judging_free(&run.judging);
	analysis_close(&run.analysis);
	worst_free(&run.worst);
	return rc ? cmd_fail(&e) : EXIT_OK;
}

const struct command cmd_frames = {
	.name = "frames",
	.summary = "one row per frame, as a table, CSV or NDJSON",
	.help = "usage: framescope frames FILE [options]\n"
		"\n"
		"One row per frame, in the order in which the frames ended.\n"
		"\n"
		"  -f, --format FORMAT  table (default; times in ms), csv or ndjson (integer ns)\n"
		"  --worst N            only the N longest complete frames, longest first\n"
		"  --from MS            only frames that overlap the time from MS ...\n"
		"  --to MS              ... to MS, in ms since the capture's start\n"
		"  --producer NAME      only frames of the producers, or windows, of this name or\n"
		"                       pattern, such as 'gears*'; '~' is any characters, as\n"
		"                       where the table has cut a name\n"
		"  --stages             instead, one row per stage of each frame of Android's\n"
		"                       HWUI: the time of its thread in that stage, by cause\n" //
	JUDGING_HELP "  -h, --help           this text\n"
		"  --version            the version\n"
		"\n"
		"FILE is a capture of framescope record, a trace that others recorded (the text\n"
		"of ftrace, atrace, systrace or trace-cmd, or a Perfetto trace, also gzip'ed),\n"
		"the text of framescope dump, or that of 'dumpsys gfxinfo [PACKAGE] framestats'\n"
		"or 'dumpsys SurfaceFlinger --latency' ('-': that from standard input), whose\n"
		"times count from the device's start. In the table, 'mostly' is the largest part\n"
		"of the frame's time; 'trunc' marks frames cut by an edge of the capture, 'lossy'\n"
		"those in which records were lost; 'app', 'sf', 'stuff' (full queues), 'drop' and\n"
		"'jank' (any other) is who is to blame for a frame's jank by SurfaceFlinger's\n"
		"FrameTimeline, in traces that have it. What was not observed is '-' in the\n"
		"table, an empty cell in CSV, no key in NDJSON.\n"
		"\n"
		"The ten longest frames, and all of them for a spreadsheet:\n"
		"  framescope frames framescope.fsc --worst 10\n"
		"  framescope frames framescope.fsc --format csv > frames.csv\n",
	.run = frames_main,
};
