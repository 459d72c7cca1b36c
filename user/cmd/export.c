/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* framescope export: a file for other programs. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "base/text.h"
#include "cmd/cmd.h"
#include "cmd/dumped.h"
#include "cmd/export_file.h"
#include "cmd/judging.h"

#define FORMATS_MAX 8

static const struct {
	const char *name;
	enum export_rows rows;
} row_names[] = {
	{ "frames", EXPORT_FRAMES },
	{ "fences", EXPORT_FENCES },
	{ "waits", EXPORT_WAITS },
	{ "blocks", EXPORT_BLOCKS },
};

#define NR_ROWS (sizeof(row_names) / sizeof(row_names[0]))

/* The table of formats as a list of names, for messages. */
static void format_names(const char *names[FORMATS_MAX + 1], char *text, size_t len)
{
	unsigned n = 0;

	*text = '\0';
	for (; n < FORMATS_MAX && export_formats[n].ops; n++) {
		size_t used = strlen(text);

		names[n] = export_formats[n].ops->name;
		snprintf(text + used, len - used, "%s%s",
			 !n                          ? ""
			 : export_formats[n + 1].ops ? ", "
						     : " and ",
			 names[n]);
	}
	names[n] = NULL;
}

static int usage_format(const struct command *self, const char *word)
{
	const char *names[FORMATS_MAX + 1], *near;
	char list[128];

	format_names(names, list, sizeof(list));
	if (!word)
		return cmd_usage(self, "which format? -f with one of %s, or a file with -o", list);
	near = text_nearest(word, names);
	if (near)
		return cmd_usage(self, "unknown format '%s'; did you mean %s?", word, near);
	return cmd_usage(self, "unknown format '%s'; there are %s", word, list);
}

/* "frames,waits"; 0: a word is none of them. */
static unsigned rows_of(const char *text)
{
	unsigned rows = 0;

	for (;;) {
		size_t len = strcspn(text, ","), i = 0;

		while (i < NR_ROWS && (strlen(row_names[i].name) != len ||
				       strncmp(row_names[i].name, text, len) != 0))
			i++;
		if (i == NR_ROWS)
			return 0;
		rows |= row_names[i].rows;
		if (!text[len])
			return rows;
		text += len + 1;
	}
}

/* What was said, made whole by the format's own wishes. */
static int complete_rows(const struct command *self, struct export_request *q)
{
	bool csv = q->format->ops == &export_csv;

	if (q->rows && !q->format->rows)
		return cmd_usage(self, "--rows is for csv and ndjson: a trace has everything");
	if (csv && q->rows & (q->rows - 1))
		return cmd_usage(self, "a CSV file has one kind of rows; ndjson can have several");
	if (!q->rows && q->format->rows)
		q->rows = csv || dumped_is(q->input) ? EXPORT_FRAMES : EXPORT_ALL;
	return EXIT_OK;
}

/* The name of the input, here, with the format's suffix. NULL when out of memory. */
static char *name_output(const char *input, const char *suffix)
{
	const char *base = strrchr(input, '/'), *dot;
	char *name;

	base = base ? base + 1 : input;
	dot = strrchr(base, '.');
	if (asprintf(&name, "%.*s%s", dot && dot > base ? (int)(dot - base) : (int)strlen(base),
		     base, suffix) < 0)
		return NULL;
	return name;
}

static int complete_output(const struct command *self, struct export_request *q, char **name)
{
	if (!q->output && (q->format->rows || q->format->short_text))
		q->output = "-";
	if (!q->output)
		q->output = *name = name_output(q->input, q->format->suffixes[0]);
	if (q->format->binary && cmd_is_standard(q->output) && isatty(STDOUT_FILENO))
		return cmd_usage(self, "%s is not for a terminal; name a file with -o",
				 q->format->ops->name);
	return EXIT_OK;
}

