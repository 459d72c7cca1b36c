/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Reports of frames as Tencent Matrix's issue "Trace_FPS" has them, one JSON object a line: its
 * keys in its order, so that what reads these reads ours. Absent are those on the device (machine,
 * cpu_app, mem, mem_free), which is not asked.
 */
#ifndef OUTPUT_MATRIX_JSON_H
#define OUTPUT_MATRIX_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "judge/looper.h"
#include "judge/matrix.h"

/* The part of an issue that is not about frames. */
struct matrix_issue {
	const char *process;
	uint64_t time_ms; /* when it was reported, of CLOCK_REALTIME; 0 = not known */
	bool partial; /* Matrix would not have reported it (yet) */
};

/* Both 0 or -ENOMEM. */

/* The shape of 2.1.0. */
int matrix_json_frames(FILE *out, const struct matrix_report *r, const struct matrix_issue *issue);

/* That of 0.8 to 2.0.2, with keys of our own behind its last one on frames. */
int matrix_json_looper(FILE *out, const struct looper_report *r, const struct matrix_issue *issue);

#endif
