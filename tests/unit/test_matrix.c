/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Matrix's verdicts and windows. Expected values come from exact fractions that were rounded to
 * floats, step by step, by another program; what they would be without that is said beside them.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "finished.h"
#include "judge/java.h"
#include "judge/matrix.h"

#define MS INT64_C(1000000)

static struct frame_slots frame_of(int64_t total)
{
	const struct lengths l = { .vsync = 1000, .total = total };

	return finished_slots(23, &l);
}

static struct matrix_verdict judge(int64_t total, float hz)
{
	const struct frame_slots s = frame_of(total);
	struct matrix_verdict v;

	matrix_judge(&matrix_default, &s, hz, &v);
	return v;
}

static void test_round(void)
{
	static const struct {
		float value;
		int32_t rounded;
	} rounds[] = {
		{ 0, 0 },
		{ 0.25f, 0 },
		{ 0x1.fffffep-2f, 0 },
		{ 0.5f, 1 },
		{ 1.5f, 2 },
		{ 2.5f, 3 },
		{ 0x1.3ffffep1f, 2 },
		{ -0.5f, 0 },
		{ -0x1.000002p-1f, -1 },
		{ -1.5f, -1 },
		{ -2.5f, -2 },
		{ 8388607.5f, 8388608 },
		{ 0x1p24f, 1 << 24 },
		{ 1e30f, INT32_MAX },
		{ -1e30f, INT32_MIN },
		{ INFINITY, INT32_MAX },
		{ NAN, 0 },
	};

	for (unsigned i = 0; i < sizeof(rounds) / sizeof(*rounds); i++)
		CU_ASSERT_EQUAL(java_round(rounds[i].value), rounds[i].rounded);
	CU_ASSERT_EQUAL(java_long(0x1p63f), INT64_MAX);
	CU_ASSERT_EQUAL(java_long(0x1.fffffep62f), INT64_C(0x7fffff8000000000));
	CU_ASSERT_EQUAL(java_long(-0x1p63f), INT64_MIN);
	CU_ASSERT_EQUAL(java_long(-INFINITY), INT64_MIN);
	CU_ASSERT_EQUAL(java_long(-1.9f), -1);
	CU_ASSERT_EQUAL(java_long(NAN), 0);
	CU_ASSERT_EQUAL(java_int(59.99f), 59);
}

static void test_dropped(void)
{
	CU_ASSERT_EQUAL(judge(0, 60).dropped, 0);
	CU_ASSERT_EQUAL(judge(16666667, 60).dropped, 0);
	CU_ASSERT_EQUAL(judge(16666668, 60).dropped, 1 / 16666667.0f);
	CU_ASSERT_EQUAL(judge(33333334, 60).dropped, 1);
	/* The next float is 17000000, its interval 16666667: 0.019999979063868523. */
	CU_ASSERT_EQUAL(judge(17000001, 60).dropped, 0x1.47adfep-6f);
	CU_ASSERT_EQUAL(judge(17000000, 60).dropped, 0x1.47adfep-6f);
	/* A rate that is nearly 60 Hz has another interval: 16666666. */
	CU_ASSERT_EQUAL(judge(16666667, 60.000004f).dropped, 1 / 16666666.0f);
	/* 8333333.5 is a float, and an odd number less as half of a frame. */
	CU_ASSERT_EQUAL(judge(8333333, 120).dropped, 0);
	CU_ASSERT_EQUAL(judge(8333334, 120).dropped, 0.5f / 8333333.5f);
	CU_ASSERT_EQUAL(judge(16666667, 120).dropped, 1);
	CU_ASSERT_EQUAL(judge(6944444, 144).dropped, 0);
	CU_ASSERT_EQUAL(judge(6944445, 144).dropped, 0.5f / 6944444.5f);
	CU_ASSERT_EQUAL(judge(22222222, 90).dropped, 1);
}

