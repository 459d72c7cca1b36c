/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Of each producer and cause the frames that had most of it: those that show why it grew. */
#ifndef GATE_SHOWN_H
#define GATE_SHOWN_H

#include <stdbool.h>
#include <stdint.h>

#include "model/frame.h"
#include "output/words.h"

#define SHOWN_FRAMES 3

struct shown_frame {
	uint64_t number;
	uint64_t wall_ns;
	uint64_t cause_ns; /* 0: there is none */
	char why[WORDS_LEN]; /* what it waited in, and who woke it; may be empty */
};

struct shown;

/* Has it taken one? */
bool shown_any(const struct shown *s);

struct shown *shown_new(void); /* NULL when out of memory */
void shown_free(struct shown *s); /* NULL is fine */

/* Take a frame, if it is complete. 0 or -ENOMEM. */
int shown_add(struct shown *s, const struct frame *f);

/* SHOWN_FRAMES of them, the one with most first; NULL: there is no such producer. */
const struct shown_frame *shown_find(const struct shown *s, const char *producer,
				     enum budget_part cause);

#endif
