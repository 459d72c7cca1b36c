/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The pipeline's fences at work: threads that signal them when the script wants it, and the ways to
 * wait for one.
 */
#ifndef TESTS_PIPELINE_FENCES_H
#define TESTS_PIPELINE_FENCES_H

#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/select.h>

#include "standins/pipeline.h"

#define MS 1000000ull
/* If those who shall wait don't, the fence does not hold up everything for ever. */
#define DUE_WAITED_AT_LAST (1000 * MS)

/* Android's, as far as its functions look into it: from 13 on, and before. */
struct android_fence {
	void *vtable;
	int references;
	int fd;
};

struct android_fence_12 {
	int references;
	int fd;
};

static struct {
	unsigned int (*swap)(void *display, void *surface);
	int (*dequeue)(void *surface, void **buffer, int *fence);
	int (*queue)(void *surface, void *buffer, int fence);
	int (*cancel)(void *surface, void *buffer, int fence);
	int (*free_slot)(const void *producer, int caller, void *lock, int *slot);
	int (*fence_wait)(struct android_fence_12 *fence, int timeout_ms);
	int (*fence_forever)(struct android_fence *fence, const char *name);
	int (*sync_wait)(int fd, int timeout_ms);
} api;

/* A thread that signals the fences of one owner: it alone has the driver's file that can. */
struct signaller {
	enum owner owner;
	const char *name;
	struct vgem vgem;
	pthread_t thread;
	atomic_bool stop;
	unsigned first; /* fence that may not be signalled yet */
	int cpu; /* where it stays; -1: anywhere */
};

/* Tells the owners to look for work; made before the processes part. */
static int kicks[OWNERS];

/* Runs on the waiter's CPU, in its place, when its fence is signalled. */
static struct {
	int kick;
	_Atomic int runs;
	_Atomic uint64_t end_ns;
	struct fence *fence;
	uint64_t for_ns; /* 0: there is no hog */
	int cpu;
	pthread_t thread;
} hog = { .kick = -1 };

static void kick(int fd)
{
	const uint64_t one = 1;

	if (write(fd, &one, sizeof(one)) != sizeof(one))
		die(-errno, "can't write to an eventfd");
}

static void kicked(int fd)
{
	uint64_t count;

	if (read(fd, &count, sizeof(count)) != sizeof(count) && errno != EAGAIN)
		die(-errno, "can't read from an eventfd");
}

static int kick_open(int flags)
{
	int fd = eventfd(0, EFD_CLOEXEC | flags);

	if (fd < 0)
		die(-errno, "can't make an eventfd");
	return fd;
}

static void stay_on(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		die(-errno, "can't stay on CPU %d", cpu);
}

static void *hog_main(void *arg)
{
	const struct sched_param param = { .sched_priority = 2 };

	(void)arg;
	prctl(PR_SET_NAME, "hog");
	stay_on(hog.cpu);
	if (sched_setscheduler(0, SCHED_FIFO, &param))
		die(-errno, "can't become a real-time thread");
	for (;;) {
		kicked(hog.kick);
		atomic_store(&hog.runs, 1);
		while (!atomic_load(&hog.end_ns) || now_ns() < atomic_load(&hog.end_ns))
			;
		atomic_store(&hog.end_ns, 0);
		atomic_store(&hog.fence->hog_end_ns, now_ns());
		atomic_store(&hog.runs, 0);
	}
}

static void signal_fence(struct signaller *s, struct fence *f)
{
	struct fence_info info;
	int err;

	if (hog.for_ns && f->due == DUE_WAITED) {
		hog.fence = f;
		kick(hog.kick);
		while (!atomic_load(&hog.runs))
			;
	}
	f->signaller = gettid();
	f->cpu = (unsigned)sched_getcpu();
	f->before_ns = now_ns();
	err = vgem_signal(&s->vgem, f->vgem);
	f->after_ns = now_ns();
	if (err)
		die(err, "can't signal a fence");
	if (hog.for_ns && f->due == DUE_WAITED)
		atomic_store(&hog.end_ns, f->after_ns + hog.for_ns);
	if (!fence_look(f->look_fd, &info))
		f->signal_ns = info.signal_ns;
	close(f->look_fd);
	atomic_store(&f->state, FENCE_SIGNALLED);
}

