// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Which processes a recording watches. */
#include "cmd/targets.h"

#include <errno.h>
#include <linux/types.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <framescope/event.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/text.h"
#include "capture/session.h"
#include "probe/package.h"
#include "probe/proc.h"

bool targets_add(struct targets *t, pid_t pid)
{
	if (t->nr_pids == TARGETS_MAX)
		return false;
	t->pids[t->nr_pids++] = pid;
	t->nr_given++;
	return true;
}

bool targets_any(const struct targets *t)
{
	return t->nr_pids || t->comm || t->package;
}

struct comm_match {
	struct targets *targets;
	unsigned found;
	char nearest[FS_COMM_LEN];
	unsigned distance;
};

static int match_comm(void *ctx, pid_t pid)
{
	struct comm_match *m = ctx;
	struct targets *t = m->targets;
	char comm[FS_COMM_LEN];
	unsigned d;

	if (pid == getpid() || proc_comm(pid, comm))
		return 0;
	/* A name longer than the kernel keeps is compared as far as it goes. */
	if (!strncmp(comm, t->comm, FS_COMM_LEN - 1)) {
		m->found++;
		if (t->nr_pids == TARGETS_MAX)
			return -E2BIG;
		t->pids[t->nr_pids++] = pid;
		return 0;
	}
	d = text_distance(comm, t->comm);
	if (d < m->distance) {
		m->distance = d;
		memcpy(m->nearest, comm, sizeof(comm));
	}
	return 0;
}

static int find_comm(struct targets *t, struct err *e)
{
	struct comm_match m = { .targets = t, .distance = UINT32_MAX };
	char near[FS_COMM_LEN * 4 + 1];

	if (proc_each(match_comm, &m) == -E2BIG)
		return err_set(e, -E2BIG, "more than %d processes are named '%s'; use -a",
			       TARGETS_MAX, t->comm);
	if (m.found)
		return 0;
	text_escape(near, sizeof(near), m.nearest, sizeof(m.nearest));
	err_set(e, -ESRCH, "no process is named '%s'", t->comm);
	return err_hint(e,
			"start it first, or let framescope start it (-- CMD); the nearest name "
			"that runs is '%s'",
			near);
}

int targets_find(struct targets *t, struct err *e)
{
	int err = t->comm ? find_comm(t, e) : 0;

	if (err || !t->package)
		return err;
	err = package_watch_open(t->package, &t->watch, e);
	return err ? err : targets_look(t, e);
}

static int note_started(void *ctx, pid_t pid, const char *name)
{
	struct targets *t = ctx;

	(void)name;
	if (t->nr_started == TARGETS_MAX)
		return -E2BIG;
	t->started[t->nr_started++] = pid;
	return 0;
}

int targets_look(struct targets *t, struct err *e)
{
	int err;

	if (!t->watch)
		return 0;
	err = package_watch_poll(t->watch, clock_monotonic_ns(), note_started, t);
	if (err == -E2BIG)
		return err_set(e, err, "package '%s' has more than %d processes; use -a",
			       t->package, TARGETS_MAX);
	return err ? err_errno(e, err, "cannot look for processes of '%s'", t->package) : 0;
}

bool targets_must_wait(const struct targets *t)
{
	return t->package && !t->nr_pids && !t->nr_started;
}

void targets_say_waiting(const struct targets *t)
{
	const char *nearest = package_watch_nearest(t->watch);

	log_info("waiting for a process of '%s' to start; Ctrl-C stops", t->package);
	if (nearest)
		log_info("  the nearest name that runs is '%s'", nearest);
}

/* One that has ended since it was found is as if it had never been. */
static int watch_started(struct targets *t, struct session *s, struct err *e)
{
	int err = 0;

	for (unsigned i = 0; i < t->nr_started && !err; i++) {
		char name[PACKAGE_NAME_LEN];
		struct err failure = { 0 };

		err = session_watch(s, t->started[i], &failure);
		if (err == -ESRCH) {
			err = 0;
			continue;
		}
		if (err) {
			*e = failure;
			break;
		}
		t->idle = false;
		if (!proc_argv0(t->started[i], name, sizeof(name)))
			log_info("recording process %d, %s", t->started[i], name);
	}
	t->nr_started = 0;
	return err;
}

int targets_watch(struct targets *t, struct session *s, struct err *e)
{
	unsigned named = 0;

	for (unsigned i = 0; i < t->nr_pids; i++) {
		bool by_name = i >= t->nr_given;
		int err = session_watch(s, t->pids[i], e);

		named += by_name && !err;
		/* Of those found by name some may have ended meanwhile. */
		if (err && !(err == -ESRCH && by_name))
			return err;
	}
	if (t->comm && !named) {
		err_set(e, -ESRCH,
			"no process named '%s' can be recorded: it has just ended, or is a "
			"kernel thread",
			t->comm);
		return err_hint(e, "start it again, or let framescope start it (-- CMD)");
	}
	return watch_started(t, s, e);
}

int targets_poll(struct targets *t, struct session *s, struct err *e)
{
	int err = targets_look(t, e);

	if (err || !t->watch)
		return err;
	err = watch_started(t, s, e);
	if (err || t->idle || session_alive(s))
		return err;
	t->idle = true;
	log_info("all that was recorded has ended; waiting for '%s' to start", t->package);
	return 0;
}

void targets_close(struct targets *t)
{
	package_watch_close(t->watch);
	t->watch = NULL;
}
