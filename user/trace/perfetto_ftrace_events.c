/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Events of ftrace that are not packed together: each is a message of its own. */
#include <errno.h>
#include <linux/sched.h>
#include <string.h>

#include "trace/perfetto_bundle.h"

/* Fields of FtraceEvent. */
enum {
	EV_PRINT = 3,
	EV_SCHED_SWITCH = 4,
	EV_SCHED_WAKEUP = 17,
	EV_SCHED_WAKING = 20,
	EV_SCHED_WAKEUP_NEW = 114,
	EV_TASK_NEWTASK = 235,
	EV_TASK_RENAME = 236,
	EV_SCHED_PROCESS_EXEC = 237,
	EV_SCHED_PROCESS_EXIT = 238,
	EV_SCHED_PROCESS_FORK = 239,
	EV_FENCE_INIT = 316,
	EV_FENCE_DESTROY = 317,
	EV_FENCE_ENABLE_SIGNAL = 318,
	EV_FENCE_SIGNALED = 319,
	EV_DMA_FENCE_INIT = 414,
	EV_DMA_FENCE_EMIT = 415,
	EV_DMA_FENCE_SIGNALED = 416,
	EV_DMA_FENCE_WAIT_START = 417,
	EV_DMA_FENCE_WAIT_END = 418,
	EV_DRM_SCHED_JOB_DONE = 592,
	EV_DRM_SCHED_JOB_QUEUE = 593,
	EV_DRM_SCHED_JOB_RUN = 594,
};

uint32_t pf_context_of(uint64_t common_flags)
{
	if (common_flags & 0x48) /* TRACE_FLAG_HARDIRQ, TRACE_FLAG_NMI */
		return FS_CTX_HARDIRQ;
	return common_flags & 0x10 ? FS_CTX_SOFTIRQ : FS_CTX_TASK; /* TRACE_FLAG_SOFTIRQ */
}

uint64_t pf_state_of(uint64_t told)
{
	uint64_t bits = told & 0xff;

	return bits == 0x80 ? INTAKE_STATE_IDLE : bits;
}

struct pf_event *pf_bundle_event(struct bundle *b, const struct about *who, enum pf_event_kind kind,
				 size_t body)
{
	struct pf_event *ev = pf_event_new(b->pf, kind, who->ns, b->cpu, body);

	if (ev)
		ev->h.tid = who->tid;
	return ev;
}

static int take_print(struct bundle *b, const struct about *who, const struct wire_field *print)
{
	struct wire w = wire_in(print);
	struct wire_field f, buf = { 0 };
	struct pf_event *ev;
	size_t len;

	while (wire_next(&w, &f)) {
		if (f.number == 2)
			buf = f;
	}
	len = buf.len < PF_MARK_MAX ? buf.len : PF_MARK_MAX;
	while (len && (buf.data[len - 1] == '\n' || buf.data[len - 1] == '\0'))
		len--;
	if (!len)
		return 0;
	ev = pf_bundle_event(b, who, PF_EVENT_MARK, BODY(mark) + len);
	if (!ev)
		return -ENOMEM;
	ev->mark.context = who->context;
	ev->mark.len = (uint32_t)len;
	memcpy(ev->mark.text, buf.data, len);
	return pf_event_add(b->pf, ev);
}

static int take_switch(struct bundle *b, const struct about *who, const struct wire_field *sw)
{
	struct wire w = wire_in(sw);
	struct pf_event *ev = pf_bundle_event(b, who, PF_EVENT_SWITCH, BODY(sw));
	struct wire_field f;

	if (!ev)
		return -ENOMEM;
	memset(&ev->sw, 0, sizeof(ev->sw));
	while (wire_next(&w, &f)) {
		switch (f.number) {
		case 1:
			wire_string(&f, ev->sw.prev_comm, FS_COMM_LEN);
			break;
		case 2:
			ev->h.tid = (uint32_t)wire_number(&f);
			break;
		case 4:
			ev->sw.state = pf_state_of(wire_number(&f));
			break;
		case 5:
			wire_string(&f, ev->sw.next_comm, FS_COMM_LEN);
			break;
		case 6:
			ev->sw.next = (uint32_t)wire_number(&f);
			break;
		default:
			break;
		}
	}
	return pf_event_add(b->pf, ev);
}

