/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* framescope compare: what changed from some runs to others. */
#include <errno.h>
#include <stdlib.h>

#include "cmd/baseline_file.h"
#include "gate/compare.h"

enum { OPT_JSON = 0x100 };

struct compare_run {
	struct baseline before, now;
	struct against against;
	struct shown *shown;
	struct effects effects;
	struct judging judging;
	bool json;
};

static int on_frame(void *ctx, const struct frame *f, uint64_t interval_ns)
{
	(void)interval_ns;
	return shown_add(ctx, f);
}

static int print(const struct compare_run *run, struct err *e)
{
	const struct comparison c = {
		.before = &run->before,
		.now = &run->now,
		.against = &run->against,
		/* A summary has runs, and no frames. */
		.shown = shown_any(run->shown) ? run->shown : NULL,
	};
	const struct style style = style_for(stdout);
	int rc = 0;

	output_begin();
	if (run->json)
		rc = compare_print_json(stdout, &c, e);
	else
		compare_print_text(stdout, &style, &c);
	return rc ? rc : output_finish(stdout, output_failed(stdout), e);
}

static int compare(struct compare_run *run, char **paths, struct err *e)
{
	bool wanted[GATE_METRICS_MAX];
	int rc;

	run->shown = shown_new();
	if (!run->shown)
		return err_errno(e, -ENOMEM, "cannot compare");
	baseline_wanted(wanted);
	rc = baseline_file_add(&run->before, paths[0], &run->judging, wanted, NULL, NULL, e);
	if (!rc)
		rc = baseline_file_add(&run->now, paths[1], &run->judging, wanted, on_frame,
				       run->shown, e);
	if (!rc)
		rc = against_make(&run->against, &run->before, &run->now, &run->effects, e);
	return rc ? rc : print(run, e);
}

static int parse(const struct command *self, struct compare_run *run, int argc, char **argv)
{
	static const struct option options[] = {
		{ "json", no_argument, NULL, OPT_JSON },
		{ "min-effect", required_argument, NULL, BASELINE_MIN_EFFECT },
		JUDGING_OPTIONS,
		{ 0 },
	};
	int opt;

	while ((opt = cmd_getopt(self, argc, argv, "", options)) != -1) {
		if (opt == OPT_JSON)
			run->json = true;
		else if (opt == BASELINE_MIN_EFFECT) {
			if (baseline_effect_option(self, &run->effects, optarg))
				return EXIT_USAGE;
		} else if (judging_option(self, &run->judging, opt, optarg)) {
			return EXIT_USAGE;
		}
	}
	if (argc - optind != 2)
		return cmd_usage(self, "which two? Several runs as one: framescope summary FILE... "
				       "> before.json");
	return EXIT_OK;
}

static int compare_main(const struct command *self, int argc, char **argv)
{
	struct compare_run *run = calloc(1, sizeof(*run));
	struct err e = { 0 };
	int status;

	if (!run) {
		err_errno(&e, -ENOMEM, "cannot compare");
		return cmd_fail(&e);
	}
	judging_init(&run->judging);
	effects_init(&run->effects);
	status = parse(self, run, argc, argv);
	if (!status && compare(run, argv + optind, &e))
		status = cmd_fail(&e);
	against_free(&run->against);
	shown_free(run->shown);
	baseline_free(&run->before);
	baseline_free(&run->now);
	free(run);
	return status;
}

const struct command cmd_compare = {
	.name = "compare",
	.summary = "what changed from one run to another, and which cause grew",
	.help = "usage: framescope compare BEFORE NOW [options]\n"
		"\n"
		"Says for each producer that both have what changed, by how much and how surely,\n"
		"which causes of a frame's time grew, and which frames show it. BEFORE and NOW\n"
		"are what 'framescope report' reads, or summaries of several runs (framescope\n"
		"summary), which have no frames to show.\n"
		"\n"
		"  --json               one JSON object, times in ns\n" BASELINE_HELP //
			JUDGING_HELP "  -h, --help           this text\n"
		"  --version            the version\n"
		"\n"
		"'+-' is how exactly the change is known (95 %). 'by chance' is how probable it\n"
		"is that any of all metrics seems to have changed so much if none did. 'MORE' and\n"
		"'less' are changes beyond the least effect that are not by chance; 'same' is\n"
		"where twice the least effect would have been found in nine cases of ten; '?' is\n"
		"the rest.\n"
		"\n"
		"Exit status: 0 compared, whatever changed; 1 failed; 2 wrong usage. The gate for\n"
		"scripts is 'framescope check --baseline'.\n"
		"\n"
		"  framescope compare yesterday.fsc today.fsc\n",
	.run = compare_main,
};
