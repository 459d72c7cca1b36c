/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * From marks to calls. A slice's end says no name, only that the one which began last on its thread
 * is over. Where an end is missing every later one would end the wrong slice: what can't be inside
 * what is open shows it, and what was open is given up. Of its frame it is said that something was
 * lost.
 */
#include "trace/marks.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The first byte of a pointer may be a tag, and is masked. */
#define SURFACE_MASK UINT64_C(0x00ffffffffffffff)

static int get_marks(struct intake *in, struct marks **out)
{
	if (!in->marks)
		in->marks = calloc(1, sizeof(struct marks));
	*out = in->marks;
	return *out ? 0 : -ENOMEM;
}

static int get_thread(struct intake *in, struct intake_thread *t, struct marks_thread **out)
{
	struct marks *all;
	int err = get_marks(in, &all);

	if (!err && !t->marks) {
		t->marks = calloc(1, sizeof(struct marks_thread));
		if (!t->marks)
			return -ENOMEM;
		*(struct marks_thread *)t->marks =
			(struct marks_thread){ .all = all, .losses = all->losses };
	}
	*out = t->marks;
	return err;
}

static int emit_lost_end(struct intake *in, const struct intake_at *at,
			 const struct intake_thread *t)
{
	struct fs_lost rec = {
		.h = { .time_ns = at->ns,
		       .tid = t->tid,
		       .tgid = t->tgid,
		       .kind = FS_KIND_LOST,
		       .cpu = at->cpu },
		.count = 1,
		.where = FS_LOST_END,
	};

	return intake_emit(in, &rec.h);
}

/* Before the first call of its kind. */
static int emit_point(struct intake *in, const struct intake_at *at, enum slice slice)
{
	struct marks *all = in->marks;
	struct fs_point rec = {
		.h = { .time_ns = at->ns, .kind = FS_KIND_POINT, .cpu = at->cpu },
		.id = marks_point(slice),
		.role = slice_kind(slice)->role,
		.lib = FS_LIB_MARKER,
	};

	if (all->points & 1u << slice)
		return 0;
	all->points |= 1u << slice;
	strncpy(rec.symbol, slice_kind(slice)->symbol, sizeof(rec.symbol) - 1);
	return intake_emit(in, &rec.h);
}

/* What its surface is called: by the name that it dequeued from, or of all of the thread alike. */
static uint64_t surface_of(const struct intake_thread *t)
{
	const struct marks_thread *mt = t->marks;

	return mt->surface ? mt->surface : t->tid;
}

static int emit_call(struct intake *in, const struct intake_at *at, struct intake_thread *t,
		     const struct marks_entry *e, uint32_t flags)
{
	struct marks_thread *mt = t->marks;
	enum fs_role role = slice_kind(e->slice)->role;
	struct fs_span rec = {
		.h = { .time_ns = at->ns,
		       .tid = t->tid,
		       .tgid = t->tgid,
		       .kind = FS_KIND_SPAN,
		       .cpu = at->cpu },
		.entry_ns = e->begin_ns,
		.point = marks_point(e->slice),
		.flags = flags,
		.depth = mt->calls,
		.off_seq = t->off_seq,
	};

	t->span_seq += mt->gap ? 2 : 1;
	mt->gap = false;
	rec.seq = t->span_seq;
	if (role == FS_ROLE_DEQUEUE || role == FS_ROLE_QUEUE || role == FS_ROLE_PRESENT)
		rec.args[0] = surface_of(t);
	else if (role == FS_ROLE_SWAP)
		rec.args[1] = surface_of(t);
	else if (role == FS_ROLE_FENCE_WAIT)
		rec.args[0] = UINT64_MAX; /* no descriptor is known */
	return intake_emit(in, &rec.h);
}

static bool is_call(const struct marks_entry *e)
{
	return slice_kind(e->slice)->symbol;
}

/* The entry at the place is no longer open. */
static void count_out(struct marks_thread *mt, const struct marks_entry *e)
{
	mt->calls -= is_call(e);
	if (e->slice != SLICE_OTHER && !--mt->open_nr[e->slice])
		mt->open &= ~(1u << e->slice);
}

static struct marks_entry pop(struct intake_thread *t)
{
	struct marks_thread *mt = t->marks;
	struct marks_entry e = mt->stack[--mt->nr];

	count_out(mt, &e);
	marks_ui_end(t, e.slice);
	return e;
}

/* What is open from that place on has ended unseen. */
static int give_up(struct intake *in, const struct intake_at *at, struct intake_thread *t,
		   unsigned place)
{
	struct marks_thread *mt = t->marks;
	unsigned calls = mt->calls;

	while (mt->nr > place)
		pop(t);
	return calls == mt->calls ? 0 : emit_lost_end(in, at, t);
}

