// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Starting a program under observation, from its first instruction on. */
#include "cmd/child.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "probe/proc.h"

#define GRACE_NS NSEC_PER_SEC
#define GRACE_STEP_US 10000

/* The terminal is somebody else's: it shall neither write to it nor take keys from it. */
static void leave_terminal(void)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	for (int fd = STDIN_FILENO; null >= 0 && fd <= STDERR_FILENO; fd++)
		if (isatty(fd))
			dup2(null, fd);
}

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

static int check_file(const char *path)
{
	struct stat st;

	if (faccessat(AT_FDCWD, path, X_OK, AT_EACCESS) || stat(path, &st))
		return -errno;
	return S_ISREG(st.st_mode) ? 0 : -EACCES;
}

/* What execvp(3) would say if it were called now: most often better than what it says later. */
static int check_program(const char *name)
{
	const char *dirs = getenv("PATH");
	int result = -ENOENT;

	if (!*name)
		return -ENOENT;
	if (strchr(name, '/'))
		return check_file(name);
	for (dirs = dirs ? dirs : "/bin:/usr/bin"; dirs; dirs = strchr(dirs, ':')) {
		char path[PATH_MAX];
		int len, err;

		dirs += *dirs == ':';
		len = (int)strcspn(dirs, ":");
		if (snprintf(path, sizeof(path), "%.*s%s%s", len, dirs, len ? "/" : "", name) >=
		    (int)sizeof(path))
			continue;
		err = check_file(path);
		if (!err)
			return 0;
		if (err == -EACCES)
			result = err;
	}
	return result;
}

static int cannot_run(const char *name, int code, struct err *e)
{
	struct stat st;

	err_errno(e, code, "cannot run '%s'", name);
	if (code == -EACCES && !stat(name, &st) && S_ISDIR(st.st_mode))
		return err_hint(e, "name a program: this is a directory");
	if (code == -EACCES)
		return err_hint(e, "chmod +x, if it is a program or a script that begins with #!");
	if (code == -ENOEXEC)
		return err_hint(e, "a program made for this machine");
	return err_hint(e, "a program in $PATH (sudo may have changed it) or its full path");
}

/*
 * Have the kernel give us whatever the program starts and leaves behind, so that it can be ended
 * with it. Not if whoever became this process had children: they would be mistaken for its.
 */
static bool adopt(void)
{
	siginfo_t info;

	return waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) && errno == ECHILD &&
	       !prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
}

int child_prepare(struct child *c, char **argv, struct err *e)
{
	int go[2], failed[2];
	int wrong = check_program(argv[0]);

	if (wrong)
		return cannot_run(argv[0], wrong, e);
	if (pipe2(go, O_CLOEXEC))
		return err_errno(e, -errno, "cannot start %s", argv[0]);
	if (pipe2(failed, O_CLOEXEC)) {
		int err = -errno;

		close(go[0]);
		close(go[1]);
		return err_errno(e, err, "cannot start %s", argv[0]);
	}
	c->adopts = adopt();
	c->pid = fork();
	if (c->pid == 0) {
		close(go[1]);
		close(failed[0]);
		if (c->off_terminal)
			leave_terminal();
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
		c->name = NULL;
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
	return cannot_run(c->name, -failure, e);
}

/* 0 and `pid` reaped, or nothing to reap now; -ECHILD if there is nobody left. */
static int reap(struct child *c)
{
	pid_t pid;

	while ((pid = waitpid(c->adopts ? -1 : c->pid, NULL, WNOHANG)) > 0) {
		if (pid == c->pid)
			c->pid = 0;
		if (!c->adopts)
			break;
	}
	return pid < 0 ? -errno : 0;
}

void child_poll(struct child *c)
{
	if (c->pid || c->adopts)
		reap(c);
}

/* Who has had SIGTERM: some programs take a second one for impatience. */
struct told {
	int sig;
	size_t nr, room;
	pid_t *pids;
};

/* Without memory it is not told at all: SIGKILL will find it. */
static bool note(struct told *told, pid_t pid)
{
	if (told->nr == told->room) {
		size_t room = told->room ? 2 * told->room : 64;
		pid_t *pids = realloc(told->pids, room * sizeof(*pids));

		if (!pids)
			return false;
		told->pids = pids;
		told->room = room;
	}
	told->pids[told->nr++] = pid;
	return true;
}

static int tell(void *ctx, pid_t pid)
{
	struct told *told = ctx;
	pid_t tgid, ppid;

	if (proc_ids(pid, &tgid, &ppid) || ppid != getpid())
		return 0;
	for (size_t i = 0; told->sig == SIGTERM && i < told->nr; i++)
		if (told->pids[i] == pid)
			return 0;
	if (told->sig == SIGKILL || note(told, pid))
		kill(pid, told->sig);
	return 0;
}

/*
 * What the program had started is ours now, or will be when its parent is gone: hence again and
 * again. One that the kernel holds does not even end on SIGKILL; it is not waited for.
 */
static void end_adopted(struct child *c)
{
	uint64_t deadline = clock_monotonic_ns() + GRACE_NS;
	struct told told = { .sig = SIGTERM };

	while (!reap(c)) {
		if (clock_monotonic_ns() > deadline) {
			if (told.sig == SIGKILL)
				break;
			told.sig = SIGKILL;
			deadline += GRACE_NS;
		}
		proc_each(tell, &told);
		usleep(GRACE_STEP_US);
	}
	free(told.pids);
}

void child_end(struct child *c)
{
	uint64_t deadline;

	if (!c->name)
		return;
	close(c->go);
	close(c->failed);
	c->name = NULL;
	if (!c->pid)
		return; /* it ended by itself: what it left running is not ours to end */
	kill(c->pid, SIGTERM);
	deadline = clock_monotonic_ns() + GRACE_NS;
	while (!reap(c) && c->pid) {
		if (clock_monotonic_ns() > deadline) {
			kill(c->pid, SIGKILL);
			waitpid(c->pid, NULL, 0);
			break;
		}
		usleep(GRACE_STEP_US);
	}
	c->pid = 0;
	if (c->adopts)
		end_adopted(c);
}
