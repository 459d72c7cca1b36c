/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Parses budgets, with errors that say how it is done right. */
#include "gate/budget.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

#define VALUE_MAX 1e18 /* of any unit; beyond that a double has no whole numbers left by far */
#define EXAMPLES "wall.p95<=16.6ms, jank.hwui<=1%, fps>=58 or frames>=300"

static const char *const op_names[] = {
	[GATE_AT_MOST] = "<=",
	[GATE_BELOW] = "<",
	[GATE_AT_LEAST] = ">=",
	[GATE_ABOVE] = ">",
};

static const struct {
	const char *name;
	enum gate_stat stat;
} stats[] = {
	{ "min", GATE_MIN },     { "mean", GATE_MEAN }, { "max", GATE_MAX },
	{ "count", GATE_COUNT }, { "rate", GATE_RATE }, { "share", GATE_SHARE },
};

#define NR_STATS (sizeof(stats) / sizeof(*stats))

static const struct {
	const char *name;
	enum gate_quantity quantity;
	double factor;
} units[] = {
	{ "ns", GATE_NS, 1 },          { "us", GATE_NS, 1e3 },       { "ms", GATE_NS, 1e6 },
	{ "s", GATE_NS, 1e9 },         { "%", GATE_PART, 0.01 },     { "Hz", GATE_PER_SECOND, 1 },
	{ "fps", GATE_PER_SECOND, 1 }, { "/s", GATE_PER_SECOND, 1 },
};

#define NR_UNITS (sizeof(units) / sizeof(*units))

const char *gate_op_name(enum gate_op op)
{
	return op_names[op];
}

const char *gate_quantity_name(enum gate_quantity q)
{
	static const char *const names[] = {
		[GATE_NS] = "ns",
		[GATE_PART] = "share",
		[GATE_PER_SECOND] = "per_s",
		[GATE_NUMBER] = "count",
	};

	return names[q];
}

void gate_stat_name(char name[GATE_STAT_LEN], const struct gate_budget *b)
{
	unsigned tenths = b->permille % 10;

	snprintf(name, GATE_STAT_LEN, "value");
	if (b->stat == GATE_PERCENTILE && tenths)
		snprintf(name, GATE_STAT_LEN, "p%u.%u", b->permille / 10 % 100, tenths);
	else if (b->stat == GATE_PERCENTILE)
		snprintf(name, GATE_STAT_LEN, "p%u", b->permille / 10 % 100);
	for (size_t i = 0; i < NR_STATS; i++)
		if (stats[i].stat == b->stat)
			snprintf(name, GATE_STAT_LEN, "%s", stats[i].name);
}

void gate_value_words(char words[GATE_VALUE_LEN], enum gate_quantity q, double value)
{
	switch (q) {
	case GATE_NS:
		snprintf(words, GATE_VALUE_LEN, "%.3f ms", value / 1e6);
		break;
	case GATE_PART:
		snprintf(words, GATE_VALUE_LEN, "%.2f %%", value * 100);
		break;
	case GATE_PER_SECOND:
		snprintf(words, GATE_VALUE_LEN, "%.2f /s", value);
		break;
	case GATE_NUMBER:
		snprintf(words, GATE_VALUE_LEN, "%.0f", value);
		break;
	}
}

bool gate_budget_allows(const struct gate_budget *b, double value)
{
	switch (b->op) {
	case GATE_AT_MOST:
		return value <= b->limit;
	case GATE_BELOW:
		return value < b->limit;
	case GATE_AT_LEAST:
		return value >= b->limit;
	case GATE_ABOVE:
		return value > b->limit;
	}
	return false;
}

__attribute__((format(printf, 3, 4))) static int wrong(struct err *e, const char *text,
						       const char *fmt, ...)
{
	char why[ERR_TEXT_LEN / 2], whole[GATE_BUDGET_LEN];
	va_list args;

	va_start(args, fmt);
	vsnprintf(why, sizeof(why), fmt, args);
	va_end(args);
	text_escape_controls(whole, sizeof(whole), text, strlen(text));
	return err_set(e, -EINVAL, "budget '%s': %s", whole, why);
}

/* "p95", "p99.9", in thousandths; false if it is no percentile, and 0 if it is one that is not had.
 */
static bool percentile(const char *text, size_t len, unsigned *permille)
{
	unsigned whole = 0, tenths = 0, fraction;
	size_t i = 1;

	if (len < 2 || text[0] != 'p')
		return false;
	for (; i < len && text[i] >= '0' && text[i] <= '9'; i++)
		whole = whole < 1000 ? whole * 10 + (unsigned)(text[i] - '0') : whole;
	if (i == 1)
		return false;
	if (i + 1 < len && text[i] == '.') {
		for (fraction = 0, i++; i < len && text[i] >= '0' && text[i] <= '9'; i++)
			tenths = fraction++ ? 10 : (unsigned)(text[i] - '0');
	}
	if (i < len)
		return false;
	*permille = whole * 10 + tenths;
	if (tenths == 10 || *permille < 500 || *permille > 999)
		*permille = 0;
	return true;
}

