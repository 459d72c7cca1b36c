/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What the platform's own measures say of a window's frames, side by side, in a report. */
#ifndef OUTPUT_REPORT_VERDICTS_H
#define OUTPUT_REPORT_VERDICTS_H

#include <jansson.h>
#include <stdio.h>

#include "judge/verdicts.h"
#include "output/output.h"

/* For people, in 100 columns. */
void report_verdicts(FILE *out, const struct style *style, const struct window_verdicts *w);

/* "Missed Vsync 15, Slow UI thread 22"; empty if there are none. */
void words_jank_types(char *dst, size_t len, const struct profile_data *p);

/* The same as a JSON object; NULL when out of memory. */
json_t *verdicts_object(const struct window_verdicts *w);

#endif
