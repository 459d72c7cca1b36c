// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Starting a program under observation, from its first instruction on. */
#include "cmd/child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"

#define GRACE_NS NSEC_PER_SEC
#define GRACE_STEP_US 10000

static void __attribute__((noreturn)) run_child(char **argv, int go, int failed)
{
	char byte;
	int err;

	signal(SIGINT, SIG_DFL);
	signal(SIGTERM, SIG_DFL);
	signal(SIGHUP, SIG_DFL);
	signal(SIGPIPE, SIG_DFL);
	/* The other end closed without a word: the recorder gave up. */
	if (read(go, &byte, 1) != 1)
		_exit(1);
	execvp(argv[0], argv);
	err = errno;
	if (write(failed, &err, sizeof(err)) != sizeof(err))
		_exit(126);
	_exit(127);
}

int child_prepare(struct child *c, char **argv, struct err *e)
{
	int go[2], failed[2];

	if (pipe2(go, O_CLOEXEC))
		return err_errno(e, -errno, "cannot start %s", argv[0]);
	if (pipe2(failed, O_CLOEXEC)) {
		int err = -errno;

		close(go[0]);
		close(go[1]);
		return err_errno(e, err, "cannot start %s", argv[0]);
	}
	c->pid = fork();
	if (c->pid == 0) {
		close(go[1]);
		close(failed[0]);
		run_child(argv, go[0], failed[1]);
	}
	close(go[0]);
	close(failed[1]);
	c->go = go[1];
	c->failed = failed[0];
	c->name = argv[0];
	if (c->pid < 0) {
		int err = -errno;

		c->pid = 0;
		close(c->go);
		close(c->failed);
		return err_errno(e, err, "cannot start %s", argv[0]);
	}
	return 0;
}

int child_release(struct child *c, struct err *e)
{
	int failure;
	ssize_t n;

	if (write(c->go, "", 1) != 1)
		return err_errno(e, -errno, "cannot start %s", c->name);
	do {
		n = read(c->failed, &failure, sizeof(failure));
	} while (n < 0 && errno == EINTR);
	if (n != sizeof(failure))
		return 0; /* closed by exec */
	err_errno(e, -failure, "cannot run %s", c->name);
	return err_hint(e, "a program in $PATH (sudo may have changed it) or its full path");
}

void child_end(struct child *c)
{
	uint64_t deadline;

	if (!c->pid)
		return;
	close(c->go);
	close(c->failed);
	kill(c->pid, SIGTERM);
	deadline = clock_monotonic_ns() + GRACE_NS;
	while (waitpid(c->pid, NULL, WNOHANG) == 0) {
		if (clock_monotonic_ns() > deadline) {
			kill(c->pid, SIGKILL);
			waitpid(c->pid, NULL, 0);
			break;
		}
		usleep(GRACE_STEP_US);
	}
	c->pid = 0;
}
