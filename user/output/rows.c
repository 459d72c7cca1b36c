/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The table of row formats, and what all output has in common. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "output/output.h"

const struct row_format row_table = { .name = "table" };
const struct row_format row_csv = { .name = "csv" };
const struct row_format row_ndjson = { .name = "ndjson" };

const struct row_format *const row_formats[] = { &row_table, &row_csv, &row_ndjson, NULL };

const struct row_format *row_format_find(const char *name)
{
	for (unsigned i = 0; row_formats[i]; i++)
		if (!strcmp(row_formats[i]->name, name))
			return row_formats[i];
	return NULL;
}

struct style style_for(FILE *out)
{
	static const struct style plain = { "", "", "", "" };
	static const struct style colour = { "\033[1m", "\033[2m", "\033[33m", "\033[0m" };
	const char *no_color = getenv("NO_COLOR");
	const char *term = getenv("TERM");

	if (!isatty(fileno(out)) || (no_color && *no_color) || (term && !strcmp(term, "dumb")))
		return plain;
	return colour;
}

void output_begin(void)
{
	signal(SIGPIPE, SIG_IGN);
	errno = 0;
}

void output_buffer(FILE *out)
{
	static char buffer[1 << 18];

	/* Without a buffer of its own, glibc's stdio takes no more than the usual one. */
	setvbuf(out, buffer, _IOFBF, sizeof(buffer));
}

int output_failed(FILE *out)
{
	if (!ferror(out))
		return 0;
	return errno ? -errno : -EIO;
}

int output_finish(FILE *out, int failed, struct err *e)
{
	/* Once a write has failed, stdio may have dropped its bytes: a later success means nothing.
	 */
	if (!failed)
		failed = fflush(out) ? (errno ? -errno : -EIO) : output_failed(out);
	if (!failed || failed == -EPIPE)
		return 0;
	err_errno(e, failed, "cannot write the output");
	if (failed == -ENOSPC)
		err_hint(e, "free some space, or write to another file system");
	return failed;
}
