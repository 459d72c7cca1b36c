/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The tables of milliseconds that older releases print, and those of SurfaceFlinger. */
#include "stream/gfxinfo_parts.h"

/* Of a display: 1000 Hz to one frame in ten seconds. Tells it from other numbers alone on a line.
 */
#define REFRESH_MIN_NS 1000000
#define REFRESH_MAX_NS INT64_C(10000000000)

#define MS_DIGITS 6 /* of ns in a ms */
#define MS_PRINTED 2

const char *gfxinfo_take_decimal(const char *p, unsigned digits, int64_t *value)
{
	bool minus = *p == '-';
	int64_t n;

	p = gfxinfo_take_signed(p + minus, &n);
	if (!p || n < 0)
		return NULL;
	bool fraction = (*p == '.' || *p == ',') && gfxinfo_is_digit(p[1]);
	p += fraction;
	for (; digits; digits--) {
		int digit = fraction && gfxinfo_is_digit(*p) ? *p++ - '0' : 0;

		if (__builtin_mul_overflow(n, 10, &n) || __builtin_add_overflow(n, digit, &n))
			return NULL;
	}
	while (fraction && gfxinfo_is_digit(*p))
		p++;
	*value = minus ? -n : n;
	return p;
}

/* The next word, or NULL at the end. */
static const char *word(const char **p, const char *end, size_t *len)
{
	const char *start = gfxinfo_skip_blanks(*p, end);

	for (*p = start; *p < end && **p != ' ' && **p != '\t'; (*p)++)
		;
	*len = (size_t)(*p - start);
	return *len ? start : NULL;
}

unsigned gfxinfo_times_header(const char *p, const char *end)
{
	static const char *const names[TIME_NR] = {
		[TIME_DRAW] = "Draw",
		[TIME_PREPARE] = "Prepare",
		[TIME_PROCESS] = "Process",
		[TIME_EXECUTE] = "Execute",
	};
	unsigned next = 0, columns = 0;
	const char *at;
	size_t len;

	while ((at = word(&p, end, &len))) {
		if (next == TIME_PREPARE && !gfxinfo_take(at, at + len, names[next]))
			next++;
		if (next == TIME_NR || gfxinfo_take(at, at + len, names[next]) != at + len)
			return 0;
		next++;
		columns++;
	}
	return next == TIME_NR ? columns : 0;
}

/* Where the text ends a number may have lost places. */
static bool whole_ms(const char *at, size_t len)
{
	return len > 1 + MS_PRINTED && !gfxinfo_is_digit(at[len - 1 - MS_PRINTED]);
}

/* Is this how a row of numbers begins, or what is left of one? */
static bool numeric(const struct gfxinfo_line *line)
{
	return line->len && (gfxinfo_is_digit(*line->s) ||
			     (line->len > 1 && *line->s == '-' && gfxinfo_is_digit(line->s[1])));
}

bool gfxinfo_times_line(const struct gfxinfo_line *line, unsigned columns,
			struct gfxinfo_item *item)
{
	const char *p = line->s, *end = p + line->len, *at;
	int64_t times[TIME_NR] = { 0 };
	unsigned n = 0;
	size_t len;

	if (!numeric(line))
		return false;
	item->nr_times = columns;
	item->fault = FAULT_CUT;
	while ((at = word(&p, end, &len))) {
		if (n == columns || gfxinfo_take_decimal(at, MS_DIGITS, &times[n]) != p)
			return true;
		n++;
		if (p == end && !line->ended && !whole_ms(at, len))
			return true;
	}
	if (n < columns)
		return true;
	item->fault = FAULT_NONE;
	for (unsigned i = 0; i < n; i++) {
		unsigned time = i >= TIME_PREPARE && columns < TIME_NR ? i + 1 : i;

		item->times_ns[time] = times[i];
		if (times[i] < 0)
			item->fault = FAULT_NO_TIME;
	}
	return true;
}

/* Present and ready are not yet known of the last few, and are INT64_MAX then. */
static enum gfxinfo_fault latency_fault(const struct gfxinfo_item *item)
{
	if (item->present_ns == INT64_MAX || item->ready_ns == INT64_MAX)
		return FAULT_UNFINISHED;
	if (item->desired_ns < 0 || item->desired_ns == INT64_MAX || item->ready_ns < 0 ||
	    item->present_ns <= 0)
		return FAULT_NO_TIME;
	return FAULT_NONE;
}

enum gfxinfo_latency_line gfxinfo_latency_line(const struct gfxinfo_line *line,
					       struct gfxinfo_item *item)
{
	const char *p = line->s, *end = p + line->len, *at;
	int64_t times[3] = { 0 };
	unsigned n = 0;
	size_t len;

	if (!numeric(line))
		return LATENCY_OTHER;
	item->fault = FAULT_CUT;
	while ((at = word(&p, end, &len))) {
		if (n == 3 || gfxinfo_take_signed(at, &times[n]) != p)
			return LATENCY_FRAME;
		n++;
	}
	if (n == 3 && !times[0] && !times[1] && !times[2])
		return LATENCY_UNUSED;
	if (!line->ended)
		return LATENCY_FRAME;
	if (n == 1 && times[0] >= REFRESH_MIN_NS && times[0] <= REFRESH_MAX_NS) {
		item->refresh_ns = (uint64_t)times[0];
		item->fault = FAULT_NONE;
		return LATENCY_REFRESH;
	}
	if (n < 3)
		return LATENCY_FRAME;
	item->desired_ns = times[0];
	item->present_ns = times[1];
	item->ready_ns = times[2];
	item->fault = latency_fault(item);
	return LATENCY_FRAME;
}
