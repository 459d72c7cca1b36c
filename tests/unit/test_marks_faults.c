/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What is left of calls and frames where marks are missing, are too many, or make no sense. */
#include "marks_app.h"

/*
 * Leave out the n-th end of the second of four frames: it is lossy or left out, or as it should be,
 * and the others are. False if it has no n-th end.
 */
static bool without_end(const struct style *s, unsigned n)
{
	unsigned before;
	bool left_out;
	struct traced t;
	struct app a;

	start(&t, &a, s);
	frame(&a, 10000, 7);
	leave_out = n;
	frame(&a, 20000, 8);
	left_out = !leave_out;
	leave_out = 0;
	frame(&a, 30000, 9);
	frame(&a, 40000, 10);
	traced_end(&t);
	CU_ASSERT_EQUAL(t.nr_lost_ends, left_out);
	CU_ASSERT_EQUAL(t.counts.unmatched_ends, 0);
	CU_ASSERT_FATAL(t.world.nr >= 3);
	check_frame(&t, 0, 10000, 7, s);
	check_frame(&t, t.world.nr - 2, 30000, 9, s);
	check_frame(&t, t.world.nr - 1, 40000, 10, s);
	before = (unsigned)t.world.nr - 2;
	for (unsigned i = 1; i < before; i++) {
		const struct frame *f = &t.world.frames[i];

		CU_ASSERT_TRUE(f->status == FRAME_LOSSY ||
			       (f->start_ns == 20000 && f->end_ns == 22300 && before == 2));
	}
	traced_close(&t);
	return left_out;
}

static void missing_ends(void)
{
	static const struct style *const styles[] = { &android_8, &android_11, &android_12,
						      &android_13, &android_15 };

	for (unsigned i = 0; i < sizeof(styles) / sizeof(*styles); i++) {
		unsigned n = 1;

		while (without_end(styles[i], n))
			n++;
		/* six of the UI thread's slices, or seven with the post, and six of the other's */
		CU_ASSERT_EQUAL(n - 1, styles[i]->post ? 13 : 12);
	}
}

/* The UI thread's: it is found out when the next doFrame begins. */
static void missing_ui_end(void)
{
	struct traced t;
	struct app a;

	start(&t, &a, &android_13);
	frame(&a, 10000, 7);
	ui_part(&a, 20000, 8);
	sync_part(&a, 20000, 8);
	end(&a, 21500, UI);
	end(&a, 21600, UI);
	end(&a, 21700, UI);
	draw_part(&a, 20000);
	frame(&a, 30000, 9);
	frame(&a, 40000, 10);
	traced_end(&t);
	CU_ASSERT_EQUAL(t.nr_lost_ends, 1);
	CU_ASSERT_EQUAL_FATAL(t.world.nr, 4);
	for (unsigned i = 0; i < 4; i++)
		check_frame(&t, i, 10000 * (i + 1), 7 + i, &android_13);
	traced_close(&t);
}

/* Ends of a driver, with names, without begins: on threads of its own, and on the RenderThread. */
static void vendor_ends(void)
{
	struct traced t;
	struct app a;

	start(&t, &a, &android_13);
	for (unsigned i = 0; i < 3; i++) {
		uint64_t v = 10000 * (i + 1);

		ui_part(&a, v, 7 + i);
		traced_mark(&t, v + 950, 333, "E|100|kgsl_submit");
		sync_part(&a, v, 7 + i);
		traced_mark(&t, v + 1450, RT, "E|100|kgsl_submit");
		traced_mark(&t, v + 1460, 333, "E");
		ui_rest(&a, v);
		/* One that is balanced, with names, around and inside. */
		traced_mark(&t, v + 1900, RT, "B|100|vendor|one");
		traced_mark(&t, v + 1910, RT, "B|100|vendor two");
		traced_mark(&t, v + 1920, RT, "E|100|vendor two");
		traced_mark(&t, v + 1930, RT, "E|100|vendor|one");
		draw_part(&a, v);
	}
	traced_end(&t);
	CU_ASSERT_EQUAL(t.counts.unmatched_ends, 9);
	CU_ASSERT_EQUAL(t.nr_lost_ends, 0);
	CU_ASSERT_EQUAL_FATAL(t.world.nr, 3);
	for (unsigned i = 0; i < 3; i++)
		check_frame(&t, i, 10000 * (i + 1), 7 + i, &android_13);
	traced_close(&t);
}

