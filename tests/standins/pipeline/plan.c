// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The table of scenarios, and the sockets over which buffers are handed on. */
#include "standins/pipeline/plan.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

const struct scenario scenarios[] = {
	{ "smooth", .acquire = { DUE_MADE, 1000 }, .release = { DUE_MADE, 1000 }, .cancel = true },
	{ "gpu-late", .acquire = { DUE_WAITED, 8000 }, .release = { DUE_MADE, 0 } },
	{ "consumer-late", .acquire = { DUE_MADE, 500 }, .release = { DUE_WAITED, 5000 } },
	{ "no-slot", .acquire = { DUE_MADE, 500 }, .release = { DUE_MADE, 0 }, .no_release = true },
	{ "never", .acquire = { DUE_MADE, 500 }, .release = { DUE_NEVER, 0 }, .timeout_ms = 100,
	  .frames = 20 },
	{ "gpu-hangs", .acquire = { DUE_NEVER, 0 }, .release = { DUE_WAITED, 500 },
	  .timeout_ms = 100, .frames = 8, .victim = true },
	{ "two-victims", .acquire = { DUE_WAITED, 6000 }, .release = { DUE_MADE, 0 },
	  .victim = true },
	{ "late-runner", .acquire = { DUE_MADE, 500 }, .release = { DUE_WAITED, 3000 },
	  .late = true },
	{ "merge2", .acquire = { DUE_MADE, 500 }, .release = { DUE_WAITED, 3000 }, .merge = 2 },
	{ "merge5", .acquire = { DUE_MADE, 500 }, .release = { DUE_WAITED, 3000 }, .merge = 5 },
	{ "same-context", .acquire = { DUE_MADE, 500 }, .release = { DUE_KERNEL, 0 },
	  .display = true },
	{ "fd-reuse", .acquire = { DUE_MADE, 500 }, .release = { DUE_WAITED, 5000 },
	  .reuse = true },
	{ "signalled-before-wait", .acquire = { DUE_MADE, 500 }, .release = { DUE_DEQUEUED, 500 } },
};

const unsigned nr_scenarios = sizeof(scenarios) / sizeof(scenarios[0]);

struct plan plan = { .after_ms = 1000, .sync_files = true, .call = "sync_wait" };

void sleep_until(uint64_t ns)
{
	struct timespec ts = { (time_t)(ns / 1000000000u), (long)(ns % 1000000000u) };

	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &ts, NULL) == EINTR)
		;
}

void message_send(int sock, const struct message *m, int fd)
{
	union {
		char space[CMSG_SPACE(sizeof(int))];
		struct cmsghdr align;
	} control = { { 0 } };
	struct iovec iov = { (void *)m, sizeof(*m) };
	struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1 };

	if (fd >= 0) {
		struct cmsghdr *c;

		msg.msg_control = control.space;
		msg.msg_controllen = sizeof(control.space);
		c = CMSG_FIRSTHDR(&msg);
		c->cmsg_level = SOL_SOCKET;
		c->cmsg_type = SCM_RIGHTS;
		c->cmsg_len = CMSG_LEN(sizeof(int));
		memcpy(CMSG_DATA(c), &fd, sizeof(fd));
	}
	if (sendmsg(sock, &msg, MSG_NOSIGNAL) != sizeof(*m))
		die(-errno, "can't send a buffer");
}

bool message_receive(int sock, struct message *m, int *fd)
{
	union {
		char space[CMSG_SPACE(sizeof(int))];
		struct cmsghdr align;
	} control;
	struct iovec iov = { m, sizeof(*m) };
	struct msghdr msg = {
		.msg_iov = &iov,
		.msg_iovlen = 1,
		.msg_control = control.space,
		.msg_controllen = sizeof(control.space),
	};
	ssize_t n = recvmsg(sock, &msg, MSG_CMSG_CLOEXEC);

	if (!n)
		return false;
	if (n != sizeof(*m))
		die(n < 0 ? -errno : -EIO, "can't receive a buffer");
	*fd = -1;
	if (CMSG_FIRSTHDR(&msg))
		memcpy(fd, CMSG_DATA(CMSG_FIRSTHDR(&msg)), sizeof(*fd));
	return true;
}
