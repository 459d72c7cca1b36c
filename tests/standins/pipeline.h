/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What the pipeline's processes share in memory: its fences, and the truth about waits and frames.
 * The truth is written at the end, one thing per line, as words KEY=VALUE, of which those in
 * brackets may be missing. Times are CLOCK_MONOTONIC ns.
 *
 * scenario name source kernel settled_ns
 *     source: sync_file, dma-buf (the descriptors are buffers, polled for their fence). From
 *     settled_ns on a recorder has had its time to find the libraries.
 *
 * fence id made_ns [driver timeline context seqno] [before_ns after_ns signaller cpu] [signal_ns]
 *     The identity is from SYNC_IOC_FILE_INFO, as is signal_ns, which the kernel noted when it
 *     signalled exactly that fence. before_ns and after_ns are around the signaller's ioctl; where
 *     the kernel signals by itself, or nobody did, they are missing.
 *
 * wait frame pid tid fd role call fences begin_ns end_ns timeout_ms blocked result
 *     [context seqno] [late_ns]
 *     role: release, acquire, or waited (for neither). call: how it waited. fences: their ids.
 *     The times are around the call. blocked: how often it gave up its CPU. result: signalled,
 *     timeout. context and seqno: of the fence around several. late_ns: for at least so long after
 *     the signal others had the CPU.
 *
 * frame frame pid tid surface dequeue_ns dequeued_ns swap_ns enter_ns leave_ns end_ns [release]
 *     acquire slot_ns depth_before depth_in
 *     enter_ns and leave_ns are within the swap. release and acquire: ids of fences. slot_ns: time
 *     in which there was no free buffer. depth_before and depth_in: buffers that the
 *     consumer had, or had given back with a fence that was not signalled: at most, just before the
 *     dequeue, and at least, in it. Of one that is on its way only the consumer has the fence.
 */
#ifndef TESTS_PIPELINE_H
#define TESTS_PIPELINE_H

#include <stdarg.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/utsname.h>

#include "standins/fence_display.h"
#include "standins/truth.h"

#define FENCES_MAX 4096
#define WAITS_MAX 4096
#define FRAMES_MAX 1024
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
	uint64_t made_ns, before_ns, after_ns, signal_ns;
	pid_t signaller;
	unsigned cpu;
};

struct wait {
	unsigned frame;
	pid_t pid, tid;
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

struct shared {
	_Atomic unsigned nr_fences, nr_waits, nr_frames;
	_Atomic bool given_back[BUFFERS]; /* on its way to the producer, or there */
	struct fence fences[FENCES_MAX];
	struct wait waits[WAITS_MAX];
	struct frame frames[FRAMES_MAX];
};

static struct shared *shared;

static void die(int err, const char *fmt, ...) __attribute__((format(printf, 2, 3), noreturn));

/* A failure in one process fails the others: they lose their sockets, or get its exit status. */
static void die(int err, const char *fmt, ...)
{
	va_list ap;

	fputs("pipeline: ", stderr);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fprintf(stderr, "%s%s\n", err ? ": " : "", err ? strerror(-err) : "");
	_exit(1);
}

static inline void shared_open(void)
{
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		      0);
	if (shared == MAP_FAILED)
		die(-errno, "can't share memory");
}

static inline unsigned shared_take(_Atomic unsigned *nr, unsigned max, const char *what)
{
	unsigned i = atomic_fetch_add(nr, 1);

	if (i >= max)
		die(-ENOSPC, "too many %s", what);
	return i;
}

static inline struct wait *wait_new(void)
{
	return &shared->waits[shared_take(&shared->nr_waits, WAITS_MAX, "waits")];
}

static inline struct frame *frame_new(void)
{
	return &shared->frames[shared_take(&shared->nr_frames, FRAMES_MAX, "frames")];
}

static inline void print_number(FILE *f, const char *key, uint64_t v)
{
	if (v)
		fprintf(f, " %s=%" PRIu64, key, v);
}

static inline void print_set(FILE *f, const char *key, const struct fence_set *set)
{
	for (unsigned i = 0; i < set->nr; i++)
		fprintf(f, "%s%s%u", i ? "," : key, i ? "" : "=", set->ids[i]);
}

static inline void print_fence(FILE *f, unsigned id, const struct fence *e)
{
	fprintf(f, "fence id=%u made_ns=%" PRIu64, id, e->made_ns);
	if (e->info.has_identity)
		fprintf(f, " driver=%s timeline=%s context=%" PRIu64 " seqno=%" PRIu64,
			e->info.driver, e->info.timeline, e->info.context, e->info.seqno);
	if (e->before_ns)
		fprintf(f, " before_ns=%" PRIu64 " after_ns=%" PRIu64 " signaller=%d cpu=%u",
			e->before_ns, e->after_ns, e->signaller, e->cpu);
	print_number(f, "signal_ns", e->signal_ns);
	fputc('\n', f);
}

static inline void print_wait(FILE *f, const struct wait *w)
{
	fprintf(f, "wait frame=%u pid=%d tid=%d fd=%d role=%s call=%s", w->frame, w->pid, w->tid,
		w->fd, w->role, w->call);
	print_set(f, " fences", &w->set);
	fprintf(f, " begin_ns=%" PRIu64 " end_ns=%" PRIu64 " timeout_ms=%d blocked=%u result=%s",
		w->begin_ns, w->end_ns, w->timeout_ms, w->blocked,
		w->timed_out ? "timeout" : "signalled");
	if (w->set.nr > 1 && w->set.has_identity)
		fprintf(f, " context=%" PRIu64 " seqno=%" PRIu64, w->set.context, w->set.seqno);
	print_number(f, "late_ns", w->late_ns);
	fputc('\n', f);
}

static inline void print_frame(FILE *f, const struct frame *e)
{
	fprintf(f, "frame frame=%u pid=%d tid=%d surface=0x%" PRIx64, e->frame, e->pid, e->tid,
		e->surface);
	fprintf(f, " dequeue_ns=%" PRIu64 " dequeued_ns=%" PRIu64 " swap_ns=%" PRIu64,
		e->dequeue_ns, e->dequeued_ns, e->swap_ns);
	fprintf(f, " enter_ns=%" PRIu64 " leave_ns=%" PRIu64 " end_ns=%" PRIu64, e->enter_ns,
		e->leave_ns, e->end_ns);
	print_set(f, " release", &e->release);
	print_set(f, " acquire", &e->acquire);
	fprintf(f, " slot_ns=%" PRIu64 " depth_before=%u depth_in=%u\n", e->slot_ns,
		e->depth_before, e->depth_in);
}

/* All processes but this one have ended. 0 or -errno. */
static inline int shared_save(const char *path, const char *name, const char *source,
			      uint64_t settled_ns)
{
	struct utsname uts;
	FILE *f = fopen(path, "we");

	if (!f)
		return -errno;
	uname(&uts);
	fprintf(f, "scenario name=%s source=%s kernel=%s settled_ns=%" PRIu64 "\n", name, source,
		uts.release, settled_ns);
	for (unsigned i = 0; i < shared->nr_fences; i++)
		print_fence(f, i, &shared->fences[i]);
	for (unsigned i = 0; i < shared->nr_waits; i++)
		print_wait(f, &shared->waits[i]);
	for (unsigned i = 0; i < shared->nr_frames; i++)
		print_frame(f, &shared->frames[i]);
	if (ferror(f)) {
		fclose(f);
		return -EIO;
	}
	return fclose(f) ? -errno : 0;
}

#endif
