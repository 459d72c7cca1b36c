// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * atrace writes CLOCK_MONOTONIC into the trace, in seconds: "trace_event_clock_sync:
 * parent_ts=4492.069824". It has it in a float, of 24 bits: after a day of uptime that is only good
 * for some 8 ms. So where the line's own time is that near, the trace's clock is taken to be
 * CLOCK_MONOTONIC itself.
 */
#include "trace/text_clock.h"

#include <string.h>

#include "trace/text_parts.h"

#define SYNC "trace_event_clock_sync: parent_ts="
#define WRITE_NS 20000000 /* between reading the clock and the mark's own time; rarely as much */
#define FLOAT_BITS 24
#define SECONDS_MAX 1000000000 /* 30 years */
#define LINE_MAX_LEN 512

/* "123.456" in ns; false if there is no point: what that was in is not known. */
static bool parse_seconds(const char *s, const char *end, uint64_t *ns)
{
	uint64_t seconds, unit = 100000000;

	if (!text_number(&s, end, SECONDS_MAX, &seconds) || s == end || *s != '.')
		return false;
	*ns = seconds * 1000000000;
	for (s++; s < end && *s >= '0' && *s <= '9'; s++, unit /= 10)
		*ns += (uint64_t)(*s - '0') * unit;
	return true;
}

/* The step between neighbouring floats. */
static uint64_t float_step_ns(uint64_t ns)
{
	uint64_t seconds = ns / 1000000000 + 1, step = 1000000000 >> (FLOAT_BITS - 1);

	while (seconds >>= 1)
		step *= 2;
	return step + 1000; /* and six digits are printed */
}

struct text_clock text_clock_find(const char *text, size_t len)
{
	const char *at = memmem(text, len, SYNC, strlen(SYNC));
	const char *begin = at ? memrchr(text, '\n', (size_t)(at - text)) : NULL;
	struct text_clock clock = { 0 };
	struct text_event ev = { 0 };
	char line[LINE_MAX_LEN];
	uint64_t monotonic;

	if (!at || !parse_seconds(at + strlen(SYNC), text + len, &monotonic))
		return clock;
	begin = begin ? begin + 1 : text;
	if ((size_t)(at - begin) + 1 > sizeof(line))
		return clock;
	/* Up to the mark and its first letter: parsing writes into the line. */
	memcpy(line, begin, (size_t)(at - begin) + 1);
	if (!text_event_parse((struct text_line){ line, line + (at - begin) + 1 }, &ev))
		return clock;
	clock.known = true;
	clock.error_ns = float_step_ns(monotonic) + WRITE_NS;
	clock.offset_ns = (int64_t)(monotonic - ev.at.ns);
	if ((uint64_t)(clock.offset_ns < 0 ? -clock.offset_ns : clock.offset_ns) <= clock.error_ns)
		clock.offset_ns = 0;
	return clock;
}

uint64_t text_clock_time(const struct text_clock *clock, uint64_t ns)
{
	if (clock->offset_ns < 0)
		return ns > (uint64_t)-clock->offset_ns ? ns - (uint64_t)-clock->offset_ns : 0;
	return ns < UINT64_MAX - (uint64_t)clock->offset_ns ? ns + (uint64_t)clock->offset_ns : ns;
}
