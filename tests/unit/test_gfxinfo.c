/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Dumps, processes, windows and totals of dumpsys gfxinfo, and the tables beside them. */
#include "check.h"
#include "unit/gfxinfo_text.h"

#define MAIN_TITLE "org.x/org.x.Main"

static struct gfxinfo_text t;
static struct gfxinfo_reading r;

#define HEADER                                                                                     \
	"Flags,IntendedVsync,Vsync,OldestInputEvent,NewestInputEvent,HandleInputStart,"            \
	"AnimationStart,PerformTraversalsStart,DrawStart,SyncQueued,SyncStart,"                    \
	"IssueDrawCommandsStart,SwapBuffers,FrameCompleted,DequeueBufferDuration,"                 \
	"QueueBufferDuration,\n"
#define ROWS "---PROFILEDATA---\n"
#define ROW(start) "0," start ",10,9223372036854775807,0,20,30,40,50,60,70,80,90,100,1,2,\n"

static void add_dump(uint64_t uptime_ms)
{
	text_add(&t, "Applications Graphics Acceleration Info:\n");
	text_add(&t, "Uptime: %llu Realtime: 99\n\n", (unsigned long long)uptime_ms);
}

static void add_process(unsigned pid, const char *name)
{
	text_add(&t, "** Graphics info for pid %u [%s] **\n\n", pid, name);
}

/* As ViewRootImpl lists a window, and HWUI its totals and rows. */
static void add_window(const char *title, unsigned total)
{
	text_add(&t, "\t%s/android.view.ViewRootImpl@1720d3b (visibility=0)\n", title);
	text_add(&t, "\tDraw\tPrepare\tProcess\tExecute\n\n");
	text_add(&t, "Window: %s\nStats since: 5ns\nTotal frames rendered: %u\n", title, total);
	text_add(&t, "HISTOGRAM: 5ms=%u\n\n\n\n", total);
	text_add(&t, ROWS HEADER ROW("10") ROWS "\n\n");
}

