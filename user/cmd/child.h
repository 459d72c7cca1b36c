/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The program that `record -- CMD` starts: held until everything is attached, then let go. */
#ifndef CMD_CHILD_H
#define CMD_CHILD_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/err.h"

struct child {
	pid_t pid; /* 0 = none, or it has ended */
	bool off_terminal; /* to be set before: what of its files 0 to 2 is a terminal is none */
	bool adopts; /* what it leaves behind becomes a child of this process */
	int go; /* a byte written here lets it run */
	int failed; /* it writes errno here if it can't */
	const char *name;
};

/* Fork; the child waits. `argv` ends with NULL and outlives the child. */
int child_prepare(struct child *c, char **argv, struct err *e);

/* Let it run; -ENOENT and kin from execvp(3) if the program can't be started. */
int child_release(struct child *c, struct err *e);

/* To be called now and then: notices that it has ended by itself, and reaps what it left behind. */
void child_poll(struct child *c);

/*
 * End it, if it still runs, and then whatever it has started: SIGTERM, a second later SIGKILL. If
 * it was seen to have ended by itself, what it left running is left alone. Nothing if there is
 * none.
 */
void child_end(struct child *c);

#endif
