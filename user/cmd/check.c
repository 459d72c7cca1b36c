/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* framescope check: budgets for frames, as a gate for scripts. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/baseline_file.h"
#include "cmd/cmd.h"
#include "cmd/gate_file.h"
#include "cmd/out_file.h"
#include "gate/print.h"
#include "gate/versus.h"

#define FILES_MAX 256

enum option_value {
	OPT_BUDGET = 0x100,
	OPT_BUDGETS,
	OPT_JUNIT,
	OPT_JSON,
	OPT_GITHUB,
	OPT_LIST,
	OPT_BASELINE
};

struct check_run {
	struct gate_budgets budgets;
	struct judging judging;
	const char *junit, *json;
	bool github, list;
	char **paths;
	unsigned nr;
	struct gate_file *files;
	struct gate_run *runs;
	struct gate_watch *watch; /* NULL: only a list is wanted */
	bool wanted[GATE_METRICS_MAX];
	char *baselines[BASELINE_RUNS_MAX];
	unsigned nr_baselines;
	struct effects effects;
	bool has_effect; /* one was asked for */
	struct baseline before, now; /* runs, if there is a baseline */
	struct versus versus;
};

static int on_frame(void *ctx, const struct frame *f, uint64_t interval_ns)
{
	return gate_watch_add(ctx, f, interval_ns);
}

/* With those that they are reckoned from. */
static void want_metrics(struct check_run *run)
{
	int interval = gate_metric_find(GATE_METRIC_INTERVAL, strlen(GATE_METRIC_INTERVAL));
	int wall = gate_metric_find(GATE_METRIC_WALL, strlen(GATE_METRIC_WALL));

	for (unsigned i = 0; i < run->budgets.nr; i++) {
		const struct gate_budget *b = &run->budgets.all[i];

		run->wanted[b->metric] = true;
		run->wanted[interval] |= gate_metric_at(b->metric)->form == GATE_FPS;
		run->wanted[wall] |= b->stat == GATE_SHARE;
	}
	for (unsigned i = 0; run->nr_baselines && i < gate_metrics(); i++)
		run->wanted[i] |= baseline_has_metric(i);
}

static int read_files(struct check_run *run, struct err *e)
{
	int rc = 0;

	run->files = calloc(run->nr + 1, sizeof(*run->files));
	run->runs = calloc(run->nr + 1, sizeof(*run->runs));
	if (!run->list)
		run->watch = gate_watch_new(&run->budgets);
	if (!run->files || !run->runs || (!run->list && !run->watch))
		return err_errno(e, -ENOMEM, "cannot check %u files", run->nr);
	for (unsigned i = 0; i < run->nr && !rc; i++) {
		struct gate_file *f = &run->files[i];

		*f = (struct gate_file){ .wanted = run->list ? NULL : run->wanted,
					 .frame = run->watch ? on_frame : NULL,
					 .ctx = run->watch };
		if (i && run->watch)
			gate_watch_next_run(run->watch);
		rc = gate_file_read(f, run->paths[i], &run->judging, e);
		run->runs[i] = (struct gate_run){
			.path = f->path, .samples = f->samples, .dump = f->dump, .trace = f->trace
		};
		for (unsigned t = 0; t < GATE_TOPICS; t++)
			run->runs[i].absent[t] = f->absent[t];
	}
	return rc;
}

typedef int print_form(FILE *out, const struct gate_check *c, struct err *e);

static int print_junit(FILE *out, const struct gate_check *c, struct err *e)
{
	(void)e;
	gate_print_junit(out, c);
	return 0;
}

/* To a file, which is replaced when all is written; "-" is standard output. */
static int print_to(const char *path, print_form *print, const struct gate_check *c, struct err *e)
{
	struct out_file out = { 0 };
	int rc = out_file_open(&out, path, e);

	if (!rc)
		rc = print(out.f, c, e);
	if (!rc)
		rc = out_file_commit(&out, output_failed(out.f), e);
	out_file_close(&out);
	return rc;
}

static int print_all(const struct check_run *run, const struct gate_check *c, struct err *e)
{
	const struct style style = style_for(stdout);
	bool taken = cmd_is_standard(run->junit) || cmd_is_standard(run->json);
	int rc = 0;

	if (!taken && run->github)
		rc = gate_print_log(stdout, &style, c, e);
	else if (!taken)
		gate_print_text(stdout, &style, c);
	if (run->github)
		gate_print_github(stdout, c);
	if (!rc && (!taken || run->github))
		rc = output_finish(stdout, output_failed(stdout), e);
	if (!rc && run->junit)
		rc = print_to(run->junit, print_junit, c, e);
	if (!rc && run->json)
		rc = print_to(run->json, gate_print_json, c, e);
	return rc;
}

static int list_metrics(struct check_run *run, struct err *e)
{
	const struct style style = style_for(stdout);

	gate_print_metrics(stdout, &style, run->runs, run->nr);
	return output_finish(stdout, output_failed(stdout), e);
}

