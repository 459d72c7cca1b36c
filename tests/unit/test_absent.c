/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What is said to be absent follows from what there is, and each reason says what to record. */
#include <string.h>

#include "check.h"
#include "trace/absent.h"

#define BIT(what) (1u << ABSENT_##what)

static void reasons(void)
{
	static const struct {
		struct intake_counts counts;
		enum absent_form form;
		unsigned want;
	} cases[] = {
		{ { 0 }, ABSENT_IN_TEXT, 0 },
		{ { .switches = 9, .wakings = 5, .fences = 3 }, ABSENT_IN_TEXT, BIT(MARKS) },
		{ { .switches = 9, .wakings = 5, .fences = 3, .marks = 7 },
		  ABSENT_IN_TEXT,
		  BIT(FRAMES) },
		{ { .switches = 9, .wakings = 5, .fences = 3, .marks = 7, .frame_marks = 2 },
		  ABSENT_IN_TEXT,
		  BIT(TIMELINE_TEXT) | BIT(FRAME_INFO) },
		{ { .switches = 9, .wakings = 5, .fences = 3, .marks = 7, .frame_marks = 2 },
		  ABSENT_IN_PERFETTO,
		  BIT(TIMELINE) | BIT(FRAME_INFO) },
		{ { .switches = 9, .marks = 7, .frame_marks = 2, .timelines = 4 },
		  ABSENT_IN_PERFETTO,
		  BIT(WAKINGS) | BIT(FENCES) | BIT(FRAME_INFO) },
		{ { .marks = 7, .frame_marks = 2, .timelines = 4 },
		  ABSENT_IN_PERFETTO,
		  BIT(SWITCHES) | BIT(FENCES) | BIT(FRAME_INFO) },
		{ { .buffers = 1 }, ABSENT_IN_PERFETTO, BIT(MARKS) | BIT(SWITCHES) | BIT(FENCES) },
	};

	for (unsigned i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		CU_ASSERT_EQUAL(absent_find(&cases[i].counts, cases[i].form), cases[i].want);
}

static void texts(void)
{
	static const char *const named[] = {
		[ABSENT_MARKS] = "tracing_mark_write",
		[ABSENT_FRAMES] = "atrace_apps",
		[ABSENT_SWITCHES] = "sched_switch",
		[ABSENT_WAKINGS] = "sched_waking",
		[ABSENT_FENCES] = "dma_fence",
		[ABSENT_TIMELINE] = "android.surfaceflinger.frametimeline",
		[ABSENT_TIMELINE_TEXT] = "Perfetto",
		[ABSENT_FRAME_INFO] = "framestats",
	};

	for (unsigned i = 0; i < ABSENT_NR; i++) {
		CU_ASSERT_PTR_NOT_NULL(strstr(absent_text((enum absent)i), named[i]));
		CU_ASSERT_EQUAL(strncmp(absent_text((enum absent)i), "no ", 3), 0);
	}
}

int main(void)
{
	static const struct check_case cases[] = {
		{ "reasons", reasons },
		{ "texts", texts },
		{ NULL, NULL },
	};

	return check_main("absent", cases);
}
