/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Which frames there are in what dumps say again and again, and where some may be missing. */
#include "model/dump_frames.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include "model/producers.h"
#include "unit/jank_frames.h"

#define VSYNC(n) (BOOT + (n)*HZ60)

/* What was given: each frame as "PRODUCER:BEGIN", in frames at 60 Hz since BOOT, "|" is a gap. */
static struct {
	struct dump_frames *frames;
	char said[4096];
	struct frame last;
	const struct producer *last_gap;
} got;

static void say(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

static void say(const char *fmt, ...)
{
	size_t len = strlen(got.said);
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(got.said + len, sizeof(got.said) - len, fmt, ap);
	va_end(ap);
}

static void on_frame(void *ctx, struct frame *f)
{
	int64_t begin = f->dumped == DUMP_ROW ? f->hwui.slots.ns[SLOT_INTENDED_VSYNC] : BOOT;

	(void)ctx;
	say(" %u:%s%" PRId64 "%s", f->producer->id, f->fault ? "(" : "", (begin - BOOT) / HZ60,
	    f->fault ? ")" : "");
	got.last = *f;
}

static void on_gap(void *ctx, const struct producer *p)
{
	(void)ctx;
	say(" %u:|", p->id);
	got.last_gap = p;
}

static void begin(void)
{
	static const struct dump_sink sink = { .frame = on_frame, .gap = on_gap };

	dump_frames_free(got.frames);
	memset(&got, 0, sizeof(got));
	got.frames = dump_frames_new(&sink);
	CU_ASSERT_PTR_NOT_NULL_FATAL(got.frames);
}

static void expect(const char *said)
{
	if (strcmp(got.said, said) != 0)
		printf("# got%s\n", got.said);
	CU_ASSERT_STRING_EQUAL(got.said, said);
	got.said[0] = '\0';
}

static void add(const struct gfxinfo_item *item)
{
	CU_ASSERT_EQUAL(dump_frames_add(got.frames, item), 0);
}

static void dump(void)
{
	add(&(struct gfxinfo_item){ .kind = GFXINFO_DUMP, .process = "", .window = "" });
}

static struct gfxinfo_item item_of(enum gfxinfo_kind kind, const char *window, unsigned nr)
{
	return (struct gfxinfo_item){
		.kind = kind, .pid = 7, .process = "app", .window = window, .window_nr = nr
	};
}

/* Its totals, and those of the window alone. */
static void total(const char *window, uint64_t frames)
{
	struct gfxinfo_item item = item_of(GFXINFO_STATS, window, 1);
	static struct gfxinfo_stats stats;

	stats = (struct gfxinfo_stats){ .scope = SCOPE_WINDOW,
					.printed = 1u << FIGURE_TOTAL,
					.total = frames };
	item.stats = &stats;
	add(&item);
}

/* Of 8 ms, begun at that vsync. */
static struct gfxinfo_item row_item(const char *window, int64_t n)
{
	static const struct parts parts = { .ui = 3 * MS, .sync = MS, .draw = 4 * MS };
	struct gfxinfo_item item = item_of(GFXINFO_ROW, window, 1);

	item.slots = make_slots(10, VSYNC(n), &parts);
	return item;
}

static void row(const char *window, int64_t n)
{
	const struct gfxinfo_item item = row_item(window, n);

	add(&item);
}

static void rows(const char *window, int64_t from, int64_t to)
{
	for (; from <= to; from++)
		row(window, from);
}

/* The same while it is drawn, in a place of the ring that none was in before. */
static void unfinished(const char *window, int64_t n)
{
	struct gfxinfo_item item = row_item(window, n);

	set_slot(&item.slots, SLOT_FRAME_COMPLETED, 0);
	item.fault = FAULT_UNFINISHED;
	add(&item);
}

/* And in one that an older frame was in: its later times are still there. */
static void stale(const char *window, int64_t n)
{
	struct gfxinfo_item item = row_item(window, n);

	set_slot(&item.slots, SLOT_FRAME_COMPLETED, VSYNC(n - 120) + 8 * MS);
	item.slots.known &= ~(1u << SLOT_FRAME_COMPLETED);
	item.fault = FAULT_STALE;
	add(&item);
}

static void cut(const char *window)
{
	struct gfxinfo_item item = item_of(GFXINFO_ROW, window, 1);

	item.slots.layout = 16;
	item.fault = FAULT_CUT;
	add(&item);
}

/* The rows of a dump that the one before had too are no new frames. */
static void test_polled(void)
{
	begin();
	dump();
	rows("w", 1, 3);
	dump();
	rows("w", 2, 5);
	dump();
	rows("w", 2, 5);
	expect(" 1:1 1:2 1:3 1:4 1:5");
	CU_ASSERT_EQUAL(got.last.number, 5);
	CU_ASSERT_EQUAL(got.last.status, FRAME_COMPLETE);
}

/* As many as HWUI keeps, and of the dump before, some still in the making, too. */
static void test_full_ring(void)
{
	begin();
	dump();
	rows("w", 1, 118);
	stale("w", 119);
	stale("w", 120);
	dump();
	got.said[0] = '\0';
	rows("w", 60, 118);
	expect("");
	row("w", 119);
	row("w", 120);
	expect(" 1:119 1:120");
	rows("w", 121, 179);
	got.said[0] = '\0';
	dump();
	rows("w", 60, 179);
	expect("");
}

/* A frame that was in the making: given as that, and once more when it is whole. */
static void test_unfinished(void)
{
	begin();
	dump();
	row("w", 1);
	unfinished("w", 2);
	expect(" 1:1 1:(2)");
	CU_ASSERT_EQUAL(got.last.fault, FAULT_UNFINISHED);
	CU_ASSERT_EQUAL(got.last.status, FRAME_TRUNCATED);
	CU_ASSERT_FALSE(got.last.hwui.whole);
	dump();
	row("w", 1);
	row("w", 2);
	row("w", 3);
	expect(" 1:2 1:3");
	CU_ASSERT_TRUE(got.last.hwui.whole);
}

/* More frames between two dumps than a window keeps. */
static void test_gap(void)
{
	begin();
	dump();
	rows("v", 1, 2);
	rows("w", 1, 2);
	dump();
	rows("v", 2, 3);
	rows("w", 6, 7);
	expect(" 1:1 1:2 2:1 2:2 1:3 2:| 2:6 2:7");
	CU_ASSERT_STRING_EQUAL(got.last_gap->window, "w");
	/* not in a dump: nothing is known of what it did meanwhile */
	dump();
	rows("v", 3, 4);
	dump();
	rows("w", 7, 8);
	dump();
	rows("w", 11, 11);
	expect(" 1:4 2:8 2:| 2:11");
}

/* A frame in the making, the first of its window, is no gap, though its row is another then. */
static void test_first_unfinished(void)
{
	begin();
	dump();
	unfinished("w", 1);
	dump();
	rows("w", 1, 2);
	expect(" 1:(1) 1:1 1:2");
	/* one that never ends: the others go on without it */
	unfinished("w", 3);
	rows("w", 4, 4);
	dump();
	rows("w", 2, 2);
	unfinished("w", 3);
	rows("w", 4, 5);
	expect(" 1:(3) 1:4 1:5");
	/* one that ends late: it is judged late, and so is the next one */
	unfinished("w", 6);
	row("w", 7);
	dump();
	rows("w", 5, 8);
	expect(" 1:(6) 1:7 1:| 1:6 1:| 1:8");
}

/* A dump whose first row can't be read, and one that has such a row behind others. */
static void test_cut(void)
{
	begin();
	dump();
	rows("w", 1, 2);
	dump();
	cut("w");
	rows("w", 2, 3);
	expect(" 1:1 1:2 1:(-6000) 1:3");
	cut("w");
	CU_ASSERT_EQUAL(got.last.hwui.kind, FRAME_PLAIN);
	got.said[0] = '\0';
	dump();
	cut("w");
	rows("w", 8, 9);
	expect(" 1:(-6000) 1:| 1:8 1:9");
	cut("w");
	rows("w", 11, 12);
	expect(" 1:(-6000) 1:| 1:11 1:12");
	/* a time that HWUI may have judged by, but none to judge by here */
	struct gfxinfo_item item = row_item("w", 13);

	item.fault = FAULT_NO_TIME;
	add(&item);
	row("w", 14);
	expect(" 1:(13) 1:| 1:14");
}

/* Two outputs of which the second has lost its first line. */
static void test_joined(void)
{
	const struct gfxinfo_item process = item_of(GFXINFO_PROCESS, "", 0);

	begin();
	dump();
	add(&process);
	rows("w", 1, 2);
	add(&process);
	rows("w", 2, 3);
	add(&process);
	rows("w", 9, 9);
	expect(" 1:1 1:2 1:3 1:| 1:9");
}

static void test_times_of_row(void)
{
	struct gfxinfo_item item = row_item("w", 1);

	begin();
	dump();
	add(&item);
	CU_ASSERT_EQUAL(got.last.dumped, DUMP_ROW);
	CU_ASSERT_EQUAL(got.last.start_ns, VSYNC(1));
	CU_ASSERT_EQUAL(got.last.render_start_ns, VSYNC(1) + 3 * MS);
	CU_ASSERT_EQUAL(got.last.end_ns, VSYNC(1) + 8 * MS);
	CU_ASSERT_EQUAL(got.last.hwui.vsync_id, 0);
	CU_ASSERT_EQUAL(got.last.hwui.jank_tracker, 0);
	/* from 12 on the buffer may be queued before the frame is complete: it ends with that */
	item.slots = make_slots(14, VSYNC(2),
				&(struct parts){ .ui = 3 * MS, .draw = 9 * MS, .swapped = 5 * MS });
	set_slot(&item.slots, SLOT_VSYNC_ID, 77);
	add(&item);
	CU_ASSERT_EQUAL(got.last.end_ns, VSYNC(2) + 12 * MS);
	CU_ASSERT_EQUAL(got.last.hwui.vsync_id, 77);
}

/* A row has the deadline as it was left; the one before it follows from the WorkloadTarget. */
static void test_deadline(void)
{
	static const struct parts parts = { .ui = MS, .draw = MS };
	struct gfxinfo_item item = row_item("w", 1);
	const struct frame_slots *s = &got.last.hwui.slots;

	begin();
	dump();
	item.slots = make_slots(15, VSYNC(1), &parts);
	set_slot(&item.slots, SLOT_FRAME_DEADLINE, VSYNC(1) + 30 * MS);
	add(&item);
	CU_ASSERT_EQUAL(got.last.hwui.deadline_after_ns, VSYNC(1) + 30 * MS);
	CU_ASSERT_FALSE(slot_known(s, SLOT_FRAME_DEADLINE));
	CU_ASSERT_EQUAL(s->ns[SLOT_FRAME_DEADLINE], 0);

	item.slots = make_slots(16, VSYNC(2), &parts);
	set_slot(&item.slots, SLOT_FRAME_DEADLINE, VSYNC(2) + 30 * MS);
	set_slot(&item.slots, SLOT_WORKLOAD_TARGET, 20 * MS);
	add(&item);
	CU_ASSERT_EQUAL(got.last.hwui.deadline_after_ns, VSYNC(2) + 30 * MS);
	CU_ASSERT_TRUE(slot_known(s, SLOT_FRAME_DEADLINE));
	CU_ASSERT_EQUAL(s->ns[SLOT_FRAME_DEADLINE], VSYNC(2) + 20 * MS);

	/* none of either */
	item.slots = make_slots(16, VSYNC(3), &parts);
	set_slot(&item.slots, SLOT_FRAME_DEADLINE, INT64_MAX);
	set_slot(&item.slots, SLOT_WORKLOAD_TARGET, 0);
	add(&item);
	CU_ASSERT_EQUAL(got.last.hwui.deadline_after_ns, INT64_MAX);
	CU_ASSERT_FALSE(slot_known(s, SLOT_FRAME_DEADLINE));

	/* what is before all time was not set */
	item.slots = make_slots(15, VSYNC(4), &parts);
	set_slot(&item.slots, SLOT_FRAME_DEADLINE, -1);
	add(&item);
	CU_ASSERT_EQUAL(got.last.hwui.deadline_after_ns, 0);
}

/* Windows are told apart by process, title, and the how manieth of that title. */
static void test_windows(void)
{
	struct gfxinfo_item item = row_item("w", 1);
	const struct producer *p;

	begin();
	dump();
	add(&item);
	item.window_nr = 2;
	add(&item);
	item.process = "b";
	add(&item);
	item.pid = 8;
	add(&item);
	item.window = "";
	add(&item);
	/* together these have the same words */
	item.process = "b c";
	item.window = "d";
	add(&item);
	item.process = "b";
	item.window = "c d";
	add(&item);
	row("w", 2);
	expect(" 1:1 2:1 3:1 4:1 5:1 6:1 7:1 1:2");
	p = dump_frames_producer(got.frames, 7, "app", "w", 2);
	CU_ASSERT_PTR_NOT_NULL_FATAL(p);
	CU_ASSERT_EQUAL(p->id, 2);
	CU_ASSERT_EQUAL(p->pid, 7);
	CU_ASSERT_STRING_EQUAL(p->name, "app#2");
	CU_ASSERT_STRING_EQUAL(p->process, "app");
	CU_ASSERT_STRING_EQUAL(p->window, "w");
	CU_ASSERT_PTR_NULL(dump_frames_producer(got.frames, 7, "app", "w", 3));
	p = dump_frames_producer(got.frames, 8, "b", "", 2);
	CU_ASSERT_PTR_NOT_NULL_FATAL(p);
	CU_ASSERT_PTR_NULL(p->window);
	dump_frames_free(NULL);
}

static void row_of(unsigned nr, int64_t n)
{
	struct gfxinfo_item item = row_item("w", n);

	item.window_nr = nr;
	add(&item);
}

/* Of three windows of one title the first goes away: the others are the first two then. */
static void test_moved_up(void)
{
	begin();
	dump();
	row_of(1, 1);
	row_of(2, 2);
	row_of(2, 12);
	row_of(3, 3);
	expect(" 1:1 2:2 2:12 3:3");
	dump();
	row_of(1, 12);
	row_of(1, 22);
	row_of(2, 3);
	row_of(2, 13);
	expect(" 2:22 3:13");
	CU_ASSERT_EQUAL(dump_frames_producer(got.frames, 7, "app", "w", 1)->id, 2);
	CU_ASSERT_EQUAL(dump_frames_producer(got.frames, 7, "app", "w", 2)->id, 3);
	/* one more comes behind them */
	dump();
	row_of(1, 32);
	row_of(2, 13);
	row_of(2, 23);
	row_of(3, 40);
	expect(" 2:| 2:32 3:23 1:| 1:40");
	CU_ASSERT_STRING_EQUAL(got.last.producer->window, "w");
}

static void test_times(void)
{
	struct gfxinfo_item item = item_of(GFXINFO_TIMES, "w", 1);

	begin();
	dump();
	item.nr_times = 4;
	for (unsigned i = 0; i < TIME_NR; i++)
		item.times_ns[i] = (int64_t)i * MS;
	add(&item);
	/* its times tell it from no other: each one is a frame */
	add(&item);
	expect(" 1:0 1:0");
	CU_ASSERT_EQUAL(got.last.dumped, DUMP_TIMES);
	CU_ASSERT_EQUAL(got.last.number, 2);
	CU_ASSERT_EQUAL(got.last.nr_times, 4);
	CU_ASSERT_EQUAL(got.last.times_ns[TIME_EXECUTE], 3 * MS);
	CU_ASSERT_EQUAL(got.last.start_ns, 0);
	CU_ASSERT_EQUAL(got.last.end_ns, 0);
	CU_ASSERT_FALSE(got.last.hwui.whole);
	item.fault = FAULT_CUT;
	add(&item);
	CU_ASSERT_EQUAL(got.last.fault, FAULT_CUT);
	CU_ASSERT_EQUAL(got.last.status, FRAME_TRUNCATED);
}

/* The first row of a window that has drawn so many; is that its first frame? */
static bool starts(uint64_t frames, int64_t flags)
{
	struct gfxinfo_item item = row_item("w", 1);

	begin();
	dump();
	item.slots.ns[SLOT_FLAGS] = flags;
	if (frames)
		total("w", frames);
	add(&item);
	rows("w", 2, 3);
	return got.last.producer->from_start;
}

/*
 * A ring of 120 places has all frames of which so few are counted that those in the making, too,
 * have one; and if it was not emptied, which the flags of a window's first frame tell.
 */
static void test_from_start(void)
{
	struct gfxinfo_item item = row_item("w", 1);
	struct gfxinfo_item process = item_of(GFXINFO_PROCESS, "", 0);

	CU_ASSERT_TRUE(starts(3, FRAME_FLAG_FIRST_DRAW));
	CU_ASSERT_TRUE(starts(116, FRAME_FLAG_FIRST_DRAW));
	CU_ASSERT_FALSE(starts(117, FRAME_FLAG_FIRST_DRAW));
	CU_ASSERT_FALSE(starts(3, 0));
	CU_ASSERT_FALSE(starts(0, FRAME_FLAG_FIRST_DRAW));

	/* totals of another window, which has no rows */
	item.slots.ns[SLOT_FLAGS] = FRAME_FLAG_FIRST_DRAW;
	begin();
	dump();
	total("v", 3);
	add(&item);
	CU_ASSERT_FALSE(got.last.producer->from_start);
	/* or of another process's */
	begin();
	dump();
	total("w", 3);
	process.process = "b";
	add(&process);
	item.process = "b";
	add(&item);
	CU_ASSERT_FALSE(got.last.producer->from_start);
	/* what was before a row that can't be read may be it */
	begin();
	dump();
	total("w", 3);
	cut("w");
	item.process = "app";
	add(&item);
	CU_ASSERT_FALSE(got.last.producer->from_start);
}

static struct gfxinfo_item latency_item(int64_t desired, int64_t ready, int64_t present)
{
	return (struct gfxinfo_item){
		.kind = GFXINFO_LATENCY,
		.process = "",
		.window = "",
		.fault = present == INT64_MAX ? FAULT_UNFINISHED : FAULT_NONE,
		.refresh_ns = HZ60,
		.desired_ns = desired,
		.ready_ns = ready,
		.present_ns = present,
	};
}

static void test_latency(void)
{
	struct gfxinfo_item item = latency_item(BOOT, BOOT + MS, BOOT + 9 * MS);

	begin();
	add(&item);
	CU_ASSERT_EQUAL(got.last.dumped, DUMP_LATENCY);
	CU_ASSERT_STRING_EQUAL(got.last.producer->name, "SurfaceFlinger");
	CU_ASSERT_EQUAL(got.last.desired_present_ns, BOOT);
	CU_ASSERT_EQUAL(got.last.frame_ready_ns, BOOT + MS);
	CU_ASSERT_EQUAL(got.last.actual_present_ns, BOOT + 9 * MS);
	CU_ASSERT_EQUAL(got.last.start_ns, BOOT);
	CU_ASSERT_EQUAL(got.last.end_ns, BOOT + 9 * MS);
	CU_ASSERT_FALSE(got.last.hwui.whole);

	/* not shown yet, and shown; what both dumps have is one frame */
	item = latency_item(BOOT + HZ60, BOOT + HZ60 + MS, INT64_MAX);
	add(&item);
	CU_ASSERT_EQUAL(got.last.actual_present_ns, 0);
	CU_ASSERT_EQUAL(got.last.status, FRAME_TRUNCATED);
	item = latency_item(BOOT, BOOT + MS, BOOT + 9 * MS);
	add(&item);
	item = latency_item(BOOT + HZ60, BOOT + HZ60 + MS, BOOT + 2 * HZ60);
	add(&item);
	expect(" 1:0 1:(0) 1:0");
	CU_ASSERT_EQUAL(got.last.number, 3);
}

/* Rows of no process, and SurfaceFlinger's, in one text. */
static void test_bare(void)
{
	struct gfxinfo_item row_1 = row_item("", 1), row_2 = row_item("", 2);
	const struct gfxinfo_item latency = latency_item(BOOT, BOOT + MS, BOOT + 9 * MS);

	row_1.pid = row_2.pid = row_1.window_nr = row_2.window_nr = 0;
	row_1.process = row_2.process = "";
	begin();
	dump();
	add(&row_1);
	add(&latency);
	add(&row_2);
	expect(" 1:1 2:0 1:2");
	CU_ASSERT_STRING_EQUAL(got.last.producer->name, "");
}

/* The windows that are too many are left out, and the others go on. */
static void test_left_out(void)
{
	char title[32];

	begin();
	dump();
	for (unsigned i = 0; i < PRODUCERS_MAX + 3; i++) {
		snprintf(title, sizeof(title), "w%u", i);
		got.said[0] = '\0';
		row(title, 1);
	}
	expect("");
	CU_ASSERT_EQUAL(dump_frames_left_out(got.frames), 3);
	row(title, 2);
	CU_ASSERT_EQUAL(dump_frames_left_out(got.frames), 4);
	CU_ASSERT_PTR_NULL(dump_frames_producer(got.frames, 7, "app", title, 1));
	row("w0", 1);
	expect("");
	row("w0", 2);
	expect(" 1:2");
	CU_ASSERT_EQUAL(dump_frames_left_out(got.frames), 4);
}

int main(void)
{
	static const struct check_case cases[] = {
		{ "polled", test_polled },
		{ "full_ring", test_full_ring },
		{ "unfinished", test_unfinished },
		{ "gap", test_gap },
		{ "times_of_row", test_times_of_row },
		{ "deadline", test_deadline },
		{ "windows", test_windows },
		{ "times", test_times },
		{ "latency", test_latency },
		{ "left_out", test_left_out },
		{ "first_unfinished", test_first_unfinished },
		{ "cut", test_cut },
		{ "joined", test_joined },
		{ "from_start", test_from_start },
		{ "bare", test_bare },
		{ "moved_up", test_moved_up },
		{ NULL, NULL },
	};
	int failed = check_main("dump_frames", cases);

	dump_frames_free(got.frames);
	return failed;
}
