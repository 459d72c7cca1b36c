/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Findings in words: what is printed, and what follows from what. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "judge/gfxinfo_check.h"

static const char *const names[] = {
	[FINDING_UNKNOWN_LABEL] = "unknown_label",
	[FINDING_LABEL_TWICE] = "label_twice",
	[FINDING_TOO_LARGE] = "too_large",
	[FINDING_BARS_MISSING] = "bars_missing",
	[FINDING_SUM_ABOVE_TOTAL] = "sum_above_total",
	[FINDING_SUM_BELOW_TOTAL] = "sum_below_total",
	[FINDING_SUM_WRAPPED] = "sum_wrapped",
	[FINDING_PERCENTILE] = "percentile",
	[FINDING_SHARE] = "share",
	[FINDING_ABOVE_TOTAL] = "above_total",
	[FINDING_JANKY_NOT_MISSED] = "janky_not_missed",
	[FINDING_CAUSE_ABOVE_MISSED] = "cause_above_missed",
	[FINDING_HIGH_LATENCY] = "high_latency",
	[FINDING_NO_FRAMES] = "no_frames",
	[FINDING_FILTERED] = "filtered",
	[FINDING_WINDOW_ABOVE_PROCESS] = "window_above_process",
	[FINDING_WINDOWS_ABOVE_PROCESS] = "windows_above_process",
	[FINDING_BACKWARDS] = "backwards",
	[FINDING_RESET] = "reset",
	[FINDING_DUMP_ORDER] = "dump_order",
	[FINDING_ROWS_ABOVE_TOTAL] = "rows_above_total",
	[FINDING_ROWS_BELOW_TOTAL] = "rows_below_total",
	[FINDING_ROWS_MAKE] = "rows_make",
};
_Static_assert(sizeof(names) / sizeof(*names) == FINDING_NR, "a name for every finding");

const char *gfxinfo_finding_name(enum gfxinfo_finding_kind kind)
{
	return names[kind];
}

/* As they are printed. */
static const char *const figures[] = {
	[FIGURE_SINCE] = "Stats since",
	[FIGURE_TOTAL] = "Total frames rendered",
	[FIGURE_JANKY] = "Janky frames",
	[FIGURE_JANKY_LEGACY] = "Janky frames (legacy)",
	[FIGURE_PERCENTILES] = "50th percentile",
	[FIGURE_PERCENTILES + 1] = "90th percentile",
	[FIGURE_PERCENTILES + 2] = "95th percentile",
	[FIGURE_PERCENTILES + 3] = "99th percentile",
	[FIGURE_GPU_PERCENTILES] = "50th gpu percentile",
	[FIGURE_GPU_PERCENTILES + 1] = "90th gpu percentile",
	[FIGURE_GPU_PERCENTILES + 2] = "95th gpu percentile",
	[FIGURE_GPU_PERCENTILES + 3] = "99th gpu percentile",
	[FIGURE_TYPES + JANK_MISSED_VSYNC] = "Number Missed Vsync",
	[FIGURE_TYPES + JANK_HIGH_INPUT_LATENCY] = "Number High input latency",
	[FIGURE_TYPES + JANK_SLOW_UI] = "Number Slow UI thread",
	[FIGURE_TYPES + JANK_SLOW_SYNC] = "Number Slow bitmap uploads",
	[FIGURE_TYPES + JANK_SLOW_RT] = "Number Slow issue draw commands",
	[FIGURE_TYPES + JANK_MISSED_DEADLINE] = "Number Frame deadline missed",
	[FIGURE_TYPES + JANK_MISSED_DEADLINE_LEGACY] = "Number Frame deadline missed (legacy)",
	[FIGURE_HISTOGRAM] = "HISTOGRAM",
	[FIGURE_GPU_HISTOGRAM] = "GPU HISTOGRAM",
	[FIGURE_NR] = "",
};

#define TOTAL "'Total frames rendered'"
#define MISSED "'Number Frame deadline missed'"

static void of_label(char *dst, size_t len, const struct gfxinfo_finding *f)
{
	const char *figure = figures[f->figure];

	if (f->kind == FINDING_LABEL_TWICE)
		snprintf(dst, len, "%s has two bars of %" PRIu32 "ms", figure, f->label_ms);
	else
		snprintf(dst, len, "%s has a bar of %" PRIu32 "ms, which no release has", figure,
			 f->label_ms);
}

