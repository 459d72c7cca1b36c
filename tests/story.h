/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Made-up captures whose truth is known: threads that draw to two surfaces each, leave the CPU for
 * all kinds of reasons, inside and outside of dequeues, and exit.
 */
#ifndef TESTS_STORY_H
#define TESTS_STORY_H

#include "events.h"

#define THREADS 3
#define SURFACES 2 /* per thread */
#define FRAMES 60 /* per thread */
#define START 1000000

union record {
	struct fs_header h;
	struct fs_offcpu off;
	struct fs_span span;
	struct fs_task task;
	struct fs_clock clock;
	struct fs_lost lost;
	struct fs_fence fence;
	struct fs_fence_ref ref;
	struct fs_fence_name name;
	struct fs_point point;
	struct fs_timeline timeline;
	uint64_t words[64];
};
_Static_assert(sizeof(union record) == 64 * 8, "every kind fits");

struct piece {
	uint32_t tid;
	uint64_t from;
	uint64_t to;
	enum budget_part part;
};

struct truth_frame {
	uint32_t tid;
	uint64_t surface;
	uint64_t start_ns;
	uint64_t end_ns;
	uint64_t swap_ns;
	uint64_t dequeue_ns;
	bool first;
};

#define RECORDS_MAX 65536

struct story {
	union record *records;
	size_t nr_records;
	struct piece *pieces;
	size_t nr_pieces;
	struct truth_frame *frames;
	size_t nr_frames;
};

/* One thread while its story is made up. */
struct actor {
	struct story *story;
	uint32_t tid;
	uint64_t now;
	uint32_t off_seq;
	uint32_t span_seq;
	uint32_t depth;
};

static uint64_t random_state;

static inline uint64_t random64(void)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return random_state * 0x2545f4914f6cdd1du;
}

static inline uint64_t below(uint64_t n)
{
	return (random64() >> 11) % n;
}

static inline union record *add(struct story *s, uint16_t kind, uint16_t size, uint64_t at,
				uint32_t tid)
{
	if (s->nr_records == RECORDS_MAX)
		abort();

	union record *r = &s->records[s->nr_records++];

	memset(r, 0, sizeof(*r));
	r->h = (struct fs_header){
		.time_ns = at, .tid = tid, .tgid = tid / 10 * 10, .kind = kind, .size = size
	};
	return r;
}

static inline void piece(struct actor *a, uint64_t ns, enum budget_part part)
{
	if (a->story->nr_pieces == RECORDS_MAX * 4)
		abort();
	a->story->pieces[a->story->nr_pieces++] =
		(struct piece){ .tid = a->tid, .from = a->now, .to = a->now + ns, .part = part };
	a->now += ns;
}

static inline void run(struct actor *a)
{
	piece(a, 1 + below(500), BUDGET_RUNNING);
}

/* Leave the CPU once; a wait for another thread inside a dequeue is a slot wait. */
static inline void leave(struct actor *a, bool in_dequeue)
{
	static const struct {
		uint8_t call, file;
		enum budget_part part;
	} kinds[] = {
		{ FS_CALL_FUTEX, FS_FILE_NONE, BUDGET_LOCK },
		{ FS_CALL_IOCTL, FS_FILE_BINDER, BUDGET_BINDER },
		{ FS_CALL_READ, FS_FILE_SOCKET, BUDGET_IPC },
		{ FS_CALL_POLL, FS_FILE_SYNC_FILE, BUDGET_FENCE },
		{ FS_CALL_READ, FS_FILE_REGULAR, BUDGET_IO },
		{ FS_CALL_SLEEP, FS_FILE_NONE, BUDGET_SLEEP },
		{ FS_CALL_OTHER, FS_FILE_NONE, BUDGET_OTHER },
	};
	struct fs_offcpu off = { .out_ns = a->now, .seq = ++a->off_seq, .fd = -1 };

	if (!below(4)) {
		off.flags = FS_OFF_PREEMPTED;
		off.peer_tid = 1 + (uint32_t)below(4);
		piece(a, below(300), BUDGET_RUNNABLE);
	} else {
		size_t kind = below(sizeof(kinds) / sizeof(kinds[0]));
		enum budget_part part = kinds[kind].part;

		if (in_dequeue &&
		    (part == BUDGET_LOCK || part == BUDGET_BINDER || part == BUDGET_IPC))
			part = BUDGET_SLOT;
		off.call = kinds[kind].call;
		off.file = kinds[kind].file;
		off.nfds = kinds[kind].file != FS_FILE_NONE;
		off.state = 1;
		off.context = (uint8_t)below(FS_CTX_NR);
		off.peer_tid = (uint32_t)below(5);
		piece(a, below(1000), part);
		if (below(8)) {
			off.waking_ns = a->now;
			piece(a, below(200), BUDGET_RUNNABLE);
		}
	}

	union record *r = add(a->story, FS_KIND_OFFCPU, sizeof(off), a->now, a->tid);

	off.h = r->h;
	r->off = off;
}

