/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The program that `record -- CMD` starts: held until everything is attached, then let go. */
#ifndef CMD_CHILD_H
#define CMD_CHILD_H

#include <sys/types.h>

#include "base/err.h"

struct child {
	pid_t pid; /* 0 = none */
	int go; /* a byte written here lets it run */
	int failed; /* it writes errno here if it can't */
	const char *name;
};

/* Fork; the child waits. `argv` ends with NULL and outlives the child. */
int child_prepare(struct child *c, char **argv, struct err *e);

/* Let it run; -ENOENT and kin from execvp(3) if the program can't be started. */
int child_release(struct child *c, struct err *e);

/* End it, if it still runs: SIGTERM, a second later SIGKILL. Reaps it. Nothing if there is none. */
void child_end(struct child *c);

#endif
