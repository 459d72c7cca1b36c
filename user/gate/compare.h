/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A comparison for people and for machines. */
#ifndef GATE_COMPARE_H
#define GATE_COMPARE_H

#include <stdio.h>

#include "base/err.h"
#include "gate/against.h"
#include "gate/shown.h"
#include "output/output.h"

#define COMPARE_SCHEMA "framescope.compare/1"

struct comparison {
	const struct baseline *before, *now;
	const struct against *against;
	const struct shown *shown; /* frames of `now`; NULL: a summary has none */
};

/* In 100 columns. */
void compare_print_text(FILE *out, const struct style *style, const struct comparison *c);

/* One object. 0 or -ENOMEM. */
int compare_print_json(FILE *out, const struct comparison *c, struct err *e);

/* A change as machines read it. NULL when out of memory. */
json_t *change_json(const struct against_metric *m, enum measure_stat stat);

#endif