/* When it is to be signalled; UINT64_MAX: that is not known yet. */
static uint64_t fence_due(const struct fence *f)
{
	uint64_t since = f->due == DUE_MADE ? f->made_ns : atomic_load(&f->since_ns);

	if (f->due == DUE_NEVER || f->due == DUE_KERNEL)
		return UINT64_MAX;
	if (since)
		return since + f->delay_ns;
	return f->made_ns + DUE_WAITED_AT_LAST;
}

/* Signals all that is due; when the next one will be. */
static uint64_t signal_due(struct signaller *s)
{
	unsigned nr = atomic_load(&shared->nr_fences);
	uint64_t next = UINT64_MAX;
	bool passed = true;

	for (unsigned i = s->first; i < nr; i++) {
		struct fence *f = &shared->fences[i];
		int state = atomic_load(&f->state);
		uint64_t due;

		/* Those being made may be this owner's. */
		if (state == FENCE_MADE && f->owner == s->owner && f->due <= DUE_WAITED) {
			due = fence_due(f);
			if (due <= now_ns()) {
				signal_fence(s, f);
			} else {
				passed = false;
				next = due < next ? due : next;
			}
		} else if (state == FENCE_NONE) {
			passed = false;
		}
		if (passed)
			s->first = i + 1;
	}
	return next;
}

static void *signaller_main(void *arg)
{
	struct signaller *s = arg;
	struct pollfd pfd = { .fd = kicks[s->owner], .events = POLLIN };

	prctl(PR_SET_NAME, s->name);
	if (s->cpu >= 0)
		stay_on(s->cpu);
	while (!atomic_load(&s->stop)) {
		uint64_t next = signal_due(s);
		uint64_t now = now_ns();
		uint64_t left = next > now ? next - now : 0;
		struct timespec ts = { (time_t)(left / 1000000000u), (long)(left % 1000000000u) };

		if (ppoll(&pfd, 1, next == UINT64_MAX ? NULL : &ts, NULL) > 0)
			kicked(pfd.fd);
	}
	return NULL;
}

static void signaller_start(struct signaller *s, bool sync_files)
{
	int err = vgem_open(&s->vgem, sync_files);

	if (err)
		die(err, "can't make fences with vgem");
	err = pthread_create(&s->thread, NULL, signaller_main, s);
	if (err)
		die(-err, "can't start a thread");
}

/* With `all` what is left is signalled, too. */
static void signaller_stop(struct signaller *s, bool all)
{
	atomic_store(&s->stop, true);
	kick(kicks[s->owner]);
	pthread_join(s->thread, NULL);
	for (unsigned i = 0; all && i < atomic_load(&shared->nr_fences); i++) {
		struct fence *f = &shared->fences[i];

		if (f->owner == s->owner && f->due == DUE_NEVER)
			signal_fence(s, f);
	}
}

/* Enters a fence with this descriptor into the table and the set. */
static struct fence *fence_add(struct fence_set *set, int fd, enum owner owner)
{
	unsigned id = shared_take(&shared->nr_fences, FENCES_MAX, "fences");
	struct fence *f = &shared->fences[id];

	f->owner = owner;
	f->made_ns = now_ns();
	f->waiters = 1;
	fence_look(fd, &f->info);
	set->ids[set->nr++] = id;
	return f;
}

static void fence_ready(struct fence *f)
{
	atomic_store(&f->state, FENCE_MADE);
	if (f->due != DUE_KERNEL)
		kick(kicks[f->owner]);
}

/* A fence that the signaller signals: its descriptor. */
static int fence_make(struct signaller *s, struct fence_set *set, enum due due, uint64_t delay_ns,
		      unsigned waiters)
{
	uint32_t vgem;
	int fd = vgem_make(&s->vgem, &vgem);
	struct fence *f;

	if (fd < 0)
		die(fd, "can't make a fence");
	f = fence_add(set, fd, s->owner);
	f->due = due;
	f->delay_ns = delay_ns;
	f->waiters = waiters;
	f->vgem = vgem;
	f->look_fd = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	fence_ready(f);
	return fd;
}