static void too_large(char *dst, size_t len, const struct gfxinfo_finding *f)
{
	char bar[32] = "";

	if (f->figure == FIGURE_HISTOGRAM || f->figure == FIGURE_GPU_HISTOGRAM)
		snprintf(bar, sizeof(bar), " %" PRIu32 "ms", f->label_ms);
	snprintf(dst, len,
		 "'%s%s' is %" PRIu64 ", but its counter has %u bits and holds at most %" PRIu64,
		 figures[f->figure], bar, f->printed, f->expected == UINT16_MAX ? 16u : 32u,
		 f->expected);
}

static void of_sum(char *dst, size_t len, const struct gfxinfo_finding *f)
{
	const char *why = "";

	if (f->kind == FINDING_SUM_WRAPPED)
		why = ": bars from 150ms on are counted in 16 bits, and began again at 0";
	else if (f->kind == FINDING_SUM_BELOW_TOTAL && f->contradiction)
		why = ": in a window's each frame is in one bar";
	else if (f->kind == FINDING_SUM_BELOW_TOTAL)
		why = ": slow ones can get lost from it, so percentiles may be too low, or 0ms";
	snprintf(dst, len,
		 "the bars of HISTOGRAM add up to %" PRIu64 " frames, but " TOTAL " is %" PRIu64
		 "%s",
		 f->printed, f->expected, why);
}

static void of_percentile(char *dst, size_t len, const struct gfxinfo_finding *f)
{
	bool gpu = f->figure >= FIGURE_GPU_PERCENTILES;

	snprintf(dst, len,
		 "'%s' is %" PRIu64 "ms, but of %" PRIu64
		 " frames the bars of %s make that %" PRIu64 "ms",
		 figures[f->figure], f->printed, f->frames,
		 figures[gpu ? FIGURE_GPU_HISTOGRAM : FIGURE_HISTOGRAM], f->expected);
}

static void of_share(char *dst, size_t len, const struct gfxinfo_finding *f)
{
	snprintf(dst, len,
		 "'%s' is printed as %" PRIu64 ".%02u%%, but makes %" PRIu64 ".%02u%% of %" PRIu64
		 " frames",
		 figures[f->figure], f->printed / 100, (unsigned)(f->printed % 100),
		 f->expected / 100, (unsigned)(f->expected % 100), f->frames);
}

static void of_bars_missing(char *dst, size_t len, const struct gfxinfo_finding *f)
{
	snprintf(dst, len,
		 "%s has %" PRIu64 " of its %" PRIu64
		 " bars: its sum and the percentiles can't be checked",
		 figures[f->figure], f->printed, f->expected);
}

static void above_total(char *dst, size_t len, const struct gfxinfo_finding *f)
{
	if (f->figure == FIGURE_GPU_HISTOGRAM)
		snprintf(dst, len,
			 "the bars of GPU HISTOGRAM add up to %" PRIu64 " frames, but " TOTAL
			 " is %" PRIu64 ", and each has at most one GPU time",
			 f->printed, f->expected);
	else
		snprintf(dst, len,
			 "'%s' is %" PRIu64 ", but counted once per frame at most, and " TOTAL
			 " is %" PRIu64,
			 figures[f->figure], f->printed, f->expected);
}

static void of_missed(char *dst, size_t len, const struct gfxinfo_finding *f)
{
	if (f->kind == FINDING_JANKY_NOT_MISSED)
		snprintf(dst, len,
			 "'Janky frames' is %" PRIu64 ", but " MISSED " is %" PRIu64
			 ": from Android 12 on they are the same frames",
			 f->printed, f->expected);
	else
		snprintf(dst, len,
			 "'%s' is %" PRIu64 ", but only counted of frames of " MISSED
			 ", which is %" PRIu64,
			 figures[f->figure], f->printed, f->expected);
}

static void of_high_latency(char *dst, size_t len, const struct gfxinfo_finding *f)
{
	snprintf(dst, len,
		 "'Number High input latency' is %" PRIu64 ", but %" PRIu64 " at most of %" PRIu64
		 " frames and their missed deadlines: it is counted of "
		 "deadlines that were made",
		 f->printed, f->expected, f->frames);
}

static void no_frames(char *dst, size_t len, const struct gfxinfo_finding *f)
{
	bool gpu = f->figure >= FIGURE_GPU_PERCENTILES;

	snprintf(dst, len, "no %s was counted: the percentiles (%" PRIu64 "ms) say nothing",
		 gpu ? "GPU time" : "frame", f->printed);
}

static void filtered(char *dst, size_t len, const struct gfxinfo_finding *f)
{
	(void)f;
	snprintf(dst, len,
		 "the data are filtered: durations begin when input is handled, not at the vsync "
		 "that the frame was meant for");
}

