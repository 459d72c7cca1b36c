/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Option parsing that helps, and how a command ends. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/text.h"
#include "cmd/cmd.h"
#include "output/output.h"

#define OPTIONS_MAX 32

/* Values of the options that every command has; beyond any character and any caller's value. */
enum { OPT_HELP = 0x10000, OPT_VERSION };

static void where_help(const struct command *self)
{
	fprintf(stderr, "  try: framescope %s --help\n", self->name);
}

int cmd_usage(const struct command *self, const char *fmt, ...)
{
	char text[2 * ERR_TEXT_LEN];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	text_printable(text);
	fprintf(stderr, "framescope %s: %s\n", self->name, text);
	where_help(self);
	return EXIT_USAGE;
}

int cmd_usage_format(const struct command *self, const char *word)
{
	const char *names[8];
	unsigned n = 0;

	for (; n < 7 && row_formats[n]; n++)
		names[n] = row_formats[n]->name;
	names[n] = NULL;
	const char *near = text_nearest(word, names);
	if (near)
		return cmd_usage(self, "unknown format '%s'; did you mean %s?", word, near);
	return cmd_usage(self, "unknown format '%s'; there are table, csv and ndjson", word);
}

int cmd_one_capture(const struct command *self, int argc)
{
	if (argc - optind == 1)
		return EXIT_OK;
	return cmd_usage(self,
			 argc == optind ? "which capture file?" : "one capture file at a time");
}

int cmd_fail(const struct err *e)
{
	err_print(e);
	return EXIT_RUNTIME;
}

/* Print text that was asked for, and end. */
__attribute__((noreturn)) static void print_and_exit(const char *text)
{
	struct err e = { 0 };

	output_begin();
	fputs(text, stdout);
	exit(output_finish(stdout, 0, &e) ? cmd_fail(&e) : EXIT_OK);
}

/* The name that getopt's optopt stands for: "--duration", "-d". */
static const char *option_name(const struct option *options, int value)
{
	static char name[80];

	for (; options->name; options++) {
		if (options->val == value && value > 0xff) {
			snprintf(name, sizeof(name), "--%s", options->name);
			return name;
		}
	}
	snprintf(name, sizeof(name), "-%c", value);
	return name;
}

/* The word of the command line that getopt stumbled over, as far as it names an option. */
static void wrong_word(char *dst, size_t len, const char *word)
{
	text_escape(dst, len, word, strcspn(word, "="));
}

static void usage_unknown_long(const struct command *self, const struct option *options,
			       const char *word)
{
	const char *names[OPTIONS_MAX + 1];
	char typed[128];
	unsigned matches = 0, n = 0;
	const char *bare = word + strspn(word, "-");
	size_t bare_len = strcspn(bare, "=");

	wrong_word(typed, sizeof(typed), word);
	for (const struct option *o = options; o->name; o++) {
		names[n++] = o->name;
		matches += !strncmp(o->name, bare, bare_len);
	}
	names[n] = NULL;
	if (matches > 1) {
		cmd_usage(self, "option %s is short for several", typed);
		return;
	}

	char *name = strndup(bare, bare_len);
	const char *near = name ? text_nearest(name, names) : NULL;
	if (near)
		cmd_usage(self, "unknown option %s; did you mean --%s?", typed, near);
	else
		cmd_usage(self, "unknown option %s", typed);
	free(name);
}

/* Say what is wrong with the option getopt has just refused. `missing`: it lacks its argument. */
static void usage_wrong_option(const struct command *self, const struct option *options,
			       const char *word, bool missing)
{
	bool is_long = !strncmp(word, "--", 2);
	char typed[128];

	wrong_word(typed, sizeof(typed), word);
	if (missing)
		cmd_usage(self, "option %s needs an argument",
			  is_long ? typed : option_name(options, optopt));
	else if (is_long && optopt)
		cmd_usage(self, "option %s takes no argument", typed);
	else if (is_long)
		usage_unknown_long(self, options, word);
	else
		cmd_usage(self, "unknown option -%c", optopt > ' ' && optopt < 0x7f ? optopt : '?');
}

