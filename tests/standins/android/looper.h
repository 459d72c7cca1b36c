/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * android::Looper as far as the app needs it, and the display's vsyncs, which come to one as an
 * event. A UI thread's message begins when pollOnce() returns, and ends when it is called again.
 */
#ifndef TESTS_ANDROID_LOOPER_H
#define TESTS_ANDROID_LOOPER_H

#include "standins/android/link.h"
#include "standins/android/record.h"

struct looper {
	int epoll, wake_fd, timer_fd;
	bool keeps_messages;
	struct message *message; /* that runs */
	struct mark before, begin; /* at the begin of the last message, and of this one */
	uint64_t armed_ns; /* the vsync that was asked for */
	bool has_vsync; /* one has come */
	uint64_t vsync_ns;
	int64_t vsync_id;
};

void looper_open(struct looper *l, bool keeps_messages);

/* The calling thread's message ends, and with the return its next one begins. */
void looper_poll(struct looper *l, int timeout_ms);

/* From now on the display has that many. */
void vsync_period(uint64_t ns);

/* Asks for the next vsync, but not before that. */
void looper_ask_vsync(struct looper *l, uint64_t after_ns);

/* What the libraries do. */
int looper_poll_once(void *looper, int timeout_ms, int *fd, int *events, void **data);
int looper_poll_inner(void *looper, int timeout_ms);
void looper_wake(void *looper);
int looper_handle_event(void *looper, int fd, int events, void *data);
void looper_dispatch_vsync(void *looper, int64_t timestamp_ns, uint64_t display, uint32_t count,
			   const struct vsync_event_data *data);

#endif
