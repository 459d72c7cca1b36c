/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * JankStats's verdicts. Where a float rounds, what comes out was worked out by hand: between 2^24
 * and 2^25 it holds the even numbers, up to 2^26 those that four divides, and of two that are as
 * near the one with the even half or quarter.
 */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "finished.h"
#include "judge/jankstats.h"

#define VSYNC 1000000000

/* What is said of a frame whose UI part took so long, by a listener that is new. */
static struct jankstats_verdict judge(unsigned api, float multiplier, float hz, int64_t ui,
				      int64_t deadline)
{
	const struct lengths l = { .vsync = VSYNC, .delay = ui, .deadline = deadline };
	const struct frame_slots s = finished_slots(api >= 31 ? 23 : 16, &l);
	struct jankstats_verdict v;
	struct jankstats js;

	jankstats_init(&js, api, multiplier, hz);
	jankstats_judge(&js, &s, &v);
	return v;
}

/* It is janky from one more than `limit` on. */
static void expect_limit(unsigned api, float multiplier, float hz, int64_t deadline, int64_t limit)
{
	struct jankstats_verdict below = judge(api, multiplier, hz, limit - 1, deadline);
	struct jankstats_verdict at = judge(api, multiplier, hz, limit, deadline);
	struct jankstats_verdict above = judge(api, multiplier, hz, limit + 1, deadline);

	CU_ASSERT_TRUE(below.known && !below.janky);
	CU_ASSERT_TRUE(at.known && !at.janky);
	CU_ASSERT_TRUE(above.known && above.janky);
	CU_ASSERT_EQUAL(above.ui_ns, limit + 1);
}

static void test_interval(void)
{
	static const unsigned apis[] = { 24, 25, 26, 29, 30 };

	for (unsigned i = 0; i < sizeof(apis) / sizeof(*apis); i++) {
		expect_limit(apis[i], 2.0f, JANKSTATS_REFRESH_HZ, 0, 33333332);
		/* A deadline is not asked for. */
		expect_limit(apis[i], 2.0f, JANKSTATS_REFRESH_HZ, 8000000, 33333332);
	}
	CU_ASSERT_EQUAL(judge(26, 2.0f, 60, 1, 0).expected_ns, 16666666);
}

static void test_multiplier(void)
{
	expect_limit(30, 1.0f, 60, 0, 16666666);
	/* 24999999 is as far from 24999998 as from 25000000. */
	expect_limit(30, 1.5f, 60, 0, 25000000);
	expect_limit(30, 3.0f, 60, 0, 50000000); /* 49999998 is no float */
	expect_limit(31, 1.0f, 60, 16666667, 16666667);
	expect_limit(31, 2.0f, 60, 16666667, 33333334);
	expect_limit(31, 1.5f, 60, 16666666, 25000000);
}

static void test_rates(void)
{
	static const struct {
		float hz;
		int64_t expected;
	} rates[] = {
		{ 30, 33333332 },     { 59.94f, 16683350 }, { 60, 16666666 },  { 90, 11111111 },
		{ 120, 8333333 },     { 144, 6944444 },     { 200, 5000000 },  { 29.99f, 16666666 },
		{ 200.1f, 16666666 }, { 0, 16666666 },      { -60, 16666666 },
	};

	for (unsigned i = 0; i < sizeof(rates) / sizeof(*rates); i++)
		CU_ASSERT_EQUAL(judge(26, 2.0f, rates[i].hz, 1, 0).expected_ns, rates[i].expected);
	expect_limit(26, 2.0f, 120, 0, 16666666);
	expect_limit(26, 2.0f, 90, 0, 22222222);
}

