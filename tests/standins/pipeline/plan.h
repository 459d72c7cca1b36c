/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The pipeline's scenarios, the one that is played, and how its processes hand over buffers. */
#ifndef TESTS_PIPELINE_PLAN_H
#define TESTS_PIPELINE_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "standins/pipeline/shared.h"

#define MS 1000000ull

struct pace {
	enum due due;
	unsigned delay_us;
};

struct scenario {
	const char *name;
	struct pace acquire, release;
	unsigned merge; /* so many fences in a release fence */
	unsigned timeout_ms;
	unsigned frames;
	bool no_release; /* buffers come back without a fence, late */
	bool late; /* others have the CPU when RenderThread's fence is signalled */
	bool victim; /* a second consumer */
	bool reuse; /* another fence gets the descriptor's number */
	bool display; /* release fences from a display */
	bool cancel; /* now and then a buffer is given back unused */
};

extern const struct scenario scenarios[];
extern const unsigned nr_scenarios;

struct plan {
	const struct scenario *scenario;
	unsigned frames;
	uint64_t period_ns;
	unsigned after_ms;
	bool sync_files;
	bool source_given;
	bool known; /* the libraries, to the recorder */
	const char *call;
	const char *truth;
	const char *hold; /* file that is there while all is kept after the last frame */
	uint64_t settled_ns;
};

extern struct plan plan;

/* A buffer on its way, over the socket. A fence's descriptor goes with it. */
struct message {
	unsigned frame;
	unsigned slot;
	struct fence_set set; /* empty: no fence */
};

void sleep_until(uint64_t ns);

void message_send(int sock, const struct message *m, int fd);

/* False at the end. */
bool message_receive(int sock, struct message *m, int *fd);

#endif
