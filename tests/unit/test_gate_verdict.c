/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Estimates with their bounds, and the verdicts on them. Bounds were worked out by hand or by a
 * program of its own (python3's statistics.NormalDist for z, Wilson's formula, Geyer's sequence);
 * that the gate does not flake is shown on recordings that are made up.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gate/verdict.h"
#include "gate_frames.h"

#define MS 1e6
#define NEAR(a, b) CU_ASSERT(fabs((a) - (double)(b)) < 1e-9 * (1 + fabs((double)(b))))

static struct gate_budgets budgets;

static const struct gate_budget *budget(const char *text)
{
	struct err e = { 0 };

	gate_budgets_free(&budgets);
	CU_ASSERT_EQUAL_FATAL(gate_budgets_add(&budgets, text, &e), 0);
	return &budgets.all[0];
}

/* A producer in one run, whose values of the budget's metric are these. */
static struct gate_producer *run_of(const struct gate_budget *b, const int64_t *values, size_t n)
{
	struct gate_producer *p = calloc(1, sizeof(*p));
	struct gate_series *s = calloc(1, sizeof(*s));

	CU_ASSERT_FATAL(p && s);
	p->series[b->metric] = s;
	p->counts[FRAME_COMPLETE] = n;
	s->values = calloc(n + 1, sizeof(*s->values));
	s->nr = s->room = s->count = n;
	s->stride = 1;
	for (size_t i = 0; i < n; i++) {
		s->values[i] = values[i];
		s->sum += (double)values[i];
		s->min = !i || values[i] < s->min ? values[i] : s->min;
		s->max = !i || values[i] > s->max ? values[i] : s->max;
		p->wall_sum_ns += (uint64_t)values[i];
	}
	return p;
}

static void run_free(const struct gate_budget *b, struct gate_producer *p)
{
	free(p->series[b->metric]->values);
	free(p->series[b->metric]);
	free(p);
}

/* The estimate of one run with so many lossy frames beside, and the verdict on it. */
static struct gate_verdict judge(const struct gate_budget *b, const int64_t *values, size_t n,
				 uint64_t lossy, struct gate_estimate *est)
{
	struct gate_producer *p = run_of(b, values, n);
	const struct gate_producer *runs[] = { p };
	struct gate_estimate without;
	struct gate_verdict v;

	p->counts[FRAME_LOSSY] = lossy;
	CU_ASSERT_EQUAL_FATAL(gate_estimate(est, runs, 1, b, true), 0);
	CU_ASSERT_EQUAL_FATAL(gate_estimate(&without, runs, 1, b, false), 0);
	gate_judge(&v, b, est, &without);
	run_free(b, p);
	return v;
}

/* Each of 1 to n once, in an order that has no runs of large ones (n no multiple of 7919). */
static void mix(int64_t *values, size_t n, int64_t unit)
{
	for (size_t i = 0; i < n; i++)
		values[i] = (int64_t)(i * 7919 % n + 1) * unit;
}

static void percentile_of_300(void)
{
	int64_t values[300];
	struct gate_estimate est;
	struct gate_verdict v;

	mix(values, 300, 1);
	v = judge(budget("wall.p95<=293ns"), values, 300, 0, &est);
	CU_ASSERT_EQUAL(v.outcome, GATE_PASS);
	CU_ASSERT_EQUAL(est.value, 285);
	CU_ASSERT_EQUAL(est.low, 277);
	CU_ASSERT_EQUAL(est.high, 293);
	NEAR(est.effective, 300);
	v = judge(budget("wall.p95<293ns"), values, 300, 0, &est);
	CU_ASSERT_EQUAL(v.outcome, GATE_INCONCLUSIVE);
	CU_ASSERT_EQUAL(v.reason, GATE_NOISY);
	v = judge(budget("wall.p95<=277ns"), values, 300, 0, &est);
	CU_ASSERT_EQUAL(v.outcome, GATE_INCONCLUSIVE);
	v = judge(budget("wall.p95<277ns"), values, 300, 0, &est);
	CU_ASSERT_EQUAL(v.outcome, GATE_FAIL);
	v = judge(budget("wall.p95>=277ns"), values, 300, 0, &est);
	CU_ASSERT_EQUAL(v.outcome, GATE_PASS);
	v = judge(budget("wall.p95>293ns"), values, 300, 0, &est);
	CU_ASSERT_EQUAL(v.outcome, GATE_FAIL);
}

/* The numbers of frames that verdict.h gives: with one less there is no bound above. */
static void least_frames(void)
{
	static const struct {
		const char *text;
		size_t n;
	} cases[] = {
		{ "wall.p50<=1s", 30 },  { "wall.p90<=1s", 35 },     { "wall.p95<=1s", 73 },
		{ "wall.p99<=1s", 381 }, { "wall.p99.9<=1s", 3838 },
	};
	static int64_t values[3838];
	struct gate_estimate est;
	struct gate_verdict v;

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const struct gate_budget *b = budget(cases[i].text);
		size_t n = cases[i].n;

		for (size_t j = 0; j < n; j++)
			values[j] = 5;
		v = judge(b, values, n, 0, &est);
		CU_ASSERT_EQUAL(v.outcome, GATE_PASS);
		v = judge(b, values, n - 1, 0, &est);
		CU_ASSERT_EQUAL(v.outcome, GATE_INCONCLUSIVE);
		CU_ASSERT_EQUAL(v.reason, GATE_TOO_FEW);
		CU_ASSERT_PTR_NOT_NULL(strstr(v.why, "it takes"));
	}
	/* That all are beyond, 30 show, though it takes more to know the percentile. */
	v = judge(budget("wall.p99<=4ns"), values, 30, 0, &est);
	CU_ASSERT_EQUAL(v.outcome, GATE_FAIL);
	v = judge(budget("wall.p99<=4ns"), values, 29, 0, &est);
	CU_ASSERT_EQUAL(v.outcome, GATE_INCONCLUSIVE);
}

