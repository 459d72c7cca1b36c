/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What the vsyncs and waits of made-up frames tell of the display that they
 * were made up for. */
#include "judge/calibration.h"

#include <string.h>

#include "unit/jank_frames.h"

static struct calibration c;

/* Not `rand()`, which differs by library. */
static uint64_t state;

static int64_t jitter(int64_t most)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return (int64_t)((state >> 33) % (uint64_t)(2 * most + 1)) - most;
}

static void begin(void)
{
	memset(&c, 0, sizeof(c));
	state = 1;
}

static void vsync(int64_t at)
{
	static const struct parts parts = { .ui = MS, .draw = MS };
	const struct frame_slots s = make_slots(11, at, &parts);

	calibration_add(&c, &s);
}

/* At the n-th multiples of the interval, off by no more than that. */
static void vsyncs(double interval, const unsigned *multiples, unsigned nr, int64_t off)
{
	for (unsigned i = 0; i < nr; i++)
		vsync(BOOT + (int64_t)(interval * multiples[i]) + jitter(off));
}

static const struct {
	double hz;
	int64_t interval_ns;
} displays[] = {
	{ 60, 16666666 }, { 90, 11111111 },    { 120, 8333333 },
	{ 144, 6944444 }, { 59.94, 16666666 }, { 119.88, 8333333 },
};

#define DISPLAYS (sizeof(displays) / sizeof(*displays))

/* An app that now and then draws nothing for a while. */
static void test_rates(void)
{
	for (unsigned i = 0; i < DISPLAYS; i++) {
		for (int64_t off = 0; off <= 100000; off += 50000) {
			unsigned multiples[100], at = 0;

			for (unsigned n = 0; n < 100; n++)
				multiples[n] = at += n % 17 == 3 ? 40 : n % 7 == 2 ? 3 : 1;
			begin();
			vsyncs(1e9 / displays[i].hz, multiples, 100, off);
			CU_ASSERT_EQUAL(calibration_interval(&c), displays[i].interval_ns);
		}
	}
}

/* A display of no usual rate is taken for what it is. */
static void test_odd_rate(void)
{
	unsigned multiples[20];

	for (unsigned n = 0; n < 20; n++)
		multiples[n] = n;
	begin();
	vsyncs(15000000, multiples, 20, 0);
	CU_ASSERT_EQUAL(calibration_interval(&c), 15000000);
}

/* Windows finish in any order, and each may draw what it wants of the same
 * vsyncs. */
static void test_windows(void)
{
	for (unsigned i = 0; i < DISPLAYS; i++) {
		double interval = 1e9 / displays[i].hz;

		begin();
		for (unsigned n = 0; n < 60; n++) {
			unsigned late = n ? n - 1 : 0;

			vsyncs(interval, (unsigned[]){ n, n, late }, 3, 50000);
			if (n % 3 == 0)
				vsyncs(interval, (unsigned[]){ n }, 1, 50000);
		}
		CU_ASSERT_EQUAL(calibration_interval(&c), displays[i].interval_ns);
	}
	/* of dumps: all of one window, then all of another, from before on */
	begin();
	for (unsigned window = 0; window < 3; window++)
		for (unsigned n = 0; n < 10; n++)
			vsync(BOOT + (int64_t)n * HZ90);
	CU_ASSERT_EQUAL(calibration_interval(&c), HZ90);
}

/* Who draws at every other vsync looks like a display that slow; one frame in
 * ten tells. */
static void test_every_other(void)
{
	unsigned multiples[100];

	for (unsigned n = 0; n < 100; n++)
		multiples[n] = 2 * n;
	begin();
	vsyncs(1e9 / 120, multiples, 100, 0);
	CU_ASSERT_EQUAL(calibration_interval(&c), 16666666);
	for (unsigned n = 50; n < 100; n++)
		multiples[n]++;
	begin();
	vsyncs(1e9 / 120, multiples, 100, 0);
	CU_ASSERT_EQUAL(calibration_interval(&c), 16666666);
	/* one interval long, it is the least */
	for (unsigned n = 50; n < 100; n++)
		multiples[n] -= 2;
	begin();
	vsyncs(1e9 / 120, multiples, 100, 0);
	CU_ASSERT_EQUAL(calibration_interval(&c), 8333333);
}

