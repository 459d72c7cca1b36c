/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Gives each record of the stream to what it is about. */
#include "model/model.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "model/buffer_frames.h"
#include "model/builder.h"
#include "model/fence_context.h"
#include "model/frame_timeline.h"
#include "model/hwui.h"
#include "model/outbox.h"
#include "model/thread.h"
#include "model/told.h"
#include "model/waits.h"

struct model *model_new(const struct model_sink *sink)
{
	struct model *m = calloc(1, sizeof(*m));

	if (m)
		m->sink = *sink;
	return m;
}

void model_free(struct model *m)
{
	if (!m)
		return;
	threads_free(m);
	producers_free(&m->producers);
	roles_free(&m->roles);
	fences_free(&m->fences);
	windows_free(&m->windows);
	free(m->outbox.frames);
	frame_timelines_free(m->timelines);
	buffer_frames_free(m->buffer_frames);
	tellers_free(m->tellers);
	free(m->meta);
	free(m);
}

void model_watch_fences(struct model *m, const struct fence_observer *observer)
{
	m->fences.observer = observer;
}

const struct model_stats *model_stats(const struct model *m)
{
	return &m->stats;
}

uint64_t model_end_ns(const struct model *m)
{
	return m->stats.stop_ns ? m->stats.stop_ns : m->stats.last_ns;
}

uint64_t model_length_ns(const struct model *m)
{
	uint64_t start = m->stats.start_ns ? m->stats.start_ns : m->stats.first_ns;

	return model_end_ns(m) > start ? model_end_ns(m) - start : 0;
}

void model_fence_name(const struct model *m, uint64_t context, struct fence_name *name)
{
	const struct fence_context *c = fence_context_find(&m->fences, context);

	*name = (struct fence_name){ 0 };
	if (c)
		fence_context_name(c, name);
}

const struct fence *model_fences_in_flight(const struct model *m)
{
	return m->fences.places[PLACE_IN_FLIGHT];
}

uint64_t model_settled_ns(const struct model *m, uint64_t fed_ns, uint64_t patience_ns)
{
	uint64_t since = fed_ns > patience_ns ? fed_ns - patience_ns : 0;
	uint64_t first = outbox_first_ns(&m->outbox, since);

	for (size_t i = 0; i < m->threads.room; i++) {
		const struct thread *t = m->threads.slots[i].id ? m->threads.slots[i].value : NULL;
		uint64_t at = t && t->builder ? builder_first_ns(t->builder, since) : UINT64_MAX;

		first = at < first ? at : first;
	}
	return first <= fed_ns ? first - 1 : fed_ns;
}

uint32_t model_thread_pid(const struct model *m, uint32_t tid)
{
	const struct thread *t = tid ? idmap_get(&m->threads, tid) : NULL;

	return t ? t->tgid : 0;
}

const char *model_thread_name(const struct model *m, uint32_t tid)
{
	const struct thread *t = tid ? idmap_get(&m->threads, tid) : NULL;

	return t ? t->comm : "";
}

const char *model_meta(const struct model *m)
{
	return m->meta;
}

static int feed_point(struct model *m, const struct fs_point *rec)
{
	int err = roles_set(&m->roles, rec->id, rec->role);

	m->finishes |= rec->role == FS_ROLE_FRAME_INFO;
	m->posts |= rec->role == FS_ROLE_UI_SYNC;
	m->marked |= !strcmp(rec->lib, FS_LIB_MARKER);
	m->stats.surfaces_probed |= rec->role == FS_ROLE_QUEUE;
	m->stats.ends_probed |= rec->role == FS_ROLE_QUEUE || rec->role == FS_ROLE_SWAP ||
				rec->role == FS_ROLE_PRESENT;
	return err == -ERANGE ? 0 : err;
}

