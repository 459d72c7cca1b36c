/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The table of threads, and the life of each: birth, names, exec, exit. */
#include "model/thread.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <utlist.h>

#include "model/block.h"
#include "model/builder.h"
#include "model/hwui.h"
#include "model/outbox.h"

static void copy_comm(char *dst, const char *src)
{
	memcpy(dst, src, FS_COMM_LEN);
	dst[FS_COMM_LEN - 1] = '\0';
}

static int join_process(struct model *m, struct thread *t, uint32_t tgid)
{
	struct process *p = idmap_get(&m->processes, tgid);

	if (!p) {
		p = calloc(1, sizeof(*p));
		if (!p)
			return -ENOMEM;
		p->tgid = tgid;
		if (idmap_put(&m->processes, tgid, p)) {
			free(p);
			return -ENOMEM;
		}
	}
	DL_DELETE(m->homeless, t);
	DL_APPEND(p->threads, t);
	t->tgid = tgid;
	t->process = p;
	/* In traces a thread may be named before it is known whose it is. */
	if (t->tid == tgid && t->comm[0])
		copy_comm(p->comm, t->comm);
	return 0;
}

static int thread_new(struct model *m, uint32_t tid, struct thread **out)
{
	struct thread *t;

	*out = NULL;
	if (!tid || m->threads.nr >= THREADS_MAX)
		return 0;
	t = calloc(1, sizeof(*t));
	if (!t)
		return -ENOMEM;
	t->tid = tid;
	if (idmap_put(&m->threads, tid, t)) {
		free(t);
		return -ENOMEM;
	}
	DL_APPEND(m->homeless, t);
	if (m->exited[tid & (EXITED_NR - 1)].tid == tid)
		m->exited[tid & (EXITED_NR - 1)].tid = 0;
	*out = t;
	return 0;
}

static uint64_t losses_on(const struct model *m, uint32_t cpu)
{
	return m->losses_all + m->losses[cpu & (LOSSES_NR - 1)];
}

/*
 * A record of the thread has come. Until then it was on the CPU of the one before, or off-CPU: had
 * it been on another, its switch to that one would have been the record before, or shown as a gap.
 * So only losses on that CPU can have been of its records without numbers.
 */
static void note_losses(struct model *m, struct thread *t, uint32_t cpu)
{
	if (t->builder && losses_on(m, t->cpu) != t->losses)
		builder_lossy(t->builder, true);
	if (cpu != FS_CPU_NONE)
		t->cpu = cpu;
	t->losses = losses_on(m, t->cpu);
}

int thread_get(struct model *m, const struct fs_header *h, struct thread **out)
{
	struct thread *t = idmap_get(&m->threads, h->tid);
	int err = 0;

	/* Another process's: the id was reused, and the exit record lost. */
	if (t && h->tgid && t->tgid && h->tgid != t->tgid) {
		err = thread_end(m, t, thread_last_ns(t));
		t = NULL;
	}
	if (!err && !t)
		err = thread_new(m, h->tid, &t);
	if (!err && t && h->tgid && !t->tgid)
		err = join_process(m, t, h->tgid);
	if (!err && t)
		note_losses(m, t, h->cpu);
	*out = t;
	return err;
}

void thread_free(struct model *m, struct thread *t)
{
	struct process *p = t->process;

	builder_free(m, t);
	if (t->timeline.room > HISTORY_IDLE)
		m->history -= t->timeline.room;
	timeline_free(&t->timeline);
	tally_free(&t->life);
	free(t->waits);
	if (idmap_get(&m->threads, t->tid) == t)
		idmap_remove(&m->threads, t->tid);
	if (p) {
		DL_DELETE(p->threads, t);
		if (!p->threads) {
			idmap_remove(&m->processes, p->tgid);
			m->hwuis -= p->hwui != NULL;
			free(p->hwui);
			free(p);
		}
	} else {
		DL_DELETE(m->homeless, t);
	}
	free(t);
}

int threads_each(struct model *m, int (*fn)(struct model *m, struct thread *t))
{
	size_t nr = 0;
	struct thread **all = malloc((m->threads.nr + 1) * sizeof(struct thread *));
	int err = 0;

	if (!all)
		return -ENOMEM;
	for (size_t i = 0; i < m->threads.room; i++) {
		if (m->threads.slots[i].id)
			all[nr++] = m->threads.slots[i].value;
	}
	for (size_t i = 0; i < nr && !err; i++)
		err = fn(m, all[i]);
	free(all);
	return err;
}

void threads_free(struct model *m)
{
	/* Freeing moves entries of the map: always take the first that is left. */
	for (size_t i = 0; m->threads.nr && i < m->threads.room;) {
		if (m->threads.slots[i].id)
			thread_free(m, m->threads.slots[i].value);
		else
			i++;
	}
	idmap_free(&m->threads);
	idmap_free(&m->processes);
}