static void test_whole(void)
{
	t.len = 0;
	add_dump(1234);
	add_process(77, "org.x");
	text_add(&t, "Stats since: 500ns\n"
		     "Total frames rendered: 200\n"
		     "Janky frames: 25 (12.50%%)\n"
		     "Janky frames (legacy): 50 (25.00%%)\n"
		     "50th percentile: 8ms\n"
		     "90th percentile: 42ms\n"
		     "95th percentile: 73ms\n"
		     "99th percentile: 550ms\n"
		     "Number Missed Vsync: 1\n"
		     "Number High input latency: 2\n"
		     "Number Slow UI thread: 3\n"
		     "Number Slow bitmap uploads: 4\n"
		     "Number Slow issue draw commands: 5\n"
		     "Number Frame deadline missed: 6\n"
		     "Number Frame deadline missed (legacy): 7\n"
		     "HISTOGRAM: 5ms=150 32ms=49 4950ms=1\n"
		     "50th gpu percentile: 3ms\n"
		     "90th gpu percentile: 4ms\n"
		     "95th gpu percentile: 5ms\n"
		     "99th gpu percentile: 4950ms\n"
		     "GPU HISTOGRAM: 1ms=190 4950ms=9\n"
		     "\nPipeline=Skia (OpenGL)\nProfile data in ms:\n\n");
	add_window(MAIN_TITLE, 12);
	text_add(&t, "View hierarchy:\n\n  " MAIN_TITLE "/android.view.ViewRootImpl@1720d3b\n");
	read_gfxinfo_text(&t, &r);

	CU_ASSERT_EQUAL(r.ret, 0);
	CU_ASSERT_EQUAL_FATAL(r.n, 5);
	CU_ASSERT_EQUAL(r.items[0].i.kind, GFXINFO_DUMP);
	CU_ASSERT_EQUAL(r.items[0].i.uptime_ms, 1234);
	CU_ASSERT_EQUAL(r.items[1].i.kind, GFXINFO_PROCESS);
	CU_ASSERT_EQUAL(r.items[1].i.line, 4);
	CU_ASSERT_EQUAL(r.items[1].i.pid, 77);
	CU_ASSERT_STRING_EQUAL(r.items[1].process, "org.x");
	CU_ASSERT_EQUAL(r.items[2].i.kind, GFXINFO_STATS);
	CU_ASSERT_EQUAL(r.items[3].i.kind, GFXINFO_STATS);
	CU_ASSERT_EQUAL(r.items[4].i.kind, GFXINFO_ROW);

	const struct gfxinfo_stats *s = &r.items[2].stats;
	CU_ASSERT_EQUAL(s->scope, SCOPE_PROCESS);
	CU_ASSERT_STRING_EQUAL(s->name, "");
	CU_ASSERT_EQUAL(s->line, 6);
	CU_ASSERT_EQUAL(s->printed, (1u << FIGURE_NR) - 1);
	CU_ASSERT_FALSE(s->filtered);
	CU_ASSERT_EQUAL(s->since_ns, 500);
	CU_ASSERT_EQUAL(s->total, 200);
	CU_ASSERT_EQUAL(s->janky, 25);
	CU_ASSERT_EQUAL(s->janky_centipercent, 1250);
	CU_ASSERT_EQUAL(s->janky_legacy, 50);
	CU_ASSERT_EQUAL(s->janky_legacy_centipercent, 2500);
	const uint32_t percentiles[] = { 8, 42, 73, 550 }, gpu[] = { 3, 4, 5, 4950 };
	CU_ASSERT_EQUAL(memcmp(s->percentiles_ms, percentiles, sizeof(percentiles)), 0);
	CU_ASSERT_EQUAL(memcmp(s->gpu_percentiles_ms, gpu, sizeof(gpu)), 0);
	for (unsigned i = 0; i < GFXINFO_TYPES; i++)
		CU_ASSERT_EQUAL(s->types[i], i + 1);
	CU_ASSERT_EQUAL(s->nr_bars, 3);
	CU_ASSERT(s->bars[1].label_ms == 32 && s->bars[1].count == 49);
	CU_ASSERT(s->bars[2].label_ms == 4950 && s->bars[2].count == 1);
	CU_ASSERT_EQUAL(s->nr_gpu_bars, 2);
	CU_ASSERT(s->gpu_bars[1].label_ms == 4950 && s->gpu_bars[1].count == 9);

	s = &r.items[3].stats;
	CU_ASSERT_EQUAL(s->scope, SCOPE_WINDOW);
	CU_ASSERT_STRING_EQUAL(s->name, MAIN_TITLE);
	CU_ASSERT_EQUAL(s->printed,
			1u << FIGURE_SINCE | 1u << FIGURE_TOTAL | 1u << FIGURE_HISTOGRAM);
	CU_ASSERT_EQUAL(s->total, 12);
	CU_ASSERT_EQUAL(r.items[3].i.line, 35);

	CU_ASSERT_STRING_EQUAL(r.items[4].window, MAIN_TITLE);
	CU_ASSERT_EQUAL(r.items[4].i.window_nr, 1);
	CU_ASSERT_EQUAL(r.items[4].i.pid, 77);
	CU_ASSERT_EQUAL(r.items[4].i.line, 43);
	CU_ASSERT_EQUAL(r.items[4].i.fault, FAULT_NONE);

	CU_ASSERT_EQUAL(r.input.bytes, t.len);
	CU_ASSERT_EQUAL(r.input.lines, 49);
	CU_ASSERT_EQUAL(r.input.dumps, 1);
	CU_ASSERT_EQUAL(r.input.processes, 1);
	CU_ASSERT_EQUAL(r.input.rows, 1);
	CU_ASSERT_EQUAL(r.input.unreadable, 0);
	CU_ASSERT_FALSE(r.input.cut);
	CU_ASSERT_STRING_EQUAL(r.input.encoding, "UTF-8");
}

