/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What a trace cannot tell, because of what was not recorded into it. */
#ifndef TRACE_ABSENT_H
#define TRACE_ABSENT_H

#include "trace/intake.h"

/* Traces of one form have what those of another never do. */
enum absent_form { ABSENT_IN_TEXT, ABSENT_IN_PERFETTO };

enum absent {
	ABSENT_MARKS, /* there are no marks at all */
	ABSENT_FRAMES, /* there are, but none that frames are made of */
	ABSENT_SWITCHES,
	ABSENT_WAKINGS,
	ABSENT_FENCES,
	ABSENT_TIMELINE, /* SurfaceFlinger's FrameTimeline, in Perfetto's form */
	ABSENT_TIMELINE_TEXT, /* the same in a text */
	ABSENT_FRAME_INFO,
	ABSENT_NR
};

/* 1u << enum absent. Of an empty trace nothing is said to be absent. */
unsigned absent_find(const struct intake_counts *counts, enum absent_form form);

/* What is not known then, why, and what would have to be recorded. */
const char *absent_text(enum absent what);

/* The index-th of what absent_find() finds, or false. */
bool absent_nth(const struct intake_counts *counts, enum absent_form form, unsigned index,
		struct source_absence *a);

#endif
