/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Verdicts of Android 8 to 11 and, which is the same algorithm, the legacy half of those from 12
 * on: what they are was worked out by hand from the platform's steps.
 */
#include "jank_frames.h"

#define CAUSES (TYPE(MISSED_VSYNC) | TYPE(SLOW_UI) | TYPE(SLOW_SYNC) | TYPE(SLOW_RT))

/* 1.1 intervals, none of its parts too long: late in every release if the deadline is 1 ns. */
static struct parts slow(int64_t interval)
{
	return (struct parts){ .ui = interval * 4 / 10,
			       .sync = interval / 10,
			       .draw = interval * 6 / 10,
			       .interval = interval };
}

/* 3 ms before the drawing begins. */
static const struct parts quick = { .ui = 2 * MS, .sync = MS, .draw = 7 * MS, .interval = HZ60 };
static const struct parts long20 = { .ui = 8 * MS, .sync = 2 * MS, .draw = 10 * MS };

static void test_duration(void)
{
	const struct parts parts = {
		.late = 1, .ui = 10, .stall = 100, .sync = 1000, .draw = 10000, .swapped = 9000
	};
	struct frame_slots s = make_slots(14, BOOT, &parts);

	CU_ASSERT_EQUAL(jank_duration(&s, SLOT_INTENDED_VSYNC, SLOT_VSYNC), 1);
	CU_ASSERT_EQUAL(jank_duration(&s, SLOT_INTENDED_VSYNC, SLOT_SYNC_QUEUED), 11);
	/* The wait for the RenderThread is left out only of what lies on both sides. */
	CU_ASSERT_EQUAL(jank_duration(&s, SLOT_VSYNC, SLOT_SYNC_START), 10);
	CU_ASSERT_EQUAL(jank_duration(&s, SLOT_INTENDED_VSYNC, SLOT_FRAME_COMPLETED), 11011);
	CU_ASSERT_EQUAL(jank_duration(&s, SLOT_INTENDED_VSYNC, SLOT_SWAP_BUFFERS_COMPLETED), 10011);
	CU_ASSERT_EQUAL(jank_duration(&s, SLOT_SYNC_QUEUED, SLOT_FRAME_COMPLETED), 11100);
	CU_ASSERT_EQUAL(jank_duration(&s, SLOT_SYNC_START, SLOT_ISSUE_DRAW_COMMANDS_START), 1000);
	CU_ASSERT_EQUAL(jank_duration(&s, SLOT_ISSUE_DRAW_COMMANDS_START, SLOT_FRAME_COMPLETED),
			10000);
	CU_ASSERT_EQUAL(jank_duration(&s, SLOT_FRAME_COMPLETED, SLOT_VSYNC), 0);
	/* Not queued yet when it began: nothing is added. */
	s.ns[SLOT_SYNC_QUEUED] = s.ns[SLOT_SYNC_START] + 5;
	CU_ASSERT_EQUAL(jank_duration(&s, SLOT_INTENDED_VSYNC, SLOT_FRAME_COMPLETED), 11111);
	/* More is left out than there is. */
	s.ns[SLOT_SYNC_QUEUED] = 1;
	CU_ASSERT_EQUAL(jank_duration(&s, SLOT_INTENDED_VSYNC, SLOT_FRAME_COMPLETED), 0);
	s.ns[SLOT_INTENDED_VSYNC] = 0;
	CU_ASSERT_EQUAL(jank_duration(&s, SLOT_INTENDED_VSYNC, SLOT_FRAME_COMPLETED), 0);
	s.ns[SLOT_INTENDED_VSYNC] = -1;
	CU_ASSERT_EQUAL(jank_duration(&s, SLOT_INTENDED_VSYNC, SLOT_FRAME_COMPLETED), 0);
}

static unsigned causes(unsigned android, int64_t interval, const struct parts *parts)
{
	struct jank_tracker t = tracker_of(android, android < 12 ? interval : HZ60);
	struct hwui_verdict v = judge(&t, BOOT, 1, parts);

	CU_ASSERT_TRUE(v.known && v.counted && v.janky);
	CU_ASSERT_EQUAL(!(v.types & TYPE(MISSED_DEADLINE)), android == 8);
	return v.types & CAUSES;
}