static bool find_stat(const char *text, size_t len, struct gate_budget *b)
{
	if (percentile(text, len, &b->permille)) {
		b->stat = GATE_PERCENTILE;
		return true;
	}
	for (size_t i = 0; i < NR_STATS; i++) {
		if (strlen(stats[i].name) != len || memcmp(stats[i].name, text, len) != 0)
			continue;
		b->stat = stats[i].stat;
		return true;
	}
	return false;
}

/* The name is of no metric: say what may have been meant. */
static int no_metric(struct err *e, const char *text, const char *name)
{
	const char *near = gate_metric_nearest(name);
	const char *dot = strrchr(name, '.');
	char front[GATE_BUDGET_LEN];

	if (dot) {
		snprintf(front, sizeof(front), "%.*s", (int)(dot - name), name);
		if (gate_metric_find(front, strlen(front)) >= 0) {
			wrong(e, text, "there is no statistic '%s'", dot + 1);
			return err_hint(e, "min, mean, p50 to p99.9, max, count, rate or share");
		}
		if (!near)
			near = gate_metric_nearest(front);
	}
	if (near)
		wrong(e, text, "there is no metric '%s'; did you mean %s?", name, near);
	else
		wrong(e, text, "there is no metric '%s'", name);
	return err_hint(e, "framescope check --list-metrics, which names all");
}

/* The metric and what is asked of it: the longest name that is one, for names have dots. */
static int take_metric(struct gate_budget *b, const char *text, const char *name, struct err *e)
{
	const char *dot;
	int metric = gate_metric_find(name, strlen(name));

	b->stat = GATE_ITSELF;
	for (dot = name + strlen(name); metric < 0 && dot > name; dot--) {
		if (*dot != '.' || (metric = gate_metric_find(name, (size_t)(dot - name))) < 0)
			continue;
		if (!find_stat(dot + 1, strlen(dot + 1), b))
			metric = -1;
	}
	if (metric < 0)
		return no_metric(e, text, name);
	b->metric = (unsigned)metric;
	if (b->stat == GATE_PERCENTILE && !b->permille)
		return wrong(e, text, "percentiles are p50 to p99.9, with one decimal");
	return 0;
}

static int wrong_stat(struct err *e, const char *text, const struct gate_metric *m,
		      const char *right)
{
	wrong(e, text, "%s has no such statistic", m->name);
	return err_hint(e, "%s", right);
}

/* Can that be asked of it? What the number then is. */
static int match_stat(struct gate_budget *b, const char *text, struct err *e)
{
	const struct gate_metric *m = gate_metric_at(b->metric);
	bool counted = b->stat == GATE_COUNT || b->stat == GATE_RATE || b->stat == GATE_SHARE;

	switch (m->form) {
	case GATE_DURATION:
		if (b->stat == GATE_ITSELF) {
			wrong(e, text, "which statistic of %s? Each frame has its own", m->name);
			return err_hint(e,
					"%s.p95, or .min, .mean, .p50 to .p99.9, .max, .count, "
					".rate or .share",
					m->name);
		}
		break;
	case GATE_YES_NO:
	case GATE_LOSSY:
	case GATE_TRUNCATED:
		if (b->stat == GATE_ITSELF)
			b->stat = GATE_SHARE;
		else if (!counted)
			return wrong_stat(e, text, m,
					  "of yes or no there are share (which may be "
					  "left out), count and rate");
		break;
	case GATE_FPS:
		if (b->stat != GATE_ITSELF)
			return wrong_stat(e, text, m,
					  "fps is one number: fps>=58. Of single "
					  "frames: interval.p95<=17ms");
		b->quantity = GATE_PER_SECOND;
		return 0;
	case GATE_FRAMES:
		if (b->stat != GATE_ITSELF && b->stat != GATE_COUNT)
			return wrong_stat(e, text, m, "frames is one number: frames>=300");
		b->stat = GATE_COUNT;
		break;
	}
	b->quantity = b->stat == GATE_COUNT   ? GATE_NUMBER
		      : b->stat == GATE_RATE  ? GATE_PER_SECOND
		      : b->stat == GATE_SHARE ? GATE_PART
					      : GATE_NS;
	return 0;
}

/* A decimal number without sign, exponent or words; its end, or NULL. */
static const char *number(const char *text, double *value)
{
	size_t whole = strspn(text, "0123456789"), fraction = 0;
	const char *end = text + whole;

	if (*end == '.') {
		fraction = strspn(end + 1, "0123456789");
		end += 1 + fraction;
	}
	if (whole + fraction == 0)
		return NULL;
	*value = strtod(text, NULL);
	return end;
}

