/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* One row per fence: when it was made, submitted and signalled, and by whom. */
#include <inttypes.h>
#include <stdio.h>

#include "output/fences.h"
#include "stream/record.h"

#define NAME_WIDTH 28
#define FENCE_WIDTH 16
#define SIGNALLER_WIDTH 18

static const char *end_name(const struct fences_row *row)
{
	static const char *const names[] = {
		[FENCE_END_SIGNALED] = "signaled",
		[FENCE_END_TOLD] = "told",
		[FENCE_END_DESTROYED] = "destroyed",
		[FENCE_END_GIVEN_UP] = "given_up",
	};

	return row->ended ? names[row->how] : "pending";
}

static bool signaled(const struct fences_row *row)
{
	return row->ended && row->how == FENCE_END_SIGNALED;
}

static bool latency(const struct fences_row *row, uint64_t *ns)
{
	const struct fence *f = row->fence;
	uint64_t submitted;

	if (!signaled(row) || !fence_submitted(f, &submitted) || f->signal_ns < submitted)
		return false;
	*ns = f->signal_ns - submitted;
	return true;
}

enum number_arg {
	NUMBER_CONTEXT,
	NUMBER_SEQNO,
	NUMBER_SUBMITTED,
	NUMBER_INIT,
	NUMBER_EMIT,
	NUMBER_RUN,
	NUMBER_SIGNAL,
	NUMBER_HARDWARE,
	NUMBER_LATENCY,
	NUMBER_ERROR,
	NUMBER_SIGNALLER,
	NUMBER_SUBMITTER,
};

static bool number_of(const struct fences_row *row, enum number_arg arg, uint64_t *n)
{
	const struct fence *f = row->fence;

	switch (arg) {
	case NUMBER_CONTEXT:
		*n = f->id.context;
		return true;
	case NUMBER_SEQNO:
		*n = f->id.seqno;
		return true;
	case NUMBER_SUBMITTED:
		return fence_submitted(f, n);
	case NUMBER_INIT:
		*n = f->init_ns;
		return f->has_init;
	case NUMBER_EMIT:
		*n = f->emit_ns;
		return f->has_emit;
	case NUMBER_RUN:
		*n = f->run_ns;
		return f->has_run;
	case NUMBER_SIGNAL:
		*n = f->signal_ns;
		return signaled(row);
	case NUMBER_HARDWARE:
		*n = f->hardware_ns;
		return signaled(row) && f->has_hardware;
	case NUMBER_LATENCY:
		return latency(row, n);
	case NUMBER_ERROR:
		*n = f->error;
		return f->error != 0;
	case NUMBER_SIGNALLER:
		*n = f->signaller_tid;
		return f->signaller_tid != 0;
	case NUMBER_SUBMITTER:
		*n = f->init_tid;
		return f->has_init && f->init_tid;
	}
	return false;
}

static void get_number(const void *of, unsigned arg, struct cell *c)
{
	uint64_t n;

	if (number_of(of, (enum number_arg)arg, &n))
		cell_set_number(c, n);
}

enum text_arg { TEXT_END, TEXT_SIGNAL_CONTEXT, TEXT_SIGNALLER, TEXT_SUBMITTER };

static void get_text(const void *of, unsigned arg, struct cell *c)
{
	const struct fences_row *row = of;
	const struct fence *f = row->fence;

	switch ((enum text_arg)arg) {
	case TEXT_END:
		cell_set_word(c, end_name(row));
		break;
	case TEXT_SIGNAL_CONTEXT:
		if (f->signal_context != FS_CTX_UNKNOWN)
			cell_set_word(c, record_context_name(f->signal_context));
		break;
	case TEXT_SIGNALLER:
		if (f->signaller_tid)
			cell_set_name(c, row->signaller, FS_COMM_LEN);
		break;
	case TEXT_SUBMITTER:
		cell_set_name(c, f->submitter, FS_COMM_LEN);
		break;
	}
}

static const struct listing_column columns[] = {
	{ "driver", fences_get_name, FENCES_DRIVER },
	{ "timeline", fences_get_name, FENCES_TIMELINE },
	{ "context", get_number, NUMBER_CONTEXT },
	{ "seqno", get_number, NUMBER_SEQNO },
	{ "submitted_ns", get_number, NUMBER_SUBMITTED },
	{ "init_ns", get_number, NUMBER_INIT },
	{ "emit_ns", get_number, NUMBER_EMIT },
	{ "run_ns", get_number, NUMBER_RUN },
	{ "signal_ns", get_number, NUMBER_SIGNAL },
	{ "end", get_text, TEXT_END },
	{ "hardware_ns", get_number, NUMBER_HARDWARE },
	{ "latency_ns", get_number, NUMBER_LATENCY },
	{ "error", get_number, NUMBER_ERROR },
	{ "signal_context", get_text, TEXT_SIGNAL_CONTEXT },
	{ "signaller_tid", get_number, NUMBER_SIGNALLER },
	{ "signaller_comm", get_text, TEXT_SIGNALLER },
	{ "submitter_tid", get_number, NUMBER_SUBMITTER },
	{ "submitter_comm", get_text, TEXT_SUBMITTER },
	{ NULL, NULL, 0 },
};

static void head(FILE *out, const struct style *style)
{
	fprintf(out, "%s%-*s %-*s %11s %-9s %9s %9s %s%s\n", style->bold, NAME_WIDTH, "timeline",
		FENCE_WIDTH, "fence", "submit ms", "end", "wait ms", "hw ms", "signaller",
		style->off);
}

static void number_ms(char *dst, size_t len, const struct fences_row *row, enum number_arg arg,
		      uint64_t origin_ns)
{
	uint64_t ns;

	if (number_of(row, arg, &ns) && ns >= origin_ns)
		words_ms(dst, len, ns - origin_ns);
	else
		snprintf(dst, len, "-");
}

static void signaller(char *dst, size_t len, const struct fences_row *row)
{
	const struct fence *f = row->fence;

	if (f->signaller_tid)
		fences_thread(dst, len, row->signaller, f->signaller_tid, SIGNALLER_WIDTH);
	else if (f->signal_context == FS_CTX_SOFTIRQ || f->signal_context == FS_CTX_HARDIRQ)
		snprintf(dst, len, "irq");
	else
		snprintf(dst, len, "-");
}

static void print(FILE *out, const struct style *style, const void *of)
{
	const struct fences_row *row = of;
	char name[WORDS_LEN + 64], fit[WORDS_LEN], fence[WORDS_LEN], by[WORDS_LEN];
	char submitted[32], wait[32], hardware[32];

	(void)style;
	fences_full_name(name, sizeof(name), row->name);
	words_fit(fit, sizeof(fit), fences_dash(name), NAME_WIDTH);
	fences_id(fence, sizeof(fence), row->fence->id, FENCE_WIDTH);
	number_ms(submitted, sizeof(submitted), row, NUMBER_SUBMITTED, row->origin_ns);
	number_ms(wait, sizeof(wait), row, NUMBER_LATENCY, 0);
	number_ms(hardware, sizeof(hardware), row, NUMBER_HARDWARE, 0);
	signaller(by, sizeof(by), row);
	fprintf(out, "%s%*s %-*s %11s %-9s %9s %9s %s\n", fit, NAME_WIDTH - (int)words_width(fit),
		"", FENCE_WIDTH, fence, submitted, end_name(row), wait, hardware, by);
}

const struct listing_view fences_lives = {
	.schema = "framescope.fence/1",
	.columns = columns,
	.none = "No fences.",
	.head = head,
	.row = print,
};
