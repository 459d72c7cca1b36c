/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * make_capture OUT GIB: writes a capture of about GIB (a decimal number) and prints
 * "records frames bytes", to measure what reading one takes.
 *
 * It is what a recording of six programs at 120 frames/s on eight CPUs would hold: each program has
 * a UI thread, a render thread that swaps, and two workers; the render thread's swap holds a
 * queueBuffer and a dequeueBuffer; every frame takes three fences through their lives. Times vary
 * by a fixed pseudo-random sequence, so that the file is the same every time.
 */
#include <linux/types.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <framescope/capture.h>

#include "base/err.h"
#include "capture/writer.h"

#define CPUS 8u
#define PROGRAMS 6u
#define WORKERS 2u
#define RENDER 1u /* a program's threads: 0 UI, 1 render, then workers */
#define THREADS (2u + WORKERS)
#define FRAME_NS 8333333ull
#define ROUND_FRAMES 12u /* about 100 ms */
#define START_NS 1000000000ull
#define FIRST_PID 1000u
#define SWITCHES_RENDER 12u /* off-CPU intervals in a frame */
#define SWITCHES_OTHER 8u
#define RENDER_SLOT_NS (FRAME_NS / SWITCHES_RENDER)
#define OTHER_SLOT_NS (FRAME_NS / SWITCHES_OTHER)
#define FENCES 3u
#define BATCH_MAX 1024u /* records of all programs in one frame time */

enum point { POINT_SWAP = 1, POINT_QUEUE = 2, POINT_DEQUEUE = 3 };

union record {
	struct fs_header h;
	struct fs_offcpu offcpu;
	struct fs_span span;
	struct fs_fence fence;
};

struct maker {
	struct writer *writer;
	uint64_t random;
	uint64_t records;
	uint64_t frames;
	uint32_t offcpu_seq[PROGRAMS][THREADS];
	uint32_t span_seq[PROGRAMS];
	uint64_t fence_seqno[PROGRAMS];
	union record batch[BATCH_MAX];
	unsigned nr_batch;
};

/* xorshift64*, in [0, limit). */
static uint64_t random_below(struct maker *m, uint64_t limit)
{
	m->random ^= m->random >> 12;
	m->random ^= m->random << 25;
	m->random ^= m->random >> 27;
	return (m->random * 2685821657736338717ull >> 32) % limit;
}

static uint32_t thread_id(unsigned program, unsigned thread)
{
	return FIRST_PID + program * 10 + thread;
}

static union record *batch_new(struct maker *m, unsigned program, unsigned thread,
			       enum fs_kind kind, size_t size, uint64_t time_ns)
{
	if (m->nr_batch == BATCH_MAX)
		abort(); /* the constants above disagree */

	union record *rec = &m->batch[m->nr_batch++];

	*rec = (union record){
		.h = {
			.time_ns = time_ns,
			.tid = thread_id(program, thread),
			.tgid = thread_id(program, 0),
			.kind = (__u16)kind,
			.size = (__u16)size,
			.cpu = (program * THREADS + thread) % CPUS,
		},
	};
	return rec;
}

static void add_offcpu(struct maker *m, unsigned program, unsigned thread, uint64_t from_ns,
		       uint64_t room_ns)
{
	static const struct {
		uint8_t call;
		uint8_t file;
		int32_t syscall;
	} blocks[] = {
		{ FS_CALL_FUTEX, FS_FILE_NONE, 202 },  { FS_CALL_POLL, FS_FILE_SYNC_FILE, 7 },
		{ FS_CALL_IOCTL, FS_FILE_BINDER, 16 }, { FS_CALL_EPOLL, FS_FILE_EPOLL, 232 },
		{ FS_CALL_IOCTL, FS_FILE_GPU, 16 },    { FS_CALL_READ, FS_FILE_SOCKET, 0 },
	};
	uint64_t out_ns = from_ns + room_ns / 16 + random_below(m, room_ns / 4);
	uint64_t waking_ns = out_ns + random_below(m, room_ns / 3);
	uint64_t in_ns = waking_ns + 1000 + random_below(m, room_ns / 8);
	bool preempted = random_below(m, 8) == 0;
	size_t block = random_below(m, sizeof(blocks) / sizeof(blocks[0]));
	union record *rec =
		batch_new(m, program, thread, FS_KIND_OFFCPU, sizeof(rec->offcpu), in_ns);
	struct fs_offcpu *o = &rec->offcpu;
	unsigned peer = (thread + 1) % THREADS;

	o->out_ns = out_ns;
	o->seq = ++m->offcpu_seq[program][thread];
	o->cpu_out = rec->h.cpu;
	o->peer_tid = thread_id(program, peer);
	o->peer_tgid = thread_id(program, 0);
	snprintf(o->peer_comm, sizeof(o->peer_comm), "thread-%u-%u", program, peer);
	o->syscall = -1;
	o->fd = -1;
	if (preempted) {
		o->flags = FS_OFF_PREEMPTED;
		return;
	}
	o->waking_ns = waking_ns;
	o->state = 1;
	o->syscall = blocks[block].syscall;
	o->call = blocks[block].call;
	o->file = blocks[block].file;
	o->context = FS_CTX_TASK;
	if (o->file != FS_FILE_NONE) {
		o->fd = 10 + (int32_t)block;
		o->nfds = 1;
	}
}