/* From 12 on by the frame's interval, whatever the display's was. */
static void test_thresholds(void)
{
	static const struct {
		int64_t interval, ui, sync, rt;
	} rates[] = {
		{ HZ60, 8333333, 3333333, 12499999 },
		{ HZ90, 5555555, 2222222, 8333333 },
		{ HZ120, 4166666, 1666666, 6249999 },
		{ HZ144, 3472222, 1388888, 5208333 },
	};

	for (unsigned android = HWUI_OLDEST; android <= HWUI_NEWEST; android++) {
		for (unsigned i = 0; i < 4; i++) {
			int64_t interval = rates[i].interval;
			struct parts p = slow(interval);
			const struct {
				int64_t *part, threshold;
				unsigned type;
			} parts[] = { { &p.late, 1, TYPE(MISSED_VSYNC) },
				      { &p.ui, rates[i].ui, TYPE(SLOW_UI) },
				      { &p.sync, rates[i].sync, TYPE(SLOW_SYNC) },
				      { &p.draw, rates[i].rt, TYPE(SLOW_RT) } };

			CU_ASSERT_EQUAL(causes(android, interval, &p), 0);
			for (unsigned k = 0; k < 4; k++) {
				const int64_t lengths[] = { parts[k].threshold - 1,
							    parts[k].threshold,
							    parts[k].threshold + 1, 10 * SECOND - 1,
							    10 * SECOND };
				const unsigned types[] = { 0, parts[k].type, parts[k].type,
							   parts[k].type, 0 };

				for (unsigned l = 0; l < 5; l++) {
					p = slow(interval);
					*parts[k].part = lengths[l];
					p.stall = 3 * MS;
					CU_ASSERT_EQUAL(causes(android, interval, &p), types[l]);
				}
			}
		}
	}
}

/* 8: janky is what takes an interval, and has no deadline. */
static void test_android_8(void)
{
	struct parts p = { .ui = MS, .sync = MS, .draw = HZ60 - 2 * MS - 1 };
	struct jank_tracker t = tracker_of(8, HZ60);
	struct hwui_verdict v = judge(&t, BOOT, 0, &p);

	CU_ASSERT_TRUE(v.known && v.counted && !v.janky && !v.types && !v.has_gpu);
	CU_ASSERT_EQUAL(v.total_ns, HZ60 - 1);
	CU_ASSERT_EQUAL(v.confidence, CONF_EXACT);
	p.flags = FRAME_FLAG_SURFACE_CANVAS;
	v = judge(&t, BOOT, 0, &p);
	CU_ASSERT_TRUE(v.counted && v.exempt && !v.unbucketed && !v.janky);
	p.draw++;
	v = judge(&t, BOOT, 0, &p);
	CU_ASSERT_TRUE(v.counted && v.exempt && v.unbucketed && !v.janky && !v.types);
	p.flags = FRAME_FLAG_FIRST_DRAW | FRAME_FLAG_RT_ANIMATION;
	v = judge(&t, BOOT, 0, &p);
	CU_ASSERT_TRUE(v.counted && !v.exempt && !v.unbucketed && v.janky && !v.janky_legacy);
	CU_ASSERT_EQUAL(v.types, TYPE(SLOW_RT));
	p.draw += 700 * MS;
	CU_ASSERT_FALSE(judge(&t, BOOT, 0, &p).davey);
}

