/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Writes a file under another name until it is whole. */
#include "cmd/out_file.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd/cmd.h"
#include "output/output.h"

static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
#define NR_SIGNALS (sizeof(signals) / sizeof(signals[0]))

/* The file that a signal would leave behind; one at a time. */
static char *volatile unfinished;
static struct sigaction before[NR_SIGNALS];

static void on_signal(int sig)
{
	if (unfinished)
		unlink(unfinished);
	signal(sig, SIG_DFL);
	raise(sig);
}

static void watch_signals(char *temp)
{
	const struct sigaction sa = { .sa_handler = on_signal };

	unfinished = temp;
	for (size_t i = 0; i < NR_SIGNALS; i++) {
		sigaction(signals[i], NULL, &before[i]);
		/* Ignored it is by nohup, on purpose. */
		if (before[i].sa_handler != SIG_IGN)
			sigaction(signals[i], &sa, NULL);
	}
}

static void unwatch_signals(void)
{
	if (!unfinished)
		return;
	for (size_t i = 0; i < NR_SIGNALS; i++)
		sigaction(signals[i], &before[i], NULL);
	unfinished = NULL;
}

static int open_temp(struct out_file *o, mode_t mode)
{
	int fd;

	if (asprintf(&o->temp, "%s.XXXXXX", o->path) < 0) {
		o->temp = NULL;
		return -ENOMEM;
	}
	fd = mkostemp(o->temp, O_CLOEXEC);
	if (fd < 0) {
		fd = -errno;
		free(o->temp);
		o->temp = NULL;
		return fd;
	}
	watch_signals(o->temp);
	fchmod(fd, mode);
	return fd;
}

/* Of a new file. */
static mode_t usual_mode(void)
{
	mode_t mask = umask(0);

	umask(mask);
	return 0666 & ~mask;
}

static int open_path(struct out_file *o, const char *path)
{
	struct stat st;
	bool there = !stat(path, &st), regular = there && S_ISREG(st.st_mode);
	int fd;

	/* Of a link, what it leads to is replaced; a pipe of /dev/fd leads to no name. */
	o->path = regular ? realpath(path, NULL) : strdup(path);
	if (!o->path)
		return errno ? -errno : -ENOMEM;
	if (!there)
		return open_temp(o, usual_mode());
	if (regular)
		return open_temp(o, st.st_mode & 0777);
	fd = open(o->path, O_WRONLY | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

int out_file_open(struct out_file *o, const char *path, struct err *e)
{
	int fd;

	output_begin();
	if (cmd_is_standard(path)) {
		o->f = stdout;
		output_buffer(stdout);
		return 0;
	}
	fd = open_path(o, path);
	if (fd < 0) {
		err_errno(e, fd, "cannot write '%s'", path);
		return err_hint(e, "another name with -o");
	}
	o->f = fdopen(fd, "w");
	if (!o->f) {
		close(fd);
		return err_errno(e, -ENOMEM, "cannot write '%s'", path);
	}
	output_buffer(o->f);
	return 0;
}

static int close_stream(struct out_file *o)
{
	FILE *f = o->f;

	o->f = NULL;
	return fclose(f) ? (errno ? -errno : -EIO) : 0;
}

int out_file_commit(struct out_file *o, int failed, struct err *e)
{
	int closed;

	if (!o->path)
		return output_finish(o->f, failed, e);
	errno = 0;
	closed = close_stream(o);
	if (!failed)
		failed = closed;
	if (!failed && o->temp && rename(o->temp, o->path))
		failed = -errno;
	if (!failed) {
		unwatch_signals();
		free(o->temp);
		o->temp = NULL;
	}
	if (!failed || failed == -EPIPE)
		return 0;
	err_errno(e, failed, "cannot write '%s'", o->path);
	if (failed == -ENOSPC)
		err_hint(e, "free some space, or another file system with -o");
	return failed;
}

void out_file_close(struct out_file *o)
{
	if (o->path && o->f)
		close_stream(o);
	if (o->temp)
		unlink(o->temp);
	unwatch_signals();
	free(o->temp);
	free(o->path);
	*o = (struct out_file){ 0 };
}
