/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Messages as machines read them, and as a table, 100 columns wide, times in ms. */
#include "output/messages.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "judge/long_messages.h"
#include "judge/looper.h"
#include "output/words.h"

#define PROCESS_WIDTH 15
#define WAKER_WIDTH 16

enum number_arg {
	NUMBER_START,
	NUMBER_END,
	NUMBER_WALL,
	NUMBER_PID,
	NUMBER_TID,
	NUMBER_FRAMES,
	NUMBER_VSYNC_ID
};

static void get_number(const void *of, unsigned arg, struct cell *c)
{
	const struct message *m = ((const struct message_row *)of)->message;

	switch ((enum number_arg)arg) {
	case NUMBER_START:
		cell_set_number(c, m->from_ns);
		break;
	case NUMBER_END:
		cell_set_number(c, m->to_ns);
		break;
	case NUMBER_WALL:
		cell_set_number(c, m->to_ns - m->from_ns);
		break;
	case NUMBER_PID:
		cell_set_number(c, m->pid);
		break;
	case NUMBER_TID:
		cell_set_number(c, m->tid);
		break;
	case NUMBER_FRAMES:
		cell_set_number(c, m->frames);
		break;
	case NUMBER_VSYNC_ID:
		if (m->vsync_id > 0)
			cell_set_number(c, (uint64_t)m->vsync_id);
		break;
	}
}

static const char *status_of(const struct message *m)
{
	return frame_status_name(m->lossy ? FRAME_LOSSY : FRAME_COMPLETE);
}

enum text_arg { TEXT_PROCESS, TEXT_STATUS, TEXT_CAUSE, TEXT_WAKER, TEXT_DETAIL, TEXT_ISSUE };

static void get_text(const void *of, unsigned arg, struct cell *c)
{
	const struct message *m = ((const struct message_row *)of)->message;
	const struct blocker *b = &m->blocker;
	enum message_issue issue;

	*c->text = '\0';
	switch ((enum text_arg)arg) {
	case TEXT_PROCESS:
		text_escape(c->text, sizeof(c->text), m->process, strlen(m->process));
		break;
	case TEXT_STATUS:
		snprintf(c->text, sizeof(c->text), "%s", status_of(m));
		break;
	case TEXT_CAUSE:
		if (b->ns)
			snprintf(c->text, sizeof(c->text), "%s", budget_part_name(b->cause));
		break;
	case TEXT_WAKER:
		if (b->ns)
			words_waker(c->text, sizeof(c->text), b, WORDS_NO_LIMIT);
		break;
	case TEXT_DETAIL:
		if (b->ns)
			words_detail(c->text, sizeof(c->text), b);
		break;
	case TEXT_ISSUE:
		issue = message_issue(m);
		if (issue < MESSAGE_ISSUE_NR)
			snprintf(c->text, sizeof(c->text), "%s", message_issue_name(issue));
		break;
	}
	cell_set_text(c);
}

static void get_part(const void *of, unsigned arg, struct cell *c)
{
	cell_set_number(c, ((const struct message_row *)of)->message->budget.ns[arg]);
}

static void get_blocked(const void *of, unsigned arg, struct cell *c)
{
	const struct blocker *b = &((const struct message_row *)of)->message->blocker;

	(void)arg;
	if (b->ns)
		cell_set_number(c, b->ns);
}

enum task_arg {
	TASK_CONTAINS_FRAME,
	TASK_INTENDED,
	TASK_INPUT,
	TASK_ANIMATION,
	TASK_TRAVERSAL,
	TASK_DROPPED
};

static void get_task(const void *of, unsigned arg, struct cell *c)
{
	struct looper_task task;

	looper_task(((const struct message_row *)of)->message, &task);
	switch ((enum task_arg)arg) {
	case TASK_CONTAINS_FRAME:
		cell_set_number(c, task.contains_frame);
		break;
	case TASK_INTENDED:
		if (task.known)
			cell_set_number(c, task.intended_ns);
		break;
	case TASK_INPUT:
		if (task.has_costs)
			cell_set_number(c, task.input_ns);
		break;
	case TASK_ANIMATION:
		if (task.has_costs)
			cell_set_number(c, task.animation_ns);
		break;
	case TASK_TRAVERSAL:
		if (task.has_costs)
			cell_set_number(c, task.traversal_ns);
		break;
	case TASK_DROPPED:
		if (task.known)
			cell_set_signed(c, task.dropped);
		break;
	}
}

