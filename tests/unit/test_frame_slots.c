/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * FrameInfos of every layout and the FrameMetrics made of them. The arrays are written out as the
 * platform has them, slot by slot, from the releases' FrameInfo.h; the metrics from
 * FrameMetrics.java.
 */
#include <stdint.h>

#include "check.h"
#include "model/metrics.h"
#include "probe/platform.h"

#define NO INT64_MAX
#define NOW (uptime + 2000)

static int64_t uptime = 5000000000000; /* is added to all that is a time */

/* Intended vsync 1000, and so on; what each layout has beyond the first is told by its length. */
struct example {
	unsigned layout;
	int64_t slots[FS_FRAME_SLOTS];
	int64_t metrics[METRIC_NR]; /* NO: there is no such metric */
};

static const struct example examples[] = {
	/* flags, intended, vsync, inputs, handle, anim, traversals, draw, queued, sync, issue,
	   swap, completed, dequeue, queue */
	{ 16,
	  { 1, 1000, 1016, NO, 0, 1020, 1030, 1050, 1080, 1120, 1125, 1140, 1180, 1200, 3, 4 },
	  { 20, 10, 20, 30, 40, 15, 40, 20, 200, 1, 1000, 1016, NO, NO, NO } },
	/* the GPU's time is of a frame four ago */
	{ 17,
	  { 0, 1000, 1000, NO, 0, 1020, 1030, 1050, 1080, 1120, 1125, 1140, 1180, 1200, 3, 4, 940 },
	  { 20, 10, 20, 30, 40, 15, 40, 20, 200, 0, 1000, 1000, NO, NO, NO } },
	/* flags, vsync id, intended, vsync, input id, handle, anim, traversals, draw, deadline,
	   start, interval, queued, sync, issue, swap, completed, dequeue, queue, gpu, swapped,
	   present */
	{ 22,
	  { 0,  77,   1000, 1000, 0,    1020, 1030, 1050, 1080, 1116, 1018,
	    16, 1120, 1125, 1140, 1180, 1230, 3,    4,    1230, 1190, 929 },
	  { 20, 10, 20, 30, 40, 15, 40, 10, 230, 0, 1000, 1000, 50, 116, NO } },
	/* the same and: submitted */
	{ 23,
	  { 0,    77,   1000, 1000, 0,    1020, 1030, 1050, 1080, 1116, 1018, 16,
	    1120, 1125, 1140, 1180, 1230, 3,    4,    1230, 1190, 929,  1185 },
	  { 20, 10, 20, 30, 40, 15, 40, 10, 230, 0, 1000, 1000, 45, 116, NO } },
	/* behind the interval: workload target */
	{ 24,
	  { 0,   77,   1000, 1000, 0,    1020, 1030, 1050, 1080, 1116, 1018, 16,
	    116, 1120, 1125, 1140, 1180, 1230, 3,    4,    1230, 1190, 929,  1185 },
	  { 20, 10, 20, 30, 40, 15, 40, 10, 230, 0, 1000, 1000, 45, 116, 77 } },
	/* and the time of animations */
	{ 25,
	  { 0,    77,   1000, 1000, 0,    1020, 1030, 1050, 1080, 1116, 1018, 16,  116,
	    1000, 1120, 1125, 1140, 1180, 1230, 3,    4,    1230, 1190, 929,  1185 },
	  { 20, 10, 20, 30, 40, 15, 40, 10, 230, 0, 1000, 1000, 45, 116, 77 } },
};

#define EXAMPLES (sizeof(examples) / sizeof(*examples))

static int64_t as_read(int64_t value)
{
	return value > 900 && value < 2000 ? uptime + value : value;
}

static struct fs_frame_info record_of(const struct example *x, unsigned said)
{
	struct fs_frame_info rec = {
		.h = { .time_ns = NOW, .kind = FS_KIND_FRAME_INFO, .size = sizeof(rec) },
		.part = FS_INFO_WHOLE,
		.layout = (__u16)said,
		.count = FS_FRAME_SLOTS,
	};

	for (unsigned i = 0; i < FS_FRAME_SLOTS; i++)
		rec.slots[i] = as_read(x->slots[i]);
	return rec;
}

