/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What the older Matrix says of messages. Sums of frames were worked out by another program with
 * exact fractions, rounded where Matrix rounds: without that 600 frames of 60 Hz would be 10 s.
 */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "judge/long_messages.h"
#include "judge/looper.h"

#define MS UINT64_C(1000000)
#define FROM UINT64_C(1000000000)

/* A message of a frame that was late by so much when the message ended. */
static struct message frame_message(uint64_t jitter, uint64_t interval)
{
	return (struct message){
		.pid = 10,
		.tid = 10,
		.process = "app",
		.from_ns = FROM,
		.to_ns = FROM + jitter - 1000,
		.frames = 1,
		.intended_vsync_ns = FROM - 1000,
		.input_ns = FROM + 1,
		.animation_ns = FROM + 3,
		.traversals_ns = FROM + 7,
		.interval_ns = interval,
	};
}

static struct message plain_message(uint64_t length)
{
	return (struct message){
		.pid = 10, .tid = 10, .process = "app", .from_ns = FROM, .to_ns = FROM + length
	};
}

static void test_task(void)
{
	struct message msg = frame_message(20000, 0);
	struct looper_task task;

	looper_task(&msg, &task);
	CU_ASSERT_TRUE(task.contains_frame && task.known);
	CU_ASSERT_TRUE(task.has_costs);
	CU_ASSERT_EQUAL(task.intended_ns, FROM - 1000);
	CU_ASSERT_EQUAL(task.dropped, 0);
	CU_ASSERT_EQUAL(task.input_ns, 2);
	CU_ASSERT_EQUAL(task.animation_ns, 4);
	CU_ASSERT_EQUAL(task.traversal_ns, 19000 - 7);

	/* Without a frame it counts from its own begin, and has no costs. */
	msg = plain_message(40 * MS);
	looper_task(&msg, &task);
	CU_ASSERT_TRUE(!task.contains_frame && task.known);
	CU_ASSERT_TRUE(!task.has_costs);
	CU_ASSERT_EQUAL(task.intended_ns, FROM);
	CU_ASSERT_EQUAL(task.dropped, 2);

	/* The frame's own times are not known. */
	msg = plain_message(40 * MS);
	msg.frames = 2;
	looper_task(&msg, &task);
	CU_ASSERT_TRUE(task.contains_frame && !task.known);
	CU_ASSERT_TRUE(!task.has_costs);
}

/* By whole intervals of 16666666 ns, whatever the display has. */
static void test_dropped(void)
{
	static const struct {
		uint64_t jitter;
		int32_t dropped;
	} jitters[] = {
		{ 1000, 0 },       { 16666665, 0 },   { 16666666, 1 },   { 16666667, 1 },
		{ 33333331, 1 },   { 33333332, 2 },   { 49999997, 2 },   { 49999998, 3 },
		{ 699999971, 41 }, { 699999972, 42 }, { 700000000, 42 },
	};
	static const uint64_t intervals[] = { 0, 16666667, 8333333, 6944444 };

	for (unsigned i = 0; i < sizeof(jitters) / sizeof(*jitters); i++) {
		for (unsigned j = 0; j < sizeof(intervals) / sizeof(*intervals); j++) {
			struct message msg = frame_message(jitters[i].jitter, intervals[j]);
			struct looper_task task;

			looper_task(&msg, &task);
			CU_ASSERT_EQUAL(task.dropped, jitters[i].dropped);
		}
	}
	/* Done before it was to begin: no less than none, until it is one. */
	struct message msg = plain_message(10 * MS);
	struct looper_task task;

	msg.frames = 1;
	msg.intended_vsync_ns = msg.to_ns + 16666665;
	looper_task(&msg, &task);
	CU_ASSERT_EQUAL(task.dropped, 0);
	msg.intended_vsync_ns = msg.to_ns + 16666666;
	looper_task(&msg, &task);
	CU_ASSERT_EQUAL(task.dropped, -1);
}

