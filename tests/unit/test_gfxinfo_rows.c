/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Rows of ---PROFILEDATA---: every layout, and every fault at its limit. The headers are those of
 * the releases' FrameInfo.cpp, the swapped names of Android 12 to 15 included.
 */
#include "check.h"
#include "unit/gfxinfo_text.h"

static struct gfxinfo_text t;
static struct gfxinfo_reading r;

#define ROWS "---PROFILEDATA---\n"
#define UI_8                                                                                       \
	"Flags,IntendedVsync,Vsync,OldestInputEvent,NewestInputEvent,HandleInputStart,"            \
	"AnimationStart,PerformTraversalsStart,DrawStart,"
#define UI_12                                                                                      \
	"Flags,FrameTimelineVsyncId,IntendedVsync,Vsync,InputEventId,HandleInputStart,"            \
	"AnimationStart,PerformTraversalsStart,DrawStart,FrameDeadline,"
#define SWAPPED "FrameInterval,FrameStartTime,"
#define RIGHT "FrameStartTime,FrameInterval,"
#define RENDER                                                                                     \
	"SyncQueued,SyncStart,IssueDrawCommandsStart,SwapBuffers,FrameCompleted,"                  \
	"DequeueBufferDuration,QueueBufferDuration,"
#define RENDER_12 RENDER "GpuCompleted,SwapBuffersCompleted,DisplayPresentTime,"
#define RENDER_13 RENDER_12 "CommandSubmissionCompleted,"

#define BIT(slot) (1u << (slot))

/* What the rows below hold, slot by slot, whichever layout has it. */
static const int64_t values[SLOT_NR] = {
	[SLOT_FLAGS] = 2,
	[SLOT_VSYNC_ID] = 777,
	[SLOT_INTENDED_VSYNC] = 1000,
	[SLOT_VSYNC] = 1016,
	[SLOT_OLDEST_INPUT] = INT64_MAX,
	[SLOT_NEWEST_INPUT] = 0,
	[SLOT_INPUT_EVENT_ID] = -250402187,
	[SLOT_HANDLE_INPUT_START] = 1020,
	[SLOT_ANIMATION_START] = 1030,
	[SLOT_PERFORM_TRAVERSALS_START] = 1050,
	[SLOT_DRAW_START] = 1080,
	[SLOT_FRAME_DEADLINE] = 1900,
	[SLOT_FRAME_START] = 1018,
	[SLOT_FRAME_INTERVAL] = 16,
	[SLOT_WORKLOAD_TARGET] = 900,
	[SLOT_ANIMATION_TIME] = 1005,
	[SLOT_SYNC_QUEUED] = 1120,
	[SLOT_SYNC_START] = 1125,
	[SLOT_ISSUE_DRAW_COMMANDS_START] = 1140,
	[SLOT_SWAP_BUFFERS] = 1180,
	[SLOT_FRAME_COMPLETED] = 1230,
	[SLOT_DEQUEUE_DURATION] = 3,
	[SLOT_QUEUE_DURATION] = 4,
	[SLOT_GPU_COMPLETED] = 1220,
	[SLOT_SWAP_BUFFERS_COMPLETED] = 1190,
	[SLOT_DISPLAY_PRESENT_TIME] = 7599383958533334121,
	[SLOT_COMMAND_SUBMISSION_COMPLETED] = 1185,
};

#define ROW_8 "2,1000,1016,9223372036854775807,0,1020,1030,1050,1080,1120,1125,1140,1180,1230,3,4,"
#define ROW_UI_12 "2,777,1000,1016,-250402187,1020,1030,1050,1080,1900,1018,16,"
#define ROW_12 "1120,1125,1140,1180,1230,3,4,1220,1190,7599383958533334121,"
#define ROW_13 ROW_12 "1185,"

#define SLOTS_8                                                                                    \
	(BIT(SLOT_FLAGS) | BIT(SLOT_INTENDED_VSYNC) | BIT(SLOT_VSYNC) | BIT(SLOT_OLDEST_INPUT) |   \
	 BIT(SLOT_NEWEST_INPUT) | BIT(SLOT_HANDLE_INPUT_START) | BIT(SLOT_ANIMATION_START) |       \
	 BIT(SLOT_PERFORM_TRAVERSALS_START) | BIT(SLOT_DRAW_START) | SLOTS_RENDER)
