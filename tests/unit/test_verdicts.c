/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Windows and processes side by side: each frame is judged by its own window's state, and counted
 * where it belongs. A display's interval is 16 ms here, for the head.
 */
#include "judge/verdicts.h"

#include <string.h>

#include "judge/jank_tracker.h"
#include "unit/jank_frames.h"

#define INTERVAL (16 * MS)
#define HZ 62.5f

static struct producer producers[4];
static struct verdicts *v;
static struct verdict last; /* of the frame judged last */

static void begin(const struct verdict_rules *rules)
{
	struct verdict_rules r = *rules;

	r.multiplier = JANKSTATS_MULTIPLIER;
	r.matrix = matrix_default;
	verdicts_free(v);
	v = verdicts_new(&r, NULL, NULL);
	CU_ASSERT_PTR_NOT_NULL_FATAL(v);
	for (unsigned i = 0; i < 4; i++)
		producers[i] = (struct producer){
			.id = i + 1, .pid = 100 + i / 2, .from_start = true, .process = "app"
		};
}

/* Android 14 has its deadline in the frames, at the end of their interval. */
static struct frame frame_of(unsigned android, unsigned producer, int64_t at, const struct parts *p)
{
	struct frame f = {
		.producer = &producers[producer],
		.hwui = { .whole = true,
			  .kind = FRAME_NORMAL,
			  .slots = make_slots(android, at, p) },
	};

	f.start_ns = (uint64_t)at;
	f.end_ns = (uint64_t)f.hwui.slots.ns[SLOT_SWAP_BUFFERS];
	f.hwui.jank_tracker = 0x1000 * (producer + 1);
	if (android >= 12)
		set_slot(&f.hwui.slots, SLOT_FRAME_DEADLINE, at + p->interval);
	return f;
}

static void judge_it(struct frame *f)
{
	CU_ASSERT_EQUAL(verdicts_judge(v, f), 0);
	last = f->verdict;
}

/* Whose UI and draw parts take half of it each. */
static void frame(unsigned android, unsigned producer, int64_t at, int64_t length)
{
	const struct parts p = { .ui = length / 2, .draw = length / 2, .interval = INTERVAL };
	struct frame f = frame_of(android, producer, at, &p);

	judge_it(&f);
}

static const struct window_verdicts *window(unsigned n)
{
	const struct window_verdicts *w = verdicts_window(v, n);

	CU_ASSERT_PTR_NOT_NULL_FATAL(w);
	return w;
}

/*
 * A frame of 40 ms has moved the deadline for the swap to 48 ms: buffers are stuffed, and the next
 * of its window has high latency; that of another window does not.
 */
static void test_own_state(void)
{
	begin(&(struct verdict_rules){ .refresh_hz = HZ });
	frame(10, 0, BOOT, 40 * MS);
	CU_ASSERT_TRUE(last.hwui.types & TYPE(MISSED_DEADLINE));
	frame(10, 1, BOOT + INTERVAL, 8 * MS);
	CU_ASSERT_EQUAL(last.hwui.types, 0);
	frame(10, 0, BOOT + INTERVAL, 8 * MS);
	CU_ASSERT_EQUAL(last.hwui.types, TYPE(HIGH_INPUT_LATENCY));
	/* from 12 on by the deadline of the frame's own */
	begin(&(struct verdict_rules){ 0 });
	frame(14, 0, BOOT, 40 * MS);
	CU_ASSERT_TRUE(last.hwui.janky);
	frame(14, 1, BOOT + INTERVAL, 8 * MS);
	CU_ASSERT_FALSE(last.hwui.stuffed);
	frame(14, 0, BOOT + INTERVAL, 8 * MS);
	CU_ASSERT_TRUE(last.hwui.stuffed);
	/* the same address in another process is another window */
	struct parts p = { .ui = 4 * MS, .draw = 4 * MS, .interval = INTERVAL };
	struct frame f = frame_of(14, 2, BOOT + INTERVAL, &p);

	f.hwui.jank_tracker = 0x1000;
	judge_it(&f);
	CU_ASSERT_FALSE(last.hwui.stuffed);
	CU_ASSERT_PTR_NULL(verdicts_window(v, 3));
}

