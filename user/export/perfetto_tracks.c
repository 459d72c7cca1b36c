/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Tracks, and the threads and processes that they belong to. */
#include "export/perfetto_tracks.h"

#include <stdio.h>
#include <stdlib.h>

#include "proto/vocabulary.h"

#define ORDER_EXPLICIT 3 /* of a track's children, by their ranks */

static const struct {
	const char *name;
	int32_t rank;
} thread_places[LANES_NR] = {
	[LANES_STAGES] = { "stages", 1 },   [LANES_CALLS] = { "calls", 2 },
	[LANES_BLOCKED] = { "blocked", 3 }, [LANES_OFFCPU] = { "off-CPU", 4 },
	[LANES_WAKINGS] = { "wakings", 5 },
};

static void put_descriptor(struct packets *p, Perfetto__TrackDescriptor *d)
{
	Perfetto__TracePacket packet = PERFETTO__TRACE_PACKET__INIT;

	packet.track_descriptor = d;
	packets_put(p, &packet);
}

static void describe(struct packets *p, uint64_t uuid, uint64_t parent, const char *name,
		     int32_t rank, enum counter_unit unit)
{
	Perfetto__TrackDescriptor d = PERFETTO__TRACK_DESCRIPTOR__INIT;
	Perfetto__CounterDescriptor counter = PERFETTO__COUNTER_DESCRIPTOR__INIT;

	d.has_uuid = 1;
	d.uuid = uuid;
	d.name = (char *)name;
	d.has_parent_uuid = parent != 0;
	d.parent_uuid = parent;
	d.has_child_ordering = 1;
	d.child_ordering = ORDER_EXPLICIT;
	d.has_sibling_order_rank = 1;
	d.sibling_order_rank = rank;
	if (unit) {
		counter.has_unit = 1;
		counter.unit = unit;
		d.counter = &counter;
	}
	put_descriptor(p, &d);
}

void tracks_begin(struct tracks *t, struct packets *p)
{
	t->packets = p;
	t->last = TRACK_FENCES;
}

void tracks_preamble(struct packets *p)
{
	describe(p, TRACK_RECORDS, 0, VOCABULARY_RECORDS, 1000, COUNTER_NONE);
	describe(p, TRACK_FENCES, 0, "fences", 0, COUNTER_NONE);
}

uint64_t track_new(struct tracks *t, uint64_t parent, const char *name, int32_t rank,
		   enum counter_unit unit)
{
	describe(t->packets, ++t->last, parent, name, rank, unit);
	return t->last;
}

void track_rename(struct tracks *t, uint64_t track, uint64_t parent, const char *name, int32_t rank,
		  enum counter_unit unit)
{
	describe(t->packets, track, parent, name, rank, unit);
}

void lanes_rename(struct tracks *t, const struct lanes *lanes, const struct lane_place *place)
{
	for (unsigned i = 0; i < lanes->nr; i++)
		track_rename(t, lanes->all[i].track, place->parent, place->name, place->rank,
			     COUNTER_NONE);
}

void lanes_free(struct lanes *lanes)
{
	free(lanes->all);
	*lanes = (struct lanes){ 0 };
}

/* The lanes grow one by one: there are few of them. */
static struct lane *add_lane(struct tracks *t, struct lanes *lanes, const struct lane_place *place)
{
	struct lane *all =
		lanes->nr == LANES_MAX ? NULL : realloc(lanes->all, (lanes->nr + 1) * sizeof(*all));

	if (!all)
		return NULL;
	lanes->all = all;
	all[lanes->nr] = (struct lane){
		.track = track_new(t, place->parent, place->name, place->rank, COUNTER_NONE),
	};
	return &all[lanes->nr++];
}

uint64_t lanes_take(struct tracks *t, struct lanes *lanes, const struct lane_place *place,
		    uint64_t from, uint64_t to)
{
	struct lane *lane = NULL;

	for (unsigned i = 0; i < lanes->nr && !lane; i++)
		if (lanes->all[i].end_ns <= from)
			lane = &lanes->all[i];
	if (!lane)
		lane = add_lane(t, lanes, place);
	if (!lane)
		return 0;
	lane->end_ns = to;
	return lane->track;
}