static void above_process(char *dst, size_t len, const struct gfxinfo_finding *f)
{
	snprintf(dst, len,
		 TOTAL " is %" PRIu64 "%s, but %" PRIu64
		       " of the process, which counts those too and began no later",
		 f->printed, f->kind == FINDING_WINDOWS_ABOVE_PROCESS ? " of its windows" : "",
		 f->expected);
}

static void backwards(char *dst, size_t len, const struct gfxinfo_finding *f)
{
	char bar[32] = "";

	if (f->figure == FIGURE_HISTOGRAM || f->figure == FIGURE_GPU_HISTOGRAM)
		snprintf(bar, sizeof(bar), " %" PRIu32 "ms", f->label_ms);
	snprintf(dst, len,
		 "'%s%s' is %" PRIu64 ", but was %" PRIu64
		 " in the dump before: with the same 'Stats since' it can't shrink",
		 figures[f->figure], bar, f->printed, f->expected);
}

static void was_reset(char *dst, size_t len, const struct gfxinfo_finding *f)
{
	snprintf(dst, len,
		 "'Stats since' is %" PRIu64 "ns, and was %" PRIu64
		 "ns in the dump before: it was reset, or is another one of that name",
		 f->printed, f->expected);
}

static void dump_order(char *dst, size_t len, const struct gfxinfo_finding *f)
{
	snprintf(dst, len,
		 "'Uptime' is %" PRIu64 ", and was %" PRIu64
		 " in the dump before: they are not in order, or not of one boot of one device",
		 f->printed, f->expected);
}

static void of_rows(char *dst, size_t len, const struct gfxinfo_finding *f)
{
	const char *why = f->kind == FINDING_ROWS_ABOVE_TOTAL
				  ? "frames have rows that were not counted, or not since the reset"
				  : "frames were counted whose rows are gone or not to be used";

	snprintf(dst, len, "%" PRIu64 " rows, and " TOTAL " is %" PRIu64 ": %s", f->expected,
		 f->printed, why);
}

static void of_what_rows_make(char *dst, size_t len, const struct gfxinfo_finding *f)
{
	char bar[32] = "";

	if (f->figure == FIGURE_HISTOGRAM || f->figure == FIGURE_GPU_HISTOGRAM)
		snprintf(bar, sizeof(bar), " of %" PRIu32 "ms", f->label_ms);
	snprintf(dst, len,
		 "'%s'%s is %" PRIu64 ", but the rows, which are all %" PRIu64
		 " frames, make that %" PRIu64 "%s",
		 figures[f->figure], bar, f->printed, f->frames, f->expected,
		 f->contradiction ? "" : " (by the display's rate and offsets as far as known)");
}

static void (*const texts[])(char *dst, size_t len, const struct gfxinfo_finding *f) = {
	[FINDING_UNKNOWN_LABEL] = of_label,
	[FINDING_LABEL_TWICE] = of_label,
	[FINDING_TOO_LARGE] = too_large,
	[FINDING_BARS_MISSING] = of_bars_missing,
	[FINDING_SUM_ABOVE_TOTAL] = of_sum,
	[FINDING_SUM_BELOW_TOTAL] = of_sum,
	[FINDING_SUM_WRAPPED] = of_sum,
	[FINDING_PERCENTILE] = of_percentile,
	[FINDING_SHARE] = of_share,
	[FINDING_ABOVE_TOTAL] = above_total,
	[FINDING_JANKY_NOT_MISSED] = of_missed,
	[FINDING_CAUSE_ABOVE_MISSED] = of_missed,
	[FINDING_HIGH_LATENCY] = of_high_latency,
	[FINDING_NO_FRAMES] = no_frames,
	[FINDING_FILTERED] = filtered,
	[FINDING_WINDOW_ABOVE_PROCESS] = above_process,
	[FINDING_WINDOWS_ABOVE_PROCESS] = above_process,
	[FINDING_BACKWARDS] = backwards,
	[FINDING_RESET] = was_reset,
	[FINDING_DUMP_ORDER] = dump_order,
	[FINDING_ROWS_ABOVE_TOTAL] = of_rows,
	[FINDING_ROWS_BELOW_TOTAL] = of_rows,
	[FINDING_ROWS_MAKE] = of_what_rows_make,
};
_Static_assert(sizeof(texts) / sizeof(*texts) == FINDING_NR, "a text for every finding");

void gfxinfo_finding_text(char *dst, size_t len, const struct gfxinfo_finding *f)
{
	static const char meanwhile[] = " (frames that ended while this was printed can do that)";

	texts[f->kind](dst, len, f);
	if (f->meanwhile) {
		size_t used = strlen(dst);

		snprintf(dst + used, len - used, "%s", meanwhile);
	}
}
