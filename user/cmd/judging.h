/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The verdicts on frames: the options that report and frames have for them, and what they start. */
#ifndef CMD_JUDGING_H
#define CMD_JUDGING_H

#include <getopt.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "cmd/cmd.h"
#include "judge/verdicts.h"
#include "model/model.h"

enum judging_option {
	JUDGING_ANDROID = 0x200,
	JUDGING_REFRESH_RATE,
	JUDGING_VSYNC_OFFSETS,
	JUDGING_MULTIPLIER,
	JUDGING_MATRIX_LEVELS,
};

/* clang-format off */
/* For the options of a command. */
#define JUDGING_OPTIONS                                                          \
	{ "android", required_argument, NULL, JUDGING_ANDROID },                 \
	{ "refresh-rate", required_argument, NULL, JUDGING_REFRESH_RATE },       \
	{ "vsync-offsets", required_argument, NULL, JUDGING_VSYNC_OFFSETS },     \
	{ "jankstats-multiplier", required_argument, NULL, JUDGING_MULTIPLIER }, \
	{ "matrix-levels", required_argument, NULL, JUDGING_MATRIX_LEVELS }

/* For its help. */
#define JUDGING_HELP                                                                    \
	"  --android RELEASE    judge as this release of Android does (8 to 17), rather\n" \
	"                       than the one that the input is of\n"                     \
	"  --refresh-rate HZ    the display's, rather than what the input says\n"         \
	"  --vsync-offsets APP,SF\n"                                                    \
	"                       the display's vsync offsets in ms, or 'estimate': for\n" \
	"                       what HWUI forgives a frame that waited for a buffer\n"  \
	"  --jankstats-multiplier X\n"                                                  \
	"                       JankStats's jankHeuristicMultiplier (default 2.0)\n"    \
	"  --matrix-levels N,M,H,F\n"                                                   \
	"                       dropped frames from which on Matrix calls a frame\n"    \
	"                       normal, middle, high, frozen (default 3,9,24,42)\n"
/* clang-format on */

struct judging {
	struct verdict_rules rules;
	bool estimate_offset;
	verdicts_report *report; /* for Matrix's; may be NULL */
	void *report_ctx;
	struct verdicts *verdicts; /* NULL until the first frame */
};

void judging_init(struct judging *j);

/* One of the options: EXIT_OK, or, with what is wrong printed, EXIT_USAGE. */
int judging_option(const struct command *self, struct judging *j, int opt, const char *arg);

/*
 * Where the display's rate or offsets are to be estimated, read the file for that, as far as it
 * takes. 0 or a negative errno.
 */
int judging_calibrate(struct judging *j, const char *path, struct err *e);

/* The same for a text of dumpsys; not from a pipe, which can't be read twice. */
int judging_calibrate_dump(struct judging *j, const char *path, struct err *e);

/*
 * Judge a frame. `m` is its model, which knows of what platform it is; NULL for one of a dump. 0 or
 * -ENOMEM.
 */
int judging_frame(struct judging *j, const struct model *m, struct frame *f);

/* Frames are missing before the next one of that producer. */
void judging_gap(struct judging *j, const struct producer *p);

/* Has a frame had a FrameInfo? */
bool judging_any(const struct judging *j);

/* After the last frame. */
void judging_finish(struct judging *j);

/* Says of how many frames there are no verdicts, where an option would help. */
void judging_warn(const struct judging *j, const char *path);

void judging_free(struct judging *j);

#endif
