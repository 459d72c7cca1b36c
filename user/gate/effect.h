/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * From how much on a change is one: relative to the value before and in absolute terms, both of
 * which it must exceed; for all metrics, or for one statistic of one.
 */
#ifndef GATE_EFFECT_H
#define GATE_EFFECT_H

#include <stdbool.h>

#include "base/err.h"
#include "gate/change.h"
#include "gate/metric.h"

#define EFFECTS_MAX 64

/* Unless said otherwise. What is smaller, nobody sees, and another build of the same code has it.
 */
#define EFFECT_RELATIVE 0.05
#define EFFECT_NS 200000.0
#define EFFECT_SHARE_RELATIVE 0.5
#define EFFECT_SHARE 0.05 /* of the frames: 300 of them cannot tell less */

struct effect {
	unsigned metric;
	enum measure_stat stat;
	struct change_limit limit;
};

struct effects {
	struct change_limit durations, shares;
	struct effect of[EFFECTS_MAX];
	unsigned nr;
};

void effects_init(struct effects *e);

/*
 * [METRIC[.STAT]=]LIMIT[,LIMIT], each a part in % or a time: "5%,0.5ms", "wall.p95=3%". Of a
 * verdict "jank.hwui=1%", of the frames. What is left out is no limit. 0, -EINVAL with what is
 * wrong, or -E2BIG.
 */
int effects_add(struct effects *e, const char *text, struct err *err);

/* The limit of a statistic. */
const struct change_limit *effects_limit(const struct effects *e, unsigned metric,
					 enum measure_stat stat);

/* Was it named? */
bool effects_has(const struct effects *e, unsigned metric, enum measure_stat stat);

#endif