/* Two windows of one name, another between, the same name in another process and dump. */
static void test_window_numbers(void)
{
	static const struct {
		unsigned pid;
		const char *window;
		unsigned nr;
	} want[] = {
		{ 1, "Toast", 1 }, { 1, "Main", 1 },  { 1, "Toast", 2 },
		{ 2, "Toast", 1 }, { 1, "Toast", 1 },
	};

	t.len = 0;
	add_dump(1);
	add_process(1, "one");
	text_add(&t, "Profile data in ms:\n");
	add_window("Toast", 1);
	add_window("Main", 2);
	add_window("Toast", 3);
	text_add(&t, "View hierarchy:\n\n  Toast/android.view.ViewRootImpl@1\n");
	add_process(2, "two");
	text_add(&t, "Profile data in ms:\n");
	add_window("Toast", 4);
	add_dump(2);
	add_process(1, "one");
	text_add(&t, "Profile data in ms:\n");
	add_window("Toast", 5);
	read_gfxinfo_text(&t, &r);

	CU_ASSERT_EQUAL(r.input.dumps, 2);
	CU_ASSERT_EQUAL(r.input.processes, 3);
	CU_ASSERT_EQUAL_FATAL(count_items(&r, GFXINFO_STATS), 5);
	for (unsigned i = 0; i < 5; i++) {
		const struct gfxinfo_read_item *s = nth_item(&r, GFXINFO_STATS, i);
		const struct gfxinfo_read_item *row = nth_item(&r, GFXINFO_ROW, i);

		CU_ASSERT_EQUAL(s->stats.total, i + 1);
		CU_ASSERT_EQUAL(s->i.pid, want[i].pid);
		CU_ASSERT_STRING_EQUAL(s->stats.name, want[i].window);
		CU_ASSERT_STRING_EQUAL(s->window, want[i].window);
		CU_ASSERT_EQUAL(s->i.window_nr, want[i].nr);
		CU_ASSERT_EQUAL(row->i.window_nr, want[i].nr);
		CU_ASSERT_STRING_EQUAL(row->window, want[i].window);
	}
	CU_ASSERT_EQUAL(nth_item(&r, GFXINFO_DUMP, 1)->i.uptime_ms, 2);

	/* more names than are told apart: those beyond are the first of theirs, the others are not
	 */
	t.len = 0;
	text_add(&t, "** Graphics info for pid 1 [one] **\n");
	for (unsigned i = 0; i < 1025; i++)
		text_add(&t, "Window: w%u\n", i);
	for (unsigned i = 1023; i < 1025; i++)
		text_add(&t, "Window: w%u\nTotal frames rendered: 1\n\n", i);
	read_gfxinfo_text(&t, &r);
	CU_ASSERT_EQUAL(nth_item(&r, GFXINFO_STATS, 0)->i.window_nr, 2);
	CU_ASSERT_EQUAL(nth_item(&r, GFXINFO_STATS, 1)->i.window_nr, 1);

	/* without the list, "Window:" alone says that another window begins */
	t.len = 0;
	text_add(&t, "Window: A\nTotal frames rendered: 1\nWindow: A\nTotal frames rendered: 2\n");
	text_add(&t, "Number Missed Vsync: 0\n");
	read_gfxinfo_text(&t, &r);
	CU_ASSERT_EQUAL(nth_item(&r, GFXINFO_STATS, 0)->i.window_nr, 1);
	CU_ASSERT_EQUAL(nth_item(&r, GFXINFO_STATS, 1)->i.window_nr, 2);
}

