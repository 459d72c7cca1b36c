/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What `dumpsys gfxinfo PACKAGE framestats` would print of three frames, byte for byte: written
 * from the format strings of each release, and from their rules by hand. The second frame is slow,
 * so that the third, begun two intervals later, finds stuffed buffers.
 */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "output/gfxinfo_text.h"
#include "stream/slot_names.h"

/* clang-format off */
#define BARS \
	"\nHISTOGRAM: 5ms=0 6ms=0 7ms=0 8ms=1" \
	" 9ms=0 10ms=0 11ms=0 12ms=0 13ms=0 14ms=0 15ms=0 16ms=0 17ms=0 18ms=0 19ms=0" \
	" 20ms=0 21ms=0 22ms=0 23ms=0 24ms=0 25ms=0 26ms=0 27ms=0 28ms=0 29ms=0 30ms=0" \
	" 31ms=0 32ms=0 34ms=0 36ms=0 38ms=0 40ms=1" \
	" 42ms=0 44ms=0 46ms=0 48ms=0 53ms=0 57ms=0 61ms=0 65ms=0 69ms=0 73ms=0 77ms=0" \
	" 81ms=0 85ms=0 89ms=0 93ms=0 97ms=0 101ms=0 105ms=0 109ms=0 113ms=0 117ms=0" \
	" 121ms=0 125ms=0 129ms=0 133ms=0 150ms=1" \
	" 200ms=0 250ms=0 300ms=0 350ms=0 400ms=0 450ms=0 500ms=0 550ms=0 600ms=0" \
	" 650ms=0 700ms=0 750ms=0 800ms=0 850ms=0 900ms=0 950ms=0 1000ms=0 1050ms=0" \
	" 1100ms=0 1150ms=0 1200ms=0 1250ms=0 1300ms=0 1350ms=0 1400ms=0 1450ms=0" \
	" 1500ms=0 1550ms=0 1600ms=0 1650ms=0 1700ms=0 1750ms=0 1800ms=0 1850ms=0" \
	" 1900ms=0 1950ms=0 2000ms=0 2050ms=0 2100ms=0 2150ms=0 2200ms=0 2250ms=0" \
	" 2300ms=0 2350ms=0 2400ms=0 2450ms=0 2500ms=0 2550ms=0 2600ms=0 2650ms=0" \
	" 2700ms=0 2750ms=0 2800ms=0 2850ms=0 2900ms=0 2950ms=0 3000ms=0 3050ms=0" \
	" 3100ms=0 3150ms=0 3200ms=0 3250ms=0 3300ms=0 3350ms=0 3400ms=0 3450ms=0" \
	" 3500ms=0 3550ms=0 3600ms=0 3650ms=0 3700ms=0 3750ms=0 3800ms=0 3850ms=0" \
	" 3900ms=0 3950ms=0 4000ms=0 4050ms=0 4100ms=0 4150ms=0 4200ms=0 4250ms=0" \
	" 4300ms=0 4350ms=0 4400ms=0 4450ms=0 4500ms=0 4550ms=0 4600ms=0 4650ms=0" \
	" 4700ms=0 4750ms=0 4800ms=0 4850ms=0 4900ms=0 4950ms=0"

#define GPU_BARS \
	"\n50th gpu percentile: 4ms\n90th gpu percentile: 4950ms\n95th gpu percentile: 4950ms" \
	"\n99th gpu percentile: 4950ms" \
	"\nGPU HISTOGRAM: 1ms=0 2ms=1 3ms=0 4ms=1 5ms=0 6ms=0 7ms=0 8ms=0 9ms=0 10ms=0 11ms=0" \
	" 12ms=0 13ms=0 14ms=0 15ms=0 16ms=0 17ms=0 18ms=0 19ms=0 20ms=0 21ms=0 22ms=0 23ms=0" \
	" 24ms=0 25ms=0 4950ms=1"

#define HEAD "Applications Graphics Acceleration Info:\nUptime: 1300 Realtime: 5300\n"

#define TOTALS_9 \
	"\nStats since: 900000000ns\nTotal frames rendered: 3\nJanky frames: 2 (66.67%)" \
	"\n50th percentile: 40ms\n90th percentile: 150ms\n95th percentile: 150ms" \
	"\n99th percentile: 150ms\nNumber Missed Vsync: 0\nNumber High input latency: 0" \
	"\nNumber Slow UI thread: 0\nNumber Slow bitmap uploads: 0" \
	"\nNumber Slow issue draw commands: 2\nNumber Frame deadline missed: 2" BARS

