/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The part of a report on the rows of `dumpsys SurfaceFlinger --latency`. */
#ifndef OUTPUT_REPORT_LATENCY_H
#define OUTPUT_REPORT_LATENCY_H

#include <jansson.h>
#include <stdio.h>

#include "judge/latency.h"
#include "output/output.h"

/* For people, in 100 columns; nothing if there were no rows. */
void report_latency(FILE *out, const struct style *style, const struct latency_figures *f);

/* The same as an object. NULL when out of memory. */
json_t *latency_object(const struct latency_figures *f);

#endif