/* The shortest frame of each level, and the one that is a nanosecond shorter. */
static void test_levels(void)
{
	static const struct {
		float hz;
		int64_t first[MATRIX_LEVEL_NR];
	} rates[] = {
		/* Of whole numbers these would be 58333333.3, 158333333.3, 408333333.3, ... */
		{ 60, { 0, 58333334, 158333336, 408333329, 708333345 } },
		{ 90, { 0, 38888891, 105555548, 272222192, 472222192 } },
		{ 120, { 0, 29166667, 79166668, 204166665, 354166673 } },
		{ 144, { 0, 24305555, 65972219, 170138889, 295138897 } },
	};

	for (unsigned i = 0; i < sizeof(rates) / sizeof(*rates); i++) {
		for (unsigned level = MATRIX_NORMAL; level < MATRIX_LEVEL_NR; level++) {
			int64_t first = rates[i].first[level];
			struct matrix_verdict v = judge(first, rates[i].hz);

			CU_ASSERT_TRUE(v.known);
			CU_ASSERT_EQUAL(v.level, level);
			v = judge(first - 1, rates[i].hz);
			CU_ASSERT_TRUE(v.known);
			CU_ASSERT_EQUAL(v.level, level - 1);
		}
	}
	/* Half a frame is none of any level, and one in the sum: 25000001 is 25000000 as a float.
	 */
	CU_ASSERT_EQUAL(java_round(judge(25000001, 60).dropped), 0);
	CU_ASSERT_EQUAL(java_round(judge(25000002, 60).dropped), 1);
	CU_ASSERT_EQUAL(java_round(judge(12500000, 120).dropped), 0);
	CU_ASSERT_EQUAL(java_round(judge(12500001, 120).dropped), 1);
}

static void test_thresholds(void)
{
	static const struct {
		int32_t dropped;
		enum matrix_level level;
	} usual[] = {
		{ -1, MATRIX_BEST },   { 0, MATRIX_BEST },           { 2, MATRIX_BEST },
		{ 3, MATRIX_NORMAL },  { 8, MATRIX_NORMAL },         { 9, MATRIX_MIDDLE },
		{ 23, MATRIX_MIDDLE }, { 24, MATRIX_HIGH },          { 41, MATRIX_HIGH },
		{ 42, MATRIX_FROZEN }, { INT32_MAX, MATRIX_FROZEN },
	};
	const struct matrix_config lower = { .least = { 0, 1, 2, 4, 8 } };
	/* Out of order: what is asked first wins. */
	const struct matrix_config odd = { .least = { 0, 20, 10, 30, 5 } };

	for (unsigned i = 0; i < sizeof(usual) / sizeof(*usual); i++)
		CU_ASSERT_EQUAL(matrix_level(&matrix_default, usual[i].dropped), usual[i].level);
	for (int32_t dropped = 0; dropped < 20; dropped++) {
		CU_ASSERT_EQUAL(matrix_level(&lower, dropped), dropped >= 8   ? MATRIX_FROZEN
							       : dropped >= 4 ? MATRIX_HIGH
							       : dropped >= 2 ? MATRIX_MIDDLE
							       : dropped >= 1 ? MATRIX_NORMAL
									      : MATRIX_BEST);
		CU_ASSERT_EQUAL(matrix_level(&odd, dropped),
				dropped >= 5 ? MATRIX_FROZEN : MATRIX_BEST);
	}

	const struct frame_slots s = frame_of(58333333); /* 2.4999998 */
	struct matrix_verdict v;

	matrix_judge(&lower, &s, 60, &v);
	CU_ASSERT_EQUAL(v.level, MATRIX_MIDDLE);
	CU_ASSERT_STRING_EQUAL(matrix_level_name(MATRIX_BEST), "DROPPED_BEST");
	CU_ASSERT_STRING_EQUAL(matrix_level_name(MATRIX_FROZEN), "DROPPED_FROZEN");
}

