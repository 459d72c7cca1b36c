/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Tells dumps from other texts, by a line that only they have. */
#include <stdlib.h>

#include "stream/gfxinfo_parts.h"

/* `stats` has nothing. `refresh`: the line before was a number alone, as --latency begins. */
static bool own_line(const struct gfxinfo_line *line, struct gfxinfo_stats *stats, bool *refresh)
{
	static const char *const begins[] = { GFXINFO_DUMP_LINE, GFXINFO_ROWS_LINE,
					      GFXINFO_PROCESS_LINE, GFXINFO_LIST_LINE };
	const uint32_t figures = 1u << FIGURE_SINCE | 1u << FIGURE_TOTAL | 1u << FIGURE_JANKY |
				 1u << FIGURE_HISTOGRAM;
	const char *p = line->s, *end = p + line->len;
	struct gfxinfo_item item = { 0 };

	for (size_t i = 0; i < sizeof(begins) / sizeof(*begins); i++) {
		if (gfxinfo_take(p, end, begins[i]))
			return true;
	}
	if (gfxinfo_rows_is_header(p, end) || gfxinfo_times_header(p, end))
		return true;
	if (gfxinfo_stats_line(stats, line) == STATS_TAKEN && stats->printed & figures)
		return true;
	stats->printed = 0;

	enum gfxinfo_latency_line is = gfxinfo_latency_line(line, &item);
	if (*refresh && (is == LATENCY_UNUSED || (is == LATENCY_FRAME && !item.fault)))
		return true;
	*refresh = is == LATENCY_REFRESH;
	return false;
}

bool gfxinfo_detect(const unsigned char *head, size_t len)
{
	struct gfxinfo_lines *l = gfxinfo_lines_new(-1);
	struct gfxinfo_line line;
	struct gfxinfo_stats stats = { 0 };
	bool found = false, refresh = false;

	if (!l)
		return false;
	gfxinfo_lines_feed(l, head, len);
	while (!found && gfxinfo_lines_next(l, &line) == 1)
		found = own_line(&line, &stats, &refresh);
	free(l);
	return found;
}

bool gfxinfo_no_process(const unsigned char *head, size_t len)
{
	struct gfxinfo_lines *l = gfxinfo_lines_new(-1);
	struct gfxinfo_line line = { 0 };
	bool found = false;

	if (!l)
		return false;
	gfxinfo_lines_feed(l, head, len);
	while (!line.len && gfxinfo_lines_next(l, &line) == 1)
		found = gfxinfo_take(line.s, line.s + line.len, "No process found for:");
	free(l);
	return found;
}