static uint32_t state;

static int64_t below(uint32_t n)
{
	state = state * 1664525 + 1013904223;
	return (int64_t)((state >> 8) % n);
}

#define FRAMES 400

static bool same(const struct hwui_verdict *a, const struct hwui_verdict *b)
{
	return a->known == b->known && a->janky == b->janky && a->stuffed == b->stuffed &&
	       a->janky_legacy == b->janky_legacy && a->types == b->types &&
	       a->high_latency == b->high_latency && a->deadline_ns == b->deadline_ns &&
	       a->total_ns == b->total_ns && a->confidence == b->confidence;
}

/* What comes out for windows that take turns is what does for each alone. */
static void test_interleaved(void)
{
	static const unsigned releases[] = { 9, 11, 12, 14, 16 };
	static struct hwui_verdict together[FRAMES];

	for (unsigned r = 0; r < 5; r++) {
		unsigned android = releases[r];
		const struct verdict_rules rules = { .android = android,
						     .refresh_hz = android < 12 ? HZ : 0 };

		/* all three, then each */
		for (unsigned alone = 0; alone < 4; alone++) {
			state = r;
			begin(&rules);
			for (unsigned i = 0; i < FRAMES; i++) {
				unsigned n = (unsigned)below(3);
				int64_t length = 2 * MS + below(5) * below(12) * MS;

				if (alone && n != alone - 1)
					continue;
				frame(android, n, BOOT + i * 10 * MS, length);
				if (!alone)
					together[i] = last.hwui;
				else
					CU_ASSERT_TRUE(same(&together[i], &last.hwui));
			}
		}
	}
}

static const struct process_verdicts *nth_process(unsigned n)
{
	const struct process_verdicts *p = verdicts_next_process(v, NULL);

	for (; p && n; n--)
		p = verdicts_next_process(v, p);
	return p;
}

/* Of three windows in two processes: 2 of 3 frames, none of 2, and 1 of 1 are too late. */
static void test_totals(void)
{
	const struct process_verdicts *p;

	begin(&(struct verdict_rules){ .refresh_hz = HZ });
	frame(10, 0, BOOT, 20 * MS);
	frame(10, 1, BOOT + 2 * MS, 6 * MS);
	frame(10, 2, BOOT + 3 * MS, 30 * MS);
	frame(10, 0, BOOT + SECOND, 10 * MS);
	frame(10, 1, BOOT + 2 * SECOND, 12 * MS);
	frame(10, 0, BOOT + 3 * SECOND, 40 * MS);

	CU_ASSERT_EQUAL(window(0)->frames, 3);
	CU_ASSERT_EQUAL(window(0)->profile.total, 3);
	CU_ASSERT_EQUAL(window(0)->profile.janky, 2);
	CU_ASSERT_EQUAL(window(0)->profile.types[JANK_MISSED_DEADLINE], 2);
	CU_ASSERT_EQUAL(window(1)->profile.total, 2);
	CU_ASSERT_EQUAL(window(1)->profile.janky, 0);
	CU_ASSERT_EQUAL(window(2)->profile.total, 1);
	CU_ASSERT_EQUAL(window(2)->profile.janky, 1);
	CU_ASSERT_PTR_EQUAL(verdicts_next_window(window(0)), window(1));
	CU_ASSERT_PTR_NULL(verdicts_next_window(window(2)));

	p = nth_process(0);
	CU_ASSERT_PTR_NOT_NULL_FATAL(p);
	CU_ASSERT_EQUAL(p->producer->pid, 100);
	CU_ASSERT_EQUAL(p->profile.total, 5);
	CU_ASSERT_EQUAL(p->profile.janky, 2);
	CU_ASSERT_EQUAL(p->profile.types[JANK_MISSED_DEADLINE], 2);
	CU_ASSERT_EQUAL(p->profile.fast[6 - 5], 1);
	CU_ASSERT_EQUAL(p->profile.fast[10 - 5], 1);
	CU_ASSERT_EQUAL(p->profile.fast[12 - 5], 1);
	CU_ASSERT_EQUAL(p->profile.fast[20 - 5], 1);
	CU_ASSERT_EQUAL(p->profile.since_ns, BOOT);
	p = nth_process(1);
	CU_ASSERT_PTR_NOT_NULL_FATAL(p);
	CU_ASSERT_EQUAL(p->producer->pid, 101);
	CU_ASSERT_EQUAL(p->profile.total, 1);
	CU_ASSERT_EQUAL(p->profile.since_ns, BOOT + 3 * MS);
	CU_ASSERT_PTR_NULL(nth_process(2));
}

