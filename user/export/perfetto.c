/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The Perfetto format: streaming, in memory that grows with what is alive and not with the input.
 *
 * Track events have MONOTONIC times, which clock snapshots tie to the others. Without a clock
 * record that has BOOTTIME, which is what trace_processor's own time is, all times are given as
 * they are, without saying of which clock.
 */
#include "export/perfetto.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "proto/vocabulary.h"

/* Perfetto's numbers of clocks. */
enum { CLOCK_ID_REALTIME = 1, CLOCK_ID_MONOTONIC = 3, CLOCK_ID_BOOTTIME = 6 };

#define KERNEL_MIN 5 /* major releases that captures are made on; see struct sched */

static void put_snapshot(struct packets *p, const struct fs_clock *rec)
{
	Perfetto__ClockSnapshot snapshot = PERFETTO__CLOCK_SNAPSHOT__INIT;
	Perfetto__TracePacket packet = PERFETTO__TRACE_PACKET__INIT;
	Perfetto__ClockSnapshot__Clock clocks[3], *list[3];
	const struct {
		uint32_t id;
		uint64_t ns;
	} values[3] = {
		{ CLOCK_ID_MONOTONIC, rec->h.time_ns },
		{ CLOCK_ID_BOOTTIME, rec->boottime_ns },
		{ CLOCK_ID_REALTIME, rec->realtime_ns },
	};

	for (unsigned i = 0; i < 3; i++) {
		perfetto__clock_snapshot__clock__init(&clocks[i]);
		clocks[i].has_clock_id = clocks[i].has_timestamp = 1;
		clocks[i].clock_id = values[i].id;
		clocks[i].timestamp = values[i].ns;
		list[i] = &clocks[i];
	}
	snapshot.n_clocks = rec->realtime_ns ? 3 : 2;
	snapshot.clocks = list;
	packet.clock_snapshot = &snapshot;
	packets_put(p, &packet);
}

static void put_system(struct packets *p, struct perfetto *o)
{
	Perfetto__SystemInfo info = PERFETTO__SYSTEM_INFO__INIT;
	Perfetto__Utsname name = PERFETTO__UTSNAME__INIT;
	Perfetto__TracePacket packet = PERFETTO__TRACE_PACKET__INIT;

	name.sysname = (char *)"Linux";
	name.release = o->release;
	name.machine = *o->machine ? o->machine : NULL;
	info.utsname = &name;
	packet.system_info = &info;
	packets_put(p, &packet);
}

/* What has become known until the first packets leave, goes before them. */
static void preamble(struct packets *p, void *ctx)
{
	struct perfetto *o = ctx;

	if (o->has_clock) {
		p->clock = CLOCK_ID_MONOTONIC;
		put_snapshot(p, &o->first_clock);
	}
	packets_clear_state(p, VOCABULARY_SEQUENCE, true);
	packets_clear_state(p, VOCABULARY_SEQUENCE_DERIVED, true);
	if (*o->release)
		put_system(p, o);
	tracks_preamble(p);
}

/*
 * A clock that goes backwards is one that nobody believes. Behind packets that left without a clock
 * none can be introduced.
 */
static void take_clock(struct perfetto *o, const struct fs_clock *rec)
{
	if (!rec->boottime_ns || (o->packets->begun && !o->has_clock))
		return;
	if (o->has_clock && (rec->h.time_ns < o->last_clock.h.time_ns ||
			     rec->boottime_ns < o->last_clock.boottime_ns))
		return;
	if (o->has_clock)
		put_snapshot(o->packets, rec);
	else
		o->first_clock = *rec;
	o->has_clock = true;
	o->last_clock = *rec;
	sched_clock(&o->sched, rec->h.time_ns, rec->boottime_ns);
}

/* What the capture says of the kernel; its release has to come before the first packets leave. */
static void take_meta(struct perfetto *o, const struct fs_meta *rec)
{
	size_t room = rec->h.size - sizeof(*rec);
	json_t *meta = json_loadb(rec->text, strnlen(rec->text, room), 0, NULL);
	const char *release = json_string_value(json_object_get(meta, "kernel"));
	const char *machine = json_string_value(json_object_get(meta, "machine"));

	if (release && !o->packets->begun && !o->sched.used && !*o->release &&
	    strtoul(release, NULL, 10) >= KERNEL_MIN) {
		snprintf(o->release, sizeof(o->release), "%s", release);
		if (machine)
			snprintf(o->machine, sizeof(o->machine), "%s", machine);
		o->sched.has_release = true;
	}
	json_decref(meta);
}

/* It is over with the thread: nothing more is kept of it. */
static int forget(struct perfetto *o, struct out_thread *thread)
{
	records_flush(&o->records, thread);
	int err = sched_forget(&o->sched, thread);

	tracks_forget(&o->tracks, thread);
	return err;
}