/* What a dump has lost at its start, or never had. */
static void test_parts_missing(void)
{
	static const struct {
		const char *text;
		unsigned items;
		uint64_t uptime_ms;
		bool cut;
	} texts[] = {
		/* a dump without frames is one */
		{ "Applications Graphics Acceleration Info:\nUptime: 5 Realtime: 6\n", 1, 5,
		  false },
		{ "Applications Graphics Acceleration Info:\n", 1, 0, false },
		{ "Applications Graphics Acceleration Info:\n\nUptime: 5\n", 1, 5, false },
		{ "Applications Graphics Acceleration Info:\nUptime: 5", 1, 0, false },
		{ "Applications Graphics Acceleration Info:\nUptime: x\n", 1, 0, false },
		{ "Applications Graphics Acceleration Info:\n** Graphics info for pid 1 [a] **\n",
		  2, 0, false },
		/* an own dump is made up for what is of none */
		{ "** Graphics info for pid 1 [a] **\n", 2, 0, false },
		{ ROWS HEADER ROW("10") ROWS, 2, 0, false },
		{ HEADER ROW("10") ROWS, 2, 0, false },
		{ HEADER ROW("10"), 2, 0, true },
		{ ROWS HEADER, 0, 0, true },
		{ "Total frames rendered: 5\n\n", 2, 0, false },
		{ "Total frames rendered: 5\n", 2, 0, true },
		{ "HISTOGRAM: 5ms=1\n", 2, 0, false },
		/* text of adb or of a script around it */
		{ "* daemon started successfully\nMon Jan  1 10:00:00 UTC 2024\n16666\n"
		  "Applications Graphics Acceleration Info:\nUptime: 5 Realtime: 6\nbye\n",
		  1, 5, false },
		/* a lost newline before a dump, or around rows */
		{ ROWS HEADER "0,1,2,Applications Graphics Acceleration Info:\nUptime: 5 R\n", 3, 0,
		  false },
		{ ROWS "Flags,IntendedVsync,FrameCompleted,0,10,20,\n0,10,20,---PROFILEDATA---\n",
		  3, 0, false },
		{ "---PROFILEDATA---Flags,IntendedVsync,FrameCompleted,\n0,10,20,\n" ROWS, 2, 0,
		  false },
		/* a header that begins like a row is none */
		{ ROWS HEADER "-IntendedVsync,FrameCompleted,\n" ROW("10") ROWS, 2, 0, false },
		/* the closing line is lost */
		{ ROWS HEADER ROW("10") "\nView hierarchy:\n\n12,13\n", 2, 0, false },
		{ ROWS HEADER ROW("10") "Stats since: 5ns\nTotal frames rendered: 3\n\n", 3, 0,
		  false },
		/* the opening line is lost */
		{ ROW("10") ROWS "\n\nView hierarchy:\n\n12 views\n", 0, 0, false },
	};

	for (unsigned i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		read_gfxinfo_bytes(texts[i].text, strlen(texts[i].text), &r);
		CU_ASSERT_EQUAL(r.ret, 0);
		CU_ASSERT_EQUAL(r.n, texts[i].items);
		CU_ASSERT_EQUAL(r.input.cut, texts[i].cut);
		CU_ASSERT_EQUAL(nth_item(&r, GFXINFO_DUMP, 0)->i.uptime_ms, texts[i].uptime_ms);
		if (r.n != texts[i].items || r.input.cut != texts[i].cut)
			printf("# text %u: %u items, cut %d\n", i, r.n, r.input.cut);
		if (r.n)
			CU_ASSERT_EQUAL(r.items[0].i.kind, GFXINFO_DUMP);
	}
}

static void test_process_lines(void)
{
	static const struct {
		const char *line;
		unsigned pid;
		const char *name;
	} lines[] = {
		{ "** Graphics info for pid 4294967295 [a b] **\n", UINT32_MAX, "a b" },
		{ "** Graphics info for pid 4294967296 [a] **\n", 0, "a" },
		{ "** Graphics info for pid 7 [a[1]] **\n", 7, "a[1]" },
		{ "** Graphics info for pid 7 [] **\n", 7, "" },
		{ "** Graphics info for pid 7 [a\n", 7, "a" },
		{ "** Graphics info for pid [a] **\n", 0, "a" },
		{ "** Graphics info for pid 7 [a] **", 7, "a" },
	};

	for (unsigned i = 0; i < sizeof(lines) / sizeof(*lines); i++) {
		read_gfxinfo_bytes(lines[i].line, strlen(lines[i].line), &r);
		CU_ASSERT_EQUAL(nth_item(&r, GFXINFO_PROCESS, 0)->i.pid, lines[i].pid);
		CU_ASSERT_STRING_EQUAL(nth_item(&r, GFXINFO_PROCESS, 0)->process, lines[i].name);
	}
	/* cut: the name may go on */
	read_gfxinfo_bytes("** Graphics info for pid 7 [a] *", 32, &r);
	CU_ASSERT_EQUAL(r.ret, 0);
	CU_ASSERT_EQUAL(r.n, 0);
}