/* When counting began is when it is said to have, or that of the window that began first. */
static void test_since(void)
{
	begin(&(struct verdict_rules){ .refresh_hz = HZ });
	frame(10, 1, BOOT + 9 * MS, 8 * MS);
	frame(10, 0, BOOT, 8 * MS);
	CU_ASSERT_EQUAL(window(0)->profile.since_ns, BOOT + 9 * MS);
	CU_ASSERT_EQUAL(window(1)->profile.since_ns, BOOT);
	CU_ASSERT_EQUAL(nth_process(0)->profile.since_ns, BOOT);
	begin(&(struct verdict_rules){ .refresh_hz = HZ, .since_ns = 77 });
	frame(10, 1, BOOT, 8 * MS);
	CU_ASSERT_EQUAL(window(0)->profile.since_ns, 77);
	CU_ASSERT_EQUAL(nth_process(0)->profile.since_ns, 77);
}

static void expect_release(const struct verdict_rules *rules, unsigned layout_android,
			   unsigned android, unsigned api)
{
	begin(rules);
	frame(layout_android, 0, BOOT, 8 * MS);
	CU_ASSERT_EQUAL(window(0)->android, android);
	CU_ASSERT_EQUAL(window(0)->api, api);
	CU_ASSERT_EQUAL(nth_process(0)->android, android);
}

/* By the layout of the FrameInfos it is the last release that has it. */
static void test_release(void)
{
	const struct verdict_rules none = { .refresh_hz = HZ };
	static const struct {
		unsigned of_layout, android, api;
	} layouts[] = {
		{ 8, 10, 29 },  { 11, 11, 30 }, { 12, 12, 31 },
		{ 13, 15, 35 }, { 16, 16, 36 }, { 17, 17, 37 },
	};

	for (unsigned i = 0; i < sizeof(layouts) / sizeof(*layouts); i++)
		expect_release(&none, layouts[i].of_layout, layouts[i].android, layouts[i].api);
	expect_release(&(struct verdict_rules){ .android = 9 }, 10, 9, 28);
	expect_release(&(struct verdict_rules){ .android = 13 }, 15, 13, 33);
	expect_release(&(struct verdict_rules){ .android = 12, .api = 32 }, 12, 12, 32);
	/* the algorithm is that release's: of 8 there is no deadline of the swap */
	begin(&(struct verdict_rules){ .refresh_hz = HZ, .android = 8 });
	frame(10, 0, BOOT, 20 * MS);
	CU_ASSERT_TRUE(last.hwui.janky);
	CU_ASSERT_FALSE(last.hwui.types & TYPE(MISSED_DEADLINE));
}

static void test_apis(void)
{
	static const unsigned apis[] = { 26, 28, 29, 30, 31, 33, 34, 35, 36, 37 };

	for (unsigned release = 8; release <= 17; release++) {
		CU_ASSERT_EQUAL(android_api(release), apis[release - 8]);
		CU_ASSERT_EQUAL(android_of_api(apis[release - 8]), release);
	}
	CU_ASSERT_EQUAL(android_of_api(27), 8);
	CU_ASSERT_EQUAL(android_of_api(32), 12);
	CU_ASSERT_EQUAL(android_of_api(25), 0);
	CU_ASSERT_EQUAL(android_of_api(38), 0);
	CU_ASSERT_EQUAL(android_api(7), 0);
	CU_ASSERT_EQUAL(android_api(18), 0);
}

