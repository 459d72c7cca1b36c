/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Verdicts of Android 12 and later by a frame's own deadline, worked out by hand; how sure they
 * are; and what there is none on.
 */
#include <string.h>

#include "jank_frames.h"

static const struct parts quick = { .ui = 2 * MS, .sync = MS, .draw = 7 * MS, .interval = HZ60 };
/* Longer than two intervals. */
static const struct parts long40 = {
	.ui = 8 * MS, .sync = 2 * MS, .draw = 30 * MS, .interval = HZ60
};

/* A frame whose GPU is done that long after its vsync, the rest being quick. */
static struct hwui_verdict done(struct jank_tracker *t, int64_t vsync, int64_t deadline,
				int64_t gpu)
{
	struct parts p = quick;

	p.gpu = gpu - p.ui - p.sync;
	return judge(t, vsync, deadline, &p);
}

static void test_deadline(void)
{
	for (unsigned android = 12; android <= HWUI_NEWEST; android++) {
		for (int64_t more = -1; more <= 1; more++) {
			struct jank_tracker t = tracker_of(android, HZ60);
			struct hwui_verdict v = done(&t, BOOT, 20 * MS, 20 * MS + more);

			CU_ASSERT_TRUE(v.known && v.counted && !v.stuffed && !v.davey);
			CU_ASSERT_EQUAL(v.janky, more >= 0);
			CU_ASSERT_EQUAL(!(v.types & TYPE(MISSED_DEADLINE)), more < 0);
			CU_ASSERT_EQUAL(v.deadline_ns, BOOT + 20 * MS);
			CU_ASSERT_EQUAL(v.total_ns, 10 * MS);
			CU_ASSERT_EQUAL(v.gpu_ns, 10 * MS + more);
			CU_ASSERT_EQUAL(v.confidence, CONF_EXACT);
		}
	}
}

/* Without an end of the GPU's work, or without a deadline, the deadline is always met. */
static void test_no_end(void)
{
	for (unsigned android = 12; android <= HWUI_NEWEST; android++) {
		struct jank_tracker t = tracker_of(android, HZ60);
		struct frame_slots s = make_slots(android, BOOT, &long40);
		struct hwui_verdict v;

		set_slot(&s, SLOT_GPU_COMPLETED, -1);
		jank_tracker_finish(&t, &s, BOOT + 1, 0, &v);
		CU_ASSERT_TRUE(v.known && v.counted && v.janky_legacy);
		CU_ASSERT_FALSE(v.janky || v.has_gpu || v.types & TYPE(MISSED_DEADLINE));
		t = tracker_of(android, HZ60);
		v = judge(&t, BOOT, INT64_MAX - BOOT, &long40);
		CU_ASSERT_TRUE(v.counted && !v.janky && v.has_gpu);
	}
}

static void test_davey(void)
{
	struct parts p = { .ui = 100 * MS, .stall = 50 * MS, .sync = 100 * MS, .interval = HZ60 };

	for (unsigned android = 12; android <= HWUI_NEWEST; android++) {
		struct jank_tracker t = tracker_of(android, HZ60);

		p.draw = 500 * MS - 1;
		CU_ASSERT_FALSE(judge(&t, BOOT, 20 * MS, &p).davey);
		p.draw++;
		CU_ASSERT_TRUE(judge(&t, BOOT + 5 * SECOND, 20 * MS, &p).davey);
		CU_ASSERT_FALSE(judge(&t, BOOT + 10 * SECOND, 2 * SECOND, &p).davey);
		/* The forgiven is not taken off here. */
		t.rules.forgiveness_ns = 8 * MS;
		p.dequeue = 100 * MS;
		CU_ASSERT_TRUE(judge(&t, BOOT + 15 * SECOND, 20 * MS, &p).davey);
		p.dequeue = 0;
	}
}

