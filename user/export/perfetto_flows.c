/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Arrows along what a wait for a fence led to: the fence's signal, the waking that this led to, the
 * thread's going on, and the next buffer that it hands on. Whatever of these was not seen is left
 * out; an arrow has at least the first and the third.
 */
#include <stdio.h>
#include <string.h>

#include "export/perfetto.h"

#define FLOW_NAME_LEN (FS_COMM_LEN + 32)

/* Instants of one name and verb, such as "wakes RenderThread". */
static void name_instant(char name[FLOW_NAME_LEN], const char *verb, const struct fence_wait *w)
{
	if (*w->comm)
		snprintf(name, FLOW_NAME_LEN, "%s %.*s", verb, FS_COMM_LEN, w->comm);
	else
		snprintf(name, FLOW_NAME_LEN, "%s thread %u", verb, w->tid);
}

static void put_instant(struct perfetto *o, uint64_t ns, uint64_t track, const char *name,
			uint64_t flow, const struct fence_wait *w)
{
	struct packets *p = o->packets;

	event_begin(p, PERFETTO__TRACK_EVENT__TYPE__TYPE_INSTANT, ns, track);
	event_category(p, "flow");
	event_name_of(p, name);
	note_uint(p, "context", w->fence.context);
	note_uint(p, "seqno", w->fence.seqno);
	event_flow(p, flow, false);
	event_end(p);
}

static void put_signal(struct perfetto *o, struct out_timeline *timeline, uint64_t flow,
		       const struct fence_wait *w)
{
	char name[FLOW_NAME_LEN], track_name[TIMELINE_NAME_LEN + 16];
	uint64_t from = w->signal_ns, to = from;
	struct lane_place place = { .parent = TRACK_FENCES, .name = track_name, .rank = 1 };

	snprintf(track_name, sizeof(track_name), "%s signals", timeline->described);
	name_instant(name, "signals", w);
	uint64_t track = lanes_take_any(&o->tracks, &timeline->signals, &place, &from, &to);

	if (track)
		put_instant(o, from, track, name, flow, w);
}

static void put_of_thread(struct perfetto *o, struct out_thread *thread, uint64_t ns,
			  const char *verb, uint64_t flow, const struct fence_wait *w)
{
	char name[FLOW_NAME_LEN];
	uint64_t from = ns, to = ns;
	uint64_t track = thread_lane_any(&o->tracks, thread, LANES_WAKINGS, &from, &to);

	name_instant(name, verb, w);
	if (track)
		put_instant(o, from, track, name, flow, w);
}

/* Of many that have no end yet the oldest gives way. */
static void await_buffer(struct out_thread *thread, uint64_t flow, uint64_t from_ns)
{
	if (thread->nr_flows == FLOWS_MAX) {
		thread->nr_flows--;
		memmove(thread->flows, thread->flows + 1,
			thread->nr_flows * sizeof(thread->flows[0]));
	}
	thread->flows[thread->nr_flows++] = (struct pending_flow){ flow, from_ns };
}

/* NULL: it was no thread. One that is not watched is known by its name only. */
static struct out_thread *find_waker(struct perfetto *o, const struct fence_wait *w)
{
	struct out_thread *waker = tracks_thread(&o->tracks, w->signaller_tid, 0);

	if (waker && !*waker->comm)
		memcpy(waker->comm, w->signaller, FS_COMM_LEN);
	return waker;
}

int perfetto_wait(struct perfetto *o, const struct fence_wait *w)
{
	struct out_thread *thread, *waker;
	struct out_timeline *timeline;
	bool signaled = w->outcome == WAIT_SIGNALED && w->signal_ns && w->signal_ns <= w->end_ns;

	thread = tracks_thread(&o->tracks, w->tid, w->pid);
	if (!thread || !signaled)
		return 0;
	timeline = perfetto_timeline(o, w->fence.context);
	if (!timeline)
		return 0;

	uint64_t flow = ++o->last_flow;

	put_signal(o, timeline, flow, w);
	waker = find_waker(o, w);
	if (waker && waker != thread && w->wake_ns >= w->signal_ns && w->wake_ns <= w->end_ns)
		put_of_thread(o, waker, w->wake_ns, "wakes", flow, w);
	put_of_thread(o, thread, w->end_ns, "resumes", flow, w);
	await_buffer(thread, flow, w->end_ns);
	return 0;
}