/* Behind a gap the state is not known, of that window alone, until a frame makes it anew. */
static void test_gap(void)
{
	begin(&(struct verdict_rules){ 0 });
	frame(14, 0, BOOT, 8 * MS);
	CU_ASSERT_EQUAL(last.hwui.confidence, CONF_EXACT);
	frame(14, 1, BOOT, 8 * MS);
	verdicts_gap(v, &producers[0]);
	frame(14, 0, BOOT + INTERVAL, 8 * MS);
	CU_ASSERT_EQUAL(last.hwui.confidence, CONF_PROBABLE);
	frame(14, 1, BOOT + INTERVAL, 8 * MS);
	CU_ASSERT_EQUAL(last.hwui.confidence, CONF_EXACT);
	CU_ASSERT_EQUAL(window(0)->probable, 1);
	CU_ASSERT_EQUAL(window(1)->probable, 0);
	/* how many frames are missing is not known */
	CU_ASSERT_EQUAL(window(0)->without_info, 0);
	CU_ASSERT_EQUAL(window(0)->gaps, 1);
	/* more than the second after which nothing is left of it, behind a frame that is known */
	frame(14, 0, BOOT + 2 * SECOND, 8 * MS);
	CU_ASSERT_EQUAL(last.hwui.confidence, CONF_EXACT);
	/* a window that is first seen later on */
	producers[2].from_start = false;
	frame(14, 2, BOOT, 8 * MS);
	CU_ASSERT_EQUAL(last.hwui.confidence, CONF_PROBABLE);
}

static void without_info(unsigned producer, enum frame_kind kind, enum gfxinfo_fault fault)
{
	struct frame f = { .producer = &producers[producer],
			   .fault = fault,
			   .hwui = { .kind = kind } };

	judge_it(&f);
	CU_ASSERT_FALSE(last.hwui.known);
	CU_ASSERT_FALSE(last.jankstats.known);
	CU_ASSERT_FALSE(last.matrix.known);
}

/* A frame that the app has judged, and that can't be here. */
static void test_without_info(void)
{
	begin(&(struct verdict_rules){ 0 });
	frame(14, 0, BOOT, 8 * MS);
	without_info(0, FRAME_NORMAL, FAULT_NONE);
	without_info(0, FRAME_RT_ANIMATION, FAULT_NONE);
	CU_ASSERT_EQUAL(window(0)->without_info, 2);
	CU_ASSERT_EQUAL(window(0)->frames, 1);
	frame(14, 0, BOOT + INTERVAL, 8 * MS);
	CU_ASSERT_EQUAL(last.hwui.confidence, CONF_PROBABLE);
	/* of no window of HWUI's, not drawn, or no frame at all */
	frame(14, 1, BOOT, 8 * MS);
	without_info(1, FRAME_PLAIN, FAULT_NONE);
	without_info(1, FRAME_SKIPPED, FAULT_NONE);
	without_info(1, FRAME_NORMAL, FAULT_UNFINISHED);
	CU_ASSERT_EQUAL(window(1)->without_info, 0);
	frame(14, 1, BOOT + INTERVAL, 8 * MS);
	CU_ASSERT_EQUAL(last.hwui.confidence, CONF_EXACT);
}