static void test_exempt(void)
{
	struct parts canvas = long40;

	canvas.flags = FRAME_FLAG_SURFACE_CANVAS | FRAME_FLAG_FIRST_DRAW;
	for (unsigned android = 12; android <= HWUI_NEWEST; android++) {
		struct jank_tracker t = tracker_of(android, HZ60), before;
		struct hwui_verdict v = judge(&t, BOOT, HZ60, &long40);

		before = t;
		v = judge(&t, BOOT + HZ60, HZ60, &canvas);
		CU_ASSERT_TRUE(v.known && v.counted && v.exempt);
		CU_ASSERT_FALSE(v.janky || v.janky_legacy || v.types || v.has_gpu || v.unbucketed);
		CU_ASSERT_EQUAL(v.total_ns, 40 * MS);
		CU_ASSERT_EQUAL(t.swap_deadline_ns, before.swap_deadline_ns);
		CU_ASSERT_EQUAL(t.unstuffed_ns, before.unstuffed_ns);
	}
}

static void test_gpu(void)
{
	struct parts p = quick;
	struct jank_tracker t = tracker_of(14, HZ60);

	p.swap = 5 * MS;
	p.gpu = 9 * MS;
	CU_ASSERT_EQUAL(judge(&t, BOOT, HZ60, &p).gpu_ns, 4 * MS);
	/* Janky or not. */
	CU_ASSERT_TRUE(judge(&t, BOOT + SECOND, 1, &p).has_gpu);
	p.gpu = p.swap;
	CU_ASSERT_TRUE(judge(&t, BOOT + 2 * SECOND, HZ60, &p).has_gpu);
	p.gpu--;
	CU_ASSERT_FALSE(judge(&t, BOOT + 3 * SECOND, HZ60, &p).has_gpu);
}

/*
 * The numbers of the platform's own test, in ms and an interval of 16: the second and the fourth
 * frame wait for those before. Up to 13 the fourth has its 164 + 16 only, and misses.
 */
static void test_platforms_own(void)
{
	static const struct {
		int64_t intended, vsync, gpu, deadline;
		int64_t held[2]; /* against it: up to 13, from 14 on */
		bool stuffed, janky[2];
		int64_t unstuffed[2];
	} frames[] = {
		{ 100, 101, 117, 116, { 116, 116 }, false, { true, true }, { 133, 133 } },
		{ 116, 116, 133, 132, { 148, 149 }, true, { false, false }, { 149, 149 } },
		{ 132, 132, 165, 148, { 164, 165 }, true, { true, true }, { 180, 180 } },
		{ 148, 148, 181, 164, { 180, 196 }, true, { true, false }, { 196, 196 } },
	};

	for (unsigned android = 12; android <= HWUI_NEWEST; android++) {
		struct jank_tracker t = tracker_of(android, 16 * MS);
		unsigned k = android >= 14;

		for (size_t i = 0; i < sizeof(frames) / sizeof(*frames); i++) {
			struct parts p = { .late = (frames[i].vsync - frames[i].intended) * MS,
					   .ui = MS,
					   .sync = MS,
					   .interval = 16 * MS };
			struct hwui_verdict v;

			p.draw = (frames[i].gpu - frames[i].vsync - 2) * MS;
			v = judge(&t, frames[i].intended * MS,
				  (frames[i].deadline - frames[i].intended) * MS, &p);
			CU_ASSERT_EQUAL(v.deadline_ns, frames[i].held[k] * MS);
			CU_ASSERT_EQUAL(v.stuffed, frames[i].stuffed);
			CU_ASSERT_EQUAL(v.janky, frames[i].janky[k]);
			CU_ASSERT_EQUAL(t.unstuffed_ns, frames[i].unstuffed[k] * MS);
		}
	}
}

/* By the deadline's own length, which from 24 slots on is the WorkloadTarget. */
static void test_stuffed_deadline(void)
{
	for (unsigned android = 12; android <= HWUI_NEWEST; android++) {
		struct jank_tracker t = tracker_of(android, HZ60);
		struct hwui_verdict v = done(&t, BOOT, HZ60, 20 * MS);
		struct frame_slots s;
		int64_t held;

		CU_ASSERT_EQUAL(t.unstuffed_ns, BOOT + 2 * HZ60);
		/* 0.1 intervals are 1666666.6 ns. */
		CU_ASSERT_FALSE(done(&t, BOOT + 2 * HZ60 - 1666666, HZ60, 10 * MS).stuffed);
		CU_ASSERT_EQUAL(t.unstuffed_ns, BOOT + 2 * HZ60);
		s = make_slots(android, BOOT + 2 * HZ60 - 1666667, &quick);
		set_slot(&s, SLOT_WORKLOAD_TARGET, 21 * MS);
		jank_tracker_finish(&t, &s, BOOT + 3 * HZ60, 0, &v);
		held = android < 14   ? BOOT + 4 * HZ60
		       : android < 16 ? BOOT + 3 * HZ60 + 1666667
				      : BOOT + 2 * HZ60 + 21 * MS;
		CU_ASSERT_EQUAL(v.deadline_ns, held);
		CU_ASSERT_TRUE(v.stuffed);
		CU_ASSERT_TRUE(v.types & TYPE(HIGH_INPUT_LATENCY));
		CU_ASSERT_EQUAL(t.unstuffed_ns, BOOT + 3 * HZ60);
	}
}

