/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * FrameTimeline: which frame takes which of its verdicts, how long it waits for it, what becomes of
 * those that no frame has, and its words. Likewise the steps of buffers.
 */
#include "events.h"

#include "judge/disagree.h"
#include "model/frame_timeline.h"
#include "model/timeline_summary.h"
#include "output/frame_timeline_words.h"
#include "output/words.h"

#define MS UINT64_C(1000000)
#define START (1000 * MS)
#define LAYER "com.example.app/.Main#1"
#define SURFACE 0x9000

static unsigned calls; /* of the thread */

/* A thread that queues buffers, and says with which vsync id. */
static void begin(struct world *w)
{
	world_open(w);
	calls = 0;
	CLOCK(w, START, START);
	FEED(w, POINT, fs_point, .id = FS_ROLE_QUEUE, .role = FS_ROLE_QUEUE);
	FEED(w, POINT, fs_point, .id = FS_ROLE_FRAME_TIMELINE, .role = FS_ROLE_FRAME_TIMELINE);
	TASK(w, SEEN, START, .comm = "app");
}

static void draw(struct world *w, uint64_t end, int64_t token)
{
	CALL(w, FS_ROLE_FRAME_TIMELINE, ++calls, end - 3 * MS, end - 2 * MS, .args[0] = SURFACE,
	     .args[1] = calls, .args[3] = (uint64_t)token);
	CALL(w, FS_ROLE_QUEUE, ++calls, end - MS, end, .args[0] = SURFACE);
}

/* Some other thread is seen: time goes on. */
static void pass(struct world *w, uint64_t now)
{
	TASK(w, RENAME, now, .h.tid = 999, .h.tgid = 999, .comm = "other");
}