#define SLOTS_RENDER                                                                               \
	(BIT(SLOT_SYNC_QUEUED) | BIT(SLOT_SYNC_START) | BIT(SLOT_ISSUE_DRAW_COMMANDS_START) |      \
	 BIT(SLOT_SWAP_BUFFERS) | BIT(SLOT_FRAME_COMPLETED) | BIT(SLOT_DEQUEUE_DURATION) |         \
	 BIT(SLOT_QUEUE_DURATION))
#define SLOTS_22                                                                                   \
	(BIT(SLOT_FLAGS) | BIT(SLOT_VSYNC_ID) | BIT(SLOT_INTENDED_VSYNC) | BIT(SLOT_VSYNC) |       \
	 BIT(SLOT_INPUT_EVENT_ID) | BIT(SLOT_HANDLE_INPUT_START) | BIT(SLOT_ANIMATION_START) |     \
	 BIT(SLOT_PERFORM_TRAVERSALS_START) | BIT(SLOT_DRAW_START) | BIT(SLOT_FRAME_DEADLINE) |    \
	 BIT(SLOT_FRAME_START) | BIT(SLOT_FRAME_INTERVAL) | SLOTS_RENDER |                         \
	 BIT(SLOT_GPU_COMPLETED) | BIT(SLOT_SWAP_BUFFERS_COMPLETED) |                              \
	 BIT(SLOT_DISPLAY_PRESENT_TIME))
#define SLOTS_23 (SLOTS_22 | BIT(SLOT_COMMAND_SUBMISSION_COMPLETED))

/* Never known: no input, an id below 0, a present time that nothing vouches for. */
#define NOT_KNOWN                                                                                  \
	(BIT(SLOT_OLDEST_INPUT) | BIT(SLOT_NEWEST_INPUT) | BIT(SLOT_INPUT_EVENT_ID) |              \
	 BIT(SLOT_DISPLAY_PRESENT_TIME))

static void test_layouts(void)
{
	static const struct {
		const char *header, *row;
		unsigned layout;
		uint32_t slots;
	} layouts[] = {
		{ UI_8 RENDER, ROW_8, 16, SLOTS_8 },
		{ UI_8 RENDER "GpuCompleted,", ROW_8 "1220,", 17,
		  SLOTS_8 | BIT(SLOT_GPU_COMPLETED) },
		{ UI_12 SWAPPED RENDER_12, ROW_UI_12 ROW_12, 22, SLOTS_22 },
		{ UI_12 SWAPPED RENDER_13, ROW_UI_12 ROW_13, 23, SLOTS_23 },
		{ UI_12 RIGHT "WorkloadTarget," RENDER_13, ROW_UI_12 "900," ROW_13, 24,
		  SLOTS_23 | BIT(SLOT_WORKLOAD_TARGET) },
		{ UI_12 RIGHT "WorkloadTarget,AnimationTime," RENDER_13,
		  ROW_UI_12 "900,1005," ROW_13, 25,
		  SLOTS_23 | BIT(SLOT_WORKLOAD_TARGET) | BIT(SLOT_ANIMATION_TIME) },
		/* a column more than is known, within or at the end */
		{ UI_12 RIGHT "WorkloadTarget,AnimationTime,AnimationCounter," RENDER_13,
		  ROW_UI_12 "900,1005,5," ROW_13, 25,
		  SLOTS_23 | BIT(SLOT_WORKLOAD_TARGET) | BIT(SLOT_ANIMATION_TIME) },
		{ UI_8 RENDER "Later,", ROW_8 "5,", 16, SLOTS_8 },
		/* the names were put right without WorkloadTarget, and were wrong with a column
		   more */
		{ UI_12 RIGHT RENDER_13, ROW_UI_12 ROW_13, 23, SLOTS_23 },
		{ UI_12 SWAPPED "Other," RENDER_13, ROW_UI_12 "5," ROW_13, 23, SLOTS_23 },
		{ UI_12 RIGHT "Other," RENDER_13, ROW_UI_12 "5," ROW_13, 23, SLOTS_23 },
		/* with it they are trusted, whatever they are */
		{ UI_12 SWAPPED "WorkloadTarget," RENDER_13,
		  "2,777,1000,1016,-250402187,1020,1030,1050,1080,1900,16,1018,900," ROW_13, 24,
		  SLOTS_23 | BIT(SLOT_WORKLOAD_TARGET) },
		/* Android 6 and 7 */
		{ UI_8 "SyncQueued,SyncStart,IssueDrawCommandsStart,SwapBuffers,FrameCompleted,",
		  "2,1000,1016,9223372036854775807,0,1020,1030,1050,1080,1120,1125,1140,1180,1230,",
		  16, SLOTS_8 & ~(BIT(SLOT_DEQUEUE_DURATION) | BIT(SLOT_QUEUE_DURATION)) },
		/* of two columns of a name the first; no comma at the end */
		{ "IntendedVsync,FrameCompleted,IntendedVsync", "1000,1230,7", 16,
		  BIT(SLOT_INTENDED_VSYNC) | BIT(SLOT_FRAME_COMPLETED) },
	};

	for (unsigned i = 0; i < sizeof(layouts) / sizeof(*layouts); i++) {
		t.len = 0;
		text_add(&t, ROWS "%s\n%s\n" ROWS, layouts[i].header, layouts[i].row);
		read_gfxinfo_text(&t, &r);
		const struct gfxinfo_item *row = &nth_item(&r, GFXINFO_ROW, 0)->i;

		CU_ASSERT_EQUAL(row->fault, FAULT_NONE);
		CU_ASSERT_EQUAL(row->slots.layout, layouts[i].layout);
		CU_ASSERT_EQUAL(row->slots.known, layouts[i].slots & ~NOT_KNOWN);
		if (row->slots.known != (layouts[i].slots & ~NOT_KNOWN))
			printf("# layout %u\n", i);
		for (unsigned slot = 0; slot < SLOT_NR; slot++)
			CU_ASSERT_EQUAL(row->slots.ns[slot],
					layouts[i].slots & BIT(slot) ? values[slot] : 0);
		CU_ASSERT_EQUAL(r.input.rows, 1);
	}
}