/* The outer half of what is open. */
static int give_up_outer(struct intake *in, const struct intake_at *at, struct intake_thread *t)
{
	struct marks_thread *mt = t->marks;
	unsigned half = mt->nr / 2, calls = mt->calls;

	for (unsigned i = 0; i < half; i++) {
		count_out(mt, &mt->stack[i]);
		marks_ui_end(t, mt->stack[i].slice);
	}
	mt->nr -= half;
	memmove(mt->stack, mt->stack + half, mt->nr * sizeof(*mt->stack));
	return calls == mt->calls ? 0 : emit_lost_end(in, at, t);
}

static int push(struct intake *in, const struct intake_at *at, struct intake_thread *t,
		const struct marks_entry *e)
{
	struct marks_thread *mt = t->marks;
	int err = 0;

	if (mt->nr == MARKS_DEPTH_MAX)
		err = give_up_outer(in, at, t);
	if (mt->nr == mt->room) {
		unsigned room = mt->room ? mt->room * 2 : 8;
		struct marks_entry *stack = realloc(mt->stack, room * sizeof(*stack));

		if (!stack)
			return -ENOMEM;
		mt->stack = stack;
		mt->room = room;
	}
	mt->stack[mt->nr++] = *e;
	mt->calls += is_call(e);
	if (e->slice != SLICE_OTHER && !mt->open_nr[e->slice]++)
		mt->open |= 1u << e->slice;
	return err;
}

/* Where what can't be around the slice begins, or else the top. */
static unsigned first_ended(const struct marks_thread *mt, const struct marks_entry *e)
{
	uint32_t never = slice_kind(e->slice)->never_in;
	/* One function that swaps calls another, but not itself. */
	bool swaps = e->slice == SLICE_SWAP || e->slice == SLICE_PRESENT;
	unsigned i = 0;

	if (!(mt->open & never) && !(swaps && mt->open & 1u << e->slice))
		return mt->nr;
	while (i < mt->nr && !(never & 1u << mt->stack[i].slice) &&
	       !(swaps && mt->stack[i].key == e->key))
		i++;
	return i;
}

/* A thread that serves other processes: the buffers that it moves are theirs, as they mark, too. */
static bool serves(const struct intake_thread *t)
{
	return !strncmp(t->comm, "Binder:", 7) || !strncmp(t->comm, "HwBinder:", 9) ||
	       !strncmp(t->comm, "Binder_", 7);
}

static void take_surface(struct marks_thread *mt, const struct mark *m)
{
	size_t len;
	const char *name = slice_surface(m->name, m->name_len, &len);
	uint64_t id;

	if (!name)
		return;
	id = mark_hash(name, len) & SURFACE_MASK;
	mt->surfaces |= mt->surface && mt->surface != id;
	mt->surface = id;
}

static int begin_slice(struct intake *in, const struct intake_at *at, struct intake_thread *t,
		       const struct mark *m)
{
	struct marks_thread *mt = t->marks;
	enum slice slice = slice_of(m->name, m->name_len);
	int err;

	if ((slice == SLICE_DEQUEUE || slice == SLICE_QUEUE) && serves(t))
		slice = SLICE_OTHER;

	const struct marks_entry e = {
		.begin_ns = at->ns,
		.key = mark_key(m->name, m->name_len),
		.slice = slice,
	};

	err = give_up(in, at, t, first_ended(mt, &e));
	if (!err && is_call(&e)) {
		in->counts.frame_marks++;
		err = emit_point(in, at, slice);
	}
	if (!err)
		err = marks_ui_begin(at, t, slice, m);
	if (!err)
		err = push(in, at, t, &e);
	if (err)
		return err;
	if (slice == SLICE_DEQUEUE)
		take_surface(mt, m);
	if (slice == SLICE_DRAW_FRAME) {
		mt->draw_id = slice_vsync_id(slice, m->name, m->name_len);
		mt->told = false;
	}
	return slice == SLICE_DRAW_FRAME || slice == SLICE_SYNC ? marks_ui_tell(in, at, t) : 0;
}

/* The place of what the end names, or ends without a name; mt->nr: of nothing. */
static unsigned named_by(const struct marks_thread *mt, const struct mark *m)
{
	uint64_t key = m->name_len ? mark_key(m->name, m->name_len) : 0;

	for (unsigned i = mt->nr; i > 0; i--) {
		if (!key || mt->stack[i - 1].key == key)
			return i - 1;
	}
	return mt->nr;
}

static int end_slice(struct intake *in, const struct intake_at *at, struct intake_thread *t,
		     const struct mark *m)
{
	struct marks_thread *mt = t->marks;
	unsigned place = named_by(mt, m);
	struct marks_entry e;
	int err;

	if (place == mt->nr) {
		in->counts.unmatched_ends++;
		return 0;
	}
	err = give_up(in, at, t, place + 1);
	if (err)
		return err;
	e = pop(t);
	return is_call(&e) ? emit_call(in, at, t, &e, 0) : 0;
}

