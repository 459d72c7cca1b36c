/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Why threads did not run, as machines read it, and as a table, 100 columns wide, times in ms. */
#include "output/blocks.h"

#include <stdio.h>
#include <string.h>

#include "output/fences.h"
#include "output/words.h"
#include "stream/record.h"

#define THREAD_WIDTH 22
#define CAUSE_WIDTH 8
#define WAKER_WIDTH 22

static bool was_preempted(const struct block *b)
{
	return b->why.cause == BUDGET_RUNNABLE;
}

/* Without a waking that was seen, all of it counts as blocked. */
static bool was_woken(const struct block *b)
{
	return !was_preempted(b) && b->wake_ns < b->in_ns;
}

uint64_t block_end_ns(const struct block *b)
{
	return was_preempted(b) ? b->out_ns : b->wake_ns;
}

enum number_arg {
	NUMBER_PID,
	NUMBER_TID,
	NUMBER_OUT,
	NUMBER_WAKE,
	NUMBER_IN,
	NUMBER_BLOCKED,
	NUMBER_RUNNABLE,
	NUMBER_FD,
	NUMBER_WAKER_PID,
	NUMBER_WAKER_TID,
	NUMBER_TAKER_PID,
	NUMBER_TAKER_TID,
	NUMBER_TIMED_OUT,
	NUMBER_FENCE_CONTEXT,
	NUMBER_FENCE_SEQNO,
};

static bool number_of(const struct block *b, enum number_arg arg, uint64_t *n)
{
	const struct blocker *why = &b->why;

	switch (arg) {
	case NUMBER_PID:
		*n = b->pid;
		return b->pid != 0;
	case NUMBER_TID:
		*n = b->tid;
		return true;
	case NUMBER_OUT:
		*n = b->out_ns;
		return true;
	case NUMBER_WAKE:
		*n = b->wake_ns;
		return was_woken(b);
	case NUMBER_IN:
		*n = b->in_ns;
		return true;
	case NUMBER_BLOCKED:
		*n = block_end_ns(b) - b->out_ns;
		return true;
	case NUMBER_RUNNABLE:
		*n = b->in_ns - block_end_ns(b);
		return was_woken(b) || was_preempted(b);
	case NUMBER_FD:
		*n = (uint64_t)why->fd;
		return why->fd >= 0;
	case NUMBER_WAKER_PID:
		*n = why->peer_tgid;
		return why->peer_tgid && !was_preempted(b);
	case NUMBER_WAKER_TID:
		*n = why->peer_tid;
		return why->peer_tid && !was_preempted(b);
	case NUMBER_TAKER_PID:
		*n = why->peer_tgid;
		return why->peer_tgid && was_preempted(b);
	case NUMBER_TAKER_TID:
		*n = why->peer_tid;
		return why->peer_tid && was_preempted(b);
	case NUMBER_TIMED_OUT:
		*n = why->timed_out;
		return why->timed_out;
	case NUMBER_FENCE_CONTEXT:
		*n = b->fence.context;
		return b->has_fence;
	case NUMBER_FENCE_SEQNO:
		*n = b->fence.seqno;
		return b->has_fence;
	}
	return false;
}

static void get_number(const void *of, unsigned arg, struct cell *c)
{
	const struct block_row *row = of;
	uint64_t n;

	if (number_of(row->block, (enum number_arg)arg, &n))
		cell_set_number(c, n);
}

enum text_arg {
	TEXT_COMM,
	TEXT_CAUSE,
	TEXT_CONFIDENCE,
	TEXT_CALL,
	TEXT_FILE,
	TEXT_WAKER,
	TEXT_TAKER,
	TEXT_CONTEXT,
};

/* A word for what is known of the block; NULL: nothing. */
static const char *word_of(const struct block *b, enum text_arg arg)
{
	const struct blocker *why = &b->why;

	switch (arg) {
	case TEXT_CAUSE:
		return budget_part_name(why->cause);
	case TEXT_CONFIDENCE:
		return confidence_name(why->confidence);
	case TEXT_CALL:
		return why->call == FS_CALL_UNKNOWN ? NULL : record_call_name(why->call);
	case TEXT_FILE:
		return why->file == FS_FILE_NONE || why->file == FS_FILE_UNKNOWN
			       ? NULL
			       : record_file_name(why->file);
	case TEXT_CONTEXT:
		return why->context == FS_CTX_UNKNOWN ? NULL : record_context_name(why->context);
	default:
		return NULL;
	}
}