/* An app that comes back has another surface, and the same JankTracker. */
static void test_second_surface(void)
{
	const struct parts p = { .ui = 4 * MS, .draw = 4 * MS, .interval = INTERVAL };
	struct frame f;

	begin(&(struct verdict_rules){ 0 });
	frame(14, 0, BOOT, 8 * MS);
	/* whose frame that is can't be told yet */
	without_info(1, FRAME_FIRST, FAULT_NONE);
	f = frame_of(14, 1, BOOT + INTERVAL, &p);
	f.hwui.jank_tracker = 0x1000;
	judge_it(&f);
	CU_ASSERT_EQUAL(last.hwui.confidence, CONF_PROBABLE);
	f = frame_of(14, 1, BOOT + 2 * SECOND, &p);
	f.hwui.jank_tracker = 0x1000;
	judge_it(&f);
	CU_ASSERT_EQUAL(last.hwui.confidence, CONF_EXACT);
	without_info(1, FRAME_NORMAL, FAULT_NONE);
	CU_ASSERT_EQUAL(window(0)->without_info, 1);
	f = frame_of(14, 1, BOOT + 2 * SECOND + INTERVAL, &p);
	f.hwui.jank_tracker = 0x1000;
	judge_it(&f);
	CU_ASSERT_EQUAL(last.hwui.confidence, CONF_PROBABLE);
	CU_ASSERT_PTR_NULL(verdicts_window(v, 1));
	CU_ASSERT_EQUAL(window(0)->frames, 4);
	CU_ASSERT_PTR_EQUAL(window(0)->producer, &producers[0]);
}

/* Whatever was lost may have been a frame of any window: whole ones, too, say no more of it. */
static void test_lost(void)
{
	begin(&(struct verdict_rules){ 0 });
	frame(14, 0, BOOT, 8 * MS);
	frame(14, 1, BOOT, 8 * MS);
	verdicts_lost(v, 0);
	frame(14, 0, BOOT + INTERVAL, 8 * MS);
	CU_ASSERT_EQUAL(last.hwui.confidence, CONF_EXACT);
	verdicts_lost(v, BOOT + 2 * INTERVAL + 4 * MS);
	/* that it was before the loss, does not say that those before it were */
	frame(14, 0, BOOT + 2 * INTERVAL - 4 * MS, 8 * MS);
	CU_ASSERT_EQUAL(last.hwui.confidence, CONF_PROBABLE);
	frame(14, 0, BOOT + 3 * INTERVAL, 8 * MS);
	CU_ASSERT_EQUAL(last.hwui.confidence, CONF_PROBABLE);
	frame(14, 1, BOOT + 3 * INTERVAL, 8 * MS);
	CU_ASSERT_EQUAL(last.hwui.confidence, CONF_PROBABLE);
	/* a pause is none, if what was lost may have been within it */
	verdicts_lost(v, BOOT + 4 * INTERVAL);
	frame(14, 0, BOOT + 3 * SECOND, 8 * MS);
	CU_ASSERT_EQUAL(last.hwui.confidence, CONF_PROBABLE);
	frame(14, 0, BOOT + 5 * SECOND, 8 * MS);
	CU_ASSERT_EQUAL(last.hwui.confidence, CONF_EXACT);
	CU_ASSERT_EQUAL(window(0)->without_info, 0);
}

/*
 * Up to 11 HWUI's verdict needs the display's interval. JankStats takes one of 60 Hz there whatever
 * it is; Matrix needs it too.
 */
static void test_unjudged(void)
{
	begin(&(struct verdict_rules){ 0 });
	frame(11, 0, BOOT, 80 * MS);
	CU_ASSERT_FALSE(last.hwui.known);
	CU_ASSERT_TRUE(last.jankstats.known);
	CU_ASSERT_TRUE(last.jankstats.janky);
	CU_ASSERT_FALSE(last.matrix.known);
	frame(11, 0, BOOT + SECOND, 8 * MS);
	CU_ASSERT_FALSE(last.jankstats.janky);
	CU_ASSERT_EQUAL(window(0)->frames, 2);
	CU_ASSERT_EQUAL(window(0)->unjudged, 2);
	CU_ASSERT_EQUAL(window(0)->probable, 0);
	CU_ASSERT_EQUAL(window(0)->profile.total, 0);
	CU_ASSERT_EQUAL(window(0)->jankstats_frames, 2);
	CU_ASSERT_EQUAL(window(0)->jankstats_janky, 1);
	CU_ASSERT_EQUAL(window(0)->matrix_frames, 0);
	CU_ASSERT_EQUAL(nth_process(0)->profile.total, 0);
}