/* Waiting, by either half: two in one frame, until there is a pause. */
static void test_counted_twice(void)
{
	static const unsigned at[] = { 1, 2, 3, 6, 7 };
	static const uint8_t waits[] = { 2, 2, 2, 0, 0 };

	for (unsigned android = 12; android <= HWUI_NEWEST; android++) {
		struct jank_tracker t = tracker_of(android, HZ60);
		struct hwui_verdict v = judge(&t, BOOT, 20 * MS, &long40);

		CU_ASSERT_TRUE(v.janky && v.janky_legacy);
		CU_ASSERT_EQUAL(v.high_latency, 0);
		CU_ASSERT_EQUAL(v.types & (TYPE(MISSED_DEADLINE) | TYPE(MISSED_DEADLINE_LEGACY)),
				TYPE(MISSED_DEADLINE) | TYPE(MISSED_DEADLINE_LEGACY));
		CU_ASSERT_EQUAL(t.unstuffed_ns, BOOT + 3 * HZ60);
		CU_ASSERT_EQUAL(t.swap_deadline_ns, BOOT + 3 * HZ60);
		for (size_t i = 0; i < sizeof(at) / sizeof(*at); i++) {
			v = judge(&t, BOOT + at[i] * HZ60, 20 * MS, &quick);
			CU_ASSERT_EQUAL(v.high_latency, waits[i]);
			CU_ASSERT_EQUAL(v.types, waits[i] ? TYPE(HIGH_INPUT_LATENCY) : 0);
			CU_ASSERT_EQUAL(v.stuffed, waits[i] != 0);
			CU_ASSERT_FALSE(v.janky || v.janky_legacy);
		}
	}
}

/* From 60 Hz to 120 and on: the newer half goes with the frame, the older one stays. */
static void test_rate_changes(void)
{
	const struct parts fast = { .ui = MS, .sync = MS, .draw = 4 * MS, .interval = HZ120 };

	for (unsigned android = 12; android <= HWUI_NEWEST; android++) {
		struct jank_tracker t = tracker_of(android, HZ60), other;
		struct hwui_verdict v = done(&t, BOOT, HZ60, 20 * MS);

		CU_ASSERT_TRUE(v.janky);
		CU_ASSERT_EQUAL(t.unstuffed_ns, BOOT + 2 * HZ60);
		CU_ASSERT_EQUAL(t.swap_deadline_ns, BOOT + 2 * HZ60);
		v = judge(&t, BOOT + 2 * HZ60 - HZ120, HZ120, &fast);
		CU_ASSERT_EQUAL(v.high_latency, 2);
		CU_ASSERT_EQUAL(v.deadline_ns, BOOT + 2 * HZ60 + HZ120);
		CU_ASSERT_EQUAL(t.unstuffed_ns, BOOT + 2 * HZ60 + HZ120);
		CU_ASSERT_EQUAL(t.swap_deadline_ns, BOOT + 3 * HZ60);
		/* 0.1 intervals are 833333.3 ns now. */
		other = t;
		CU_ASSERT_FALSE(judge(&other, t.unstuffed_ns - 833333, HZ120, &fast).stuffed);
		CU_ASSERT_TRUE(judge(&t, t.unstuffed_ns - 833334, HZ120, &fast).stuffed);
		/* A miss is followed by a whole interval of that frame's. */
		v = judge(&t, BOOT + SECOND, 1,
			  &(struct parts){ .late = 1,
					   .ui = MS,
					   .sync = MS,
					   .draw = 6 * MS,
					   .interval = HZ144 });
		CU_ASSERT_EQUAL(t.unstuffed_ns, BOOT + SECOND + 1 + 2 * HZ144);
	}
}