static const char *unit_wanted(enum gate_quantity q)
{
	switch (q) {
	case GATE_NS:
		return "a time: a number with ns, us, ms or s behind it";
	case GATE_PART:
		return "a share: a number with % behind it";
	case GATE_PER_SECOND:
		return "a number per second: without a unit, or with Hz, fps or /s";
	default:
		return "a number of frames, without a unit";
	}
}

static int take_limit(struct gate_budget *b, const char *text, const char *limit, struct err *e)
{
	bool negative = *limit == '-', bare;
	const char *unit = number(limit + negative, &b->limit);
	double factor = 0;

	if (!unit)
		return wrong(e, text, "'%s' is no number", limit);
	bare = !*unit;
	for (size_t i = 0; i < NR_UNITS; i++)
		if (!strcmp(units[i].name, unit) && units[i].quantity == b->quantity)
			factor = units[i].factor;
	/* Nothing is nothing in any unit. */
	if (bare && (b->quantity == GATE_PER_SECOND || b->quantity == GATE_NUMBER || b->limit == 0))
		factor = 1;
	if (factor == 0) {
		wrong(e, text, bare ? "'%s' has no unit" : "'%s' is not what it is measured in",
		      limit);
		return err_hint(e, "%s", unit_wanted(b->quantity));
	}
	if (!(b->limit < VALUE_MAX / factor))
		return wrong(e, text, "'%s' is beyond everything", limit);
	/* As a time is written, it is meant: 16.6ms is 16600000 ns, and not what a product is. */
	b->limit = b->quantity == GATE_NS ? round(b->limit * factor) : b->limit * factor;
	if (negative && b->quantity != GATE_NS && b->limit > 0)
		return wrong(e, text, "'%s' is less than there can be of it", limit);
	b->limit = negative ? -b->limit : b->limit;
	return 0;
}

static int take_op(struct gate_budget *b, const char *text, const char **at, struct err *e)
{
	static const enum gate_op longest_first[] = { GATE_AT_MOST, GATE_AT_LEAST, GATE_BELOW,
						      GATE_ABOVE };

	for (unsigned i = 0; i < sizeof(longest_first) / sizeof(*longest_first); i++) {
		size_t len = strlen(op_names[longest_first[i]]);

		if (strncmp(*at, op_names[longest_first[i]], len) != 0)
			continue;
		b->op = longest_first[i];
		*at += len;
		return 0;
	}
	wrong(e, text, "it has no limit");
	return err_hint(e, "METRIC.STAT, one of <= < >= >, and a value, such as %s", EXAMPLES);
}

static int parse(struct gate_budget *b, const char *text, struct err *e)
{
	const char *colon = strrchr(text, ':'), *from = colon ? colon + 1 : text, *at;
	char name[GATE_BUDGET_LEN];
	size_t len = 0;
	int rc;

	for (const char *c = from; *c; c++)
		if (*c != ' ' && *c != '\t')
			b->text[len++] = *c;
	b->text[len] = '\0';
	if (text_plain(b->text, len) < 0) {
		wrong(e, text, "it has characters that no budget has");
		return err_hint(e, "such as %s", EXAMPLES);
	}
	at = b->text + strcspn(b->text, "<>=");
	snprintf(name, sizeof(name), "%.*s", (int)(at - b->text), b->text);
	if (!*name) {
		wrong(e, text, "it names no metric");
		return err_hint(e, "such as %s", EXAMPLES);
	}
	rc = take_metric(b, text, name, e);
	if (!rc)
		rc = take_op(b, text, &at, e);
	if (!rc)
		rc = match_stat(b, text, e);
	if (!rc)
		rc = take_limit(b, text, at, e);
	if (rc || !colon)
		return rc;
	if (colon == text)
		return wrong(e, text, "no producer stands before ':'");
	b->producer = strndup(text, (size_t)(colon - text));
	return b->producer ? 0 : err_errno(e, -ENOMEM, "cannot keep budgets");
}

int gate_budgets_add(struct gate_budgets *b, const char *text, struct err *e)
{
	struct gate_budget *all = b->all;
	int rc;

	if (strlen(text) >= GATE_BUDGET_LEN)
		return err_set(e, -EINVAL, "a budget is longer than %d bytes", GATE_BUDGET_LEN - 1);
	if (b->nr == GATE_BUDGETS_MAX)
		return err_set(e, -E2BIG, "more than %d budgets", GATE_BUDGETS_MAX);
	if (b->nr == b->room) {
		unsigned room = b->room ? b->room * 2 : 8;

		all = realloc(b->all, room * sizeof(*all));
		if (!all)
			return err_errno(e, -ENOMEM, "cannot keep budgets");
		b->all = all;
		b->room = room;
	}
	memset(&all[b->nr], 0, sizeof(*all));
	rc = parse(&all[b->nr], text, e);
	if (!rc)
		b->nr++;
	return rc;
}

void gate_budgets_free(struct gate_budgets *b)
{
	for (unsigned i = 0; i < b->nr; i++)
		free(b->all[i].producer);
	free(b->all);
	*b = (struct gate_budgets){ 0 };
}
