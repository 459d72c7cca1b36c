/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A trace that is told event by event, and what the intake and the model make of it. */
#ifndef TESTS_TRACED_H
#define TESTS_TRACED_H

#include <stdlib.h>
#include <string.h>

#include "events.h"
#include "stream/merge.h"
#include "trace/intake.h"

#define TRACED_SPANS 512

/* A span, with its point's symbol. */
struct traced_span {
	struct fs_span rec;
	char symbol[32];
};

struct traced {
	struct source source;
	struct intake *in;
	struct world world; /* frames, once the trace has ended */
	struct traced_span spans[TRACED_SPANS];
	unsigned nr_spans, nr_infos, nr_lost_ends, nr_points, nr_markers;
	struct fs_frame_info info; /* the last one */
	struct fs_marker marker;
	struct intake_counts counts;
};

static inline void traced_open(struct traced *t)
{
	memset(t, 0, sizeof(*t));
	t->source.merge = merge_new();
	t->in = intake_new(&t->source);
	if (!t->source.merge || !t->in)
		abort();
	world_open(&t->world);
}

static inline void traced_mark(struct traced *t, uint64_t ns, uint32_t tid, const char *text)
{
	const struct intake_at at = { .ns = ns, .cpu = 0, .tid = tid, .context = FS_CTX_TASK };

	CU_ASSERT_EQUAL(intake_mark(t->in, &at, text, strlen(text)), 0);
}

/* prev leaves the CPU (0: it was idle) in that state, next takes it. */
static inline void traced_switch(struct traced *t, uint64_t ns, uint32_t cpu, uint32_t prev,
				 uint64_t prev_state, uint32_t next)
{
	const struct intake_at at = { .ns = ns, .cpu = cpu, .tid = prev, .context = FS_CTX_TASK };

	CU_ASSERT_EQUAL(intake_switch(t->in, &at, prev_state, next, "thread"), 0);
}

static inline void traced_note(struct traced *t, const struct fs_header *rec)
{
	static char symbols[64][32];
	const struct fs_point *point = (const struct fs_point *)rec;
	struct traced_span *span;

	switch (rec->kind) {
	case FS_KIND_POINT:
		t->nr_points++;
		if (point->id < 64)
			snprintf(symbols[point->id], 32, "%.31s", point->symbol);
		break;
	case FS_KIND_SPAN:
		if (t->nr_spans == TRACED_SPANS)
			break;
		span = &t->spans[t->nr_spans++];
		memcpy(&span->rec, rec, sizeof(span->rec));
		memcpy(span->symbol, symbols[span->rec.point & 63], 32);
		break;
	case FS_KIND_FRAME_INFO:
		memcpy(&t->info, rec, sizeof(t->info));
		t->nr_infos++;
		break;
	case FS_KIND_MARKER:
		memcpy(&t->marker, rec, sizeof(t->marker));
		t->nr_markers++;
		break;
	case FS_KIND_LOST:
		t->nr_lost_ends += ((const struct fs_lost *)rec)->where == FS_LOST_END;
		break;
	default:
		break;
	}
}

/* A buffer may have been dequeued before the doFrame() of its frame. */
static inline int traced_is_sound(struct frame f)
{
	if (f.hwui.kind != FRAME_PLAIN && f.dequeue_ns > f.end_ns - f.start_ns)
		f.dequeue_ns = 0;
	return frame_is_sound(&f) && budget_total(frame_way(&f)) == f.end_ns - f.start_ns;
}

/* What each producer had begun when the trace ended is no frame of the test's. */
static inline void traced_leave_rests(struct world *w, uint64_t end)
{
	size_t kept = 0;

	for (size_t i = 0; i < w->nr; i++)
		if (w->frames[i].status != FRAME_TRUNCATED || w->frames[i].end_ns != end)
			w->frames[kept++] = w->frames[i];
	w->nr = kept;
}

/* The trace ends: the model has all of it. */
static inline void traced_end(struct traced *t)
{
	const struct fs_header *rec;
	uint64_t end = 0;

	CU_ASSERT_EQUAL(intake_finish(t->in), 0);
	merge_round(t->source.merge, UINT64_MAX);
	while ((rec = merge_next(t->source.merge))) {
		traced_note(t, rec);
		end = rec->time_ns;
		CU_ASSERT_EQUAL(model_feed(t->world.model, rec), 0);
	}
	CU_ASSERT_EQUAL(model_finish(t->world.model), 0);
	t->counts = *intake_counts(t->in);
	for (size_t i = 0; i < t->world.nr; i++)
		CU_ASSERT_TRUE(traced_is_sound(t->world.frames[i]));
	traced_leave_rests(&t->world, end);
}

static inline void traced_close(struct traced *t)
{
	intake_free(t->in);
	merge_free(t->source.merge);
	world_close(&t->world);
}

#endif
