/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The columns of a frame as machines read them: for CSV, NDJSON and the frames in a JSON report. */
#ifndef OUTPUT_FRAMES_COLUMNS_H
#define OUTPUT_FRAMES_COLUMNS_H

#include "output/frames.h"

extern const struct listing_column frames_columns[];

static inline const struct frame *frame_of_row(const void *row)
{
	return ((const struct frame_row *)row)->frame;
}

/* frames_hwui.c: for the table */
enum hwui_text { HWUI_KIND, HWUI_SKIP_REASON, HWUI_JANK_TRACKER, HWUI_TOP_STAGE };
enum hwui_number {
	HWUI_VSYNC_ID,
	HWUI_FRAME_NUMBER,
	HWUI_RENDER_QUEUE,
	HWUI_COMMIT,
	HWUI_SYNC_DEQUEUE,
	HWUI_FRAME_DEADLINE,
	HWUI_VSYNC_DELIVERY,
	HWUI_RENDER_START,
	HWUI_UI_END,
};
void column_hwui_text(const void *row, unsigned arg, struct cell *c);
void column_hwui_number(const void *row, unsigned arg, struct cell *c);
void column_metric(const void *row, unsigned arg, struct cell *c); /* enum metric */
void column_ui_part(const void *row, unsigned arg, struct cell *c); /* enum budget_part */

/* frames_verdicts.c: likewise */
enum verdict_text {
	VERDICT_JANK_TYPES,
	VERDICT_CONFIDENCE,
	VERDICT_MATRIX_LEVEL,
	VERDICT_DISAGREE,
};
enum verdict_number {
	VERDICT_JANKY,
	VERDICT_JANKY_LEGACY,
	VERDICT_STUFFED,
	VERDICT_DAVEY,
	VERDICT_TOTAL,
	VERDICT_JANKSTATS_JANKY,
	VERDICT_JANKSTATS_START,
	VERDICT_JANKSTATS_UI,
	VERDICT_JANKSTATS_CPU,
	VERDICT_JANKSTATS_TOTAL,
	VERDICT_JANKSTATS_OVERRUN,
};
void column_verdict_text(const void *row, unsigned arg, struct cell *c);
void column_verdict_number(const void *row, unsigned arg, struct cell *c);
void column_dropped(const void *row, unsigned arg, struct cell *c);

/* frames_dumped.c: likewise */
enum dumped_text { DUMPED_WINDOW, DUMPED_FAULT };
enum present_number { PRESENT_DESIRED, PRESENT_ACTUAL, PRESENT_READY };
void column_dumped_text(const void *row, unsigned arg, struct cell *c);
void column_time(const void *row, unsigned arg, struct cell *c); /* enum gfxinfo_time */
void column_present(const void *row, unsigned arg, struct cell *c);

/* frames_timeline.c: likewise */
enum ft_text {
	FT_TEXT_JANK,
	FT_TEXT_PRESENT,
	FT_TEXT_PREDICTION,
	FT_TEXT_SEVERITY,
	FT_TEXT_LAYER,
	FT_TEXT_DISPLAY_JANK,
};
enum ft_number {
	FT_NUMBER_TOKEN,
	FT_NUMBER_DISPLAY_TOKEN,
	FT_NUMBER_LAYERS,
	FT_NUMBER_ON_TIME,
	FT_NUMBER_GPU_COMPOSITION,
	FT_NUMBER_EXPECTED_START,
	FT_NUMBER_DEADLINE,
	FT_NUMBER_ACTUAL_START,
	FT_NUMBER_ACTUAL_END,
};
void column_ft_text(const void *row, unsigned arg, struct cell *c);
void column_ft_number(const void *row, unsigned arg, struct cell *c);
void column_ft_overrun(const void *row, unsigned arg, struct cell *c);

#endif