static int feed_meta(struct model *m, const struct fs_meta *rec)
{
	if (m->meta || rec->h.size <= sizeof(*rec))
		return 0;
	m->meta = strndup(rec->text, rec->h.size - sizeof(*rec));
	return m->meta ? 0 : -ENOMEM;
}

/*
 * Lost intervals and calls show in their thread's numbering. Waits for fences and task records have
 * no numbers: of what was lost on a CPU, they may have been those of any thread that was on it, and
 * of a loss whose CPU is not known, those of any thread.
 */
static void feed_lost(struct model *m, const struct fs_lost *rec)
{
	const struct thread *t;

	m->stats.last_loss_ns = rec->h.time_ns;
	switch (rec->where) {
	case FS_LOST_MAP:
	case FS_LOST_DEPTH:
	case FS_LOST_END:
		t = idmap_get(&m->threads, rec->h.tid);
		if (t && t->builder) {
			builder_lossy(t->builder, true);
			/* It may have been a poll. */
			t->builder->poll_exit_ns = 0;
		}
		if (t && rec->where == FS_LOST_MAP)
			windows_lossy(&m->windows, t->tgid, UINT64_MAX);
		break;
	default:
		if (rec->h.cpu == FS_CPU_NONE)
			m->losses_all++;
		else
			m->losses[rec->h.cpu & (LOSSES_NR - 1)]++;
	}
}

static void feed_clock(struct model *m, const struct fs_clock *rec)
{
	struct model_stats *s = &m->stats;

	if (rec->mark == FS_CLOCK_START && !s->start_ns) {
		s->start_ns = rec->h.time_ns;
		if (rec->realtime_ns > rec->h.time_ns)
			s->realtime_offset_ns = rec->realtime_ns - rec->h.time_ns;
	}
	if (rec->mark == FS_CLOCK_STOP && !s->stop_ns)
		s->stop_ns = rec->h.time_ns;
}

static bool after_stop(const struct model *m, const struct fs_header *rec)
{
	return m->stats.stop_ns && rec->time_ns > m->stats.stop_ns;
}

/* The thread may be gone when the name is wanted. */
static void name_submitter(struct model *m, const struct fs_fence *rec)
{
	struct fence *f = fences_find(&m->fences, (struct fence_id){ rec->context, rec->seqno });
	const struct thread *t = idmap_get(&m->threads, rec->h.tid);

	if (f && t && f->init_tid == t->tid)
		memcpy(f->submitter, t->comm, sizeof(f->submitter));
}

static int feed_fence(struct model *m, const struct fs_fence *rec)
{
	struct thread *t;
	bool made = rec->op == FS_FENCE_INIT || rec->op == FS_FENCE_EMIT;
	int err = made && after_stop(m, &rec->h) ? 0 : fences_feed(&m->fences, rec);

	if (!err && rec->op == FS_FENCE_INIT && m->fences.observer)
		name_submitter(m, rec);
	if (!err && rec->op == FS_FENCE_SIGNALED)
		outbox_signaled(m, (struct fence_id){ rec->context, rec->seqno });
	if (err || (rec->op != FS_FENCE_WAIT_START && rec->op != FS_FENCE_WAIT_END))
		return err;
	err = thread_get(m, &rec->h, &t);
	if (!err && t)
		thread_fence(t, rec);
	return err;
}

static int feed_ref(struct model *m, const struct fs_fence_ref *rec)
{
	const struct fence_observer *o = m->fences.observer;
	const struct fence_id id = { rec->context, rec->seqno };
	const struct fence_id container = { rec->container, rec->container_seqno };
	bool over = rec->flags & FS_REF_SIGNALED, late = after_stop(m, &rec->h);
	struct thread *t = NULL;
	int err = over || !late ? fences_met(&m->fences, rec) : 0;

	if (!err)
		err = thread_get(m, &rec->h, &t);
	if (!err && t)
		err = waits_ref(t, rec);
	/* A descriptor that has signalled already is not what a thread waits for. */
	if (err || !t || !o || over || late || rec->role != FS_REF_WAITED)
		return err;
	err = o->waited(o->ctx, id, t->tgid, t->tid, t->comm);
	if (!err && rec->count)
		err = o->waited(o->ctx, container, t->tgid, t->tid, t->comm);
	return err;
}

