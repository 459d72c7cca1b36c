/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* From a file to a file of another format: what export does, and record for those that are no
 * captures. */
#ifndef CMD_EXPORT_FILE_H
#define CMD_EXPORT_FILE_H

#include <stdbool.h>

#include "base/err.h"
#include "cmd/judging.h"
#include "export/export.h"

struct export_request {
	const char *input; /* a capture, or another source */
	const char *output; /* "-": standard output */
	const struct export_format *format;
	unsigned rows; /* enum export_rows, for a format of rows */
	struct judging *judging;
};

/*
 * Export it. 0 or a negative errno; the output is then as it was before. What the input lacks is
 * said on standard error.
 */
int export_file(const struct export_request *q, struct err *e);

/*
 * The same with the usual judgements, of what was recorded for that: `input` is then removed,
 * unless the output is no regular file.
 */
int export_recorded(const char *input, const char *output, struct err *e);

/* Is the file to be an export rather than a capture? */
bool export_is_recorded(const char *output);

#endif
