/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A report on a text of dumpsys. */
#ifndef OUTPUT_REPORT_DUMP_H
#define OUTPUT_REPORT_DUMP_H

#include <stdio.h>

#include "base/err.h"
#include "judge/findings.h"
#include "judge/latency.h"
#include "judge/table_times.h"
#include "judge/verdicts.h"
#include "model/dump_frames.h"
#include "output/output.h"
#include "stream/gfxinfo.h"

struct dump_report {
	const char *path;
	const struct gfxinfo_input *input;
	const struct gfxinfo_totals *totals;
	const struct findings *findings;
	const struct dump_frames *frames;
	const struct verdicts *verdicts; /* NULL: no row */
	const struct table_times *times;
	const struct latency *latency;
};

/* For people, in 100 columns. */
void report_dump_text(FILE *out, const struct style *style, const struct dump_report *r);

/* One JSON object, schema "framescope.gfxinfo_report/1". 0 or -ENOMEM. */
int report_dump_json(FILE *out, const struct dump_report *r, struct err *e);

#endif
