/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The findings about all dumps of a text, kept until they are printed. */
#ifndef JUDGE_FINDINGS_H
#define JUDGE_FINDINGS_H

#include <stdint.h>

#include "judge/gfxinfo_check.h"

#define FINDINGS_KEPT 10000

struct found {
	struct gfxinfo_finding finding;
	struct found *next; /* of the same process or window, or NULL */
};

struct findings;

struct findings *findings_new(void); /* NULL when out of memory */
void findings_free(struct findings *f); /* NULL is fine */

/* Check the dump that was read last. What is noted of each dump is kept of the last. 0 or -ENOMEM.
 */
int findings_check(struct findings *f, const struct gfxinfo_totals *t);

/* For those who find something beyond that. */
struct gfxinfo_finding_sink findings_sink(struct findings *f);

/* 0, or -ENOMEM if there was no room for one. */
int findings_error(const struct findings *f);

/* The first one about a process or window, or, with NULL, about dumps as a whole; or NULL. */
const struct found *findings_of(const struct findings *f, const struct totals_entry *of);

/* How many there are in all; of more than FINDINGS_KEPT the rest is only counted. */
uint64_t findings_contradictions(const struct findings *f);
uint64_t findings_notes(const struct findings *f);

#endif
