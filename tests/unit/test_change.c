/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Does the gate flake, and does it find what it is to find? Runs of generated frame times, as a
 * program without a change would make them, and with all frames a tenth longer: series with
 * autocorrelation, bursts and hitches. The figures measured are printed.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "check.h"
#include "gate/change.h"

#define FRAMES 300
#define RUNS_MAX 5
#define METRICS 4 /* two durations, two shares */
#ifdef __SANITIZE_ADDRESS__
#define PART 10 /* of the comparisons only */
#else
#define PART 1
#endif
#define SAME_COMPARISONS (1000u / PART)
#define SHIFTED_COMPARISONS (300u / PART)

static uint64_t random_state;

static uint64_t random64(void)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return random_state;
}

static double uniform(void)
{
	return ((double)(random64() >> 11) + 0.5) / 9007199254740992.0;
}

static double normal(void)
{
	return sqrt(-2 * log(uniform())) * cos(2 * M_PI * uniform());
}

/*
 * Frame times: exp(sigma x) of an AR(1) x with that phi, longer by a factor in bursts of frames and
 * in single hitches; all frames of a run by a factor of its own.
 */
struct kind {
	const char *name;
	double phi, sigma;
	double burst_chance, burst_frames, burst_factor;
	double hitch_chance;
	unsigned baseline_runs;
	double run_sigma;
	unsigned found; /* of 1000 shifts of a tenth at least so many are found */
	unsigned missed; /* at most so many are said to be none */
};

static const struct kind kinds[] = {
	{ "independent, sd 10 %", 0, 0.1, 0, 0, 0, 0, 1, 0, 900, 10 },
	{ "independent, sd 15 %", 0, 0.15, 0, 0, 0, 0, 1, 0, 900, 50 },
	{ "phi 0.4, sd 10 %", 0.4, 0.1, 0, 0, 0, 0, 1, 0, 900, 50 },
	{ "phi 0.6, sd 8 %", 0.6, 0.08, 0, 0, 0, 0, 1, 0, 900, 50 },
	{ "phi 0.8, sd 4 %", 0.8, 0.04, 0, 0, 0, 0, 1, 0, 900, 50 },
	{ "1 % hitches, 3 times as long", 0.3, 0.08, 0, 0, 0, 0.01, 1, 0, 900, 50 },
	{ "phi 0.8, sd 5 %, 3 runs as baseline", 0.8, 0.05, 0, 0, 0, 0, 3, 0, 900, 50 },
	{ "phi 0.6, sd 10 %, 5 runs that differ by 1 %", 0.6, 0.1, 0, 0, 0, 0, 5, 0.01, 900, 50 },
	/* Beyond what 300 frames can tell: it has to be said, and neither passed nor failed. */
	{ "phi 0.8, sd 15 %", 0.8, 0.15, 0, 0, 0, 0, 1, 0, 0, 20 },
	{ "bursts of 20 frames, 1.5 times as long", 0.3, 0.08, 0.005, 20, 1.5, 0, 1, 0, 0, 20 },
	{ "bursts of 8 frames, 1.5 times as long", 0.3, 0.08, 0.01, 8, 1.5, 0, 1, 0, 0, 20 },
};

static void generate(const struct kind *k, int64_t *frames, double factor)
{
	double x = normal(), run = factor * exp(k->run_sigma * normal());
	double in_burst = k->burst_chance * k->burst_frames;
	bool burst = uniform() < in_burst / (1 + in_burst);

	for (unsigned i = 0; i < FRAMES; i++) {
		double t = 14e6 * run * exp(k->sigma * x);

		x = k->phi * x + sqrt(1 - k->phi * k->phi) * normal();
		if (burst)
			burst = uniform() >= 1 / k->burst_frames;
		else
			burst = uniform() < k->burst_chance;
		if (burst)
			t *= k->burst_factor;
		if (uniform() < k->hitch_chance)
			t *= 3;
		frames[i] = (int64_t)t;
	}
}

