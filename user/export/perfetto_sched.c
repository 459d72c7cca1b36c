/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* From off-CPU intervals to switches and wakings. */
#include "export/perfetto_sched.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Task states of the kernel. */
#define TASK_REPORTED 0x7fu /* those that a trace shows as they are */
#define TASK_UNINTERRUPTIBLE 0x2u
#define EXIT_DEAD 0x10u
#define TASK_PARKED 0x40u
#define TASK_DEAD 0x80u
#define TASK_NOLOAD 0x400u
#define TASK_RTLOCK_WAIT 0x1000u
#define TASK_FROZEN 0x8000u
#define TASK_IDLE (TASK_UNINTERRUPTIBLE | TASK_NOLOAD)

/* What the trace event makes of them, from 4.14 on, and before that. */
#define REPORT_IDLE 0x80
#define REPORT_PREEMPTED 0x100
#define OLD_PARKED 0x200
#define OLD_IDLE TASK_IDLE
#define OLD_PREEMPTED 0x800

/* Bits of common_flags. */
#define FLAG_HARDIRQ 0x08u
#define FLAG_SOFTIRQ 0x10u

#define STAND_IN "not watched"

struct sched_switch {
	uint64_t ns; /* BOOTTIME */
	int64_t prev_state;
	int32_t next;
	uint16_t order; /* of its coming, among those of one time */
	uint16_t older; /* the one before whose time lies in the same place; 0: none, else plus 1 */
	char comm[FS_COMM_LEN];
};

struct sched_wake {
	uint64_t ns; /* BOOTTIME */
	int32_t waker;
	int32_t wakee;
	int32_t target_cpu;
	bool flagged; /* it is known where the waking came from: flags are valid */
	uint32_t flags;
	char comm[FS_COMM_LEN];
};

struct sched_cpu {
	uint32_t id;
	bool named; /* its stand-in has a name */
	bool begun; /* switches were written */
	bool lost; /* events, since the last bundle */
	uint64_t flushed_ns; /* BOOTTIME of the latest switch that was written */
	struct out_thread *current; /* the watched thread that came in last, and is there yet */
	struct out_thread *before; /* with which current's coming in is kept; NULL: it is written */
	unsigned nr_switches, nr_wakes;
	uint16_t places[BUNDLE_MAX]; /* of times: the latest switch there; 0: none, else plus 1 */
	struct sched_switch switches[BUNDLE_MAX];
	struct sched_wake wakes[BUNDLE_MAX];
};

_Static_assert(BUNDLE_MAX < UINT16_MAX, "a switch's number plus 1 fits 16 bits");
_Static_assert(!(BUNDLE_MAX & (BUNDLE_MAX - 1)), "a power of two");

void sched_begin(struct sched *s, struct tracks *t)
{
	s->tracks = t;
	s->packets = t->packets;
}

void sched_free(struct sched *s)
{
	for (unsigned i = 0; i < SCHED_CPUS; i++)
		free(s->cpus[i]);
}

void sched_clock(struct sched *s, uint64_t monotonic_ns, uint64_t boottime_ns)
{
	s->clocks[s->nr_clocks++ & (CLOCKS_NR - 1)] =
		(struct sched_clock){ monotonic_ns, boottime_ns };
}

/* By the last record of the clocks at or before that time, as trace_processor does it. */
static uint64_t boottime(const struct sched *s, uint64_t ns)
{
	unsigned oldest = s->nr_clocks > CLOCKS_NR ? s->nr_clocks - CLOCKS_NR : 0;
	const struct sched_clock *clock = NULL;

	for (unsigned i = s->nr_clocks; i-- > oldest;) {
		clock = &s->clocks[i & (CLOCKS_NR - 1)];
		if (clock->monotonic_ns <= ns)
			break;
	}
	return clock ? ns - clock->monotonic_ns + clock->boottime_ns : ns;
}

