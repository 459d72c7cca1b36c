/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Budgets as they are written: [PRODUCER:]METRIC[.STAT] OP VALUE[UNIT].
 *
 * The producer ends at the last ':', for nothing behind it may hold one; its name may. It may be a
 * pattern, as of framescope frames --producer. Without one, the budget is of each producer.
 */
#ifndef GATE_BUDGET_H
#define GATE_BUDGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "gate/metric.h"

#define GATE_BUDGETS_MAX 1024
#define GATE_BUDGET_LEN 512 /* bytes of an expression */
#define GATE_BUDGETS_FILE_MAX ((size_t)1 << 20) /* bytes */
#define GATE_BUDGETS_SCHEMA "framescope.budgets/1"

enum gate_stat {
	GATE_MIN,
	GATE_MEAN,
	GATE_PERCENTILE,
	GATE_MAX,
	GATE_COUNT, /* frames that have it; of yes or no, those with a yes */
	GATE_RATE, /* the same per second */
	GATE_SHARE, /* of yes or no, of the frames; of a duration, of the frames' wall time */
	GATE_ITSELF, /* of what is one number */
};

enum gate_op { GATE_AT_MOST, GATE_BELOW, GATE_AT_LEAST, GATE_ABOVE };

/* What a number is of. */
enum gate_quantity { GATE_NS, GATE_PART, GATE_PER_SECOND, GATE_NUMBER };

struct gate_budget {
	char text[GATE_BUDGET_LEN]; /* METRIC.STAT OP VALUE as it was written, without blanks */
	char *producer; /* NULL: each */
	unsigned metric; /* gate_metric_at() */
	enum gate_stat stat;
	unsigned permille; /* of a percentile: 500 to 999 */
	enum gate_op op;
	enum gate_quantity quantity;
	double limit; /* ns, a part of 1, per second, a number */
};

/* All zero is empty. */
struct gate_budgets {
	struct gate_budget *all;
	unsigned nr;
	unsigned room;
};

/* Parse one and add it. 0, -EINVAL with what is wrong and what to try, -E2BIG, or -ENOMEM. */
int gate_budgets_add(struct gate_budgets *b, const char *text, struct err *e);

/*
 * Add those of a JSON file: {"schema": "framescope.budgets/1", "budgets": [...]}, each of which is
 * the text of a budget, or {"budget": TEXT, "producer": NAME}. Errors likewise, and those of
 * open(2).
 */
int gate_budgets_read(struct gate_budgets *b, const char *path, struct err *e);

void gate_budgets_free(struct gate_budgets *b); /* leaves it empty */

/* Is the value within the budget? */
bool gate_budget_allows(const struct gate_budget *b, double value);

/* Is it one that a value can be too high for? Else one that it can be too low for. */
static inline bool gate_budget_is_ceiling(const struct gate_budget *b)
{
	return b->op == GATE_AT_MOST || b->op == GATE_BELOW;
}

const char *gate_op_name(enum gate_op op); /* "<=" */
const char *gate_quantity_name(enum gate_quantity q); /* "ns", "share", "per_s", "count" */

/* "p95", "max", ...; "value" for GATE_ITSELF. */
#define GATE_STAT_LEN 8
void gate_stat_name(char name[GATE_STAT_LEN], const struct gate_budget *b);

/* "16.600 ms", "1.25 %", "58.3 /s", "300" */
#define GATE_VALUE_LEN 40
void gate_value_words(char words[GATE_VALUE_LEN], enum gate_quantity q, double value);

#endif
