// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The intake's life, its threads, and what goes through it as it is. */
#include "trace/intake.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "stream/merge.h"
#include "stream/record.h"
#include "trace/intake_parts.h"

#define META_TEXT_MAX (FS_RECORD_MAX - sizeof(struct fs_meta))

struct intake *intake_new(struct source *s)
{
	struct intake *in = calloc(1, sizeof(*in));

	if (!in)
		return NULL;
	in->s = s;
	in->running = calloc(INTAKE_CPUS, sizeof(*in->running));
	if (!in->running) {
		free(in);
		return NULL;
	}
	return in;
}

void intake_free(struct intake *in)
{
	if (!in)
		return;
	for (size_t i = 0; i < in->threads.room; i++) {
		if (!in->threads.slots[i].id)
			continue;
		marks_free_thread(in->threads.slots[i].value);
		free(in->threads.slots[i].value);
	}
	idmap_free(&in->threads);
	intake_names_free(in);
	marks_free(in);
	free(in->running);
	free(in->meta);
	free(in);
}

const struct intake_counts *intake_counts(const struct intake *in)
{
	return &in->counts;
}

void intake_warn(const struct intake *in)
{
	if (in->counts.unmatched_ends)
		log_debug("%s: %llu ends of slices have no begin, and were left out", in->s->path,
			  (unsigned long long)in->counts.unmatched_ends);
}

/* The record has its size. */
static int emit_sized(struct intake *in, const struct fs_header *rec)
{
	void *room = merge_reserve(in->s->merge, rec->size);

	if (!room)
		return -ENOMEM;
	memcpy(room, rec, rec->size);
	return merge_add(in->s->merge, room);
}

int intake_emit(struct intake *in, struct fs_header *rec)
{
	rec->size = (uint16_t)record_full_size(rec->kind);
	return emit_sized(in, rec);
}

/* A text that is too long is cut: no reader of ours makes one. */
int intake_meta(struct intake *in, const char *json)
{
	size_t len = strnlen(json, META_TEXT_MAX);
	size_t size = sizeof(struct fs_meta) + ((len + 7) & ~(size_t)7);

	free(in->meta);
	in->meta = calloc(1, size);
	if (!in->meta)
		return -ENOMEM;
	in->meta->h.kind = FS_KIND_META;
	in->meta->h.size = (uint16_t)size;
	memcpy(in->meta->text, json, len);
	return 0;
}

static int emit_meta(struct intake *in, uint64_t ns, uint32_t cpu)
{
	int err;

	if (!in->meta)
		return 0;
	in->meta->h.time_ns = ns;
	in->meta->h.cpu = cpu;
	err = emit_sized(in, &in->meta->h);
	free(in->meta);
	in->meta = NULL;
	return err;
}

static int emit_clock(struct intake *in, uint64_t ns, uint32_t cpu, unsigned mark)
{
	struct fs_clock rec = {
		.h = { .time_ns = ns, .kind = FS_KIND_CLOCK, .cpu = cpu },
		.mark = mark,
	};

	return intake_emit(in, &rec.h);
}

/* The CPU is that of the event, so that of the same time they come first. */
int intake_begin(struct intake *in, uint64_t ns, uint32_t cpu)
{
	int err;

	if (ns > in->last_ns)
		in->last_ns = ns;
	if (in->begun)
		return 0;
	in->begun = true;
	in->first_ns = ns;
	err = emit_meta(in, ns, cpu);
	return err ? err : emit_clock(in, ns, cpu, FS_CLOCK_START);
}

struct intake_thread *intake_thread_get(struct intake *in, uint32_t tid)
{
	return idmap_get(&in->threads, tid);
}

void intake_thread_drop(struct intake *in, struct intake_thread *t)
{
	idmap_remove(&in->threads, t->tid);
	marks_free_thread(t);
	free(t);
}

int intake_emit_task(struct intake *in, const struct intake_at *at, const struct intake_thread *t,
		     unsigned op, uint32_t parent)
{
	bool last = op == FS_TASK_EXIT || op == FS_TASK_LAST;
	struct fs_task rec = {
		.h = { .time_ns = at->ns,
		       .tid = t->tid,
		       .tgid = t->tgid,
		       .kind = FS_KIND_TASK,
		       .cpu = at->cpu },
		.op = op,
		.parent = parent,
		.off_seq = last ? t->off_seq : 0,
		.span_seq = last ? t->span_seq : 0,
	};

	if (op != FS_TASK_LAST)
		memcpy(rec.comm, t->comm, sizeof(rec.comm));
	return intake_emit(in, &rec.h);
}

static int thread_new(struct intake *in, uint32_t tid, struct intake_thread **out)
{
	struct intake_thread *t;

	*out = NULL;
	if (in->threads.nr >= INTAKE_THREADS_MAX)
		return 0;
	t = calloc(1, sizeof(*t));
	if (!t)
		return -ENOMEM;
	t->tid = tid;
	if (idmap_put(&in->threads, tid, t)) {
		free(t);
		return -ENOMEM;
	}
	*out = t;
	return 0;
}

/* Names are short, and each switch has two: a call costs more than what it would compare. */
static bool same_name(const struct intake_thread *t, const char *comm)
{
	for (unsigned i = 0; i < FS_COMM_LEN - 1; i++) {
		if (t->comm[i] != comm[i])
			return false;
		if (!comm[i])
			return true;
	}
	return true;
}

