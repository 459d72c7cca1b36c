/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A file that is there when it is whole: it is written under another name beside it. What is no
 * regular file, such as a pipe or a device, is written as it is.
 */
#ifndef CMD_OUT_FILE_H
#define CMD_OUT_FILE_H

#include <stdio.h>

#include "base/err.h"

/* Zero it before out_file_open(). */
struct out_file {
	FILE *f; /* with a large buffer */
	char *path; /* NULL: standard output */
	char *temp; /* NULL: it is written under its own name */
};

/* `path` is copied; "-": standard output. 0 or a negative errno. Ends with out_file_close(). */
int out_file_open(struct out_file *o, const char *path, struct err *e);

/*
 * Write out what is buffered and give the file its name. `failed` is what output_failed() said, or
 * 0. 0 or a negative errno; a reader that went away is no failure.
 */
int out_file_commit(struct out_file *o, int failed, struct err *e);

/* What has not been given its name is removed. Also after a failure, and several times. */
void out_file_close(struct out_file *o);

#endif
