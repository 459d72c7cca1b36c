/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The part of a report that only windows of Android's HWUI have. */
#ifndef OUTPUT_REPORT_STAGES_H
#define OUTPUT_REPORT_STAGES_H

#include <stdio.h>

#include "model/stage_summary.h"
#include "output/output.h"

/* "300 normal, 1 first, 4 skipped", a line; nothing if no frame was HWUI's. */
void report_kinds(FILE *out, const struct stage_summary *s);

/* The table stage by cause; nothing if no frame has stages. */
void report_stages(FILE *out, const struct style *style, const struct stage_summary *s);

#endif
