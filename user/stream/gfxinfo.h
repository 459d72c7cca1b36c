/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The text that `dumpsys gfxinfo [PACKAGE] [framestats]` and `dumpsys SurfaceFlinger --latency`
 * print, item by item: as it comes from a device, or from a file that a script, a mail program or a
 * Windows shell has had in its hands. Formats: libs/hwui/{JankTracker,ProfileData,FrameInfo}.cpp,
 * ActivityThread.java and FrameTracker.cpp of AOSP. Reading only: what the figures mean, and
 * whether they agree, is for others.
 */
#ifndef STREAM_GFXINFO_H
#define STREAM_GFXINFO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "stream/frame_slots.h"

#define GFXINFO_NAME 256
#define GFXINFO_BARS 192 /* more than any release has: 154, and 26 of the GPU */
#define GFXINFO_TYPES 7 /* "Number ...:" lines, in the order of HWUI's enum JankType */

enum gfxinfo_kind {
	GFXINFO_DUMP, /* another dump begins, maybe without its first line; none of LATENCY does */
	GFXINFO_PROCESS, /* "** Graphics info for pid N [NAME] **" */
	GFXINFO_STATS, /* the totals of a process, package or window, whole */
	GFXINFO_ROW, /* a frame of ---PROFILEDATA--- */
	GFXINFO_TIMES, /* a frame of a "Draw Prepare Process Execute" table */
	GFXINFO_LATENCY, /* a frame of SurfaceFlinger --latency */
};

/* Figures of a block of totals that may or may not be printed. */
enum gfxinfo_figure {
	FIGURE_SINCE,
	FIGURE_TOTAL,
	FIGURE_JANKY, /* with its per cent, like the next */
	FIGURE_JANKY_LEGACY,
	FIGURE_PERCENTILES, /* 1u << (FIGURE_PERCENTILES + 0 ... 3): 50th, 90th, 95th, 99th */
	FIGURE_GPU_PERCENTILES = FIGURE_PERCENTILES + 4,
	FIGURE_TYPES = FIGURE_GPU_PERCENTILES + 4, /* + its place in GFXINFO_TYPES */
	FIGURE_HISTOGRAM = FIGURE_TYPES + GFXINFO_TYPES,
	FIGURE_GPU_HISTOGRAM,
	FIGURE_NR
};

enum gfxinfo_scope { SCOPE_PROCESS, SCOPE_PACKAGE, SCOPE_WINDOW };

struct gfxinfo_bar {
	uint32_t label_ms; /* as printed: "32ms=7" is 32 */
	uint64_t count;
};

struct gfxinfo_stats {
	enum gfxinfo_scope scope;
	char name[GFXINFO_NAME]; /* of the package or window, else empty */
	uint64_t line; /* of the file, from 1: that of the first figure, or the note */
	uint32_t printed; /* 1u << enum gfxinfo_figure */
	bool filtered; /* "Note: Data has been filtered!" */
	uint64_t since_ns;
	uint64_t total;
	uint64_t janky;
	uint32_t janky_centipercent; /* "10.77%" is 1077 */
	uint64_t janky_legacy;
	uint32_t janky_legacy_centipercent;
	uint32_t percentiles_ms[4];
	uint32_t gpu_percentiles_ms[4];
	uint64_t types[GFXINFO_TYPES];
	unsigned nr_bars, nr_gpu_bars;
	struct gfxinfo_bar bars[GFXINFO_BARS], gpu_bars[GFXINFO_BARS];
};

/* Why a row is not to be counted. */
enum gfxinfo_fault {
	FAULT_NONE,
	FAULT_UNFINISHED, /* skipped, or its end is 0 or later than the dump: not drawn yet */
	FAULT_STALE, /* it ends before it begins or is synced: its place is being used again */
	FAULT_NO_TIME, /* a time that is negative or INT64_MAX where there must be one */
	FAULT_CUT, /* a wrong number of columns, or what is no number; leaves nothing */
	FAULT_NR
};

const char *gfxinfo_fault_name(enum gfxinfo_fault fault); /* "unfinished", ...; NULL for NONE */

/* Columns of the table in ms; releases before Android 5 (three columns) have no PREPARE. */
enum gfxinfo_time { TIME_DRAW, TIME_PREPARE, TIME_PROCESS, TIME_EXECUTE, TIME_NR };

/* One item. What does not belong to its kind is 0. */
struct gfxinfo_item {
	enum gfxinfo_kind kind;
	uint64_t line; /* of the file, from 1 */

	/* Where it belongs, of all kinds but DUMP and LATENCY. */
	uint32_t pid; /* 0 = not printed */
	const char *process; /* its name; "" = not printed */
	const char *window; /* "" = of none; for rows, times */
	unsigned window_nr; /* from 1: the how manieth window of that name of its process */

	uint64_t uptime_ms; /* DUMP: its "Uptime:"; 0 = not printed */
	const struct gfxinfo_stats *stats; /* STATS */

	/* ROW, TIMES, LATENCY */
	enum gfxinfo_fault fault;
	struct frame_slots slots; /* ROW: raw values in ns[], those that the fault leaves known */
	unsigned nr_times; /* TIMES: 3 or 4 */
	int64_t times_ns[TIME_NR];
	uint64_t refresh_ns; /* LATENCY: the display's, from the first line */
	int64_t desired_ns, present_ns, ready_ns; /* INT64_MAX as FAULT_UNFINISHED */
};

struct gfxinfo;

/* Is this how such a text begins? `len` bytes of a file's start, at least 64 KiB if it has them. */
bool gfxinfo_detect(const unsigned char *head, size_t len);

/* Is it what dumpsys says if there is no process of the name that it was given? */
bool gfxinfo_no_process(const unsigned char *head, size_t len);

/*
 * Open `path` ("-" is standard input). On success *out is the caller's, who ends it with
 * gfxinfo_close(). Errors: those of open(2); -EINVAL for an empty file or another kind of text.
 */
int gfxinfo_open(const char *path, struct gfxinfo **out, struct err *e);

/* The next item: 1, valid until the next call; 0 at the end; or a negative errno of reading. */
int gfxinfo_next(struct gfxinfo *g, const struct gfxinfo_item **item, struct err *e);

/* What was noticed on the way; final at the end. */
struct gfxinfo_input {
	uint64_t bytes;
	uint64_t lines;
	uint64_t dumps;
	uint64_t processes;
	uint64_t rows; /* of ---PROFILEDATA---, faulty ones too */
	uint64_t faults[FAULT_NR]; /* of these rows; of FAULT_NONE none is counted */
	uint64_t unreadable; /* lines of a block that can't be read, and lines that are too long */
	bool cut; /* the text ends within a block */
	const char *encoding; /* "UTF-8", "UTF-8 with BOM", "UTF-16LE", "UTF-16BE" */
};

const struct gfxinfo_input *gfxinfo_input(const struct gfxinfo *g);

void gfxinfo_close(struct gfxinfo *g); /* NULL is fine */

#endif
