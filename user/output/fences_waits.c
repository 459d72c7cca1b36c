/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* One row per wait of a thread for a fence. */
#include <inttypes.h>
#include <stdio.h>

#include "base/text.h"
#include "output/fences.h"
#include "stream/record.h"

#define THREAD_WIDTH 15
#define FENCE_WIDTH 14
#define SIGNALLER_WIDTH 14

/* The blocked part: until the waking, where that was seen. */
static bool blocked_ns(const struct fence_wait *w, uint64_t *ns)
{
	uint64_t end = w->wake_ns ? w->wake_ns : w->end_ns;

	if (!w->start_ns || end < w->start_ns)
		return false;
	*ns = end - w->start_ns;
	return true;
}

static bool has_signal(const struct fence_wait *w)
{
	return w->outcome == WAIT_SIGNALED && w->signal_ns;
}

static bool run_latency_ns(const struct fence_wait *w, uint64_t *ns)
{
	if (!has_signal(w) || w->end_ns < w->signal_ns)
		return false;
	*ns = w->end_ns - w->signal_ns;
	return true;
}

static void signaller(char *dst, size_t len, const struct fence_wait *w, unsigned width)
{
	*dst = '\0';
	if (w->outcome != WAIT_SIGNALED)
		return;
	if (w->context == FS_CTX_SOFTIRQ || w->context == FS_CTX_HARDIRQ)
		snprintf(dst, len, "irq");
	else if (w->signaller_tid)
		fences_thread(dst, len, w->signaller, w->signaller_tid, width);
}

enum number_arg {
	NUMBER_FRAME,
	NUMBER_PID,
	NUMBER_TID,
	NUMBER_FD,
	NUMBER_CONTEXT,
	NUMBER_SEQNO,
	NUMBER_START,
	NUMBER_END,
	NUMBER_WAIT,
	NUMBER_SIGNAL,
	NUMBER_LATENCY,
	NUMBER_ERROR,
};

static bool number_of(const struct fence_wait *w, enum number_arg arg, uint64_t *n)
{
	switch (arg) {
	case NUMBER_FRAME:
		*n = w->frame;
		return w->producer != 0;
	case NUMBER_PID:
		*n = w->pid;
		return w->pid != 0;
	case NUMBER_TID:
		*n = w->tid;
		return w->tid != 0;
	case NUMBER_FD:
		*n = (uint64_t)w->fd;
		return w->fd >= 0;
	case NUMBER_CONTEXT:
		*n = w->fence.context;
		return true;
	case NUMBER_SEQNO:
		*n = w->fence.seqno;
		return true;
	case NUMBER_START:
		*n = w->start_ns;
		return w->start_ns != 0;
	case NUMBER_END:
		*n = w->end_ns;
		return true;
	case NUMBER_WAIT:
		return blocked_ns(w, n);
	case NUMBER_SIGNAL:
		*n = w->signal_ns;
		return has_signal(w);
	case NUMBER_LATENCY:
		return run_latency_ns(w, n);
	case NUMBER_ERROR:
		*n = w->error;
		return w->error != 0;
	}
	return false;
}

static void get_number(const void *of, unsigned arg, struct cell *c)
{
	const struct fences_row *row = of;
	uint64_t n;

	if (number_of(row->wait, (enum number_arg)arg, &n))
		cell_set_number(c, n);
}

enum text_arg {
	TEXT_COMM,
	TEXT_ROLE,
	TEXT_OUTCOME,
	TEXT_SIGNALLER,
	TEXT_CONFIDENCE,
	TEXT_NAME,
};

static void get_text(const void *of, unsigned arg, struct cell *c)
{
	const struct fences_row *row = of;
	const struct fence_wait *w = row->wait;
	const char *role;

	switch ((enum text_arg)arg) {
	case TEXT_COMM:
		cell_set_name(c, w->comm, FS_COMM_LEN);
		return;
	case TEXT_NAME:
		cell_set_name(c, w->name, FS_TEXT_LEN);
		return;
	case TEXT_ROLE:
		role = record_ref_role_name(w->role);
		if (role)
			cell_set_word(c, role);
		return;
	case TEXT_OUTCOME:
		cell_set_word(c, wait_outcome_name(w->outcome));
		return;
	case TEXT_SIGNALLER:
		signaller(c->text, sizeof(c->text), w, WORDS_NO_LIMIT);
		cell_set_text(c);
		return;
	case TEXT_CONFIDENCE:
		cell_set_word(c, confidence_name(w->confidence));
		return;
	}
}