/*
 * Take the name. Those in the heads of lines are from when the trace was read, or were put in by a
 * tool: where an event has told a name, they don't count.
 */
static bool take_name(struct intake_thread *t, const char *comm, bool sure)
{
	if (!comm || !*comm || (t->sure && !sure))
		return false;
	t->sure |= sure;
	if (same_name(t, comm))
		return false;
	memset(t->comm, 0, sizeof(t->comm));
	memcpy(t->comm, comm, strnlen(comm, FS_COMM_LEN - 1));
	return true;
}

int intake_thread_add(struct intake *in, uint32_t tid, uint32_t tgid, const char *comm,
		      struct intake_thread **out)
{
	int err = thread_new(in, tid, out);

	if (*out) {
		(*out)->tgid = tgid;
		take_name(*out, comm, true);
	}
	return err;
}

static int meet(struct intake *in, const struct intake_at *at, uint32_t tid, uint32_t tgid,
		const char *comm, bool sure, struct intake_thread **out)
{
	struct intake_thread *t = intake_thread_get(in, tid);
	bool named, renamed;
	int err;

	*out = NULL;
	if (!tid)
		return 0;
	/* Another process's: the id was reused, and the exit not shown. */
	if (t && tgid && t->tgid && t->tgid != tgid) {
		intake_thread_drop(in, t);
		t = NULL;
	}
	if (t) {
		intake_thread_tgid(t, tgid);
		named = t->comm[0];
		renamed = take_name(t, comm, sure);
		*out = t;
		return renamed ? intake_emit_task(in, at, t, named ? FS_TASK_RENAME : FS_TASK_SEEN,
						  0)
			       : 0;
	}
	err = intake_thread_add(in, tid, tgid, comm, &t);
	if (err || !t)
		return err;
	t->sure &= sure;
	*out = t;
	return intake_emit_task(in, at, t, FS_TASK_SEEN, 0);
}

int intake_meet(struct intake *in, const struct intake_at *at, struct intake_thread **t)
{
	return meet(in, at, at->tid, at->tgid, at->comm, false, t);
}

int intake_meet_named(struct intake *in, const struct intake_at *at, uint32_t tid, uint32_t tgid,
		      const char *comm, struct intake_thread **t)
{
	return meet(in, at, tid, tgid, comm, true, t);
}

static int add_thread(struct intake *in, uint64_t ns, uint32_t tid, uint32_t tgid, const char *comm,
		      bool sure)
{
	const struct intake_at at = { .ns = ns, .cpu = FS_CPU_NONE };
	struct intake_thread *t;
	int err = intake_begin(in, ns, FS_CPU_NONE);

	return err ? err : meet(in, &at, tid, tgid, comm, sure, &t);
}

int intake_thread(struct intake *in, uint64_t ns, uint32_t tid, uint32_t tgid, const char *comm)
{
	return add_thread(in, ns, tid, tgid, comm, true);
}

int intake_thread_guessed(struct intake *in, uint64_t ns, uint32_t tid, uint32_t tgid,
			  const char *comm)
{
	return add_thread(in, ns, tid, tgid, comm, false);
}

int intake_mark(struct intake *in, const struct intake_at *at, const char *text, size_t len)
{
	struct intake_thread *t;
	int err = intake_begin(in, at->ns, at->cpu);

	if (!err)
		err = intake_meet(in, at, &t);
	if (!err && t)
		err = intake_sched_ran(in, at, t, len && *text == 'E');
	return err ? err : marks_feed(in, at, text, len);
}

int intake_record(struct intake *in, const struct fs_header *rec)
{
	int err = intake_begin(in, rec->time_ns, rec->cpu);

	in->counts.timelines += rec->kind == FS_KIND_TIMELINE;
	in->counts.buffers += rec->kind == FS_KIND_BUFFER;
	return err ? err : emit_sized(in, rec);
}

static int by_tid(const void *a, const void *b)
{
	const struct intake_thread *const *x = a, *const *y = b;

	return ((*x)->tid > (*y)->tid) - ((*x)->tid < (*y)->tid);
}

/* In an order that does not depend on how they are kept. */
static int finish_threads(struct intake *in)
{
	struct intake_thread **all = malloc((in->threads.nr + 1) * sizeof(struct intake_thread *));
	size_t nr = 0;
	int err = 0;

	if (!all)
		return -ENOMEM;
	for (size_t i = 0; i < in->threads.room; i++) {
		if (in->threads.slots[i].id)
			all[nr++] = in->threads.slots[i].value;
	}
	qsort(all, nr, sizeof(struct intake_thread *), by_tid);
	for (size_t i = 0; i < nr && !err; i++)
		err = intake_sched_finish(in, all[i]);
	free(all);
	return err;
}

int intake_finish(struct intake *in)
{
	int err = marks_finish(in);

	if (!in->begun)
		return err ? err : emit_meta(in, 0, FS_CPU_NONE);
	if (!err)
		err = finish_threads(in);
	return err ? err : emit_clock(in, in->last_ns, FS_CPU_NONE, FS_CLOCK_STOP);
}
