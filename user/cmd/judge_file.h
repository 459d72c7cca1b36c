/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* All verdicts of a file, for what prints nothing but these. */
#ifndef CMD_JUDGE_FILE_H
#define CMD_JUDGE_FILE_H

#include <stdint.h>

#include "base/err.h"
#include "cmd/analysis.h"
#include "cmd/dumped.h"
#include "cmd/judging.h"

/* Zero it before judge_file(). */
struct judged_file {
	struct judging *judging; /* the caller's */
	verdicts_report *report; /* for Matrix's reports; may be NULL */
	void *report_ctx;
	const bool *stop; /* set by who is given these: that is enough */
	struct analysis analysis;
	struct dumped dumped; /* one of these is used */
	uint64_t uptime_ms; /* when it ends, CLOCK_MONOTONIC; 0 = not known */
	int error;
};

/*
 * A capture or a text of dumpsys: have all its frames judged. 0 or a negative errno. Ends with
 * judged_file_close(), also after a failure; until then the verdicts can be used.
 */
int judge_file(struct judged_file *f, const char *path, struct err *e);

/* CLOCK_REALTIME less CLOCK_MONOTONIC, ns; 0 = not known. */
uint64_t judged_file_realtime(const struct judged_file *f);

void judged_file_close(struct judged_file *f);

#endif