static void set_event(const struct fence_set *set, enum due due)
{
	for (unsigned i = 0; i < set->nr; i++) {
		struct fence *f = &shared->fences[set->ids[i]];

		if (f->due != due)
			continue;
		if (due == DUE_WAITED && atomic_fetch_add(&f->waiting, 1) + 1 < f->waiters)
			continue;
		atomic_store(&f->since_ns, now_ns());
		kick(kicks[f->owner]);
	}
}

/* In other ways than Android's functions, as drivers do. 0 or -ETIME. */
static int wait_raw(const char *call, int fd, int timeout_ms)
{
	struct pollfd pfd = { .fd = fd, .events = POLLIN };
	int ret;

	if (!strcmp(call, "poll")) {
		ret = poll(&pfd, 1, timeout_ms);
	} else if (!strcmp(call, "ppoll")) {
		struct timespec ts = { timeout_ms / 1000, timeout_ms % 1000 * 1000000L };

		ret = ppoll(&pfd, 1, timeout_ms < 0 ? NULL : &ts, NULL);
	} else if (!strcmp(call, "select")) {
		struct timeval tv = { timeout_ms / 1000, timeout_ms % 1000 * 1000L };
		fd_set set;

		FD_ZERO(&set);
		FD_SET(fd, &set);
		ret = select(fd + 1, &set, NULL, NULL, timeout_ms < 0 ? NULL : &tv);
	} else {
		struct epoll_event event = { .events = EPOLLIN };
		int epoll = epoll_create1(EPOLL_CLOEXEC);

		if (epoll < 0 || epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event))
			die(-errno, "can't use epoll");
		ret = epoll_wait(epoll, &event, 1, timeout_ms);
		close(epoll);
	}
	if (ret < 0)
		die(-errno, "can't wait in %s", call);
	return ret ? 0 : -ETIME;
}

/* 0 or -ETIME. A timeout below 0 is none. */
static int wait_call(const char *call, int fd, int timeout_ms)
{
	struct android_fence fence = { .vtable = &api, .references = 1, .fd = fd };
	struct android_fence_12 fence_12 = { .references = 1, .fd = fd };
	int err;

	if (!strcmp(call, "sync_wait"))
		err = api.sync_wait(fd, timeout_ms) ? -errno : 0;
	else if (!strcmp(call, "Fence::wait"))
		err = api.fence_wait(&fence_12, timeout_ms);
	else if (!strcmp(call, "Fence::waitForever"))
		err = api.fence_forever(&fence, "pipeline");
	else
		err = wait_raw(call, fd, timeout_ms);
	if (err && err != -ETIME)
		die(err, "can't wait in %s", call);
	return err;
}

/* The identities of those that nobody here signals are known, but not when that happened. */
static void look_after(const struct fence_set *set, int fd)
{
	struct fence_info info;

	if (set->nr == 1 && shared->fences[set->ids[0]].due == DUE_KERNEL &&
	    !fence_look(fd, &info) && info.signalled)
		shared->fences[set->ids[0]].signal_ns = info.signal_ns;
}

/* How often the thread gave up its CPU. */
static unsigned blocks(void)
{
	struct rusage usage;

	if (getrusage(RUSAGE_THREAD, &usage))
		die(-errno, "can't count switches");
	return (unsigned)usage.ru_nvcsw;
}

/* Waits, and writes it down. `before` is called when all is ready for it. */
static void wait_for(const struct fence_set *set, int fd, unsigned frame, const char *role,
		     const char *call, int timeout_ms, void (*before)(int fd))
{
	struct wait *w = wait_new();
	const struct fence *last;

	w->frame = frame;
	w->pid = getpid();
	w->tid = gettid();
	w->fd = fd;
	w->role = role;
	w->call = call;
	w->set = *set;
	w->timeout_ms = timeout_ms;
	if (before)
		before(fd);
	set_event(set, DUE_WAITED);
	w->blocked = blocks();
	w->begin_ns = now_ns();
	w->timed_out = wait_call(call, fd, timeout_ms) != 0;
	w->end_ns = now_ns();
	w->blocked = blocks() - w->blocked;
	if (!w->timed_out && !before)
		look_after(set, fd);
	last = &shared->fences[set->ids[0]];
	if (atomic_load(&last->hog_end_ns) > last->after_ns && last->after_ns)
		w->late_ns = atomic_load(&last->hog_end_ns) - last->after_ns;
}

#endif
