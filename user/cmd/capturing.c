// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Whom to watch and how, and the way to a running capture. */
#include "cmd/capturing.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <framescope/state.h>

#include "base/log.h"
#include "cmd/interrupt.h"
#include "probe/kernel.h"
#include "probe/package.h"

#define POLL_MS 100
/* How late the start of a package's process may be seen; a look costs next to nothing. */
#define PACKAGE_POLL_MS 20

static int usage_layout(const struct command *self, const char *word)
{
	char known[64] = "";

	for (const unsigned *l = platform_layouts; *l; l++) {
		size_t len = strlen(known);

		snprintf(known + len, sizeof(known) - len, "%s%u",
			 !len   ? ""
			 : l[1] ? ", "
				: " and ",
			 *l);
	}
	return cmd_usage(self, "no FrameInfo with '%s' slots is known; there are %s", word, known);
}

static int take_point(const struct command *self, struct capturing *c, const char *arg)
{
	struct err e = { 0 };

	if (c->session.nr_points == CAPTURING_POINTS_MAX)
		return cmd_usage(self, "more than %d --uprobe", CAPTURING_POINTS_MAX);
	if (point_spec_parse(arg, &c->points[c->session.nr_points], &e))
		return cmd_usage(self, "%s%s%s", e.what, e.hint[0] ? "; " : "", e.hint);
	c->session.nr_points++;
	return EXIT_OK;
}

int capturing_option(const struct command *self, struct capturing *c, int opt, const char *arg)
{
	struct err e = { 0 };
	uint64_t n;

	switch (opt) {
	case 'p':
		if (!cmd_number(arg, 1, FS_TID_MAX, &n))
			return cmd_usage(self, "'%s' is not a process id", arg);
		if (!targets_add(&c->targets, (pid_t)n))
			return cmd_usage(self, "more than %d processes; use -a", TARGETS_MAX);
		break;
	case CAPTURING_COMM:
		if (c->targets.comm)
			return cmd_usage(self, "more than one --comm");
		c->targets.comm = arg;
		break;
	case CAPTURING_PACKAGE:
		if (c->targets.package)
			return cmd_usage(self, "more than one --package");
		if (!package_is_name(arg))
			return cmd_usage(self, "'%s' is not the name of a package", arg);
		c->targets.package = arg;
		break;
	case 'a':
		c->session.all = true;
		break;
	case 'd':
		if (!cmd_seconds(arg, &c->duration_ns) || !c->duration_ns)
			return cmd_usage(self,
					 "-d takes seconds, like 5 or 0.5, more than 0 and at most "
					 "31536000 (a year), not '%s'",
					 arg);
		break;
	case CAPTURING_UPROBE:
		return take_point(self, c, arg);
	case CAPTURING_LAYOUT:
		if (!cmd_number(arg, 0, UINT16_MAX, &n) || !platform_is_layout((unsigned)n))
			return usage_layout(self, arg);
		c->session.frame_info_layout = (uint16_t)n;
		break;
	case CAPTURING_BTF:
		if (kernel_use_btf(arg, &e))
			return cmd_fail(&e);
		break;
	case CAPTURING_BUFFER:
		if (!cmd_number(arg, 4, 1 << 20, &n))
			return cmd_usage(self, "'%s' is not a size from 4 to 1048576 KiB", arg);
		c->session.ring_bytes = (size_t)n << 10;
		break;
	case 'v':
		log_set_level(LOG_DEBUG);
		break;
	case 'q':
		log_set_level(LOG_WARN);
		break;
	}
	return EXIT_OK;
}

static void join_command(char *text, size_t len, int argc, char **argv)
{
	size_t at = (size_t)snprintf(text, len, "framescope");

	for (int i = 0; i < argc && at < len; i++)
		at += (size_t)snprintf(text + at, len - at, " %s", argv[i]);
}

int capturing_asked(const struct command *self, struct capturing *c, const char *what, int argc,
		    char **argv)
{
	if (optind < argc)
		c->command = argv + optind;
	if (!targets_any(&c->targets) && !c->session.all && !c->command)
		return cmd_usage(self,
				 "what is to be %s? -p PID, --comm NAME, --package NAME, -a or -- "
				 "CMD",
				 what);
	if (c->session.all && c->targets.package)
		return cmd_usage(self,
				 "-a is for every process, those of a package too; either -a or "
				 "--package");
	join_command(c->text, sizeof(c->text), argc, argv);
	c->session.command = c->text;
	c->session.points = c->points;
	return EXIT_OK;
}

/* What the command line says of FrameInfo is surer than what follows from the release. */
static void ask_platform(struct capturing *c)
{
	platform_read(&c->platform);
	c->session.platform = &c->platform;
	if (!c->session.frame_info_layout)
		c->session.frame_info_layout =
			(uint16_t)platform_frame_info_layout(c->platform.sdk);
}

/* Until there is something to watch. Stopped meanwhile, the command has failed. */
static int wait_for_start(struct targets *t, struct err *e)
{
	targets_say_waiting(t);
	while (!interrupt_came()) {
		int err = targets_look(t, e);

		if (err || !targets_must_wait(t))
			return err;
		usleep(PACKAGE_POLL_MS * 1000);
	}
	return err_set(e, -EINTR, "nothing was recorded: no process of '%s' has started",
		       t->package);
}

int capturing_open(struct capturing *c, struct err *e)
{
	int err = kernel_ready(e);

	if (!err)
		err = targets_find(&c->targets, e);
	if (!err)
		ask_platform(c);
	if (!err && c->command)
		err = child_prepare(&c->child, c->command, e);
	if (!err)
		err = session_open(&c->session, &c->running, e);
	if (!err && !c->command && targets_must_wait(&c->targets))
		err = wait_for_start(&c->targets, e);
	return err;
}

static int watch_all(struct capturing *c, struct err *e)
{
	int err = c->session.all ? session_watch_all(c->running, e) : 0;

	if (!err)
		err = targets_watch(&c->targets, c->running, e);
	if (!err && c->child.pid)
		err = session_watch(c->running, c->child.pid, e);
	return err;
}

int capturing_start(struct capturing *c, struct err *e)
{
	int err;

	session_start(c->running);
	err = watch_all(c, e);
	if (!err)
		err = session_ready(c->running, e);
	if (!err)
		session_describe(c->running);
	if (!err && c->child.pid)
		err = child_release(&c->child, e);
	return err;
}

int capturing_poll_ms(const struct capturing *c)
{
	return c->targets.package ? PACKAGE_POLL_MS : POLL_MS;
}

int capturing_poll(struct capturing *c, int timeout_ms, struct err *e)
{
	int err = session_poll(c->running, timeout_ms, e);

	if (!err)
		err = targets_poll(&c->targets, c->running, e);
	/* A Ctrl-C ends the command too, which is then not by itself. */
	if (!err && !interrupt_came())
		child_poll(&c->child);
	return err;
}

bool capturing_over(const struct capturing *c)
{
	return !c->session.all && !c->targets.package && !session_alive(c->running);
}

int capturing_close(struct capturing *c, struct err *e)
{
	int err;

	if (!interrupt_came())
		child_poll(&c->child);
	/* The file first: ending the program may take its time, and a signal may end us. */
	err = session_close(c->running, e);
	c->running = NULL;
	child_end(&c->child);
	targets_close(&c->targets);
	return err;
}

void capturing_free(struct capturing *c)
{
	for (unsigned i = 0; i < c->session.nr_points; i++)
		point_spec_free(&c->points[i]);
}