static int take_waking(struct bundle *b, const struct about *who, const struct wire_field *waking)
{
	struct wire w = wire_in(waking);
	struct pf_event *ev = pf_bundle_event(b, who, PF_EVENT_WAKING, BODY(waking));
	struct wire_field f;

	if (!ev)
		return -ENOMEM;
	memset(&ev->waking, 0, sizeof(ev->waking));
	ev->waking.context = who->context;
	while (wire_next(&w, &f)) {
		if (f.number == 1)
			wire_string(&f, ev->waking.comm, FS_COMM_LEN);
		else if (f.number == 2)
			ev->waking.wakee = (uint32_t)wire_number(&f);
	}
	return pf_event_add(b->pf, ev);
}

static struct pf_event *new_task(struct bundle *b, const struct about *who, uint32_t op)
{
	struct pf_event *ev = pf_bundle_event(b, who, PF_EVENT_TASK, BODY(task));

	if (ev) {
		memset(&ev->task, 0, sizeof(ev->task));
		ev->task.op = op;
		ev->task.context = who->context;
	}
	return ev;
}

static int take_newtask(struct bundle *b, const struct about *who, const struct wire_field *task)
{
	struct wire w = wire_in(task);
	struct pf_event *ev = new_task(b, who, FS_TASK_NEW);
	struct wire_field f;

	if (!ev)
		return -ENOMEM;
	while (wire_next(&w, &f)) {
		if (f.number == 1)
			ev->task.tid = (uint32_t)wire_number(&f);
		else if (f.number == 2)
			wire_string(&f, ev->task.comm, FS_COMM_LEN);
		else if (f.number == 3)
			ev->task.process =
				wire_number(&f) & CLONE_THREAD ? PF_PROCESS_SAME : PF_PROCESS_NEW;
	}
	return pf_event_add(b->pf, ev);
}

/* The task, and its name, by the numbers that they have in that event. */
static int take_task(struct bundle *b, const struct about *who, const struct wire_field *task,
		     uint32_t op, uint32_t pid_field, uint32_t comm_field)
{
	struct wire w = wire_in(task);
	struct pf_event *ev = new_task(b, who, op);
	struct wire_field f;

	if (!ev)
		return -ENOMEM;
	while (wire_next(&w, &f)) {
		if (f.number == pid_field)
			ev->task.tid = (uint32_t)wire_number(&f);
		else if (f.number == comm_field)
			wire_string(&f, ev->task.comm, FS_COMM_LEN);
		else if (f.number == 3 && op == FS_TASK_EXIT)
			ev->h.tgid = (uint32_t)wire_number(&f);
	}
	return pf_event_add(b->pf, ev);
}

/* pid 2, old_pid 3. A thread that was not its process's first takes that one's id. */
static int take_exec(struct bundle *b, const struct about *who, const struct wire_field *exec)
{
	struct wire w = wire_in(exec);
	uint32_t pid = 0, old = 0;
	struct wire_field f;
	struct pf_event *ev;
	int ret = 0;

	while (wire_next(&w, &f)) {
		if (f.number == 2)
			pid = (uint32_t)wire_number(&f);
		else if (f.number == 3)
			old = (uint32_t)wire_number(&f);
	}
	if (old && old != pid) {
		ev = new_task(b, who, FS_TASK_EXIT);
		if (!ev)
			return -ENOMEM;
		ev->task.tid = old;
		ret = pf_event_add(b->pf, ev);
	}
	ev = ret ? NULL : new_task(b, who, FS_TASK_EXEC);
	if (!ev)
		return -ENOMEM;
	ev->task.tid = pid;
	return pf_event_add(b->pf, ev);
}

static int take_fence(struct bundle *b, const struct about *who, const struct wire_field *fence,
		      uint32_t op)
{
	struct wire w = wire_in(fence);
	struct pf_event *ev = pf_bundle_event(b, who, PF_EVENT_FENCE, BODY(fence));
	struct wire_field f;

	if (!ev)
		return -ENOMEM;
	memset(&ev->fence, 0, sizeof(ev->fence));
	ev->fence.op = op;
	ev->fence.irq = who->context;
	while (wire_next(&w, &f)) {
		switch (f.number) {
		case 1:
			ev->fence.context = wire_number(&f);
			break;
		case 2:
			wire_string(&f, ev->fence.driver, FS_DRIVER_LEN);
			break;
		case 3:
			ev->fence.seqno = wire_number(&f);
			break;
		case 4:
			wire_string(&f, ev->fence.timeline, FS_TIMELINE_LEN);
			break;
		default:
			break;
		}
	}
	return pf_event_add(b->pf, ev);
}