#define TOTALS_12 \
	"\nStats since: 900000000ns\nTotal frames rendered: 3\nJanky frames: 2 (66.67%)" \
	"\nJanky frames (legacy): 1 (33.33%)" \
	"\n50th percentile: 40ms\n90th percentile: 150ms\n95th percentile: 150ms" \
	"\n99th percentile: 150ms\nNumber Missed Vsync: 0\nNumber High input latency: 2" \
	"\nNumber Slow UI thread: 0\nNumber Slow bitmap uploads: 0" \
	"\nNumber Slow issue draw commands: 2\nNumber Frame deadline missed: 2" \
	"\nNumber Frame deadline missed (legacy): 1" BARS GPU_BARS

static const char text_9[] =
	HEAD "\n** Graphics info for pid 4321 [org.example] **\n" TOTALS_9
	"\nProfile data in ms:\n"
	"\n\torg.example/.\"Main\"\\x0a (visibility=0)\nWindow: org.example/.\"Main\"\\x0a" TOTALS_9 "\n"
	"\n\n---PROFILEDATA---\n"
	"Flags,IntendedVsync,Vsync,OldestInputEvent,NewestInputEvent,HandleInputStart,"
	"AnimationStart,PerformTraversalsStart,DrawStart,SyncQueued,SyncStart,"
	"IssueDrawCommandsStart,SwapBuffers,FrameCompleted,DequeueBufferDuration,"
	"QueueBufferDuration,"
	"\n0,1000000000,1000000000,9223372036854775807,0,1001000000,1002000000,1003000000,"
	"1004000000,1005000000,1005500000,1006000000,1007000000,1008500000,100000,200000,"
	"\n0,1100000000,1100000000,9223372036854775807,0,1101000000,1102000000,1103000000,"
	"1104000000,1105000000,1105500000,1106000000,1137000000,1140500000,100000,200000,"
	"\n0,1133333334,1133333334,9223372036854775807,0,1134333334,1135333334,1136333334,"
	"1137333334,1138333334,1138833334,1139333334,1140333334,1293833334,100000,200000,"
	"\n---PROFILEDATA---\n\n";

/* The GPU's time is not known in a capture. */
static const char text_11[] =
	HEAD "\n** Graphics info for pid 4321 [org.example] **\n" TOTALS_9
	"\nProfile data in ms:\n"
	"\n\tStatusBar (visibility=0)\nWindow: StatusBar" TOTALS_9 "\n"
	"\n\n---PROFILEDATA---\n"
	"Flags,IntendedVsync,Vsync,OldestInputEvent,NewestInputEvent,HandleInputStart,"
	"AnimationStart,PerformTraversalsStart,DrawStart,SyncQueued,SyncStart,"
	"IssueDrawCommandsStart,SwapBuffers,FrameCompleted,DequeueBufferDuration,"
	"QueueBufferDuration,GpuCompleted,"
	"\n0,1000000000,1000000000,9223372036854775807,0,1001000000,1002000000,1003000000,"
	"1004000000,1005000000,1005500000,1006000000,1007000000,1008500000,100000,200000,-1,"
	"\n0,1100000000,1100000000,9223372036854775807,0,1101000000,1102000000,1103000000,"
	"1104000000,1105000000,1105500000,1106000000,1137000000,1140500000,100000,200000,-1,"
	"\n0,1133333334,1133333334,9223372036854775807,0,1134333334,1135333334,1136333334,"
	"1137333334,1138333334,1138833334,1139333334,1140333334,1293833334,100000,200000,-1,"
	"\n---PROFILEDATA---\n\n";

#define ROWS_12(end_1, end_2, end_3) \
	"\n0,71,1000000000,1000000000,0,1001000000,1002000000,1003000000,1004000000,1020000000," \
	"1000400000,16666667,1005000000,1005500000,1006000000,1007000000,1008500000,100000," \
	"200000,1008500000,1007500000,929," end_1 \
	"\n0,72,1100000000,1100000000,0,1101000000,1102000000,1103000000,1104000000,1120000000," \
	"1100400000,16666667,1105000000,1105500000,1106000000,1137000000,1140500000,100000," \
	"200000,1140500000,1138000000,929," end_2 \
	"\n0,73,1133333334,1133333334,0,1134333334,1135333334,1136333334,1137333334,1170000001," \
	"1133733334,16666667,1138333334,1138833334,1139333334,1140333334,1293833334,100000," \
	"200000,1293833334,1140833334,929," end_3