static void add_span(struct maker *m, unsigned program, enum point point, uint32_t depth,
		     uint64_t entry_ns, uint64_t exit_ns)
{
	union record *rec = batch_new(m, program, RENDER, FS_KIND_SPAN, sizeof(rec->span), exit_ns);

	rec->span.entry_ns = entry_ns;
	rec->span.point = point;
	rec->span.seq = ++m->span_seq[program];
	rec->span.depth = depth;
	rec->span.off_seq = m->offcpu_seq[program][RENDER];
	rec->span.args[0] = 0x7f0000001000u;
	rec->span.args[1] = 0x7f0000002000u + program;
	rec->span.ret = 1;
}

static void add_fence(struct maker *m, unsigned program, uint64_t seqno, uint64_t at_ns)
{
	static const struct {
		enum fs_fence_op op;
		uint64_t after_ns;
	} life[] = {
		{ FS_FENCE_INIT, 0 },
		{ FS_FENCE_EMIT, 2000 },
		{ FS_FENCE_SIGNALED, 2500000 },
		{ FS_FENCE_DESTROY, 2600000 },
	};

	for (size_t i = 0; i < sizeof(life) / sizeof(life[0]); i++) {
		union record *rec = batch_new(m, program, RENDER, FS_KIND_FENCE, sizeof(rec->fence),
					      at_ns + life[i].after_ns);
		rec->fence.context = 100 + program;
		rec->fence.seqno = seqno;
		rec->fence.op = life[i].op;
		rec->fence.irq = FS_CTX_TASK;
	}
}

/* A render thread's frame: calls begin and end where no off-CPU interval reaches. */
static void add_render(struct maker *m, unsigned program, uint64_t start_ns)
{
	for (unsigned i = 0; i < SWITCHES_RENDER; i++) {
		uint64_t slot_ns = start_ns + i * RENDER_SLOT_NS;
		uint64_t end_ns = slot_ns + RENDER_SLOT_NS;

		add_offcpu(m, program, RENDER, slot_ns, RENDER_SLOT_NS);
		if (i == 8)
			add_span(m, program, POINT_QUEUE, 1, slot_ns + 200, end_ns - 100);
		if (i == 9)
			add_span(m, program, POINT_DEQUEUE, 1, slot_ns + 100, end_ns - 100);
		if (i == 10)
			add_span(m, program, POINT_SWAP, 0, slot_ns - 2 * RENDER_SLOT_NS + 100,
				 end_ns);
	}
}

/* What one program does in the frame time that begins at start_ns. */
static void add_frame(struct maker *m, unsigned program, uint64_t start_ns)
{
	add_render(m, program, start_ns);
	for (unsigned thread = 0; thread < THREADS; thread++) {
		for (unsigned i = 0; thread != RENDER && i < SWITCHES_OTHER; i++)
			add_offcpu(m, program, thread, start_ns + i * OTHER_SLOT_NS, OTHER_SLOT_NS);
	}
	for (unsigned i = 0; i < FENCES; i++)
		add_fence(m, program, ++m->fence_seqno[program],
			  start_ns + 1000000ull * (i + 1) + random_below(m, 100000));
	m->frames++;
}

static int by_time(const void *a, const void *b)
{
	const union record *x = a;
	const union record *y = b;

	return (x->h.time_ns > y->h.time_ns) - (x->h.time_ns < y->h.time_ns);
}

static int batch_write(struct maker *m, struct err *e)
{
	qsort(m->batch, m->nr_batch, sizeof(m->batch[0]), by_time);
	for (unsigned i = 0; i < m->nr_batch; i++) {
		int rc = writer_add(m->writer, &m->batch[i].h, e);

		if (rc)
			return rc;
	}
	m->records += m->nr_batch;
	m->nr_batch = 0;
	return 0;
}