/* The metrics of a run: two durations, and which frames of the first are longer than two limits. */
static void make_run(struct measure run[METRICS], const struct kind *k, double factor)
{
	int64_t frames[FRAMES], late[FRAMES];

	generate(k, frames, factor);
	CU_ASSERT_EQUAL(measure_make(&run[0], frames, FRAMES, false), 0);
	for (unsigned i = 0; i < FRAMES; i++)
		late[i] = frames[i] > 16600000;
	CU_ASSERT_EQUAL(measure_make(&run[2], late, FRAMES, true), 0);
	for (unsigned i = 0; i < FRAMES; i++)
		late[i] = frames[i] > 33200000;
	CU_ASSERT_EQUAL(measure_make(&run[3], late, FRAMES, true), 0);
	generate(k, frames, factor);
	CU_ASSERT_EQUAL(measure_make(&run[1], frames, FRAMES, false), 0);
}

struct outcome {
	enum change_verdict p95; /* of the first duration */
	bool failed; /* the check as a whole */
	bool unclear; /* one of its durations is: of shares 300 frames say little */
};

static struct outcome compare(const struct kind *k, double factor)
{
	static const struct change_limit duration = { 0.05, 200000 }, share = { 0.5, 0.05 };
	struct measure runs[RUNS_MAX + 1][METRICS];
	const struct measure *sides[METRICS][RUNS_MAX + 1];
	struct change changes[METRICS], *all[METRICS];
	struct outcome o = { 0 };

	for (unsigned r = 0; r <= k->baseline_runs; r++) {
		make_run(runs[r], k, r < k->baseline_runs ? 1 : factor);
		for (unsigned m = 0; m < METRICS; m++)
			sides[m][r] = &runs[r][m];
	}
	for (unsigned m = 0; m < METRICS; m++) {
		struct change_limit limits[MEASURE_NR];

		for (unsigned i = 0; i < MEASURE_NR; i++)
			limits[i] = m < 2 ? duration : share;
		change_measure(&changes[m], (struct change_side){ sides[m], k->baseline_runs },
			       (struct change_side){ &sides[m][k->baseline_runs], 1 }, limits);
		all[m] = &changes[m];
	}
	change_correct(all, METRICS);
	for (unsigned m = 0; m < METRICS; m++) {
		change_judge(&changes[m], false, false);
		for (unsigned i = 0; i < MEASURE_NR; i++) {
			bool judged = m >= 2 ? i == MEASURE_MEAN
					     : i == MEASURE_P95 || (!m && i == MEASURE_P50);

			o.failed |= judged && changes[m].of[i].verdict == CHANGE_UP;
			o.unclear |= m < 2 && judged && changes[m].of[i].verdict == CHANGE_UNCLEAR;
		}
	}
	o.p95 = changes[0].of[MEASURE_P95].verdict;
	return o;
}

static void try(const struct kind *k)
{
	unsigned failed = 0, unclear = 0, found = 0, missed = 0;

	random_state = 88172645463325252u;
	for (unsigned i = 0; i < SAME_COMPARISONS; i++) {
		struct outcome o = compare(k, 1);

		failed += o.failed;
		unclear += !o.failed && o.unclear;
	}
	for (unsigned i = 0; i < SHIFTED_COMPARISONS; i++) {
		struct outcome o = compare(k, 1.1);

		found += o.p95 == CHANGE_UP;
		missed += o.p95 == CHANGE_SAME;
	}
	printf("# %-46s same: %u of %u fail, %u inconclusive; p95 + 10 %%: %u of %u found, %u "
	       "called the same\n",
	       k->name, failed, SAME_COMPARISONS, unclear, found, SHIFTED_COMPARISONS, missed);
	CU_ASSERT_TRUE(failed * 100 < SAME_COMPARISONS);
	if (PART > 1)
		return; /* so few say nothing of these shares */
	CU_ASSERT_TRUE(found * 1000 >= k->found * SHIFTED_COMPARISONS);
	CU_ASSERT_TRUE(missed * 1000 <= k->missed * SHIFTED_COMPARISONS);
}