/* From 12 on those who listen to FrameMetrics are not told of what HWUI exempts. */
static void test_exempt(void)
{
	for (unsigned android = 11; android <= 14; android++) {
		const struct parts p = { .ui = 50 * MS,
					 .draw = 50 * MS,
					 .interval = INTERVAL,
					 .flags = FRAME_FLAG_SURFACE_CANVAS };

		begin(&(struct verdict_rules){ .refresh_hz = HZ, .android = android });
		struct frame f = frame_of(android, 0, BOOT, &p);

		judge_it(&f);
		CU_ASSERT_TRUE(last.hwui.known);
		CU_ASSERT_TRUE(last.hwui.exempt);
		CU_ASSERT_FALSE(last.hwui.janky);
		CU_ASSERT_EQUAL(window(0)->profile.total, 1);
		CU_ASSERT_EQUAL(window(0)->jankstats_frames, android < 12);
		CU_ASSERT_EQUAL(window(0)->jankstats_janky, android < 12);
		CU_ASSERT_EQUAL(window(0)->matrix_frames, android < 12);
		CU_ASSERT_EQUAL(last.matrix.known, android < 12);
		if (android < 12)
			continue;
		/* that HWUI's verdict can't be told does not change that */
		set_slot(&f.hwui.slots, SLOT_FRAME_DEADLINE, 0);
		judge_it(&f);
		CU_ASSERT_FALSE(last.hwui.known);
		CU_ASSERT_FALSE(last.jankstats.has_ui);
		CU_ASSERT_EQUAL(window(0)->matrix_frames, 0);
	}
}

static struct matrix_report reports[8];
static const struct window_verdicts *report_windows[8];
static unsigned nr_reports;

static void on_report(void *ctx, const struct window_verdicts *w, const struct matrix_report *r)
{
	CU_ASSERT_PTR_EQUAL(ctx, producers);
	if (nr_reports < 8) {
		reports[nr_reports] = *r;
		report_windows[nr_reports] = w;
	}
	nr_reports++;
}

/*
 * Two windows, of which one draws every 100 ms and the other every 200: ten seconds have 101 and 51
 * frames, the ends of both included. Then they go on for 4.4 s, of which the latter has one frame
 * too few to be told of.
 */
static void test_reports(void)
{
	const struct verdict_rules rules = { .matrix = matrix_default, .refresh_hz = HZ };

	begin(&rules);
	verdicts_free(v);
	v = verdicts_new(&rules, on_report, producers);
	CU_ASSERT_PTR_NOT_NULL_FATAL(v);
	nr_reports = 0;
	producers[1].window = "org.x/.Main";
	for (unsigned i = 0; i <= 143; i++) {
		frame(14, 0, BOOT + i * 100 * MS, 8 * MS);
		if (i % 2 == 0 && i / 2 <= 70)
			frame(14, 1, BOOT + i * 100 * MS, 48 * MS);
	}
	CU_ASSERT_EQUAL(nr_reports, 2);
	CU_ASSERT_PTR_EQUAL(report_windows[0], window(0));
	CU_ASSERT_STRING_EQUAL(reports[0].scene, "app");
	CU_ASSERT_EQUAL(reports[0].frames, 101);
	CU_ASSERT_EQUAL(reports[0].begin_ns, BOOT + 8 * MS);
	CU_ASSERT_EQUAL(reports[0].end_ns, BOOT + 10008 * MS);
	CU_ASSERT_EQUAL(reports[0].level[MATRIX_BEST], 101);
	CU_ASSERT_EQUAL(reports[0].sum[MATRIX_BEST], 0);
	CU_ASSERT_EQUAL(reports[0].fps, 62.5f);
	CU_ASSERT_EQUAL(reports[0].refresh_hz, 62);
	CU_ASSERT_PTR_EQUAL(report_windows[1], window(1));
	CU_ASSERT_STRING_EQUAL(reports[1].scene, "org.x/.Main");
	CU_ASSERT_EQUAL(reports[1].frames, 51);
	/* of three intervals the display has shown one */
	CU_ASSERT_EQUAL(reports[1].level[MATRIX_BEST], 51);
	CU_ASSERT_EQUAL(reports[1].sum[MATRIX_BEST], 102);
	CU_ASSERT_EQUAL(reports[1].dropped, 2);
	CU_ASSERT_EQUAL(reports[1].average_ns[METRIC_TOTAL], 48 * MS);

	verdicts_finish(v);
	CU_ASSERT_EQUAL(nr_reports, 3);
	CU_ASSERT_PTR_EQUAL(report_windows[2], window(0));
	CU_ASSERT_EQUAL(reports[2].frames, 43);
	verdicts_finish(v);
	CU_ASSERT_EQUAL(nr_reports, 3);
	/* all of them are counted, told of or not */
	CU_ASSERT_EQUAL(window(0)->matrix_frames, 144);
	CU_ASSERT_EQUAL(window(1)->matrix_frames, 71);
	CU_ASSERT_EQUAL(window(1)->matrix_sum[MATRIX_BEST], 142);
}