int cmd_getopt(const struct command *self, int argc, char **argv, const char *shortopts,
	       const struct option *longopts)
{
	struct option options[OPTIONS_MAX + 1];
	char shorts[128];
	unsigned n = 0;

	for (; n < OPTIONS_MAX - 2 && longopts[n].name; n++)
		options[n] = longopts[n];
	options[n++] = (struct option){ "help", no_argument, NULL, OPT_HELP };
	options[n++] = (struct option){ "version", no_argument, NULL, OPT_VERSION };
	options[n] = (struct option){ 0 };

	/* A leading ':' makes getopt tell a missing argument from an unknown option. */
	bool in_order = *shortopts == '+';
	snprintf(shorts, sizeof(shorts), "%s:%s%s", in_order ? "+" : "", shortopts + in_order,
		 strchr(shortopts, 'h') ? "" : "h");

	opterr = 0;
	int opt = getopt_long(argc, argv, shorts, options, NULL);
	switch (opt) {
	case OPT_VERSION:
		print_and_exit("framescope " FRAMESCOPE_VERSION "\n");
	case OPT_HELP:
		print_and_exit(self->help);
	case 'h':
		if (!strchr(shortopts, 'h'))
			print_and_exit(self->help);
		return opt;
	case '?':
	case ':':
		/* Permutation may have moved the words, but the one just read is before optind. */
		usage_wrong_option(self, options, argv[optind - 1], opt == ':');
		exit(EXIT_USAGE);
	default:
		return opt;
	}
}

bool cmd_is_standard(const char *name)
{
	return name && !strcmp(name, "-");
}

bool cmd_is_pipe(const char *name)
{
	struct stat st;

	return cmd_is_standard(name) || (stat(name, &st) == 0 && S_ISFIFO(st.st_mode));
}

bool cmd_is_same_file(const char *a, const char *b)
{
	struct stat x, y;

	return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

bool cmd_number(const char *text, uint64_t min, uint64_t max, uint64_t *out)
{
	if (!*text)
		return false;

	uint64_t value = 0;
	for (; *text; text++) {
		if (*text < '0' || *text > '9')
			return false;
		if (__builtin_mul_overflow(value, 10, &value) ||
		    __builtin_add_overflow(value, (uint64_t)(*text - '0'), &value))
			return false;
	}
	if (value < min || value > max)
		return false;
	*out = value;
	return true;
}

/* A number of units with an optional fraction, up to a year. */
static bool duration(const char *text, uint64_t unit_ns, uint64_t *ns)
{
	const uint64_t year = 365ull * 24 * 3600 * 1000000000 / unit_ns;
	size_t whole_len = strspn(text, "0123456789");
	char whole[24];
	uint64_t units = 0, fraction = 0;

	if (whole_len >= sizeof(whole))
		return false;
	memcpy(whole, text, whole_len);
	whole[whole_len] = '\0';
	text += whole_len;
	if (whole_len && !cmd_number(whole, 0, year, &units))
		return false;

	size_t digits = 0;
	if (*text == '.') {
		uint64_t part_ns = unit_ns / 10;

		/* What is below a nanosecond is cut off. */
		for (text++; *text >= '0' && *text <= '9'; text++, digits++, part_ns /= 10)
			fraction += part_ns * (uint64_t)(*text - '0');
	}
	if (*text || whole_len + digits == 0 || (units == year && fraction))
		return false;
	*ns = units * unit_ns + fraction;
	return true;
}

bool cmd_seconds(const char *text, uint64_t *ns)
{
	return duration(text, 1000000000, ns);
}

bool cmd_milliseconds(const char *text, uint64_t *ns)
{
	return duration(text, 1000000, ns);
}