static int compare(struct check_run *run, struct gate_check *c, struct err *e)
{
	int rc = 0;

	for (unsigned i = 0; i < run->nr_baselines && !rc; i++)
		rc = baseline_file_add(&run->before, run->baselines[i], &run->judging, run->wanted,
				       NULL, NULL, e);
	for (unsigned i = 0; i < run->nr && !rc; i++)
		rc = baseline_add(&run->now, run->files[i].path, run->files[i].samples,
				  run->files[i].meta, e);
	return rc ? rc : versus_add(&run->versus, c, &run->before, &run->now, &run->effects, e);
}

static int check(struct check_run *run, enum gate_outcome *outcome, struct err *e)
{
	struct gate_check c = { 0 };
	int rc;

	want_metrics(run);
	rc = read_files(run, e);
	if (rc)
		return rc;
	output_begin();
	if (run->list)
		return list_metrics(run, e);
	c.runs = run->runs;
	c.nr_runs = run->nr;
	rc = gate_check_all(&c, &run->budgets, run->watch, e);
	if (!rc && run->nr_baselines)
		rc = compare(run, &c, e);
	if (!rc)
		rc = print_all(run, &c, e);
	*outcome = gate_check_outcome(&c);
	gate_check_free(&c);
	return rc;
}

/* A wrong budget is wrong use, a file of them that can't be read is not. */
static int usage_budget(const struct command *self, const struct err *e)
{
	cmd_usage(self, "%s", e->what);
	if (*e->hint)
		fprintf(stderr, "  or: %s\n", e->hint);
	return EXIT_USAGE;
}

/* It has all the files behind it, up to the next option or "--". */
static int add_baselines(const struct command *self, struct check_run *run, int argc, char **argv)
{
	char *file = optarg;

	do {
		if (run->nr_baselines == BASELINE_RUNS_MAX)
			return cmd_usage(self, "no more than %d files are a baseline",
					 BASELINE_RUNS_MAX);
		run->baselines[run->nr_baselines++] = file;
		file = optind < argc && argv[optind][0] != '-' ? argv[optind++] : NULL;
	} while (file);
	return EXIT_OK;
}

static int parse(const struct command *self, struct check_run *run, int argc, char **argv)
{
	static const struct option options[] = {
		{ "budget", required_argument, NULL, OPT_BUDGET },
		{ "budgets", required_argument, NULL, OPT_BUDGETS },
		{ "baseline", required_argument, NULL, OPT_BASELINE },
		{ "min-effect", required_argument, NULL, BASELINE_MIN_EFFECT },
		{ "junit", required_argument, NULL, OPT_JUNIT },
		{ "json", required_argument, NULL, OPT_JSON },
		{ "github", no_argument, NULL, OPT_GITHUB },
		{ "list-metrics", no_argument, NULL, OPT_LIST },
		JUDGING_OPTIONS,
		{ 0 },
	};
	struct err e = { 0 };
	int opt;

	while ((opt = cmd_getopt(self, argc, argv, "", options)) != -1) {
		switch (opt) {
		case OPT_BUDGET:
			if (gate_budgets_add(&run->budgets, optarg, &e))
				return usage_budget(self, &e);
			break;
		case OPT_BUDGETS:
			if (gate_budgets_read(&run->budgets, optarg, &e))
				return cmd_fail(&e);
			break;
		case OPT_BASELINE:
			if (add_baselines(self, run, argc, argv))
				return EXIT_USAGE;
			break;
		case BASELINE_MIN_EFFECT:
			if (baseline_effect_option(self, &run->effects, optarg))
				return EXIT_USAGE;
			run->has_effect = true;
			break;
		case OPT_JUNIT:
			run->junit = optarg;
			break;
		case OPT_JSON:
			run->json = optarg;
			break;
		case OPT_GITHUB:
			run->github = true;
			break;
		case OPT_LIST:
			run->list = true;
			break;
		default:
			if (judging_option(self, &run->judging, opt, optarg))
				return EXIT_USAGE;
		}
	}
	run->paths = argv + optind;
	run->nr = (unsigned)(argc - optind);
	if (run->nr > FILES_MAX)
		return cmd_usage(self, "no more than %d files at a time", FILES_MAX);
	if (run->list)
		return EXIT_OK;
	if (!run->nr && run->nr_baselines > 1)
		return cmd_usage(self, "which capture file? --baseline takes all behind it: put it "
				       "last, or -- before FILE");
	if (!run->nr)
		return cmd_usage(self, "which capture file?");
	if (run->has_effect && !run->nr_baselines)
		return cmd_usage(self, "--min-effect is of a --baseline");
	if (!run->budgets.nr && !run->nr_baselines)
		return cmd_usage(self, "which budget? Such as --budget 'wall.p95<=16.6ms'");
	if (cmd_is_standard(run->junit) + cmd_is_standard(run->json) + run->github > 1)
		return cmd_usage(self,
				 "one of --junit -, --json - and --github at a time: there is "
				 "one standard output");
	return EXIT_OK;
}