/* From 31 on it is the frame's own deadline, and the display's rate is of no interest. */
static void test_deadline(void)
{
	struct jankstats_verdict v = judge(31, 2.0f, 120, 40000000, 20000000);

	CU_ASSERT_TRUE(v.known && !v.janky);
	CU_ASSERT_EQUAL(v.expected_ns, 20000000);
	CU_ASSERT_EQUAL(v.overrun_ns, 20000000);
	expect_limit(31, 2.0f, 60, 8333333, 16666666);
	expect_limit(36, 2.0f, 60, 11111111, 22222222);
	/* 33333333 is 33333332 as a float, and 33333335 is 33333336. */
	expect_limit(31, 2.0f, 60, 33333333, 66666664);
	expect_limit(31, 2.0f, 60, 33333335, 66666672);
	/* Missed before it began: any frame is late. */
	v = judge(31, 2.0f, 60, 0, -1000000);
	CU_ASSERT_TRUE(v.known && v.janky);
	CU_ASSERT_EQUAL(v.expected_ns, -1000000);
	CU_ASSERT_EQUAL(v.overrun_ns, 1000000);
}

static void test_no_deadline(void)
{
	const struct lengths l = { .vsync = VSYNC, .delay = 5000000000, .gpu = 1000, .swap = 3000 };
	struct frame_slots s = finished_slots(23, &l);
	struct jankstats_verdict v;
	struct jankstats js;

	/* The platform has none: the product is too large for a long, and never reached. */
	s.ns[SLOT_FRAME_DEADLINE] = INT64_MAX;
	jankstats_init(&js, 31, 2.0f, 60);
	jankstats_judge(&js, &s, &v);
	CU_ASSERT_TRUE(v.known && !v.janky);
	CU_ASSERT_EQUAL(v.expected_ns, INT64_MAX - VSYNC);
	CU_ASSERT_EQUAL(v.overrun_ns, 5000003000 - (INT64_MAX - VSYNC));

	/* It was not seen: what does not depend on it is known all the same. */
	s.ns[SLOT_FRAME_DEADLINE] = 0;
	jankstats_init(&js, 31, 2.0f, 60);
	jankstats_judge(&js, &s, &v);
	CU_ASSERT_TRUE(!v.known && !v.janky && v.has_ui && v.has_start && v.has_cpu && v.has_total);
	CU_ASSERT_EQUAL(v.ui_ns, 5000000000);
	CU_ASSERT_EQUAL(v.start_ns, VSYNC);
	CU_ASSERT_EQUAL(v.cpu_ns, 5000003000 - 1000 + 3000);
	CU_ASSERT_EQUAL(v.total_ns, 5000003000);
	CU_ASSERT_EQUAL(v.expected_ns, 0);

	/* There is none before Android 12, whatever the slot holds. */
	s = finished_slots(17, &l);
	s.ns[SLOT_FRAME_DEADLINE] = INT64_MAX;
	jankstats_init(&js, 31, 2.0f, 60);
	jankstats_judge(&js, &s, &v);
	CU_ASSERT_TRUE(!v.known && v.has_ui);
}

/* Each of the six metrics is in it, the wait for the RenderThread and what follows are not. */
static void test_parts(void)
{
	const struct lengths l = { .vsync = VSYNC,
				   .delay = 1,
				   .input = 20,
				   .animation = 300,
				   .layout = 4000,
				   .draw = 50000,
				   .queue = 77777777,
				   .sync = 600000,
				   .issue = 7000000,
				   .swap = 80000000,
				   .gpu = 90000,
				   .deadline = 16000000 };
	const int64_t total = 654321 + 77777777 + 7000000 + 80000000;
	struct frame_slots s = finished_slots(16, &l);
	struct jankstats_verdict v;
	struct jankstats js;

	jankstats_init(&js, 28, 2.0f, 60);
	jankstats_judge(&js, &s, &v);
	CU_ASSERT_TRUE(v.known && !v.janky && v.has_start && v.has_cpu && !v.has_total);
	CU_ASSERT_EQUAL(v.start_ns, VSYNC);
	CU_ASSERT_EQUAL(v.ui_ns, 654321);
	CU_ASSERT_EQUAL(v.cpu_ns, total);

	s = finished_slots(24, &l);
	jankstats_init(&js, 36, 2.0f, 60);
	jankstats_judge(&js, &s, &v);
	CU_ASSERT_TRUE(v.known && !v.janky && v.has_cpu && v.has_total);
	CU_ASSERT_EQUAL(v.ui_ns, 654321);
	CU_ASSERT_EQUAL(v.cpu_ns, total - 90000 + 80000000);
	CU_ASSERT_EQUAL(v.total_ns, total);
	CU_ASSERT_EQUAL(v.overrun_ns, total - 16000000);
}

