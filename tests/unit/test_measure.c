/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Long-run variances, statistics of a run with their errors, and sketches of distributions. Where a
 * series is made by a known process, its errors follow from that; the rest is worked out by hand.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "check.h"
#include "gate/effect.h"
#include "gate/longrun.h"
#include "gate/measure.h"

static uint64_t random_state = 88172645463325252u;

static uint64_t random64(void)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return random_state;
}

static double normal(void)
{
	double u = ((double)(random64() >> 11) + 0.5) / 9007199254740992.0;
	double v = ((double)(random64() >> 11) + 0.5) / 9007199254740992.0;

	return sqrt(-2 * log(u)) * cos(2 * M_PI * v);
}

static void autoregressive(double *x, size_t n, double phi)
{
	double y = normal();

	for (size_t i = 0; i < n; i++) {
		y = phi * y + sqrt(1 - phi * phi) * normal();
		x[i] = y;
	}
}

/*
 * The long-run variance of an AR(1) with variance 1 is (1 + phi) / (1 - phi). Blocks of finite
 * length make it less; the mean of 50 estimates is to be within 15 % of it.
 */
static void test_autoregressive(void)
{
	static const struct {
		double phi;
		size_t n;
	} cases[] = { { 0, 300 }, { 0.4, 1000 }, { 0.6, 3000 }, { 0.8, 10000 }, { 0.8, 100000 } };

	for (unsigned c = 0; c < sizeof(cases) / sizeof(*cases); c++) {
		double *x = malloc(cases[c].n * sizeof(*x)), sum = 0;
		double phi = cases[c].phi, truth = (1 + phi) / (1 - phi);
		struct longrun lr;

		for (unsigned i = 0; i < 50; i++) {
			autoregressive(x, cases[c].n, phi);
			longrun_estimate(x, cases[c].n, &lr);
			sum += lr.variance / 50;
			CU_ASSERT_TRUE(lr.variance >= lr.plain);
			CU_ASSERT_TRUE(lr.freedom >= 1);
		}
		CU_ASSERT_TRUE(fabs(sum / truth - 1) < 0.15);
		free(x);
	}
}

/* 1 2 3 4 5: the mean 3, the variance 2; nothing in so few says that they are alike. */
static void test_few(void)
{
	double x[] = { 1, 2, 3, 4, 5 }, same[] = { 7, 7, 7, 7, 7, 7 }, one[] = { 3 };
	struct longrun lr;

	longrun_estimate(x, 5, &lr);
	CU_ASSERT_DOUBLE_EQUAL(lr.mean, 3, 1e-12);
	CU_ASSERT_DOUBLE_EQUAL(lr.plain, 2, 1e-12);
	CU_ASSERT_TRUE(lr.variance >= 2);
	longrun_estimate(same, 6, &lr);
	CU_ASSERT_EQUAL(lr.variance, 0);
	CU_ASSERT_DOUBLE_EQUAL(longrun_effective(&lr, 6), 6, 1e-12);
	longrun_estimate(one, 1, &lr);
	CU_ASSERT_DOUBLE_EQUAL(lr.mean, 3, 1e-12);
}

/*
 * 1 to 1000 in any order: nearest rank. The percentile p of n independent ones that are spread
 * evenly over a length L is uncertain by L sqrt(p (1 - p) / n): of p95 that is 6.9, of p50 15.8.
 * Their mean is uncertain by L / sqrt(12 n): 9.1.
 */
static void test_even(void)
{
	int64_t values[1000];
	struct measure m;

	for (unsigned i = 0; i < 1000; i++)
		values[i] = (int64_t)i + 1;
	for (unsigned i = 999; i > 0; i--) {
		unsigned j = (unsigned)(random64() % (i + 1));
		int64_t t = values[i];

		values[i] = values[j];
		values[j] = t;
	}
	CU_ASSERT_EQUAL_FATAL(measure_make(&m, values, 1000, false), 0);
	CU_ASSERT_EQUAL(m.n, 1000);
	CU_ASSERT_EQUAL(m.of[MEASURE_MEAN].value, 500.5);
	CU_ASSERT_EQUAL(m.of[MEASURE_P50].value, 500);
	CU_ASSERT_EQUAL(m.of[MEASURE_P90].value, 900);
	CU_ASSERT_EQUAL(m.of[MEASURE_P95].value, 950);
	CU_ASSERT_EQUAL(m.of[MEASURE_P99].value, 990);
	CU_ASSERT_DOUBLE_EQUAL(m.of[MEASURE_MEAN].error, 9.1, 1);
	CU_ASSERT_DOUBLE_EQUAL(m.of[MEASURE_P50].error, 15.8, 2);
	CU_ASSERT_DOUBLE_EQUAL(m.of[MEASURE_P95].error, 6.9, 1);
	CU_ASSERT_TRUE(m.of[MEASURE_P95].effective > 700);
	CU_ASSERT_EQUAL(m.sketch.at[0], 1);
	CU_ASSERT_EQUAL(m.sketch.at[SKETCH_NR - 1], 1000);
	CU_ASSERT_DOUBLE_EQUAL(sketch_below(&m.sketch, 500), 0.5, 0.001);
	CU_ASSERT_DOUBLE_EQUAL(sketch_below(&m.sketch, 325), 0.325, 0.001);
	CU_ASSERT_DOUBLE_EQUAL(sketch_value(&m.sketch, 0.325), 325, 0.001);
	CU_ASSERT_EQUAL(sketch_below(&m.sketch, 0), 0);
	CU_ASSERT_EQUAL(sketch_below(&m.sketch, 1001), 1);
}

