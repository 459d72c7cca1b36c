/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* framescope doctor: what this machine and these rights allow, and how to get the rest. */
#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "cmd/cmd.h"
#include "output/output.h"
#include "probe/kernel.h"

#define WIDTH 80
#define NAME_COLUMN 10
#define DETAIL_COLUMN 35
#define NOTE_COLUMN 16

static const char *const state_names[] = {
	[CHECK_OK] = "ok",
	[CHECK_DEGRADED] = "degraded",
	[CHECK_MISSING] = "missing",
};

static int print_json(const struct kernel_check *checks, int n, bool ready, struct err *e)
{
	json_t *list = json_array();
	int ret = 0;

	for (int i = 0; i < n; i++) {
		const struct kernel_check *c = &checks[i];

		/* "s*": no key where there is nothing to say */
		if (json_array_append_new(list,
					  json_pack("{s:s, s:s, s:s, s:s*, s:s*, s:b}", "name",
						    c->name, "state", state_names[c->state],
						    "detail", c->detail, "loss", c->loss, "fix",
						    c->fix, "required", c->required)))
			ret = -ENOMEM;
	}
	json_t *root = json_pack("{s:s, s:o, s:b}", "schema", "framescope.doctor/1", "checks", list,
				 "ready", ready);
	/* what could not be written is for output_finish() to say */
	if (!root || (json_dumpf(root, stdout, JSON_INDENT(2)) && !ferror(stdout)))
		ret = -ENOMEM;
	json_decref(root);
	if (ret)
		return err_errno(e, ret, "cannot print the checks");
	putchar('\n');
	return 0;
}

/* Print words from column `at` on; further lines begin at `indent`. */
static void print_wrapped(const char *text, int at, int indent)
{
	while (*text) {
		int len = (int)strcspn(text, " ");

		if (at > indent && at + 1 + len > WIDTH) {
			printf("\n%*s", indent, "");
			at = indent;
		} else if (at > indent) {
			putchar(' ');
			at++;
		}
		printf("%.*s", len, text);
		at += len;
		text += len + strspn(text + len, " ");
	}
	putchar('\n');
}

static void print_note(const char *label, const char *text)
{
	printf("%*s%-*s", NAME_COLUMN, "", NOTE_COLUMN - NAME_COLUMN, label);
	print_wrapped(text, NOTE_COLUMN, NOTE_COLUMN);
}

static void print_text(const struct kernel_check *checks, int n, bool ready)
{
	const struct style style = style_for(stdout);
	int counts[3] = { 0 };

	for (int i = 0; i < n; i++) {
		const struct kernel_check *c = &checks[i];
		const char *colour = c->state == CHECK_OK ? style.dim : style.warn;

		counts[c->state]++;
		printf("%s%-*s%s%-*s", colour, NAME_COLUMN, state_names[c->state], style.off,
		       DETAIL_COLUMN - NAME_COLUMN, c->name);
		print_wrapped(c->detail, DETAIL_COLUMN, DETAIL_COLUMN);
		if (c->loss)
			print_note("lost:", c->loss);
		if (c->fix)
			print_note("try:", c->fix);
	}
	printf("\n%srecording %s%s: %d ok, %d degraded, %d missing\n", style.bold,
	       ready ? "can work" : "can't work", style.off, counts[CHECK_OK],
	       counts[CHECK_DEGRADED], counts[CHECK_MISSING]);
}

static int doctor_main(const struct command *self, int argc, char **argv)
{
	static const struct option options[] = {
		{ "json", no_argument, NULL, 'j' },
		{ 0 },
	};
	struct kernel_check checks[KERNEL_CHECKS_MAX];
	struct err e = { 0 };
	bool json = false, ready = true;
	int opt;

	while ((opt = cmd_getopt(self, argc, argv, "", options)) != -1)
		json |= opt == 'j';
	if (optind != argc)
		return cmd_usage(self, "there is nothing to be named here: \"%s\"", argv[optind]);

	output_begin();
	int n = kernel_checks(checks);
	for (int i = 0; i < n; i++)
		ready &= !checks[i].required || checks[i].state != CHECK_MISSING;
	if (!json)
		print_text(checks, n, ready);
	else if (print_json(checks, n, ready, &e))
		return cmd_fail(&e);
	if (output_finish(stdout, output_failed(stdout), &e))
		return cmd_fail(&e);
	return ready ? EXIT_OK : EXIT_RUNTIME;
}

const struct command cmd_doctor = {
	.name = "doctor",
	.summary = "what this machine and your rights allow, and how to get the rest",
	.help = "usage: framescope doctor [--json]\n"
		"\n"
		"Checks the kernel, its tracepoints and their fields, uprobes, rights, limits and "
		"the\n"
		"clock. Each line is ok, degraded or missing; below one that is not ok stands "
		"what\n"
		"is lost and what to try. Needs no root, but then can only tell what root would "
		"see\n"
		"as missing. Exits 0 if recording can work, 1 if not.\n"
		"\n"
		"  --json  one JSON object: schema, ready, and checks, each with name, state, "
		"detail,\n"
		"          required, and where it is not ok loss and fix\n"
		"\n"
		"example: sudo framescope doctor\n",
	.run = doctor_main,
};
