/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What the commands share that watch programs while they run: the options that say whom and how,
 * and the steps until the capture runs.
 */
#ifndef CMD_CAPTURING_H
#define CMD_CAPTURING_H

#include <getopt.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "capture/session.h"
#include "cmd/child.h"
#include "cmd/cmd.h"
#include "cmd/targets.h"
#include "probe/platform.h"

#define CAPTURING_POINTS_MAX 64
#define CAPTURING_TEXT_LEN 1024

enum capturing_option {
	CAPTURING_COMM = 0x300,
	CAPTURING_PACKAGE,
	CAPTURING_UPROBE,
	CAPTURING_LAYOUT,
	CAPTURING_BUFFER,
	CAPTURING_BTF,
};

/* clang-format off */
/* For the options of a command; the options end where the command to be started begins. */
#define CAPTURING_SHORT "+p:ad:vq"
#define CAPTURING_OPTIONS                                                  \
	{ "pid", required_argument, NULL, 'p' },                           \
	{ "comm", required_argument, NULL, CAPTURING_COMM },               \
	{ "package", required_argument, NULL, CAPTURING_PACKAGE },         \
	{ "all", no_argument, NULL, 'a' },                                 \
	{ "duration", required_argument, NULL, 'd' },                      \
	{ "uprobe", required_argument, NULL, CAPTURING_UPROBE },           \
	{ "frame-info-layout", required_argument, NULL, CAPTURING_LAYOUT }, \
	{ "btf", required_argument, NULL, CAPTURING_BTF },                 \
	{ "buffer", required_argument, NULL, CAPTURING_BUFFER },           \
	{ "verbose", no_argument, NULL, 'v' },                             \
	{ "quiet", no_argument, NULL, 'q' }
/* clang-format on */

/* All zero but for what the command sets in `session`. */
struct capturing {
	struct session_config session;
	struct targets targets;
	struct platform platform;
	uint64_t duration_ns; /* 0 = until stopped */
	char **command; /* NULL = none */
	struct point_spec points[CAPTURING_POINTS_MAX];
	char text[CAPTURING_TEXT_LEN]; /* the command line, for the capture */

	struct child child;
	struct session *running; /* NULL: not opened, or closed */
};

/* One of the options: EXIT_OK, or, with what is wrong printed, EXIT_USAGE or EXIT_RUNTIME. */
int capturing_option(const struct command *self, struct capturing *c, int opt, const char *arg);

/*
 * Behind the options: is there anything to watch? EXIT_OK, or, with what is wrong printed,
 * EXIT_USAGE. `what` is what the command does: "recorded".
 */
int capturing_asked(const struct command *self, struct capturing *c, const char *what, int argc,
		    char **argv);

/*
 * Find the targets, hold the command, open the session; where a package has no process yet, wait
 * for one. 0 or a negative errno.
 */
int capturing_open(struct capturing *c, struct err *e);

/* Start, watch all that is to be watched, say what is attached, let the command go. Likewise. */
int capturing_start(struct capturing *c, struct err *e);

/* One turn of the running capture: session_poll(), and new processes of the package. Likewise. */
int capturing_poll(struct capturing *c, int timeout_ms, struct err *e);

/* How long a turn may take, ms, for new processes to be seen in time. */
int capturing_poll_ms(const struct capturing *c);

/* All that is watched has ended, and nothing is to come. */
bool capturing_over(const struct capturing *c);

/* Close the session, if it is open; then end the command. The first failure is that of the file. */
int capturing_close(struct capturing *c, struct err *e);

void capturing_free(struct capturing *c);

#endif
