/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Options that help: what a wrong one says, and which values are taken. */
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "cmd/cmd.h"

enum { OPT_COMM = 256 };

static const struct option options[] = {
	{ "duration", required_argument, NULL, 'd' },
	{ "comm", required_argument, NULL, OPT_COMM },
	{ "all", no_argument, NULL, 'a' },
	{ "uprobe", required_argument, NULL, 'u' },
	{ "unwind", no_argument, NULL, 'w' },
	{ 0 },
};

static int no_run(const struct command *self, int argc, char **argv)
{
	(void)self;
	(void)argc;
	(void)argv;
	return EXIT_OK;
}

static const struct command command = {
	.name = "record",
	.summary = "s",
	.help = "the whole help\n",
	.run = no_run,
};

/* What cmd_getopt() makes of a command line in a process of its own. */
struct outcome {
	int code; /* of its exit; 100: it came to the end of the options */
	char out[512];
	char err[512];
};

static void drain(int fd, char *dst, size_t len)
{
	size_t used = 0;
	ssize_t n;

	while (used < len - 1 && (n = read(fd, dst + used, len - 1 - used)) > 0)
		used += (size_t)n;
	dst[used] = '\0';
	close(fd);
}

static struct outcome parse(const char *shortopts, char **argv)
{
	struct outcome o = { .code = -1 };
	int out[2], err[2], status;
	int argc = 0;

	while (argv[argc])
		argc++;
	fflush(stdout);
	if (pipe(out) || pipe(err))
		return o;
	pid_t child = fork();
	if (!child) {
		char seen[256] = "";
		int opt;

		dup2(out[1], STDOUT_FILENO);
		dup2(err[1], STDERR_FILENO);
		optind = 1;
		while ((opt = cmd_getopt(&command, argc, argv, shortopts, options)) != -1)
			snprintf(seen + strlen(seen), sizeof(seen) - strlen(seen), "%d=%s ", opt,
				 optarg ? optarg : "");
		printf("%srest=%d\n", seen, argc - optind);
		fflush(stdout);
		_exit(100);
	}
	close(out[1]);
	close(err[1]);
	drain(out[0], o.out, sizeof(o.out));
	drain(err[0], o.err, sizeof(o.err));
	if (child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status))
		o.code = WEXITSTATUS(status);
	return o;
}

#define PARSE(shortopts, ...) parse(shortopts, (char *[]){ "record", __VA_ARGS__, NULL })
#define HELP "\n  try: framescope record --help\n"

static void check_refused(struct outcome o, const char *message)
{
	CU_ASSERT_EQUAL(o.code, EXIT_USAGE);
	CU_ASSERT_STRING_EQUAL(o.err, message);
	CU_ASSERT_STRING_EQUAL(o.out, "");
}

static void test_right(void)
{
	struct outcome o = PARSE("d:au:", "-d", "5", "file", "--comm=x", "-a", "--dur", "7");

	CU_ASSERT_EQUAL(o.code, 100);
	CU_ASSERT_STRING_EQUAL(o.out, "100=5 256=x 97= 100=7 rest=1\n");
	CU_ASSERT_STRING_EQUAL(o.err, "");
}

static void test_in_order(void)
{
	struct outcome o = PARSE("+d:a", "-a", "prog", "--help", "-z");

	CU_ASSERT_EQUAL(o.code, 100);
	CU_ASSERT_STRING_EQUAL(o.out, "97= rest=3\n");
	o = PARSE("+d:a", "-a", "--", "--duraton");
	CU_ASSERT_EQUAL(o.code, 100);
	CU_ASSERT_STRING_EQUAL(o.out, "97= rest=1\n");
}

static void test_unknown_long(void)
{
	check_refused(PARSE("d:a", "--duraton", "5"),
		      "framescope record: unknown option --duraton; did you mean --duration?" HELP);
	check_refused(PARSE("d:a", "file", "--duraton=5"),
		      "framescope record: unknown option --duraton; did you mean --duration?" HELP);
	check_refused(PARSE("d:a", "--verson"),
		      "framescope record: unknown option --verson; did you mean --version?" HELP);
	check_refused(PARSE("d:a", "--xyzzyxyzzy"),
		      "framescope record: unknown option --xyzzyxyzzy" HELP);
}

static void test_unknown_short(void)
{
	check_refused(PARSE("d:a", "-z"), "framescope record: unknown option -z" HELP);
	check_refused(PARSE("d:a", "-az"), "framescope record: unknown option -z" HELP);
	check_refused(PARSE("d:a", "-\033"), "framescope record: unknown option -?" HELP);
}

static void test_ambiguous(void)
{
	check_refused(PARSE("d:a", "--u", "x"),
		      "framescope record: option --u is short for several" HELP);
}

static void test_argument(void)
{
	check_refused(PARSE("d:a", "-d"), "framescope record: option -d needs an argument" HELP);
	check_refused(PARSE("d:a", "-ad"), "framescope record: option -d needs an argument" HELP);
	check_refused(PARSE("d:a", "--duration"),
		      "framescope record: option --duration needs an argument" HELP);
	check_refused(PARSE("d:a", "--comm"),
		      "framescope record: option --comm needs an argument" HELP);
	check_refused(PARSE("d:a", "--all=yes"),
		      "framescope record: option --all takes no argument" HELP);
	check_refused(PARSE("d:a", "--help=me"),
		      "framescope record: option --help takes no argument" HELP);
}

