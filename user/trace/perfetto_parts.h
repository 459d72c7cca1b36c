/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What the files of the reader of Perfetto traces share.
 *
 *   perfetto.c         the source: opens, looks through, reads, warns
 *   perfetto_file.c    packets out of the file
 *   perfetto_packet.c  a packet's parts, and those that were compressed together
 *   perfetto_sequence.c  what packets of one sequence have in common: clocks, names
 *   perfetto_index.c   the look through the whole trace: clocks, and which part is of which time
 *   perfetto_ftrace*.c, perfetto_frames.c, perfetto_tracks.c   packets to events
 *   perfetto_events.c  events in order of time into the intake
 *   perfetto_own.c     the records that a trace of framescope's own holds
 */
#ifndef TRACE_PERFETTO_PARTS_H
#define TRACE_PERFETTO_PARTS_H

#include <linux/types.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <framescope/event.h>

#include "base/err.h"
#include "base/idmap.h"
#include "stream/merge.h"
#include "stream/source.h"
#include "trace/intake.h"
#include "trace/map64.h"
#include "trace/perfetto_arena.h"
#include "trace/perfetto_clock.h"
#include "trace/perfetto_file.h"
#include "proto/wire_read.h"

/* A packet, by those of its fields that are of use. Their data lies in the reader's buffer. */
struct pf_packet {
	uint64_t timestamp;
	bool timed;
	uint32_t clock; /* of the timestamp; 0 = not said */
	uint32_t sequence; /* 0 = not said */
	uint32_t flags; /* PF_SEQUENCE_* */
	bool dropped; /* packets of the sequence before it are missing */
	bool first; /* of its sequence */
	uint32_t machine; /* 0: the one that was traced */
	/* Those that are absent have no `data`. */
	struct wire_field snapshot;
	struct wire_field defaults;
	struct wire_field interned;
	struct wire_field content; /* by its `number`: enum pf_content */
};

#define PF_SEQUENCE_CLEARED 0x1u /* what came before in the sequence does not hold any more */
#define PF_SEQUENCE_NEEDS 0x2u /* is not to be understood without what came before */

/* Fields of TracePacket of which it has one. */
enum pf_content {
	PF_FTRACE = 1,
	PF_PROCESS_TREE = 2,
	PF_SNAPSHOT = 6,
	PF_TRACK_EVENT = 11,
	PF_SYSTEM_INFO = 45,
	PF_COMPRESSED = 50,
	PF_GRAPHICS_FRAME = 57,
	PF_TRACK = 60,
	PF_FRAME_TIMELINE = 76,
	PF_ZSTD = 133,
};

/* Packets one by one, also from those that hold compressed ones. */
struct pf_reader {
	struct pf_file *file;
	uint64_t outer; /* where in the file the packet lies, or the one that it was inside */
	struct wire inner; /* what is left of an inflated series */
	uint8_t *inflated; /* owned */
	size_t room;
	/* What can't be read, since pf_reader_rewind(). */
	uint64_t malformed; /* packets */
	uint64_t zstd; /* packets that hold packets */
	uint64_t unpacked; /* packets: compressed, and not sound */
	uint64_t damaged; /* bytes of the malformed ones */
};

/* The next packet that begins before `limit`: 1, 0, or a negative errno. As pf_file_packet(). */
int pf_reader_next(struct pf_reader *r, uint64_t limit, struct pf_packet *p, struct err *e);
/* A packet can't be read that has so many bytes of the file. */
void pf_reader_malformed(struct pf_reader *r, size_t bytes);
int pf_reader_seek(struct pf_reader *r, uint64_t at, struct err *e);
int pf_reader_rewind(struct pf_reader *r, struct err *e);
void pf_reader_free(struct pf_reader *r);

/* A clock of one sequence. */
struct pf_scoped_clock {
	uint32_t id; /* 0: free */
	bool incremental; /* times are differences to the one before */
	uint64_t unit; /* ns */
	uint64_t last; /* incremental: in units */
	uint64_t base; /* in units, of the snapshot */
	uint64_t base_ns; /* the same instant on `clock` */
	uint32_t clock; /* of the whole trace */
};

#define PF_SCOPED_CLOCKS 4

/* Strings that a sequence refers to by number. */
enum pf_intern {
	PF_INTERN_CATEGORY,
	PF_INTERN_EVENT,
	PF_INTERN_ANNOTATION,
	PF_INTERN_VALUE,
	PF_INTERN_NR,
};

struct field;

struct pf_string {
	const void *hint; /* who looked at it last, and what came of it; for perfetto_own.c */
	uint32_t hint_value;
	uint32_t len;
	char text[]; /* NUL-terminated */
};

