/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What the kernel side costs, from the kernel's run-time statistics of BPF programs. They cost a
 * good part of a short program's time themselves, so they are on for a tenth of each second only.
 */
#ifndef CAPTURE_COST_H
#define CAPTURE_COST_H

#include <stdint.h>

struct bpf_object;

#define COST_PROGRAMS 64

struct cost {
	const struct bpf_object *obj;
	int fd; /* keeps the statistics on; -1 = off */
	uint64_t since_ns; /* when they were switched on last */
	uint64_t measured_ns; /* how long they were on, before that */
	struct {
		uint64_t runs, ns; /* of the time measured */
		uint64_t runs_before, ns_before; /* when they were switched on last */
	} programs[COST_PROGRAMS]; /* in the object's order */
};

/* Begin to measure the programs of a loaded object, which must outlive the rest. */
void cost_start(struct cost *c, const struct bpf_object *obj, uint64_t now_ns);

/* To be called now and then: switches the statistics on and off. */
void cost_tick(struct cost *c, uint64_t now_ns);

/* The end: off for good. */
void cost_stop(struct cost *c, uint64_t now_ns);

/* Print runs and time per program to standard error; nothing if nothing was measured. */
void cost_print(const struct cost *c);

#endif