/* 300 bytes, the 255th of them within a character. */
static void test_long_names(void)
{
	char name[302] = "", cut[GFXINFO_NAME] = "";

	for (unsigned i = 0; i < 300; i += 2)
		memcpy(name + i, "\xc3\xa4", 2);
	memcpy(cut, name, 254);
	t.len = 0;
	text_add(&t, "** Graphics info for pid 1 [%s] **\nProfile data in ms:\n\n", name);
	add_window(name, 1);
	read_gfxinfo_text(&t, &r);
	CU_ASSERT_STRING_EQUAL(nth_item(&r, GFXINFO_PROCESS, 0)->process, cut);
	CU_ASSERT_STRING_EQUAL(nth_item(&r, GFXINFO_STATS, 0)->stats.name, cut);
	CU_ASSERT_STRING_EQUAL(nth_item(&r, GFXINFO_ROW, 0)->window, cut);
	CU_ASSERT_EQUAL(nth_item(&r, GFXINFO_ROW, 0)->i.window_nr, 1);
}

/* Text between two lines, and what is printed, how many blocks, how many lines unreadable. */
static void test_totals(void)
{
	static const struct {
		const char *text;
		uint32_t printed; /* of the first block */
		unsigned blocks;
		unsigned unreadable;
	} texts[] = {
#define TOTAL (1u << FIGURE_TOTAL)
		{ "Total frames rendered: 3\n", TOTAL, 1, 0 },
		{ "Total frames rendered: 18446744073709551615\n", TOTAL, 1, 0 },
		{ "Total frames rendered: 1\nTotal frames rendered: 18446744073709551616\n", TOTAL,
		  1, 0 },
		{ "Total frames rendered: 1\nJanky frames: 1 (18446744073709551616.00%)\n", TOTAL,
		  1, 1 },
		{ "Total frames rendered: 1\nJanky frames: 1\n", TOTAL, 1, 1 },
		{ "Total frames rendered: 1\nJanky frames: 1 (1.00)\n", TOTAL, 1, 1 },
		{ "Total frames rendered: 1\n50th percentile: 4294967296ms\n", TOTAL, 1, 1 },
		{ "Total frames rendered: 1\n50th percentile: 5\n", TOTAL, 1, 1 },
		{ "Total frames rendered: 1\n75th percentile: 5ms\nNumber of what may come: 5\n",
		  TOTAL, 1, 0 },
		{ "Total frames rendered: 1\nStats end: 5ns\nNumber Missed Vsync: 5\n",
		  TOTAL | 1u << FIGURE_TYPES, 1, 0 },
		{ "Total frames rendered: 1\n\nNumber Missed Vsync: 5\n", TOTAL, 2, 0 },
		/* an empty line ends them, that of a log does not */
		{ "Total frames rendered: 1\nNumber Mis\nNumber Missed Vsync: 5\n",
		  TOTAL | 1u << FIGURE_TYPES, 1, 0 },
		{ "Total frames rendered: 1\n11-30 12:00:00.1 7 8 I x: y\nNumber Missed Vsync: 5\n",
		  TOTAL | 1u << FIGURE_TYPES, 1, 0 },
		{ "Total frames rendered: 1\nI/x: HISTOGRAM\nHISTOGRAM: 5ms=1\nD/x: y\n"
		  "50th gpu percentile: 1ms\nD/x: y\nGPU HISTOGRAM: 1ms=1\nD/x: y\nD/x: y\n",
		  TOTAL | 1u << FIGURE_HISTOGRAM | 1u << FIGURE_GPU_PERCENTILES |
			  1u << FIGURE_GPU_HISTOGRAM,
		  1, 0 },
		{ "Total frames rendered: 1\nWindow: w\nNumber Missed Vsync: 5\n", TOTAL, 2, 0 },
		{ "Total frames rendered: 1\n16666666\nNumber Missed Vsync: 5\n", TOTAL, 2, 0 },
		{ "Total frames rendered: 1\nI/x: y\nTotal frames rendered: 5\n", TOTAL, 2, 0 },
		{ "Total frames rendered: 1\nHISTOGRAM:\n", TOTAL | 1u << FIGURE_HISTOGRAM, 1, 0 },
		{ "Total frames rendered: 1\nHISTOGRAM: 5ms=1 6\n", TOTAL, 1, 1 },
		{ "Total frames rendered: 1\nHISTOGRAM: 5ms=1,6ms=1\n", TOTAL, 1, 1 },
		{ "Total frames rendered: 1\nHISTOGRAM: 4294967296ms=1\n", TOTAL, 1, 1 },
		{ "Total frames rendered: 1\nHISTOGRAM: 5ms=18446744073709551616\n", TOTAL, 1, 1 },
		{ "Stats since: 5ms\nTotal frames rendered: 1\n", TOTAL, 1, 0 },
		/* these alone are in other texts too */
		{ "Number of CPUs: 8\nStats end: 5ns\n", 0, 0, 0 },
	};

	for (unsigned i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		t.len = 0;
		text_add(&t, "** Graphics info for pid 1 [a] **\n%s\n", texts[i].text);
		read_gfxinfo_text(&t, &r);
		CU_ASSERT_EQUAL(nth_item(&r, GFXINFO_STATS, 0)->stats.printed, texts[i].printed);
		CU_ASSERT_EQUAL(count_items(&r, GFXINFO_STATS), texts[i].blocks);
		CU_ASSERT_EQUAL(r.input.unreadable, texts[i].unreadable);
		if (r.input.unreadable != texts[i].unreadable)
			printf("# text %u: %s", i, texts[i].text);
		CU_ASSERT_FALSE(r.input.cut);
	}
}