/* What is no header makes rows that are none. */
static void test_bad_headers(void)
{
	char many[2048] = "";
	const char *const headers[] = {
		"Flags,IntendedVsync,\n2,1000,\n", /* cut */
		"\n2,1000,\n", /* none */
		many,
	};

	for (unsigned i = 0; i < 61; i++)
		strcat(many, "Flags,");
	strcat(many, "IntendedVsync,FrameCompleted,X,Y,\n");
	for (unsigned i = 0; i < 65; i++)
		strcat(many, "7,");
	strcat(many, "\n");
	for (unsigned i = 0; i < sizeof(headers) / sizeof(*headers); i++) {
		t.len = 0;
		text_add(&t, ROWS "%s" ROWS, headers[i]);
		read_gfxinfo_text(&t, &r);
		CU_ASSERT_EQUAL(count_items(&r, GFXINFO_ROW), 1);
		CU_ASSERT_EQUAL(nth_item(&r, GFXINFO_ROW, 0)->i.fault, FAULT_CUT);
		CU_ASSERT_EQUAL(nth_item(&r, GFXINFO_ROW, 0)->i.slots.known, 0);
	}

	/* 64 columns are fine */
	t.len = 0;
	text_add(&t, ROWS "IntendedVsync,");
	for (unsigned i = 0; i < 62; i++)
		text_add(&t, "X%u,", i);
	text_add(&t, "FrameCompleted,\n");
	for (unsigned i = 1; i <= 64; i++)
		text_add(&t, "%u,", i);
	text_add(&t, "\n" ROWS);
	read_gfxinfo_text(&t, &r);
	CU_ASSERT_EQUAL(nth_item(&r, GFXINFO_ROW, 0)->i.fault, FAULT_NONE);
	CU_ASSERT_EQUAL(nth_item(&r, GFXINFO_ROW, 0)->i.slots.ns[SLOT_FRAME_COMPLETED], 64);
}

/* The place of a slot in the 23 columns. */
static unsigned column(enum frame_slot slot)
{
	const uint8_t *order = frame_slots_order(23);
	unsigned i = 0;

	while (order[i] != slot)
		i++;
	return i;
}

/* A row of 23 columns with one value, or two, put in. */
static const struct gfxinfo_item *read_row(uint64_t uptime_ms, enum frame_slot slot, int64_t value,
					   enum frame_slot slot2, int64_t value2)
{
	const uint8_t *order = frame_slots_order(23);