static const struct listing_column columns[] = {
	{ "frame", get_number, NUMBER_FRAME },
	{ "pid", get_number, NUMBER_PID },
	{ "tid", get_number, NUMBER_TID },
	{ "comm", get_text, TEXT_COMM },
	{ "fd", get_number, NUMBER_FD },
	{ "role", get_text, TEXT_ROLE },
	{ "context", get_number, NUMBER_CONTEXT },
	{ "seqno", get_number, NUMBER_SEQNO },
	{ "driver", fences_get_name, FENCES_DRIVER },
	{ "timeline", fences_get_name, FENCES_TIMELINE },
	{ "start_ns", get_number, NUMBER_START },
	{ "end_ns", get_number, NUMBER_END },
	{ "wait_ns", get_number, NUMBER_WAIT },
	{ "outcome", get_text, TEXT_OUTCOME },
	{ "signal_ns", get_number, NUMBER_SIGNAL },
	{ "signaller", get_text, TEXT_SIGNALLER },
	{ "run_latency_ns", get_number, NUMBER_LATENCY },
	{ "confidence", get_text, TEXT_CONFIDENCE },
	{ "name", get_text, TEXT_NAME },
	{ "error", get_number, NUMBER_ERROR },
	{ NULL, NULL, 0 },
};

static void head(FILE *out, const struct style *style)
{
	fprintf(out, "%s%9s %5s %-*s %3s %-*s %8s %-8s %-*s %7s %s%s\n", style->bold, "start ms",
		"frame", THREAD_WIDTH, "thread", "fd", FENCE_WIDTH, "fence", "wait ms", "outcome",
		SIGNALLER_WIDTH, "signaller", "run ms", "sure", style->off);
}

static void number_text(char *dst, size_t len, const struct fence_wait *w, enum number_arg arg)
{
	uint64_t n;

	if (number_of(w, arg, &n))
		snprintf(dst, len, "%" PRIu64, n);
	else
		snprintf(dst, len, "-");
}

static void print(FILE *out, const struct style *style, const void *of)
{
	const struct fences_row *row = of;
	const struct fence_wait *w = row->wait;
	char start[32] = "-", frame[32], thread[WORDS_LEN], fd[32], fence[WORDS_LEN];
	char wait[32] = "-", by[WORDS_LEN], run[32] = "-";
	uint64_t ns;

	(void)style;
	if (w->start_ns && w->start_ns >= row->origin_ns)
		words_ms(start, sizeof(start), w->start_ns - row->origin_ns);
	number_text(frame, sizeof(frame), w, NUMBER_FRAME);
	number_text(fd, sizeof(fd), w, NUMBER_FD);
	fences_thread(thread, sizeof(thread), w->comm, w->tid, THREAD_WIDTH);
	fences_id(fence, sizeof(fence), w->fence, FENCE_WIDTH);
	if (blocked_ns(w, &ns))
		words_ms(wait, sizeof(wait), ns);
	signaller(by, sizeof(by), w, SIGNALLER_WIDTH);
	if (run_latency_ns(w, &ns))
		words_ms(run, sizeof(run), ns);
	fprintf(out, "%9s %5s %s%*s %3s %-*s %8s %-8s %s%*s %7s %s\n", start, frame, thread,
		THREAD_WIDTH - (int)words_width(thread), "", fd, FENCE_WIDTH, fence, wait,
		wait_outcome_name(w->outcome), fences_dash(by),
		SIGNALLER_WIDTH - (int)words_width(fences_dash(by)), "", run,
		confidence_name(w->confidence));
}

const struct listing_view fences_waits = {
	.schema = "framescope.wait/1",
	.columns = columns,
	.none = "No waits for fences.",
	.head = head,
	.row = print,
};
