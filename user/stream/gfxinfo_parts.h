/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What the readers of the parts of a dump offer to gfxinfo.c, which knows where in a dump a line
 * stands. They know nothing of each other.
 */
#ifndef STREAM_GFXINFO_PARTS_H
#define STREAM_GFXINFO_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "stream/frame_slots.h"
#include "stream/gfxinfo.h"
#include "stream/gfxinfo_lines.h"

/* Text is [p, end), and *end can be read and is no digit. */

static inline bool gfxinfo_is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* A number's digits. NULL if there are none, or it has no room. */
static inline const char *gfxinfo_take_number(const char *p, uint64_t *value)
{
	const char *start = p;
	uint64_t n = 0;

	for (; gfxinfo_is_digit(*p); p++)
		n = n * 10 + (uint64_t)(*p - '0');
	*value = n;
	if (p - start <= 19)
		return p > start ? p : NULL;
	n = 0;
	for (p = start; gfxinfo_is_digit(*p); p++) {
		if (__builtin_mul_overflow(n, 10, &n) ||
		    __builtin_add_overflow(n, (uint64_t)(*p - '0'), &n))
			return NULL;
	}
	*value = n;
	return p;
}

static inline const char *gfxinfo_take_signed(const char *p, int64_t *value)
{
	bool minus = *p == '-';
	uint64_t n;

	p = gfxinfo_take_number(p + minus, &n);
	if (!p || n > (uint64_t)INT64_MAX + minus)
		return NULL;
	*value = (int64_t)(minus ? -n : n);
	return p;
}

/* What is behind `text` if that is at p, else NULL. */
static inline const char *gfxinfo_take(const char *p, const char *end, const char *text)
{
	size_t len = strlen(text);

	return (size_t)(end - p) >= len && !memcmp(p, text, len) ? p + len : NULL;
}

static inline const char *gfxinfo_skip_blanks(const char *p, const char *end)
{
	while (p < end && (*p == ' ' || *p == '\t'))
		p++;
	return p;
}

/*
 * A decimal fraction of `digits` places, in units of the last; further ones are dropped. NULL if it
 * is none. Old releases write it as the language has it, with a comma.
 */
const char *gfxinfo_take_decimal(const char *p, unsigned digits, int64_t *value);

/* Lines that begin something. The process's goes on. */
#define GFXINFO_DUMP_LINE "Applications Graphics Acceleration Info:"
#define GFXINFO_PROCESS_LINE "** Graphics info for pid "
#define GFXINFO_ROWS_LINE "---PROFILEDATA---"
#define GFXINFO_LIST_LINE "Profile data in ms:"

/* gfxinfo_place.c: whose a line is */

/* Names of windows that are told apart within a process; any others are the first of theirs. */
#define GFXINFO_WINDOW_NAMES 1024

struct gfxinfo_place {
	uint32_t pid;
	unsigned window_nr;
	enum gfxinfo_scope scope;
	bool listing; /* behind GFXINFO_LIST_LINE: windows are titled there */
	bool titled; /* so was this one, and its "Window:" is still to come */
	char process[GFXINFO_NAME];
	char window[GFXINFO_NAME];
	char name[GFXINFO_NAME]; /* of what the scope is of */
	unsigned nr_names;
	struct {
		uint64_t hash;
		unsigned nr;
	} names[GFXINFO_WINDOW_NAMES];
};

void gfxinfo_place_clear(struct gfxinfo_place *place);

enum gfxinfo_place_line {
	PLACE_OTHER,
	PLACE_TAKEN,
	PLACE_PROCESS, /* a process begins */
};

enum gfxinfo_place_line gfxinfo_place_line(struct gfxinfo_place *place,
					   const struct gfxinfo_line *line);

/* Would that be other than PLACE_OTHER? */
bool gfxinfo_place_takes(const struct gfxinfo_place *place, const struct gfxinfo_line *line);

/* gfxinfo_rows.c: the rows of ---PROFILEDATA--- */

/* The UI thread's and all others that may come: twice as many as the longest layout has. */
#define GFXINFO_COLUMNS 64

struct gfxinfo_rows {
	unsigned nr; /* columns of the header; 0 = there was none that rows can be read by */
	bool comma; /* there is one at the end too */
	uint8_t columns[GFXINFO_COLUMNS]; /* enum frame_slot of each; SLOT_NR = of none known */
	struct frame_slots slots; /* as the last row had them */
	uint32_t present; /* slots that there are columns of */
	unsigned glued; /* rows on the last line that are still to come */
	int64_t values[2 * GFXINFO_COLUMNS]; /* of the last line */
};

/* Does this begin like a header? */
bool gfxinfo_rows_is_header(const char *p, const char *end);

/* Returns the end of its names: a row follows there if a newline was lost. */
const char *gfxinfo_rows_header(struct gfxinfo_rows *r, const char *p, const char *end);

/*
 * A line of rows, and then what it still has. `uptime_ms` is the dump's. The slots are in r->slots,
 * as far as the fault leaves them.
 */
enum gfxinfo_fault gfxinfo_rows_line(struct gfxinfo_rows *r, const char *p, const char *end,
				     uint64_t uptime_ms);
enum gfxinfo_fault gfxinfo_rows_glued(struct gfxinfo_rows *r, uint64_t uptime_ms);

/* gfxinfo_stats.c: the totals */

enum gfxinfo_stats_line {
	STATS_OTHER, /* none of its lines */
	STATS_NEXT, /* one that it has, or that only begins one: it ends before */
	STATS_TAKEN,
	STATS_SKIPPED, /* one of its lines, but not one that is known */
	STATS_UNREADABLE,
};

enum gfxinfo_stats_line gfxinfo_stats_line(struct gfxinfo_stats *s,
					   const struct gfxinfo_line *line);

/* gfxinfo_tables.c: "Draw Prepare Process Execute", SurfaceFlinger --latency */

unsigned gfxinfo_times_header(const char *p, const char *end); /* its columns; 0 if it is none */

/* Sets times_ns and fault. False if the line is none of the table's. */
bool gfxinfo_times_line(const struct gfxinfo_line *line, unsigned columns,
			struct gfxinfo_item *item);

enum gfxinfo_latency_line {
	LATENCY_OTHER,
	LATENCY_REFRESH, /* item->refresh_ns */
	LATENCY_UNUSED, /* a place of the ring without a frame */
	LATENCY_FRAME, /* its times and fault */
};

enum gfxinfo_latency_line gfxinfo_latency_line(const struct gfxinfo_line *line,
					       struct gfxinfo_item *item);

#endif
