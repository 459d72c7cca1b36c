// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The threads that signal fences when the script wants it. */
#include "standins/pipeline/fences.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "standins/pipeline/plan.h"
#include "standins/truth.h"

/* If those who shall wait don't, the fence does not hold up everything for ever. */
#define DUE_WAITED_AT_LAST (1000 * MS)

int kicks[OWNERS];
struct hog hog = { .kick = -1 };

void kick(int fd)
{
	const uint64_t one = 1;

	if (write(fd, &one, sizeof(one)) != sizeof(one))
		die(-errno, "can't write to an eventfd");
}

void kicked(int fd)
{
	uint64_t count;

	if (read(fd, &count, sizeof(count)) != sizeof(count) && errno != EAGAIN)
		die(-errno, "can't read from an eventfd");
}

int kick_open(int flags)
{
	int fd = eventfd(0, EFD_CLOEXEC | flags);

	if (fd < 0)
		die(-errno, "can't make an eventfd");
	return fd;
}

void stay_on(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		die(-errno, "can't stay on CPU %d", cpu);
}

void *hog_main(void *arg)
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

void signaller_start(struct signaller *s, bool sync_files)
{
	int err = vgem_open(&s->vgem, sync_files);

	if (err)
		die(err, "can't make fences with vgem");
	err = pthread_create(&s->thread, NULL, signaller_main, s);
	if (err)
		die(-err, "can't start a thread");
}

void signaller_stop(struct signaller *s, bool all)
{
	atomic_store(&s->stop, true);
	kick(kicks[s->owner]);
	pthread_join(s->thread, NULL);
	for (unsigned i = 0; i < atomic_load(&shared->nr_fences); i++) {
		struct fence *f = &shared->fences[i];
		struct fence_info info;

		if (f->owner != s->owner || f->due != DUE_NEVER)
			continue;
		/* The kernel does it after 10 s. */
		if (all)
			signal_fence(s, f);
		else if (!fence_look(f->look_fd, &info))
			f->signal_ns = info.signal_ns;
	}
}

bool all_signalled(void)
{
	for (unsigned i = 0; i < atomic_load(&shared->nr_fences); i++) {
		struct fence *f = &shared->fences[i];

		if (atomic_load(&f->state) == FENCE_NONE ||
		    (atomic_load(&f->state) == FENCE_MADE && f->due <= DUE_WAITED))
			return false;
	}
	return true;
}

struct fence *fence_add(struct fence_set *set, int fd, enum owner owner, uint64_t asked_ns)
{
	unsigned id = shared_take(&shared->nr_fences, FENCES_MAX, "fences");
	struct fence *f = &shared->fences[id];

	f->owner = owner;
	f->asked_ns = asked_ns;
	f->made_ns = now_ns();
	f->waiters = 1;
	fence_look(fd, &f->info);
	set->ids[set->nr++] = id;
	return f;
}

void fence_ready(struct fence *f)
{
	atomic_store(&f->state, FENCE_MADE);
	if (f->due != DUE_KERNEL)
		kick(kicks[f->owner]);
}

int fence_make(struct signaller *s, struct fence_set *set, enum due due, uint64_t delay_ns,
	       unsigned waiters)
{
	uint64_t asked = now_ns();
	uint32_t vgem;
	int fd = vgem_make(&s->vgem, &vgem);
	struct fence *f;

	if (fd < 0)
		die(fd, "can't make a fence");
	f = fence_add(set, fd, s->owner, asked);
	f->due = due;
	f->delay_ns = delay_ns;
	f->waiters = waiters;
	f->vgem = vgem;
	f->look_fd = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	fence_ready(f);
	return fd;
}

void close_fence(int fd, enum due due)
{
	/* Linux 5.10 crashes when a polled buffer goes before its fence is signalled. */
	if (plan.sync_files || due != DUE_NEVER)
		close(fd);
}

void set_event(const struct fence_set *set, enum due due)
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