/* The state that a trace event would have had. */
static int64_t shown_state(const struct sched *s, const struct fs_offcpu *rec)
{
	uint32_t state = rec->state;

	if (rec->flags & FS_OFF_PREEMPTED)
		return s->has_release ? REPORT_PREEMPTED : OLD_PREEMPTED;
	if ((state & TASK_IDLE) == TASK_IDLE)
		return s->has_release ? REPORT_IDLE : OLD_IDLE;
	if (state & (TASK_RTLOCK_WAIT | TASK_FROZEN))
		return TASK_UNINTERRUPTIBLE;
	if (state & TASK_DEAD)
		return EXIT_DEAD;
	if (state & TASK_PARKED)
		return s->has_release ? TASK_PARKED : OLD_PARKED;
	return state & TASK_REPORTED;
}

static int by_time(const void *a, const void *b)
{
	const struct sched_switch *x = a, *y = b;

	if (x->ns != y->ns)
		return x->ns > y->ns ? 1 : -1;
	return x->order > y->order ? 1 : -1;
}

/* The bundle's arrays, as protobuf-c wants them. One of each is enough: bundles are not nested. */
struct columns {
	unsigned nr;
	uint64_t ns[BUNDLE_MAX + 1];
	int64_t state[BUNDLE_MAX + 1];
	int32_t next[BUNDLE_MAX + 1];
	int32_t prio[BUNDLE_MAX + 1];
	uint32_t comm[BUNDLE_MAX + 1];
	char *comms[BUNDLE_MAX + 1];
	unsigned nr_comms;
};

/* The index of the name in the bundle's table; few threads take turns on a CPU. */
static uint32_t comm_index(struct columns *c, char *comm)
{
	for (unsigned i = c->nr_comms; i-- > 0 && i + 32 > c->nr_comms;)
		if (!strcmp(c->comms[i], comm))
			return i;
	c->comms[c->nr_comms] = comm;
	return c->nr_comms++;
}

static void add_switch(struct columns *c, uint64_t delta_ns, int64_t state, int32_t next,
		       char *comm)
{
	c->ns[c->nr] = delta_ns;
	c->state[c->nr] = state;
	c->next[c->nr] = next;
	c->prio[c->nr] = 0; /* not recorded */
	c->comm[c->nr] = comm_index(c, comm);
	c->nr++;
}

/*
 * trace_processor takes of a CPU's first switch no more than who came in: that is the stand-in, for
 * what ran before is not known.
 */
static void fill_columns(struct columns *c, struct sched_cpu *cpu,
			 Perfetto__FtraceEventBundle__CompactSched *compact)
{
	static char stand_in[] = STAND_IN;
	uint64_t last = 0;

	qsort(cpu->switches, cpu->nr_switches, sizeof(cpu->switches[0]), by_time);
	if (!cpu->begun && cpu->switches[0].ns) {
		last = cpu->switches[0].ns - 1;
		add_switch(c, last, 0, (int32_t)(SCHED_NOT_WATCHED + cpu->id), stand_in);
	}
	cpu->begun = true;
	for (unsigned i = 0; i < cpu->nr_switches; i++) {
		struct sched_switch *w = &cpu->switches[i];

		add_switch(c, w->ns - last, w->prev_state, w->next, w->comm);
		last = w->ns;
	}
	if (last > cpu->flushed_ns)
		cpu->flushed_ns = last;
	compact->n_switch_timestamp = compact->n_switch_prev_state = c->nr;
	compact->n_switch_next_pid = compact->n_switch_next_prio = c->nr;
	compact->n_switch_next_comm_index = c->nr;
	compact->switch_timestamp = c->ns;
	compact->switch_prev_state = c->state;
	compact->switch_next_pid = c->next;
	compact->switch_next_prio = c->prio;
	compact->switch_next_comm_index = c->comm;
	compact->n_intern_table = c->nr_comms;
	compact->intern_table = c->comms;
}

struct wakings {
	Perfetto__FtraceEvent *all[BUNDLE_MAX];
	Perfetto__FtraceEvent events[BUNDLE_MAX];
	Perfetto__SchedWakeEvent bodies[BUNDLE_MAX];
};