static void expect_metrics(const struct example *x, const struct frame_slots *s)
{
	for (unsigned id = 0; id < METRIC_NR; id++) {
		int64_t value = NO;
		bool has = frame_metric(s, (enum metric)id, &value);

		CU_ASSERT_EQUAL(has, x->metrics[id] != NO);
		if (has && value != as_read(x->metrics[id])) {
			printf("# layout %u metric %u: %lld\n", x->layout, id, (long long)value);
			CU_FAIL("another value than worked out");
		}
	}
}

static void told(void)
{
	for (size_t i = 0; i < EXAMPLES; i++) {
		struct fs_frame_info rec = record_of(&examples[i], examples[i].layout);
		struct frame_slots s;

		CU_ASSERT_TRUE_FATAL(frame_slots_take(&rec, &s));
		CU_ASSERT_EQUAL(s.layout, examples[i].layout);
		expect_metrics(&examples[i], &s);
		CU_ASSERT_FALSE(slot_known(&s, SLOT_DISPLAY_PRESENT_TIME));
	}
}

/* Without being told, the layout is found by what makes sense; or nothing is said. */
static void found_out(void)
{
	for (size_t i = 0; i < EXAMPLES; i++) {
		struct fs_frame_info rec = record_of(&examples[i], 0);
		struct frame_slots s;

		CU_ASSERT_TRUE_FATAL(frame_slots_take(&rec, &s));
		CU_ASSERT_EQUAL(s.layout, examples[i].layout == 16 ? 17 : examples[i].layout);
		expect_metrics(&examples[i], &s);
	}
}

/* What is behind the array is another FrameInfo, or anything. */
static void garbage_behind(void)
{
	static const int64_t garbage[] = { 0, 1, -1, 929, 7599383958533334121, INT64_MIN, NO, 16 };

	for (size_t i = 0; i < EXAMPLES; i++) {
		for (size_t g = 0; g < sizeof(garbage) / sizeof(*garbage); g++) {
			struct fs_frame_info rec = record_of(&examples[i], examples[i].layout);
			struct frame_slots s;

			for (unsigned at = examples[i].layout; at < FS_FRAME_SLOTS; at++)
				rec.slots[at] = garbage[g];
			CU_ASSERT_TRUE_FATAL(frame_slots_take(&rec, &s));
			expect_metrics(&examples[i], &s);
			rec.layout = 0;
			if (frame_slots_take(&rec, &s))
				expect_metrics(&examples[i], &s);
		}
	}
}

/* The wrong layout makes no sense, and then nothing is believed. */
static void wrong_layout(void)
{
	for (size_t i = 0; i < EXAMPLES; i++) {
		for (size_t j = 0; j < EXAMPLES; j++) {
			unsigned is = examples[i].layout, said = examples[j].layout;
			struct fs_frame_info rec = record_of(&examples[i], said);
			struct frame_slots s;
			/* One that goes on where the other ends is right as far as it goes. */
			bool prefix = (is < 18 && said < 18) || (is == 23 && said == 22);

			CU_ASSERT_EQUAL(frame_slots_take(&rec, &s), i == j || prefix);
		}
	}
}

/* Each time by itself set back behind the one before, or far ahead. */
static void out_of_order(void)
{
	for (size_t i = 0; i < EXAMPLES; i++) {
		const struct example *x = &examples[i];
		struct frame_slots s;

		for (unsigned slot = 0; slot < x->layout; slot++) {
			int64_t v = x->slots[slot];
			struct fs_frame_info rec = record_of(x, x->layout);

			/* What is no time of this frame's own, or may be missing. */
			if (v < 1000 || v == 1116 || v == 1018 || v == 1000 || v == NO)
				continue;
			/* The ends of the GPU's work and of the frame bound nothing. */
			rec.slots[slot] = as_read(999);
			if (v != 1230)
				CU_ASSERT_FALSE(frame_slots_take(&rec, &s));
			rec.slots[slot] = NOW + INT64_C(3000000000);
			CU_ASSERT_FALSE(frame_slots_take(&rec, &s));
		}
	}
}