struct pf_sequence {
	bool valid; /* nothing is missing since its state was cleared */
	bool seen; /* a packet came */
	uint32_t clock; /* default; 0 = that of the trace */
	uint64_t track; /* default, of track events */
	struct pf_scoped_clock clocks[PF_SCOPED_CLOCKS];
	struct map64 strings[PF_INTERN_NR]; /* iid -> struct pf_string */
	size_t segment; /* while looking: the last part of the file that it was in, plus one;
			   perfetto_index.c */
};

/* Sequences, tracks and strings: that many are followed. A trace has some hundreds of each. */
#define PF_SEQUENCES_MAX 65536
#define PF_TRACKS_MAX 262144
#define PF_STRINGS_BYTES (64u << 20)

/* A part of the file, read as one. */
struct pf_segment {
	uint64_t from;
	uint64_t to;
	uint64_t key; /* in the order of this they are read */
	uint64_t first_ns; /* the earliest time of a packet in it; UINT64_MAX: none has one */
};

struct pf_index {
	struct pf_segment *segments; /* in the order in which they are read */
	size_t nr;
	size_t room;
	size_t at; /* the one being read */
};

/* A thread's track, or a process's. */
struct pf_track {
	uint32_t pid;
	uint32_t tid; /* 0: no thread's */
	uint64_t parent; /* uuid */
	bool thread; /* itself, not through its parent */
	char comm[FS_COMM_LEN];
	struct pf_open_record *open; /* perfetto_own.c: begun and not ended */
};

/* Threads of which a process is known; of more, what their events say of it counts alone. */
#define PF_THREADS_MAX 262144

struct pf {
	struct source *s;
	struct intake *in; /* NULL in a trace of our own */
	struct merge *merge; /* of struct pf_event */
	struct pf_reader reader;
	struct pf_index index;
	struct pf_clocks clocks;
	struct pf_arena arena;
	struct map64 sequences; /* trusted_packet_sequence_id -> struct pf_sequence */
	struct map64 tracks; /* uuid -> struct pf_track */
	struct idmap processes; /* tid -> its process, a number; PF_SEVERAL: of several in turn */
	struct map64 open_timelines; /* cookie -> struct fs_timeline */
	size_t strings_bytes;
	bool looking; /* through the trace, before it is read: times are of BOOTTIME */
	bool own; /* an export of ours */
	bool fences; /* fences' own events were met */
	bool exhausted; /* no packet is left */
	char *room; /* of merge, for events: perfetto_events.c */
	size_t room_left;
	struct pf_cpu *cpus; /* perfetto_events.c */
	uint32_t nr_cpus;
	struct pf_early *early; /* threads met before the first event */
	size_t nr_early;
	struct pf_instant early_clock; /* the last one before that; no MONOTONIC: there was none */
	bool begun; /* the first event has gone into the intake */
	uint64_t last_ns; /* the highest time of an event that was read */
	uint64_t complete_ns; /* everything up to here was read */
	uint64_t fed_ns; /* the time of the one that went into the intake last */
	/* To be said at the end. */
	uint64_t stateless; /* packets that need what was lost before them */
	uint64_t foreign; /* packets of other machines */
	uint64_t unfollowed; /* more sequences, tracks, strings, frames at a time than are followed
			      */
	uint64_t unordered_clock; /* bundles by a clock that no snapshot has */
};

/* perfetto_sequence.c. All return 0 or -ENOMEM. */

/* Take what the packet says of its sequence. *out is NULL if the packet is not to be read. */
int pf_sequence_take(struct pf *pf, const struct pf_packet *p, struct pf_sequence **out);
/*
 * When the packet was: a time of MONOTONIC (BOOTTIME while the trace is looked through). False if
 * it does not say, or in a way that is not understood. To be called once per packet, as there are
 * clocks that count on from packet to packet.
 */
bool pf_sequence_time(struct pf *pf, struct pf_sequence *seq, const struct pf_packet *p,
		      uint64_t *ns);
/* What a number stands for, or NULL. */
struct pf_string *pf_sequence_string(const struct pf_sequence *seq, enum pf_intern what,
				     uint64_t iid);
void pf_sequences_free(struct pf *pf);

/*
 * perfetto_index.c: segments, clocks, threads' processes, whether the trace is one of ours. Of ours
 * only the beginning is looked through: it lies in order.
 */
int pf_index_build(struct pf *pf, struct err *e);