#define EXPECTED(w, id, from, to, ...)                                                             \
	FEED(w, TIMELINE, fs_timeline, .h.time_ns = (to), .start_ns = (from), .token = (id),       \
	     .kind = FS_TIMELINE_EXPECTED_SURFACE, .layer = LAYER, ##__VA_ARGS__)
#define ACTUAL(w, id, from, to, ...)                                                               \
	FEED(w, TIMELINE, fs_timeline, .h.time_ns = (to), .start_ns = (from), .token = (id),       \
	     .kind = FS_TIMELINE_ACTUAL_SURFACE, .layer = LAYER, .prediction = 1, ##__VA_ARGS__)
#define DISPLAY(w, id, at, bits)                                                                   \
	FEED(w, TIMELINE, fs_timeline, .h.time_ns = (at), .start_ns = (at)-MS, .token = (id),      \
	     .kind = FS_TIMELINE_ACTUAL_DISPLAY, .jank = (bits))

/* It leaves when the last of what is told of it came, and no later. */
static void waits(void)
{
	const struct frame_timeline_verdict *ft;
	struct world w;

	begin(&w);
	DISPLAY(&w, 1, START, 1);
	EXPECTED(&w, 4, START, START + MS);
	ACTUAL(&w, 4, START, START + MS, .h.tgid = 55);
	draw(&w, START + 10 * MS, 5);
	draw(&w, START + 26 * MS, 0); /* of no token: waits for the one before */
	CU_ASSERT_EQUAL(w.nr, 0);
	ACTUAL(&w, 5, START, START + 30 * MS, .jank = 0x40, .present = 2, .severity = 3,
	       .display_token = 70, .flags = FS_TIMELINE_ON_TIME);
	pass(&w, START + 31 * MS);
	CU_ASSERT_EQUAL(w.nr, 0);
	EXPECTED(&w, 5, START + 2 * MS, START + 32 * MS, .display_token = 70);
	pass(&w, START + 33 * MS);
	CU_ASSERT_EQUAL(w.nr, 0);
	DISPLAY(&w, 70, START + 40 * MS, 0x10);
	pass(&w, START + 41 * MS);
	CU_ASSERT_EQUAL_FATAL(w.nr, 2);
	ft = &w.frames[0].ft;
	CU_ASSERT_TRUE(ft->has && ft->has_actual && ft->on_time);
	CU_ASSERT_FALSE(ft->gpu_composition || ft->is_buffer);
	CU_ASSERT_EQUAL(ft->token, 5);
	CU_ASSERT_EQUAL(ft->display_token, 70);
	CU_ASSERT_EQUAL(ft->jank, 0x40);
	CU_ASSERT_EQUAL(ft->present, FT_PRESENT_LATE);
	CU_ASSERT_EQUAL(ft->prediction, FT_PREDICTION_VALID);
	CU_ASSERT_EQUAL(ft->severity, FT_SEVERITY_FULL);
	CU_ASSERT_EQUAL(ft->display_jank, 0x10);
	CU_ASSERT_EQUAL(ft->expected_start_ns, START + 2 * MS);
	CU_ASSERT_EQUAL(ft->deadline_ns, START + 32 * MS);
	CU_ASSERT_EQUAL(ft->actual_start_ns, START);
	CU_ASSERT_EQUAL(ft->actual_end_ns, START + 30 * MS);
	CU_ASSERT_EQUAL(ft->layers, 1);
	CU_ASSERT_STRING_EQUAL(ft->layer, LAYER);
	CU_ASSERT_FALSE(w.frames[1].ft.has);
	world_close(&w);
}

/* What does not come is waited for as for a fence: a second. */
static void waits_no_longer(void)
{
	struct world w;

	begin(&w);
	ACTUAL(&w, 4, START, START + MS, .h.tgid = 55);
	draw(&w, START + 10 * MS, 5);
	draw(&w, START + 26 * MS, 6);
	pass(&w, START + 1010 * MS);
	CU_ASSERT_EQUAL(w.nr, 0);
	pass(&w, START + 1010 * MS + 1);
	CU_ASSERT_EQUAL(w.nr, 1);
	/* what comes even later is not a frame of its own */
	ACTUAL(&w, 5, START, START + 30 * MS, .jank = 1);
	CLOCK(&w, STOP, START + 5000 * MS);
	CU_ASSERT_EQUAL(model_finish(w.model), 0);
	for (size_t i = 0; i < w.nr; i++)
		CU_ASSERT_TRUE(frame_is_sound(&w.frames[i]));
	CU_ASSERT_EQUAL_FATAL(w.nr, 4);
	CU_ASSERT_FALSE(w.frames[1].ft.has_actual);
	CU_ASSERT_EQUAL(w.frames[2].dumped, DUMP_TIMELINE);
	CU_ASSERT_EQUAL(w.frames[2].producer->pid, 55);
	CU_ASSERT_EQUAL(w.frames[3].status, FRAME_TRUNCATED);
	world_close(&w);
}

/* Where no record came in the first second none is expected. */
static void without(void)
{
	struct world w;

	begin(&w);
	draw(&w, START + 10 * MS, 5);
	CU_ASSERT_EQUAL(w.nr, 0);
	pass(&w, START + 1020 * MS);
	CU_ASSERT_EQUAL(w.nr, 1);
	draw(&w, START + 1030 * MS, 6);
	CU_ASSERT_EQUAL(w.nr, 2);
	CU_ASSERT_FALSE(w.frames[1].ft.has);
	world_close(&w);
}

/* Of several layers of a token the window's is taken, or the first that is left. */
static void layers(void)
{
	struct world w;

	begin(&w);
	ACTUAL(&w, 4, START, START + MS, .h.tgid = 55);
	for (int64_t token = 5; token <= 6; token++) {
		for (unsigned i = 0; i < 6; i++) {
			struct fs_timeline t = { .h.time_ns = START + 20 * MS,
						 .start_ns = START,
						 .token = token,
						 .kind = FS_TIMELINE_ACTUAL_SURFACE,
						 .prediction = 2,
						 .jank = 1u << i };

			snprintf(t.layer, sizeof(t.layer), "window %u#7", i);
			feed(&w, &t.h, FS_KIND_TIMELINE, sizeof(t));
		}
	}
	draw(&w, START + 10 * MS, 5);
	CU_ASSERT_EQUAL_FATAL(w.nr, 1);
	CU_ASSERT_EQUAL(w.frames[0].ft.jank, 1);
	CU_ASSERT_EQUAL(w.frames[0].ft.layers, 6);
	draw(&w, START + 16 * MS, 5);
	CU_ASSERT_EQUAL_FATAL(w.nr, 2);
	CU_ASSERT_EQUAL(w.frames[1].ft.jank, 2);
	((struct producer *)w.frames[0].producer)->window = "window 2";
	draw(&w, START + 26 * MS, 6);
	CU_ASSERT_EQUAL_FATAL(w.nr, 3);
	CU_ASSERT_EQUAL(w.frames[2].ft.jank, 4);
	CU_ASSERT_STRING_EQUAL(w.frames[2].ft.layer, "window 2#7");
	/* the layers that nobody took are of tokens that somebody did */
	world_stop(&w, START + 30 * MS);
	CU_ASSERT_EQUAL(w.nr, 5);
	world_close(&w);
}

/* Frames that only FrameTimeline knows of: by layer, in their order, two seconds later. */
static void told_of(void)
{
	struct world w;

	begin(&w);
	EXPECTED(&w, 5, START, START + 12 * MS);
	ACTUAL(&w, 5, START, START + 20 * MS, .jank = 0x40);
	FEED(&w, TIMELINE, fs_timeline, .h.time_ns = START + 20 * MS, .start_ns = START, .token = 5,
	     .kind = FS_TIMELINE_ACTUAL_SURFACE, .layer = "other", .jank = 1);
	ACTUAL(&w, 6, START + 16 * MS, START + 36 * MS, .jank = 0x400);
	EXPECTED(&w, 7, START + 32 * MS, START + 44 * MS); /* nobody says what became of it */
	ACTUAL(&w, 8, START + 60 * MS, START + 60 * MS, .jank = 1); /* no length */
	ACTUAL(&w, 9, START + 48 * MS, START + 90 * MS, .flags = FS_OPEN);
	pass(&w, START + 2020 * MS);
	CU_ASSERT_EQUAL(w.nr, 0);
	pass(&w, START + 2020 * MS + 1);
	CU_ASSERT_EQUAL_FATAL(w.nr, 2);
	world_stop(&w, START + 2030 * MS);
	CU_ASSERT_EQUAL_FATAL(w.nr, 4);

	const struct frame *f = frame_at(&w, 0);

	CU_ASSERT_EQUAL(f->dumped, DUMP_TIMELINE);
	CU_ASSERT_EQUAL(f->status, FRAME_COMPLETE);
	CU_ASSERT_STRING_EQUAL(f->producer->name, LAYER);
	CU_ASSERT_STRING_EQUAL(f->producer->process, "app");
	CU_ASSERT_EQUAL(f->producer->pid, TID);
	CU_ASSERT_EQUAL(f->producer->render_tid, 0);
	CU_ASSERT_EQUAL(f->number, 1);
	CU_ASSERT_EQUAL(f->hwui.vsync_id, 5);
	CU_ASSERT_EQUAL(f->start_ns, START);
	CU_ASSERT_EQUAL(f->end_ns, START + 20 * MS);
	BUDGET_IS(f, [BUDGET_UNKNOWN] = 20 * MS);
	CU_ASSERT_EQUAL(f->ft.deadline_ns, START + 12 * MS);
	CU_ASSERT_EQUAL(f->ft.layers, 2);
	f = frame_at(&w, 1);
	CU_ASSERT_STRING_EQUAL(f->producer->name, "other");
	CU_ASSERT_EQUAL(f->ft.deadline_ns, 0);
	f = frame_at(&w, 2);
	CU_ASSERT_PTR_EQUAL(f->producer, w.frames[0].producer);
	CU_ASSERT_EQUAL(f->number, 2);
	CU_ASSERT_EQUAL(f->ft.jank, 0x400);
	f = frame_at(&w, 3);
	CU_ASSERT_EQUAL(f->status, FRAME_TRUNCATED);
	CU_ASSERT_EQUAL(f->end_ns, START + 90 * MS);
	CU_ASSERT_EQUAL(f->ft.actual_end_ns, 0);
	CU_ASSERT_EQUAL(model_stats(w.model)->producers, 2);
	world_close(&w);
}

/* More tokens at a time than are kept: none of their frames is lost, or comes twice. */
static void many(void)
{
	const int64_t tokens = 3 * FT_TOKENS;
	struct world w;
	size_t wrong = 0;

	begin(&w);
	for (int64_t i = 1; i <= tokens; i++)
		ACTUAL(&w, i, START + (uint64_t)i, START + MS + (uint64_t)i, .jank = 1);
	CU_ASSERT_EQUAL(w.nr, 2 * FT_TOKENS);
	world_stop(&w, START + 10 * MS);
	CU_ASSERT_EQUAL_FATAL(w.nr, (size_t)tokens);
	for (size_t i = 0; i < w.nr; i++)
		wrong += w.frames[i].number != i + 1 || w.frames[i].ft.token != (int64_t)i + 1;
	CU_ASSERT_EQUAL(wrong, 0);
	world_close(&w);
}

/* After a restart of SurfaceFlinger its tokens begin anew. */
static void again(void)
{
	struct world w;
	uint64_t later = START + 60000 * MS, from = 0, deadline = 0;

	begin(&w);
	EXPECTED(&w, 5, START, START + 12 * MS);
	ACTUAL(&w, 5, START, START + 10 * MS, .jank = 1);
	draw(&w, START + 10 * MS, 5);
	EXPECTED(&w, 5, later, later + 12 * MS);
	ACTUAL(&w, 5, later, later + 20 * MS, .jank = 0x40);
	CU_ASSERT_TRUE(frame_timeline_expected(w.model, TID, 5, &from, &deadline));
	CU_ASSERT_EQUAL(from, later);
	draw(&w, later + 20 * MS, 5);
	CU_ASSERT_EQUAL_FATAL(w.nr, 2);
	CU_ASSERT_EQUAL(w.frames[0].ft.jank, 1);
	CU_ASSERT_EQUAL(w.frames[1].ft.jank, 0x40);
	CU_ASSERT_EQUAL(w.frames[1].ft.layers, 1);
	world_close(&w);
}

static void expected(void)
{
	uint64_t from = 1, deadline = 2;
	struct world w;

	begin(&w);
	CU_ASSERT_FALSE(frame_timeline_expected(w.model, TID, 5, &from, &deadline));
	ACTUAL(&w, 5, START, START + 10 * MS);
	CU_ASSERT_FALSE(frame_timeline_expected(w.model, TID, 5, &from, &deadline));
	EXPECTED(&w, 5, START, START + 12 * MS);
	CU_ASSERT_FALSE(frame_timeline_expected(w.model, TID + 1, 5, &from, &deadline));
	CU_ASSERT_FALSE(frame_timeline_expected(w.model, TID, 6, &from, &deadline));
	CU_ASSERT_EQUAL(from, 1);
	CU_ASSERT_TRUE(frame_timeline_expected(w.model, TID, 5, &from, &deadline));
	CU_ASSERT_EQUAL(from, START);
	CU_ASSERT_EQUAL(deadline, START + 12 * MS);
	EXPECTED(&w, 6, START, START + 12 * MS, .flags = FS_OPEN);
	CU_ASSERT_TRUE(frame_timeline_expected(w.model, TID, 6, &from, &deadline));
	CU_ASSERT_EQUAL(deadline, 0);
	world_close(&w);
}

/* Marks say when the UI thread began with a frame; the vsync that was for is the expected start. */
static void marked(void)
{
	const struct frame *f;
	struct world w;

	for (int early = 0; early < 2; early++) {
		begin(&w);
		FEED(&w, POINT, fs_point, .id = FS_ROLE_FRAME_UI, .role = FS_ROLE_FRAME_UI);
		EXPECTED(&w, 4, START, START + MS, .h.tgid = 55);
		ACTUAL(&w, 4, START, START + MS, .h.tgid = 55);
		draw(&w, START + 4 * MS, 0);
		FEED(&w, FRAME_INFO, fs_frame_info, .h.time_ns = START + 24 * MS,
		     .part = FS_INFO_UI, .layout = FS_LAYOUT_MARKS, .count = FS_MARKS_NR,
		     .point = FS_ROLE_FRAME_UI, .sync_queued_ns = START + 23 * MS,
		     .slots = { [FS_MARKS_VSYNC_ID] = 5,
				[FS_MARKS_FRAME_START] = (int64_t)(START + 20 * MS) });
		CALL(&w, FS_ROLE_QUEUE, ++calls, START + 28 * MS, START + 30 * MS,
		     .args[0] = SURFACE);
		ACTUAL(&w, 5, START + 16 * MS, START + 31 * MS, .jank = 1);
		pass(&w, START + 32 * MS);
		CU_ASSERT_EQUAL(w.nr, 1);
		EXPECTED(&w, 5, START + (early ? 16 : 21) * MS, START + 33 * MS);
		pass(&w, START + 34 * MS);
		CU_ASSERT_EQUAL_FATAL(w.nr, 2);
		f = frame_at(&w, 1);
		/* A frame can't begin before its vsync. */
		CU_ASSERT_EQUAL(f->start_ns, START + (early ? 16 : 20) * MS);
		CU_ASSERT_EQUAL(slot_known(&f->hwui.slots, SLOT_INTENDED_VSYNC), early);
		CU_ASSERT_EQUAL(f->ft.deadline_ns, START + 33 * MS);
		CU_ASSERT_EQUAL(f->hwui.vsync_id, 5);
		world_close(&w);
	}
}

#define STEP(w, what, at, number, ...)                                                             \
	FEED(w, BUFFER, fs_buffer, .h.time_ns = (at), .type = (what), .frame_number = (number),    \
	     .layer = LAYER, ##__VA_ARGS__)
enum { DEQUEUED = 1, QUEUED = 2, ACQUIRE = 4, PRESENT = 8 };

/* Where only the steps of buffers are told of, frames are made of them. */
static void buffers(void)
{
	struct world w;
	const struct frame *f;

	begin(&w);
	STEP(&w, DEQUEUED, START + MS, 0, .buffer_id = 3);
	STEP(&w, QUEUED, START + 9 * MS, 70, .buffer_id = 3);
	STEP(&w, ACQUIRE, START + 9 * MS, 70, .buffer_id = 3, .duration_ns = 2 * MS);
	STEP(&w, QUEUED, START + 20 * MS, 71, .buffer_id = 3); /* not dequeued again */
	STEP(&w, PRESENT, START + 30 * MS, 70);
	STEP(&w, PRESENT, START + 31 * MS, 72);
	pass(&w, START + 2009 * MS);
	CU_ASSERT_EQUAL(w.nr, 0);
	pass(&w, START + 2009 * MS + 1);
	CU_ASSERT_EQUAL_FATAL(w.nr, 1);
	f = frame_at(&w, 0);
	CU_ASSERT_EQUAL(f->dumped, DUMP_BUFFER);
	CU_ASSERT_EQUAL(f->start_ns, START + MS);
	CU_ASSERT_EQUAL(f->end_ns, START + 9 * MS);
	CU_ASSERT_EQUAL(f->acquire_signal_ns, START + 11 * MS);
	CU_ASSERT_EQUAL(f->actual_present_ns, START + 30 * MS);
	CU_ASSERT_EQUAL(f->hwui.frame_number, 70);
	CU_ASSERT_STRING_EQUAL(f->producer->name, LAYER);
	world_close(&w);
}

/* But not where those frames were seen, or FrameTimeline tells of them. */
static void buffers_of_others(void)
{
	struct world w;

	for (int seen = 0; seen < 2; seen++) {
		begin(&w);
		STEP(&w, DEQUEUED, START + MS, 0);
		STEP(&w, QUEUED, START + 9 * MS, 70);
		if (seen)
			draw(&w, START + 9 * MS, 0);
		else
			ACTUAL(&w, 5, START, START + 9 * MS, .jank = 1);
		world_stop(&w, START + 20 * MS);
		for (size_t i = 0; i < w.nr; i++)
			CU_ASSERT_NOT_EQUAL(w.frames[i].dumped, DUMP_BUFFER);
		CU_ASSERT_TRUE(w.nr > 0);
		world_close(&w);
	}
}

/* More than are kept, each with a fence: none is lost. */
static void many_buffers(void)
{
	struct world w;
	size_t wrong = 0;

	begin(&w);
	for (uint32_t i = 1; i <= 3000; i++) {
		STEP(&w, DEQUEUED, START + i * 10, 0, .buffer_id = i % 4);
		STEP(&w, QUEUED, START + i * 10 + 5, i, .buffer_id = i % 4);
		STEP(&w, ACQUIRE, START + i * 10 + 7, i);
	}
	world_stop(&w, START + MS);
	CU_ASSERT_EQUAL_FATAL(w.nr, 3000);
	for (uint32_t i = 1; i <= 3000; i++)
		wrong += w.frames[i - 1].hwui.frame_number != i ||
			 w.frames[i - 1].acquire_signal_ns != START + i * 10 + 7;
	CU_ASSERT_EQUAL(wrong, 0);
	world_close(&w);
}

#define WORDS(of, n, want)                                                                         \
	do {                                                                                       \
		char text_[WORDS_LEN];                                                             \
		words_ft_##of(text_, sizeof(text_), n);                                            \
		CU_ASSERT_STRING_EQUAL(text_, want);                                               \
	} while (0)

/* As Perfetto has them (frame_timeline_event_parser.cc, and the UI's list of types). */
static void words(void)
{
	static const char *const names[] = {
		"None",
		"SurfaceFlinger Scheduling",
		"Prediction Error",
		"Display HAL",
		"SurfaceFlinger CPU Deadline Missed",
		"SurfaceFlinger GPU Deadline Missed",
		"App Deadline Missed",
		"Buffer Stuffing",
		"Unknown Jank",
		"SurfaceFlinger Stuffing",
		"Dropped Frame",
		"Non Animating",
		"App Resynced Jitter",
		"Display not ON",
		"ModeChange in progress",
		"PowerModeChange in progress",
	};
	char all[WORDS_LEN];

	for (unsigned i = 0; i < 16; i++)
		WORDS(jank, 1u << i, names[i]);
	WORDS(jank, 0, "");
	WORDS(jank, 0x60, "SurfaceFlinger GPU Deadline Missed, App Deadline Missed");
	WORDS(jank, 0x100000, "unknown(0x100000)");
	WORDS(jank, 0x80010040, "App Deadline Missed, unknown(0x80010000)");
	words_ft_jank(all, sizeof(all), UINT32_MAX);
	CU_ASSERT_STRING_EQUAL(all + strlen(all) - 19, "unknown(0xffff0000)");
	CU_ASSERT_PTR_NULL(ft_jank_name(16));
	WORDS(present, 0, "");
	WORDS(present, 1, "On-time Present");
	WORDS(present, 2, "Late Present");
	WORDS(present, 3, "Early Present");
	WORDS(present, 4, "Dropped Frame");
	WORDS(present, 5, "Unknown Present");
	WORDS(present, 6, "unknown(6)");
	WORDS(prediction, 1, "Valid Prediction");
	WORDS(prediction, 2, "Expired Prediction");
	WORDS(prediction, 3, "Unknown Prediction");
	WORDS(prediction, UINT32_MAX, "unknown(4294967295)");
	WORDS(severity, 0, "");
	WORDS(severity, 1, "None");
	WORDS(severity, 2, "Partial");
	WORDS(severity, 3, "Full");
	WORDS(severity, 4, "unknown(4)");
}

static const char *mark(uint32_t jank)
{
	return ft_jank_mark(&(struct frame_timeline_verdict){ .has_actual = true, .jank = jank });
}

static void marks(void)
{
	CU_ASSERT_STRING_EQUAL(mark(0), "");
	CU_ASSERT_STRING_EQUAL(mark(1), "");
	CU_ASSERT_STRING_EQUAL(mark(0x400), "drop");
	CU_ASSERT_STRING_EQUAL(mark(0x40 | 0x20), "app");
	CU_ASSERT_STRING_EQUAL(mark(0x1000), "app");
	CU_ASSERT_STRING_EQUAL(mark(0x2 | 0x80), "sf");
	CU_ASSERT_STRING_EQUAL(mark(0x8), "sf");
	CU_ASSERT_STRING_EQUAL(mark(0x80), "stuff");
	CU_ASSERT_STRING_EQUAL(mark(0x200), "stuff");
	CU_ASSERT_STRING_EQUAL(mark(0x100), "jank");
	CU_ASSERT_STRING_EQUAL(mark(0x100000), "jank");
}

static unsigned differ(bool janky, uint32_t jank, uint32_t prediction, bool stuffed)
{
	const struct verdict v = {
		.hwui = { .known = true, .counted = true, .janky = janky, .stuffed = stuffed }
	};
	const struct frame_timeline_verdict ft = {
		.has = true, .has_actual = true, .jank = jank, .prediction = prediction
	};

	return timeline_disagreements(&v, &ft);
}

static void disagree(void)
{
	struct verdict v = { .hwui = { .known = true, .counted = true, .janky = true } };
	struct frame_timeline_verdict ft = { .has = true, .has_actual = true, .jank = 1 };

	CU_ASSERT_EQUAL(differ(false, 1, 1, false), 0);
	CU_ASSERT_EQUAL(differ(true, 0x40, 1, false), 0);
	CU_ASSERT_EQUAL(differ(true, 0x60, 1, false), 0);
	CU_ASSERT_EQUAL(differ(true, 1, 1, false), 1u << TIMELINE_NOT_SHOWN_LATE);
	CU_ASSERT_EQUAL(differ(true, 0x80, 1, false), 1u << TIMELINE_NOT_APP);
	CU_ASSERT_EQUAL(differ(false, 0x40, 2, false), 1u << TIMELINE_ONLY_EXPIRED);
	CU_ASSERT_EQUAL(differ(false, 0x40, 1, true), 1u << TIMELINE_ONLY_STUFFED);
	CU_ASSERT_EQUAL(differ(false, 0x40, 1, false), 1u << TIMELINE_ONLY_APP);
	CU_ASSERT_EQUAL(differ(false, 0x400, 1, false), 1u << TIMELINE_ONLY_DROPPED);
	CU_ASSERT_EQUAL(differ(false, 0x10, 1, false), 1u << TIMELINE_ONLY_SYSTEM);
	CU_ASSERT_EQUAL(differ(false, 0x100000, 1, false), 1u << TIMELINE_ONLY_SYSTEM);
	/* nothing is held against what is not said, or was not judged */
	CU_ASSERT_EQUAL(differ(true, 0, 1, false), 0);
	CU_ASSERT_NOT_EQUAL(timeline_disagreements(&v, &ft), 0);
	v.hwui.exempt = true;
	CU_ASSERT_EQUAL(timeline_disagreements(&v, &ft), 0);
	v.hwui.exempt = false;
	ft.has_actual = false;
	CU_ASSERT_EQUAL(timeline_disagreements(&v, &ft), 0);
}

static void summary(void)
{
	struct timeline_summary s = { 0 };
	struct frame f = { .verdict.hwui = { .known = true, .janky = true } };

	timeline_summary_add(&s, &f);
	CU_ASSERT_EQUAL(s.all.frames, 0);
	f.ft = (struct frame_timeline_verdict){
		.has = true, .has_actual = true, .jank = 0x80000040, .present = 2, .layers = 2
	};
	timeline_summary_add(&s, &f);
	f.verdict.hwui.janky = false;
	f.ft.jank = 0x40;
	f.ft.present = 99;
	f.ft.prediction = FT_PREDICTION_EXPIRED;
	f.ft.layers = 1;
	timeline_summary_add(&s, &f);
	f.verdict.hwui.known = false;
	timeline_summary_add(&s, &f);
	CU_ASSERT_EQUAL(s.all.frames, 3);
	CU_ASSERT_EQUAL(s.jank[6].frames, 3);
	CU_ASSERT_EQUAL(s.jank[6].both, 2);
	CU_ASSERT_EQUAL(s.jank[6].hwui_janky, 1);
	CU_ASSERT_EQUAL(s.jank[31].frames, 1);
	CU_ASSERT_EQUAL(s.present[2], 1);
	CU_ASSERT_EQUAL(s.present[0], 2);
	CU_ASSERT_EQUAL(s.expired, 2);
	CU_ASSERT_EQUAL(s.several, 1);
}

int main(void)
{
	static const struct check_case cases[] = {
		{ "waits", waits },
		{ "waits_no_longer", waits_no_longer },
		{ "without", without },
		{ "layers", layers },
		{ "told_of", told_of },
		{ "many", many },
		{ "again", again },
		{ "expected", expected },
		{ "marked", marked },
		{ "buffers", buffers },
		{ "buffers_of_others", buffers_of_others },
		{ "many_buffers", many_buffers },
		{ "words", words },
		{ "marks", marks },
		{ "disagree", disagree },
		{ "summary", summary },
		{ NULL, NULL },
	};

	return check_main("frame_timeline", cases);
}