void thread_start(struct model *m, struct thread *t, uint64_t at, bool born)
{
	if (t->started)
		return;

	t->birth_ns = born || !t->since_ns ? at : t->since_ns;
	if (t->birth_ns < m->stats.start_ns)
		t->birth_ns = m->stats.start_ns;
	t->started = true;
	timeline_restart(&t->timeline, t->birth_ns);
}

uint64_t thread_last_ns(const struct thread *t)
{
	if (t->builder && t->builder->exit_ns > t->timeline.cursor_ns)
		return t->builder->exit_ns;
	return t->timeline.cursor_ns;
}

const char *thread_process_name(const struct thread *t, char *buf, size_t len)
{
	if (t->process && t->process->comm[0])
		return t->process->comm;
	if (t->comm[0])
		return t->comm;
	snprintf(buf, len, "pid-%u", t->tgid);
	return buf;
}

int thread_close(struct model *m, struct thread *t, uint64_t at)
{
	int err = 0;

	if (!t->builder || !t->started)
		return 0;
	if (at < thread_last_ns(t))
		at = thread_last_ns(t);
	err = calls_flush(m, t);
	if (!err)
		err = builder_close(m, t, at);
	return err ? err : thread_settle(m, t, at);
}

int thread_end(struct model *m, struct thread *t, uint64_t at)
{
	int err = thread_close(m, t, at);

	outbox_thread_ends(m, t);
	block_send_rest(m, t);
	thread_free(m, t);
	return err;
}

/* The thread's surfaces go with the process's old image. */
static int end_image(struct model *m, struct thread *t, uint64_t at)
{
	int err = 0;

	t->fence_wait = false;
	if (!t->started) {
		t->since_ns = at;
		return 0;
	}
	if (at < thread_last_ns(t))
		at = thread_last_ns(t);
	if (t->builder) {
		err = calls_flush(m, t);
		if (!err)
			err = builder_close(m, t, at);
		t->builder->poll_exit_ns = 0;
	}
	/* What comes now belongs to the new image, whose first frames begin here. */
	tally_free(&t->life);
	t->life.itemize = t->builder;
	t->birth_ns = at;
	return err;
}

static int task_exec(struct model *m, struct thread *t, uint64_t at)
{
	struct process *p = t->process;
	int err = 0;

	if (!p)
		return end_image(m, t, at);
	for (struct thread *other = p->threads; other && !err; other = other->next) {
		err = end_image(m, other, at);
		outbox_thread_ends(m, other);
	}
	if (p->hwui)
		*p->hwui = (struct hwui){ 0 };
	return err;
}

static int task_new(struct model *m, const struct fs_task *rec, struct thread **out)
{
	struct thread *t = idmap_get(&m->threads, rec->h.tid);
	int err = 0;

	*out = NULL;
	if (t && t->started && rec->h.time_ns < thread_last_ns(t)) {
		m->stats.stale++;
		return 0;
	}
	/* The id was reused, and the exit record lost. */
	if (t)
		err = thread_end(m, t, thread_last_ns(t));
	if (!err)
		err = thread_get(m, &rec->h, out);
	if (*out)
		(*out)->since_ns = rec->h.time_ns;
	return err;
}

static int task_seen(struct model *m, const struct fs_task *rec, struct thread **out)
{
	int err = thread_get(m, &rec->h, out);

	if (!err && *out && !(*out)->started && !(*out)->since_ns)
		(*out)->since_ns = rec->h.time_ns;
	return err;
}

static int task_exit(struct model *m, const struct fs_task *rec)
{
	struct thread *t = idmap_get(&m->threads, rec->h.tid);
	struct exited *exited = &m->exited[rec->h.tid & (EXITED_NR - 1)];
	int err = 0;

	if (t && t->started)
		err = thread_ran(m, t, rec->h.time_ns, rec->off_seq);
	*exited = (struct exited){ .tid = rec->h.tid, .offcpu_seq = rec->off_seq };
	return err || !t ? err : thread_end(m, t, rec->h.time_ns);
}

int thread_task(struct model *m, const struct fs_task *rec)
{
	struct thread *t = NULL;
	int err;

	switch (rec->op) {
	case FS_TASK_EXIT:
		return task_exit(m, rec);
	case FS_TASK_LAST:
		t = idmap_get(&m->threads, rec->h.tid);
		if (t) {
			t->last_seen = true;
			t->last_seq = rec->off_seq;
		}
		return 0;
	case FS_TASK_NEW:
		err = task_new(m, rec, &t);
		break;
	case FS_TASK_SEEN:
		err = task_seen(m, rec, &t);
		break;
	case FS_TASK_EXEC:
		err = thread_get(m, &rec->h, &t);
		if (!err && t)
			err = task_exec(m, t, rec->h.time_ns);
		break;
	case FS_TASK_RENAME:
		err = thread_get(m, &rec->h, &t);
		break;
	default:
		return 0;
	}
	if (err || !t)
		return err;
	copy_comm(t->comm, rec->comm);
	if (t->process && t->tid == t->tgid)
		copy_comm(t->process->comm, rec->comm);
	return 0;
}