static void test_levels(void)
{
	struct jankstats_verdict v;

	for (unsigned api = 0; api < 24; api++) {
		v = judge(api, 2.0f, 60, 100000000, 0);
		CU_ASSERT_TRUE(!v.known && !v.has_ui && !v.has_start && !v.has_cpu);
		CU_ASSERT_EQUAL(v.ui_ns, 0);
	}
	/* Where it starts is asked of the Choreographer, which may be at another frame by then. */
	for (unsigned api = 24; api < 26; api++) {
		v = judge(api, 2.0f, 60, 100000000, 0);
		CU_ASSERT_TRUE(v.known && v.janky && v.has_ui && !v.has_start && v.has_cpu);
		CU_ASSERT_EQUAL(v.start_ns, 0);
	}
	v = judge(26, 2.0f, 60, 100000000, 0);
	CU_ASSERT_TRUE(v.known && v.janky && v.has_start && !v.has_total);
	v = judge(30, 2.0f, 60, 100000000, 0);
	CU_ASSERT_TRUE(v.known && v.janky && v.has_start && !v.has_total);
	v = judge(31, 2.0f, 60, 100000000, 16000000);
	CU_ASSERT_TRUE(v.known && v.janky && v.has_start && v.has_total && !v.has_cpu);
	/* A deadline that only these two do not ask for. */
	CU_ASSERT_FALSE(judge(31, 2.0f, 60, 40000000, 20000000).janky);
	CU_ASSERT_TRUE(judge(30, 2.0f, 60, 40000000, 20000000).janky);
}

static struct jankstats_verdict feed(struct jankstats *js, int64_t vsync, int64_t ui)
{
	const struct lengths l = { .vsync = vsync, .delay = ui };
	const struct frame_slots s = finished_slots(16, &l);
	struct jankstats_verdict v;

	jankstats_judge(js, &s, &v);
	return v;
}

/* A start is not before the end of the UI part before, which that moves on with it. */
static void test_clamp(void)
{
	static const struct {
		int64_t vsync, ui, start;
	} frames[] = {
		{ 1000, 30, 1000 }, { 1016, 30, 1030 }, /* to 1060 */
		{ 1032, 10, 1060 }, /* to 1070, though it was over at 1042 */
		{ 1048, 10, 1070 }, /* to 1080 */
		{ 1080, 10, 1080 }, /* as it ends */
		{ 1089, 10, 1090 }, /* one before */
		{ 1101, 10, 1101 }, /* one behind */
		{ 2000, 10, 2000 },
	};
	struct jankstats js;

	jankstats_init(&js, 26, 2.0f, 60);
	for (unsigned i = 0; i < sizeof(frames) / sizeof(*frames); i++) {
		struct jankstats_verdict v = feed(&js, frames[i].vsync, frames[i].ui);

		CU_ASSERT_TRUE(v.known && v.has_start);
		CU_ASSERT_EQUAL(v.start_ns, frames[i].start);
		CU_ASSERT_EQUAL(v.ui_ns, frames[i].ui);
	}
}

/* Only one without a length is known to have been there: the others are moved first. */
static void test_duplicates(void)
{
	struct jankstats_verdict v;
	struct jankstats js;

	jankstats_init(&js, 26, 2.0f, 60);
	CU_ASSERT_EQUAL(feed(&js, 1000, 30).start_ns, 1000);
	v = feed(&js, 1000, 30);
	CU_ASSERT_TRUE(v.known);
	CU_ASSERT_EQUAL(v.start_ns, 1030);

	v = feed(&js, 2000, 0);
	CU_ASSERT_TRUE(v.known && v.has_start);
	v = feed(&js, 2000, 0);
	CU_ASSERT_TRUE(!v.known && !v.has_ui && !v.has_start && !v.has_cpu);
	v = feed(&js, 2000, 50);
	CU_ASSERT_FALSE(v.known);
	v = feed(&js, 2001, 50);
	CU_ASSERT_TRUE(v.known);
	CU_ASSERT_EQUAL(v.start_ns, 2001);
}