static struct jank_tracker late_tracker(unsigned android)
{
	struct jank_tracker t = tracker_of(android, HZ60);

	jank_tracker_init(&t, &(struct jank_rules){ .android = android, .interval_ns = HZ60 },
			  false);
	return t;
}

/* Both deadlines, in ns after the vsync. */
static struct hwui_verdict both(struct jank_tracker *t, int64_t vsync, int64_t before,
				int64_t after)
{
	struct frame_slots s = make_slots(t->rules.android, vsync, &quick);
	struct hwui_verdict v;

	set_slot(&s, SLOT_WORKLOAD_TARGET, before);
	jank_tracker_finish(t, &s, before ? vsync + before : 0, after ? vsync + after : 0, &v);
	return v;
}

/* What finishFrame() made of the deadline tells the app's state. */
static void test_deadline_after(void)
{
	for (unsigned android = 12; android <= HWUI_NEWEST; android++) {
		struct jank_tracker t = late_tracker(android);
		struct hwui_verdict v = both(&t, BOOT, HZ60, HZ60);

		CU_ASSERT_TRUE(t.modern_certain && !t.legacy_certain);
		CU_ASSERT_EQUAL(v.confidence, CONF_PROBABLE);
		CU_ASSERT_FALSE(v.stuffed);

		t = late_tracker(android);
		v = both(&t, BOOT, HZ60, 2 * HZ60);
		CU_ASSERT_TRUE(v.stuffed);
		CU_ASSERT_EQUAL(v.deadline_ns, BOOT + 2 * HZ60);
		CU_ASSERT_TRUE(v.types & TYPE(HIGH_INPUT_LATENCY));
		CU_ASSERT_EQUAL(t.modern_certain, android >= 14);
		CU_ASSERT_EQUAL(t.unstuffed_ns, BOOT + 2 * HZ60);

		/* Thought to wait, and it doesn't; then not thought to, and it does. */
		v = both(&t, BOOT + HZ60, HZ60, HZ60);
		CU_ASSERT_TRUE(t.modern_certain && !v.stuffed);
		CU_ASSERT_FALSE(done(&t, BOOT + HZ60, HZ60, 10 * MS).stuffed);
		v = both(&t, BOOT + 2 * HZ60, HZ60, 2 * HZ60);
		CU_ASSERT_EQUAL(t.modern_certain, android >= 14);
		CU_ASSERT_TRUE(v.stuffed);

		/* One alone is held against it. */
		t = late_tracker(android);
		v = both(&t, BOOT, 0, 10 * MS);
		CU_ASSERT_TRUE(v.janky && t.modern_certain);
		t = late_tracker(android);
		v = both(&t, BOOT, 0, 10 * MS + 1);
		CU_ASSERT_FALSE(v.janky || t.modern_certain);
		v = both(&t, BOOT + HZ60, 10 * MS, 0);
		CU_ASSERT_TRUE(v.janky && !t.modern_certain);
		t = tracker_of(android, HZ60);
		v = both(&t, BOOT, HZ60, 0);
		CU_ASSERT_TRUE(!v.janky && t.modern_certain);
	}
}

/* From 24 slots on that state follows from the WorkloadTarget. */
static void test_target_after(void)
{
	for (unsigned android = 16; android <= HWUI_NEWEST; android++) {
		struct jank_tracker t = late_tracker(android);
		struct frame_slots s = make_slots(android, BOOT, &quick);
		struct hwui_verdict v;

		set_slot(&s, SLOT_WORKLOAD_TARGET, 15 * MS);
		jank_tracker_finish(&t, &s, BOOT + 16 * MS, BOOT + 25 * MS, &v);
		CU_ASSERT_TRUE(v.stuffed && t.modern_certain);
		CU_ASSERT_EQUAL(t.unstuffed_ns, BOOT + 10 * MS + HZ60);
	}
}