static void fill_wakings(struct wakings *to, struct sched_cpu *cpu)
{
	for (unsigned i = 0; i < cpu->nr_wakes; i++) {
		struct sched_wake *w = &cpu->wakes[i];
		Perfetto__FtraceEvent *event = &to->events[i];
		Perfetto__SchedWakeEvent *body = &to->bodies[i];

		perfetto__ftrace_event__init(event);
		perfetto__sched_wake_event__init(body);
		event->has_timestamp = event->has_pid = 1;
		event->timestamp = w->ns;
		event->pid = (uint32_t)w->waker;
		event->has_common_flags = w->flagged;
		event->common_flags = w->flags;
		event->sched_waking = body;
		body->comm = *w->comm ? w->comm : NULL;
		body->has_pid = body->has_target_cpu = 1;
		body->pid = w->wakee;
		body->target_cpu = w->target_cpu;
		to->all[i] = event;
	}
}

/* The stand-in's name goes before the first bundle. */
static void name_stand_in(struct sched *s, struct sched_cpu *cpu)
{
	uint32_t tid = SCHED_NOT_WATCHED + cpu->id;
	Perfetto__ProcessTree tree = PERFETTO__PROCESS_TREE__INIT;
	Perfetto__ProcessTree__Thread thread = PERFETTO__PROCESS_TREE__THREAD__INIT;
	Perfetto__ProcessTree__Thread *threads = &thread;
	Perfetto__TracePacket packet = PERFETTO__TRACE_PACKET__INIT;

	cpu->named = true;
	thread.has_tid = 1;
	thread.tid = (int32_t)tid;
	thread.name = (char *)STAND_IN;
	tree.n_threads = 1;
	tree.threads = &threads;
	packet.process_tree = &tree;
	packets_put(s->packets, &packet);
}

/* 0 or -ENOMEM. */
static int write_bundle(struct sched *s, struct sched_cpu *cpu)
{
	Perfetto__TracePacket packet = PERFETTO__TRACE_PACKET__INIT;
	Perfetto__FtraceEventBundle bundle = PERFETTO__FTRACE_EVENT_BUNDLE__INIT;
	Perfetto__FtraceEventBundle__CompactSched compact =
		PERFETTO__FTRACE_EVENT_BUNDLE__COMPACT_SCHED__INIT;
	struct {
		struct columns columns;
		struct wakings wakings;
	} * room;

	if (!cpu->nr_switches && !cpu->nr_wakes && !cpu->lost)
		return 0;
	room = malloc(sizeof(*room));
	if (!room)
		return -ENOMEM;
	if (!cpu->named)
		name_stand_in(s, cpu);
	room->columns.nr = 0;
	room->columns.nr_comms = 0;
	bundle.has_cpu = 1;
	bundle.cpu = cpu->id;
	bundle.has_lost_events = cpu->lost;
	bundle.lost_events = cpu->lost;
	if (cpu->nr_switches) {
		fill_columns(&room->columns, cpu, &compact);
		bundle.compact_sched = &compact;
	}
	fill_wakings(&room->wakings, cpu);
	bundle.n_event = cpu->nr_wakes;
	bundle.event = room->wakings.all;
	packet.ftrace_events = &bundle;
	packets_put(s->packets, &packet);
	cpu->nr_switches = cpu->nr_wakes = 0;
	memset(cpu->places, 0, sizeof(cpu->places));
	cpu->lost = false;
	free(room);
	return 0;
}

/* NULL in *out: it is none that a trace can have. 0 or -ENOMEM. */
static int get_cpu(struct sched *s, uint32_t id, struct sched_cpu **out)
{
	*out = id < SCHED_CPUS ? s->cpus[id] : NULL;
	if (*out || id >= SCHED_CPUS)
		return 0;
	*out = s->cpus[id] = calloc(1, sizeof(**out));
	if (!*out)
		return -ENOMEM;
	(*out)->id = id;
	s->nr_cpus++;
	return 0;
}

