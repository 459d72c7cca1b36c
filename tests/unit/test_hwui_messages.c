/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What the UI thread of an app with HWUI does between two polls of its looper, by hand. */
#include "hwui_app.h"

/* What the UI thread did from one poll to the next; the poll itself is no message. */
static void polls(void)
{
	const struct script s = {
		.vsync = 100000, .id = 7, .number = 3, .lock_from = 2600, .lock_to = 3900
	};
	struct world w;

	begin(&w);
	call(&w, UI, FS_ROLE_VSYNC, 100300, 100310, 1, 0, 100000, 0);
	call(&w, UI, FS_ROLE_POLL, 99000, 100400, 0, 0, 0, 0);
	frame(&w, &s);
	off(&w, UI, 120100, 149990, 150000);
	call(&w, UI, FS_ROLE_POLL, 120000, 150010, 0, 0, 0, 0);
	call(&w, UI, FS_ROLE_POLL, 150500, 150510, 0, 0, 0, 0);
	end(&w, 200000);
	CU_ASSERT_EQUAL_FATAL(nr_messages, 2);
	CU_ASSERT_EQUAL(messages[0].from_ns, 100400);
	CU_ASSERT_EQUAL(messages[0].to_ns, 120000);
	CU_ASSERT_EQUAL(messages[0].frames, 1);
	CU_ASSERT_EQUAL(messages[0].vsync_id, 7);
	CU_ASSERT_EQUAL(messages[0].intended_vsync_ns, 100000);
	CU_ASSERT_EQUAL(messages[0].input_ns, 101000);
	CU_ASSERT_EQUAL(messages[0].animation_ns, 102000);
	CU_ASSERT_EQUAL(messages[0].traversals_ns, 103000);
	CU_ASSERT_EQUAL(messages[0].interval_ns, 16000);
	CU_ASSERT_EQUAL(messages[0].budget.ns[BUDGET_LOCK], 1290);
	CU_ASSERT_EQUAL(budget_total(&messages[0].budget), 19600);
	CU_ASSERT_EQUAL(messages[1].from_ns, 150010);
	CU_ASSERT_EQUAL(messages[1].to_ns, 150500);
	CU_ASSERT_EQUAL(messages[1].frames, 0);
	CU_ASSERT_EQUAL(messages[1].input_ns, 0);
	CU_ASSERT_EQUAL(messages[1].budget.ns[BUDGET_RUNNING], 490);
	CU_ASSERT_TRUE_FATAL(w.nr > 0);
	CU_ASSERT_EQUAL(w.frames[0].hwui.commit_ns, 120000 - 107800);
	CU_ASSERT_EQUAL(w.frames[0].hwui.vsync_delivered_ns, 100310);
	world_close(&w);
}

/* While a frame waits behind another window's, its threads do a lot. */
static void held_up(void)
{
	const struct script held = { .vsync = 100000,
				     .id = 7,
				     .number = 1,
				     .no_finish = true,
				     .window = WINDOW + 1,
				     .context = CONTEXT + 1 };
	const struct script s = { .vsync = 200000, .id = 8, .number = 1 };
	struct world w;

	begin(&w);
	call(&w, UI, FS_ROLE_POLL, 99000, 100400, 0, 0, 0, 0);
	frame(&w, &held);
	call(&w, UI, FS_ROLE_POLL, 120000, 199000, 0, 0, 0, 0);
	frame(&w, &s);
	for (uint64_t at = 220000; at < 420000; at += 1000)
		call(&w, UI, FS_ROLE_POLL, at, at + 10, 0, 0, 0, 0);
	CU_ASSERT_EQUAL(w.nr, 0);
	end(&w, 500000);
	CU_ASSERT_TRUE_FATAL(w.nr > 1);
	CU_ASSERT_EQUAL(w.frames[1].hwui.vsync_id, 8);
	CU_ASSERT_EQUAL(w.frames[1].hwui.commit_ns, 220000 - 207800);
	world_close(&w);
}