/* Yes of the first `yes` of a mixed order. */
static void answers(int64_t *values, size_t n, size_t yes)
{
	mix(values, n, 1);
	for (size_t i = 0; i < n; i++)
		values[i] = values[i] <= (int64_t)yes;
}

static void shares(void)
{
	static int64_t values[400];
	struct gate_estimate est;
	struct gate_verdict v;

	answers(values, 300, 3);
	v = judge(budget("jank.hwui<=3%"), values, 300, 0, &est);
	CU_ASSERT_EQUAL(v.outcome, GATE_PASS);
	NEAR(est.value, 0.01);
	NEAR(est.low, 0.0034066184377152826);
	NEAR(est.high, 0.028983493362339824);
	v = judge(budget("jank.hwui<=2.5%"), values, 300, 0, &est);
	CU_ASSERT_EQUAL(v.reason, GATE_NOISY);
	v = judge(budget("jank.hwui<0.3%"), values, 300, 0, &est);
	CU_ASSERT_EQUAL(v.outcome, GATE_FAIL);
	/* None of 300 may still be more than 1 %; 381 tell: 3.8415 * 0.99 / 0.01 = 380.3. */
	answers(values, 300, 0);
	v = judge(budget("jank.hwui<=1%"), values, 300, 0, &est);
	CU_ASSERT_EQUAL(v.outcome, GATE_INCONCLUSIVE);
	NEAR(est.high, 0.012642971224546029);
	CU_ASSERT_PTR_NOT_NULL(strstr(v.why, "about 381 frames"));
	answers(values, 381, 0);
	v = judge(budget("jank.hwui<=1%"), values, 381, 0, &est);
	CU_ASSERT_EQUAL(v.outcome, GATE_PASS);
}

/* A budget of none is of the recording, and a fact. */
static void none(void)
{
	static int64_t values[100];
	struct gate_estimate est;
	struct gate_verdict v;

	v = judge(budget("jank.hwui<=0%"), values, 100, 0, &est);
	CU_ASSERT(v.outcome == GATE_PASS && est.fact);
	v = judge(budget("jank.hwui<=0%"), values, 29, 0, &est);
	CU_ASSERT_EQUAL(v.reason, GATE_TOO_FEW);
	v = judge(budget("jank.hwui<=0%"), values, 100, 1, &est);
	CU_ASSERT_EQUAL(v.reason, GATE_TOO_LOSSY);
	values[7] = 1;
	v = judge(budget("jank.hwui<=0%"), values, 10, 5, &est);
	CU_ASSERT_EQUAL(v.outcome, GATE_FAIL);
	v = judge(budget("jank.hwui.count<=1"), values, 100, 0, &est);
	CU_ASSERT_EQUAL(v.outcome, GATE_PASS);
	v = judge(budget("jank.hwui.count<=0"), values, 100, 0, &est);
	CU_ASSERT_EQUAL(v.outcome, GATE_FAIL);
	v = judge(budget("jank.hwui.count>=1"), values, 10, 0, &est);
	CU_ASSERT_EQUAL(v.outcome, GATE_PASS);
}