/* How many switches, and wakings, each CPU may have before they are written. */
static unsigned bundle_limit(const struct sched *s)
{
	return s->nr_cpus > SCHED_FULL_CPUS ? BUNDLE_MAX * SCHED_FULL_CPUS / s->nr_cpus
					    : BUNDLE_MAX;
}

static uint16_t *time_place(struct sched_cpu *cpu, uint64_t ns)
{
	return &cpu->places[ns * UINT64_C(0x9e3779b97f4a7c15) >> 32 & (BUNDLE_MAX - 1)];
}

/* `next` 0: the stand-in. 0 or -ENOMEM. */
static int put_switch(struct sched *s, struct sched_cpu *cpu, uint64_t ns, int64_t prev_state,
		      uint32_t next, const char *comm)
{
	struct sched_switch *w;
	uint16_t *place;
	int err = cpu->nr_switches >= bundle_limit(s) ? write_bundle(s, cpu) : 0;

	if (err)
		return err;
	s->used = true;
	ns = boottime(s, ns);
	place = time_place(cpu, ns);
	w = &cpu->switches[cpu->nr_switches];
	*w = (struct sched_switch){
		.ns = ns,
		.prev_state = prev_state,
		.next = (int32_t)(next ? next : SCHED_NOT_WATCHED + cpu->id),
		.order = (uint16_t)cpu->nr_switches++,
		.older = *place,
	};
	*place = (uint16_t)cpu->nr_switches;
	memcpy(w->comm, next ? comm : STAND_IN, next ? FS_COMM_LEN : sizeof(STAND_IN));
	return 0;
}

/*
 * Who came in behind `thread` is written; it left in that state, or had left before. 0 or -ENOMEM.
 */
static int release_next(struct sched *s, struct sched_cpu *cpu, struct sched_thread *t,
			int64_t state)
{
	uint32_t tid = t->next_tid;

	t->next_tid = 0;
	if (cpu->before && &cpu->before->sched == t)
		cpu->before = NULL;
	return put_switch(s, cpu, t->next_ns, state, tid, t->next_comm);
}

/* The latest switch at that time (BOOTTIME) that is not written yet. */
static struct sched_switch *find_switch(struct sched_cpu *cpu, uint64_t ns)
{
	for (unsigned i = *time_place(cpu, ns); i; i = cpu->switches[i - 1].older)
		if (cpu->switches[i - 1].ns == ns)
			return &cpu->switches[i - 1];
	return NULL;
}

/* The thread, which is on that CPU, left it as the record says. 0 or -ENOMEM. */
static int leave(struct sched *s, struct sched_cpu *cpu, struct out_thread *thread,
		 const struct fs_offcpu *rec)
{
	struct sched_thread *t = &thread->sched;
	int64_t state = shown_state(s, rec);
	/* Whoever took its place without having been seen to follow it may have come in then. */
	bool taken =
		cpu->current && cpu->current != thread && cpu->current->sched.in_ns == rec->out_ns;
	struct sched_switch *arrival =
		cpu->current == thread ? NULL : find_switch(cpu, boottime(s, rec->out_ns));
	int err = 0;

	t->on = false;
	if (cpu->current == thread)
		cpu->current = NULL;
	if (t->next_tid && t->next_ns <= rec->out_ns)
		return release_next(s, cpu, t, state);
	if (arrival)
		arrival->prev_state = state;
	else if (!taken)
		err = put_switch(s, cpu, rec->out_ns, state, 0, NULL);
	if (!err && t->next_tid)
		err = release_next(s, cpu, t, 0);
	return err;
}

/*
 * The thread's leaving will not become known, but for that it had left by `by` (UINT64_MAX: not
 * even that). Who came in behind it is written. 0 or -ENOMEM.
 */
