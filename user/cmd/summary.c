/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* framescope summary: runs as a small file to compare others with. */
#include <errno.h>
#include <stdlib.h>

#include "cmd/baseline_file.h"
#include "output/output.h"

static int summarise(struct baseline *b, char **paths, unsigned nr, const struct judging *rules,
		     struct err *e)
{
	bool wanted[GATE_METRICS_MAX];
	int rc = 0;

	baseline_wanted(wanted);
	for (unsigned i = 0; i < nr && !rc; i++)
		rc = baseline_file_add(b, paths[i], rules, wanted, NULL, NULL, e);
	if (rc)
		return rc;
	output_begin();
	rc = baseline_print(stdout, b, e);
	return rc ? rc : output_finish(stdout, output_failed(stdout), e);
}

static int summary_main(const struct command *self, int argc, char **argv)
{
	static const struct option options[] = { JUDGING_OPTIONS, { 0 } };
	struct baseline *b = calloc(1, sizeof(*b));
	struct judging judging;
	struct err e = { 0 };
	int opt, rc;

	judging_init(&judging);
	while ((opt = cmd_getopt(self, argc, argv, "", options)) != -1)
		if (judging_option(self, &judging, opt, optarg)) {
			free(b);
			return EXIT_USAGE;
		}
	if (optind == argc) {
		free(b);
		return cmd_usage(self, "which capture file?");
	}
	rc = b ? summarise(b, argv + optind, (unsigned)(argc - optind), &judging, &e)
	       : err_errno(&e, -ENOMEM, "cannot summarise");
	if (b)
		baseline_free(b);
	free(b);
	return rc ? cmd_fail(&e) : EXIT_OK;
}

const struct command cmd_summary = {
	.name = "summary",
	.summary = "what runs measured, as a small file to compare others with",
	.help = "usage: framescope summary FILE... [options]\n"
		"\n"
		"Prints what was measured in each FILE, a run, as one JSON object, some KiB per\n"
		"producer, to be kept beside the source: 'framescope check --baseline' and\n"
		"'framescope compare' say of it what they say of the captures. A FILE may be such\n"
		"a summary, too; its runs are then among those of the new one.\n"
		"\n" JUDGING_HELP "  -h, --help           this text\n"
		"  --version            the version\n"
		"\n"
		"Per metric there are [value, standard error, effective frames, degrees of\n"
		"freedom] of its mean and percentiles, and quantiles of its distribution. Times\n"
		"are in ns. Several runs of the same build tell how much runs differ by\n"
		"themselves, and make a better baseline than one long one.\n"
		"\n"
		"  framescope summary run1.fsc run2.fsc run3.fsc > baseline.json\n"
		"  framescope check new.fsc --baseline baseline.json\n",
	.run = summary_main,
};