/* Frames that drop so many each, until they are a report. */
static void test_reports(void)
{
	static const struct {
		uint64_t interval;
		int32_t dropped;
		int32_t frames; /* until the report */
		float fps;
		enum matrix_level level;
	} runs[] = {
		/* 16 ms of 16.67 are counted of each: 62.5, if 60 were not the most. */
		{ 16666667, 0, 625, 60, MATRIX_BEST },
		{ 16666666, 0, 625, 60, MATRIX_BEST },
		{ 0, 0, 625, 60, MATRIX_BEST },
		{ 11111111, 0, 910, 60, MATRIX_BEST },
		{ 8333333, 0, 1250, 60, MATRIX_BEST },
		{ 6944444, 0, 1667, 60, MATRIX_BEST },
		{ 16666667, 1, 304, 0x1.e4d936p4f, MATRIX_BEST },
		{ 11111111, 1, 455, 0x1.6ba2e8p5f, MATRIX_BEST },
		{ 8333333, 1, 625, 60, MATRIX_BEST },
		{ 16666667, 2, 200, 20, MATRIX_BEST },
		{ 8333333, 2, 400, 40, MATRIX_BEST },
		{ 16666667, 4, 121, 0x1.818accp3f, MATRIX_NORMAL },
		{ 6944444, 4, 295, 0x1.d69696p4f, MATRIX_NORMAL },
		{ 16666667, 9, 61, 0x1.818accp2f, MATRIX_MIDDLE },
		{ 11111111, 41, 22, 0x1.12ad98p1f, MATRIX_HIGH },
		{ 16666667, 41, 15, 0x1.6db6dcp0f, MATRIX_HIGH },
	};

	for (unsigned i = 0; i < sizeof(runs) / sizeof(*runs); i++) {
		uint64_t jitter = 1000 + (uint64_t)runs[i].dropped * 16666666;
		struct message msg = frame_message(jitter, runs[i].interval);
		struct looper_report r = { 0 };
		struct looper_window w;
		int32_t nr = 1;

		looper_window_init(&w, &matrix_default, "app");
		for (; nr < 5000 && !looper_window_add(&w, &msg, &r); nr++)
			continue;
		CU_ASSERT_EQUAL(nr, runs[i].frames);
		CU_ASSERT_EQUAL(r.frames, nr);
		CU_ASSERT_EQUAL(r.fps, runs[i].fps);
		CU_ASSERT_EQUAL(r.dropped, (int64_t)nr * runs[i].dropped);
		for (unsigned level = 0; level < MATRIX_LEVEL_NR; level++) {
			CU_ASSERT_EQUAL(r.level[level], level == runs[i].level ? nr : 0);
			CU_ASSERT_EQUAL(r.sum[level], level == runs[i].level ? r.dropped : 0);
		}
		CU_ASSERT_FALSE(looper_window_flush(&w, &r));
	}
}

/* Matrix asks for the display's interval once. */
static void test_interval(void)
{
	struct message plain = plain_message(10), first = frame_message(1000, 8333333);
	struct message later = frame_message(1000, 16666667);
	struct looper_report r;
	struct looper_window w;

	looper_window_init(&w, &matrix_default, "app");
	CU_ASSERT_FALSE(looper_window_add(&w, &plain, &r));
	CU_ASSERT_FALSE(looper_window_add(&w, &first, &r));
	for (unsigned i = 0; i < 1248; i++)
		CU_ASSERT_FALSE(looper_window_add(&w, &later, &r));
	CU_ASSERT_TRUE(looper_window_add(&w, &later, &r));
	CU_ASSERT_EQUAL(r.frames, 1250);
	/* Nor after a report. */
	for (unsigned i = 0; i < 1249; i++)
		CU_ASSERT_FALSE(looper_window_add(&w, &later, &r));
	CU_ASSERT_TRUE(looper_window_add(&w, &later, &r));
}

static void test_levels(void)
{
	static const int32_t drops[] = { 2, 3, 8, 9, 23, 24, 41, 42, 100 };
	static const int32_t counts[] = { 1, 2, 2, 2, 2 };
	static const int64_t sums[] = { 2, 11, 32, 65, 142 };
	const struct matrix_config strict = { .least = { 0, 1, 2, 3, 4 } };
	struct looper_report r;
	struct looper_window w;

	looper_window_init(&w, &matrix_default, "app");
	for (unsigned i = 0; i < sizeof(drops) / sizeof(*drops); i++) {
		struct message msg = frame_message((uint64_t)drops[i] * 16666666 + 5000, 0);

		CU_ASSERT_FALSE(looper_window_add(&w, &msg, &r));
	}
	CU_ASSERT_TRUE_FATAL(looper_window_flush(&w, &r));
	for (unsigned level = 0; level < MATRIX_LEVEL_NR; level++) {
		CU_ASSERT_EQUAL(r.level[level], counts[level]);
		CU_ASSERT_EQUAL(r.sum[level], sums[level]);
	}
	CU_ASSERT_EQUAL(r.dropped, 252);

	looper_window_init(&w, &strict, "app");
	for (unsigned i = 0; i < 5; i++) {
		struct message msg = frame_message((uint64_t)i * 16666666 + 5000, 0);

		looper_window_add(&w, &msg, &r);
	}
	CU_ASSERT_TRUE_FATAL(looper_window_flush(&w, &r));
	for (unsigned level = 0; level < MATRIX_LEVEL_NR; level++) {
		CU_ASSERT_EQUAL(r.level[level], 1);
		CU_ASSERT_EQUAL(r.sum[level], level);
	}
}