static void test_totals_of_old(void)
{
	/* Android 6: no 50th percentile, no histogram; and no frames to take a share of */
	t.len = 0;
	text_add(&t, "Stats since: 7ns\nTotal frames rendered: 0\nJanky frames: 0 (-nan%%)\n"
		     "90th percentile: 34ms\n95th percentile: 0ms\n99th percentile: 1ms\n"
		     "Number Missed Vsync: 4\nNumber Slow issue draw commands: 9\n");
	read_gfxinfo_text(&t, &r);
	const struct gfxinfo_stats *s = &nth_item(&r, GFXINFO_STATS, 0)->stats;
	CU_ASSERT_EQUAL(s->printed, 1u << FIGURE_SINCE | 1u << FIGURE_TOTAL | 1u << FIGURE_JANKY |
					    7u << (FIGURE_PERCENTILES + 1) | 1u << FIGURE_TYPES |
					    1u << (FIGURE_TYPES + 4));
	CU_ASSERT_EQUAL(s->janky_centipercent, 0);
	CU_ASSERT_EQUAL(s->percentiles_ms[1], 34);
	CU_ASSERT_EQUAL(s->types[4], 9);
	CU_ASSERT_FALSE(r.input.cut);

	/* filtered, and of a package */
	t.len = 0;
	text_add(&t, "Package: org.x\nVersion: 3\nNote: Data has been filtered!\n"
		     "Stats since: 7ns\nTotal frames rendered: 5\nJanky frames: 1 (20,00%%)\n\n"
		     "Package: org.y\nTotal frames rendered: 6\n\n");
	read_gfxinfo_text(&t, &r);
	s = &nth_item(&r, GFXINFO_STATS, 0)->stats;
	CU_ASSERT_EQUAL(count_items(&r, GFXINFO_STATS), 2);
	CU_ASSERT_TRUE(s->filtered);
	CU_ASSERT_EQUAL(s->scope, SCOPE_PACKAGE);
	CU_ASSERT_STRING_EQUAL(s->name, "org.x");
	CU_ASSERT_EQUAL(s->line, 3);
	CU_ASSERT_EQUAL(s->janky_centipercent, 2000);
	s = &nth_item(&r, GFXINFO_STATS, 1)->stats;
	CU_ASSERT_FALSE(s->filtered);
	CU_ASSERT_STRING_EQUAL(s->name, "org.y");
	CU_ASSERT_EQUAL(s->total, 6);
}

/* As many bars as there is room for, and one more. */
static void test_many_bars(void)
{
	for (unsigned more = 0; more < 2; more++) {
		t.len = 0;
		text_add(&t, "Total frames rendered: 1\nHISTOGRAM:");
		for (unsigned i = 0; i < GFXINFO_BARS + more; i++)
			text_add(&t, " %ums=%u", i, i + 1);
		text_add(&t, "\n");
		read_gfxinfo_text(&t, &r);
		const struct gfxinfo_stats *s = &nth_item(&r, GFXINFO_STATS, 0)->stats;
		CU_ASSERT_EQUAL(s->nr_bars, more ? 0 : GFXINFO_BARS);
		CU_ASSERT_EQUAL(s->printed >> FIGURE_HISTOGRAM & 1, !more);
		CU_ASSERT_EQUAL(r.input.unreadable, more);
		if (!more)
			CU_ASSERT_EQUAL(s->bars[GFXINFO_BARS - 1].count, GFXINFO_BARS);
	}
}

