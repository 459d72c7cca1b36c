/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* From a file to frames: what every offline command does before it prints. */
#ifndef CMD_ANALYSIS_H
#define CMD_ANALYSIS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "model/model.h"
#include "stream/source.h"

/* Zero it before analysis_open(), but for `record`, its context and topics. */
struct analysis {
	struct source *source;
	struct model *model;
	/* Given each record before the model is; 0 or -ENOMEM. NULL: not wanted. */
	int (*record)(void *ctx, const struct fs_header *rec);
	void *record_ctx;
	unsigned topics; /* enum source_topic: what the input lacks for these is to be said */
};

/* 0 or a negative errno. Ends with analysis_close(), also after a failure. */
int analysis_open(struct analysis *a, const char *path, const struct model_sink *sink,
		  struct err *e);

/*
 * Feed the whole file to the model, until its end or until the sink sets *stop. 0 or a negative
 * errno. What the file lacks is said on standard error.
 */
int analysis_run(struct analysis *a, const bool *stop, struct err *e);

/* The capture's start; the first record if its start mark is missing. */
uint64_t analysis_origin(const struct analysis *a);

void analysis_close(struct analysis *a);

#endif