/* What goes into which sum. */
static void test_sums(void)
{
	struct message frame = frame_message(20 * MS, 16666667), plain = plain_message(50 * MS);
	struct message unknown = plain, early = plain;
	struct looper_report r;
	struct looper_window w;

	unknown.frames = 1;
	early.frames = 1;
	early.intended_vsync_ns = early.to_ns + 16666666;
	looper_window_init(&w, &matrix_default, "app");
	CU_ASSERT_FALSE(looper_window_flush(&w, &r));

	plain.from_ns -= 500;
	looper_window_add(&w, &plain, &r);
	looper_window_add(&w, &frame, &r);
	looper_window_add(&w, &frame, &r);
	looper_window_add(&w, &unknown, &r);
	looper_window_add(&w, &early, &r);
	CU_ASSERT_TRUE_FATAL(looper_window_flush(&w, &r));
	CU_ASSERT_STRING_EQUAL(r.scene, "app");
	CU_ASSERT_EQUAL(r.begin_ns, FROM - 500);
	CU_ASSERT_EQUAL(r.end_ns, FROM + 50 * MS);
	CU_ASSERT_EQUAL(r.tasks, 5);
	CU_ASSERT_EQUAL(r.tasks_with_frame, 4);
	CU_ASSERT_EQUAL(r.task_ns, 150 * MS + 500 + 2 * (20 * MS - 1000));
	CU_ASSERT_EQUAL(r.frames, 3);
	CU_ASSERT_EQUAL(r.level[MATRIX_BEST], 3);
	CU_ASSERT_EQUAL(r.sum[MATRIX_BEST], 2); /* less than none is none there */
	CU_ASSERT_EQUAL(r.dropped, 1);
	CU_ASSERT_EQUAL(r.left_out, 1);
	CU_ASSERT_EQUAL(r.costs, 2);
	CU_ASSERT_EQUAL(r.input_ns, 4);
	CU_ASSERT_EQUAL(r.animation_ns, 8);
	CU_ASSERT_EQUAL(r.traversal_ns, 2 * (20 * MS - 1000 - 7));
	/* 33, 33 and 0 ms. */
	CU_ASSERT_EQUAL(r.fps, 0x1.6ba2e8p5f);

	/* Without a frame there is no rate. */
	looper_window_add(&w, &plain, &r);
	CU_ASSERT_TRUE_FATAL(looper_window_flush(&w, &r));
	CU_ASSERT_EQUAL(r.frames, 0);
	CU_ASSERT_EQUAL(r.costs, 0);
	CU_ASSERT_EQUAL(r.left_out, 0);
	CU_ASSERT_EQUAL(r.fps, 0);
	CU_ASSERT_FALSE(looper_window_flush(&w, &r));
}

static void test_processes(void)
{
	struct looper l = { .config = &matrix_default };
	struct message a = frame_message(1000, 0), b = frame_message(17 * MS, 0);
	struct looper_report r;

	b.pid = b.tid = 11;
	b.process = "other";
	for (unsigned i = 0; i < 303; i++) {
		CU_ASSERT_EQUAL(looper_add(&l, &a, &r), 0);
		CU_ASSERT_EQUAL(looper_add(&l, &b, &r), 0);
	}
	CU_ASSERT_EQUAL(looper_add(&l, &b, &r), 1);
	CU_ASSERT_STRING_EQUAL(r.scene, "other");
	CU_ASSERT_EQUAL(r.frames, 304);
	/* The id is another's, or the process another program. */
	a.process = "next";
	CU_ASSERT_EQUAL(looper_add(&l, &a, &r), 0);

	CU_ASSERT_EQUAL(looper_finish(&l, &r), 1);
	CU_ASSERT_STRING_EQUAL(r.scene, "app");
	CU_ASSERT_EQUAL(r.frames, 303);
	CU_ASSERT_EQUAL(looper_finish(&l, &r), 1);
	CU_ASSERT_STRING_EQUAL(r.scene, "next");
	CU_ASSERT_EQUAL(r.frames, 1);
	CU_ASSERT_EQUAL(looper_finish(&l, &r), 0);
	looper_free(&l);
}