static void extremes(void)
{
	int64_t values[30];
	struct gate_estimate est;
	struct gate_verdict v;

	mix(values, 30, 1);
	v = judge(budget("wall.max<=30ns"), values, 30, 0, &est);
	CU_ASSERT(v.outcome == GATE_PASS && est.value == 30 && est.fact);
	v = judge(budget("wall.max<=30ns"), values, 30, 1, &est);
	CU_ASSERT_EQUAL(v.reason, GATE_TOO_LOSSY);
	v = judge(budget("wall.max<30ns"), values, 30, 1, &est);
	CU_ASSERT_EQUAL(v.outcome, GATE_FAIL);
	v = judge(budget("wall.min>=1ns"), values, 30, 0, &est);
	CU_ASSERT(v.outcome == GATE_PASS && est.value == 1);
	v = judge(budget("wall.min>=1ns"), values, 29, 0, &est);
	CU_ASSERT_EQUAL(v.reason, GATE_TOO_FEW);
	/* The first is 1: that one is so short needs no more. */
	v = judge(budget("wall.min<=1ns"), values, 1, 0, &est);
	CU_ASSERT_EQUAL(v.outcome, GATE_PASS);
}

/*
 * Of 1000 frames, p99 is 990; 10 lossy ones may all be beyond: 1010 * 0.99 + 6.23 = 1006.1, and
 * there are 1000. With 3: 1003 * 0.99 + 6.19 = 999.2. As few as that are no longer in the way.
 */
static void lossy_may_be_any(void)
{
	static int64_t values[1000];
	struct gate_estimate est;
	struct gate_verdict v;

	mix(values, 1000, 1);
	v = judge(budget("wall.p99<=1us"), values, 1000, 10, &est);
	CU_ASSERT_EQUAL(v.outcome, GATE_INCONCLUSIVE);
	CU_ASSERT_EQUAL(v.reason, GATE_TOO_LOSSY);
	CU_ASSERT_FALSE(est.has_high);
	CU_ASSERT_EQUAL(est.value, 990);
	/* floor(1010 * 0.99 - 6.229) - 10 = 983 */
	CU_ASSERT_EQUAL(est.low, 983);
	v = judge(budget("wall.p99<=1us"), values, 1000, 3, &est);
	CU_ASSERT_EQUAL(v.outcome, GATE_PASS);
	CU_ASSERT_EQUAL(est.high, 1000);
	v = judge(budget("wall.mean<=1us"), values, 1000, 50, &est);
	CU_ASSERT_EQUAL(v.outcome, GATE_PASS);
	v = judge(budget("wall.mean<=1us"), values, 1000, 60, &est);
	CU_ASSERT_EQUAL(v.reason, GATE_TOO_LOSSY);
}

static uint64_t state;

static uint64_t random24(void)
{
	state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return state >> 40;
}

/* Each remembers seven tenths of the one before. */
static void make_alike(int64_t *values, size_t n)
{
	int64_t v = 0;

	state = 1;
	for (size_t i = 0; i < n; i++) {
		v = v * 7 / 10 + (int64_t)(random24() % 1001) - 500;
		values[i] = v;
	}
}

