/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A comparison with a baseline as results of a check, beside those of budgets: for each statistic
 * that decides, one, whose limit is what the baseline has and the least effect.
 */
#ifndef GATE_VERSUS_H
#define GATE_VERSUS_H

#include "gate/against.h"
#include "gate/check.h"

struct versus {
	struct against against;
	struct gate_budget *budgets; /* one for each result */
	unsigned nr;
};

/*
 * Add the results to the check's. Zero `v` before; it outlives these, and ends with versus_free(),
 * also after a failure. 0, -ENOENT for a producer that makes no frames now, or of which neither has
 * what an effect names, -ENODATA if what decides is not there now, or nothing is compared, or
 * -ENOMEM.
 */
int versus_add(struct versus *v, struct gate_check *c, const struct baseline *before,
	       const struct baseline *now, const struct effects *effects, struct err *e);

void versus_free(struct versus *v);

#endif