/* Nothing there takes offence at a time that runs backwards. */
static void test_negative(void)
{
	struct jankstats_verdict v;
	struct jankstats js;

	jankstats_init(&js, 26, 2.0f, 60);
	v = feed(&js, 1000, -10);
	CU_ASSERT_TRUE(v.known && !v.janky);
	CU_ASSERT_EQUAL(v.ui_ns, -10);
	CU_ASSERT_EQUAL(v.cpu_ns, -10);
	CU_ASSERT_FALSE(feed(&js, 1000, 5).known);
	CU_ASSERT_EQUAL(feed(&js, 995, 5).start_ns, 995);
	/* The GPU's time may be anything. */
	const struct lengths l = { .vsync = 3000, .gpu = 9000, .swap = 100, .deadline = 1000 };
	const struct frame_slots s = finished_slots(22, &l);

	jankstats_init(&js, 31, 2.0f, 60);
	jankstats_judge(&js, &s, &v);
	CU_ASSERT_EQUAL(v.cpu_ns, 100 - 9000 + 100);
	CU_ASSERT_EQUAL(v.overrun_ns, -900);
	/* A deadline that makes no difference that a long can hold: it wraps. */
	struct frame_slots wrong = s;

	wrong.ns[SLOT_FRAME_DEADLINE] = INT64_MIN;
	wrong.known |= 1u << SLOT_FRAME_DEADLINE;
	jankstats_init(&js, 31, 2.0f, 60);
	jankstats_judge(&js, &wrong, &v);
	CU_ASSERT_EQUAL(v.expected_ns, INT64_MAX - 2999);
	CU_ASSERT_EQUAL(v.overrun_ns, v.total_ns - v.expected_ns);
}

static void test_unknown(void)
{
	static const enum frame_slot needed[] = {
		SLOT_INTENDED_VSYNC,  SLOT_HANDLE_INPUT_START,
		SLOT_ANIMATION_START, SLOT_PERFORM_TRAVERSALS_START,
		SLOT_DRAW_START,      SLOT_SYNC_QUEUED,
		SLOT_SYNC_START,      SLOT_ISSUE_DRAW_COMMANDS_START,
	};
	const struct lengths l = { .vsync = 2000, .delay = 10, .deadline = 100, .gpu = 5 };
	struct jankstats_verdict v;
	struct frame_slots s;
	struct jankstats js;

	jankstats_init(&js, 31, 2.0f, 60);
	for (unsigned i = 0; i < sizeof(needed) / sizeof(*needed); i++) {
		s = finished_slots(23, &l);
		s.known &= ~(1u << needed[i]);
		jankstats_judge(&js, &s, &v);
		CU_ASSERT_TRUE(!v.known && !v.has_ui && !v.has_start && !v.has_cpu && !v.has_total);
		CU_ASSERT_EQUAL(v.ui_ns, 0);
	}
	/* They have moved nothing. */
	s = finished_slots(23, &l);
	jankstats_judge(&js, &s, &v);
	CU_ASSERT_EQUAL(v.start_ns, 2000);

	/* What the verdict does not need. */
	s.known &= ~(1u << SLOT_GPU_COMPLETED);
	jankstats_judge(&js, &s, &v);
	CU_ASSERT_TRUE(v.known && v.has_total && !v.has_cpu);
	CU_ASSERT_EQUAL(v.start_ns, 2010);
	s.known &= ~(1u << SLOT_FRAME_COMPLETED);
	jankstats_judge(&js, &s, &v);
	CU_ASSERT_TRUE(v.known && v.has_ui && !v.has_total && !v.has_cpu);
}

int main(void)
{
	static const struct check_case cases[] = {
		{ "interval", test_interval },
		{ "multiplier", test_multiplier },
		{ "rates", test_rates },
		{ "deadline", test_deadline },
		{ "no_deadline", test_no_deadline },
		{ "parts", test_parts },
		{ "levels", test_levels },
		{ "clamp", test_clamp },
		{ "duplicates", test_duplicates },
		{ "negative", test_negative },
		{ "unknown", test_unknown },
		{ NULL, NULL },
	};

	return check_main("jankstats", cases);
}
