/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The model's inside: its state, and the life and timeline of each thread. */
#ifndef MODEL_THREAD_H
#define MODEL_THREAD_H

#include <linux/types.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <framescope/event.h>

#include "base/idmap.h"
#include "base/roles.h"
#include "model/buffers.h"
#include "model/fences.h"
#include "model/model.h"
#include "model/producers.h"
#include "model/timeline.h"

/*
 * What a stream may make us hold. Ordinary captures stay far below; past a limit less is known
 * about some thread, but sums stay exact.
 */
#define THREADS_MAX 65536 /* alive at a time; further ones are not followed */
#define HISTORY_IDLE 8 /* off-CPU intervals held per thread without probed calls */
#define HISTORY_MAX 4096 /* and per thread with them */
#define HISTORY_ALL 524288 /* and for all of those together */
#define DRAFTS_ALL 65536 /* finished frames that wait for their thread's next off-CPU record */
#define DRAFTS_MAX 8192 /* and per thread */
#define HWUIS_MAX 2048 /* processes with HWUI, alive at a time; some 45 KB each */

/* The top byte may hold a tag (TBI, MTE) that differs between two uses of one pointer. */
#define POINTER_MASK UINT64_C(0x00ffffffffffffff)

struct builder; /* builder.h: the frames that a thread is making */
struct buffer_frames; /* buffer_frames.h */
struct frame_timelines; /* frame_timeline.h */
struct teller; /* told.h */
struct hwui; /* hwui.h: what a process's HWUI is doing */

struct process {
	uint32_t tgid;
	char comm[FS_COMM_LEN]; /* of its main thread; empty if not known */
	struct thread *threads;
	struct hwui *hwui; /* NULL: none was seen */
};

struct thread {
	uint32_t tid;
	uint32_t tgid; /* 0 = not known yet */
	struct process *process; /* NULL while tgid is 0 */
	struct thread *prev, *next; /* in the process, or in the model's list of the homeless */
	char comm[FS_COMM_LEN];

	bool started; /* birth_ns and the timeline are valid */
	uint64_t since_ns; /* of its NEW or SEEN record, 0 = none came */
	uint64_t birth_ns; /* from here on its time is accounted for */
	struct timeline timeline;
	struct tally life; /* what it did from birth to timeline.front_ns */

	uint32_t offcpu_seq; /* of the last off-CPU record, 0 = none came */
	/*
	 * A span ends with the thread on a CPU, and says which off-CPU interval was the last one
	 * before. So the thread ran on from the cursor to confirmed_ns; and after an interval
	 * anchor_seq, whose record has not come, from anchor_ns to anchor_last_ns.
	 */
	uint64_t confirmed_ns;
	uint64_t anchor_ns;
	uint64_t anchor_last_ns;
	uint32_t anchor_seq;

	/*
	 * From its LAST record. That was taken a little after the stop: records of what it counts
	 * may still come, so it is judged at the end of the stream.
	 */
	bool last_seen;
	uint32_t last_seq;

	uint32_t cpu; /* of its last record */
	uint64_t losses; /* that had been reported then of that CPU */

	bool fence_wait; /* in a wait for a fence in the kernel since fence_wait_ns */
	uint64_t fence_wait_ns;
	struct fence_id fence_wait_id;
	struct waits *waits; /* waits.h; NULL until it meets a fence */

	struct builder *builder; /* NULL until its first probed call */
};

/* A thread that exited, but is still followed by the kernel side until its last switch. */
struct exited {
	uint32_t tid;
	uint32_t offcpu_seq;
};

#define EXITED_NR 4096 /* a power of two */
#define LOSSES_NR 1024 /* a power of two; CPUs that share an entry are judged alike */

/* outbox.h */
struct outbox {
	struct waiting_frame *frames; /* a ring */
	bool changed; /* some of them may be ready now */
	unsigned head;
	unsigned nr;
};

struct model {
	struct model_sink sink;
	struct model_stats stats;
	struct idmap threads; /* tid -> struct thread */
	struct idmap processes; /* tgid -> struct process */
	struct thread *homeless; /* threads without a process */
	struct producers producers;
	struct fences fences;
	struct windows windows;
	struct outbox outbox;
	struct frame_timelines *timelines; /* NULL: none came */
	struct buffer_frames *buffer_frames; /* likewise */
	struct teller *tellers; /* hash */
	struct roles roles;
	bool finishes; /* a function that finishes frames of HWUI is probed */
	bool posts; /* one that posts them is */
	bool marked; /* calls are slices of a trace */
	char *meta;
	struct exited exited[EXITED_NR]; /* by the low bits of the tid */
	uint64_t losses[LOSSES_NR]; /* reports of lost records, by CPU */
	uint64_t losses_all; /* and those that may be of any CPU */
	size_t history; /* sum of the rooms of histories above HISTORY_IDLE */
	size_t drafts;
	size_t hwuis;
};

/* The thread, made if it is new. *out is NULL if the id is 0 or THREADS_MAX are alive. */
int thread_get(struct model *m, const struct fs_header *h, struct thread **out);

/* Frees it with all that it was making. */
void thread_free(struct model *m, struct thread *t);

/* Every thread and process; nothing is emitted. */
void threads_free(struct model *m);

/*
 * Begin the timeline unless it has begun: at the thread's known beginning, or at `at` if none is
 * known or the thread was born then.
 */
void thread_start(struct model *m, struct thread *t, uint64_t at, bool born);

int thread_offcpu(struct model *m, const struct fs_offcpu *rec);

/* A span ended at `at`; its thread's last off-CPU interval was off_seq. */
void thread_anchor(struct thread *t, uint64_t at, uint32_t off_seq);

/* If a draft ends in time that is confirmed, take the thread to have run until then. */
int thread_confirm(struct model *m, struct thread *t);

/* The thread was on a CPU at `at`; its last off-CPU interval was off_seq (0: none, or not said). */
int thread_ran(struct model *m, struct thread *t, uint64_t at, uint32_t off_seq);

/* What happened up to `at` will not become known better: what is not confirmed is unknown. */
int thread_settle(struct model *m, struct thread *t, uint64_t at);

void thread_fence(struct thread *t, const struct fs_fence *rec);
int thread_task(struct model *m, const struct fs_task *rec);

/* Nothing of the thread is to come behind `at`: its last frames are made. */
int thread_close(struct model *m, struct thread *t, uint64_t at);

/* The thread ended at `at` (or later, if it was seen later): emits its last frames; frees it. */
int thread_end(struct model *m, struct thread *t, uint64_t at);

/*
 * Add to the tally what the thread did from `from` to `to`; what is not known of that, or not any
 * more, as BUDGET_UNKNOWN. t is NULL if the thread is gone.
 */
void thread_tally(const struct thread *t, uint64_t from, uint64_t to, struct tally *tally);

/* What it did is known up to here. */
uint64_t thread_known_ns(const struct thread *t);

/* The last instant at which the thread was seen. */
uint64_t thread_last_ns(const struct thread *t);

/* The name of the thread's process, or what comes nearest. */
const char *thread_process_name(const struct thread *t, char *buf, size_t len);

/* Call fn for every thread, which it may free; stops at the first error and gives it back. */
int threads_each(struct model *m, int (*fn)(struct model *m, struct thread *t));

#endif