static const struct listing_column columns[] = {
	{ "start_ns", get_number, NUMBER_START },
	{ "end_ns", get_number, NUMBER_END },
	{ "wall_ns", get_number, NUMBER_WALL },
	{ "pid", get_number, NUMBER_PID },
	{ "tid", get_number, NUMBER_TID },
	{ "process", get_text, TEXT_PROCESS },
	{ "frames", get_number, NUMBER_FRAMES },
	{ "vsync_id", get_number, NUMBER_VSYNC_ID },
	{ "status", get_text, TEXT_STATUS },
	BUDGET_COLUMNS(get_part),
	{ "blocker", get_text, TEXT_CAUSE },
	{ "blocker_ns", get_blocked, 0 },
	{ "blocker_waker", get_text, TEXT_WAKER },
	{ "blocker_detail", get_text, TEXT_DETAIL },
	{ "contains_frame", get_task, TASK_CONTAINS_FRAME },
	{ "intended_frame_time_ns", get_task, TASK_INTENDED },
	{ "input_cost_ns", get_task, TASK_INPUT },
	{ "animation_cost_ns", get_task, TASK_ANIMATION },
	{ "traversal_cost_ns", get_task, TASK_TRAVERSAL },
	{ "matrix_dropped", get_task, TASK_DROPPED },
	{ "matrix_issue", get_text, TEXT_ISSUE },
	{ NULL, NULL, 0 },
};

static void head(FILE *out, const struct style *style)
{
	fprintf(out, "%s%10s %-*s %s%s\n", style->bold, "start ms", PROCESS_WIDTH, "process",
		MESSAGE_HEAD, style->off);
}

void message_print(FILE *out, const struct message *m)
{
	const uint64_t *ns = m->budget.ns;
	char wall[32], running[32], runnable[32], blocked[32], waker[WORDS_LEN] = "";
	uint64_t known = budget_total(&m->budget) - ns[BUDGET_UNKNOWN] + m->unknown_wait_ns;

	words_ms(wall, sizeof(wall), m->to_ns - m->from_ns);
	words_ms(running, sizeof(running), ns[BUDGET_RUNNING]);
	words_ms(runnable, sizeof(runnable), ns[BUDGET_RUNNABLE]);
	words_ms(blocked, sizeof(blocked), known - ns[BUDGET_RUNNING] - ns[BUDGET_RUNNABLE]);
	if (m->blocker.ns)
		words_waker(waker, sizeof(waker), &m->blocker, WAKER_WIDTH);
	fprintf(out, "%6u %10s %9s %9s %9s %-8s %s", m->frames, wall, running, runnable, blocked,
		m->blocker.ns ? budget_part_name(m->blocker.cause) : "running",
		*waker ? waker : "-");
}

static void print(FILE *out, const struct style *style, const void *of)
{
	const struct message_row *row = of;
	const struct message *m = row->message;
	char start[32] = "-", name[WORDS_LEN], process[WORDS_LEN];

	text_escape(name, sizeof(name), m->process, strlen(m->process));
	words_fit(process, sizeof(process), *name ? name : "-", PROCESS_WIDTH);
	if (m->from_ns >= row->origin_ns)
		words_ms(start, sizeof(start), m->from_ns - row->origin_ns);
	fprintf(out, "%s%10s %s%*s ", m->lossy ? style->dim : "", start, process,
		PROCESS_WIDTH - (int)words_width(process), "");
	message_print(out, m);
	fprintf(out, "%s\n", m->lossy ? style->off : "");
}

const struct listing_view messages_view = {
	.schema = "framescope.message/1",
	.columns = columns,
	.none = "No such message of a UI thread. They are seen by Looper::pollOnce() of Android's "
		"libutils.so.",
	.head = head,
	.row = print,
};