static int give_up(struct sched *s, struct out_thread *thread, uint64_t by)
{
	struct sched_thread *t = &thread->sched;
	struct sched_cpu *cpu = t->on ? s->cpus[t->cpu] : NULL;
	int err = 0;

	if (!cpu)
		return 0;
	t->on = false;
	if (cpu->current == thread)
		cpu->current = NULL;
	if (by != UINT64_MAX && by > t->in_ns && (!t->next_tid || t->next_ns > by))
		err = put_switch(s, cpu, by, 0, 0, NULL);
	return !err && t->next_tid ? release_next(s, cpu, t, 0) : err;
}

/* The thread came in. 0 or -ENOMEM. */
static int arrive(struct sched *s, struct sched_cpu *cpu, struct out_thread *thread, uint64_t ns,
		  uint32_t seq)
{
	struct out_thread *current = cpu->current;
	struct sched_thread *t = &thread->sched;

	t->on = true;
	t->cpu = cpu->id;
	t->in_ns = ns;
	t->seq = seq;
	cpu->current = thread;
	cpu->before = current;
	if (!current)
		return put_switch(s, cpu, ns, 0, thread->tid, thread->comm);
	current->sched.next_tid = thread->tid;
	current->sched.next_ns = ns;
	memcpy(current->sched.next_comm, thread->comm, sizeof(thread->comm));
	return 0;
}

/*
 * A thread left that was not seen to come in. No more is known than that it was there until then,
 * and so in the ns before. Among switches that are written already, nothing can be put in order.
 */
static int leave_unseen(struct sched *s, struct sched_cpu *cpu, struct out_thread *thread,
			const struct fs_offcpu *rec)
{
	uint64_t ns = boottime(s, rec->out_ns);
	int64_t state = shown_state(s, rec);
	struct sched_switch *arrival;
	int err;

	if (ns <= cpu->flushed_ns + 1)
		return 0;
	/* Nobody that came in before has the CPU any more. */
	if (cpu->current && cpu->current->sched.in_ns < rec->out_ns)
		cpu->current = NULL;
	if (cpu->nr_switches + 2 > bundle_limit(s)) {
		err = write_bundle(s, cpu);
		if (err || ns <= cpu->flushed_ns + 1)
			return err;
	}
	arrival = find_switch(cpu, ns);
	if (arrival)
		arrival->prev_state = state;
	err = put_switch(s, cpu, rec->out_ns - 1, 0, thread->tid, thread->comm);
	if (err || arrival)
		return err;
	if (cpu->before && cpu->before->sched.next_ns == rec->out_ns)
		return release_next(s, cpu, &cpu->before->sched, state);
	return put_switch(s, cpu, rec->out_ns, state, 0, NULL);
}

/*
 * Who wakes a watched thread need not be watched, and then has no record of its own: its name is
 * known from those that it woke.
 */
static void name_waker(struct sched *s, const struct fs_offcpu *rec)
{
	const struct out_thread *known = tracks_find(s->tracks, rec->peer_tid);
	struct sched_waker *w = &s->wakers[rec->peer_tid & (WAKERS_NR - 1)];
	char comm[FS_COMM_LEN + 1] = { 0 };

	if (!*rec->peer_comm || (known && known->tgid && *known->comm && !known->exited))
		return;
	if (w->tid == rec->peer_tid && !memcmp(w->comm, rec->peer_comm, FS_COMM_LEN))
		return;
	w->tid = rec->peer_tid;
	memcpy(w->comm, rec->peer_comm, FS_COMM_LEN);
	memcpy(comm, rec->peer_comm, FS_COMM_LEN);
	tracks_name(s->tracks, rec->waking_ns, rec->peer_tid, rec->peer_tgid, 0, comm);
}