static int parse(const struct command *self, struct export_request *q, int argc, char **argv)
{
	static const struct option options[] = {
		{ "format", required_argument, NULL, 'f' },
		{ "output", required_argument, NULL, 'o' },
		{ "rows", required_argument, NULL, 'r' },
		JUDGING_OPTIONS,
		{ 0 },
	};
	int opt;

	while ((opt = cmd_getopt(self, argc, argv, "f:o:", options)) != -1) {
		switch (opt) {
		case 'f':
			q->format = export_find(optarg);
			if (!q->format)
				return usage_format(self, optarg);
			break;
		case 'o':
			q->output = optarg;
			break;
		case 'r':
			q->rows = rows_of(optarg);
			if (!q->rows)
				return cmd_usage(self,
						 "--rows takes frames, fences, waits and blocks, "
						 "with commas between them, not '%s'",
						 optarg);
			break;
		default:
			if (judging_option(self, q->judging, opt, optarg))
				return EXIT_USAGE;
		}
	}
	return cmd_one_capture(self, argc);
}

/* What was not said follows from the format. */
static int complete(const struct command *self, struct export_request *q, char **name)
{
	int status;

	if (!q->format && q->output)
		q->format = export_find_file(q->output);
	if (!q->format)
		return usage_format(self, NULL);
	status = complete_rows(self, q);
	return status ? status : complete_output(self, q, name);
}

static int export_main(const struct command *self, int argc, char **argv)
{
	struct judging judging;
	struct export_request q = { .judging = &judging };
	struct err e = { 0 };
	char *name = NULL;
	int status;

	judging_init(&judging);
	status = parse(self, &q, argc, argv);
	if (!status) {
		q.input = argv[optind];
		status = complete(self, &q, &name);
	}
	if (!status && !q.output)
		err_errno(&e, -ENOMEM, "cannot export %s", q.input);
	else if (!status)
		export_file(&q, &e);
	if (e.code)
		status = cmd_fail(&e);
	else if (!status && name)
		log_info("%s", name);
	free(name);
	judging_free(&judging);
	return status;
}

const struct command cmd_export = {
	.name = "export",
	.summary = "traces and tables for other programs: Perfetto, Chrome, CSV, ...",
	.help = "usage: framescope export FILE [-f FORMAT] [-o OUT] [options]\n"
		"\n"
		"Write what is in FILE in a form that other programs take.\n"
		"\n"
		"  -f, --format FORMAT  one of these; may be left out where OUT's suffix says it\n"
		"           perfetto    protobuf for ui.perfetto.dev and trace_processor:\n"
		"                       .pftrace, .perfetto-trace\n"
		"           chrome      JSON for chrome://tracing and Perfetto: .json\n"
		"           csv         rows of one kind, RFC 4180, times in ns: .csv\n"
		"           ndjson      rows of any kinds, each a JSON object that says what it\n"
		"                       is: .ndjson, .jsonl\n"
		"           openmetrics what the frames of each producer add up to: counters and\n"
		"                       histograms in OpenMetrics text, for a fleet: .om, .prom\n"
		"  -o, --output OUT     the file, which is replaced when all is written; '-' is\n"
		"                       standard output. Left out, rows and metrics go there, and\n"
		"                       a trace to the current directory: as FILE, with the\n"
		"                       format's suffix\n"
		"      --rows KIND,...  frames, fences, waits (of threads for fences) or blocks\n"
		"                       (times in which threads that make frames did not run);\n"
		"                       default: frames for csv, all of them for ndjson\n" //
	JUDGING_HELP "  -h, --help           this text\n"
		"  --version            the version\n"
		"\n"
		"FILE is a capture of framescope record, a trace that others recorded (the text\n"
		"of ftrace, atrace, systrace or trace-cmd, or a Perfetto trace, also gzip'ed), or\n"
		"the text of framescope dump. Of a text of dumpsys, which 'framescope frames'\n"
		"takes, csv and ndjson can have the frames. What was not observed is an empty\n"
		"cell, or no key.\n"
		"\n"
		"A trace to look at, the waits for a spreadsheet, and everything for a script:\n"
		"  framescope export framescope.fsc -o framescope.pftrace\n"
		"  framescope export framescope.fsc --rows waits -o waits.csv\n"
		"  framescope export framescope.fsc -f ndjson | jq -c 'select(.end == "
		"\"pending\")'\n",
	.run = export_main,
};