/* A frame that is posted outside of a doFrame() has the times of the one before. */
static void polls_stale(void)
{
	const struct script s = { .vsync = 100000, .id = 7, .number = 3 };
	struct world w;

	begin(&w);
	call(&w, UI, FS_ROLE_POLL, 99000, 101001, 0, 0, 0, 0);
	frame(&w, &s);
	call(&w, UI, FS_ROLE_POLL, 120000, 150010, 0, 0, 0, 0);
	end(&w, 200000);
	CU_ASSERT_EQUAL_FATAL(nr_messages, 1);
	CU_ASSERT_EQUAL(messages[0].frames, 1);
	CU_ASSERT_EQUAL(messages[0].vsync_id, 7);
	CU_ASSERT_EQUAL(messages[0].intended_vsync_ns, 0);
	CU_ASSERT_EQUAL(messages[0].input_ns, 0);
	world_close(&w);
}

/* A call that could not be kept may have been a poll, and have ended the message. */
static void polls_lost(void)
{
	struct world w;

	begin(&w);
	call(&w, UI, FS_ROLE_POLL, 99000, 100400, 0, 0, 0, 0);
	FEED(&w, LOST, fs_lost, .h.time_ns = 110000, .h.tid = UI, .where = FS_LOST_MAP, .count = 1);
	call(&w, UI, FS_ROLE_POLL, 120000, 120010, 0, 0, 0, 0);
	call(&w, UI, FS_ROLE_POLL, 130000, 130010, 0, 0, 0, 0);
	end(&w, 200000);
	CU_ASSERT_EQUAL_FATAL(nr_messages, 1);
	CU_ASSERT_EQUAL(messages[0].from_ns, 120010);
	world_close(&w);
}

/* The memory for what frames need is not spent on threads that only wait for messages. */
static void idle_looper(void)
{
	struct world w;

	begin(&w);
	for (uint64_t at = 10000; at < 10000000; at += 1000) {
		off(&w, UI, at + 100, at + 190, at + 200);
		call(&w, UI, FS_ROLE_POLL, at, at + 300, 0, 0, 0, 0);
	}
	CU_ASSERT_EQUAL(w.model->history, 0);
	CU_ASSERT_EQUAL(messages[15].budget.ns[BUDGET_RUNNING], 700);
	end(&w, 20000000);
	world_close(&w);
}

/* A new program has nothing of the old one's: no message goes on, and no FrameInfo is its. */
static void exec_between(void)
{
	const struct script s = { .vsync = 100000, .id = 7, .number = 3, .no_finish = true };
	struct world w;

	begin(&w);
	call(&w, UI, FS_ROLE_POLL, 99000, 100400, 0, 0, 0, 0);
	frame(&w, &s);
	TASK(&w, EXEC, 120000, .h.tid = UI, .comm = "other");
	call(&w, UI, FS_ROLE_POLL, 130000, 150010, 0, 0, 0, 0);
	call(&w, RT, FS_ROLE_QUEUE, 151000, 152000, 0, WINDOW, 0, 0);
	call(&w, RT, FS_ROLE_QUEUE, 161000, 162000, 0, WINDOW, 0, 0);
	end(&w, 200000);
	CU_ASSERT_EQUAL(nr_messages, 0);
	CU_ASSERT_TRUE_FATAL(w.nr > 2);
	CU_ASSERT_EQUAL(w.frames[0].hwui.kind, FRAME_NORMAL);
	for (size_t i = 1; i < w.nr; i++)
		CU_ASSERT_EQUAL(w.frames[i].hwui.kind, FRAME_PLAIN);
	world_close(&w);
}

int main(void)
{
	static const struct check_case cases[] = {
		{ "polls", polls },
		{ "held_up", held_up },
		{ "polls_stale", polls_stale },
		{ "polls_lost", polls_lost },
		{ "idle_looper", idle_looper },
		{ "exec_between", exec_between },
		{ NULL, NULL },
	};

	return check_main("hwui messages", cases);
}
