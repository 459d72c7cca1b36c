/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Percentiles against sorted copies of the same samples; the id map and the table of roles beside
 * them.
 */
#include <errno.h>
#include <linux/types.h>
#include <stdint.h>
#include <stdlib.h>

#include <framescope/event.h>

#include "base/idmap.h"
#include "base/quantile.h"
#include "base/roles.h"
#include "check.h"

static const unsigned ranks[] = { 1, 10, 100, 250, 333, 500, 900, 950, 990, 999, 1000 };
#define NR_RANKS (sizeof(ranks) / sizeof(ranks[0]))

static uint64_t random_state = 88172645463325252u;

static uint64_t random64(void)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return random_state;
}

static int compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static void test_empty(void)
{
	struct quantile *q = quantile_new();

	CU_ASSERT_EQUAL(quantile_count(q), 0);
	CU_ASSERT_EQUAL(quantile_at(q, 500), 0);
	CU_ASSERT_TRUE(quantile_exact(q));
	quantile_free(q);
	quantile_free(NULL);
}

/* Nearest rank of 15, 20, 35, 40, 50: p5 15, p30 20, p40 20, p50 35, p100 50 (a textbook's). */
static void test_nearest_rank(void)
{
	static const uint64_t samples[] = { 35, 50, 15, 40, 20 };
	struct quantile *q = quantile_new();

	for (unsigned i = 0; i < 5; i++)
		CU_ASSERT_EQUAL(quantile_add(q, samples[i]), 0);
	CU_ASSERT_EQUAL(quantile_at(q, 50), 15);
	CU_ASSERT_EQUAL(quantile_at(q, 300), 20);
	CU_ASSERT_EQUAL(quantile_at(q, 400), 20);
	CU_ASSERT_EQUAL(quantile_at(q, 401), 35);
	CU_ASSERT_EQUAL(quantile_at(q, 500), 35);
	CU_ASSERT_EQUAL(quantile_at(q, 1000), 50);
	CU_ASSERT_EQUAL(quantile_max(q), 50);
	/* A sample after a query counts too. */
	CU_ASSERT_EQUAL(quantile_add(q, 1), 0);
	CU_ASSERT_EQUAL(quantile_at(q, 1), 1);
	quantile_free(q);
}

static void test_single(void)
{
	struct quantile *q = quantile_new();

	quantile_add(q, 7);
	for (unsigned i = 0; i < NR_RANKS; i++)
		CU_ASSERT_EQUAL(quantile_at(q, ranks[i]), 7);
	quantile_free(q);
}

/* Compare with the sorted samples; `tolerance` 0 means equal. */
static void compare_all(struct quantile *q, uint64_t *samples, uint64_t nr, double tolerance)
{
	qsort(samples, nr, sizeof(*samples), compare);
	for (unsigned i = 0; i < NR_RANKS; i++) {
		uint64_t rank = (nr * ranks[i] + 999) / 1000;
		uint64_t want = samples[rank - 1];
		uint64_t got = quantile_at(q, ranks[i]);
		double off = got > want ? (double)(got - want) : (double)(want - got);

		CU_ASSERT_TRUE(off <= tolerance * (double)want);
	}
	CU_ASSERT_EQUAL(quantile_max(q), samples[nr - 1]);
	CU_ASSERT_EQUAL(quantile_at(q, 1000), samples[nr - 1]);
}

/* Exact up to the limit; behind it within 0.1 %, for values of all magnitudes. */
static void test_limit(void)
{
	uint64_t nr = QUANTILE_EXACT_MAX;
	uint64_t *samples = malloc((nr + 100000) * sizeof(*samples));
	struct quantile *q = quantile_new();

	CU_ASSERT_PTR_NOT_NULL_FATAL(samples);
	for (uint64_t i = 0; i < nr; i++) {
		samples[i] = random64() >> (random64() % 64);
		CU_ASSERT_EQUAL_FATAL(quantile_add(q, samples[i]), 0);
	}
	CU_ASSERT_TRUE(quantile_exact(q));
	compare_all(q, samples, nr, 0);
	for (uint64_t i = 0; i < 100000; i++) {
		samples[nr + i] = random64() >> (random64() % 64);
		CU_ASSERT_EQUAL_FATAL(quantile_add(q, samples[nr + i]), 0);
	}
	CU_ASSERT_FALSE(quantile_exact(q));
	CU_ASSERT_EQUAL(quantile_count(q), nr + 100000);
	compare_all(q, samples, nr + 100000, 0.001);
	quantile_free(q);
	free(samples);
}