uint64_t lanes_take_any(struct tracks *t, struct lanes *lanes, const struct lane_place *place,
			uint64_t *from, uint64_t *to)
{
	struct lane *first;
	uint64_t track;

	if (*to < *from)
		*to = *from;
	track = lanes_take(t, lanes, place, *from, *to);
	if (track || !lanes->nr)
		return track;
	first = &lanes->all[0];
	for (unsigned i = 1; i < lanes->nr; i++)
		if (lanes->all[i].end_ns < first->end_ns)
			first = &lanes->all[i];
	*from = first->end_ns;
	if (*to < *from)
		*to = *from;
	first->end_ns = *to;
	return first->track;
}

/* It was taken for one of no process or of another, with the same number. */
static void reset_tracks(struct out_thread *thread)
{
	thread->track = 0;
	thread->track_end_ns = 0;
	for (unsigned i = 0; i < LANES_NR; i++)
		lanes_free(&thread->lanes[i]);
}

struct out_thread *tracks_find(const struct tracks *t, uint32_t tid)
{
	return idmap_get(&t->threads, tid);
}

struct out_thread *tracks_thread(struct tracks *t, uint32_t tid, uint32_t tgid)
{
	struct out_thread *thread = idmap_get(&t->threads, tid);

	if (!thread) {
		if (!tid || t->threads.nr >= EXPORT_THREADS_MAX)
			return NULL;
		thread = calloc(1, sizeof(*thread));
		if (!thread || idmap_put(&t->threads, tid, thread)) {
			free(thread);
			return NULL;
		}
		thread->tid = tid;
	}
	if (tgid && thread->tgid != tgid) {
		reset_tracks(thread);
		thread->tgid = tgid;
	}
	return thread;
}

uint64_t thread_track(struct tracks *t, struct out_thread *thread)
{
	Perfetto__TrackDescriptor d = PERFETTO__TRACK_DESCRIPTOR__INIT;
	Perfetto__ThreadDescriptor of = PERFETTO__THREAD_DESCRIPTOR__INIT;
	char name[FS_COMM_LEN + 16];

	if (thread->track)
		return thread->track;
	if (!thread->tgid) {
		snprintf(name, sizeof(name), "%.*s %u", FS_COMM_LEN,
			 *thread->comm ? thread->comm : "thread", thread->tid);
		return thread->track = track_new(t, 0, name, 100, COUNTER_NONE);
	}
	of.has_pid = of.has_tid = 1;
	of.pid = (int32_t)thread->tgid;
	of.tid = (int32_t)thread->tid;
	d.thread = &of;
	d.has_uuid = 1;
	d.uuid = thread->track = ++t->last;
	d.has_child_ordering = 1;
	d.child_ordering = ORDER_EXPLICIT;
	put_descriptor(t->packets, &d);
	return thread->track;
}

static struct lane_place place_of(struct tracks *t, struct out_thread *thread,
				  enum thread_lanes which)
{
	return (struct lane_place){
		.parent = thread_track(t, thread),
		.name = thread_places[which].name,
		.rank = thread_places[which].rank,
	};
}

uint64_t thread_lane(struct tracks *t, struct out_thread *thread, enum thread_lanes which,
		     uint64_t from, uint64_t to)
{
	const struct lane_place place = place_of(t, thread, which);

	return lanes_take(t, &thread->lanes[which], &place, from, to);
}

uint64_t thread_lane_any(struct tracks *t, struct out_thread *thread, enum thread_lanes which,
			 uint64_t *from, uint64_t *to)
{
	const struct lane_place place = place_of(t, thread, which);

	return lanes_take_any(t, &thread->lanes[which], &place, from, to);
}

