/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Stand-in for Android's libsync: sync_wait(), which polls until the fence is signalled. */
#include <errno.h>
#include <poll.h>

int sync_wait(int fd, int timeout_ms);

int sync_wait(int fd, int timeout_ms)
{
	struct pollfd pfd = { .fd = fd, .events = POLLIN };
	int ret;

	if (fd < 0) {
		errno = EINVAL;
		return -1;
	}
	do {
		ret = poll(&pfd, 1, timeout_ms);
		if (ret > 0) {
			if (!(pfd.revents & (POLLERR | POLLNVAL)))
				return 0;
			errno = EINVAL;
			return -1;
		}
		if (!ret) {
			errno = ETIME;
			return -1;
		}
	} while (errno == EINTR || errno == EAGAIN);
	return ret;
}