static void get_text(const void *of, unsigned arg, struct cell *c)
{
	const struct block *b = ((const struct block_row *)of)->block;
	const char *word;

	switch ((enum text_arg)arg) {
	case TEXT_COMM:
		cell_set_name(c, b->comm, FS_COMM_LEN);
		return;
	case TEXT_WAKER:
	case TEXT_TAKER:
		if (was_preempted(b) == (arg == TEXT_TAKER))
			cell_set_name(c, b->why.peer_comm, FS_COMM_LEN);
		return;
	default:
		word = word_of(b, (enum text_arg)arg);
		if (word)
			cell_set_word(c, word);
	}
}

/* The names are there for the fence only. */
static void get_name(const void *of, unsigned arg, struct cell *c)
{
	const struct block_row *row = of;

	if (row->block->has_fence)
		fences_get_name(&(struct fences_row){ .name = row->name }, arg, c);
}

static const struct listing_column columns[] = {
	{ "pid", get_number, NUMBER_PID },
	{ "tid", get_number, NUMBER_TID },
	{ "comm", get_text, TEXT_COMM },
	{ "out_ns", get_number, NUMBER_OUT },
	{ "wake_ns", get_number, NUMBER_WAKE },
	{ "in_ns", get_number, NUMBER_IN },
	{ "blocked_ns", get_number, NUMBER_BLOCKED },
	{ "runnable_ns", get_number, NUMBER_RUNNABLE },
	{ "cause", get_text, TEXT_CAUSE },
	{ "confidence", get_text, TEXT_CONFIDENCE },
	{ "call", get_text, TEXT_CALL },
	{ "file", get_text, TEXT_FILE },
	{ "fd", get_number, NUMBER_FD },
	{ "waker_pid", get_number, NUMBER_WAKER_PID },
	{ "waker_tid", get_number, NUMBER_WAKER_TID },
	{ "waker_comm", get_text, TEXT_WAKER },
	{ "waker_context", get_text, TEXT_CONTEXT },
	{ "taker_pid", get_number, NUMBER_TAKER_PID },
	{ "taker_tid", get_number, NUMBER_TAKER_TID },
	{ "taker_comm", get_text, TEXT_TAKER },
	{ "timed_out", get_number, NUMBER_TIMED_OUT },
	{ "fence_context", get_number, NUMBER_FENCE_CONTEXT },
	{ "fence_seqno", get_number, NUMBER_FENCE_SEQNO },
	{ "driver", get_name, FENCES_DRIVER },
	{ "timeline", get_name, FENCES_TIMELINE },
	{ NULL, NULL, 0 },
};

static void head(FILE *out, const struct style *style)
{
	fprintf(out, "%s%10s %-*s %10s %11s %-*s %s%s\n", style->bold, "out ms", THREAD_WIDTH,
		"thread", "blocked ms", "runnable ms", CAUSE_WIDTH, "cause", "woken by",
		style->off);
}

static void print(FILE *out, const struct style *style, const void *of)
{
	const struct block_row *row = of;
	const struct block *b = row->block;
	char start[32] = "-", blocked[32], runnable[32] = "-";
	char thread[WORDS_LEN], by[WORDS_LEN];
	uint64_t ns;

	(void)style;
	if (b->out_ns >= row->origin_ns)
		words_ms(start, sizeof(start), b->out_ns - row->origin_ns);
	words_ms(blocked, sizeof(blocked), block_end_ns(b) - b->out_ns);
	if (number_of(b, NUMBER_RUNNABLE, &ns))
		words_ms(runnable, sizeof(runnable), ns);
	fences_thread(thread, sizeof(thread), b->comm, b->tid, THREAD_WIDTH);
	words_waker(by, sizeof(by), &b->why, WAKER_WIDTH);
	fprintf(out, "%10s %s%*s %10s %11s %-*s %s\n", start, thread,
		THREAD_WIDTH - (int)words_width(thread), "", blocked, runnable, CAUSE_WIDTH,
		budget_part_name(b->why.cause), fences_dash(by));
}

const struct listing_view blocks_view = {
	.schema = "framescope.block/1",
	.columns = columns,
	.none = "No thread that makes frames was blocked.",
	.head = head,
	.row = print,
};
