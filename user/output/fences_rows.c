/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What the views of fences have in common: words. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "output/fences.h"

void fences_get_name(const void *of, unsigned arg, struct cell *c)
{
	const struct fence_name *n = ((const struct fences_row *)of)->name;

	if (arg == FENCES_DRIVER)
		cell_set_name(c, n->driver, sizeof(n->driver));
	else
		cell_set_name(c, n->timeline, sizeof(n->timeline));
}

void fences_id(char *dst, size_t len, struct fence_id id, unsigned width)
{
	char text[64];

	snprintf(text, sizeof(text), "%" PRIu64 ":%" PRIu64, id.context, id.seqno);
	words_fit(dst, len, text, width);
}

const char *fences_dash(const char *text)
{
	return *text ? text : "-";
}

size_t fences_full_name(char *dst, size_t len, const struct fence_name *name)
{
	char full[4ul * FS_DRIVER_LEN + sizeof("/") + WORDS_LEN];
	size_t n =
		text_escape(full, 4 * sizeof(name->driver) + 1, name->driver, sizeof(name->driver));
	size_t timeline;

	*dst = '\0';
	if (!*name->driver && !*name->timeline)
		return 0;
	if (!n)
		full[n++] = '-';
	full[n++] = '/';
	timeline = text_escape(full + n, WORDS_LEN, name->timeline, sizeof(name->timeline));
	if (!timeline)
		full[n++] = '-';
	n += timeline;
	if (n >= len)
		n = len - 1;
	memcpy(dst, full, n);
	dst[n] = '\0';
	return n;
}

void fences_thread(char *dst, size_t len, const char *comm, uint32_t tid, unsigned width)
{
	char name[4 * FS_COMM_LEN + 1], cut[sizeof(name) + 1], number[16];
	unsigned digits = (unsigned)snprintf(number, sizeof(number), "/%" PRIu32, tid);

	text_escape(name, sizeof(name), comm, strnlen(comm, FS_COMM_LEN));
	if (!*name)
		snprintf(name, sizeof(name), "thread");
	words_fit(cut, sizeof(cut), name,
		  width == WORDS_NO_LIMIT || width <= digits ? sizeof(name) : width - digits);
	snprintf(dst, len, "%s%s", cut, number);
}