static void alike_frames(void)
{
	static const size_t ends[] = { 200, 400, 600 };
	int64_t values[600];
	double work[600];
	struct gate_estimate est;

	make_alike(values, 600);
	CU_ASSERT_EQUAL(values[0], -322);
	CU_ASSERT_EQUAL(values[4], 98);
	for (size_t i = 0; i < 600; i++)
		work[i] = (double)values[i];
	NEAR(gate_inflation(work, 600, &ends[2], 1), 5.070912845222684);
	NEAR(gate_inflation(work, 600, ends, 3), 4.979912984653769);
	judge(budget("wall.p95<=1s"), values, 600, 0, &est);
	CU_ASSERT_EQUAL(est.value, 653);
	CU_ASSERT_EQUAL(est.low, 576);
	CU_ASSERT_EQUAL(est.high, 842);
	NEAR(est.effective, 600 / 3.041929824561395);
	judge(budget("wall.mean<=1s"), values, 600, 0, &est);
	NEAR(est.value, 5.025);
	CU_ASSERT(fabs(est.high - est.value - 73.06260470438598) < 1e-6);
	CU_ASSERT(fabs(est.value - est.low - 73.06260470438598) < 1e-6);
	/* What alternates is not worth more than it is. */
	for (size_t i = 0; i < 600; i++)
		work[i] = i % 2;
	NEAR(gate_inflation(work, 600, &ends[2], 1), 1);
	NEAR(gate_inflation(work, 0, &ends[2], 0), 1);
	/* Two runs, each even in itself: 300 * 0.5^2 * 2 / (2 - 1) / 0.25. */
	for (size_t i = 0; i < 600; i++)
		work[i] = i < 300;
	NEAR(gate_inflation(work, 600, (const size_t[]){ 300, 600 }, 2), 600);
}

/* A stall of half the recording is one stall. */
static void one_stall(void)
{
	int64_t values[200];
	struct gate_estimate est;
	struct gate_verdict v;

	for (size_t i = 0; i < 200; i++)
		values[i] = (i < 100 ? 5 : 50) + (int64_t)(i % 2);
	v = judge(budget("wall.p50<=10ns"), values, 200, 0, &est);
	CU_ASSERT_EQUAL(v.outcome, GATE_INCONCLUSIVE);
	CU_ASSERT_EQUAL(v.reason, GATE_TOO_ALIKE);
	CU_ASSERT(est.effective < 10);
}

static void runs_are_pooled(void)
{
	const struct gate_budget *b = budget("wall.p95<=1s");
	int64_t values[300];
	struct gate_producer *runs[2];
	struct gate_estimate est;

	mix(values, 300, 1);
	runs[0] = run_of(b, values, 150);
	runs[1] = run_of(b, values + 150, 150);
	CU_ASSERT_EQUAL(gate_estimate(&est, (const struct gate_producer *const *)runs, 2, b, true),
			0);
	CU_ASSERT_EQUAL(est.value, 285);
	CU_ASSERT_EQUAL(est.frames, 300);
	run_free(b, runs[0]);
	run_free(b, runs[1]);
}

/* As judge(), of a run that took so long. */
static struct gate_estimate in_seconds(const struct gate_budget *b, const int64_t *values, size_t n,
				       uint64_t lossy, uint64_t seconds)
{
	struct gate_producer *p = run_of(b, values, n);
	const struct gate_producer *runs[] = { p };
	struct gate_estimate est;

	p->counts[FRAME_LOSSY] = lossy;
	p->pace.first_end_ns = 1;
	p->pace.last_end_ns = 1 + seconds * 1000000000;
	CU_ASSERT_EQUAL_FATAL(gate_estimate(&est, runs, 1, b, true), 0);
	run_free(b, p);
	return est;
}

/* Of 1000 complete frames and 500 lossy ones in 25 s: if all of these are janky, 20 a second. */
static void rates_of_verdicts(void)
{
	static int64_t values[1000];
	struct gate_estimate est = in_seconds(budget("jank.hwui.rate<=0"), values, 1000, 500, 25);

	CU_ASSERT(est.fact && est.value == 0 && est.low == 0);
	NEAR(est.high, 20);
	answers(values, 1000, 100);
	est = in_seconds(budget("jank.hwui.rate<=0"), values, 1000, 500, 25);
	NEAR(est.value, 4);
	NEAR(est.low, 4);
	NEAR(est.high, 24);
	/* Wilson's interval of 3 in 300, in 10 s: 30 frames a second. */
	answers(values, 300, 3);
	est = in_seconds(budget("jank.hwui.rate<=1"), values, 300, 0, 10);
	NEAR(est.value, 0.3);
	NEAR(est.low, 30 * 0.0034066184377152826);
	NEAR(est.high, 30 * 0.028983493362339824);
	/* One a second is not all there are, as a share of 1 is. */
	est = in_seconds(budget("jank.hwui.rate>=1"), values, 300, 0, 10);
	CU_ASSERT_FALSE(est.fact);
	NEAR(est.high, 30 * 0.028983493362339824);
	est = in_seconds(budget("jank.hwui>=100%"), values, 300, 0, 10);
	CU_ASSERT(est.fact);
}

