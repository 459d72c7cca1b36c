/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What in a report is not to be trusted, and what is not in it. */
#ifndef OUTPUT_REPORT_TRUST_H
#define OUTPUT_REPORT_TRUST_H

#include "output/output.h"

/* Why there may be none, and what to do about it. */
void report_no_frames(FILE *out, const struct style *style, const struct report *r);

/* What was lost, damaged or never recorded. Frames in no figure are counted by the caller. */
void report_trust(FILE *out, const struct style *style, const struct report *r, uint64_t lossy,
		  uint64_t truncated);

/* As source_absence(), without what is of no interest for the frames that there are. */
bool report_absence(const struct report *r, unsigned *index, struct source_absence *absence);

#endif
