// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* From the kernel side's last state of each thread to records. */
#include "capture/open_records.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <string.h>

#include <framescope/state.h>

struct out {
	uint64_t stop_ns;
	void (*fn)(void *ctx, const struct fs_header *rec);
	void *ctx;
};

static struct fs_header header(const struct out *o, const struct fs_thread *t, uint16_t kind,
			       uint16_t size)
{
	return (struct fs_header){
		.time_ns = o->stop_ns,
		.tid = t->tid,
		.tgid = t->tgid,
		.kind = kind,
		.size = size,
		.cpu = FS_CPU_NONE,
	};
}

/*
 * As take_waker() on the kernel side, but for a waking before the switch-out: only the switch-in
 * tells whether it was the one.
 */
static void take_waker(const struct fs_thread *t, struct fs_offcpu *rec)
{
	rec->waking_ns = 0;
	rec->cpu_waking = -1;
	rec->context = FS_CTX_UNKNOWN;
	rec->peer_tid = 0;
	rec->peer_tgid = 0;
	memset(rec->peer_comm, 0, sizeof(rec->peer_comm));
	if (t->waking_ns <= t->in_ns || t->waking_ns < rec->out_ns)
		return;
	rec->waking_ns = t->waking_ns;
	rec->context = (uint8_t)t->waker_context;
	rec->cpu_waking = (int32_t)t->waker_cpu;
	if (rec->context == FS_CTX_SOFTIRQ || rec->context == FS_CTX_HARDIRQ)
		return;
	rec->peer_tid = t->waker_tid;
	rec->peer_tgid = t->waker_tgid;
	memcpy(rec->peer_comm, t->waker_comm, sizeof(rec->peer_comm));
}

static void open_offcpu(const struct out *o, const struct fs_thread *t)
{
	struct fs_offcpu rec = t->off;

	rec.h = header(o, t, FS_KIND_OFFCPU, sizeof(rec));
	rec.flags |= FS_OPEN;
	if (rec.flags & FS_OFF_PREEMPTED) {
		rec.waking_ns = 0;
		rec.cpu_waking = -1;
		rec.context = FS_CTX_UNKNOWN;
	} else {
		take_waker(t, &rec);
	}
	o->fn(o->ctx, &rec.h);
}

static void open_spans(const struct out *o, const struct fs_thread *t)
{
	/* The innermost first, as they would have ended. */
	for (uint32_t i = t->depth < FS_SPAN_DEPTH ? t->depth : FS_SPAN_DEPTH; i-- > 0;) {
		struct fs_span rec = {
			.h = header(o, t, FS_KIND_SPAN, sizeof(rec)),
			.entry_ns = t->spans[i].entry_ns,
			.point = t->spans[i].point,
			.flags = FS_OPEN,
			.seq = t->span_seq + (t->depth - i),
			.depth = i,
			.off_seq = t->off.seq,
		};

		memcpy(rec.args, t->spans[i].args, sizeof(rec.args));
		o->fn(o->ctx, &rec.h);
	}
}

static void last(const struct out *o, const struct fs_thread *t)
{
	struct fs_task rec = {
		.h = header(o, t, FS_KIND_TASK, sizeof(rec)),
		.op = FS_TASK_LAST,
		/* An interval that began after the stop is counted already, but never sent. */
		.off_seq = t->off.seq - (t->off.out_ns != 0),
		.span_seq = t->span_seq,
	};

	o->fn(o->ctx, &rec.h);
}

int open_records(int threads_fd, uint64_t stop_ns,
		 void (*fn)(void *ctx, const struct fs_header *rec), void *ctx)
{
	const struct out o = { .stop_ns = stop_ns, .fn = fn, .ctx = ctx };
	struct fs_thread t;
	int err;

	/* Slots are taken from the first on: behind the first that was never used there is none. */
	for (uint32_t slot = 1;; slot++) {
		err = bpf_map_lookup_elem(threads_fd, &slot, &t);
		if (err || !t.tgid)
			break;
		if (!t.tid || !(t.off.seq || t.depth))
			continue; /* it has ended, or never moved */
		/* It may have left its CPU after the stop, before the kernel side fell silent. */
		if (t.off.out_ns && t.off.out_ns < stop_ns)
			open_offcpu(&o, &t);
		else
			last(&o, &t);
		open_spans(&o, &t);
	}
	return err == -ENOENT ? 0 : err;
}
