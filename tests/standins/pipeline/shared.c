// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The shared memory, and how its truth is written: what the words mean says shared.h. */
#include "standins/pipeline/shared.h"

#include <stdarg.h>
#include <sys/mman.h>
#include <sys/utsname.h>

#include "standins/truth.h"

struct shared *shared;

void die(int err, const char *fmt, ...)
{
	va_list ap;

	fputs("pipeline: ", stderr);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fprintf(stderr, "%s%s\n", err ? ": " : "", err ? strerror(-err) : "");
	_exit(1);
}

void shared_open(void)
{
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		      0);
	if (shared == MAP_FAILED)
		die(-errno, "can't share memory");
}

unsigned shared_take(_Atomic unsigned *nr, unsigned max, const char *what)
{
	unsigned i = atomic_fetch_add(nr, 1);

	if (i >= max)
		die(-ENOSPC, "too many %s", what);
	return i;
}

struct wait *wait_new(void)
{
	return &shared->waits[shared_take(&shared->nr_waits, WAITS_MAX, "waits")];
}

struct frame *frame_new(void)
{
	return &shared->frames[shared_take(&shared->nr_frames, FRAMES_MAX, "frames")];
}

struct cancel *cancel_new(void)
{
	return &shared->cancels[shared_take(&shared->nr_cancels, CANCELS_MAX, "cancels")];
}

static void print_number(FILE *f, const char *key, uint64_t v)
{
	if (v)
		fprintf(f, " %s=%" PRIu64, key, v);
}

static void print_set(FILE *f, const char *key, const struct fence_set *set)
{
	for (unsigned i = 0; i < set->nr; i++)
		fprintf(f, "%s%s%u", i ? "," : key, i ? "" : "=", set->ids[i]);
}

static void print_fence(FILE *f, unsigned id, const struct fence *e)
{
	fprintf(f, "fence id=%u asked_ns=%" PRIu64 " made_ns=%" PRIu64, id, e->asked_ns,
		e->made_ns);
	if (e->info.has_identity)
		fprintf(f, " driver=%s timeline=%s context=%" PRIu64 " seqno=%" PRIu64,
			e->info.driver, e->info.timeline, e->info.context, e->info.seqno);
	if (e->before_ns)
		fprintf(f, " before_ns=%" PRIu64 " after_ns=%" PRIu64 " signaller=%d cpu=%u",
			e->before_ns, e->after_ns, e->signaller, e->cpu);
	print_number(f, "signal_ns", e->signal_ns);
	fputc('\n', f);
}

static void print_wait(FILE *f, const struct wait *w)
{
	fprintf(f, "wait frame=%u pid=%d tid=%d comm=%s fd=%d role=%s call=%s", w->frame, w->pid,
		w->tid, w->comm, w->fd, w->role, w->call);
	print_set(f, " fences", &w->set);
	fprintf(f, " begin_ns=%" PRIu64 " end_ns=%" PRIu64 " timeout_ms=%d blocked=%u result=%s",
		w->begin_ns, w->end_ns, w->timeout_ms, w->blocked,
		w->timed_out ? "timeout" : "signalled");
	if (w->set.nr > 1 && w->set.has_identity)
		fprintf(f, " context=%" PRIu64 " seqno=%" PRIu64, w->set.context, w->set.seqno);
	print_number(f, "late_ns", w->late_ns);
	fputc('\n', f);
}

static void print_frame(FILE *f, const struct frame *e)
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

static void print_cancel(FILE *f, const struct cancel *e)
{
	fprintf(f, "cancel frame=%u pid=%d tid=%d surface=0x%" PRIx64 " fd=%d", e->frame, e->pid,
		e->tid, e->surface, e->fd);
	print_set(f, " fences", &e->set);
	fprintf(f, " begin_ns=%" PRIu64 " end_ns=%" PRIu64 "\n", e->begin_ns, e->end_ns);
}

int shared_save(const char *path, const char *name, const char *source, uint64_t settled_ns)
{
	struct utsname uts;
	FILE *f = fopen(path, "we");

	if (!f)
		return -errno;
	uname(&uts);
	fprintf(f, "scenario name=%s source=%s kernel=%s settled_ns=%" PRIu64, name, source,
		uts.release, settled_ns);
	print_number(f, "hold_ns", shared->hold_ns);
	print_number(f, "held_ns", shared->held_ns);
	fputc('\n', f);
	for (unsigned i = 0; i < shared->nr_fences; i++)
		print_fence(f, i, &shared->fences[i]);
	for (unsigned i = 0; i < shared->nr_waits; i++)
		print_wait(f, &shared->waits[i]);
	for (unsigned i = 0; i < shared->nr_frames; i++)
		print_frame(f, &shared->frames[i]);
	for (unsigned i = 0; i < shared->nr_cancels; i++)
		print_cancel(f, &shared->cancels[i]);
	if (ferror(f)) {
		fclose(f);
		return -EIO;
	}
	return fclose(f) ? -errno : 0;
}
