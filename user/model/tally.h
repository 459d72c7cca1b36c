/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A budget under construction, with the reasons for not running behind it. */
#ifndef MODEL_TALLY_H
#define MODEL_TALLY_H

#include <stdbool.h>
#include <stdint.h>

#include "model/frame.h"

#define TALLY_BLOCKERS 64

/*
 * The sum of all blockers and rest_ns is the budget without its running part. Nothing here fails:
 * where there is no room or no memory for a blocker, it or a shorter one is added to rest_ns. All
 * zero is empty.
 */
struct tally {
	struct budget budget;
	uint64_t rest_ns;
	uint64_t unknown_wait_ns; /* of the unknown part: it waited, in what is not known */
	struct blocker *blockers;
	uint16_t nr;
	uint16_t room;
	bool itemize; /* keep blockers apart; otherwise all of them go to rest_ns */
	bool lossy; /* records were lost within the time added */
};

/* Add time of not running: what `b` says, `ns` long (its own ns and count are not looked at). */
void tally_add(struct tally *t, const struct blocker *b, uint64_t ns);

void tally_copy(struct tally *dst, const struct tally *src); /* dst is overwritten, not freed */
void tally_free(struct tally *t); /* leaves it empty */

/* The longest of the tally's blockers become the frame's, the others its rest. Sorts the tally's.
 */
void frame_take_blockers(struct frame *f, struct tally *t);

/* The first of them with that cause, or NULL. */
const struct blocker *blockers_find(const struct blocker *blockers, unsigned nr,
				    enum budget_part cause);

/* Longest first; of equals in an order that depends on nothing but their fields. */
void blockers_sort(struct blocker *blockers, unsigned nr);

#endif