static int take_task(struct perfetto *o, const struct fs_task *rec)
{
	struct out_thread *thread = tracks_thread(&o->tracks, rec->h.tid, rec->h.tgid);
	uint32_t parent = rec->op == FS_TASK_SEEN ? rec->parent : 0;
	struct out_thread *gone;

	if (!thread || rec->op == FS_TASK_LAST)
		return 0;
	if (rec->op == FS_TASK_EXIT) {
		gone = tracks_exit(&o->tracks, thread);
		return gone ? forget(o, gone) : 0;
	}
	if (rec->op == FS_TASK_NEW || rec->op == FS_TASK_SEEN)
		thread->exited = false;
	if (*rec->comm)
		memcpy(thread->comm, rec->comm, FS_COMM_LEN);
	tracks_name(&o->tracks, rec->h.time_ns, rec->h.tid, rec->h.tgid, parent, thread->comm);
	return 0;
}

static int take_offcpu(struct perfetto *o, const struct fs_offcpu *rec)
{
	int err = records_put(&o->records, &rec->h);

	return err ? err : sched_offcpu(&o->sched, rec);
}

static int take_lost(struct perfetto *o, const struct fs_lost *rec)
{
	int err = records_put(&o->records, &rec->h);

	return !err && rec->where == FS_LOST_RING ? sched_lost(&o->sched, rec->h.cpu) : err;
}

static int on_record(struct export *x, const struct fs_header *rec)
{
	struct perfetto *o = x->priv;

	if (rec->time_ns > o->now_ns)
		o->now_ns = rec->time_ns;
	records_due(&o->records, o->now_ns);
	switch (rec->kind) {
	case FS_KIND_OFFCPU:
		return take_offcpu(o, (const struct fs_offcpu *)rec);
	case FS_KIND_LOST:
		return take_lost(o, (const struct fs_lost *)rec);
	case FS_KIND_TIMELINE:
		perfetto_timeline_record(o, (const struct fs_timeline *)rec);
		return 0;
	case FS_KIND_BUFFER:
		perfetto_buffer(o, (const struct fs_buffer *)rec);
		return 0;
	case FS_KIND_CLOCK:
		take_clock(o, (const struct fs_clock *)rec);
		break;
	case FS_KIND_META:
		take_meta(o, (const struct fs_meta *)rec);
		break;
	case FS_KIND_TASK: {
		int err = records_put(&o->records, rec);

		return err ? err : take_task(o, (const struct fs_task *)rec);
	}
	default:
		break;
	}
	return records_put(&o->records, rec);
}

static int on_begin(struct export *x)
{
	struct perfetto *o = calloc(1, sizeof(*o));

	if (!o)
		return -ENOMEM;
	x->priv = o;
	o->x = x;
	o->packets = packets_new(x->out, preamble, o);
	if (!o->packets)
		return -ENOMEM;
	tracks_begin(&o->tracks, o->packets);
	sched_begin(&o->sched, &o->tracks);
	records_begin(&o->records, &o->tracks);
	return 0;
}

static int on_end(struct export *x)
{
	struct perfetto *o = x->priv;
	int err;

	perfetto_fences_end(o);
	records_end(&o->records);
	err = sched_end(&o->sched);
	packets_flush(o->packets);
	return err;
}

static int on_frame(struct export *x, const struct frame *f)
{
	return perfetto_frame(x->priv, f);
}

static int on_wait(struct export *x, const struct fence_wait *w)
{
	return perfetto_wait(x->priv, w);
}

static int on_block(struct export *x, const struct block *b)
{
	return perfetto_block(x->priv, b);
}

static int on_fence_begun(struct export *x, const struct fence *f)
{
	return perfetto_fence_begun(x->priv, f);
}

static int on_fence_ended(struct export *x, const struct fence *f, enum fence_end how)
{
	return perfetto_fence_ended(x->priv, f, how);
}

static int on_fence_left(struct export *x, const struct fence *f)
{
	return perfetto_fence_left(x->priv, f);
}

static void on_free(struct export *x)
{
	struct perfetto *o = x->priv;

	if (!o)
		return;
	perfetto_frames_free(o);
	perfetto_fences_free(o);
	records_free(&o->records);
	sched_free(&o->sched);
	tracks_free(&o->tracks);
	packets_free(o->packets);
	free(o);
	x->priv = NULL;
}

const struct export_ops export_perfetto = {
	.name = "perfetto",
	.begin = on_begin,
	.record = on_record,
	.frame = on_frame,
	.wait = on_wait,
	.block = on_block,
	.fence_begun = on_fence_begun,
	.fence_ended = on_fence_ended,
	.fence_left = on_fence_left,
	.end = on_end,
	.free = on_free,
};