/*
 * A job of the GPU scheduler: name 1, fence_context 5, fence_seqno 6; when it is done,
 * fence_context 1, fence_seqno 2. That is as kernels from 6.17 on tell it. Older ones name the
 * fence by its address, which no other event has, so theirs say nothing about any fence. Numbers
 * are cut to 32 bits, as the fences' own events have them.
 */
static int take_job(struct bundle *b, const struct about *who, const struct wire_field *job,
		    uint32_t op)
{
	uint32_t context = op == FS_FENCE_SIGNALED ? 1 : 5, seqno = context + 1;
	struct wire w = wire_in(job);
	struct pf_event *ev = pf_bundle_event(b, who, PF_EVENT_FENCE, BODY(fence));
	struct wire_field f;

	if (!ev)
		return -ENOMEM;
	memset(&ev->fence, 0, sizeof(ev->fence));
	ev->fence.op = op;
	ev->fence.irq = who->context;
	ev->fence.job = true;
	while (wire_next(&w, &f)) {
		if (f.number == context)
			ev->fence.context = (uint32_t)wire_number(&f);
		else if (f.number == seqno)
			ev->fence.seqno = (uint32_t)wire_number(&f);
		else if (f.number == 1)
			wire_string(&f, ev->fence.timeline, FS_TIMELINE_LEN);
	}
	return pf_event_add(b->pf, ev);
}

int pf_ftrace_event(struct bundle *b, const struct about *who, const struct wire_field *f)
{
	switch (f->number) {
	case EV_PRINT:
		return take_print(b, who, f);
	case EV_SCHED_SWITCH:
		return take_switch(b, who, f);
	case EV_SCHED_WAKEUP:
	case EV_SCHED_WAKING:
		return take_waking(b, who, f);
	case EV_SCHED_WAKEUP_NEW: /* which is how a new thread begins to wait for a CPU */
		return take_task(b, who, f, FS_TASK_NEW, 2, 1);
	case EV_TASK_NEWTASK:
		return take_newtask(b, who, f);
	case EV_TASK_RENAME:
		return take_task(b, who, f, FS_TASK_RENAME, 1, 3);
	case EV_SCHED_PROCESS_EXEC:
		return take_exec(b, who, f);
	case EV_SCHED_PROCESS_EXIT:
		return take_task(b, who, f, FS_TASK_EXIT, 2, 1);
	case EV_SCHED_PROCESS_FORK:
		return take_task(b, who, f, FS_TASK_NEW, 4, 3);
	case EV_FENCE_INIT:
	case EV_DMA_FENCE_INIT:
		return take_fence(b, who, f, FS_FENCE_INIT);
	case EV_FENCE_DESTROY:
		return take_fence(b, who, f, FS_FENCE_DESTROY);
	case EV_FENCE_ENABLE_SIGNAL:
		return take_fence(b, who, f, FS_FENCE_ENABLE);
	case EV_FENCE_SIGNALED:
	case EV_DMA_FENCE_SIGNALED:
		return take_fence(b, who, f, FS_FENCE_SIGNALED);
	case EV_DMA_FENCE_EMIT:
		return take_fence(b, who, f, FS_FENCE_EMIT);
	case EV_DMA_FENCE_WAIT_START:
		return take_fence(b, who, f, FS_FENCE_WAIT_START);
	case EV_DMA_FENCE_WAIT_END:
		return take_fence(b, who, f, FS_FENCE_WAIT_END);
	case EV_DRM_SCHED_JOB_QUEUE:
		return take_job(b, who, f, FS_FENCE_EMIT);
	case EV_DRM_SCHED_JOB_RUN:
		return take_job(b, who, f, FS_FENCE_RUN);
	case EV_DRM_SCHED_JOB_DONE:
		return take_job(b, who, f, FS_FENCE_SIGNALED);
	default:
		return 0;
	}
}