static void test_validity(void)
{
	const int64_t limit = INT64_C(4611686018427387903);
	const struct lengths right = { .vsync = 1000,
				       .delay = 1,
				       .input = 1,
				       .animation = 1,
				       .layout = 1,
				       .draw = 1,
				       .sync = 1,
				       .issue = 1,
				       .swap = 1,
				       .gpu = 1,
				       .deadline = 1 };
	static const float no_rates[] = { 0, -60, INFINITY, NAN };
	struct matrix_verdict v;
	struct frame_slots s = finished_slots(23, &right);

	matrix_judge(&matrix_default, &s, 60, &v);
	CU_ASSERT_TRUE(v.known);
	for (unsigned i = 0; i < sizeof(no_rates) / sizeof(*no_rates); i++) {
		matrix_judge(&matrix_default, &s, no_rates[i], &v);
		CU_ASSERT_FALSE(v.known);
	}
	/* Each of the nine, and only these: 0 is as good as any, less is not. */
	for (unsigned i = 0; i < 8; i++) {
		struct lengths l = right;
		int64_t *parts[] = { &l.delay, &l.input, &l.animation, &l.layout,
				     &l.draw,  &l.sync,  &l.issue,     &l.swap };

		for (int64_t length = -1; length <= 0; length++) {
			*parts[i] = length;
			s = finished_slots(23, &l);
			matrix_judge(&matrix_default, &s, 60, &v);
			CU_ASSERT_EQUAL(v.known, length == 0);
		}
	}
	for (int64_t length = -1; length <= 0; length++) {
		s.ns[SLOT_FRAME_COMPLETED] = s.ns[SLOT_INTENDED_VSYNC] + length;
		matrix_judge(&matrix_default, &s, 60, &v);
		CU_ASSERT_EQUAL(v.known, length == 0);
	}
	s = finished_slots(23, &right);
	s.known &= ~(1u << SLOT_GPU_COMPLETED | 1u << SLOT_FRAME_DEADLINE);
	matrix_judge(&matrix_default, &s, 60, &v);
	CU_ASSERT_TRUE(v.known);
	for (unsigned slot = SLOT_INTENDED_VSYNC; slot < SLOT_NR; slot++) {
		struct frame_slots lacking = s;
		bool needed = slot == SLOT_INTENDED_VSYNC || slot == SLOT_HANDLE_INPUT_START ||
			      slot == SLOT_ANIMATION_START ||
			      slot == SLOT_PERFORM_TRAVERSALS_START || slot == SLOT_DRAW_START ||
			      slot == SLOT_SYNC_QUEUED || slot == SLOT_SYNC_START ||
			      slot == SLOT_ISSUE_DRAW_COMMANDS_START || slot == SLOT_SWAP_BUFFERS ||
			      slot == SLOT_SWAP_BUFFERS_COMPLETED || slot == SLOT_FRAME_COMPLETED;

		lacking.known &= ~(1u << slot);
		matrix_judge(&matrix_default, &lacking, 60, &v);
		CU_ASSERT_EQUAL(v.known, !needed);
	}
	/* Half of the largest is too long. */
	v = judge(limit - 1, 60);
	CU_ASSERT_TRUE(v.known && v.level == MATRIX_FROZEN);
	CU_ASSERT_FALSE(judge(limit, 60).known);
	CU_ASSERT_FALSE(judge(-1, 60).known);
}

/* Frames of one length each at one rate, 16 ms apart from `at` on. True if one ended a window. */
static bool feed(struct matrix_window *w, unsigned nr, int64_t total, float hz, uint64_t at,
		 struct matrix_report *r)
{
	const struct frame_slots s = frame_of(total);
	bool ended = false;

	for (unsigned i = 0; i < nr; i++)
		ended |= matrix_window_add(w, &s, hz, at + i * 16 * (uint64_t)MS, r);
	return ended;
}