uint64_t process_track(struct tracks *t, uint32_t pid)
{
	Perfetto__TrackDescriptor d = PERFETTO__TRACK_DESCRIPTOR__INIT;
	Perfetto__ProcessDescriptor of = PERFETTO__PROCESS_DESCRIPTOR__INIT;
	struct out_process *process = idmap_get(&t->processes, pid);

	if (process)
		return process->track;
	if (!pid || t->processes.nr >= EXPORT_PROCESSES_MAX)
		return 0;
	process = calloc(1, sizeof(*process));
	if (!process || idmap_put(&t->processes, pid, process)) {
		free(process);
		return 0;
	}
	process->pid = pid;
	process->track = ++t->last;
	of.has_pid = 1;
	of.pid = (int32_t)pid;
	d.process = &of;
	d.has_uuid = 1;
	d.uuid = process->track;
	d.has_child_ordering = 1;
	d.child_ordering = ORDER_EXPLICIT;
	put_descriptor(t->packets, &d);
	return process->track;
}

void tracks_name(struct tracks *t, uint64_t ns, uint32_t tid, uint32_t tgid, uint32_t ppid,
		 const char *name)
{
	Perfetto__ProcessTree tree = PERFETTO__PROCESS_TREE__INIT;
	Perfetto__ProcessTree__Process process = PERFETTO__PROCESS_TREE__PROCESS__INIT;
	Perfetto__ProcessTree__Thread thread = PERFETTO__PROCESS_TREE__THREAD__INIT;
	Perfetto__TracePacket packet = PERFETTO__TRACE_PACKET__INIT;
	Perfetto__ProcessTree__Process *processes = &process;
	Perfetto__ProcessTree__Thread *threads = &thread;
	char *cmdline = (char *)name;

	if (tid == tgid) {
		process.has_pid = 1;
		process.pid = (int32_t)tgid;
		process.has_ppid = ppid != 0;
		process.ppid = (int32_t)ppid;
		process.n_cmdline = *name != '\0';
		process.cmdline = &cmdline;
		tree.n_processes = 1;
		tree.processes = &processes;
	}
	thread.has_tid = 1;
	thread.tid = (int32_t)tid;
	thread.has_tgid = tgid != 0;
	thread.tgid = (int32_t)tgid;
	thread.name = *name ? cmdline : NULL;
	tree.n_threads = 1;
	tree.threads = &threads;
	packet.has_timestamp = 1;
	packet.timestamp = ns;
	/* The clock of the sequence is in its state. */
	packet.has_sequence_flags = 1;
	packet.sequence_flags = 2;
	packet.process_tree = &tree;
	packets_put(t->packets, &packet);
}

struct out_thread *tracks_exit(struct tracks *t, struct out_thread *thread)
{
	uint32_t *slot = &t->exited[t->next_exited & (EXITED_MAX - 1)];
	struct out_thread *gone = tracks_find(t, *slot);

	if (thread->exited)
		return NULL;
	thread->exited = true;
	t->next_exited++;
	*slot = thread->tid;
	/* Its number may belong to a thread that lives. */
	return gone && gone != thread && gone->exited ? gone : NULL;
}

static void free_thread(struct out_thread *thread)
{
	reset_tracks(thread);
	free(thread->held);
	free(thread);
}

void tracks_forget(struct tracks *t, struct out_thread *thread)
{
	idmap_remove(&t->threads, thread->tid);
	free_thread(thread);
}

void tracks_each(struct tracks *t, void (*call)(void *ctx, struct out_thread *thread), void *ctx)
{
	for (size_t i = 0; i < t->threads.room; i++)
		if (t->threads.slots[i].id)
			call(ctx, t->threads.slots[i].value);
}

void tracks_free(struct tracks *t)
{
	for (size_t i = 0; i < t->threads.room; i++)
		if (t->threads.slots[i].id)
			free_thread(t->threads.slots[i].value);
	for (size_t i = 0; i < t->processes.room; i++)
		if (t->processes.slots[i].id)
			free(t->processes.slots[i].value);
	idmap_free(&t->threads);
	idmap_free(&t->processes);
}