	t.len = 0;
	text_add(&t, "Applications Graphics Acceleration Info:\n");
	if (uptime_ms)
		text_add(&t, "Uptime: %llu Realtime: 1\n", (unsigned long long)uptime_ms);
	text_add(&t, "\n" ROWS UI_12 SWAPPED RENDER_13 "\n");
	for (unsigned i = 0; i < 23; i++) {
		int64_t v = i == column(slot)    ? value
			    : i == column(slot2) ? value2
						 : values[order[i]];

		text_add(&t, "%lld,", (long long)v);
	}
	text_add(&t, "\n" ROWS);
	read_gfxinfo_text(&t, &r);
	CU_ASSERT_EQUAL(count_items(&r, GFXINFO_ROW), 1);
	return &nth_item(&r, GFXINFO_ROW, 0)->i;
}

static const struct gfxinfo_item *read_slot(uint64_t uptime_ms, enum frame_slot slot, int64_t value)
{
	return read_row(uptime_ms, slot, value, slot, value);
}

static void test_unfinished(void)
{
	const int64_t limit = (5000 + 60000) * INT64_C(1000000), length = 100000000000;
	static const enum frame_slot ends[] = { SLOT_FRAME_COMPLETED, SLOT_GPU_COMPLETED };

	for (unsigned i = 0; i < 2; i++) {
		CU_ASSERT_EQUAL(read_slot(5000, ends[i], limit)->fault, FAULT_NONE);
		CU_ASSERT_TRUE(r.items[1].i.slots.known & BIT(ends[i]));
		CU_ASSERT_EQUAL(read_slot(5000, ends[i], limit + 1)->fault, FAULT_UNFINISHED);
		CU_ASSERT_FALSE(r.items[1].i.slots.known & BIT(ends[i]));
		CU_ASSERT_TRUE(r.items[1].i.slots.known & BIT(ends[1 - i]));
		CU_ASSERT_EQUAL(r.items[1].i.slots.ns[ends[i]], limit + 1);
		CU_ASSERT_EQUAL(r.input.faults[FAULT_UNFINISHED], 1);

		/* without the dump's time */
		CU_ASSERT_EQUAL(read_slot(0, ends[i], 1000 + length)->fault, FAULT_NONE);
		CU_ASSERT_EQUAL(read_slot(0, ends[i], 1001 + length)->fault, FAULT_UNFINISHED);
	}
	CU_ASSERT_EQUAL(read_slot(5000, SLOT_FRAME_COMPLETED, 0)->fault, FAULT_UNFINISHED);
	CU_ASSERT_EQUAL(read_slot(5000, SLOT_FRAME_COMPLETED, INT64_MAX - 1)->fault,
			FAULT_UNFINISHED);
	/* a GPU's time that there is none of is no fault */
	CU_ASSERT_EQUAL(read_slot(5000, SLOT_GPU_COMPLETED, 0)->fault, FAULT_NONE);
	CU_ASSERT_EQUAL(read_slot(5000, SLOT_GPU_COMPLETED, -1)->fault, FAULT_NONE);
	/* times so long after the boot that a minute more can't be said in ns */
	CU_ASSERT_EQUAL(read_slot(UINT64_MAX, SLOT_FRAME_COMPLETED, INT64_MAX - 1)->fault,
			FAULT_NONE);
	CU_ASSERT_EQUAL(
		read_slot(9223372036854 - 60000, SLOT_FRAME_COMPLETED, INT64_MAX - 1)->fault,
		FAULT_NONE);
	CU_ASSERT_EQUAL(
		read_row(0, SLOT_INTENDED_VSYNC, INT64_MAX - 2, SLOT_FRAME_COMPLETED, INT64_MAX - 1)
			->fault,
		FAULT_NONE);
}

/* The next frame has its place in the ring, and it was never counted. */
static void test_skipped(void)
{
	CU_ASSERT_EQUAL(read_slot(5000, SLOT_FLAGS, FRAME_FLAG_SKIPPED)->fault, FAULT_UNFINISHED);
	CU_ASSERT_EQUAL(r.input.faults[FAULT_UNFINISHED], 1);
	CU_ASSERT_EQUAL(read_slot(5000, SLOT_FLAGS, FRAME_FLAG_SKIPPED | 1)->fault,
			FAULT_UNFINISHED);
	CU_ASSERT_EQUAL(read_slot(5000, SLOT_FLAGS, FRAME_FLAG_SURFACE_CANVAS)->fault, FAULT_NONE);
}