static void test_figures(void)
{
	static const struct {
		struct {
			unsigned nr;
			int64_t total;
			float hz;
		} parts[2];
		int32_t frames;
		float fps;
		int32_t dropped, refresh_hz;
		int32_t level[MATRIX_LEVEL_NR];
		int64_t sum[MATRIX_LEVEL_NR];
	} runs[] = {
		{ { { 21, 10000001, 60 } }, 21, 60, 0, 60, { 21 }, { 0 } },
		/* So many sums are 22 us short: without rounding 59.999999. */
		{ { { 601, 10000001, 60 } }, 601, 0x1.e00044p5f, 0, 60, { 601 }, { 0 } },
		{ { { 589, 17000001, 60 } }, 589, 0x1.d6967ap5f, 0, 60, { 589 }, { 0 } },
		{ { { 601, 8000000, 120 } }, 601, 0x1.e00044p6f, 0, 120, { 601 }, { 0 } },
		/* Cut off, where the figure of dropped frames is rounded. */
		{ { { 30, 10000000, 59.94f } }, 30, 0x1.df8518p5f, 0, 59, { 30 }, { 0 } },
		/* A display that changes its rate: each frame has its own interval. */
		{ { { 10, 10000000, 60 }, { 11, 10000000, 120 } },
		  21,
		  0x1.2f9d4cp6f,
		  0,
		  91,
		  { 21 },
		  { 0 } },
		{ { { 10, 10000000, 90 }, { 11, 30000000, 144 } },
		  21,
		  0x1.7cdb4p5f,
		  2,
		  118,
		  { 10, 11 },
		  { 0, 33 } },
		/* On average 0.50000006, then 0.49999997: 25000001 is 25000000. */
		{ { { 30, 25000002, 60 } }, 30, 0x1.3ffffep5f, 1, 60, { 30 }, { 30 } },
		{ { { 30, 25000001, 60 } }, 30, 40, 0, 60, { 30 }, { 0 } },
		/* A third of the frames drops one: rounded it is none. */
		{ { { 10, 35000000, 60 }, { 20, 10000000, 60 } },
		  30,
		  0x1.5f383p5f,
		  0,
		  60,
		  { 30 },
		  { 10 } },
		{ { { 10, 200000000, 60 }, { 20, 1000000000, 60 } },
		  30,
		  0x1.5d174cp0f,
		  43,
		  60,
		  { 0, 0, 10, 0, 20 },
		  { 0, 0, 110, 0, 1180 } },
	};

	for (unsigned i = 0; i < sizeof(runs) / sizeof(*runs); i++) {
		struct matrix_report r;
		struct matrix_window w;

		matrix_window_init(&w, &matrix_default, 30, "scene");
		for (unsigned part = 0; part < 2; part++)
			CU_ASSERT_FALSE(feed(&w, runs[i].parts[part].nr, runs[i].parts[part].total,
					     runs[i].parts[part].hz, 5000, &r));
		CU_ASSERT_TRUE_FATAL(matrix_window_flush(&w, &r));
		CU_ASSERT_EQUAL(r.frames, runs[i].frames);
		CU_ASSERT_EQUAL(r.fps, runs[i].fps);
		CU_ASSERT_EQUAL(r.dropped, runs[i].dropped);
		CU_ASSERT_EQUAL(r.refresh_hz, runs[i].refresh_hz);
		for (unsigned level = 0; level < MATRIX_LEVEL_NR; level++) {
			CU_ASSERT_EQUAL(r.level[level], runs[i].level[level]);
			CU_ASSERT_EQUAL(r.sum[level], runs[i].sum[level]);
		}
		CU_ASSERT_STRING_EQUAL(r.scene, "scene");
		CU_ASSERT_EQUAL(r.begin_ns, 5000);
	}
}

static void test_averages(void)
{
	const struct lengths a = { .vsync = 1000,
				   .delay = 1,
				   .input = 2,
				   .animation = 3,
				   .layout = 4,
				   .draw = 5,
				   .queue = 50,
				   .sync = 6,
				   .issue = 7,
				   .swap = 8,
				   .gpu = 20,
				   .total = 100 };
	const struct lengths b = { .vsync = 1000,
				   .delay = 2,
				   .input = 4,
				   .animation = 6,
				   .layout = 8,
				   .draw = 10,
				   .queue = 0,
				   .sync = 12,
				   .issue = 14,
				   .swap = 16,
				   .gpu = 40,
				   .total = 201 };
	/* 20 of the first and 2 of the second kind, the fraction cut off: 24/22, ... 2402/22. */
	static const int64_t expected[] = { 1, 2, 3, 4, 5, 6, 7, 8, 109 };
	const struct frame_slots first = finished_slots(24, &a);
	struct frame_slots second = finished_slots(24, &b);
	struct matrix_report r;
	struct matrix_window w;

	for (unsigned turn = 0; turn < 3; turn++) {
		/* The GPU's time is there from API level 31 on, if it is known of each frame. */
		if (turn == 2)
			second.known &= ~(1u << SLOT_GPU_COMPLETED);
		matrix_window_init(&w, &matrix_default, turn ? 31 : 30, "scene");
		for (unsigned i = 0; i < 22; i++)
			matrix_window_add(&w, i < 20 ? &first : &second, 60, 1000 + i, &r);
		CU_ASSERT_TRUE_FATAL(matrix_window_flush(&w, &r));
		for (unsigned i = 0; i < 9; i++)
			CU_ASSERT_EQUAL(r.average_ns[i], expected[i]);
		CU_ASSERT_EQUAL(r.has_gpu, turn == 1);
		CU_ASSERT_EQUAL(r.gpu_ns, turn == 1 ? 480 / 22 : 0);
		CU_ASSERT_EQUAL(r.begin_ns, 1000);
		CU_ASSERT_EQUAL(r.end_ns, 1021);
	}
}