/*
 * 301 frames at 50 a second, of which so many swaps were lost: a lossy frame each, twice as long.
 * All were made.
 */
static void fps_of_lost_swaps(void)
{
	static const unsigned lost[] = { 10, 30 };

	for (unsigned c = 0; c < 2; c++) {
		struct gate_samples *s = gate_samples_new(NULL);
		struct maker m = maker_of(s, 1, "app");
		const struct gate_producer *p;
		struct gate_estimate est;

		for (unsigned i = 0; i < 301 - 2 * lost[c]; i++) {
			if (i > 0 && i <= lost[c])
				make_frame(&m, 40000000, FRAME_LOSSY);
			make_frame(&m, 20000000, FRAME_COMPLETE);
		}
		p = gate_samples_producer(s, 0);
		CU_ASSERT_EQUAL(gate_estimate(&est, &p, 1, budget("fps>=50"), true), 0);
		NEAR(est.value, 50.0 * (300 - lost[c]) / 300);
		if (lost[c] == 10)
			NEAR(est.high, 50);
		/* Of more than 5 % it can't be told. */
		CU_ASSERT_EQUAL(est.has_high, lost[c] == 10);
		CU_ASSERT_EQUAL(est.has_low, lost[c] == 10);
		gate_samples_free(s);
	}
}

/* 101 frames of 20 ms, one after the other: 50 a second, and as even as can be. */
static void numbers_of_a_run(void)
{
	struct gate_samples *s = gate_samples_new(NULL);
	struct maker m = maker_of(s, 1, "app");
	const struct gate_producer *p;
	struct gate_estimate est;

	for (unsigned i = 0; i < 101; i++)
		make_frame(&m, 20000000, i == 50 ? FRAME_LOSSY : FRAME_COMPLETE);
	p = gate_samples_producer(s, 0);
	CU_ASSERT_EQUAL(gate_estimate(&est, &p, 1, budget("fps>=50"), true), 0);
	NEAR(est.value, 50);
	NEAR(est.low, 50);
	/* Had its lossy frame been two, 101 in 2 s. */
	NEAR(est.high, 50.5);
	/* Neither the first frame nor the lossy one has an interval. */
	CU_ASSERT_EQUAL(est.frames, 99);
	CU_ASSERT_EQUAL(gate_estimate(&est, &p, 1, budget("frames>=1"), true), 0);
	CU_ASSERT(est.fact && est.value == 100);
	CU_ASSERT_EQUAL(gate_estimate(&est, &p, 1, budget("lossy<=1%"), true), 0);
	NEAR(est.value, 1.0 / 101);
	CU_ASSERT_EQUAL(gate_estimate(&est, &p, 1, budget("truncated.count<=0"), true), 0);
	CU_ASSERT(est.fact && est.value == 0);
	/* All of it ran. */
	CU_ASSERT_EQUAL(gate_estimate(&est, &p, 1, budget("cause.running.share<=100%"), true), 0);
	NEAR(est.value, 1);
	NEAR(est.high, 1);
	/* 100 complete frames in 2 s, between the first end and the last. */
	CU_ASSERT_EQUAL(gate_estimate(&est, &p, 1, budget("wall.rate>=1"), true), 0);
	NEAR(est.value, 50);
	CU_ASSERT_EQUAL(gate_estimate(&est, &p, 1, budget("wall.count>=1"), true), 0);
	CU_ASSERT_EQUAL(est.value, 100);
	gate_samples_free(s);
}

/* Of the normal distribution, by twelve of the even one. */
static double normal(void)
{
	double sum = -6;

	for (unsigned i = 0; i < 12; i++)
		sum += (double)random24() / (1 << 24);
	return sum;
}

