/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What a file of `dumpsys gfxinfo` says of each process and window: its newest totals, those of the
 * dump before if it was polled, and how many rows it had. Small, for a file may have 100 000
 * windows.
 */
#ifndef JUDGE_GFXINFO_TOTALS_H
#define JUDGE_GFXINFO_TOTALS_H

#include <stdbool.h>
#include <stdint.h>

#include "judge/profile_data.h"
#include "stream/gfxinfo.h"

/* What is printed and can't have been counted. */
enum totals_oddity {
	ODD_UNKNOWN_LABEL, /* of a bar, that no bucket has */
	ODD_LABEL_TWICE, /* the first one's count is taken */
	ODD_TOO_LARGE, /* for the counter of it: as large as that can be is taken, or nothing */
	ODD_NR
};

struct totals_odd {
	uint64_t count; /* as printed */
	uint32_t label_ms; /* of a bar */
	uint8_t figure; /* enum gfxinfo_figure */
	uint8_t nr; /* how many there are, 255 for more; the rest is of the first */
};

/* Of one block. */
struct totals {
	enum gfxinfo_scope scope;
	bool filtered;
	bool whole; /* the HISTOGRAM has each bucket once, and nothing else */
	bool gpu_whole;
	uint8_t nr_bars, nr_gpu_bars; /* that are of a bucket */
	uint32_t printed; /* 1u << enum gfxinfo_figure, of those that fit their counter */
	uint32_t dump; /* from 1; 0 = of no file */
	uint64_t uptime_ms; /* of its dump; 0 = not printed */
	uint64_t line;
	uint32_t janky_centipercent;
	uint32_t janky_legacy_centipercent;
	uint32_t percentiles_ms[4];
	uint32_t gpu_percentiles_ms[4];
	uint64_t frames, gpu_frames; /* sums of the bars */
	struct profile_data counts; /* "Stats since" too */
	struct totals_odd odd[ODD_NR];
};

void totals_take(struct totals *t, const struct gfxinfo_stats *stats);

static inline bool totals_has(const struct totals *t, unsigned figure)
{
	return t->printed & 1u << figure;
}

/* A process, window or package. */
struct totals_entry {
	enum gfxinfo_scope scope;
	uint32_t pid; /* 0 = not printed */
	unsigned window_nr;
	const char *process; /* "" = not printed */
	const char *name; /* of the window or package, else "" */
	const struct totals_entry *owner; /* the window's or package's process */
	struct totals newest; /* printed is 0: there were none */
	const struct totals *previous; /* of the dump before; NULL = there was none */

	uint32_t dump; /* the last one that it was in */
	uint32_t rows[FAULT_NR]; /* there, by fault; of FAULT_NONE those to be counted */

	/* A process's: windows of the same dump that have not counted for longer than it has. */
	unsigned nr_windows;
	uint64_t windows_total; /* "Total frames rendered" of these */
};

/* How many rows it had, and by fault. */
uint64_t totals_entry_rows(const struct totals_entry *e, uint64_t faults[FAULT_NR]);

struct gfxinfo_totals;

struct gfxinfo_totals *gfxinfo_totals_new(void); /* NULL: no memory */
void gfxinfo_totals_free(struct gfxinfo_totals *t); /* NULL is fine */

/* 0 or -ENOMEM. Items of other kinds are passed over. */
int gfxinfo_totals_feed(struct gfxinfo_totals *t, const struct gfxinfo_item *item);

/* Is there a figure in it that can be held against another one? */
bool gfxinfo_totals_checkable(const struct gfxinfo_totals *t);

/* The dump that is being read: its line and uptime, and the uptime of the one before. */
struct totals_dump {
	uint32_t nr; /* from 1; 0 = none yet */
	uint64_t line;
	uint64_t uptime_ms; /* 0 = not printed */
	uint64_t previous_uptime_ms;
};

const struct totals_dump *gfxinfo_totals_dump(const struct gfxinfo_totals *t);

/* The one behind `entry`, of NULL the first; NULL at the end. All, in order of appearance; */
const struct totals_entry *gfxinfo_totals_next(const struct gfxinfo_totals *t,
					       const struct totals_entry *entry);
/* those that the dump has that is being read; */
const struct totals_entry *gfxinfo_totals_next_of_dump(const struct gfxinfo_totals *t,
						       const struct totals_entry *entry);
/* the windows and packages of a process. */
const struct totals_entry *totals_entry_next_window(const struct totals_entry *process,
						    const struct totals_entry *entry);

#endif