static void test_gate(void)
{
	for (unsigned i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		try(&kinds[i]);
}

/* From tables of Student's t: 2.228 has 2.5 % above it with 10 degrees of freedom. */
static void test_student(void)
{
	CU_ASSERT_DOUBLE_EQUAL(student_above(2.228, 10), 0.025, 0.0005);
	CU_ASSERT_DOUBLE_EQUAL(student_above(-2.228, 10), 0.975, 0.0005);
	CU_ASSERT_DOUBLE_EQUAL(student_above(2.787, 25), 0.005, 0.0002);
	CU_ASSERT_DOUBLE_EQUAL(student_above(1.96, INFINITY), 0.025, 0.0005);
	CU_ASSERT_DOUBLE_EQUAL(student_above(0, 5), 0.5, 1e-9);
}

/*
 * Holm's own example of the procedure: of 0.01, 0.02, 0.03 and 0.005 the least counts four times,
 * the next three times, none less than the one before: 0.02, 0.03, 0.04, 0.04.
 */
static void test_holm(void)
{
	struct change c[4] = {
		{ .chance = 0.01 }, { .chance = 0.02 }, { .chance = 0.03 }, { .chance = 0.005 }
	};
	struct change *all[4] = { &c[0], &c[1], &c[2], &c[3] };

	change_correct(all, 4);
	CU_ASSERT_DOUBLE_EQUAL(c[3].corrected, 0.02, 1e-12);
	CU_ASSERT_DOUBLE_EQUAL(c[0].corrected, 0.03, 1e-12);
	CU_ASSERT_DOUBLE_EQUAL(c[1].corrected, 0.04, 1e-12);
	CU_ASSERT_DOUBLE_EQUAL(c[2].corrected, 0.04, 1e-12);
}

/* What never varies and is the same, is; what never varies and is another, is another. */
static void test_constant(void)
{
	struct change_limit limits[MEASURE_NR];
	struct measure a, b;
	const struct measure *before = &a, *now = &b;
	struct change c, *all = &c;
	int64_t frames[FRAMES];

	for (unsigned i = 0; i < MEASURE_NR; i++)
		limits[i] = (struct change_limit){ 0.05, 200000 };
	for (unsigned to = 10; to <= 12; to += 2) {
		for (unsigned i = 0; i < FRAMES; i++)
			frames[i] = 10000000;
		measure_make(&a, frames, FRAMES, false);
		for (unsigned i = 0; i < FRAMES; i++)
			frames[i] = (int64_t)to * 1000000;
		measure_make(&b, frames, FRAMES, false);
		change_measure(&c, (struct change_side){ &before, 1 },
			       (struct change_side){ &now, 1 }, limits);
		change_correct(&all, 1);
		change_judge(&c, false, false);
		for (unsigned i = 0; i < MEASURE_NR; i++)
			CU_ASSERT_EQUAL(c.of[i].verdict, to == 10 ? CHANGE_SAME : CHANGE_UP);
	}
	change_judge(&c, true, false);
	CU_ASSERT_EQUAL(c.of[MEASURE_P95].reason, CHANGE_FEW_FRAMES);
	change_judge(&c, true, true);
	CU_ASSERT_EQUAL(c.of[MEASURE_P95].reason, CHANGE_LOSSY);
	CU_ASSERT_EQUAL(c.of[MEASURE_P95].verdict, CHANGE_UNCLEAR);
}

/* A tenth of 0 is 0: what is 0 before and now has not grown by it. */
static void test_nothing(void)
{
	static const int64_t none[FRAMES];
	struct change_limit limits[MEASURE_NR];
	struct measure a;
	const struct measure *side = &a;
	struct change c, *all = &c;

	for (unsigned i = 0; i < MEASURE_NR; i++)
		limits[i] = (struct change_limit){ 0.1, 0 };
	measure_make(&a, none, FRAMES, false);
	change_measure(&c, (struct change_side){ &side, 1 }, (struct change_side){ &side, 1 },
		       limits);
	change_correct(&all, 1);
	change_judge(&c, false, false);
	for (unsigned i = 0; i < MEASURE_NR; i++) {
		CU_ASSERT_EQUAL(c.of[i].verdict, CHANGE_SAME);
		CU_ASSERT_EQUAL(c.of[i].reason, CHANGE_CLEAR);
	}
}

int main(void)
{
	static const struct check_case cases[] = {
		{ "student", test_student }, { "holm", test_holm }, { "constant", test_constant },
		{ "nothing", test_nothing }, { "gate", test_gate }, { NULL, NULL },
	};

	return check_main("change", cases);
}
