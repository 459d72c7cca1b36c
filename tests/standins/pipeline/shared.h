/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What the pipeline's processes share in memory: its fences, and the truth about waits and frames.
 * The truth is written at the end, one thing per line, as words KEY=VALUE, of which those in
 * brackets may be missing. Times are CLOCK_MONOTONIC ns.
 *
 * scenario name source kernel settled_ns [hold_ns held_ns]
 *     source: sync_file, dma-buf (the descriptors are buffers, polled for their fence). From
 *     settled_ns on a recorder has had its time to find the libraries. From hold_ns to held_ns all
 *     waits were over, and what was not signalled was kept.
 *
 * fence id asked_ns made_ns [driver timeline context seqno] [before_ns after_ns signaller cpu]
 * [signal_ns] The identity is from SYNC_IOC_FILE_INFO, as is signal_ns, which the kernel noted when
 * it signalled exactly that fence. before_ns and after_ns are around the signaller's ioctl; where
 *     the kernel signals by itself, or nobody did, they are missing. It was made between asked_ns
 *     and made_ns.
 *
 * wait frame pid tid comm fd role call fences begin_ns end_ns timeout_ms blocked result
 *     [context seqno] [late_ns]
 *     role: release, acquire, or waited (for neither). call: how it waited. fences: their ids.
 *     The times are around the call. blocked: how often it gave up its CPU. result: signalled,
 *     timeout. context and seqno: of the fence around several. late_ns: for at least so long after
 *     the signal others had the CPU.
 *
 * frame frame pid tid surface dequeue_ns dequeued_ns swap_ns enter_ns leave_ns end_ns [release]
 *     acquire slot_ns depth_before depth_in
 *     enter_ns and leave_ns are within the swap. release and acquire: ids of fences. slot_ns: time
 *     in which there was no free buffer. depth_before and depth_in: buffers that the consumer had,
 *     or had given back with a fence that was not signalled: at most, just before the dequeue, and
 *     at least, in it. Of one that is on its way only the consumer has the fence.
 *
 * cancel frame pid tid surface fd [fences] begin_ns end_ns
 *     A buffer that was given back undrawn, with the descriptor (-1: without) and the fences that
 *     it came with. The times are around the call.
 */
#ifndef TESTS_PIPELINE_SHARED_H
#define TESTS_PIPELINE_SHARED_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "standins/pipeline/vgem.h"

#define FENCES_MAX 4096
#define WAITS_MAX 4096
#define FRAMES_MAX 1024
#define CANCELS_MAX 256
#define SET_MAX 5
#define BUFFERS 3

/* When a fence is signalled: so long after ... */
enum due {
	DUE_MADE, /* it was made */
	DUE_DEQUEUED, /* its buffer was dequeued */
	DUE_WAITED, /* everybody who shall wait for it does */
	DUE_NEVER,
	DUE_KERNEL, /* when the kernel wants */
};

/* By whom. */
enum owner { OWNER_GPU, OWNER_DISPLAY, OWNERS };

/* Several fences, as one descriptor. */
struct fence_set {
	unsigned nr;
	unsigned ids[SET_MAX];
	bool has_identity; /* of the fence around several */
	uint64_t context;
	uint64_t seqno;
};

enum fence_state { FENCE_NONE, FENCE_MADE, FENCE_SIGNALLED };

struct fence {
	_Atomic int state;
	enum owner owner;
	enum due due;
	uint64_t delay_ns;
	unsigned waiters; /* how many shall wait */
	_Atomic unsigned waiting; /* how many do */
	_Atomic uint64_t since_ns; /* from when on the delay counts */
	uint32_t vgem; /* the driver's number of it */
	int look_fd; /* the signaller's own */
	_Atomic uint64_t hog_end_ns;
	/* truth */
	struct fence_info info;
	uint64_t asked_ns, made_ns, before_ns, after_ns, signal_ns;
	pid_t signaller;
	unsigned cpu;
};

struct wait {
	unsigned frame;
	pid_t pid, tid;
	char comm[16];
	int fd;
	const char *role, *call;
	struct fence_set set;
	uint64_t begin_ns, end_ns, late_ns;
	int timeout_ms;
	unsigned blocked;
	bool timed_out;
};

struct frame {
	unsigned frame;
	pid_t pid, tid;
	uint64_t surface;
	uint64_t dequeue_ns, dequeued_ns, swap_ns, enter_ns, leave_ns, end_ns;
	struct fence_set release, acquire;
	uint64_t slot_ns;
	unsigned depth_before, depth_in;
};

struct cancel {
	unsigned frame;
	pid_t pid, tid;
	uint64_t surface;
	int fd;
	struct fence_set set;
	uint64_t begin_ns, end_ns;
};

struct shared {
	_Atomic unsigned nr_idle; /* consumers that have seen the end of the frames */
	uint64_t hold_ns, held_ns;
	_Atomic unsigned nr_fences, nr_waits, nr_frames, nr_cancels;
	_Atomic bool given_back[BUFFERS]; /* on its way to the producer, or there */
	struct fence fences[FENCES_MAX];
	struct wait waits[WAITS_MAX];
	struct frame frames[FRAMES_MAX];
	struct cancel cancels[CANCELS_MAX];
};

extern struct shared *shared;

/* A failure in one process fails the others: they lose their sockets, or get its exit status. */
void die(int err, const char *fmt, ...) __attribute__((format(printf, 2, 3), noreturn));

void shared_open(void);

/* The number of a new element of an array. */
unsigned shared_take(_Atomic unsigned *nr, unsigned max, const char *what);

struct wait *wait_new(void);
struct frame *frame_new(void);
struct cancel *cancel_new(void);

/* All processes but this one have ended. 0 or -errno. */
int shared_save(const char *path, const char *name, const char *source, uint64_t settled_ns);

#endif