/* More than 20, or they are forgotten. */
static void test_few(void)
{
	struct matrix_report r = { .frames = -1 };
	struct matrix_window w;

	matrix_window_init(&w, &matrix_default, 31, "scene");
	CU_ASSERT_FALSE(matrix_window_flush(&w, &r));
	feed(&w, 20, 10 * MS, 60, 0, &r);
	CU_ASSERT_FALSE(matrix_window_flush(&w, &r));
	/* Nothing is left of these. */
	feed(&w, 1, 10 * MS, 60, 0, &r);
	CU_ASSERT_FALSE(matrix_window_flush(&w, &r));
	feed(&w, 20, 10 * MS, 60, 0, &r);
	CU_ASSERT_FALSE(feed(&w, 1, -1, 60, 0, &r)); /* none that counts */
	CU_ASSERT_FALSE(feed(&w, 1, 10 * MS, 0, 0, &r));
	CU_ASSERT_FALSE(matrix_window_flush(&w, &r));
	CU_ASSERT_EQUAL(r.frames, -1);
	feed(&w, 21, 10 * MS, 60, 0, &r);
	CU_ASSERT_TRUE(matrix_window_flush(&w, &r));
	CU_ASSERT_EQUAL(r.frames, 21);
	CU_ASSERT_FALSE(matrix_window_flush(&w, &r));

	/* The same at its 10 s. */
	feed(&w, 19, 10 * MS, 60, 0, &r);
	CU_ASSERT_FALSE(feed(&w, 1, 10 * MS, 60, 10000 * MS, &r));
	feed(&w, 20, 10 * MS, 60, 20000 * MS, &r);
	CU_ASSERT_TRUE(feed(&w, 1, 10 * MS, 60, 30000 * MS, &r));
	CU_ASSERT_EQUAL(r.frames, 21);
	CU_ASSERT_EQUAL(r.begin_ns, 20000 * MS);
}

/* 10 s from the first frame on, in whole milliseconds of the clock; who ends it is in it. */
static void test_window(void)
{
	static const struct {
		uint64_t first, last;
		bool ended;
	} edges[] = {
		{ 1000000000, 10999999999, false }, { 1000000000, 11000000000, true },
		{ 1000999999, 11000000000, true },  { 1000999999, 10999999999, false },
		{ 1000999999, 25000000000, true },
	};
	struct matrix_report r;
	struct matrix_window w;

	for (unsigned i = 0; i < sizeof(edges) / sizeof(*edges); i++) {
		matrix_window_init(&w, &matrix_default, 31, "scene");
		CU_ASSERT_FALSE(feed(&w, 25, 10 * MS, 60, edges[i].first, &r));
		CU_ASSERT_EQUAL(feed(&w, 1, 50 * MS, 60, edges[i].last, &r), edges[i].ended);
		if (!edges[i].ended)
			continue;
		CU_ASSERT_EQUAL(r.frames, 26);
		CU_ASSERT_EQUAL(r.level[MATRIX_BEST], 26);
		CU_ASSERT_EQUAL(r.sum[MATRIX_BEST], 2);
		CU_ASSERT_EQUAL(r.begin_ns, edges[i].first);
		CU_ASSERT_EQUAL(r.end_ns, edges[i].last);
		/* The next frame begins the next one. */
		CU_ASSERT_FALSE(feed(&w, 21, 10 * MS, 60, 12345, &r));
		CU_ASSERT_TRUE(matrix_window_flush(&w, &r));
		CU_ASSERT_EQUAL(r.frames, 21);
		CU_ASSERT_EQUAL(r.begin_ns, 12345);
	}
	/* A clock that goes back ends nothing. */
	matrix_window_init(&w, &matrix_default, 31, "scene");
	feed(&w, 25, 10 * MS, 60, 20000000000, &r);
	CU_ASSERT_FALSE(feed(&w, 1, 10 * MS, 60, 1000, &r));
}

int main(void)
{
	static const struct check_case cases[] = {
		{ "round", test_round },       { "dropped", test_dropped },
		{ "levels", test_levels },     { "thresholds", test_thresholds },
		{ "validity", test_validity }, { "figures", test_figures },
		{ "averages", test_averages }, { "few", test_few },
		{ "window", test_window },     { NULL, NULL },
	};

	return check_main("matrix", cases);
}
