/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Where the totals of `dumpsys gfxinfo` contradict themselves or one another. A text that does was
 * changed, or mixed from several; only what no release of the platform can print is said to. What
 * it can print, and would mislead whoever takes it for granted, is a note.
 */
#ifndef JUDGE_GFXINFO_CHECK_H
#define JUDGE_GFXINFO_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "judge/gfxinfo_totals.h"

enum gfxinfo_finding_kind {
	/* Of one block: */
	FINDING_UNKNOWN_LABEL,
	FINDING_LABEL_TWICE,
	FINDING_TOO_LARGE,
	FINDING_BARS_MISSING, /* so nothing is said of sum and percentiles */
	FINDING_SUM_ABOVE_TOTAL,
	FINDING_SUM_BELOW_TOTAL,
	FINDING_SUM_WRAPPED,
	FINDING_PERCENTILE,
	FINDING_SHARE, /* a per cent */
	FINDING_ABOVE_TOTAL, /* counted at most once per frame, and yet more often */
	FINDING_JANKY_NOT_MISSED,
	FINDING_CAUSE_ABOVE_MISSED,
	FINDING_HIGH_LATENCY,
	FINDING_NO_FRAMES, /* percentiles are printed all the same */
	FINDING_FILTERED,
	/* Of a dump, and the one before: */
	FINDING_WINDOW_ABOVE_PROCESS,
	FINDING_WINDOWS_ABOVE_PROCESS,
	FINDING_BACKWARDS,
	FINDING_RESET,
	FINDING_DUMP_ORDER,
	FINDING_ROWS_ABOVE_TOTAL,
	FINDING_ROWS_BELOW_TOTAL,
	/* Of a window and its rows, gfxinfo_rows_check.h: */
	FINDING_ROWS_MAKE,
	FINDING_NR
};

struct gfxinfo_finding {
	enum gfxinfo_finding_kind kind;
	bool contradiction; /* else a note */
	bool meanwhile; /* a note: frames that ended while it was printed can do that */
	const struct totals_entry *of; /* NULL: of a dump as a whole, or of a block alone */
	uint64_t line;
	enum gfxinfo_figure figure; /* whose the printed number is; FIGURE_NR = of none */
	uint32_t label_ms; /* of a bar of it */
	uint64_t printed;
	uint64_t expected; /* what follows from other numbers: that, or the most or least */
	uint64_t frames; /* of which it follows, if of a number of frames */
};

struct gfxinfo_finding_sink {
	void (*finding)(void *ctx, const struct gfxinfo_finding *f);
	void *ctx;
};

/* The findings about one block. `of` may be NULL. */
void gfxinfo_check_block(const struct totals *t, const struct totals_entry *of,
			 const struct gfxinfo_finding_sink *sink);

/*
 * All findings about the dump that was read last, its blocks too: to be asked for before the item
 * that begins the next is fed, and at the end.
 */
void gfxinfo_check_dump(const struct gfxinfo_totals *t, const struct gfxinfo_finding_sink *sink);

const char *gfxinfo_finding_name(enum gfxinfo_finding_kind kind); /* "sum_above_total", ... */

#define GFXINFO_FINDING_TEXT 320

/* A sentence without its full stop. It is of f->of and f->line, which it does not say. */
void gfxinfo_finding_text(char *dst, size_t len, const struct gfxinfo_finding *f);

#endif