static inline void some_leaves(struct actor *a, bool in_dequeue)
{
	for (uint64_t n = below(4); n > 0; n--) {
		run(a);
		leave(a, in_dequeue);
	}
	run(a);
}

static inline void returns(struct actor *a, enum fs_role role, uint64_t entry, uint64_t arg0,
			   uint64_t arg1)
{
	union record *r = add(a->story, FS_KIND_SPAN, sizeof(r->span), a->now, a->tid);

	r->span.entry_ns = entry;
	r->span.point = role;
	r->span.seq = ++a->span_seq;
	r->span.depth = a->depth;
	r->span.off_seq = a->off_seq;
	r->span.args[0] = arg0;
	r->span.args[1] = arg1;
}

static inline void dequeue(struct actor *a, uint64_t window)
{
	uint64_t entry = a->now;

	a->depth++;
	some_leaves(a, true);
	if (below(2)) {
		uint64_t slot = a->now;

		a->depth++;
		some_leaves(a, true);
		a->depth--;
		returns(a, FS_ROLE_SLOT, slot, 0, 0);
		run(a);
	}
	a->depth--;
	returns(a, FS_ROLE_DEQUEUE, entry, window, 0);
}

static inline void frame(struct actor *a, uint64_t surface)
{
	struct story *s = a->story;
	struct truth_frame f = {
		.tid = a->tid, .surface = surface, .start_ns = START, .first = true
	};
	uint64_t entry;

	for (size_t i = s->nr_frames; i-- > 0;) {
		if (s->frames[i].tid == a->tid && s->frames[i].surface == surface) {
			f.start_ns = s->frames[i].end_ns;
			f.first = false;
			break;
		}
	}
	some_leaves(a, false);
	entry = a->now;
	a->depth++;
	some_leaves(a, false);

	uint64_t queue = a->now;

	a->depth++;
	some_leaves(a, false);
	a->depth--;
	returns(a, FS_ROLE_QUEUE, queue, surface * 3, 0);
	run(a);
	if (below(2)) {
		uint64_t begin = a->now;

		dequeue(a, surface * 3);
		f.dequeue_ns = a->now - begin;
		run(a);
	}
	a->depth--;
	returns(a, FS_ROLE_SWAP, entry, 0, surface);
	f.end_ns = a->now;
	f.swap_ns = a->now - entry;
	s->frames[s->nr_frames++] = f;
}

static inline void mark(struct story *s, uint32_t which, uint64_t at)
{
	add(s, FS_KIND_CLOCK, sizeof(struct fs_clock), at, 0)->clock.mark = which;
}

