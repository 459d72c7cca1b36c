// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Reads framescope's CSV for a comparer. */
#include "live/pipeline/rows.h"

#include "live/pipeline/finding.h"

void rows_read(const char *path, void (*fn)(const struct csv *c))
{
	static struct csv c;
	int err = csv_open(&c, path);

	if (err)
		die("can't read %s: %s", path, strerror(-err));
	while ((err = csv_next(&c)) > 0)
		fn(&c);
	if (err)
		die("%s: a row has not as many cells as the header", path);
}

void row_text(const struct csv *c, const char *name, char *to, size_t size)
{
	const char *text = csv_cell(c, name);

	if (!text)
		die("the CSV has no column %s", name);
	snprintf(to, size, "%s", text);
}