static void test_too_few(void)
{
	unsigned multiples[10];

	for (unsigned n = 0; n < 10; n++)
		multiples[n] = n;
	begin();
	CU_ASSERT_EQUAL(calibration_interval(&c), 0);
	/* eight steps are between nine vsyncs */
	vsyncs(1e9 / 60, multiples, 8, 0);
	CU_ASSERT_EQUAL(calibration_interval(&c), 0);
	begin();
	vsyncs(1e9 / 60, multiples, 9, 0);
	CU_ASSERT_EQUAL(calibration_interval(&c), HZ60);
	/* pauses tell nothing */
	begin();
	for (unsigned n = 0; n < 10; n++)
		multiples[n] = n < 5 ? n : 40 * n;
	vsyncs(1e9 / 60, multiples, 10, 0);
	CU_ASSERT_EQUAL(calibration_interval(&c), 0);
}

static void test_garbage(void)
{
	struct frame_slots s = { .layout = 17 };
	int64_t at = BOOT;

	/* steps of any length */
	begin();
	for (unsigned n = 0; n < 600; n++)
		vsync(at += 4 * MS + jitter(4 * MS) * 4);
	CU_ASSERT_EQUAL(calibration_interval(&c), 0);
	/* one in twenty: more than one in ten can't be explained by its length */
	begin();
	for (unsigned n = 0; n < 200; n++)
		vsync(at += n % 20 == 0 ? 3500000 : HZ60);
	CU_ASSERT_EQUAL(calibration_interval(&c), 0);
	/* frames without a vsync */
	begin();
	for (unsigned n = 0; n < 600; n++) {
		s.ns[SLOT_INTENDED_VSYNC] = BOOT + n * HZ60;
		calibration_add(&c, &s);
	}
	CU_ASSERT_EQUAL(c.nr_steps, 0);
	CU_ASSERT_EQUAL(calibration_interval(&c), 0);
	/* no vsync stands still, and none is before it */
	for (unsigned n = 0; n < 600; n++)
		vsync(BOOT);
	for (int64_t n = 600; n; n--)
		vsync(n * HZ60);
	CU_ASSERT_EQUAL(calibration_interval(&c), 0);
}

/* A frame whose wait for a buffer ended that long after its vsync. */
static void waited(unsigned android, int64_t at, int64_t end, int64_t wait, int64_t interval)
{
	const struct parts parts = {
		.ui = MS, .sync = 1500000, .draw = 6 * MS, .dequeue = wait, .interval = interval
	};
	struct frame_slots s = make_slots(android, at, &parts);

	set_slot(&s, SLOT_ISSUE_DRAW_COMMANDS_START, at + end - wait);
	calibration_add(&c, &s);
}

/* Whichever vsync the compositor was waited for, it latches that long after
 * one. */
static void test_offset(void)
{
	for (unsigned android = 11; android <= 12; android++) {
		int64_t offset = -1;

		begin();
		for (unsigned n = 0; n < 33; n++) {
			int64_t at = BOOT + n * HZ120;

			waited(android, at, 2500000 + jitter(300000) + n % 3 * HZ120, 2 * MS,
			       HZ120);
		}
		CU_ASSERT_TRUE(calibration_offset(&c, &offset));
		CU_ASSERT_TRUE(offset >= 2400000 && offset <= 2600000);
	}
}

/* Of each frame by the interval that it has; without one, by the display's. */
static void test_offset_intervals(void)
{
	int64_t offset = -1;

	begin();
	for (unsigned n = 0; n < 10; n++)
		waited(12, BOOT + n * 5 * SECOND, 2 * HZ120 + MS, 3 * MS, HZ120);
	for (unsigned n = 0; n < 11; n++)
		waited(12, BOOT + n * 7 * SECOND, 3 * HZ90 + 2 * MS, 3 * MS, HZ90);
	CU_ASSERT_EQUAL(calibration_interval(&c), 0);
	CU_ASSERT_TRUE(calibration_offset(&c, &offset));
	CU_ASSERT_EQUAL(offset, 2 * MS);
	/* and if that is not known, by none */
	begin();
	for (unsigned n = 0; n < 20; n++)
		waited(11, BOOT + n * 5 * SECOND, 2 * HZ120 + MS, 3 * MS, 0);
	CU_ASSERT_FALSE(calibration_offset(&c, &offset));
}

static void test_offset_too_few(void)
{
	int64_t offset = -1;

	begin();
	CU_ASSERT_FALSE(calibration_offset(&c, &offset));
	for (unsigned n = 0; n < 7; n++)
		waited(12, BOOT + n * HZ60, 3 * MS, 2 * MS, HZ60);
	/* shorter ones have waited for something else */
	for (unsigned n = 7; n < 100; n++)
		waited(12, BOOT + n * HZ60, 5 * MS, 2 * MS - 1, HZ60);
	CU_ASSERT_FALSE(calibration_offset(&c, &offset));
	CU_ASSERT_EQUAL(offset, -1);
	waited(12, BOOT + 200 * HZ60, 3 * MS, 2 * MS, HZ60);
	CU_ASSERT_TRUE(calibration_offset(&c, &offset));
	CU_ASSERT_EQUAL(offset, 3 * MS);
}

