// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * What Android this machine runs. Its properties lie in shared memory that only its own C library
 * can read, which a static program has not: a program of the system is asked instead.
 */
#include "probe/platform.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"

#define LIMIT_NS (2 * NSEC_PER_SEC)

/* By release: 8 to 10, 11, 12 and 12L, 13 and 14, 16, 17. Android 15 has 23 or 24, by its build. */
static const struct {
	unsigned first_sdk, last_sdk, slots;
} layouts[] = {
	{ 26, 29, 16 }, { 30, 30, 17 }, { 31, 32, 22 },
	{ 33, 34, 23 }, { 36, 36, 24 }, { 37, 37, 25 },
};

const unsigned platform_layouts[] = { 16, 17, 22, 23, 24, 25, 0 };

bool platform_is_layout(unsigned slots)
{
	for (const unsigned *l = platform_layouts; *l; l++) {
		if (*l == slots)
			return true;
	}
	return false;
}

unsigned platform_frame_info_layout(unsigned sdk)
{
	for (size_t i = 0; i < sizeof(layouts) / sizeof(*layouts); i++) {
		if (sdk >= layouts[i].first_sdk && sdk <= layouts[i].last_sdk)
			return layouts[i].slots;
	}
	return 0;
}

/* Start `getprop NAME` with `out` as its standard output. Its process id, 0 if there is none. */
static pid_t start_getprop(const char *name, int out)
{
	char *argv[] = { "getprop", (char *)name, NULL };
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attr;
	sigset_t all;
	pid_t pid;
	int err;

	if (posix_spawn_file_actions_init(&files))
		return 0;
	if (posix_spawnattr_init(&attr)) {
		posix_spawn_file_actions_destroy(&files);
		return 0;
	}
	/* It must not inherit what we ignore. */
	sigfillset(&all);
	posix_spawnattr_setsigdefault(&attr, &all);
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGDEF);
	err = posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	if (!err)
		err = posix_spawn_file_actions_adddup2(&files, out, STDOUT_FILENO);
	if (!err)
		err = posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY,
						       0);
	if (!err)
		err = posix_spawnp(&pid, argv[0], &files, &attr, argv, environ);
	posix_spawnattr_destroy(&attr);
	posix_spawn_file_actions_destroy(&files);
	return err ? 0 : pid;
}

/* All that comes until the end or the deadline; false if it was the deadline. */
static bool read_all(int fd, char *text, size_t len, uint64_t deadline_ns)
{
	size_t used = 0;

	for (;;) {
		struct pollfd in = { .fd = fd, .events = POLLIN };
		uint64_t now = clock_monotonic_ns();
		char rest[256];
		ssize_t n;

		if (now >= deadline_ns ||
		    poll(&in, 1, (int)((deadline_ns - now) / NSEC_PER_MSEC) + 1) != 1)
			return false;
		/* What there is no room for is read too, or it would wait for that. */
		if (used < len - 1)
			n = read(fd, text + used, len - 1 - used);
		else
			n = read(fd, rest, sizeof(rest));
		if (n <= 0)
			break;
		if (used < len - 1)
			used += (size_t)n;
		text[used] = '\0';
	}
	text[strcspn(text, "\r\n")] = '\0';
	return true;
}

/* False if there is no use in asking for another property. `text` is empty if there is no value. */
static bool ask(const char *name, char *text, size_t len, uint64_t deadline_ns)
{
	bool in_time;
	int out[2];
	pid_t pid;

	text[0] = '\0';
	if (pipe2(out, O_CLOEXEC))
		return false;
	pid = start_getprop(name, out[1]);
	close(out[1]);
	if (!pid) {
		close(out[0]);
		return false;
	}
	in_time = read_all(out[0], text, len, deadline_ns);
	close(out[0]);
	if (!in_time) {
		text[0] = '\0';
		kill(pid, SIGKILL);
	}
	waitpid(pid, NULL, 0);
	return in_time;
}

static unsigned parse_sdk(const char *text)
{
	char *end;
	unsigned long sdk = strtoul(text, &end, 10);

	return *text >= '0' && *text <= '9' && !*end && sdk <= 9999 ? (unsigned)sdk : 0;
}

void platform_read(struct platform *p)
{
	uint64_t deadline_ns = clock_monotonic_ns() + LIMIT_NS;
	char sdk[PLATFORM_TEXT_LEN];

	*p = (struct platform){ 0 };
	if (!ask("ro.build.version.sdk", sdk, sizeof(sdk), deadline_ns))
		return;
	p->sdk = parse_sdk(sdk);
	if (ask("ro.build.version.release", p->release, sizeof(p->release), deadline_ns) &&
	    ask("ro.product.model", p->model, sizeof(p->model), deadline_ns))
		ask("ro.build.fingerprint", p->build, sizeof(p->build), deadline_ns);
}