/* Small values have buckets of one: exact even then. */
static void test_small_values(void)
{
	uint64_t nr = QUANTILE_EXACT_MAX + 1;
	uint64_t *samples = malloc(nr * sizeof(*samples));
	struct quantile *q = quantile_new();

	CU_ASSERT_PTR_NOT_NULL_FATAL(samples);
	for (uint64_t i = 0; i < nr; i++) {
		samples[i] = random64() % 1024;
		quantile_add(q, samples[i]);
	}
	CU_ASSERT_FALSE(quantile_exact(q));
	compare_all(q, samples, nr, 0);
	quantile_free(q);
	free(samples);
}

/* 100000 ids put and half of them removed, against an array. */
static void test_idmap(void)
{
	static char present[65536];
	struct idmap map = { 0 };
	size_t nr = 0;

	CU_ASSERT_PTR_NULL(idmap_get(&map, 1));
	idmap_remove(&map, 1);
	CU_ASSERT_NOT_EQUAL(idmap_put(&map, 0, present), 0);
	for (unsigned i = 0; i < 300000; i++) {
		uint32_t id = (uint32_t)(random64() % 65535) + 1;

		if (random64() % 3) {
			CU_ASSERT_EQUAL_FATAL(idmap_put(&map, id, &present[id]), 0);
			nr += !present[id];
			present[id] = 1;
		} else {
			idmap_remove(&map, id);
			nr -= present[id];
			present[id] = 0;
		}
	}
	CU_ASSERT_EQUAL(map.nr, nr);

	unsigned wrong = 0;

	for (uint32_t id = 1; id < 65536; id++)
		wrong += idmap_get(&map, id) != (present[id] ? &present[id] : NULL);
	CU_ASSERT_EQUAL(wrong, 0);
	idmap_free(&map);
}

/* What was never set is not known, which is not the same as a role without a meaning. */
static void test_roles(void)
{
	struct roles roles = { 0 };

	CU_ASSERT_EQUAL(roles_get(&roles, 0), -1);
	CU_ASSERT_EQUAL(roles_set(&roles, 70, FS_ROLE_SWAP), 0);
	CU_ASSERT_EQUAL(roles_set(&roles, 1, FS_ROLE_SPAN), 0);
	CU_ASSERT_EQUAL(roles_set(&roles, 2, 1000), 0);
	CU_ASSERT_EQUAL(roles_get(&roles, 70), FS_ROLE_SWAP);
	CU_ASSERT_EQUAL(roles_get(&roles, 1), FS_ROLE_SPAN);
	CU_ASSERT_EQUAL(roles_get(&roles, 2), FS_ROLE_SPAN);
	CU_ASSERT_EQUAL(roles_get(&roles, 3), -1);
	CU_ASSERT_EQUAL(roles_get(&roles, 71), -1);
	CU_ASSERT_EQUAL(roles_get(&roles, UINT32_MAX), -1);
	CU_ASSERT_EQUAL(roles_set(&roles, ROLES_POINTS_MAX, FS_ROLE_SWAP), -ERANGE);
	CU_ASSERT_EQUAL(roles_set(&roles, 70, FS_ROLE_QUEUE), 0);
	CU_ASSERT_EQUAL(roles_get(&roles, 70), FS_ROLE_QUEUE);
	roles_free(&roles);
	CU_ASSERT_EQUAL(roles_get(&roles, 70), -1);
}

int main(void)
{
	static const struct check_case cases[] = {
		{ "no samples", test_empty },
		{ "nearest rank", test_nearest_rank },
		{ "one sample", test_single },
		{ "exact up to the limit, then within 0.1 %", test_limit },
		{ "small values stay exact", test_small_values },
		{ "id map", test_idmap },
		{ "roles", test_roles },
		{ NULL, NULL },
	};

	return check_main("quantile", cases);
}
