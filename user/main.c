/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* framescope: the table of subcommands. */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "cmd/cmd.h"
#include "output/output.h"

static const struct command *const commands[] = {
	&cmd_record,   &cmd_top,    &cmd_report,  &cmd_frames,  &cmd_fences,
	&cmd_messages, &cmd_check,  &cmd_compare, &cmd_summary, &cmd_export,
	&cmd_dump,     &cmd_probes, &cmd_doctor,
};

#define NR_COMMANDS (sizeof(commands) / sizeof(commands[0]))

static const struct command *find_command(const char *name)
{
	for (unsigned i = 0; i < NR_COMMANDS; i++)
		if (!strcmp(commands[i]->name, name))
			return commands[i];
	return NULL;
}

static void print_usage(FILE *out)
{
	fputs("usage: framescope COMMAND [options]\n"
	      "\n"
	      "Says where the time of each frame of a graphics program went.\n"
	      "\n",
	      out);
	for (unsigned i = 0; i < NR_COMMANDS; i++)
		fprintf(out, "  %-9s %s\n", commands[i]->name, commands[i]->summary);
	fputs("\n"
	      "  framescope COMMAND --help   the options of a command, with an example\n"
	      "  framescope --version        the version\n"
	      "\n"
	      "First steps, as root:\n"
	      "  framescope record -d 5 -- es2gears_x11\n"
	      "  framescope report framescope.fsc\n",
	      out);
}

static int unknown_command(const char *word)
{
	const char *names[NR_COMMANDS + 2] = { NULL };
	char typed[128];

	for (unsigned i = 0; i < NR_COMMANDS; i++)
		names[i] = commands[i]->name;
	names[NR_COMMANDS] = "help";
	const char *near = text_nearest(word, names);
	text_escape(typed, sizeof(typed), word, strlen(word));
	if (near)
		fprintf(stderr, "framescope: unknown command '%s'; did you mean %s?\n", typed,
			near);
	else
		fprintf(stderr, "framescope: unknown command '%s'\n", typed);
	fputs("  try: framescope --help\n", stderr);
	return EXIT_USAGE;
}

static int unknown_option(const char *word)
{
	static const char *const names[] = { "--help", "--version", NULL };
	const char *near = text_nearest(word, names);
	char typed[128];

	text_escape(typed, sizeof(typed), word, strlen(word));
	if (near)
		fprintf(stderr, "framescope: unknown option %s; did you mean %s?\n", typed, near);
	else
		fprintf(stderr, "framescope: unknown option %s before a command\n", typed);
	fputs("  try: framescope --help\n", stderr);
	return EXIT_USAGE;
}

/* End a command that has printed what was asked for. */
static int finish(void)
{
	struct err e = { 0 };

	return output_finish(stdout, 0, &e) ? cmd_fail(&e) : EXIT_OK;
}

static int help(const char *name)
{
	if (!name) {
		print_usage(stdout);
		return finish();
	}

	const struct command *command = find_command(name);
	if (!command)
		return unknown_command(name);
	fputs(command->help, stdout);
	return finish();
}

int main(int argc, char **argv)
{
	if (argc < 2) {
		print_usage(stderr);
		return EXIT_USAGE;
	}

	const char *word = argv[1];
	if (!strcmp(word, "--version")) {
		puts("framescope " FRAMESCOPE_VERSION);
		return finish();
	}
	if (!strcmp(word, "--help") || !strcmp(word, "-h"))
		return help(NULL);
	if (!strcmp(word, "help"))
		return help(argv[2]);
	if (*word == '-')
		return unknown_option(word);

	const struct command *command = find_command(word);
	if (!command)
		return unknown_command(word);
	return command->run(command, argc - 1, argv + 1);
}