/* Only there it is the input's own time: 1.5 intervals from the oldest event to the vsync. */
static void test_input_latency_8(void)
{
	static const struct {
		int64_t latency;
		bool high;
	} all[] = { { 24999998, false },    { 24999999, true },
		    { 25000000, true },     { 10 * SECOND - 1, true },
		    { 10 * SECOND, false }, { -INT64_MAX + 2 * BOOT, false } };

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
		struct jank_tracker t = tracker_of(8, HZ60);
		struct frame_slots s = make_slots(8, BOOT, &long20);
		struct hwui_verdict v;

		set_slot(&s, SLOT_OLDEST_INPUT, BOOT - all[i].latency);
		jank_tracker_finish(&t, &s, 0, 0, &v);
		CU_ASSERT_TRUE(v.janky);
		CU_ASSERT_EQUAL(v.types, all[i].high ? TYPE(HIGH_INPUT_LATENCY) : 0);
		CU_ASSERT_EQUAL(v.high_latency, all[i].high);
		set_slot(&s, SLOT_FRAME_COMPLETED, s.ns[SLOT_ISSUE_DRAW_COMMANDS_START] + MS);
		jank_tracker_finish(&t, &s, 0, 0, &v);
		CU_ASSERT_EQUAL(v.types, 0);
	}
}

/* Janky and late are two things: longer than an interval, and done at its end or later. */
static void test_interval(void)
{
	for (unsigned android = 9; android <= 11; android++) {
		for (int64_t more = -1; more <= 1; more++) {
			struct parts p = slow(HZ60);
			struct jank_tracker t = tracker_of(android, HZ60);
			struct hwui_verdict v;

			p.draw = HZ60 - p.ui - p.sync + more;
			v = judge(&t, BOOT, 0, &p);
			CU_ASSERT_TRUE(v.known && v.counted);
			CU_ASSERT_EQUAL(v.total_ns, HZ60 + more);
			CU_ASSERT_EQUAL(v.janky, more > 0);
			CU_ASSERT_EQUAL(v.types, more >= 0 ? TYPE(MISSED_DEADLINE) : 0);
			CU_ASSERT_FALSE(v.janky_legacy || v.stuffed || v.deadline_ns);
			CU_ASSERT_EQUAL(v.confidence, CONF_EXACT);
		}
	}
}

/* Late by the clock, but not by its own fault: from 10 on it is met. */
static void test_stalled(void)
{
	const struct parts p = { .ui = 5 * MS, .stall = 10 * MS, .sync = MS, .draw = 5 * MS };

	for (unsigned android = 9; android <= 11; android++) {
		struct jank_tracker t = tracker_of(android, HZ60);
		struct hwui_verdict v = judge(&t, BOOT, 0, &p);

		CU_ASSERT_EQUAL(v.total_ns, 11 * MS);
		CU_ASSERT_FALSE(v.janky);
		CU_ASSERT_EQUAL(v.types, android == 9 ? TYPE(MISSED_DEADLINE) : 0);
	}
}

/* A missed deadline lets the next frames have more time, and the input more latency. */
static void test_swap_deadline(void)
{
	for (unsigned android = 9; android <= 11; android++) {
		struct jank_tracker t = tracker_of(android, HZ60), other;
		struct hwui_verdict v = judge(&t, BOOT, 0, &long20);

		CU_ASSERT_TRUE(v.janky);
		CU_ASSERT_EQUAL(v.types, TYPE(MISSED_DEADLINE));
		CU_ASSERT_EQUAL(t.swap_deadline_ns, BOOT + 2 * HZ60);

		v = judge(&t, BOOT + HZ60, 0, &long20);
		CU_ASSERT_TRUE(v.janky);
		CU_ASSERT_EQUAL(v.types, TYPE(HIGH_INPUT_LATENCY));
		CU_ASSERT_EQUAL(v.high_latency, 1);
		CU_ASSERT_EQUAL(t.swap_deadline_ns, BOOT + 3 * HZ60);

		v = judge(&t, BOOT + 3 * HZ60, 0, &quick);
		CU_ASSERT_FALSE(v.janky);
		CU_ASSERT_EQUAL(v.types, 0);
		CU_ASSERT_EQUAL(t.swap_deadline_ns, BOOT + 4 * HZ60);

		/* 0.1 intervals are 1666666.6 ns. */
		other = t;
		v = judge(&other, BOOT + 4 * HZ60 - 1666666, 0, &quick);
		CU_ASSERT_EQUAL(v.types, 0);
		v = judge(&t, BOOT + 4 * HZ60 - 1666667, 0, &quick);
		CU_ASSERT_EQUAL(v.types, TYPE(HIGH_INPUT_LATENCY));
		CU_ASSERT_EQUAL(t.swap_deadline_ns, BOOT + 5 * HZ60);

		/* The vsync that it was drawn for came late: the new deadline is in its rhythm. */
		v = judge(&t, BOOT + 10 * HZ60, 0,
			  &(struct parts){ .late = 5 * MS, .ui = MS, .sync = MS, .draw = 20 * MS });
		CU_ASSERT_TRUE(v.types & TYPE(MISSED_DEADLINE));
		CU_ASSERT_EQUAL(t.swap_deadline_ns, BOOT + 10 * HZ60 + 5 * MS + 2 * HZ60);
	}
}