/* The only markers that say something of a frame beyond the calls and FrameInfos made of others. */
static int emit_skipped(struct intake *in, const struct intake_at *at,
			const struct intake_thread *t, const struct mark *m)
{
	static const char skipped[] = "Frame skipped: ";
	struct fs_marker rec = {
		.h = { .time_ns = at->ns,
		       .tid = t->tid,
		       .tgid = t->tgid,
		       .kind = FS_KIND_MARKER,
		       .cpu = at->cpu },
		.phase = 'I',
	};
	size_t len = m->name_len < sizeof(rec.text) ? m->name_len : sizeof(rec.text) - 1;

	if (len < sizeof(skipped) - 1 || memcmp(m->name, skipped, sizeof(skipped) - 1) != 0)
		return 0;
	memcpy(rec.text, m->name, len);
	return intake_emit(in, &rec.h);
}

/*
 * Marks of the thread may have been lost since its last one: all but those of a thread that has
 * stayed on a CPU of which nothing was lost.
 */
static int note_losses(struct intake *in, const struct intake_at *at, struct intake_thread *t)
{
	struct marks_thread *mt = t->marks;
	const struct marks *all = mt->all;
	uint64_t here = all->losses_on[at->cpu % MARKS_LOSSES];
	bool stayed = in->counts.switches && at->cpu != FS_CPU_NONE && mt->cpu == at->cpu &&
		      mt->off_seq == t->off_seq && mt->losses_here == here;
	int err = 0;

	if (mt->losses != all->losses && !stayed) {
		mt->gap = true;
		err = give_up(in, at, t, 0);
	}
	mt->losses = all->losses;
	mt->losses_here = here;
	mt->cpu = at->cpu;
	mt->off_seq = t->off_seq;
	return err;
}

/* Is it the number of a process, as far as that can be told? Other namespaces have others. */
static bool is_process(struct intake *in, uint32_t pid)
{
	const struct intake_thread *main = intake_thread_get(in, pid);

	return !main || !main->tgid || main->tgid == pid;
}

int marks_feed(struct intake *in, const struct intake_at *at, const char *text, size_t len)
{
	struct intake_thread *t = intake_thread_get(in, at->tid);
	struct marks_thread *mt;
	struct mark m;
	int err;

	if (!mark_parse(text, len, &m))
		return 0;
	in->counts.marks++;
	if (!t || (m.phase != 'B' && m.phase != 'E' && m.phase != 'I'))
		return 0;
	err = get_thread(in, t, &mt);
	if (!err)
		err = note_losses(in, at, t);
	if (err)
		return err;
	switch (m.phase) {
	case 'B':
		if (!t->tgid && is_process(in, m.pid))
			intake_thread_tgid(t, m.pid);
		return begin_slice(in, at, t, &m);
	case 'E':
		return end_slice(in, at, t, &m);
	default:
		return emit_skipped(in, at, t, &m);
	}
}

int marks_lost(struct intake *in, uint32_t cpu)
{
	struct marks *all;
	int err = get_marks(in, &all);

	if (err)
		return err;
	all->losses++;
	if (cpu != FS_CPU_NONE)
		all->losses_on[cpu % MARKS_LOSSES]++;
	else
		for (unsigned i = 0; i < MARKS_LOSSES; i++)
			all->losses_on[i]++;
	return 0;
}

/* Inner ones first, as they would have ended. */
static int finish_thread(struct intake *in, struct intake_thread *t)
{
	const struct intake_at at = { .ns = in->last_ns, .cpu = FS_CPU_NONE };
	struct marks_thread *mt = t->marks;
	int err = 0;

	while (!err && mt && mt->nr) {
		struct marks_entry e = pop(t);

		if (is_call(&e))
			err = emit_call(in, &at, t, &e, FS_OPEN);
	}
	return err;
}

int marks_finish(struct intake *in)
{
	int err = 0;

	for (size_t i = 0; !err && i < in->threads.room; i++) {
		if (in->threads.slots[i].id)
			err = finish_thread(in, in->threads.slots[i].value);
	}
	return err;
}

void marks_free_thread(struct intake_thread *t)
{
	struct marks_thread *mt = t->marks;

	if (!mt)
		return;
	marks_ui_end(t, SLICE_DO_FRAME);
	free(mt->stack);
	free(mt);
	t->marks = NULL;
}

void marks_free(struct intake *in)
{
	struct marks *all = in->marks;

	if (!all)
		return;
	idmap_free(&all->processes);
	free(all);
	in->marks = NULL;
}