static int check_main(const struct command *self, int argc, char **argv)
{
	static const int statuses[] = {
		[GATE_PASS] = EXIT_OK,
		[GATE_FAIL] = EXIT_FAIL,
		[GATE_INCONCLUSIVE] = EXIT_INCONCLUSIVE,
	};
	enum gate_outcome outcome = GATE_PASS;
	struct check_run *run = calloc(1, sizeof(*run));
	struct err e = { 0 };
	int status;

	if (!run) {
		err_errno(&e, -ENOMEM, "cannot check");
		return cmd_fail(&e);
	}
	judging_init(&run->judging);
	effects_init(&run->effects);
	status = parse(self, run, argc, argv);
	if (!status && check(run, &outcome, &e))
		status = cmd_fail(&e);
	else if (!status)
		status = statuses[outcome];
	for (unsigned i = 0; run->files && i < run->nr; i++)
		gate_file_free(&run->files[i]);
	free(run->files);
	free(run->runs);
	versus_free(&run->versus);
	baseline_free(&run->before);
	baseline_free(&run->now);
	gate_watch_free(run->watch);
	gate_budgets_free(&run->budgets);
	free(run);
	return status;
}

const struct command cmd_check = {
	.name = "check",
	.summary = "budgets for frames: pass, fail, or that it can't be told",
	.help = "usage: framescope check FILE... [--budget EXPR] [--baseline FILE...] [options]\n"
		"\n"
		"Hold budgets, or a baseline, against what was recorded, for scripts.\n"
		"\n"
		"  --budget EXPR        [PRODUCER:]METRIC[.STAT] OP VALUE[UNIT]; may be repeated\n"
		"  --budgets FILE.json  {\"schema\": \"framescope.budgets/1\", \"budgets\": "
		"[EXPR,\n"
		"                       {\"budget\": EXPR, \"producer\": NAME}, ...]}\n"
		"  --baseline FILE...   earlier runs, or their summary (framescope summary):\n"
		"                       FILE is to be no worse. Ends at the next option or --\n" //
	BASELINE_HELP "  --list-metrics       print all metrics, and which of them FILEs have\n"
		"  --junit OUT.xml      also for CI: a testcase for each budget and producer,\n"
		"                       inconclusive ones skipped\n"
		"  --json OUT.json      also as JSON; '-' is standard output, instead of text\n"
		"  --github             also as annotations of GitHub's workflows\n" //
	JUDGING_HELP "  -h, --help           this text\n"
		"  --version            the version\n"
		"\n"
		"PRODUCER is a name as report has it, or a pattern ('com.example*'). It ends at\n"
		"the last ':' of EXPR, and so may hold some itself. Without one, the budget is\n"
		"of each producer. METRIC is a column of durations of 'framescope frames'\n"
		"without its _ns, a stage (stage.draw), a cause (cause.fence), a verdict\n"
		"(jank.hwui), fps, frames, lossy or truncated. STAT is min, mean, p50 to p99.9,\n"
		"max, count, rate (per second) or share (of the frames, or of their wall time).\n"
		"Shares and single numbers need none. OP is <=, <, >= or >. UNIT is ns,\n"
		"us, ms or s of a time, % of a share, and none, Hz or fps per second.\n"
		"\n"
		"A recording is a sample of what the program does. A budget passes if the whole\n"
		"95 % interval of the statistic is within it, fails if none of it is, and is\n"
		"inconclusive between: another recording might turn it around. The interval\n"
		"heeds that frames in a row are alike, and that lossy frames may have been any.\n"
		"30 frames are the least; to pass, p90 takes 35, p95 73, p99 381, p99.9 3838.\n"
		"Facts have no interval: min, max, count, frames, lossy, truncated, and a share\n"
		"that is to be 0 %. Several FILEs are runs of the same thing, and one sample.\n"
		"What a FILE cannot have is an error.\n"
		"\n"
		"Against a baseline there are wall.p50, wall.p95 and gpu.p95, as far as both have\n"
		"them, and what --min-effect names, such as cause.lock.mean or jank.hwui.\n"
		"One fails if it is worse by more than the least effect and not by chance, which\n"
		"heeds that frames in a row are alike, that runs differ (by a fifth of the least\n"
		"effect, or as several runs of the baseline say), and how many metrics there are.\n"
		"It is inconclusive if twice the least effect might not be found.\n"
		"\n"
		"Exit status: 0 all pass, 3 one fails, 4 none fails but one is inconclusive,\n"
		"1 an error, 2 wrong use.\n"
		"\n"
		"  framescope check app.fsc --budget 'wall.p95<=16.6ms' --budget 'jank.hwui<=1%'\n"
		"  framescope check run*.fsc --budgets budgets.json --junit check.xml\n"
		"  framescope check new.fsc --baseline baseline.json --min-effect 3%,0.1ms\n",
	.run = check_main,
};
