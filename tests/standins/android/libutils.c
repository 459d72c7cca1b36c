// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Stand-in for Android's libutils: android::Looper, whose pollOnce() calls its pollInner(). */
#include "standins/android/link.h"

int looper_poll_once(void *looper, int timeout_ms, int *fd, int *events,
		     void **data) __asm__("_ZN7android6Looper8pollOnceEiPiS1_PPv");
int looper_poll_inner(void *looper, int timeout_ms) __asm__("_ZN7android6Looper9pollInnerEi");
void looper_wake(void *looper) __asm__("_ZN7android6Looper4wakeEv");

static const struct libutils functions = {
	.poll_once = looper_poll_once,
	.poll_inner = looper_poll_inner,
	.wake = looper_wake,
};

STANDIN_LINK(struct libutils, functions)

int looper_poll_once(void *looper, int timeout_ms, int *fd, int *events, void **data)
{
	return app->poll_once(looper, timeout_ms, fd, events, data);
}

int looper_poll_inner(void *looper, int timeout_ms)
{
	return app->poll_inner(looper, timeout_ms);
}

void looper_wake(void *looper)
{
	app->wake(looper);
}
