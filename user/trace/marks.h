/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The inside of the marks: what marks.c (slices and calls) and marks_ui.c (frames) share. */
#ifndef TRACE_MARKS_H
#define TRACE_MARKS_H

#include "base/idmap.h"
#include "trace/intake_parts.h"
#include "trace/marks_slices.h"
#include "trace/marks_text.h"

#define MARKS_DEPTH_MAX 512 /* slices of a thread that are open; the outer half is given up */
#define MARKS_UIS_MAX 8 /* threads of a process that are in a doFrame() */
#define MARKS_LOSSES 256 /* CPUs that share an entry are treated alike */

/* A slice that has begun. */
struct marks_entry {
	uint64_t begin_ns;
	uint64_t key; /* of its name */
	enum slice slice;
};

/* What a doFrame() that has begun has done by now. Times in ns, 0 = not seen (yet). */
struct marks_ui {
	int64_t vsync_id; /* 0 = not said */
	uint64_t start_ns; /* 0: there is none */
	uint64_t input_ns;
	uint64_t animation_ns;
	uint64_t traversals_ns;
	uint64_t draw_ns; /* of the window that was drawn last, like the next */
	uint64_t queued_ns;
};

/* Threads of a process that are in a doFrame(). */
struct marks_process {
	uint32_t tgid;
	unsigned nr; /* never 0 */
	struct intake_thread *uis[MARKS_UIS_MAX];
};

/* All marks of a trace. */
struct marks {
	struct idmap processes; /* tgid -> struct marks_process */
	uint32_t points; /* whose POINT went out: 1u << enum slice */
	uint64_t losses; /* of events, on any CPU */
	uint64_t losses_on[MARKS_LOSSES]; /* by CPU */
};

struct marks_thread {
	struct marks *all;
	struct marks_entry *stack;
	unsigned nr, room;
	unsigned calls; /* entries that are calls */
	uint32_t open; /* kinds of the entries, but SLICE_OTHER: 1u << enum slice */
	unsigned open_nr[SLICE_NR];

	uint64_t surface; /* that it dequeued from last; 0 = none had a name */
	bool surfaces; /* it was more than one */
	bool gap; /* marks of it may have been lost before what comes next */

	struct marks_ui ui;
	struct marks_process *process; /* that it is a UI thread in; NULL: none */

	int64_t draw_id; /* of the frame that it draws; 0 = not said */
	bool told; /* the FrameInfo of that went out */

	uint64_t losses, losses_here; /* when its last mark came, like the next */
	uint32_t cpu;
	uint32_t off_seq;
};

/* The id of the call's function in records. */
static inline uint32_t marks_point(enum slice slice)
{
	return (uint32_t)slice;
}

/* marks_ui.c: a slice begins that is not on the stack yet. 0 or -ENOMEM. */
int marks_ui_begin(const struct intake_at *at, struct intake_thread *t, enum slice slice,
		   const struct mark *m);

/* One has ended, or is given up; it is not on the stack any more. */
void marks_ui_end(struct intake_thread *t, enum slice slice);

/*
 * The thread draws a frame: what its UI thread has said of it goes out, if that is known and has
 * not yet. 0 or -ENOMEM.
 */
int marks_ui_tell(struct intake *in, const struct intake_at *at, struct intake_thread *t);

#endif
