/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* framescope probes: which functions a recording would probe, where, and which are missing. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "cmd/cmd.h"
#include "output/probes.h"
#include "probe/package.h"
#include "probe/survey.h"

#define PIDS_MAX 64

struct probes_run {
	struct survey *survey;
	struct listing listing;
	pid_t pids[PIDS_MAX]; /* -p */
	unsigned nr_pids;
	const char *package;
	struct err *e;
	unsigned members; /* of the package */
};

static int on_member(void *ctx, pid_t pid, const char *name)
{
	struct probes_run *run = ctx;
	int ret = survey_process(run->survey, pid, run->e);

	(void)name;
	if (ret == -ESRCH)
		return 0; /* it has just ended */
	run->members++;
	return ret;
}

static int look_into_package(struct probes_run *run, struct err *e)
{
	struct package_watch *watch;
	int ret = package_watch_open(run->package, &watch, e);

	if (ret)
		return ret;
	run->e = e;
	ret = package_watch_poll(watch, clock_monotonic_ns(), on_member, run);
	if (ret && !e->code)
		err_errno(e, ret, "cannot look for processes of '%s'", run->package);
	if (!ret && !run->members) {
		const char *near = package_watch_nearest(watch);

		ret = err_set(e, -ESRCH, "no process of the package '%s' runs", run->package);
		err_hint(e, near ? "--package '%s'" : "start the app first%s", near ? near : "");
	}
	package_watch_close(watch);
	return ret;
}

static int look(struct probes_run *run, struct err *e)
{
	int ret = survey_open(&run->survey, e);

	for (unsigned i = 0; i < run->nr_pids && !ret; i++)
		ret = survey_process(run->survey, run->pids[i], e);
	if (!ret && run->package)
		ret = look_into_package(run, e);
	return ret ? ret : survey_usual(run->survey, e);
}

/* People read of a missing point what was tried in one row; machines get a row for each. */
static void print_entry(struct probes_run *run, const struct survey_entry *entry, bool first)
{
	struct probes_row row = { .entry = entry, .form = entry->form, .first = first };

	if (row.form || run->listing.format == &row_table) {
		listing_print(&run->listing, &row);
		return;
	}
	for (row.form = entry->spec->forms; row.form->symbol; row.form++)
		listing_print(&run->listing, &row);
}

/* Whether the entry is of another library than the one before it. */
static bool is_first(const struct survey *s, size_t index)
{
	const struct survey_entry *e = survey_at(s, index), *prev;

	if (!index)
		return true;
	prev = survey_at(s, index - 1);
	if (!e->file || !prev->file)
		return e->file || prev->file || strcmp(e->spec->lib, prev->spec->lib) != 0;
	return strcmp(e->file, prev->file) != 0;
}

static int print_probes(struct probes_run *run, struct err *e)
{
	unsigned found = 0;
	int failed = 0;
	int ret = look(run, e);

	if (ret)
		return ret;
	output_begin();
	listing_begin(&run->listing);
	for (size_t i = 0; i < survey_count(run->survey) && !failed; i++) {
		const struct survey_entry *entry = survey_at(run->survey, i);

		found += entry->state == SURVEY_FOUND;
		print_entry(run, entry, is_first(run->survey, i));
		failed = output_failed(run->listing.out);
	}
	listing_end(&run->listing);
	ret = output_finish(run->listing.out, failed, e);
	if (ret || found)
		return ret;
	err_set(e, -ENOENT, "none of the functions that framescope knows is there");
	return err_hint(e, "-p PID of a program that draws, or record --uprobe");
}

static int probes_main(const struct command *self, int argc, char **argv)
{
	static const struct option options[] = {
		{ "format", required_argument, NULL, 'f' },
		{ "pid", required_argument, NULL, 'p' },
		{ "package", required_argument, NULL, 'P' },
		{ 0 },
	};
	const struct style style = style_for(stdout);
	struct probes_run run = {
		.listing = { .out = stdout,
			     .style = &style,
			     .format = &row_table,
			     .view = &probes_view },
	};
	struct err e = { 0 };
	uint64_t pid;
	int opt;

	while ((opt = cmd_getopt(self, argc, argv, "f:p:", options)) != -1) {
		switch (opt) {
		case 'f':
			run.listing.format = row_format_find(optarg);
			if (!run.listing.format)
				return cmd_usage_format(self, optarg);
			break;
		case 'p':
			if (!cmd_number(optarg, 1, INT_MAX, &pid))
				return cmd_usage(self, "'%s' is not a process id", optarg);
			if (run.nr_pids == PIDS_MAX)
				return cmd_usage(self, "more than %d processes", PIDS_MAX);
			run.pids[run.nr_pids++] = (pid_t)pid;
			break;
		case 'P':
			run.package = optarg;
			break;
		}
	}
	if (optind != argc)
		return cmd_usage(self, "there is nothing to be named here: \"%s\"", argv[optind]);
	int ret = print_probes(&run, &e);
	survey_close(run.survey);
	return ret ? cmd_fail(&e) : EXIT_OK;
}

const struct command cmd_probes = {
	.name = "probes",
	.summary = "which functions can be probed, where they are, and which are missing",
	.help = "usage: framescope probes [-p PID]... [--package NAME] [options]\n"
		"\n"
		"Lists every function that a recording looks for, in every copy of its library:\n"
		"where it was found (file, symbol table, offset in the file), or what was tried\n"
		"there, which names are like it, and what is not known without it. Attaches to\n"
		"nothing. Looks into what lies in the usual places of libraries, and before that\n"
		"into what these processes map:\n"
		"\n"
		"  -p, --pid PID        this one; may be repeated\n"
		"      --package NAME   those of an Android package: NAME, and NAME:anything\n"
		"  -f, --format FORMAT  table (default), csv or ndjson\n"
		"  -h, --help           this text\n"
		"      --version        the version\n"
		"\n"
		"found: a recording probes it. not_probed: it is there, but is left alone, and\n"
		"why. missing: its library lacks it. no_library: there is no such library. Exits\n"
		"0 if a function was found, 1 if none or if a process can't be read.\n"
		"\n"
		"example: sudo framescope probes --package com.example.game\n",
	.run = probes_main,
};
