/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What a page has of blocks and fences, of which there are far more than frames. A first reading
 * counts how long they are, and finds the longest frames of each producer. Of the second one, a
 * block or fence is kept if it is at least so long that no more than DETAIL_LONG of its kind are,
 * or if it lies in one of those frames (DETAIL_NEAR at most). All are kept if that many are there.
 */
#ifndef HTML_DETAIL_H
#define HTML_DETAIL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/idmap.h"
#include "export/export.h"

#define DETAIL_LONG 100000u
#define DETAIL_NEAR 100000u
#define DETAIL_FRAMES 200u /* of a producer */
#define DETAIL_STEPS 16u /* lengths that are told apart between one power of two and the next */
#define DETAIL_PRODUCERS 64u /* that have such frames; those that come first */

/* Of blocks, or of fences. */
struct detail_kind {
	uint64_t counts[64 * DETAIL_STEPS]; /* by length in ns, those of a step together */
	uint64_t least_ns; /* shorter ones are left out; 0: none are */
	uint64_t near; /* shorter ones that were kept */
	uint64_t left_out;
	uint64_t full_until_ns; /* when DETAIL_NEAR was reached; 0: it was not */
};

struct detail_window {
	uint32_t tid;
	uint64_t from_ns;
	uint64_t to_ns;
};

/* All zero before the first reading. */
struct detail {
	struct detail_kind blocks, fences;
	struct idmap producers; /* struct longest, by id */
	unsigned nr_producers;
	struct detail_window
		*windows; /* of threads, then those of all (tid 0); they don't overlap */
	unsigned nr_windows;
};

/* What an export is made with for the first reading; its priv is a struct detail. */
extern const struct export_ops detail_ops;

/* After the first reading. 0 or -ENOMEM. */
int detail_settle(struct detail *d);

/* Is it kept? Counts. */
bool detail_block(struct detail *d, const struct block *b);
bool detail_fence(struct detail *d, uint64_t from_ns, uint64_t to_ns);

/* Is the frame one of those of which all is kept? */
bool detail_frame(const struct detail *d, const struct frame *f);

/* When the fence was submitted and ended; false if either was not seen. `now_ns` is the record's.
 */
bool detail_fence_span(const struct fence *f, bool over, enum fence_end how, uint64_t now_ns,
		       uint64_t *from_ns, uint64_t *to_ns);

void detail_free(struct detail *d);

#endif
