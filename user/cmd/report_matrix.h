/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* framescope report --matrix: what Tencent Matrix would have reported, in its own shapes. */
#ifndef CMD_REPORT_MATRIX_H
#define CMD_REPORT_MATRIX_H

#include "base/err.h"
#include "cmd/cmd.h"
#include "cmd/judging.h"

struct matrix_shape {
	const char *name; /* as in --matrix */
	/* By the options of `j`, which the caller frees. 0 or a negative errno. */
	int (*print)(const char *path, struct judging *j, struct err *e);
};

/* NULL if there is none with that name. */
const struct matrix_shape *matrix_shape_find(const char *name);

/* Say so, as cmd_usage(). */
int matrix_shape_usage(const struct command *self, const char *name);

#endif
