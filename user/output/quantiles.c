/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "output/quantiles.h"

#include "output/json_values.h"
#include "output/words.h"

static const unsigned permilles[] = { 500, 900, 950, 990, 1000 };

#define NR_PERMILLES (sizeof(permilles) / sizeof(permilles[0]))

void quantiles_head(FILE *out, const struct style *style)
{
	fprintf(out, "\n  %s%-15s %11s %11s %11s %11s %11s%s\n", style->bold, "ms", "p50", "p90",
		"p95", "p99", "max", style->off);
}

void quantiles_row(FILE *out, const char *name, struct quantile *q)
{
	char ms[32];

	if (!quantile_count(q))
		return;
	fprintf(out, "  %-15s", name);
	for (unsigned i = 0; i < NR_PERMILLES; i++) {
		words_ms(ms, sizeof(ms), quantile_at(q, permilles[i]));
		fprintf(out, " %11s", ms);
	}
	fputs(quantile_exact(q) ? "\n" : "  (within 0.1 %)\n", out);
}

bool quantiles_same(struct quantile *a, struct quantile *b)
{
	for (unsigned i = 0; i < NR_PERMILLES; i++)
		if (quantile_at(a, permilles[i]) != quantile_at(b, permilles[i]))
			return false;
	return quantile_exact(a) == quantile_exact(b);
}

int quantiles_set(json_t *object, const char *key, struct quantile *q)
{
	if (!quantile_count(q))
		return 0;

	json_t *values = json_object();
	int rc = json_set_number(values, "count", quantile_count(q));
	rc |= json_object_set_new(values, "exact", json_boolean(quantile_exact(q)));
	rc |= json_set_number(values, "p50", quantile_at(q, 500));
	rc |= json_set_number(values, "p90", quantile_at(q, 900));
	rc |= json_set_number(values, "p95", quantile_at(q, 950));
	rc |= json_set_number(values, "p99", quantile_at(q, 990));
	rc |= json_set_number(values, "max", quantile_max(q));
	return json_object_set_new(object, key, values) | rc;
}
