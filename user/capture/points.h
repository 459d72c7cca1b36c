/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The probed functions of a running capture: finds them in the libraries that the watched processes
 * map, in those lying in the usual places, and in those mapped later.
 */
#ifndef CAPTURE_POINTS_H
#define CAPTURE_POINTS_H

#include <stdbool.h>
#include <sys/types.h>

#include <framescope/event.h>

#include "base/err.h"
#include "probe/catalogue.h"

struct bpf_program;
struct points;

struct points_config {
	struct bpf_program *entry; /* loaded; outlive the points */
	struct bpf_program *ret;
	struct bpf_program *mark; /* for the entries of markers; NULL: none */
	bool markers; /* to be attached to, with `mark` */
	bool cookies; /* the kernel passes them to uprobes (from 5.15 on) */
	const struct point_spec *user; /* --uprobe; outlives the points */
	unsigned nr_user;
	/* A function is about to be attached to; the record is valid during the call. */
	void (*added)(void *ctx, const struct fs_point *rec);
	void *ctx;
};

int points_open(const struct points_config *cfg, struct points **out, struct err *e);
void points_close(struct points *p); /* detaches; NULL is fine */

/* Attach to what lies in the usual places, mapped or not. */
int points_search(struct points *p, struct err *e);

/*
 * Follow the libraries of a process: attach to what it has mapped, and from points_poll() to what
 * it maps later. -ESRCH if there is no such process, or none with memory of its own.
 */
int points_add_process(struct points *p, pid_t pid, struct err *e);

/*
 * Look again at processes whose library mappings have grown or shrunk; forget those that ended.
 * Returns how many are left, or a negative errno.
 */
int points_poll(struct points *p, struct err *e);

/* How many processes are followed. */
unsigned points_processes(const struct points *p);

/*
 * Was every --uprobe found? -ENOENT, with near names, if not. *later then says that all of
 * these may still be: their libraries are named without a path, and none of that name is known yet.
 */
int points_check_user(struct points *p, bool *later, struct err *e);

/*
 * Call fn for every point of the catalogue that is not optional and was not found. `here` says
 * whether a library of its was.
 */
void points_each_missing(const struct points *p,
			 void (*fn)(void *ctx, const struct point_spec *spec, bool here),
			 void *ctx);

/* Call fn for every attached function; `name` is its point's in the catalogue, or NULL. */
void points_each(const struct points *p,
		 void (*fn)(void *ctx, const struct fs_point *rec, const char *name), void *ctx);

#endif
