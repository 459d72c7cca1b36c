/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What the views of fences have in common: words. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "output/fences.h"

void fences_text_cell(struct cell *c, const char *text, size_t len)
{
	text_escape(c->text, sizeof(c->text), text, len);
	cell_set_text(c);
}

void fences_get_name(const void *of, unsigned arg, struct cell *c)
{
	const struct fence_name *n = ((const struct fences_row *)of)->name;

	if (arg == FENCES_DRIVER)
		fences_text_cell(c, n->driver, sizeof(n->driver));
	else
		fences_text_cell(c, n->timeline, sizeof(n->timeline));
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

void fences_full_name(char *dst, size_t len, const struct fence_name *name)
{
	char driver[4 * FS_DRIVER_LEN + 1];
	char timeline[WORDS_LEN];

	*dst = '\0';
	if (!*name->driver && !*name->timeline)
		return;
	text_escape(driver, sizeof(driver), name->driver, sizeof(name->driver));
	text_escape(timeline, sizeof(timeline), name->timeline, sizeof(name->timeline));
	snprintf(dst, len, "%s/%s", fences_dash(driver), fences_dash(timeline));
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
