/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* From a file to what a gate judges: the samples of one run, and what the file cannot have. */
#ifndef CMD_GATE_FILE_H
#define CMD_GATE_FILE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "cmd/judging.h"
#include "gate/check.h"
#include "gate/samples.h"

/* Zero it before gate_file_read(), but for the first three. */
struct gate_file {
	const bool *wanted; /* by metric; NULL: all */
	/* Given each judged frame behind the samples, and its interval or 0; NULL: not wanted. */
	int (*frame)(void *ctx, const struct frame *f, uint64_t interval_ns);
	void *ctx;

	const char *path; /* the caller's */
	struct gate_samples *samples;
	char *absent[GATE_TOPICS]; /* by bit of enum source_topic: why there is none; or NULL */
	char *meta; /* the capture's JSON text, or NULL */
	uint64_t lost; /* records */
	bool dump; /* a text of dumpsys */
	bool trace; /* others recorded it */
	bool cut; /* the input ends without its end mark */
	bool stop;
	int error;
};

/*
 * Read a capture, another's trace or a text of dumpsys. The judging's rules are the ones to begin
 * with; it is not changed. What the file lacks is said on standard error as elsewhere. 0 or a
 * negative errno. Ends with gate_file_free(), also after a failure.
 */
int gate_file_read(struct gate_file *f, const char *path, const struct judging *rules,
		   struct err *e);

void gate_file_free(struct gate_file *f);

#endif
