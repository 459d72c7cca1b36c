/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What SurfaceFlinger's FrameTimeline says of a producer's frames, in a report. */
#ifndef OUTPUT_REPORT_TIMELINE_H
#define OUTPUT_REPORT_TIMELINE_H

#include <jansson.h>
#include <stdio.h>

#include "model/timeline_summary.h"
#include "output/output.h"

/* For people, in 100 columns; nothing if it says nothing. */
void report_timeline(FILE *out, const struct style *style, const struct timeline_summary *s);

/* The same as a JSON object; NULL when out of memory. */
json_t *timeline_object(const struct timeline_summary *s);

#endif