static void test_confidence(void)
{
	for (unsigned android = 9; android <= HWUI_NEWEST; android++) {
		struct jank_tracker t = tracker_of(android, HZ60);

		CU_ASSERT_EQUAL(judge(&t, BOOT, HZ60, &quick).confidence, CONF_EXACT);
		t = late_tracker(android);
		CU_ASSERT_EQUAL(judge(&t, BOOT, HZ60, &quick).confidence, CONF_PROBABLE);
		CU_ASSERT_EQUAL(judge(&t, BOOT + SECOND - 1, HZ60, &quick).confidence,
				CONF_PROBABLE);
		CU_ASSERT_EQUAL(judge(&t, BOOT + 2 * SECOND - 1, HZ60, &quick).confidence,
				CONF_EXACT);
		CU_ASSERT_EQUAL(judge(&t, BOOT + 2 * SECOND + MS, HZ60, &quick).confidence,
				CONF_EXACT);
		jank_tracker_gap(&t);
		CU_ASSERT_EQUAL(judge(&t, BOOT + 3 * SECOND, HZ60, &quick).confidence,
				CONF_PROBABLE);
		CU_ASSERT_EQUAL(judge(&t, BOOT + 4 * SECOND, HZ60, &quick).confidence, CONF_EXACT);

		/* A frame that goes on through the pause. */
		t = late_tracker(android);
		judge(&t, BOOT, HZ60,
		      &(struct parts){ .ui = MS, .sync = MS, .draw = 1500 * MS, .interval = HZ60 });
		CU_ASSERT_EQUAL(judge(&t, BOOT + SECOND, HZ60, &quick).confidence, CONF_PROBABLE);
	}
	struct jank_tracker t = late_tracker(8);

	CU_ASSERT_EQUAL(judge(&t, BOOT, 0, &quick).confidence, CONF_EXACT);
}

/* What is missing is no pause, nor is it in the middle of one. */
static void test_gap(void)
{
	for (unsigned android = 9; android <= HWUI_NEWEST; android++) {
		struct jank_tracker t = tracker_of(android, HZ60);
		struct frame_slots s = make_slots(android, BOOT + SECOND, &quick);
		struct hwui_verdict v;

		judge(&t, BOOT, HZ60, &quick);
		jank_tracker_gap(&t);
		CU_ASSERT_EQUAL(judge(&t, BOOT + 5 * SECOND, HZ60, &quick).confidence,
				CONF_PROBABLE);
		CU_ASSERT_EQUAL(judge(&t, BOOT + 6 * SECOND, HZ60, &quick).confidence, CONF_EXACT);

		s.known &= ~(1u << SLOT_SYNC_START);
		jank_tracker_finish(&t, &s, BOOT + SECOND + HZ60, 0, &v);
		CU_ASSERT_FALSE(v.known);
		CU_ASSERT_EQUAL(judge(&t, BOOT + 10 * SECOND, HZ60, &quick).confidence,
				CONF_PROBABLE);

		/* Others than the first wait for nobody. */
		t = late_tracker(android);
		CU_ASSERT_EQUAL(judge(&t, BOOT, HZ60, &quick).types, 0);
	}
}

/* With each frame of 8 ms the older deadline is 8 ms further ahead. */
static void test_outpaced(void)
{
	const struct parts fast = { .ui = MS, .sync = MS, .draw = 4 * MS, .interval = HZ120 };

	for (unsigned android = 12; android <= HWUI_NEWEST; android++) {
		struct jank_tracker t = tracker_of(android, HZ60), late = late_tracker(android);
		int64_t at = BOOT;

		for (unsigned i = 0; i < 240; i++)
			judge(&t, at += HZ120, HZ120, &fast);
		judge(&late, at, HZ120, &fast);
		CU_ASSERT_EQUAL(judge(&t, at + SECOND, HZ60, &quick).high_latency, 1);
		CU_ASSERT_EQUAL(judge(&late, at + SECOND, HZ60, &quick).confidence, CONF_PROBABLE);
		CU_ASSERT_FALSE(late.legacy_certain);
		CU_ASSERT_TRUE(late.modern_certain);
	}
}

/* Whether it waited is not said by the deadline that was left alone; nor is it EXACT, then. */
static void test_stuffed_unknown(void)
{
	for (unsigned android = 12; android <= HWUI_NEWEST; android++) {
		struct jank_tracker t = tracker_of(android, HZ60);
		struct hwui_verdict v;

		t.modern_certain = false;
		v = both(&t, BOOT, 0, 10 * MS);
		CU_ASSERT_TRUE(v.janky);
		CU_ASSERT_EQUAL(v.confidence, CONF_PROBABLE);
		v = both(&t, BOOT + 10 * HZ60, 0, HZ60);
		CU_ASSERT_EQUAL(v.confidence, CONF_EXACT);
	}
}