static void test_exempt(void)
{
	struct parts canvas = long20;

	canvas.flags = FRAME_FLAG_SURFACE_CANVAS;
	canvas.draw = 800 * MS;
	for (unsigned android = 9; android <= 11; android++) {
		struct jank_tracker t = tracker_of(android, HZ60);
		struct hwui_verdict v = judge(&t, BOOT, 0, &long20);

		CU_ASSERT_TRUE(v.types & TYPE(MISSED_DEADLINE));
		v = judge(&t, BOOT + HZ60, 0, &canvas);
		CU_ASSERT_TRUE(v.known && v.counted && v.exempt);
		CU_ASSERT_EQUAL(v.total_ns, 810 * MS);
		CU_ASSERT_FALSE(v.janky || v.types || v.davey || v.unbucketed);
		CU_ASSERT_EQUAL(v.has_gpu, android == 11);
		CU_ASSERT_EQUAL(t.swap_deadline_ns, BOOT + 2 * HZ60);
		CU_ASSERT_EQUAL(judge(&t, BOOT + 2 * HZ60, 0, &quick).types, 0);
	}
}

static void test_davey(void)
{
	struct parts p = { .ui = 100 * MS, .stall = 50 * MS, .sync = 100 * MS };

	for (unsigned android = 9; android <= 11; android++) {
		struct jank_tracker t = tracker_of(android, HZ60);

		p.draw = 500 * MS - 1;
		CU_ASSERT_FALSE(judge(&t, BOOT, 0, &p).davey);
		p.draw++;
		t = tracker_of(android, HZ60);
		CU_ASSERT_TRUE(judge(&t, BOOT, 0, &p).davey);
		p.draw = 20 * SECOND;
		t = tracker_of(android, HZ60);
		CU_ASSERT_TRUE(judge(&t, BOOT, 0, &p).davey);
		/* In time, as the one before was so late. */
		p.draw = 500 * MS;
		CU_ASSERT_FALSE(judge(&t, BOOT + SECOND, 0, &p).davey);
	}
}

static void test_gpu(void)
{
	struct parts p = { .ui = MS, .sync = MS, .draw = 8 * MS, .swap = 5 * MS };
	struct jank_tracker t = tracker_of(11, HZ60);
	struct hwui_verdict v;
	struct frame_slots s;

	p.gpu = 9 * MS;
	v = judge(&t, BOOT, 0, &p);
	CU_ASSERT_TRUE(v.has_gpu);
	CU_ASSERT_EQUAL(v.gpu_ns, 4 * MS);
	p.gpu = p.swap;
	CU_ASSERT_TRUE(judge(&t, BOOT, 0, &p).has_gpu);
	p.gpu = p.swap - 1;
	CU_ASSERT_FALSE(judge(&t, BOOT, 0, &p).has_gpu);
	s = make_slots(11, BOOT, &p);
	set_slot(&s, SLOT_GPU_COMPLETED, -1);
	jank_tracker_finish(&t, &s, 0, 0, &v);
	CU_ASSERT_TRUE(v.known && !v.has_gpu);
	p.gpu = 9 * MS;
	t = tracker_of(10, HZ60);
	CU_ASSERT_FALSE(judge(&t, BOOT, 0, &p).has_gpu);
}

