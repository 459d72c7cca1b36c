/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Files as runs. */
#include "cmd/baseline_file.h"

#include <errno.h>
#include <stdio.h>

#include "cmd/gate_file.h"

int baseline_file_add(struct baseline *b, const char *path, const struct judging *rules,
		      const bool *wanted, baseline_frame *frame, void *ctx, struct err *e)
{
	struct gate_file f = { .wanted = wanted, .frame = frame, .ctx = ctx };
	int rc;

	if (!cmd_is_pipe(path) && baseline_is_summary(path))
		return baseline_read(b, path, e);
	rc = gate_file_read(&f, path, rules, e);
	if (!rc && !gate_samples_producer(f.samples, 0)) {
		err_set(e, -ENODATA, "%s has no frames", path);
		rc = err_hint(e, "framescope report %s, which says what it may be", path);
	}
	if (!rc)
		rc = baseline_add(b, path, f.samples, f.meta, e);
	gate_file_free(&f);
	return rc;
}

int baseline_effect_option(const struct command *self, struct effects *effects, const char *arg)
{
	struct err e = { 0 };

	if (!effects_add(effects, arg, &e))
		return EXIT_OK;
	cmd_usage(self, "%s", e.what);
	if (*e.hint)
		fprintf(stderr, "  or: %s\n", e.hint);
	return EXIT_USAGE;
}
