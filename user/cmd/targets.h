/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Which processes a recording watches: those named by number, those that have a name when it
 * begins, and those of a package, whenever they start.
 */
#ifndef CMD_TARGETS_H
#define CMD_TARGETS_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/err.h"

#define TARGETS_MAX 256

struct package_watch;
struct session;

/* Zero it, then set comm and package, and add the pids; the rest is filled by the functions. */
struct targets {
	const char *comm; /* --comm; NULL = none */
	const char *package; /* --package; NULL = none */
	pid_t pids[TARGETS_MAX]; /* first the given ones, then those found by comm */
	unsigned nr_pids;
	unsigned nr_given;

	struct package_watch *watch;
	pid_t started[TARGETS_MAX]; /* of the package, found but not watched yet */
	unsigned nr_started;
	bool idle; /* no process of the package is left, and that was said */
};

/* Add a process by its number; false if there are too many. */
bool targets_add(struct targets *t, pid_t pid);

/* Is anything wanted at all? */
bool targets_any(const struct targets *t);

/*
 * Find the processes that run now. -ESRCH if none has the name that comm wants; one of the
 * package need not run yet.
 */
int targets_find(struct targets *t, struct err *e);

/* Must one of the package start before there is anything to record? */
bool targets_must_wait(const struct targets *t);

/* Say that it is waited for, and which name that runs now may have been meant. */
void targets_say_waiting(const struct targets *t);

/* Look for new processes of the package, without watching them. 0, or a negative errno. */
int targets_look(struct targets *t, struct err *e);

/* Record all that was found. -ESRCH if one given by number has ended, or all of the name. */
int targets_watch(struct targets *t, struct session *s, struct err *e);

/*
 * To be called at each poll of the session: record what has started of the package since. Tells the
 * user of each such process, and when none is left. 0, or a negative errno.
 */
int targets_poll(struct targets *t, struct session *s, struct err *e);

void targets_close(struct targets *t); /* what was never opened is fine */

#endif