static int add_user(struct maker *m, struct fs_header *h, enum fs_kind kind, size_t size,
		    uint64_t time_ns, struct err *e)
{
	h->time_ns = time_ns;
	h->kind = (__u16)kind;
	h->size = (__u16)size;
	h->cpu = FS_CPU_NONE;
	m->records++;
	return writer_add(m->writer, h, e);
}

static int add_clock(struct maker *m, enum fs_clock_mark mark, uint64_t time_ns, struct err *e)
{
	struct fs_clock clock = {
		.boottime_ns = time_ns,
		.realtime_ns = time_ns + 1700000000000000000ull,
		.mark = mark,
	};

	return add_user(m, &clock.h, FS_KIND_CLOCK, sizeof(clock), time_ns, e);
}

/* The same for every thread: that it was there at the start, or on a CPU at the stop. */
static int add_tasks(struct maker *m, enum fs_task_op op, uint64_t time_ns, struct err *e)
{
	int rc = 0;

	for (unsigned i = 0; !rc && i < PROGRAMS * THREADS; i++) {
		unsigned program = i / THREADS;
		unsigned thread = i % THREADS;
		struct fs_task task = { .op = op };

		task.h.tid = thread_id(program, thread);
		task.h.tgid = thread_id(program, 0);
		if (op == FS_TASK_SEEN) {
			task.parent = 1;
			snprintf(task.comm, sizeof(task.comm), "thread-%u-%u", program, thread);
		} else {
			task.off_seq = m->offcpu_seq[program][thread];
			task.span_seq = thread == RENDER ? m->span_seq[program] : 0;
		}
		rc = add_user(m, &task.h, FS_KIND_TASK, sizeof(task), time_ns, e);
	}
	return rc;
}

/* The records that a recording begins with. */
static int add_preamble(struct maker *m, struct err *e)
{
	static const struct {
		enum point id;
		enum fs_role role;
		const char *lib;
		const char *symbol;
	} points[] = {
		{ POINT_SWAP, FS_ROLE_SWAP, "/usr/lib/libEGL.so.1", "eglSwapBuffers" },
		{ POINT_QUEUE, FS_ROLE_QUEUE, "/usr/lib/libgui.so", "queueBuffer" },
		{ POINT_DEQUEUE, FS_ROLE_DEQUEUE, "/usr/lib/libgui.so", "dequeueBuffer" },
	};
	int rc = add_clock(m, FS_CLOCK_START, START_NS, e);

	for (size_t i = 0; !rc && i < sizeof(points) / sizeof(points[0]); i++) {
		struct fs_point point = { .id = points[i].id, .role = points[i].role };

		snprintf(point.lib, sizeof(point.lib), "%s", points[i].lib);
		snprintf(point.symbol, sizeof(point.symbol), "%s", points[i].symbol);
		rc = add_user(m, &point.h, FS_KIND_POINT, sizeof(point), START_NS, e);
	}
	if (!rc)
		rc = add_tasks(m, FS_TASK_SEEN, START_NS, e);
	return rc;
}

static int make(struct maker *m, uint64_t bytes, struct err *e)
{
	uint64_t now_ns = START_NS;
	int rc = add_preamble(m, e);

	for (unsigned n = 1; !rc && writer_bytes(m->writer) < bytes; n++) {
		for (unsigned program = 0; program < PROGRAMS; program++)
			add_frame(m, program, now_ns);
		rc = batch_write(m, e);
		now_ns += FRAME_NS;
		if (!rc && n % ROUND_FRAMES == 0)
			rc = writer_round(m->writer, now_ns, e);
	}
	if (!rc)
		rc = add_tasks(m, FS_TASK_LAST, now_ns, e);
	if (!rc)
		rc = add_clock(m, FS_CLOCK_STOP, now_ns, e);
	if (!rc)
		rc = writer_round(m->writer, now_ns, e);
	bytes = writer_bytes(m->writer);

	struct err close_error = { 0 };
	int close_rc = writer_close(m->writer, now_ns, rc ? &close_error : e);

	if (rc || close_rc)
		return -1;
	printf("%llu %llu %llu\n", (unsigned long long)m->records, (unsigned long long)m->frames,
	       (unsigned long long)bytes);
	return 0;
}

int main(int argc, char **argv)
{
	static struct maker maker = { .random = 88172645463325252ull };
	struct err e = { 0 };
	double gib = argc == 3 ? strtod(argv[2], NULL) : 0;

	if (gib <= 0 || gib > 1024) {
		fprintf(stderr, "usage: make_capture OUT GIB\n");
		return 2;
	}
	if (writer_open(argv[1], CPUS, FS_ARCH_X86_64, &maker.writer, &e) ||
	    make(&maker, (uint64_t)(gib * 1073741824.0), &e)) {
		err_print(&e);
		return 1;
	}
	return 0;
}