static int put_waking(struct sched *s, const struct out_thread *thread, const struct fs_offcpu *rec)
{
	bool early = rec->flags & FS_OFF_WOKEN_EARLY;
	uint32_t left = rec->cpu_out < SCHED_CPUS ? rec->cpu_out : rec->h.cpu;
	uint32_t id = rec->cpu_waking >= 0 ? (uint32_t)rec->cpu_waking : rec->h.cpu;
	bool task = rec->context == FS_CTX_TASK || rec->context == FS_CTX_UNKNOWN;
	bool seen = task && rec->peer_tid && !(rec->flags & FS_OFF_PREEMPTED);
	struct sched_cpu *cpu;
	struct sched_wake *w;
	int err;

	/* Of two events at one time, on the same CPU the first stays the first. */
	err = get_cpu(s, early ? left : id, &cpu);
	if (err || !cpu)
		return err;
	if (cpu->nr_wakes >= bundle_limit(s)) {
		err = write_bundle(s, cpu);
		if (err)
			return err;
	}
	if (seen)
		name_waker(s, rec);
	w = &cpu->wakes[cpu->nr_wakes++];
	*w = (struct sched_wake){
		.ns = boottime(s, rec->waking_ns),
		.waker = seen ? (int32_t)rec->peer_tid
			      : (int32_t)(SCHED_NOT_WATCHED + (id < SCHED_CPUS ? id : 0)),
		.wakee = (int32_t)thread->tid,
		.target_cpu = (int32_t)left,
		.flagged = rec->context != FS_CTX_UNKNOWN,
		.flags = rec->context == FS_CTX_HARDIRQ   ? FLAG_HARDIRQ
			 : rec->context == FS_CTX_SOFTIRQ ? FLAG_SOFTIRQ
							  : 0,
	};
	memcpy(w->comm, thread->comm, sizeof(w->comm));
	return 0;
}

/* Its leaving, unless that was before the capture or it had never run. */
static int take_out(struct sched *s, struct out_thread *thread, const struct fs_offcpu *rec)
{
	struct sched_thread *t = &thread->sched;
	struct sched_cpu *cpu;
	int err;

	if (rec->flags & (FS_OFF_NO_START | FS_OFF_NEW) || !rec->out_ns)
		return give_up(s, thread, UINT64_MAX);
	/* It can't have come to another CPU but by an interval that is not lost. */
	if (t->on && rec->out_ns >= t->in_ns && rec->seq == t->seq + 1)
		return leave(s, s->cpus[t->cpu], thread, rec);
	err = get_cpu(s, rec->cpu_out, &cpu);
	if (err || !cpu)
		return err ? err : give_up(s, thread, UINT64_MAX);
	/* It was here in the ns before it left, and so no more elsewhere. */
	err = give_up(s, thread, rec->out_ns - 2);
	return err ? err : leave_unseen(s, cpu, thread, rec);
}

int sched_offcpu(struct sched *s, const struct fs_offcpu *rec)
{
	struct out_thread *thread = tracks_thread(s->tracks, rec->h.tid, rec->h.tgid);
	struct sched_cpu *cpu;
	int err;

	if (!thread)
		return 0;
	err = take_out(s, thread, rec);
	if (!err && rec->waking_ns)
		err = put_waking(s, thread, rec);
	if (err || rec->flags & (FS_OPEN | FS_OFF_NO_END))
		return err;
	err = get_cpu(s, rec->h.cpu, &cpu);
	return err || !cpu ? err : arrive(s, cpu, thread, rec->h.time_ns, rec->seq);
}

int sched_lost(struct sched *s, uint32_t id)
{
	struct sched_cpu *cpu;
	int err = get_cpu(s, id, &cpu);

	if (cpu)
		cpu->lost = true;
	return err;
}

int sched_forget(struct sched *s, struct out_thread *thread)
{
	return give_up(s, thread, UINT64_MAX);
}

struct ending {
	struct sched *sched;
	int err;
};

static void end_thread(void *ctx, struct out_thread *thread)
{
	struct ending *e = ctx;

	if (!e->err)
		e->err = give_up(e->sched, thread, UINT64_MAX);
}

int sched_end(struct sched *s)
{
	struct ending e = { .sched = s };

	tracks_each(s->tracks, end_thread, &e);
	for (unsigned i = 0; i < SCHED_CPUS && !e.err; i++)
		if (s->cpus[i])
			e.err = write_bundle(s, s->cpus[i]);
	return e.err;
}