/* perfetto_ftrace.c: a bundle's events. */
int pf_ftrace(struct pf *pf, const struct wire_field *bundle);
/* Bundles before this one are missing, of whichever CPUs. */
int pf_ftrace_dropped(struct pf *pf, const struct wire_field *bundle);
/* The time of its first event: of MONOTONIC (BOOTTIME while the trace is looked through). */
bool pf_ftrace_first(struct pf *pf, const struct wire_field *bundle, uint64_t *ns);

/* perfetto_frames.c */
int pf_frame_timeline(struct pf *pf, const struct wire_field *event, uint64_t ns);
int pf_graphics_frame(struct pf *pf, const struct wire_field *event, uint64_t ns);
int pf_frames_finish(struct pf *pf);

/* perfetto_tracks.c */
int pf_track_descriptor(struct pf *pf, const struct wire_field *descriptor, uint64_t ns);
int pf_track_event(struct pf *pf, const struct pf_sequence *seq, const struct wire_field *event,
		   uint64_t ns);
int pf_process_tree(struct pf *pf, const struct wire_field *tree, uint64_t ns);
void pf_tracks_free(struct pf *pf);

/* perfetto_own.c */
/* A whole record: into the stream of one's own, else as an event. 0 or -ENOMEM. */
int pf_record_add(struct pf *pf, const struct fs_header *rec);
int pf_own_packet(struct pf *pf, struct pf_sequence *seq, const struct pf_packet *p, uint64_t ns);
void pf_own_drop(struct pf_track *t);

/* perfetto_events.c */
enum pf_event_kind {
	PF_EVENT_SWITCH = 1,
	PF_EVENT_WAKING = 2,
	PF_EVENT_MARK = 3,
	PF_EVENT_FENCE = 4,
	PF_EVENT_TASK = 5,
	PF_EVENT_THREAD = 6,
	PF_EVENT_LOST = 7,
	PF_EVENT_RECORD = 8,
	PF_EVENT_CLOCK = 9,
};

/* Whose a new thread is. */
enum pf_process { PF_PROCESS_UNKNOWN = 0, PF_PROCESS_SAME = 1, PF_PROCESS_NEW = 2 };

/*
 * What waits in the merge for its turn. Of the header, time_ns and cpu are the event's, tid is the
 * running thread, tgid its process if the event says it, kind an enum pf_event_kind.
 */
struct pf_event {
	struct fs_header h;
	union {
		struct {
			uint64_t state; /* the kernel's TASK_ bits; 0 = runnable */
			uint32_t next;
			bool implied; /* h.tid is not said: it is who ran there */
			char next_comm[FS_COMM_LEN];
			char prev_comm[FS_COMM_LEN]; /* not there if implied */
		} sw;
		struct {
			uint32_t wakee;
			uint32_t context; /* enum fs_context */
			bool implied;
			char comm[FS_COMM_LEN];
		} waking;
		struct {
			uint32_t context;
			uint32_t len;
			char text[]; /* not terminated */
		} mark;
		struct {
			uint64_t context;
			uint64_t seqno;
			uint32_t op; /* enum fs_fence_op */
			uint32_t irq; /* enum fs_context */
			bool job; /* told by the GPU scheduler */
			char driver[FS_DRIVER_LEN];
			char timeline[FS_TIMELINE_LEN];
		} fence;
		struct {
			uint32_t op; /* enum fs_task_op */
			uint32_t tid;
			uint32_t context; /* enum fs_context */
			uint32_t process; /* NEW: enum pf_process */
			char comm[FS_COMM_LEN];
		} task;
		struct {
			uint32_t tid;
			uint32_t tgid;
			bool guessed; /* its name */
			char comm[FS_COMM_LEN];
		} thread;
		struct pf_instant clock;
		uint64_t record[1]; /* a struct fs_header and what follows */
	};
};

#define PF_MARK_MAX 1024 /* bytes of a mark that count; a FrameInfo's or a name's are fewer */

/* What the trace says of a thread's process, at any time: pid, 0 if nothing. 0 or -ENOMEM. */
#define PF_SEVERAL UINT32_MAX
int pf_process_learn(struct pf *pf, uint32_t tid, uint32_t pid);
uint32_t pf_process_of(const struct pf *pf, uint32_t tid);

/*
 * Room for one more event that has `body` bytes behind its header, which is filled but for tid and
 * tgid; or NULL: out of memory.
 */
struct pf_event *pf_event_new(struct pf *pf, enum pf_event_kind kind, uint64_t ns, uint32_t cpu,
			      size_t body);
/* It is filled. 0 or -ENOMEM. */
int pf_event_add(struct pf *pf, struct pf_event *ev);
/* Up to `count` events into the intake, in order: how many, or a negative errno. */
int pf_events_feed(struct pf *pf, unsigned count);
void pf_events_free(struct pf *pf);

#endif