static void test_times(void)
{
	static const struct {
		const char *line;
		unsigned columns;
		enum gfxinfo_fault fault;
		int64_t ns[TIME_NR];
	} rows[] = {
		{ "\t50.00\t0.31\t4.26\t0.70\n", 4, 0, { 50000000, 310000, 4260000, 700000 } },
		{ "\t50.00\t4.26\t0.70\n", 3, 0, { 50000000, 0, 4260000, 700000 } },
		{ "50,00 4,26 0,70\r\n", 3, 0, { 50000000, 0, 4260000, 700000 } },
		{ "\t1.1234567\t2\t3.5\n", 3, 0, { 1123456, 0, 2000000, 3500000 } },
		{ "\t1.00\t-2.50\t3.00\n", 3, FAULT_NO_TIME, { 1000000, 0, -2500000, 3000000 } },
		{ "\t1.00\t-0.50\t3.00\n", 3, FAULT_NO_TIME, { 1000000, 0, -500000, 3000000 } },
		{ "\t9223372036854.77\t0.00\t0.00\n", 3, 0, { 9223372036854770000, 0, 0, 0 } },
		{ "\t9223372036854.78\t0.00\t0.00\n", 3, FAULT_CUT, { 0 } },
		{ "\t1.00\t2.00\n", 3, FAULT_CUT, { 0 } },
		{ "\t1.00\t2.00\t3.00\t4.00\n", 3, FAULT_CUT, { 0 } },
		{ "\t1.00\t2.00\t3.00\t4.00\t5.00\n", 4, FAULT_CUT, { 0 } },
		{ "\t1.00\t2.00\t3.0x\n", 3, FAULT_CUT, { 0 } },
		{ "\t1.00\t2.00\t3.\n", 3, FAULT_CUT, { 0 } },
		/* at the end of the text a number has two places or is cut */
		{ "\t1.00\t2.00\t3.00", 3, 0, { 1000000, 0, 2000000, 3000000 } },
		{ "\t1.00\t2.00\t3.0", 3, FAULT_CUT, { 0 } },
		{ "\t1.00\t2.00\t3", 3, FAULT_CUT, { 0 } },
		{ "\t1.00\t2.00\t30", 3, FAULT_CUT, { 0 } },
	};

	for (unsigned i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		t.len = 0;
		text_add(&t, "** Graphics info for pid 9 [old] **\nProfile data in ms:\n\n"
			     "\torg.x/Main/android.view.ViewRootImpl@1 (visibility=0)\n");
		text_add(&t, rows[i].columns == 4 ? "\tDraw\tPrepare\tProcess\tExecute\n"
						  : "\tDraw\tProcess\tExecute\n");
		text_add(&t, "%s", rows[i].line);
		read_gfxinfo_text(&t, &r);

		const struct gfxinfo_read_item *item = nth_item(&r, GFXINFO_TIMES, 0);
		CU_ASSERT_EQUAL(count_items(&r, GFXINFO_TIMES), 1);
		CU_ASSERT_EQUAL(item->i.fault, rows[i].fault);
		CU_ASSERT_EQUAL(item->i.nr_times, rows[i].columns);
		CU_ASSERT_EQUAL(memcmp(item->i.times_ns, rows[i].ns, sizeof(rows[i].ns)), 0);
		CU_ASSERT_STRING_EQUAL(item->window, "org.x/Main");
		CU_ASSERT_EQUAL(item->i.pid, 9);
		CU_ASSERT_EQUAL(item->i.line, 6);
	}

	/* it ends with the first line that is none of its rows */
	t.len = 0;
	text_add(&t, "Draw Prepare Process Execute\n1.00 2.00 3.00 4.00\n\n5.00 6.00 7.00 8.00\n");
	read_gfxinfo_text(&t, &r);
	CU_ASSERT_EQUAL(count_items(&r, GFXINFO_TIMES), 1);
	CU_ASSERT_FALSE(r.input.cut);
}