static void test_stale(void)
{
	const int64_t sync = values[SLOT_SYNC_START];

	CU_ASSERT_EQUAL(read_slot(5000, SLOT_FRAME_COMPLETED, sync)->fault, FAULT_NONE);
	/* it ended before it was synced, so that end is of the frame before in its place */
	CU_ASSERT_EQUAL(read_slot(5000, SLOT_FRAME_COMPLETED, sync - 1)->fault, FAULT_STALE);
	CU_ASSERT_EQUAL(read_row(5000, SLOT_FRAME_COMPLETED, 1001, SLOT_SYNC_START, 1001)->fault,
			FAULT_NONE);
	CU_ASSERT_EQUAL(read_row(5000, SLOT_FRAME_COMPLETED, 1000, SLOT_SYNC_START, 1000)->fault,
			FAULT_STALE);
	CU_ASSERT_EQUAL(read_slot(5000, SLOT_FRAME_COMPLETED, 999)->fault, FAULT_STALE);
	CU_ASSERT_EQUAL(read_slot(5000, SLOT_FRAME_COMPLETED, 1)->fault, FAULT_STALE);
	CU_ASSERT_FALSE(r.items[1].i.slots.known & BIT(SLOT_FRAME_COMPLETED));
	CU_ASSERT_TRUE(r.items[1].i.slots.known & BIT(SLOT_INTENDED_VSYNC));
	CU_ASSERT_EQUAL(r.input.faults[FAULT_STALE], 1);
}

static void test_no_time(void)
{
	const uint32_t needed = BIT(SLOT_INTENDED_VSYNC) | BIT(SLOT_VSYNC) | BIT(SLOT_SYNC_QUEUED) |
				BIT(SLOT_SYNC_START) | BIT(SLOT_ISSUE_DRAW_COMMANDS_START) |
				BIT(SLOT_SWAP_BUFFERS) | BIT(SLOT_FRAME_COMPLETED);
	static const int64_t none[] = { -1, INT64_MAX, INT64_MIN };
	const uint8_t *order = frame_slots_order(23);

	for (unsigned i = 0; i < 23; i++) {
		enum frame_slot slot = (enum frame_slot)order[i];
		enum gfxinfo_fault want = needed & BIT(slot) ? FAULT_NO_TIME : FAULT_NONE;

		for (unsigned n = 0; n < 3; n++) {
			/* later than the dump; skipped */
			if ((slot == SLOT_GPU_COMPLETED && none[n] == INT64_MAX) ||
			    (slot == SLOT_FLAGS && none[n] & FRAME_FLAG_SKIPPED))
				continue;
			CU_ASSERT_EQUAL(read_slot(5000, slot, none[n])->fault, want);
			CU_ASSERT_EQUAL(r.items[1].i.slots.ns[slot], none[n]);
			if (want)
				CU_ASSERT_FALSE(r.items[1].i.slots.known & BIT(slot));
		}
	}
	/* HWUI gives what begins at 0 no length */
	CU_ASSERT_EQUAL(read_slot(5000, SLOT_INTENDED_VSYNC, 0)->fault, FAULT_NO_TIME);
	CU_ASSERT_EQUAL(read_slot(5000, SLOT_INTENDED_VSYNC, 1)->fault, FAULT_NONE);
	CU_ASSERT_EQUAL(read_slot(5000, SLOT_SYNC_QUEUED, 0)->fault, FAULT_NONE);
}

