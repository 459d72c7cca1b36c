/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The rows of `framescope probes`. */
#ifndef OUTPUT_PROBES_H
#define OUTPUT_PROBES_H

#include "output/listing.h"
#include "probe/survey.h"

struct probes_row {
	const struct survey_entry *entry;
	const struct point_form *form; /* for machines: of what was not found, each form in turn */
	bool first; /* for people: of its library */
};

extern const struct listing_view probes_view;

#endif