static void test_hostile_word(void)
{
	check_refused(PARSE("d:a", "--\033[2J"),
		      "framescope record: unknown option --\\x1b[2J" HELP);
}

static void test_help(void)
{
	static char *const words[] = { "--help", "-h", "--hel" };

	for (unsigned i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		struct outcome o = PARSE("d:a", "-a", words[i]);

		CU_ASSERT_EQUAL(o.code, EXIT_OK);
		CU_ASSERT_PTR_NOT_NULL(strstr(o.out, "the whole help\n"));
		CU_ASSERT_STRING_EQUAL(o.err, "");
	}
	/* A command may have a -h of its own. */
	struct outcome o = PARSE("h", "-h");
	CU_ASSERT_EQUAL(o.code, 100);
	CU_ASSERT_STRING_EQUAL(o.out, "104= rest=0\n");
}

static void test_version(void)
{
	struct outcome o = PARSE("d:a", "--version");

	CU_ASSERT_EQUAL(o.code, EXIT_OK);
	CU_ASSERT_STRING_EQUAL(o.out, "framescope 0.1.0\n");
}

static void test_number(void)
{
	static const char *const wrong[] = { "",    " 1",   "1 ",  "+1",
					     "-1",  "0x10", "1.0", "18446744073709551616",
					     "101", "9",    "ten", "99999999999999999999999" };
	uint64_t n = 77;

	for (unsigned i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		CU_ASSERT_FALSE(cmd_number(wrong[i], 10, 100, &n));
	CU_ASSERT_EQUAL(n, 77);
	CU_ASSERT_TRUE(cmd_number("10", 10, 100, &n));
	CU_ASSERT_EQUAL(n, 10);
	CU_ASSERT_TRUE(cmd_number("0100", 10, 100, &n));
	CU_ASSERT_EQUAL(n, 100);
	CU_ASSERT_TRUE(cmd_number("18446744073709551615", 0, UINT64_MAX, &n));
	CU_ASSERT_EQUAL(n, UINT64_MAX);
}

static void test_seconds(void)
{
	static const char *const wrong[] = { "",         ".",
					     "-1",       "1s",
					     "1e3",      "nan",
					     "inf",      "0x1",
					     " 1",       "1.2.3",
					     "31536001", "31536000.1",
					     "1 ",       "99999999999999999999999999999999999" };
	uint64_t ns = 77;

	for (unsigned i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		CU_ASSERT_FALSE(cmd_seconds(wrong[i], &ns));
	CU_ASSERT_EQUAL(ns, 77);
	CU_ASSERT_TRUE(cmd_seconds("0.5", &ns));
	CU_ASSERT_EQUAL(ns, 500000000);
	CU_ASSERT_TRUE(cmd_seconds("5", &ns));
	CU_ASSERT_EQUAL(ns, 5000000000);
	CU_ASSERT_TRUE(cmd_seconds("1.000000001", &ns));
	CU_ASSERT_EQUAL(ns, 1000000001);
	CU_ASSERT_TRUE(cmd_seconds(".25", &ns));
	CU_ASSERT_EQUAL(ns, 250000000);
	CU_ASSERT_TRUE(cmd_seconds("3.", &ns));
	CU_ASSERT_EQUAL(ns, 3000000000);
	CU_ASSERT_TRUE(cmd_seconds("0.0000000019", &ns));
	CU_ASSERT_EQUAL(ns, 1);
	CU_ASSERT_TRUE(cmd_seconds("31536000", &ns));
	CU_ASSERT_EQUAL(ns, 31536000000000000);
}

/* A device may be up for longer than a year has seconds, in ms. */
static void test_milliseconds(void)
{
	uint64_t ns = 1;

	CU_ASSERT_TRUE(cmd_milliseconds("99940000.5", &ns));
	CU_ASSERT_EQUAL(ns, 99940000500000);
	CU_ASSERT_TRUE(cmd_milliseconds("31536000000", &ns));
	CU_ASSERT_EQUAL(ns, 31536000000000000);
	CU_ASSERT_TRUE(cmd_milliseconds("0.0000019", &ns));
	CU_ASSERT_EQUAL(ns, 1);
	CU_ASSERT_FALSE(cmd_milliseconds("31536000001", &ns));
	CU_ASSERT_FALSE(cmd_milliseconds("-1", &ns));
	CU_ASSERT_FALSE(cmd_milliseconds("1e7", &ns));
}

int main(void)
{
	static const struct check_case cases[] = {
		{ "right", test_right },
		{ "in_order", test_in_order },
		{ "unknown_long", test_unknown_long },
		{ "unknown_short", test_unknown_short },
		{ "ambiguous", test_ambiguous },
		{ "argument", test_argument },
		{ "hostile_word", test_hostile_word },
		{ "help", test_help },
		{ "version", test_version },
		{ "number", test_number },
		{ "seconds", test_seconds },
		{ "milliseconds", test_milliseconds },
		{ NULL, NULL },
	};

	return check_main("options", cases);
}
