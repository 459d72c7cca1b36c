/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* From a file, a summary or what summaries are made of, to runs that can be compared. */
#ifndef CMD_BASELINE_FILE_H
#define CMD_BASELINE_FILE_H

#include "base/err.h"
#include "cmd/judging.h"
#include "gate/baseline.h"
#include "gate/effect.h"

/* Given each judged frame of a file that is no summary. NULL: not wanted. */
typedef int baseline_frame(void *ctx, const struct frame *f, uint64_t interval_ns);

/* Add the file's runs. `wanted`: metrics, for gate_samples_new(). 0 or a negative errno. */
int baseline_file_add(struct baseline *b, const char *path, const struct judging *rules,
		      const bool *wanted, baseline_frame *frame, void *ctx, struct err *e);

enum { BASELINE_MIN_EFFECT = 0x300 };

/* clang-format off */
#define BASELINE_HELP                                                                   \
	"  --min-effect [METRIC.STAT=]LIMIT[,LIMIT]\n"                                  \
	"                       from how much on a change is one, in % of the value\n"  \
	"                       before or as a time, or beyond both (default\n"         \
	"                       5%,0.2ms; of verdicts a half, and 5 % of the\n"                                  \
	"                       frames)\n"
/* clang-format on */

/* The option: EXIT_OK, or, with what is wrong printed, EXIT_USAGE. */
int baseline_effect_option(const struct command *self, struct effects *effects, const char *arg);

#endif