static const char text_12[] =
	HEAD "\n** Graphics info for pid 4321 [org.example] **\n" TOTALS_12
	"\nProfile data in ms:\n"
	"\n\tJankTracker@b4000071 (visibility=0)\nWindow: JankTracker@b4000071" TOTALS_12 "\n"
	"\n\n---PROFILEDATA---\n"
	"Flags,FrameTimelineVsyncId,IntendedVsync,Vsync,InputEventId,HandleInputStart,"
	"AnimationStart,PerformTraversalsStart,DrawStart,FrameDeadline,FrameInterval,"
	"FrameStartTime,SyncQueued,SyncStart,IssueDrawCommandsStart,SwapBuffers,FrameCompleted,"
	"DequeueBufferDuration,QueueBufferDuration,GpuCompleted,SwapBuffersCompleted,"
	"DisplayPresentTime,"
	ROWS_12("", "", "")
	"\n---PROFILEDATA---\n\n";

static const char text_14[] =
	HEAD "\n** Graphics info for pid 4321 [org.example] **\n" TOTALS_12 "\n"
	"\nProfile data in ms:\n"
	"\n\tStatusBar (visibility=0)\nWindow: StatusBar" TOTALS_12 "\n\n"
	"\n\n---PROFILEDATA---\n"
	"Flags,FrameTimelineVsyncId,IntendedVsync,Vsync,InputEventId,HandleInputStart,"
	"AnimationStart,PerformTraversalsStart,DrawStart,FrameDeadline,FrameInterval,"
	"FrameStartTime,SyncQueued,SyncStart,IssueDrawCommandsStart,SwapBuffers,FrameCompleted,"
	"DequeueBufferDuration,QueueBufferDuration,GpuCompleted,SwapBuffersCompleted,"
	"DisplayPresentTime,CommandSubmissionCompleted,"
	ROWS_12("1007000000,", "1137000000,", "1140333334,")
	"\n---PROFILEDATA---\n\n";
/* clang-format on */

#define MS INT64_C(1000000)

/* A frame that hands over after `swap` and is finished after `completed`. */
static struct frame_slots slots_of(unsigned layout, int64_t vsync, int64_t id, int64_t swap,
				   int64_t swapped, int64_t completed)
{
	struct frame_slots s = {
		.layout = layout,
		.ns = {
			[SLOT_VSYNC_ID] = id,
			[SLOT_INTENDED_VSYNC] = vsync,
			[SLOT_VSYNC] = vsync,
			[SLOT_OLDEST_INPUT] = INT64_MAX,
			[SLOT_HANDLE_INPUT_START] = vsync + MS,
			[SLOT_ANIMATION_START] = vsync + 2 * MS,
			[SLOT_PERFORM_TRAVERSALS_START] = vsync + 3 * MS,
			[SLOT_DRAW_START] = vsync + 4 * MS,
			[SLOT_FRAME_DEADLINE] = vsync + 20 * MS,
			[SLOT_FRAME_START] = vsync + 400000,
			[SLOT_FRAME_INTERVAL] = 16666667,
			[SLOT_SYNC_QUEUED] = vsync + 5 * MS,
			[SLOT_SYNC_START] = vsync + 5500000,
			[SLOT_ISSUE_DRAW_COMMANDS_START] = vsync + 6 * MS,
			[SLOT_SWAP_BUFFERS] = vsync + swap,
			[SLOT_FRAME_COMPLETED] = vsync + completed,
			[SLOT_DEQUEUE_DURATION] = 100000,
			[SLOT_QUEUE_DURATION] = 200000,
			[SLOT_GPU_COMPLETED] = layout < SLOTS_12 ? 7 : vsync + completed,
			[SLOT_SWAP_BUFFERS_COMPLETED] = vsync + swapped,
			[SLOT_DISPLAY_PRESENT_TIME] = 929,
			[SLOT_COMMAND_SUBMISSION_COMPLETED] = vsync + swap,
		},
	};
	uint32_t slots = 0;

	for (unsigned i = 0; i < layout; i++)
		slots |= 1u << frame_slots_order(layout)[i];
	s.known = frame_slots_filled(slots, s.ns);
	if (layout < SLOTS_12)
		s.known &= ~(1u << SLOT_GPU_COMPLETED);
	return s;
}

