/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The totals, one line each. Releases have left out some lines and added others. */
#include "stream/gfxinfo_parts.h"

/* One of their lines, but none of enum gfxinfo_figure: the note, or of another release. */
#define NO_FIGURE FIGURE_NR
#define NO_LINE (FIGURE_NR + 1)

static const char filtered[] = "Note: Data has been filtered!";

static const struct {
	const char *text;
	unsigned figure;
} starts[] = {
	{ "Stats since: ", FIGURE_SINCE },
	{ "Total frames rendered: ", FIGURE_TOTAL },
	{ "Janky frames: ", FIGURE_JANKY },
	{ "Janky frames (legacy): ", FIGURE_JANKY_LEGACY },
	{ "Number Missed Vsync: ", FIGURE_TYPES },
	{ "Number High input latency: ", FIGURE_TYPES + 1 },
	{ "Number Slow UI thread: ", FIGURE_TYPES + 2 },
	{ "Number Slow bitmap uploads: ", FIGURE_TYPES + 3 },
	{ "Number Slow issue draw commands: ", FIGURE_TYPES + 4 },
	{ "Number Frame deadline missed: ", FIGURE_TYPES + 5 },
	{ "Number Frame deadline missed (legacy): ", FIGURE_TYPES + 6 },
	{ "HISTOGRAM:", FIGURE_HISTOGRAM },
	{ "GPU HISTOGRAM:", FIGURE_GPU_HISTOGRAM },
	{ filtered, NO_FIGURE },
	{ "Stats end: ", NO_FIGURE }, /* of dumpsys graphicsstats */
};

static const unsigned percentiles[] = { 50, 90, 95, 99 };

/* "50th percentile: ", "50th gpu percentile: " */
static unsigned percentile(const char **p, const char *end)
{
	unsigned first = FIGURE_PERCENTILES;
	uint64_t number;
	const char *at = gfxinfo_take_number(*p, &number), *gpu;

	at = at ? gfxinfo_take(at, end, "th ") : NULL;
	if (!at)
		return NO_LINE;
	gpu = gfxinfo_take(at, end, "gpu ");
	if (gpu) {
		at = gpu;
		first = FIGURE_GPU_PERCENTILES;
	}
	at = gfxinfo_take(at, end, "percentile: ");
	if (!at)
		return NO_LINE;
	*p = at;
	for (unsigned i = 0; i < sizeof(percentiles) / sizeof(*percentiles); i++) {
		if (percentiles[i] == number)
			return first + i;
	}
	return NO_FIGURE;
}

/* Which line is it? *p is moved to its value. */
static unsigned classify(const char **p, const char *end)
{
	const char *at;

	if (*p < end && gfxinfo_is_digit(**p))
		return percentile(p, end);
	for (size_t i = 0; i < sizeof(starts) / sizeof(*starts); i++) {
		/* the first letter, for lines that are none of these are many */
		at = *p < end && **p == *starts[i].text ? gfxinfo_take(*p, end, starts[i].text)
							: NULL;
		if (at) {
			*p = at;
			return starts[i].figure;
		}
	}
	at = gfxinfo_take(*p, end, "Number ");
	at = at ? memchr(at, ':', (size_t)(end - at)) : NULL;
	return at && at + 1 < end && at[1] == ' ' ? NO_FIGURE : NO_LINE;
}

/* "12 (3.45%)". It was "(nan%)" where there were no frames. */
static bool take_share(const char *p, const char *end, uint64_t *count, uint32_t *centipercent)
{
	int64_t share = 0;
	uint64_t number;
	const char *at;

	p = gfxinfo_take_number(p, &number);
	p = p ? gfxinfo_take(p, end, " (") : NULL;
	if (!p)
		return false;
	at = gfxinfo_take_decimal(p, 2, &share);
	if (!at) {
		p += *p == '-';
		at = gfxinfo_take(p, end, "nan");
	}
	if (!at || share < 0 || share > UINT32_MAX || gfxinfo_take(at, end, "%)") != end)
		return false;
	*count = number;
	*centipercent = (uint32_t)share;
	return true;
}