static void test_forgiveness(void)
{
	CU_ASSERT_EQUAL(jank_forgiveness(MS, MS - 1), 0);
	CU_ASSERT_EQUAL(jank_forgiveness(MS, MS), 4 * MS);
	CU_ASSERT_EQUAL(jank_forgiveness(2 * MS, 3 * MS), 5 * MS);
	CU_ASSERT_EQUAL(jank_forgiveness(-MS, 3 * MS), 8 * MS);
	CU_ASSERT_EQUAL(jank_forgiveness(-MS, 3 * MS + 1), 0);
	CU_ASSERT_EQUAL(jank_forgiveness(INT64_MIN, INT64_MAX), 0);
}

static int64_t forgiven(unsigned android, const struct parts *p)
{
	struct jank_tracker t = tracker_of(android, HZ60);

	t.rules.forgiveness_ns = 5 * MS;
	return p->ui + p->sync + p->draw - judge(&t, BOOT, HZ60, p).total_ns;
}

/* Up to when the buffer was to be expected: 5 ms after the vsync, here 2 ms into the drawing. */
static void test_dequeue(void)
{
	for (unsigned android = 8; android <= 11; android++) {
		struct parts p = quick;

		p.dequeue = 500000;
		CU_ASSERT_EQUAL(forgiven(android, &p), 0);
		p.dequeue = 500001;
		CU_ASSERT_EQUAL(forgiven(android, &p), 500001);
		p.dequeue = 2 * MS - 1;
		CU_ASSERT_EQUAL(forgiven(android, &p), 2 * MS - 1);
		p.dequeue = 6 * MS;
		CU_ASSERT_EQUAL(forgiven(android, &p), 2 * MS);
		p.ui = 4 * MS - 1;
		CU_ASSERT_EQUAL(forgiven(android, &p), 1);
		p.ui = 4 * MS;
		CU_ASSERT_EQUAL(forgiven(android, &p), 0);
		p.ui = 9 * MS;
		CU_ASSERT_EQUAL(forgiven(android, &p), 0);
		/* By the vsync that it was drawn for, not the one that it was meant for. */
		p = quick;
		p.late = p.ui;
		p.dequeue = 6 * MS;
		CU_ASSERT_EQUAL(forgiven(android, &p), 2 * MS - p.late);
	}
	for (unsigned android = 12; android <= HWUI_NEWEST; android++) {
		struct parts p = quick;

		p.dequeue = 6 * MS;
		CU_ASSERT_EQUAL(forgiven(android, &p), 0);
	}
}

/* More is forgiven than there is: up to 11 that is the end of the app. */
static void test_all_forgiven(void)
{
	struct parts p = { .ui = 300000, .stall = MS, .draw = 300001, .interval = HZ60 };

	for (unsigned android = 8; android <= HWUI_NEWEST; android++) {
		for (int64_t dequeue = 600000; dequeue <= 600002; dequeue++) {
			struct jank_tracker t = tracker_of(android, HZ60);
			struct hwui_verdict v;
			bool all = dequeue > 600000;

			t.rules.forgiveness_ns = 5 * MS;
			p.dequeue = dequeue;
			v = judge(&t, BOOT, HZ60, &p);
			CU_ASSERT_TRUE(v.known);
			CU_ASSERT_EQUAL(v.counted, android == 8 || android > 11 || !all);
			if (android <= 11)
				CU_ASSERT_EQUAL(v.total_ns, !all);
			/* There the first frame is always taken for one that waits. */
			if (android > 11)
				CU_ASSERT_EQUAL(v.high_latency, !all);
		}
	}
}

