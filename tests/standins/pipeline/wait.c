// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Waits in every way, and what is written down of each. */
#include "standins/pipeline/wait.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <unistd.h>

#include "standins/pipeline/fences.h"
#include "standins/truth.h"

struct api api;

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

void wait_for(const struct fence_set *set, int fd, unsigned frame, const char *role,
	      const char *call, int timeout_ms, void (*before)(int fd))
{
	struct wait *w = wait_new();
	const struct fence *last;

	w->frame = frame;
	w->pid = getpid();
	w->tid = gettid();
	prctl(PR_GET_NAME, w->comm);
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