static bool take_unit(const char *p, const char *end, const char *unit, uint64_t *value)
{
	uint64_t number;

	p = gfxinfo_take_number(p, &number);
	if (!p || gfxinfo_take(p, end, unit) != end)
		return false;
	*value = number;
	return true;
}

static bool take_ms(const char *p, const char *end, uint32_t *ms)
{
	uint64_t value;

	if (!take_unit(p, end, "ms", &value) || value > UINT32_MAX)
		return false;
	*ms = (uint32_t)value;
	return true;
}

/* " 5ms=12 6ms=0 ..." */
static bool take_bars(const char *p, const char *end, struct gfxinfo_bar *bars, unsigned *nr)
{
	uint64_t label, count;
	unsigned n = 0;

	for (p = gfxinfo_skip_blanks(p, end); p < end; p = gfxinfo_skip_blanks(p, end)) {
		p = gfxinfo_take_number(p, &label);
		p = p ? gfxinfo_take(p, end, "ms=") : NULL;
		p = p ? gfxinfo_take_number(p, &count) : NULL;
		if (!p || (p < end && *p != ' ') || label > UINT32_MAX || n == GFXINFO_BARS)
			return false;
		bars[n++] = (struct gfxinfo_bar){ (uint32_t)label, count };
	}
	*nr = n;
	return true;
}

static bool take_value(struct gfxinfo_stats *s, unsigned figure, const char *p, const char *end)
{
	switch (figure) {
	case FIGURE_SINCE:
		return take_unit(p, end, "ns", &s->since_ns);
	case FIGURE_TOTAL:
		return take_unit(p, end, "", &s->total);
	case FIGURE_JANKY:
		return take_share(p, end, &s->janky, &s->janky_centipercent);
	case FIGURE_JANKY_LEGACY:
		return take_share(p, end, &s->janky_legacy, &s->janky_legacy_centipercent);
	case FIGURE_HISTOGRAM:
		return take_bars(p, end, s->bars, &s->nr_bars);
	case FIGURE_GPU_HISTOGRAM:
		return take_bars(p, end, s->gpu_bars, &s->nr_gpu_bars);
	}
	if (figure >= FIGURE_TYPES)
		return take_unit(p, end, "", &s->types[figure - FIGURE_TYPES]);
	if (figure >= FIGURE_GPU_PERCENTILES)
		return take_ms(p, end, &s->gpu_percentiles_ms[figure - FIGURE_GPU_PERCENTILES]);
	return take_ms(p, end, &s->percentiles_ms[figure - FIGURE_PERCENTILES]);
}

/* May a number go on where the text ends? Units and brackets end the others. */
static bool maybe_cut(const struct gfxinfo_line *line)
{
	return !line->ended && line->len && gfxinfo_is_digit(line->s[line->len - 1]);
}

enum gfxinfo_stats_line gfxinfo_stats_line(struct gfxinfo_stats *s, const struct gfxinfo_line *line)
{
	const char *p = line->s, *end = p + line->len;
	unsigned figure = classify(&p, end);

	if (figure == NO_LINE)
		return STATS_OTHER;
	if (figure == NO_FIGURE) {
		if (gfxinfo_take(line->s, end, filtered) != end)
			return STATS_SKIPPED;
		/* it is the first of its block */
		if (s->printed)
			return STATS_NEXT;
		s->filtered = true;
		return STATS_TAKEN;
	}
	if (s->printed & 1u << figure)
		return STATS_NEXT;
	if (maybe_cut(line))
		return STATS_SKIPPED;
	if (!take_value(s, figure, p, end))
		return line->ended ? STATS_UNREADABLE : STATS_SKIPPED;
	s->printed |= 1u << figure;
	return STATS_TAKEN;
}