static void note_time(struct model *m, uint64_t time_ns)
{
	struct model_stats *s = &m->stats;

	if (!s->first_ns)
		s->first_ns = time_ns;
	if (time_ns > s->last_ns)
		s->last_ns = time_ns;
}

int model_feed(struct model *m, const struct fs_header *rec)
{
	struct thread *t;
	int err;

	note_time(m, rec->time_ns);
	if (m->outbox.nr)
		outbox_tick(m, rec->time_ns);
	err = frame_timeline_tick(m, rec->time_ns);
	if (!err)
		err = buffer_frames_tick(m, rec->time_ns);
	if (err)
		return err;
	switch (rec->kind) {
	case FS_KIND_OFFCPU:
		return thread_offcpu(m, (const struct fs_offcpu *)rec);
	case FS_KIND_SPAN:
		err = thread_get(m, rec, &t);
		return err || !t ? err : calls_add(m, t, (const struct fs_span *)rec);
	case FS_KIND_FRAME_INFO:
		err = thread_get(m, rec, &t);
		return err || !t ? err : hwui_info(m, t, (const struct fs_frame_info *)rec);
	case FS_KIND_MARKER:
		err = thread_get(m, rec, &t);
		if (!err && t)
			hwui_marker(t, (const struct fs_marker *)rec);
		return err;
	case FS_KIND_FENCE:
		return feed_fence(m, (const struct fs_fence *)rec);
	case FS_KIND_FENCE_REF:
		return feed_ref(m, (const struct fs_fence_ref *)rec);
	case FS_KIND_FENCE_NAME:
		return fences_name(&m->fences, (const struct fs_fence_name *)rec);
	case FS_KIND_TEXT:
		err = thread_get(m, rec, &t);
		return err || !t ? err : waits_name(t, (const struct fs_text *)rec);
	case FS_KIND_TASK:
		return after_stop(m, rec) ? 0 : thread_task(m, (const struct fs_task *)rec);
	case FS_KIND_LOST:
		feed_lost(m, (const struct fs_lost *)rec);
		return 0;
	case FS_KIND_CLOCK:
		feed_clock(m, (const struct fs_clock *)rec);
		return 0;
	case FS_KIND_META:
		return feed_meta(m, (const struct fs_meta *)rec);
	case FS_KIND_POINT:
		return feed_point(m, (const struct fs_point *)rec);
	case FS_KIND_TIMELINE:
		return frame_timeline_feed(m, (const struct fs_timeline *)rec);
	case FS_KIND_BUFFER:
		return buffer_frames_feed(m, (const struct fs_buffer *)rec);
	default:
		return 0;
	}
}

static int send_rest(struct model *m, struct thread *t)
{
	block_send_rest(m, t);
	return 0;
}

/* Without a stop mark the capture was cut off: a thread's time ends where it was last seen. */
static int finish_thread(struct model *m, struct thread *t)
{
	uint64_t stop = m->stats.stop_ns;
	int err = 0;

	if (stop && t->started && t->last_seen)
		err = thread_ran(m, t, stop, t->last_seq);
	return err ? err : thread_close(m, t, stop ? stop : thread_last_ns(t));
}

int model_finish(struct model *m)
{
	/* What a frame lacks may be another thread's: none is forgotten before all are finished. */
	int err = threads_each(m, finish_thread);

	outbox_tick(m, UINT64_MAX);
	if (!err)
		err = frame_timeline_tick(m, UINT64_MAX);
	if (!err)
		err = buffer_frames_tick(m, UINT64_MAX);
	if (!err)
		err = threads_each(m, send_rest);
	return err ? err : fences_finish(&m->fences, model_end_ns(m));
}
