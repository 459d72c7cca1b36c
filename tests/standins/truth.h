/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What the player knows about its frames by its own clocks: one line per frame,
 *
 *   pid,tid,surface,begin,enter,leave,end,cause,cause_ns,waker,running_ns,runnable_ns,slices,required
 *
 * which tests/live/compare reads. Times are CLOCK_MONOTONIC ns. The totals count from the thread's
 * start, so that the difference of two lines of one surface is the frame between them.
 */
#ifndef TESTS_TRUTH_H
#define TESTS_TRUTH_H

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

struct truth_row {
	uint64_t surface;
	uint64_t begin_ns; /* just before the call that ends the frame */
	uint64_t enter_ns; /* first thing within it */
	uint64_t leave_ns; /* last thing within it */
	uint64_t end_ns; /* just after it */
	uint64_t cause_ns; /* total time lost to (or, for running, spent on) the scripted cause */
	uint64_t running_ns; /* total of the thread's CPU clock */
	uint64_t runnable_ns; /* total wait for a CPU, by /proc/TID/schedstat */
	uint64_t slices; /* total times it was given a CPU, likewise */
	int required; /* the recorder has had its time to find the library before the frame began */
};

/* The rows of one thread. Without a path nothing is kept. */
struct truth {
	const char *path;
	const char *cause; /* as framescope names it */
	pid_t tid;
	pid_t waker; /* who ends the scripted wait, or took the CPU; 0: nobody in particular; -1: an
			interrupt */
	struct truth_row *rows;
	size_t nr;
	size_t max;
};

static inline uint64_t truth_clock(clockid_t clock)
{
	struct timespec ts;

	clock_gettime(clock, &ts);
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

static inline uint64_t now_ns(void)
{
	return truth_clock(CLOCK_MONOTONIC);
}

static inline int truth_init(struct truth *t, const char *path, const char *cause, size_t frames)
{
	t->path = path;
	t->cause = cause;
	t->tid = gettid();
	t->max = path ? frames : 0;
	if (!t->max)
		return 0;
	t->rows = malloc(t->max * sizeof(*t->rows));
	if (!t->rows)
		return -ENOMEM;
	/* Page faults now rather than in the frames. */
	memset(t->rows, 0, t->max * sizeof(*t->rows));
	return 0;
}

static inline void truth_add(struct truth *t, const struct truth_row *row)
{
	if (t->nr < t->max)
		t->rows[t->nr++] = *row;
}

/* Appends the rows to the file, in one piece: several processes may do so. 0 or -errno. */
static inline int truth_save(struct truth *t)
{
	char *text = NULL;
	size_t size = 0;
	int fd = -1, ret = 0;
	FILE *f;

	if (!t->path)
		return 0;
	f = open_memstream(&text, &size);
	if (!f)
		return -ENOMEM;
	for (size_t i = 0; i < t->nr; i++) {
		const struct truth_row *r = &t->rows[i];

		fprintf(f,
			"%d,%d,0x%" PRIx64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64
			",%s,%" PRIu64 ",%d,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%d\n",
			getpid(), t->tid, r->surface, r->begin_ns, r->enter_ns, r->leave_ns,
			r->end_ns, t->cause, r->cause_ns, t->waker, r->running_ns, r->runnable_ns,
			r->slices, r->required);
	}
	if (fclose(f)) {
		ret = -ENOMEM;
		goto out;
	}
	fd = open(t->path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
	if (fd < 0)
		ret = -errno;
	else if (write(fd, text, size) != (ssize_t)size)
		ret = -EIO;
out:
	if (fd >= 0)
		close(fd);
	free(text);
	free(t->rows);
	t->rows = NULL;
	t->nr = t->max = 0;
	return ret;
}

#endif
