/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Reads a small file into memory. */
#include "base/file_text.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#define ROOM 65536

/* 0 or a negative errno, whatever *text is. */
static int read_all(FILE *f, const char *path, size_t max, const char *too_long, char **text,
		    size_t *len, struct err *e)
{
	size_t room = ROOM;
	char *more;

	for (;;) {
		more = realloc(*text, room);
		if (!more)
			return err_errno(e, -ENOMEM, "cannot read %s", path);
		*text = more;
		*len += fread(*text + *len, 1, room - *len, f);
		if (ferror(f))
			return err_errno(e, -errno, "cannot read %s", path);
		if (*len > max)
			return err_set(e, -E2BIG, "%s: %s", path, too_long);
		if (*len < room)
			return 0;
		room = 2 * room > max ? max + 1 : 2 * room;
	}
}

char *file_text(const char *path, size_t max, const char *too_long, size_t *len, struct err *e)
{
	FILE *f = fopen(path, "re");
	char *text = NULL;

	*len = 0;
	if (!f) {
		err_errno(e, -errno, "cannot open %s", path);
		return NULL;
	}
	if (read_all(f, path, max, too_long, &text, len, e)) {
		free(text);
		text = NULL;
	}
	fclose(f);
	return text;
}
