/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The columns of a frame as machines read them: one table for CSV, NDJSON and the frames in a JSON
 * report. Columns are only ever appended.
 */
#ifndef OUTPUT_COLUMNS_H
#define OUTPUT_COLUMNS_H

#include <stdint.h>

#include "model/frame.h"
#include "output/cells.h"

#define FRAME_SCHEMA "framescope.frame/1"

struct column {
	const char *name;
	void (*get)(const struct frame *f, unsigned arg, struct cell *c);
	unsigned arg;
};

/* Ended by a NULL name. */
extern const struct column columns[];

/* columns_hwui.c: for the table */
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
void column_hwui_text(const struct frame *f, unsigned arg, struct cell *c);
void column_hwui_number(const struct frame *f, unsigned arg, struct cell *c);
void column_metric(const struct frame *f, unsigned arg, struct cell *c); /* enum metric */
void column_ui_part(const struct frame *f, unsigned arg, struct cell *c); /* enum budget_part */

/* The value of one column for a frame. */
static inline void column_get(const struct column *column, const struct frame *f, struct cell *c)
{
	c->kind = CELL_ABSENT;
	column->get(f, column->arg, c);
}

#endif