static inline int by_time(const void *pa, const void *pb)
{
	const union record *a = pa, *b = pb;

	if (a->h.time_ns != b->h.time_ns)
		return a->h.time_ns > b->h.time_ns ? 1 : -1;
	/* In the order of a thread's own records. */
	if (a->h.kind == b->h.kind && a->h.tid == b->h.tid && a->h.kind == FS_KIND_OFFCPU)
		return a->off.seq > b->off.seq ? 1 : -1;
	return (a->h.kind < b->h.kind) - (a->h.kind > b->h.kind);
}

/* Returns the stop. */
static inline uint64_t make_story(struct story *s, uint64_t seed)
{
	uint64_t stop = 0;

	random_state = seed * 0x9e3779b97f4a7c15u + 1;
	s->nr_records = s->nr_pieces = s->nr_frames = 0;
	mark(s, FS_CLOCK_START, START);
	for (uint32_t role = 1; role < FS_ROLE_NR; role++) {
		union record *r = add(s, FS_KIND_POINT, sizeof(r->point), START, 0);

		r->point.id = role;
		r->point.role = role;
	}
	for (uint32_t i = 0; i < THREADS; i++) {
		struct actor a = { .story = s, .tid = 100 + i * 7, .now = START };

		add(s, FS_KIND_TASK, sizeof(struct fs_task), START, a.tid)->task.op = FS_TASK_SEEN;
		for (unsigned n = 0; n < FRAMES; n++)
			frame(&a, 0x1000 + below(SURFACES));
		some_leaves(&a, false);

		union record *r = add(s, FS_KIND_TASK, sizeof(r->task), a.now, a.tid);

		r->task.op = FS_TASK_EXIT;
		r->task.off_seq = a.off_seq;
		r->task.span_seq = a.span_seq;
		if (a.now > stop)
			stop = a.now;
	}
	mark(s, FS_CLOCK_STOP, stop + 1);
	qsort(s->records, s->nr_records, sizeof(*s->records), by_time);
	return stop + 1;
}

/* Feed it to the model, which then ends. */
static inline void tell(const struct story *s, struct model *m)
{
	for (size_t i = 0; i < s->nr_records; i++)
		CU_ASSERT_EQUAL_FATAL(model_feed(m, &s->records[i].h), 0);
	CU_ASSERT_EQUAL_FATAL(model_finish(m), 0);
}

/* Leave out one in `odds` of the records of the given kinds (1u << enum fs_kind). */
static inline void drop(struct story *s, uint64_t odds, unsigned kinds)
{
	size_t kept = 0;

	for (size_t i = 0; i < s->nr_records; i++)
		if (!(kinds >> s->records[i].h.kind & 1) || below(odds))
			s->records[kept++] = s->records[i];
	s->nr_records = kept;
}

/* A value that is likely to be met somewhere, or to overflow. */
static inline uint64_t garbage(void)
{
	switch (below(6)) {
	case 0:
		return 0;
	case 1:
		return UINT64_MAX;
	case 2:
		return random64();
	case 3:
		return below(8);
	case 4:
		return START + below(1000000);
	default:
		return UINT64_C(1) << below(64);
	}
}

/* A record of one of the kinds; each word behind the header is a small number or garbage. */
static inline union record *add_random(struct story *s, const uint16_t (*kinds)[2], size_t nr,
				       uint64_t now, uint32_t tid)
{
	size_t kind = below(nr);
	union record *r = add(s, kinds[kind][0], kinds[kind][1], now, tid);

	for (size_t i = 3; i < r->h.size / 8; i++)
		r->words[i] = below(3) ? below(8) : garbage();
	return r;
}

static inline void open_story(struct story *s)
{
	s->records = malloc(RECORDS_MAX * sizeof(*s->records));
	s->pieces = malloc(RECORDS_MAX * 4 * sizeof(*s->pieces));
	s->frames = malloc(THREADS * FRAMES * sizeof(*s->frames));
	if (!s->records || !s->pieces || !s->frames)
		abort();
}

static inline void close_story(struct story *s)
{
	free(s->records);
	free(s->pieces);
	free(s->frames);
}

#endif
