/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The part of a report on long messages of UI threads. */
#ifndef OUTPUT_REPORT_LONG_H
#define OUTPUT_REPORT_LONG_H

#include <jansson.h>

#include "judge/long_messages.h"
#include "output/output.h"

/* For people; nothing if there were no messages. "start ms" counts from `origin_ns`. */
void report_long(FILE *out, const struct style *style, const struct long_messages *l,
		 uint64_t origin_ns);

/* An array with an object for each UI thread. NULL when out of memory. */
json_t *report_long_json(const struct long_messages *l);

#endif