/* Of 200 frames 20 in a row: a share of a tenth that is worth few independent frames. */
static void test_share(void)
{
	int64_t values[200] = { 0 };
	struct measure m;

	CU_ASSERT_EQUAL_FATAL(measure_make(&m, values, 200, true), 0);
	CU_ASSERT_EQUAL(m.of[MEASURE_MEAN].value, 0);
	/* Half a frame of 201: sqrt(0.0025 * 0.9975 / 200). */
	CU_ASSERT_DOUBLE_EQUAL(m.of[MEASURE_MEAN].error, 0.00352, 0.0001);
	for (unsigned i = 50; i < 70; i++)
		values[i] = 1;
	CU_ASSERT_EQUAL_FATAL(measure_make(&m, values, 200, true), 0);
	CU_ASSERT_DOUBLE_EQUAL(m.of[MEASURE_MEAN].value, 0.1, 1e-9);
	CU_ASSERT_TRUE(m.of[MEASURE_MEAN].effective < 30);
	CU_ASSERT_TRUE(m.of[MEASURE_MEAN].freedom < 20);
}

static void test_edges(void)
{
	static const int64_t extremes[] = { INT64_MIN, INT64_MAX, 0, -5, 5 };
	struct measure m;

	CU_ASSERT_EQUAL(measure_make(&m, NULL, 0, false), 0);
	CU_ASSERT_EQUAL(m.n, 0);
	CU_ASSERT_EQUAL(measure_make(&m, extremes, 1, false), 0);
	CU_ASSERT_EQUAL(m.of[MEASURE_P99].value, (double)INT64_MIN);
	CU_ASSERT_EQUAL(measure_make(&m, extremes, 5, false), 0);
	for (unsigned i = 0; i < MEASURE_NR; i++)
		CU_ASSERT_TRUE(isfinite(m.of[i].error) && m.of[i].freedom >= 1);
}

/* As many values as a run keeps of a metric, with a long memory. */
static void test_time(void)
{
	size_t n = 1000000;
	int64_t *values = malloc(n * sizeof(*values));
	uint64_t start = clock_monotonic_ns();
	struct measure m;
	double y = 0;

	for (size_t i = 0; i < n; i++) {
		y = 0.99 * y + normal();
		values[i] = (int64_t)(1e7 + 1e5 * y);
	}
	start = clock_monotonic_ns();
	CU_ASSERT_EQUAL(measure_make(&m, values, n, false), 0);
	printf("# a metric of 1000000 frames: %.2f s\n",
	       (double)(clock_monotonic_ns() - start) / 1e9);
	/* (1 - phi) / (1 + phi) of them: 5025. */
	CU_ASSERT_TRUE(m.of[MEASURE_MEAN].effective > 3500 && m.of[MEASURE_MEAN].effective < 7000);
	CU_ASSERT_TRUE(clock_monotonic_ns() - start < 20 * NSEC_PER_SEC);
	free(values);
}

static void test_effects(void)
{
	static const char *const wrong[] = { "",
					     "5",
					     "5%,",
					     "%",
					     "-5%",
					     "nan%",
					     "inf%",
					     "0x5%",
					     "1e3%",
					     "5%,0.2ms,1ms",
					     "0%",
					     "5 %",
					     "wall=5%",
					     "wall.p42=5%",
					     "walll.p95=5%",
					     "fps=5%",
					     "=5%",
					     "jank.hwui.p95=5%",
					     "jank.hwui=5ms",
					     "wall.p95=",
					     "render_fence.p95=5%" };
	unsigned wall = (unsigned)gate_metric_find("wall", 4);
	unsigned jank = (unsigned)gate_metric_find("jank.hwui", 9);
	const struct change_limit *l;
	struct effects e;
	struct err err = { 0 };

	effects_init(&e);
	l = effects_limit(&e, wall, MEASURE_P95);
	CU_ASSERT_DOUBLE_EQUAL(l->relative, 0.05, 1e-12);
	CU_ASSERT_DOUBLE_EQUAL(l->absolute, 200000, 1e-6);
	for (unsigned i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		CU_ASSERT_TRUE(effects_add(&e, wrong[i], &err) < 0);
		CU_ASSERT_TRUE(err.what[0] && err.hint[0]);
	}
	CU_ASSERT_EQUAL(e.nr, 0);
	CU_ASSERT_EQUAL(effects_add(&e, "3%,0.1ms", &err), 0);
	CU_ASSERT_EQUAL(effects_add(&e, "wall.p95=500us", &err), 0);
	CU_ASSERT_EQUAL(effects_add(&e, "jank.hwui=2.5%", &err), 0);
	l = effects_limit(&e, wall, MEASURE_P50);
	CU_ASSERT_DOUBLE_EQUAL(l->relative, 0.03, 1e-12);
	CU_ASSERT_DOUBLE_EQUAL(l->absolute, 100000, 1e-6);
	l = effects_limit(&e, wall, MEASURE_P95);
	CU_ASSERT_EQUAL(l->relative, 0);
	CU_ASSERT_DOUBLE_EQUAL(l->absolute, 500000, 1e-6);
	l = effects_limit(&e, jank, MEASURE_MEAN);
	CU_ASSERT_EQUAL(l->relative, 0);
	CU_ASSERT_DOUBLE_EQUAL(l->absolute, 0.025, 1e-12);
	CU_ASSERT_TRUE(effects_has(&e, jank, MEASURE_MEAN));
	CU_ASSERT_FALSE(effects_has(&e, wall, MEASURE_P50));
}

int main(void)
{
	static const struct check_case cases[] = {
		{ "autoregressive", test_autoregressive },
		{ "few", test_few },
		{ "even", test_even },
		{ "share", test_share },
		{ "edges", test_edges },
		{ "time", test_time },
		{ "effects", test_effects },
		{ NULL, NULL },
	};

	return check_main("measure", cases);
}