static void test_cut(void)
{
	static const struct {
		const char *rows;
		unsigned nr;
		enum gfxinfo_fault faults[3];
	} texts[] = {
		{ "10,20,\n", 1, { FAULT_NONE } },
		{ "  10,20, \r\n", 1, { FAULT_NONE } },
		{ "10,20\n", 1, { FAULT_CUT } },
		{ "10,\n", 1, { FAULT_CUT } },
		{ ",20,\n", 1, { FAULT_CUT } },
		{ "10,20,30,\n", 1, { FAULT_CUT } },
		{ "10,,20,\n", 1, { FAULT_CUT } },
		{ "10,20,,\n", 1, { FAULT_CUT } },
		{ "10, 20,\n", 1, { FAULT_CUT } },
		{ "10,2x,\n", 1, { FAULT_CUT } },
		{ "10,-,\n", 1, { FAULT_CUT } },
		{ "10,--20,\n", 1, { FAULT_CUT } },
		{ "10,20.5,\n", 1, { FAULT_CUT } },
		{ "10,0x20,\n", 1, { FAULT_CUT } },
		/* just fits, just does not */
		{ "10,9223372036854775807,\n", 1, { FAULT_NO_TIME } },
		{ "10,9223372036854775808,\n", 1, { FAULT_CUT } },
		{ "10,-9223372036854775808,\n", 1, { FAULT_NO_TIME } },
		{ "10,-9223372036854775809,\n", 1, { FAULT_CUT } },
		{ "10,99999999999999999999999999,\n", 1, { FAULT_CUT } },
		{ "10,00000000000000000000000000000020,\n", 1, { FAULT_NONE } },
		/* two rows on one line, each with its own fault */
		{ "10,20,11,21,\n", 2, { FAULT_NONE, FAULT_NONE } },
		{ "10,20,11,0,\n12,22,\n", 3, { FAULT_NONE, FAULT_UNFINISHED, FAULT_NONE } },
		{ "10,9,11,21,\n", 2, { FAULT_STALE, FAULT_NONE } },
		{ "10,20,11,21\n", 1, { FAULT_CUT } },
		{ "10,2011,21,\n", 1, { FAULT_CUT } },
		{ "10,20,11,21,12,22,\n", 1, { FAULT_CUT } },
		/* a whole row at the end of the text, one that is not */
		{ "10,20,", 1, { FAULT_NONE } },
		{ "10,20", 1, { FAULT_CUT } },
	};

	for (unsigned i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		bool end = texts[i].rows[strlen(texts[i].rows) - 1] != '\n';

		t.len = 0;
		text_add(&t, ROWS "IntendedVsync,FrameCompleted,\n%s%s", texts[i].rows,
			 end ? "" : ROWS);
		read_gfxinfo_text(&t, &r);
		CU_ASSERT_EQUAL(count_items(&r, GFXINFO_ROW), texts[i].nr);
		CU_ASSERT_EQUAL(r.input.rows, texts[i].nr);
		for (unsigned n = 0; n < texts[i].nr; n++) {
			CU_ASSERT_EQUAL(nth_item(&r, GFXINFO_ROW, n)->i.fault, texts[i].faults[n]);
			if (nth_item(&r, GFXINFO_ROW, n)->i.fault != texts[i].faults[n])
				printf("# %s", texts[i].rows);
		}
		CU_ASSERT_EQUAL(r.input.cut, end);
		CU_ASSERT_EQUAL(r.input.unreadable, 0);
	}
	read_gfxinfo_bytes(ROWS "IntendedVsync,FrameCompleted,\n10,20,11,21,\n" ROWS, 79, &r);
	CU_ASSERT_EQUAL(nth_item(&r, GFXINFO_ROW, 1)->i.slots.ns[SLOT_INTENDED_VSYNC], 11);
	CU_ASSERT_EQUAL(nth_item(&r, GFXINFO_ROW, 1)->i.slots.ns[SLOT_FRAME_COMPLETED], 21);
	CU_ASSERT_EQUAL(nth_item(&r, GFXINFO_ROW, 1)->i.line, 3);
}

/* Lines within a block that are nothing: they are counted, and the block goes on. */
static void test_unreadable(void)
{
	t.len = 0;
	text_add(&t,
		 ROWS "IntendedVsync,FrameCompleted,\n10,20,\n\nfoo\n\x01\x02\n- -\n11,21,\n" ROWS);
	read_gfxinfo_text(&t, &r);
	CU_ASSERT_EQUAL(r.input.rows, 2);
	CU_ASSERT_EQUAL(r.input.unreadable, 3);
	CU_ASSERT_FALSE(r.input.cut);
}

int main(void)
{
	static const struct check_case cases[] = {
		{ "layouts", test_layouts },
		{ "bad_headers", test_bad_headers },
		{ "unfinished", test_unfinished },
		{ "skipped", test_skipped },
		{ "stale", test_stale },
		{ "no_time", test_no_time },
		{ "cut", test_cut },
		{ "unreadable", test_unreadable },
		{ NULL, NULL },
	};

	return check_main("gfxinfo_rows", cases);
}