/* 24 ms at 16 ms an interval are half a frame too much, which rounds up; at 8 ms two frames. */
static void test_rate_changes(void)
{
	struct parts p = { .ui = 12 * MS, .draw = 12 * MS, .interval = INTERVAL };
	struct frame f;

	begin(&(struct verdict_rules){ 0 });
	f = frame_of(14, 0, BOOT, &p);
	judge_it(&f);
	CU_ASSERT_EQUAL(last.matrix.dropped, 0.5f);
	p.interval = 8 * MS;
	f = frame_of(14, 0, BOOT + SECOND, &p);
	judge_it(&f);
	CU_ASSERT_EQUAL(last.matrix.dropped, 2.0f);
	CU_ASSERT_EQUAL(window(0)->matrix_sum[MATRIX_BEST], 3);
	/* the older algorithm keeps the interval that the window was made with */
	p = (struct parts){ .ui = 6 * MS, .draw = 6 * MS, .interval = 8 * MS };
	f = frame_of(14, 0, BOOT + 3 * SECOND, &p);
	judge_it(&f);
	CU_ASSERT_TRUE(last.hwui.janky);
	CU_ASSERT_FALSE(last.hwui.janky_legacy);
	/* a rate that was asked for goes for all */
	begin(&(struct verdict_rules){ .refresh_hz = HZ });
	p = (struct parts){ .ui = 12 * MS, .draw = 12 * MS, .interval = 8 * MS };
	f = frame_of(14, 0, BOOT, &p);
	judge_it(&f);
	CU_ASSERT_EQUAL(last.matrix.dropped, 0.5f);
}

/* The older algorithm does not count how long the RenderThread was busy with something else. */
static void test_swap_late(void)
{
	struct parts p = { .ui = 2 * MS, .stall = 10 * MS, .draw = 6 * MS, .interval = INTERVAL };
	struct frame f;

	begin(&(struct verdict_rules){ 0 });
	f = frame_of(14, 0, BOOT, &p);
	judge_it(&f);
	CU_ASSERT_TRUE(last.hwui.janky);
	CU_ASSERT_FALSE(last.hwui.janky_legacy);
	CU_ASSERT_EQUAL(window(0)->disagreements[LEGACY_NOT_SWAP], 1);
	/* of 10 ms until the swap, and 6 for the GPU */
	p = (struct parts){ .ui = 6 * MS,
			    .draw = 10 * MS,
			    .swap = 3 * MS,
			    .swapped = 4 * MS,
			    .gpu = 10 * MS,
			    .interval = INTERVAL };
	f = frame_of(14, 0, BOOT + SECOND, &p);
	judge_it(&f);
	CU_ASSERT_TRUE(last.hwui.janky);
	CU_ASSERT_FALSE(last.hwui.janky_legacy);
	CU_ASSERT_EQUAL(window(0)->disagreements[LEGACY_NOT_GPU], 1);
}