static void absent(void)
{
	struct fs_frame_info rec = record_of(&examples[3], 23);
	struct frame_slots s;
	int64_t value;

	rec.slots[9] = NO; /* no deadline */
	rec.slots[1] = -1; /* no vsync id */
	rec.slots[16] = 0; /* not completed */
	rec.slots[19] = -1; /* no GPU time */
	CU_ASSERT_TRUE(frame_slots_take(&rec, &s));
	CU_ASSERT_FALSE(frame_metric(&s, METRIC_DEADLINE, &value));
	CU_ASSERT_FALSE(frame_metric(&s, METRIC_TOTAL, &value));
	CU_ASSERT_FALSE(frame_metric(&s, METRIC_GPU, &value));
	CU_ASSERT_FALSE(slot_known(&s, SLOT_VSYNC_ID));
	CU_ASSERT_TRUE(frame_metric(&s, METRIC_SYNC, &value));

	/* Nothing read, or less than the layout has. */
	rec.count = 16;
	CU_ASSERT_FALSE(frame_slots_take(&rec, &s));
	rec.count = 0;
	rec.layout = 0;
	CU_ASSERT_FALSE(frame_slots_take(&rec, &s));
	rec.layout = 18;
	rec.count = FS_FRAME_SLOTS;
	CU_ASSERT_FALSE(frame_slots_take(&rec, &s));
}

/* The UI thread's part has what was before the post, whatever is behind it. */
static void ui_part(void)
{
	for (size_t i = 0; i < EXAMPLES; i++) {
		const struct example *x = &examples[i];
		struct fs_frame_info rec = record_of(x, x->layout);
		struct frame_slots s;
		int64_t value;

		rec.part = FS_INFO_UI;
		rec.sync_queued_ns = (__u64)as_read(1120);
		for (int unsaid = 0; unsaid < 2; unsaid++) {
			if (unsaid)
				rec.layout = 0;
			CU_ASSERT_TRUE_FATAL(frame_slots_take(&rec, &s));
			for (unsigned id = METRIC_UNKNOWN_DELAY; id <= METRIC_DRAW; id++) {
				CU_ASSERT_TRUE(frame_metric(&s, (enum metric)id, &value));
				CU_ASSERT_EQUAL(value, as_read(x->metrics[id]));
			}
			CU_ASSERT_FALSE(frame_metric(&s, METRIC_SYNC, &value));
		}
		rec.sync_queued_ns = (__u64)as_read(1079); /* before the draw began */
		CU_ASSERT_FALSE(frame_slots_take(&rec, &s));
	}
}

/* What record takes for the number of slots is what there are layouts of. */
static void as_recorded(void)
{
	for (size_t i = 0; i < EXAMPLES; i++)
		CU_ASSERT_TRUE(platform_is_layout(examples[i].layout));
	for (size_t i = 0; i <= EXAMPLES; i++)
		CU_ASSERT_EQUAL(platform_layouts[i], i < EXAMPLES ? examples[i].layout : 0);
}

/* Ids look like times that have just been. */
static void soon_after_boot(void)
{
	int64_t usual = uptime;

	uptime = 8000000000;
	found_out();
	ui_part();
	uptime = usual;
}

/* Numbers at the ends of their range, in slots that may be missing and as the record's time. */
static void extremes(void)
{
	static const int64_t values[] = { INT64_MIN, INT64_MAX, -1, 0 };
	struct frame_slots s;
	int64_t value;

	for (size_t i = 0; i < sizeof(values) / sizeof(*values); i++) {
		struct fs_frame_info rec = record_of(&examples[3], 23);

		rec.slots[9] = rec.slots[16] = rec.slots[20] = values[i];
		rec.slots[19] = INT64_MIN;
		CU_ASSERT_TRUE(frame_slots_take(&rec, &s));
		for (unsigned id = 0; id < METRIC_NR; id++)
			frame_metric(&s, (enum metric)id, &value);
		CU_ASSERT_FALSE(frame_metric(&s, METRIC_GPU, &value));
		CU_ASSERT_FALSE(frame_metric(&s, METRIC_SWAP_BUFFERS, &value));
		rec.h.time_ns = (__u64)values[i];
		CU_ASSERT_FALSE(frame_slots_take(&rec, &s));
	}
}

int main(void)
{
	static const struct check_case cases[] = {
		{ "told", told },
		{ "found_out", found_out },
		{ "garbage_behind", garbage_behind },
		{ "wrong_layout", wrong_layout },
		{ "out_of_order", out_of_order },
		{ "absent", absent },
		{ "ui_part", ui_part },
		{ "soon_after_boot", soon_after_boot },
		{ "as_recorded", as_recorded },
		{ "extremes", extremes },
		{ NULL, NULL },
	};

	return check_main("frame_slots", cases);
}