static void test_latency(void)
{
	static const char text[] = "16666666\n"
				   "0\t0\t0\n"
				   "1000\t2000\t1500\n"
				   "1000\t9223372036854775807\t1500\n"
				   "1000\t2000\t9223372036854775807\n"
				   "9223372036854775807\t2000\t1500\n"
				   "-1\t2000\t1500\n"
				   "1000\t0\t1500\n"
				   "1000\t2000\n"
				   "1000\t2000\t1500\t7\n"
				   "1000\t9223372036854775808\t1500\n"
				   "\n"
				   "8333333\n"
				   "1001\t2001\t1501\n"
				   "bye\n"
				   "1002\t2002\t1502\n";
	static const struct {
		uint64_t refresh_ns;
		enum gfxinfo_fault fault;
	} want[] = {
		{ 16666666, FAULT_NONE },       { 16666666, FAULT_UNFINISHED },
		{ 16666666, FAULT_UNFINISHED }, { 16666666, FAULT_NO_TIME },
		{ 16666666, FAULT_NO_TIME },    { 16666666, FAULT_NO_TIME },
		{ 16666666, FAULT_CUT },        { 16666666, FAULT_CUT },
		{ 16666666, FAULT_CUT },        { 8333333, FAULT_NONE },
	};

	read_gfxinfo_bytes(text, strlen(text), &r);
	CU_ASSERT_EQUAL(r.ret, 0);
	CU_ASSERT_EQUAL_FATAL(r.n, sizeof(want) / sizeof(*want));
	for (unsigned i = 0; i < r.n; i++) {
		CU_ASSERT_EQUAL(r.items[i].i.kind, GFXINFO_LATENCY);
		CU_ASSERT_EQUAL(r.items[i].i.refresh_ns, want[i].refresh_ns);
		CU_ASSERT_EQUAL(r.items[i].i.fault, want[i].fault);
	}
	CU_ASSERT_EQUAL(r.items[0].i.line, 3);
	CU_ASSERT_EQUAL(r.items[0].i.desired_ns, 1000);
	CU_ASSERT_EQUAL(r.items[0].i.present_ns, 2000);
	CU_ASSERT_EQUAL(r.items[0].i.ready_ns, 1500);
	CU_ASSERT_EQUAL(r.items[1].i.present_ns, INT64_MAX);
	CU_ASSERT_EQUAL(r.items[9].i.desired_ns, 1001);
	CU_ASSERT_EQUAL(r.input.dumps, 0);
	CU_ASSERT_FALSE(r.input.cut);

	/* cut within a number, maybe */
	read_gfxinfo_bytes("16666666\n1\t2\t3\n4\t5\t6", 20, &r);
	CU_ASSERT_EQUAL(r.n, 2);
	CU_ASSERT_EQUAL(nth_item(&r, GFXINFO_LATENCY, 1)->i.fault, FAULT_CUT);
	CU_ASSERT_TRUE(r.input.cut);
}

static void test_fault_names(void)
{
	CU_ASSERT_PTR_NULL(gfxinfo_fault_name(FAULT_NONE));
	CU_ASSERT_STRING_EQUAL(gfxinfo_fault_name(FAULT_UNFINISHED), "unfinished");
	CU_ASSERT_STRING_EQUAL(gfxinfo_fault_name(FAULT_CUT), "cut");
	CU_ASSERT_PTR_NULL(gfxinfo_fault_name(FAULT_NR));
}

int main(void)
{
	static const struct check_case cases[] = {
		{ "whole", test_whole },
		{ "window_numbers", test_window_numbers },
		{ "parts_missing", test_parts_missing },
		{ "process_lines", test_process_lines },
		{ "long_names", test_long_names },
		{ "totals", test_totals },
		{ "totals_of_old", test_totals_of_old },
		{ "many_bars", test_many_bars },
		{ "times", test_times },
		{ "latency", test_latency },
		{ "fault_names", test_fault_names },
		{ NULL, NULL },
	};

	return check_main("gfxinfo", cases);
}
