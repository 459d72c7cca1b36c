/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Which of the kernel-side programs this kernel can run, and what their absence costs. */
#ifndef CAPTURE_PROGRAMS_H
#define CAPTURE_PROGRAMS_H

#include <stdbool.h>

#include "base/err.h"

struct framescope_bpf;

/* A program of the kernel side, in whichever form fits the kernel. */
struct program {
	const char *name; /* also the tracepoint's; its raw twin is NAME_raw */
	const char *loss; /* what is not known without it; NULL: nothing works without it */
	const char *event; /* it has no twin: GROUP/NAME in tracefs, which tells if it is there */
	bool optional; /* where there is no such event, nothing is lost */
};

/* All tracepoint programs, in the order they are attached in; ended by name == NULL. */
extern const struct program programs[];

/*
 * Before loading: switch on what fits the kernel, in the tp_btf form or, if `raw`, as raw
 * tracepoint programs; fill the read-only data. -ENOTSUP if a program that nothing works without
 * has no tracepoint here.
 *
 * The environment variable FRAMESCOPE_WITHOUT (a comma-separated list of tp_btf, prev_state,
 * task_pt_regs, attach_cookie) makes it do as on a kernel without these.
 */
int programs_choose(struct framescope_bpf *skel, bool raw, struct err *e);

/* Does FRAMESCOPE_WITHOUT or the kernel rule the tp_btf form out? */
bool programs_only_raw(void);

/* After loading: attach what was switched on. 0 or a negative errno. */
int programs_attach(struct framescope_bpf *skel, struct err *e);

/* Does the kernel have what it is attached to, as far as can be seen? */
bool program_available(const struct program *p);

/* After that: is this program attached, in either form? */
bool program_attached(struct framescope_bpf *skel, const struct program *p);

/* "tp_btf" or "raw_tp": the form that was chosen for the twins. */
const char *programs_form(struct framescope_bpf *skel);

#endif