static void test_issues(void)
{
	static const struct {
		uint64_t ns;
		enum message_issue issue;
	} lengths[] = {
		{ 0, MESSAGE_ISSUE_NR },
		{ 699999999, MESSAGE_ISSUE_NR },
		{ 700000000, MESSAGE_EVIL_METHOD },
		{ 1999999999, MESSAGE_EVIL_METHOD },
		{ 2000000000, MESSAGE_LAG },
		{ 4999999999, MESSAGE_LAG },
		{ 5000000000, MESSAGE_ANR },
		{ 60000000000, MESSAGE_ANR },
	};
	static const char *const names[] = { "evil_method", "lag", "anr" };
	static const unsigned ms[] = { 700, 2000, 5000 };

	for (unsigned i = 0; i < sizeof(lengths) / sizeof(*lengths); i++) {
		struct message msg = plain_message(lengths[i].ns);

		CU_ASSERT_EQUAL(message_issue(&msg), lengths[i].issue);
	}
	for (unsigned i = 0; i < MESSAGE_ISSUE_NR; i++) {
		CU_ASSERT_STRING_EQUAL(message_issue_name((enum message_issue)i), names[i]);
		CU_ASSERT_EQUAL(message_issue_ms((enum message_issue)i), ms[i]);
	}
}

static void test_long_messages(void)
{
	static const unsigned ms[] = { 800,  2500, 699, 6000, 900, 2500, 701,  750,
				       3000, 710,  720, 730,  740, 700,  5000, 16 };
	static const unsigned longest[] = { 6000, 5000, 3000, 2500, 2500, 900, 800, 750, 740, 730 };
	struct long_messages l = { 0 };
	const struct long_thread *t;
	struct message msg;

	for (unsigned i = 0; i < sizeof(ms) / sizeof(*ms); i++) {
		char name[] = "app"; /* not kept */

		msg = plain_message(ms[i] * MS);
		msg.process = name;
		msg.vsync_id = i;
		CU_ASSERT_EQUAL(long_messages_add(&l, &msg), 0);
		memset(name, 'x', sizeof(name) - 1);
	}
	msg = plain_message(MS);
	msg.tid = msg.pid = 11;
	CU_ASSERT_EQUAL(long_messages_add(&l, &msg), 0);
	msg = plain_message(MS);
	msg.process = "next";
	CU_ASSERT_EQUAL(long_messages_add(&l, &msg), 0);

	CU_ASSERT_EQUAL_FATAL(l.threads.nr, 3);
	t = l.threads.entries[0];
	CU_ASSERT_STRING_EQUAL(t->process, "app");
	CU_ASSERT_EQUAL(t->messages, 16);
	CU_ASSERT_EQUAL(t->counts[MESSAGE_EVIL_METHOD], 14);
	CU_ASSERT_EQUAL(t->counts[MESSAGE_LAG], 5);
	CU_ASSERT_EQUAL(t->counts[MESSAGE_ANR], 2);
	CU_ASSERT_EQUAL_FATAL(t->nr, LONGEST_MESSAGES);
	for (unsigned i = 0; i < LONGEST_MESSAGES; i++) {
		const struct message *m = &t->longest[i];

		CU_ASSERT_EQUAL(m->to_ns - m->from_ns, longest[i] * MS);
		CU_ASSERT_STRING_EQUAL(m->process, "app");
	}
	/* Of equals the earlier is first. */
	CU_ASSERT_EQUAL(t->longest[3].vsync_id, 1);
	CU_ASSERT_EQUAL(t->longest[4].vsync_id, 5);

	t = l.threads.entries[1];
	CU_ASSERT_EQUAL(t->tid, 11);
	CU_ASSERT_EQUAL(t->messages, 1);
	CU_ASSERT_EQUAL(t->nr, 0);
	t = l.threads.entries[2];
	CU_ASSERT_STRING_EQUAL(t->process, "next");
	CU_ASSERT_EQUAL(t->tid, 10);
	long_messages_free(&l);
	CU_ASSERT_EQUAL(l.threads.nr, 0);
}

int main(void)
{
	static const struct check_case cases[] = {
		{ "task", test_task },
		{ "dropped", test_dropped },
		{ "reports", test_reports },
		{ "interval", test_interval },
		{ "levels", test_levels },
		{ "sums", test_sums },
		{ "processes", test_processes },
		{ "issues", test_issues },
		{ "long_messages", test_long_messages },
		{ NULL, NULL },
	};

	return check_main("looper", cases);
}