static void test_unknown(void)
{
	static const struct {
		enum frame_slot slot;
		unsigned since;
	} needed[] = {
		{ SLOT_INTENDED_VSYNC, 8 },
		{ SLOT_VSYNC, 8 },
		{ SLOT_SYNC_QUEUED, 8 },
		{ SLOT_SYNC_START, 8 },
		{ SLOT_ISSUE_DRAW_COMMANDS_START, 8 },
		{ SLOT_FRAME_COMPLETED, 8 },
		{ SLOT_FRAME_INTERVAL, 12 },
		{ SLOT_SWAP_BUFFERS_COMPLETED, 12 },
	};
	const struct hwui_verdict nothing = { 0 };

	for (unsigned android = HWUI_OLDEST; android <= HWUI_NEWEST; android++) {
		struct jank_tracker t = tracker_of(android, HZ60);
		struct frame_slots s;
		struct hwui_verdict v;

		for (size_t i = 0; i < sizeof(needed) / sizeof(*needed); i++) {
			s = make_slots(android, BOOT, &long40);
			s.known &= ~(1u << needed[i].slot);
			memset(&v, 0xff, sizeof(v));
			jank_tracker_finish(&t, &s, BOOT + HZ60, 0, &v);
			CU_ASSERT_EQUAL(v.known, android < needed[i].since);
			if (!v.known)
				CU_ASSERT_EQUAL(memcmp(&v, &nothing, sizeof(v)), 0);
		}
		/* These belong to a part of the verdict only. */
		s = make_slots(android, BOOT, &long40);
		s.known &= ~(1u << SLOT_HANDLE_INPUT_START | 1u << SLOT_SWAP_BUFFERS);
		jank_tracker_finish(&t, &s, BOOT + HZ60, 0, &v);
		CU_ASSERT_TRUE(v.known && !v.has_gpu);
		t.rules.filtered = true;
		jank_tracker_finish(&t, &s, BOOT + HZ60, 0, &v);
		CU_ASSERT_FALSE(v.known);

		s = make_slots(android, BOOT, &long40);
		jank_tracker_finish(&t, &s, 0, 0, &v);
		CU_ASSERT_EQUAL(v.known, android < 12);
		s = (struct frame_slots){ 0 };
		jank_tracker_finish(&t, &s, BOOT + HZ60, 0, &v);
		CU_ASSERT_FALSE(v.known);
	}
}

/* From 12 on a frame tells what the display's was; before, none does. */
static void test_interval_unknown(void)
{
	for (unsigned android = HWUI_OLDEST; android <= HWUI_NEWEST; android++) {
		struct jank_tracker t = tracker_of(android, 0);
		struct frame_slots s = make_slots(android, BOOT, &quick);
		struct hwui_verdict v;

		/* Nor does one whose own is not known. */
		s.ns[SLOT_FRAME_INTERVAL] = -1;
		s.known &= ~(1u << SLOT_FRAME_INTERVAL);
		jank_tracker_finish(&t, &s, BOOT + HZ60, 0, &v);
		CU_ASSERT_FALSE(v.known);
		CU_ASSERT_EQUAL(judge(&t, BOOT, HZ60, &quick).known, android >= 12);
		CU_ASSERT_EQUAL(t.rules.interval_ns, android >= 12 ? HZ60 : 0);
	}
}

int main(void)
{
	static const struct check_case cases[] = {
		{ "deadline", test_deadline },
		{ "no_end", test_no_end },
		{ "davey", test_davey },
		{ "exempt", test_exempt },
		{ "gpu", test_gpu },
		{ "platforms_own", test_platforms_own },
		{ "stuffed_deadline", test_stuffed_deadline },
		{ "counted_twice", test_counted_twice },
		{ "rate_changes", test_rate_changes },
		{ "deadline_after", test_deadline_after },
		{ "target_after", test_target_after },
		{ "confidence", test_confidence },
		{ "gap", test_gap },
		{ "outpaced", test_outpaced },
		{ "stuffed_unknown", test_stuffed_unknown },
		{ "unknown", test_unknown },
		{ "interval_unknown", test_interval_unknown },
		{ NULL, NULL },
	};

	return check_main("jank_tracker", cases);
}