/* Without what came before the handling of input. */
static void test_filtered(void)
{
	for (unsigned android = 8; android <= HWUI_NEWEST; android++) {
		struct jank_tracker t = tracker_of(android, HZ60);
		struct parts p = long20;
		struct frame_slots s;
		struct hwui_verdict v;

		t.rules.filtered = true;
		p.interval = HZ60;
		s = make_slots(android, BOOT, &p);
		set_slot(&s, SLOT_HANDLE_INPUT_START, BOOT + 20 * MS - HZ60);
		jank_tracker_finish(&t, &s, BOOT + HZ60, 0, &v);
		CU_ASSERT_EQUAL(v.total_ns, android < 12 ? HZ60 : 20 * MS);
		CU_ASSERT_EQUAL(v.janky, android == 8 || android >= 12);
		CU_ASSERT_FALSE(v.janky_legacy);
		s.ns[SLOT_HANDLE_INPUT_START]--;
		jank_tracker_init(&t, &t.rules, true);
		jank_tracker_finish(&t, &s, BOOT + HZ60, 0, &v);
		CU_ASSERT_TRUE(v.janky);
		CU_ASSERT_EQUAL(v.janky_legacy, android >= 12);
	}
}

/* From 12 on the first frame has two intervals, and is taken for one that waits. */
static void test_first_of_12(void)
{
	static const struct {
		int64_t completed, swapped;
		unsigned types;
		bool janky;
	} all[] = {
		{ 2 * HZ60 - 1, HZ60 - 1, TYPE(HIGH_INPUT_LATENCY), false },
		{ 2 * HZ60 - 1, HZ60, TYPE(HIGH_INPUT_LATENCY), false },
		{ 2 * HZ60 - 1, HZ60 + 1, TYPE(HIGH_INPUT_LATENCY), true },
		{ 2 * HZ60, HZ60 - 1, TYPE(HIGH_INPUT_LATENCY), false },
		{ 2 * HZ60, HZ60, TYPE(MISSED_DEADLINE_LEGACY), false },
		{ 2 * HZ60, HZ60 + 1, TYPE(MISSED_DEADLINE_LEGACY), true },
	};

	for (unsigned android = 12; android <= HWUI_NEWEST; android++) {
		for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
			struct jank_tracker t = tracker_of(android, HZ60);
			struct parts p = quick;
			struct hwui_verdict v;

			p.draw = all[i].completed - p.ui - p.sync;
			p.swapped = all[i].swapped - p.ui - p.sync;
			v = judge(&t, BOOT, 10 * HZ60, &p);
			CU_ASSERT_EQUAL(v.types, all[i].types);
			CU_ASSERT_EQUAL(v.janky_legacy, all[i].janky);
			CU_ASSERT_FALSE(v.janky);
			CU_ASSERT_EQUAL(t.swap_deadline_ns,
					BOOT + (all[i].types == TYPE(HIGH_INPUT_LATENCY) ? 2 : 3) *
							HZ60);
		}
	}
}

/* The newer half has no time to count, the older one has. */
static void test_no_total(void)
{
	for (unsigned android = 12; android <= HWUI_NEWEST; android++) {
		struct jank_tracker t = tracker_of(android, HZ60);
		struct frame_slots s = make_slots(android, BOOT, &long20);
		struct hwui_verdict v;

		set_slot(&s, SLOT_FRAME_INTERVAL, HZ60);
		set_slot(&s, SLOT_FRAME_COMPLETED, BOOT);
		jank_tracker_finish(&t, &s, BOOT + HZ60, 0, &v);
		CU_ASSERT_TRUE(v.known && !v.counted && v.janky_legacy);
		CU_ASSERT_FALSE(v.janky || v.has_gpu || v.davey);
		CU_ASSERT_EQUAL(v.types, TYPE(HIGH_INPUT_LATENCY));
	}
}

int main(void)
{
	static const struct check_case cases[] = {
		{ "duration", test_duration },
		{ "thresholds", test_thresholds },
		{ "android_8", test_android_8 },
		{ "input_latency_8", test_input_latency_8 },
		{ "interval", test_interval },
		{ "stalled", test_stalled },
		{ "swap_deadline", test_swap_deadline },
		{ "exempt", test_exempt },
		{ "davey", test_davey },
		{ "gpu", test_gpu },
		{ "forgiveness", test_forgiveness },
		{ "dequeue", test_dequeue },
		{ "all_forgiven", test_all_forgiven },
		{ "filtered", test_filtered },
		{ "first_of_12", test_first_of_12 },
		{ "no_total", test_no_total },
		{ NULL, NULL },
	};

	return check_main("jank_legacy", cases);
}