/* An end that names an outer slice ends it, and what is inside it. */
static void named_end(void)
{
	struct traced t;
	struct app a;

	start(&t, &a, &android_13);
	begin(&a, 2000, RT, "eglSwapBuffers");
	begin(&a, 2010, RT, "inner");
	traced_mark(&t, 2020, RT, "E|100|eglSwapBuffers");
	slice(&a, 2030, 2040, RT, "eglSwapBuffers");
	traced_end(&t);
	CU_ASSERT_EQUAL_FATAL(t.nr_spans, 2);
	CU_ASSERT_EQUAL(t.spans[0].rec.h.time_ns, 2020);
	CU_ASSERT_EQUAL(t.spans[1].rec.depth, 0);
	CU_ASSERT_EQUAL(t.nr_lost_ends, 0);
	traced_close(&t);
}

/* A swap whose queue has lost its end: the next one is a frame again. */
static void plain_missing_end(void)
{
	struct traced t;
	struct app a;
	const struct frame *f;

	start(&t, &a, &android_13);
	for (uint64_t v = 10000; v < 60000; v += 10000) {
		begin(&a, v, RT, "eglSwapBuffers");
		begin(&a, v + 10, RT, "queueBuffer");
		if (v != 20000)
			end(&a, v + 20, RT);
		end(&a, v + 30, RT);
	}
	traced_end(&t);
	CU_ASSERT_EQUAL(t.nr_lost_ends, 1);
	for (size_t i = 0; i < t.world.nr; i++) {
		f = &t.world.frames[i];
		/* Only what reaches into the one that is not known. */
		if (f->start_ns < 20030 && f->end_ns > 20000)
			CU_ASSERT_EQUAL(f->status, FRAME_LOSSY);
	}
	f = frame_at(&t.world, t.world.nr - 1);
	CU_ASSERT_EQUAL(f->end_ns, 50030);
	CU_ASSERT_EQUAL(f->start_ns, 40030);
	CU_ASSERT_EQUAL(f->status, FRAME_COMPLETE);
	traced_close(&t);
}

/* Thousands of slices that don't end: no more are kept than the limit; the next frames are right.
 */
static void deep(void)
{
	struct traced t;
	struct app a;

	start(&t, &a, &android_13);
	frame(&a, 10000, 7);
	begin(&a, 15000, RT, "eglSwapBuffers");
	for (unsigned i = 0; i < 5000; i++)
		begin(&a, 15001 + i % 100, RT, "deeper");
	for (unsigned i = 0; i < 5001; i++)
		end(&a, 15200 + i % 100, RT);
	for (unsigned i = 0; i < 3000; i++)
		begin(&a, 16000, UI, "never ends");
	frame(&a, 20000, 8);
	frame(&a, 30000, 9);
	traced_end(&t);
	CU_ASSERT(t.counts.unmatched_ends > 5000 - 512);
	CU_ASSERT_EQUAL(t.nr_lost_ends, 1);
	CU_ASSERT_FATAL(t.world.nr >= 3);
	check_frame(&t, 0, 10000, 7, &android_13);
	check_frame(&t, t.world.nr - 1, 30000, 9, &android_13);
	traced_close(&t);
}