/* An app that draws a clock says nothing of the display. */
static void test_slow_app(void)
{
	begin();
	for (unsigned n = 0; n < 100; n++)
		vsync(BOOT + n * SECOND);
	CU_ASSERT_EQUAL(calibration_interval(&c), 0);
	begin();
	for (unsigned n = 0; n < 100; n++)
		vsync(BOOT + n * 3 * HZ60);
	CU_ASSERT_EQUAL(calibration_interval(&c), 0);
	begin();
	for (unsigned n = 0; n < 100; n++)
		vsync(BOOT + n * 41666666);
	CU_ASSERT_EQUAL(calibration_interval(&c), 41666666);
}

/* Times as far apart as there are, of a file that may have any. */
static void test_extremes(void)
{
	struct frame_slots s = { .layout = 22, .known = 1u << SLOT_INTENDED_VSYNC };
	int64_t offset;

	begin();
	for (unsigned n = 0; n < 20; n++) {
		s.ns[SLOT_INTENDED_VSYNC] = n % 2 ? INT64_MAX - 1 : 1;
		calibration_add(&c, &s);
	}
	s.known = 0;
	s.ns[SLOT_INTENDED_VSYNC] = INT64_MIN;
	calibration_add(&c, &s);
	CU_ASSERT_EQUAL(calibration_interval(&c), 0);
	for (unsigned n = 0; n < 20; n++)
		waited(12, BOOT, INT64_MAX - 2 * BOOT, SECOND, HZ60);
	CU_ASSERT_TRUE(calibration_offset(&c, &offset));
	s = make_slots(12, 1, &(struct parts){ .ui = MS, .dequeue = 3 * MS, .interval = HZ60 });
	set_slot(&s, SLOT_ISSUE_DRAW_COMMANDS_START, INT64_MAX - 1);
	calibration_add(&c, &s);
	CU_ASSERT_TRUE(calibration_offset(&c, &offset));
}

/* A wait is of no use whose end, or the vsync before it, is not known. */
static void test_offset_unknown(void)
{
	const struct parts parts = { .ui = MS, .draw = MS, .dequeue = 3 * MS, .interval = HZ60 };
	int64_t offset;

	begin();
	for (unsigned n = 0; n < 20; n++) {
		struct frame_slots s = make_slots(12, BOOT + n * HZ60, &parts);

		set_slot(&s, n % 2 ? SLOT_VSYNC : SLOT_ISSUE_DRAW_COMMANDS_START, 0);
		calibration_add(&c, &s);
	}
	CU_ASSERT_FALSE(calibration_offset(&c, &offset));
}

static void test_full(void)
{
	begin();
	for (unsigned n = 0; n < CALIBRATION_SAMPLES; n++) {
		vsync(BOOT + n * HZ60);
		CU_ASSERT_FALSE(calibration_full(&c, false));
	}
	vsync(BOOT + CALIBRATION_SAMPLES * HZ60);
	CU_ASSERT_TRUE(calibration_full(&c, false));
	/* frames that waited for a buffer may still come */
	CU_ASSERT_FALSE(calibration_full(&c, true));
	for (unsigned n = 0; n < 8; n++)
		waited(12, BOOT + n * HZ60, 3 * MS, 2 * MS, HZ60);
	CU_ASSERT_TRUE(calibration_full(&c, true));
	/* any further ones have no room */
	for (unsigned n = 0; n < 2 * CALIBRATION_SAMPLES; n++)
		waited(12, BOOT + n * HZ60, 3 * MS, 2 * MS, HZ60);
	CU_ASSERT_EQUAL(c.nr_steps, CALIBRATION_SAMPLES);
	CU_ASSERT_EQUAL(c.nr_dequeues, CALIBRATION_SAMPLES);
	CU_ASSERT_EQUAL(calibration_interval(&c), HZ60);
}

int main(void)
{
	static const struct check_case cases[] = {
		{ "rates", test_rates },
		{ "odd_rate", test_odd_rate },
		{ "windows", test_windows },
		{ "every_other", test_every_other },
		{ "too_few", test_too_few },
		{ "garbage", test_garbage },
		{ "offset", test_offset },
		{ "offset_intervals", test_offset_intervals },
		{ "offset_too_few", test_offset_too_few },
		{ "slow_app", test_slow_app },
		{ "extremes", test_extremes },
		{ "offset_unknown", test_offset_unknown },
		{ "full", test_full },
		{ NULL, NULL },
	};

	return check_main("calibration", cases);
}