static void check_text(unsigned android, unsigned layout, const char *title, const char *expected)
{
	const struct verdict_rules rules = {
		.android = android,
		.refresh_hz = 60,
		.multiplier = JANKSTATS_MULTIPLIER,
		.matrix = matrix_default,
		.since_ns = 900000000,
		.keep_rows = true,
	};
	const struct producer app = {
		.from_start = true, .id = 1, .pid = 4321, .window = title, .process = "org.example"
	};
	const struct frame_slots slots[] = {
		slots_of(layout, 1000 * MS, 71, 7 * MS, 7500000, 8500000),
		slots_of(layout, 1100 * MS, 72, 37 * MS, 38 * MS, 40500000),
		slots_of(layout, 1133333334, 73, 7 * MS, 7500000, 160500000),
	};
	struct verdicts *v = verdicts_new(&rules, NULL, NULL);
	char *text = NULL;
	size_t len, same = 0;

	CU_ASSERT_PTR_NOT_NULL_FATAL(v);
	for (unsigned i = 0; i < 3; i++) {
		struct frame f = {
			.producer = &app,
			.hwui = { .slots = slots[i], .jank_tracker = 0xb4000071, .whole = true },
		};

		CU_ASSERT_EQUAL(verdicts_judge(v, &f), 0);
	}
	FILE *out = open_memstream(&text, &len);
	gfxinfo_text(out, v, 1300, 5300);
	fclose(out);
	while (text[same] && text[same] == expected[same])
		same++;
	CU_ASSERT_EQUAL(text[same], expected[same]);
	if (text[same] != expected[same])
		printf("# at %zu: \"%.60s\", expected \"%.60s\"\n", same, text + same,
		       expected + same);
	free(text);
	verdicts_free(v);
}

static void android_9(void)
{
	check_text(9, 16, "org.example/.\"Main\"\n", text_9);
}

static void android_11(void)
{
	check_text(11, 17, "StatusBar", text_11);
}

static void android_12(void)
{
	check_text(12, 22, NULL, text_12);
}

static void android_14(void)
{
	check_text(14, 23, "StatusBar", text_14);
}

/* Android 8 divides by the number of frames whatever that is, and has five kinds of jank; from 12
 * on there is always a part of the GPU. */
static void no_frames(void)
{
	const struct producer app = { .pid = 7, .process = "a" };
	static const struct {
		unsigned android;
		const char *share, *types;
		bool gpu;
	} releases[] = {
		{ 8, "nan", "Slow issue draw commands: 0\nHISTOGRAM", false },
		{ 9, "0.00", "Frame deadline missed: 0\nHISTOGRAM", false },
		{ 11, "0.00", "Frame deadline missed: 0\nHISTOGRAM", false },
		{ 12, "0.00", "Frame deadline missed (legacy): 0\nHISTOGRAM", true },
		{ 17, "0.00", "Frame deadline missed (legacy): 0\nHISTOGRAM", true },
	};

	for (unsigned i = 0; i < sizeof(releases) / sizeof(*releases); i++) {
		const struct process_verdicts p = {
			.producer = &app,
			.android = releases[i].android,
		};
		char *text = NULL, start[128];
		size_t len;
		FILE *out = open_memstream(&text, &len);

		gfxinfo_text_process(out, &p);
		fclose(out);
		snprintf(start, sizeof(start),
			 "\n** Graphics info for pid 7 [a] **\n\nTotal frames rendered: 0"
			 "\nJanky frames: 0 (%s%%)\n",
			 releases[i].share);
		CU_ASSERT_EQUAL(strncmp(text, start, strlen(start)), 0);
		CU_ASSERT_PTR_NOT_NULL(strstr(text, releases[i].types));
		CU_ASSERT_PTR_NOT_NULL(strstr(text, "\n99th percentile: 4950ms\n"));
		CU_ASSERT_EQUAL(
			strstr(text, "\n99th gpu percentile: 4950ms\nGPU HISTOGRAM: 1ms=0 ") !=
				NULL,
			releases[i].gpu);
		free(text);
	}
}

static void headings(void)
{
	CU_ASSERT_STRING_EQUAL(slot_heading(23, 10), "FrameInterval");
	CU_ASSERT_STRING_EQUAL(slot_heading(23, 11), "FrameStartTime");
	CU_ASSERT_STRING_EQUAL(slot_heading(24, 10), "FrameStartTime");
	CU_ASSERT_STRING_EQUAL(slot_heading(25, 13), "AnimationTime");
	CU_ASSERT_PTR_NULL(slot_heading(22, 22));
	CU_ASSERT_PTR_NULL(slot_heading(21, 0));
}

int main(void)
{
	static const struct check_case cases[] = {
		{ "android_9", android_9 },
		{ "android_11", android_11 },
		{ "android_12", android_12 },
		{ "android_14", android_14 },
		{ "no_frames", no_frames },
		{ "headings", headings },
		{ NULL, NULL },
	};

	return check_main("gfxinfo_written", cases);
}
