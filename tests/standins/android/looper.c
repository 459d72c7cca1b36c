// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* A looper on epoll, with an eventfd to wake it and a timer for the display's vsyncs. */
#include "standins/android/looper.h"

#include <errno.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "standins/android/api.h"
#include "standins/truth.h"

#define FIRST_ID 1000

static struct {
	uint64_t period_ns, first_ns;
	int64_t first_id;
} display = { .first_id = FIRST_ID };

void vsync_period(uint64_t ns)
{
	uint64_t now = now_ns();

	if (display.period_ns)
		display.first_id += (int64_t)((now - display.first_ns) / display.period_ns) + 1;
	display.first_ns = now;
	display.period_ns = ns;
}

static int64_t id_of(uint64_t vsync_ns)
{
	return display.first_id + (int64_t)((vsync_ns - display.first_ns) / display.period_ns);
}

static void watch(const struct looper *l, int fd)
{
	struct epoll_event event = { .events = EPOLLIN, .data.fd = fd };

	if (epoll_ctl(l->epoll, EPOLL_CTL_ADD, fd, &event))
		die(-errno, "can't watch a descriptor");
}

void looper_open(struct looper *l, bool keeps_messages)
{
	l->keeps_messages = keeps_messages;
	l->epoll = epoll_create1(EPOLL_CLOEXEC);
	l->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	l->timer_fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	if (l->epoll < 0 || l->wake_fd < 0 || l->timer_fd < 0)
		die(-errno, "can't make a looper");
	watch(l, l->wake_fd);
	watch(l, l->timer_fd);
}

void looper_poll(struct looper *l, int timeout_ms)
{
	int fd, events;
	void *data;

	if (l->message)
		l->message->end_min_ns = now_ns();
	api.utils->poll_once(l, timeout_ms, &fd, &events, &data);
	if (l->message)
		l->message->begin_max_ns = now_ns();
	l->before = l->begin;
	l->begin = mark_now();
}

int looper_poll_once(void *looper, int timeout_ms, int *fd, int *events, void **data)
{
	struct looper *l = looper;
	int ret;

	if (l->message)
		l->message->end_max_ns = now_ns();
	*fd = *events = 0;
	*data = NULL;
	ret = api.utils->poll_inner(l, timeout_ms);
	if (l->keeps_messages) {
		l->message = message_new();
		l->message->begin_min_ns = now_ns();
	}
	return ret;
}

int looper_poll_inner(void *looper, int timeout_ms)
{
	struct looper *l = looper;
	struct epoll_event events[2];
	int n;

	do {
		n = epoll_wait(l->epoll, events, 2, timeout_ms);
	} while (n < 0 && errno == EINTR);
	for (int i = 0; i < n; i++) {
		uint64_t count;

		if (read(events[i].data.fd, &count, sizeof(count)) < 0)
			continue;
		if (events[i].data.fd != l->timer_fd)
			continue;
		if (api.gui->handle_event)
			api.gui->handle_event(l, l->timer_fd, 1, l);
		else
			looper_handle_event(l, l->timer_fd, 1, l);
	}
	return n;
}

void looper_wake(void *looper)
{
	const struct looper *l = looper;
	const uint64_t one = 1;

	if (write(l->wake_fd, &one, sizeof(one)) < 0 && errno != EAGAIN)
		die(-errno, "can't wake a looper");
}

int looper_handle_event(void *looper, int fd, int events, void *data)
{
	const struct looper *l = looper;
	struct vsync_event_data vsync = { .interval_ns = (int64_t)display.period_ns, .nr = 1 };

	(void)fd;
	(void)events;
	vsync.timelines[0].vsync_id = id_of(l->armed_ns);
	vsync.timelines[0].deadline_ns = (int64_t)(l->armed_ns + display.period_ns);
	vsync.timelines[0].present_ns = (int64_t)(l->armed_ns + 2 * display.period_ns);
	api.runtime->dispatch_vsync(data, (int64_t)l->armed_ns, 0, 1, &vsync);
	return 1;
}

void looper_dispatch_vsync(void *looper, int64_t timestamp_ns, uint64_t id, uint32_t count,
			   const struct vsync_event_data *data)
{
	struct looper *l = looper;

	(void)id;
	(void)count;
	l->has_vsync = true;
	l->vsync_ns = (uint64_t)timestamp_ns;
	l->vsync_id = data ? data->timelines[data->preferred].vsync_id : -1;
}

void looper_ask_vsync(struct looper *l, uint64_t after_ns)
{
	uint64_t passed = (after_ns - display.first_ns) / display.period_ns;
	struct itimerspec in = { 0 };

	l->armed_ns = display.first_ns + (passed + 1) * display.period_ns;
	l->has_vsync = false;
	in.it_value.tv_sec = (time_t)(l->armed_ns / 1000000000u);
	in.it_value.tv_nsec = (long)(l->armed_ns % 1000000000u);
	if (timerfd_settime(l->timer_fd, TFD_TIMER_ABSTIME, &in, NULL))
		die(-errno, "can't set a timer");
}
