/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What a gate found, in the forms that people and machines take. */
#ifndef GATE_PRINT_H
#define GATE_PRINT_H

#include <stdio.h>

#include "base/err.h"
#include "gate/check.h"
#include "output/output.h"

/* For people, in 100 columns. */
void gate_print_text(FILE *out, const struct style *style, const struct gate_check *c);

/* Likewise, for a log of GitHub's, which no name gives a command. 0 or -ENOMEM. */
int gate_print_log(FILE *out, const struct style *style, const struct gate_check *c, struct err *e);

/* One JSON object, schema "framescope.check/1". 0 or -ENOMEM. */
int gate_print_json(FILE *out, const struct gate_check *c, struct err *e);

/* JUnit: a testcase for each result; inconclusive ones are skipped. */
void gate_print_junit(FILE *out, const struct gate_check *c);

/* GitHub's annotations: errors for what failed, warnings for what is inconclusive, else a notice.
 */
void gate_print_github(FILE *out, const struct gate_check *c);

/* All metrics, and, of the runs if there are any, whether they have them. */
void gate_print_metrics(FILE *out, const struct style *style, const struct gate_run *runs,
			unsigned nr);

/* "wall.p95 is 17.204 ms (95 %: 16.900 to 18.100), the limit 16.600 ms" */
void gate_words_result(char *dst, size_t len, const struct gate_result *r);

/* "12 frames beyond; 9 mostly blocked on a fence, woken by ..."; empty if none is. */
void gate_words_beyond(char *dst, size_t len, const struct gate_result *r);

/* "the worst is frame 17, 33.100 ms: ..."; empty likewise. */
void gate_words_worst(char *dst, size_t len, const struct gate_check *c,
		      const struct gate_result *r);

#endif
