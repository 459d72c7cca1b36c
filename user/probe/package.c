// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Looking for the processes of a package, often and cheaply: /proc is listed only after the kernel
 * has given out a process id, and of what is listed only those names are read that may have
 * changed. An Android app is forked from a zygote and executes nothing: its process has the
 * zygote's name first and takes its own within milliseconds, or, forked in advance, after minutes.
 */
#include "probe/package.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <uthash.h>

#include "base/text.h"
#include "probe/proc.h"

struct process {
	pid_t pid;
	bool listed; /* in the latest listing */
	bool waits; /* its name says that it will get another one */
	uint64_t young_ns; /* until then it may take its name at any time */
	uint64_t next_ns; /* when to read its name next */
	bool found;
	int fd; /* a pidfd of one that was found; or -1 */
	UT_hash_handle hh;
};

struct package_watch {
	char package[PACKAGE_NAME_LEN];
	struct process *processes;
	bool listed; /* there was a listing */
	bool moved; /* at the last call a process id had been given out */
	unsigned long last_pid;
	uint64_t list_ns; /* when to list at the latest */
	uint64_t now_ns; /* of the call */
	unsigned distance; /* of the nearest name */
	char nearest[PACKAGE_NAME_LEN];
};

bool package_is_name(const char *package)
{
	return *package && strlen(package) < PACKAGE_NAME_LEN;
}

bool package_matches(const char *package, const char *name)
{
	size_t len = strlen(package);

	if (!len || strncmp(name, package, len) != 0)
		return false;
	return !name[len] || (name[len] == ':' && name[len + 1]);
}

int package_watch_open(const char *package, struct package_watch **out, struct err *e)
{
	struct package_watch *w;

	if (!package_is_name(package))
		return err_set(e, -EINVAL, "a package's name has 1 to %d bytes, not %zu",
			       PACKAGE_NAME_LEN - 1, strlen(package));
	w = calloc(1, sizeof(*w));
	if (!w)
		return err_errno(e, -ENOMEM, "cannot look for processes of '%s'", package);
	snprintf(w->package, sizeof(w->package), "%s", package);
	*out = w;
	return 0;
}

static void forget(struct package_watch *w, struct process *p)
{
	HASH_DEL(w->processes, p);
	if (p->fd >= 0)
		close(p->fd);
	free(p);
}

void package_watch_close(struct package_watch *w)
{
	struct process *p, *next;

	if (!w)
		return;
	for (p = w->processes; p; p = next) {
		next = p->hh.next;
		forget(w, p);
	}
	free(w);
}

const char *package_watch_nearest(const struct package_watch *w)
{
	return w->nearest[0] ? w->nearest : NULL;
}

/*
 * The number that was given out last to a process or thread. A change tells of a new one, but it
 * may not be in the listing yet. ULONG_MAX, which no number is, if it can't be told.
 */
static unsigned long last_pid(void)
{
	FILE *f = fopen("/proc/loadavg", "re");
	unsigned long pid = ULONG_MAX;
	char line[128], *at;

	if (!f)
		return pid;
	/* "0.20 0.18 0.12 1/80 11206": it is the last one */
	if (fgets(line, sizeof(line), f) && (at = strrchr(line, ' ')))
		pid = strtoul(at, NULL, 10);
	fclose(f);
	return pid;
}

/* Zygotes and the processes that they fork in advance; an app's before it knows which app it is. */
static bool is_waiting(const char *name)
{
	return strstr(name, "zygote") || !strncmp(name, "usap", 4) ||
	       !strcmp(name, "<pre-initialized>");
}

static void weigh(struct package_watch *w, const char *name)
{
	const char *const names[] = { name, NULL };
	unsigned distance;

	if (!text_nearest(w->package, names))
		return;
	distance = text_distance(w->package, name);
	if (w->nearest[0] && distance >= w->distance)
		return;
	w->distance = distance;
	snprintf(w->nearest, sizeof(w->nearest), "%s", name);
}

/* What is there already was named long ago, as far as it is not waiting. */
static int on_listed(void *ctx, pid_t pid)
{
	struct package_watch *w = ctx;
	struct process *p;

	HASH_FIND_INT(w->processes, &pid, p);
	if (!p) {
		p = calloc(1, sizeof(*p));
		if (!p)
			return -ENOMEM;
		p->pid = pid;
		p->fd = -1;
		p->young_ns = w->listed ? w->now_ns + PACKAGE_YOUNG_NS : w->now_ns;
		HASH_ADD_INT(w->processes, pid, p);
	}
	p->listed = true;
	return 0;
}

static int list(struct package_watch *w)
{
	struct process *p, *next;
	int err;

	for (p = w->processes; p; p = p->hh.next)
		p->listed = false;
	err = proc_each(on_listed, w);
	if (err)
		return err;
	for (p = w->processes; p; p = next) {
		next = p->hh.next;
		if (!p->listed)
			forget(w, p);
	}
	w->listed = true;
	w->list_ns = w->now_ns + PACKAGE_YOUNG_NS;
	return 0;
}

static bool has_ended(const struct process *p)
{
	struct pollfd fd = { .fd = p->fd, .events = POLLIN };

	return poll(&fd, 1, 0) == 1 && fd.revents;
}

/* 1 and its name if it is one of the package. */
static int look_at(struct package_watch *w, struct process *p, char *name)
{
	bool first = !p->next_ns;

	if (w->now_ns < p->next_ns && w->now_ns >= p->young_ns && !p->waits)
		return 0;
	p->next_ns = w->now_ns + PACKAGE_YOUNG_NS;
	if (p->pid == getpid() || proc_argv0(p->pid, name, PACKAGE_NAME_LEN))
		return 0;
	p->waits = is_waiting(name);
	if (!package_matches(w->package, name)) {
		if (first)
			weigh(w, name);
		return 0;
	}
	p->fd = (int)syscall(SYS_pidfd_open, p->pid, 0);
	p->found = p->fd >= 0 || errno != ESRCH;
	return p->found;
}

int package_watch_poll(struct package_watch *w, uint64_t now_ns,
		       int (*fn)(void *ctx, pid_t pid, const char *name), void *ctx)
{
	unsigned long last = last_pid();
	bool moved = last != w->last_pid || last == ULONG_MAX;
	char name[PACKAGE_NAME_LEN];
	struct process *p, *next;
	int err = 0;

	w->now_ns = now_ns;
	for (p = w->processes; p; p = next) {
		next = p->hh.next;
		if (p->fd < 0 || !has_ended(p))
			continue;
		forget(w, p);
		moved = true; /* its number may be in use again */
	}
	/* Twice after a change: the first time it may have come too early. */
	if (!w->listed || moved || w->moved || now_ns >= w->list_ns)
		err = list(w);
	w->last_pid = last;
	w->moved = moved;
	for (p = w->processes; p && !err; p = next) {
		next = p->hh.next;
		if (!p->found && look_at(w, p, name))
			err = fn(ctx, p->pid, name);
	}
	return err;
}
