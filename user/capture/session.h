/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A running capture, from the kernel side to where its records go: a file, or a sink. Its life:
 * open, start, watch ..., ready, poll ..., stop, close. One thread does it all.
 */
#ifndef CAPTURE_SESSION_H
#define CAPTURE_SESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/err.h"
#include "probe/catalogue.h"
#include "probe/platform.h"

struct session;
struct sink;

struct session_config {
	const char *output; /* path of the capture file; NULL: the records go to the sink */
	struct sink *sink; /* told of the end by session_close(), or if session_open() fails */
	size_t ring_bytes; /* per CPU; 0 = by the number of CPUs */
	bool all; /* make room for every thread of the system */
	bool markers; /* probe the functions of atrace, too */
	const struct point_spec *points; /* --uprobe; outlives the session */
	unsigned nr_points;
	uint16_t frame_info_layout; /* slots of HWUI's FrameInfo; 0 = not known */
	/* For the capture's meta record: */
	const char *command; /* the command line */
	const char *label; /* what its user says it is of; NULL: nothing */
	const struct platform *platform; /* what Android this is; outlives the session */
};

/* What a session has done so far. */
struct session_totals {
	uint64_t records; /* in the capture */
	uint64_t frames; /* of these, ends of frames */
	uint64_t lost; /* records, as far as they were counted */
	uint64_t refused; /* of these, because a ring was full */
	uint64_t unfollowed; /* threads that the kernel side had no room for */
	uint64_t bytes; /* written to the file */
	uint64_t elapsed_ns; /* since session_start() */
};

/*
 * Load and attach the kernel side, also to the functions in libraries that lie in the usual places;
 * create the file, if there is to be one. Nothing is recorded yet.
 */
int session_open(const struct session_config *cfg, struct session **out, struct err *e);

/* Begin: the file's start mark. Nobody is watched yet. */
void session_start(struct session *s);

/* Record this process: all its threads, and from now on whatever they start. -ESRCH if gone. */
int session_watch(struct session *s, pid_t pid, struct err *e);

/* Record every process but this one. */
int session_watch_all(struct session *s, struct err *e);

/*
 * Everything that is to be watched is: -ENOENT if a --uprobe is not to be found. (A library that
 * may still come is only warned of.) Until the first session_poll() an older capture is kept.
 */
int session_ready(struct session *s, struct err *e);

/*
 * Wait up to timeout_ms, move what came to the file or sink, look for new libraries. 0, or a
 * negative errno; -EINTR is returned as 0.
 */
int session_poll(struct session *s, int timeout_ms, struct err *e);

/* False once no watched process is left. */
bool session_alive(const struct session *s);

/*
 * Stop recording: everything is complete up to this moment, what is open is recorded as open.
 * -ENOENT, with the capture complete, if a --uprobe was found nowhere to the end.
 */
int session_stop(struct session *s, struct err *e);

/*
 * Close the file (when stopped, with its end mark), or tell the sink, and detach. Frees s in every
 * case; what was written stays readable. NULL is fine.
 */
int session_close(struct session *s, struct err *e);

void session_totals(const struct session *s, struct session_totals *t);

/* Print what is attached and what is not, and what that costs, a line each, to standard error. */
void session_describe(const struct session *s);

/* Print what the kernel side cost, by program, to standard error. */
void session_cost(const struct session *s);

#endif
