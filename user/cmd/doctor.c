/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* framescope doctor: what this machine and these rights allow, and how to get the rest. */
#include <stdio.h>

#include "cmd/cmd.h"
#include "output/doctor.h"
#include "output/output.h"
#include "probe/kernel.h"

static int doctor_main(const struct command *self, int argc, char **argv)
{
	static const struct option options[] = {
		{ "btf", required_argument, NULL, 'b' },
		{ "json", no_argument, NULL, 'j' },
		{ 0 },
	};
	struct kernel_check checks[KERNEL_CHECKS_MAX];
	struct err e = { 0 };
	bool json = false, ready = true;
	int opt;

	while ((opt = cmd_getopt(self, argc, argv, "", options)) != -1) {
		json |= opt == 'j';
		if (opt == 'b' && kernel_use_btf(optarg, &e))
			return cmd_fail(&e);
	}
	if (optind != argc)
		return cmd_usage(self, "there is nothing to be named here: \"%s\"", argv[optind]);

	output_begin();
	int n = kernel_checks(checks);
	for (int i = 0; i < n; i++)
		ready &= !checks[i].required || checks[i].state != CHECK_MISSING;
	if (json) {
		if (doctor_json(stdout, checks, n, ready, &e))
			return cmd_fail(&e);
	} else {
		const struct style style = style_for(stdout);

		doctor_text(stdout, &style, checks, n, ready);
	}
	if (output_finish(stdout, output_failed(stdout), &e))
		return cmd_fail(&e);
	return ready ? EXIT_OK : EXIT_RUNTIME;
}

const struct command cmd_doctor = {
	.name = "doctor",
	.summary = "what this machine and your rights allow, and how to get the rest",
	.help = "usage: framescope doctor [--json] [--btf FILE]\n"
		"\n"
		"Checks the kernel, its tracepoints and their fields, uprobes, rights, limits and\n"
		"the clock. Each line is ok, degraded or missing; below one that is not ok stands\n"
		"what is lost and what to try. Needs no root, but then can only tell what root\n"
		"would see as missing. Exits 0 if recording can work, 1 if not.\n"
		"\n"
		"  --json      one JSON object: schema, ready, and checks, each with name, state,\n"
		"              detail, required, and where it is not ok loss and fix\n"
		"  --btf FILE  the kernel's types, where it has no /sys/kernel/btf/vmlinux\n"
		"\n"
		"example: sudo framescope doctor\n",
	.run = doctor_main,
};
