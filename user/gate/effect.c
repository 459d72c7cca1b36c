/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Least effects, as they are written. */
#include "gate/effect.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "gate/baseline.h"

#define SHAPE "--min-effect 5%,0.2ms, or --min-effect wall.p95=3%,0.1ms"

void effects_init(struct effects *e)
{
	e->durations = (struct change_limit){ EFFECT_RELATIVE, EFFECT_NS };
	e->shares = (struct change_limit){ EFFECT_SHARE_RELATIVE, EFFECT_SHARE };
	e->nr = 0;
}

static int wrong(struct err *err, const char *text, const char *what)
{
	char shown[128];

	text_escape(shown, sizeof(shown), text, strlen(text));
	err_set(err, -EINVAL, "'%s' is no least effect: %s", shown, what);
	return err_hint(err, "%s", SHAPE);
}

/* "5%" or "0.5ms"; where it ends, or NULL. */
static const char *parse_one(const char *text, struct change_limit *limit)
{
	static const struct {
		const char *name;
		double ns;
	} units[] = { { "ns", 1 }, { "us", 1e3 }, { "ms", 1e6 }, { "s", 1e9 } };
	char *end;
	double x;

	/* Not what else strtod() takes: inf, nan, and hexadecimal. */
	if (strspn(text, "0123456789.") == 0 || text[0] == '.')
		return NULL;
	x = strtod(text, &end);
	if ((size_t)(end - text) > strspn(text, "0123456789.") || x > 1e9)
		return NULL;
	if (*end == '%') {
		limit->relative = x / 100;
		return end + 1;
	}
	for (unsigned i = 0; i < sizeof(units) / sizeof(*units); i++) {
		size_t len = strlen(units[i].name);

		if (strncmp(end, units[i].name, len) != 0)
			continue;
		limit->absolute = x * units[i].ns;
		return end + len;
	}
	return NULL;
}

static bool parse_limits(const char *text, struct change_limit *limit)
{
	*limit = (struct change_limit){ 0 };
	text = parse_one(text, limit);
	if (text && *text == ',')
		text = parse_one(text + 1, limit);
	return text && !*text && (limit->relative > 0 || limit->absolute > 0);
}

/* METRIC.STAT; a verdict's only one is its share, which may be left out. */
static const char *parse_name(const char *name, size_t len, struct effect *e)
{
	int metric = gate_metric_find(name, len);
	const char *dot = memrchr(name, '.', len);
	bool share;

	if (metric < 0 && dot) {
		size_t stat = len - (size_t)(dot + 1 - name);

		metric = gate_metric_find(name, (size_t)(dot - name));
		e->stat = MEASURE_NR;
		for (unsigned i = 0; i < MEASURE_NR; i++)
			if (strlen(measure_stat_name(i)) == stat &&
			    !memcmp(measure_stat_name(i), dot + 1, stat))
				e->stat = (enum measure_stat)i;
		if (metric >= 0 && gate_metric_at((unsigned)metric)->form == GATE_YES_NO &&
		    stat == strlen("share") && !memcmp(dot + 1, "share", stat))
			e->stat = MEASURE_MEAN;
	} else {
		e->stat = metric < 0 || gate_metric_at((unsigned)metric)->form == GATE_YES_NO
				  ? MEASURE_MEAN
				  : MEASURE_NR;
	}
	if (metric < 0)
		return "there is no such metric; framescope check --list-metrics has them all";
	e->metric = (unsigned)metric;
	share = gate_metric_at(e->metric)->form == GATE_YES_NO;
	if (!baseline_has_metric(e->metric))
		return "summaries do not have that metric";
	if (e->stat == MEASURE_NR || (share && e->stat != MEASURE_MEAN))
		return share ? "a verdict has only a share"
			     : "its statistic is one of mean, p50, p90, p95 and p99";
	return NULL;
}

int effects_add(struct effects *e, const char *text, struct err *err)
{
	const char *equals = strchr(text, '='), *why;
	struct effect one = { 0 };

	if (!parse_limits(equals ? equals + 1 : text, &one.limit))
		return wrong(err, text, "limits are parts in % or times in ns, us, ms or s");
	if (!equals) {
		e->durations = one.limit;
		return 0;
	}
	why = parse_name(text, (size_t)(equals - text), &one);
	if (why)
		return wrong(err, text, why);
	if (gate_metric_at(one.metric)->form == GATE_YES_NO) {
		if (one.limit.absolute > 0)
			return wrong(err, text, "a share's limit is a part of the frames, in %");
		one.limit = (struct change_limit){ 0, one.limit.relative };
	}
	if (e->nr == EFFECTS_MAX) {
		err_set(err, -E2BIG, "there are no more than %d least effects", EFFECTS_MAX);
		return -E2BIG;
	}
	e->of[e->nr++] = one;
	return 0;
}

static const struct effect *find(const struct effects *e, unsigned metric, enum measure_stat stat)
{
	for (unsigned i = e->nr; i-- > 0;)
		if (e->of[i].metric == metric && e->of[i].stat == stat)
			return &e->of[i];
	return NULL;
}

const struct change_limit *effects_limit(const struct effects *e, unsigned metric,
					 enum measure_stat stat)
{
	const struct effect *one = find(e, metric, stat);

	if (one)
		return &one->limit;
	return gate_metric_at(metric)->form == GATE_YES_NO ? &e->shares : &e->durations;
}

bool effects_has(const struct effects *e, unsigned metric, enum measure_stat stat)
{
	return find(e, metric, stat);
}