/* The same program recorded again and again: how often each verdict comes. */
static void flakes_of(double memory, double limit_ms, unsigned counts[3])
{
	static int64_t values[300];
	char text[64];
	const struct gate_budget *b;

	snprintf(text, sizeof(text), "wall.p95<=%.4fms", limit_ms);
	b = budget(text);
	memset(counts, 0, 3 * sizeof(*counts));
	for (unsigned i = 0; i < 1000; i++) {
		struct gate_estimate est;
		double x = normal();

		/* Frame times of 12 ms on average, with a standard deviation of 2. */
		for (size_t j = 0; j < 300; j++) {
			values[j] = (int64_t)((12 + 2 * x) * MS);
			x = memory * x + sqrt(1 - memory * memory) * normal();
		}
		counts[judge(b, values, 300, 0, &est).outcome]++;
	}
}

/*
 * p95 of these is 12 + 2 * 1.64485 = 15.2897 ms (1.6415 of the sum of twelve: 15.283). With the
 * limit just there, a bare comparison would fail every second recording.
 */
static void it_does_not_flake(void)
{
	static const double memories[] = { 0, 0.5, 0.8 };
	unsigned counts[3];

	state = 7;
	for (unsigned i = 0; i < 3; i++) {
		flakes_of(memories[i], 15.283, counts);
		printf("# memory %.1f, at the limit: %u pass, %u fail, %u inconclusive of 1000\n",
		       memories[i], counts[GATE_PASS], counts[GATE_FAIL],
		       counts[GATE_INCONCLUSIVE]);
		CU_ASSERT(counts[GATE_FAIL] <= 60);
		CU_ASSERT(counts[GATE_PASS] <= 60);
	}
	flakes_of(0.5, 17.5, counts);
	printf("# well within: %u pass, %u fail\n", counts[GATE_PASS], counts[GATE_FAIL]);
	CU_ASSERT_EQUAL(counts[GATE_FAIL], 0);
	CU_ASSERT(counts[GATE_PASS] > 950);
	flakes_of(0.5, 13.8, counts);
	printf("# well beyond: %u pass, %u fail\n", counts[GATE_PASS], counts[GATE_FAIL]);
	CU_ASSERT_EQUAL(counts[GATE_PASS], 0);
	CU_ASSERT(counts[GATE_FAIL] > 950);
}

/* Any values at all: what is said is in order, and follows from the bounds. */
static void any_values(void)
{
	static const char *const texts[] = {
		"wall.p50<=1ms", "wall.p99>=1ns", "wall.max<1us",    "wall.min>0",
		"wall.mean<=1s", "wall.count>3",  "wall.share<=50%",
	};
	int64_t values[64];
	struct gate_estimate est;

	state = 3;
	for (unsigned i = 0; i < 20000; i++) {
		const struct gate_budget *b = budget(texts[random24() % 7]);
		size_t n = random24() % 64;
		unsigned shift = random24() % 64;
		struct gate_verdict v;

		for (size_t j = 0; j < n; j++)
			values[j] = (int64_t)(random24() << 40 ^ random24() << 20 ^ random24()) >>
				    shift;
		v = judge(b, values, n, random24() % 4 ? 0 : random24() % 20, &est);
		CU_ASSERT_FATAL(!est.has_low || est.low <= est.value);
		CU_ASSERT_FATAL(!est.has_high || est.high >= est.value);
		CU_ASSERT_FATAL(est.known || v.outcome == GATE_INCONCLUSIVE);
		CU_ASSERT_FATAL(v.outcome == GATE_INCONCLUSIVE ||
				gate_budget_allows(b, est.value) == (v.outcome == GATE_PASS));
		CU_ASSERT_FATAL(v.outcome == GATE_INCONCLUSIVE || n >= 30 || est.fact);
	}
}

int main(void)
{
	static const struct check_case cases[] = {
		{ "percentile of 300", percentile_of_300 },
		{ "least frames", least_frames },
		{ "shares", shares },
		{ "none", none },
		{ "extremes", extremes },
		{ "lossy may be any", lossy_may_be_any },
		{ "alike frames", alike_frames },
		{ "one stall", one_stall },
		{ "runs are pooled", runs_are_pooled },
		{ "rates of verdicts", rates_of_verdicts },
		{ "fps of lost swaps", fps_of_lost_swaps },
		{ "numbers of a run", numbers_of_a_run },
		{ "any values", any_values },
		{ "it does not flake", it_does_not_flake },
		{ 0 },
	};
	int status = check_main("gate_verdict", cases);

	gate_budgets_free(&budgets);
	return status;
}