/* Of 130 frames a window has the last 120, as HWUI has. */
static void test_ring(void)
{
	const struct frame_ring *ring;

	begin(&(struct verdict_rules){ .keep_rows = true });
	for (int64_t n = 0; n < 130; n++) {
		frame(14, 0, BOOT + n * INTERVAL, 8 * MS);
		if (n < 3)
			frame(14, 1, BOOT + n * INTERVAL, 8 * MS);
	}
	ring = window(0)->ring;
	CU_ASSERT_PTR_NOT_NULL_FATAL(ring);
	CU_ASSERT_EQUAL(ring->nr, 130);
	for (int64_t n = 10; n < 130; n++) {
		const struct frame_slots *s = &ring->slots[n % 120];

		CU_ASSERT_EQUAL(s->ns[SLOT_INTENDED_VSYNC], BOOT + n * INTERVAL);
	}
	CU_ASSERT_EQUAL(window(1)->ring->nr, 3);
	begin(&(struct verdict_rules){ 0 });
	frame(14, 0, BOOT, 8 * MS);
	CU_ASSERT_PTR_NULL(window(0)->ring);
}

/* In it the deadline is what finishFrame() has left; seen, or made out. */
static void test_ring_deadline(void)
{
	const struct parts p = { .ui = 4 * MS, .draw = 4 * MS, .interval = INTERVAL };
	const struct frame_slots *s;
	struct frame f;

	begin(&(struct verdict_rules){ .keep_rows = true, .android = 12 });
	frame(12, 0, BOOT, 40 * MS);
	/* stuffed until 48 ms: on 12 one interval later */
	f = frame_of(12, 0, BOOT + INTERVAL, &p);
	judge_it(&f);
	f = frame_of(12, 0, BOOT + SECOND, &p);
	f.hwui.deadline_after_ns = BOOT + SECOND + 21 * MS;
	judge_it(&f);
	s = window(0)->ring->slots;
	CU_ASSERT_EQUAL(s[0].ns[SLOT_FRAME_DEADLINE], BOOT + 16 * MS);
	CU_ASSERT_EQUAL(s[1].ns[SLOT_FRAME_DEADLINE], BOOT + 48 * MS);
	CU_ASSERT_EQUAL(s[2].ns[SLOT_FRAME_DEADLINE], BOOT + SECOND + 21 * MS);
	CU_ASSERT_EQUAL(last.jankstats.expected_ns, 21 * MS);
}

/* A producer's window is found by it where no JankTracker is known. */
static void test_of_producer(void)
{
	const struct parts p = { .ui = 4 * MS, .draw = 4 * MS };
	struct frame f;

	begin(&(struct verdict_rules){ .refresh_hz = HZ });
	for (unsigned i = 0; i < 2; i++) {
		f = frame_of(10, i, BOOT, &p);
		f.hwui.jank_tracker = 0;
		judge_it(&f);
	}
	frame(10, 2, BOOT, 8 * MS);
	CU_ASSERT_PTR_EQUAL(verdicts_of(v, &producers[0]), window(0));
	CU_ASSERT_PTR_EQUAL(verdicts_of(v, &producers[1]), window(1));
	CU_ASSERT_PTR_NULL(verdicts_of(v, &producers[2]));
	CU_ASSERT_PTR_NULL(verdicts_window(v, 3));
	verdicts_free(NULL);
}

int main(void)
{
	static const struct check_case cases[] = {
		{ "own_state", test_own_state },
		{ "interleaved", test_interleaved },
		{ "totals", test_totals },
		{ "since", test_since },
		{ "release", test_release },
		{ "apis", test_apis },
		{ "gap", test_gap },
		{ "without_info", test_without_info },
		{ "unjudged", test_unjudged },
		{ "exempt", test_exempt },
		{ "reports", test_reports },
		{ "rate_changes", test_rate_changes },
		{ "ring", test_ring },
		{ "ring_deadline", test_ring_deadline },
		{ "of_producer", test_of_producer },
		{ "second_surface", test_second_surface },
		{ "lost", test_lost },
		{ "swap_late", test_swap_late },
		{ NULL, NULL },
	};
	int failed = check_main("verdicts", cases);

	verdicts_free(v);
	return failed;
}
