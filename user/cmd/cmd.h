/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What the subcommands share: the table's row, exit codes, and option parsing that helps. */
#ifndef CMD_CMD_H
#define CMD_CMD_H

#include <getopt.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

#define EXIT_OK 0
#define EXIT_RUNTIME 1
#define EXIT_USAGE 2
/* Of a gate: */
#define EXIT_FAIL 3 /* a budget is exceeded */
#define EXIT_INCONCLUSIVE 4 /* none is known to be, but it can't be told of all */

struct command {
	const char *name;
	const char *summary; /* one line for `framescope --help` */
	const char *help; /* the whole text of `framescope NAME --help`, with an example */
	int (*run)(const struct command *self, int argc, char **argv); /* argv[0] is the name */
};

extern const struct command cmd_record, cmd_report, cmd_frames, cmd_fences, cmd_messages, cmd_dump,
	cmd_probes, cmd_doctor, cmd_export, cmd_check, cmd_top, cmd_summary, cmd_compare;

/*
 * getopt_long() with our manners: handles --help (prints self->help, exits 0) itself; on a wrong
 * option prints what is wrong, names the nearest right one and exits with EXIT_USAGE. `shortopts`
 * as for getopt; options are permuted unless it starts with '+'. Returns as getopt_long().
 */
int cmd_getopt(const struct command *self, int argc, char **argv, const char *shortopts,
	       const struct option *longopts);

/* Print "framescope NAME: text" and where to find help to standard error; returns EXIT_USAGE. */
int cmd_usage(const struct command *self, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* The same for a row format that there is not. */
int cmd_usage_format(const struct command *self, const char *word);

/*
 * What getopt has left is to be one capture file: EXIT_OK, or, with what is wrong printed,
 * EXIT_USAGE.
 */
int cmd_one_capture(const struct command *self, int argc);

/* Print the error; returns EXIT_RUNTIME. */
int cmd_fail(const struct err *e);

/* Is this name of a file "-", which elsewhere stands for standard input or output? */
bool cmd_is_standard(const char *name);

/* Can it be read only once: is it that, or a pipe? */
bool cmd_is_pipe(const char *name);

/* Are the two names of one file, which opening it for writing would empty? */
bool cmd_is_same_file(const char *a, const char *b);

/* Parse a whole decimal number in [min, max]; false if `text` is anything else. */
bool cmd_number(const char *text, uint64_t min, uint64_t max, uint64_t *out);

/* Parse seconds with an optional fraction ("0.5"), to ns; false if not a number, negative or
 * above a year. */
bool cmd_seconds(const char *text, uint64_t *ns);

/* The same for milliseconds. */
bool cmd_milliseconds(const char *text, uint64_t *ns);

#endif