/* Marks that are cut, odd, or none at all. */
static void odd_texts(void)
{
	static const struct {
		const char *text;
		unsigned marks, unmatched, frames;
	} texts[] = {
		{ "", 0, 0, 0 },
		{ "\n", 0, 0, 0 },
		{ "Begin", 0, 0, 0 },
		{ "Error: 5", 0, 0, 0 },
		{ "B", 0, 0, 0 },
		{ "X|100|x", 0, 0, 0 },
		{ "trace_event_clock_sync: parent_ts=1.0", 0, 0, 0 },
		{ "B|", 1, 0, 0 },
		{ "B|100", 1, 0, 0 },
		{ "B|100|", 1, 0, 0 },
		{ "B|x|queueBuffer", 1, 0, 1 },
		{ "B|99999999999999999999|queueBuffer", 1, 0, 1 },
		{ "B|100|queueBuffer|more", 1, 0, 0 },
		{ "B|100|queueBufferX", 1, 0, 0 },
		{ "B|100|queueBuffe", 1, 0, 0 },
		{ "B|100|queueBuffer\n", 1, 0, 1 },
		{ "B|100|Choreographer#doFrame -1", 1, 0, 1 },
		{ "B|100|DrawFrames 99999999999999999999", 1, 0, 1 },
		{ "E", 1, 1, 0 },
		{ "E|", 1, 1, 0 },
		{ "E\n", 1, 1, 0 },
		{ "E|100|", 1, 1, 0 },
		{ "S|100|name|with|bars|-9223372036854775808", 1, 0, 0 },
		{ "F|100|name|18446744073709551615", 1, 0, 0 },
		{ "C|100|queueBuffer|-1", 1, 0, 0 },
		{ "N|100|track|name", 1, 0, 0 },
		{ "G|100|track|name|-5", 1, 0, 0 },
		{ "H|100|track|99999999999999999999999", 1, 0, 0 },
		{ "I|100|Frame skipped", 1, 0, 0 },
	};

	for (unsigned i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		struct traced t;

		traced_open(&t);
		traced_mark(&t, 1000, RT, texts[i].text);
		traced_end(&t);
		if (t.counts.marks != texts[i].marks ||
		    t.counts.unmatched_ends != texts[i].unmatched ||
		    t.counts.frame_marks != texts[i].frames) {
			printf("# \"%s\"\n", texts[i].text);
			CU_FAIL("the text is taken for something else");
		}
		traced_close(&t);
	}
}

/* Events are lost while a frame is made: it is lossy or left out, the next ones are right. */
static void lost(void)
{
	struct traced t;
	struct app a;

	start(&t, &a, &android_13);
	frame(&a, 10000, 7);
	ui_part(&a, 20000, 8);
	sync_part(&a, 20000, 8);
	CU_ASSERT_EQUAL(intake_lost(t.in, 21450, 1, 5), 0);
	ui_rest(&a, 20000);
	draw_part(&a, 20000);
	frame(&a, 30000, 9);
	frame(&a, 40000, 10);
	traced_end(&t);
	CU_ASSERT_EQUAL(t.counts.unmatched_ends, 5);
	CU_ASSERT_FATAL(t.world.nr >= 3);
	check_frame(&t, 0, 10000, 7, &android_13);
	check_frame(&t, t.world.nr - 1, 40000, 10, &android_13);
	for (size_t i = 1; i < t.world.nr; i++)
		CU_ASSERT(t.world.frames[i].end_ns > 23000 ||
			  t.world.frames[i].status == FRAME_LOSSY);
	traced_close(&t);
}

/* The span that ended at that time; NULL: there is none. */
static const struct traced_span *span_at(const struct traced *t, uint64_t ns)
{
	for (unsigned i = 0; i < t->nr_spans; i++)
		if (t->spans[i].rec.h.time_ns == ns)
			return &t->spans[i];
	return NULL;
}

/* What is open at the end is so in the records. */
static void open_calls(void)
{
	struct traced t;
	struct app a;
	const struct traced_span *s;

	start(&t, &a, &android_13);
	ui_part(&a, 10000, 7);
	sync_part(&a, 10000, 7);
	traced_mark(&t, 15000, 300, "C|100|count|1");
	traced_end(&t);
	CU_ASSERT_EQUAL_FATAL(t.nr_spans, 3 + 3);
	s = span_at(&t, 15000);
	CU_ASSERT_PTR_NOT_NULL_FATAL(s);
	for (unsigned i = 3; i < 6; i++) {
		CU_ASSERT_EQUAL(t.spans[i].rec.flags, FS_OPEN);
		CU_ASSERT_EQUAL(t.spans[i].rec.h.time_ns, 15000);
	}
	traced_close(&t);
}

int main(void)
{
	static const struct check_case cases[] = {
		{ "missing_ends", missing_ends },
		{ "missing_ui_end", missing_ui_end },
		{ "vendor_ends", vendor_ends },
		{ "named_end", named_end },
		{ "plain_missing_end", plain_missing_end },
		{ "deep", deep },
		{ "odd_texts", odd_texts },
		{ "lost", lost },
		{ "open_calls", open_calls },
		{ NULL, NULL },
	};

	return check_main("marks_faults", cases);
}
