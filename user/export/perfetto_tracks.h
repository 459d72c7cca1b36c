/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The tracks of a trace, and the threads and processes that they belong to. Each track is described
 * before it is used, and once more if it gets another name. Slices of one kind that overlap without
 * nesting lie on lanes: tracks of the same name and parent.
 */
#ifndef EXPORT_PERFETTO_TRACKS_H
#define EXPORT_PERFETTO_TRACKS_H

#include <linux/types.h>
#include <stdbool.h>
#include <stdint.h>

#include <framescope/event.h>

#include "base/idmap.h"
#include "export/perfetto_packets.h"

#define TRACK_RECORDS 1 /* numbers of tracks that are always there */
#define TRACK_FENCES 2

#define LANES_MAX 16
#define EXPORT_THREADS_MAX 65536 /* alive at a time; of further ones no tracks are made */
#define EXPORT_PROCESSES_MAX 65536
#define EXITED_MAX 1024 /* threads kept after their exit, for records that come late */
#define HELD_MAX 64 /* spans of a thread that wait for the one around them */
#define HELD_NS UINT64_C(500000000) /* and for so long */
#define FLOWS_MAX 8

struct lane {
	uint64_t track;
	uint64_t end_ns; /* of the last on it */
};

/* All zero has no lanes yet. */
struct lanes {
	struct lane *all;
	unsigned nr;
};

/* Where the tracks of some lanes are. */
struct lane_place {
	uint64_t parent; /* 0: none */
	const char *name;
	int32_t rank; /* among its siblings */
};

enum thread_lanes {
	LANES_CALLS,
	LANES_OFFCPU,
	LANES_BLOCKED,
	LANES_WAKINGS,
	LANES_STAGES,
	LANES_NR
};

/* An arrow whose end is the thread's next buffer. */
struct pending_flow {
	uint64_t id;
	uint64_t from_ns; /* it ends at or after that */
};

/* What is known of a thread on a CPU; see perfetto_sched.h. */
struct sched_thread {
	bool on; /* it came in, and its leaving is not known */
	uint32_t cpu;
	uint64_t in_ns;
	uint32_t seq; /* of the interval that it came in from */
	uint32_t next_tid; /* who came in behind it; 0 = nobody yet */
	char next_comm[FS_COMM_LEN];
	uint64_t next_ns;
};

struct out_thread {
	uint32_t tid;
	uint32_t tgid; /* 0 = not known */
	char comm[FS_COMM_LEN]; /* empty if not known */
	bool exited;
	uint64_t track; /* 0: not described */
	uint64_t track_end_ns; /* of the last slice on it */
	struct lanes lanes[LANES_NR];
	struct sched_thread sched;
	struct fs_span *held;
	unsigned nr_held, room_held;
	uint64_t held_ns; /* when the first of them came */
	struct out_thread *held_prev, *held_next; /* of those that hold some, the oldest first */
	struct pending_flow flows[FLOWS_MAX];
	unsigned nr_flows;
};

struct out_process {
	uint32_t pid;
	uint64_t track;
};

struct tracks {
	struct packets *packets;
	uint64_t last; /* number of a track */
	struct idmap threads; /* struct out_thread */
	struct idmap processes; /* struct out_process */
	struct out_thread *held_first, *held_last;
	uint32_t exited[EXITED_MAX];
	unsigned next_exited; /* counts on */
};

void tracks_begin(struct tracks *t, struct packets *p);
void tracks_free(struct tracks *t);

/* The tracks that are always there. */
void tracks_preamble(struct packets *p);

/* A new track; unit: of a counter (enum counter_unit), else 0. */
enum counter_unit { COUNTER_NONE = 0, COUNTER_COUNT = 2 };
uint64_t track_new(struct tracks *t, uint64_t parent, const char *name, int32_t rank,
		   enum counter_unit unit);

/* The track has another name from now on, in all of the trace; the rest is as it was. */
void track_rename(struct tracks *t, uint64_t track, uint64_t parent, const char *name, int32_t rank,
		  enum counter_unit unit);

/*
 * A lane with room from `from` to `to`: its track, or 0 if there is none and no more can be made.
 */
uint64_t lanes_take(struct tracks *t, struct lanes *lanes, const struct lane_place *place,
		    uint64_t from, uint64_t to);

/* The same, with a beginning that is put off if it must be. 0: out of memory. */
uint64_t lanes_take_any(struct tracks *t, struct lanes *lanes, const struct lane_place *place,
			uint64_t *from, uint64_t *to);
void lanes_rename(struct tracks *t, const struct lanes *lanes, const struct lane_place *place);
void lanes_free(struct lanes *lanes);

/* NULL if the id is 0, too many are alive, or memory has run out. */
struct out_thread *tracks_thread(struct tracks *t, uint32_t tid, uint32_t tgid);
struct out_thread *tracks_find(const struct tracks *t, uint32_t tid);

/* The thread's track; of one whose process is not known, one with its number as its name. */
uint64_t thread_track(struct tracks *t, struct out_thread *thread);
uint64_t thread_lane(struct tracks *t, struct out_thread *thread, enum thread_lanes which,
		     uint64_t from, uint64_t to);
uint64_t thread_lane_any(struct tracks *t, struct out_thread *thread, enum thread_lanes which,
			 uint64_t *from, uint64_t *to);

/* The process's track; 0 if there can't be one. */
uint64_t process_track(struct tracks *t, uint32_t pid);

/* A packet of the process tree: what a thread or (tid == tgid) process is called from `ns` on. */
void tracks_name(struct tracks *t, uint64_t ns, uint32_t tid, uint32_t tgid, uint32_t ppid,
		 const char *name);

/* The thread has exited: it is forgotten after a while. The one that then goes, or NULL. */
struct out_thread *tracks_exit(struct tracks *t, struct out_thread *thread);
void tracks_forget(struct tracks *t, struct out_thread *thread);

/* Calls back with each thread there is. */
void tracks_each(struct tracks *t, void (*call)(void *ctx, struct out_thread *thread), void *ctx);

#endif
