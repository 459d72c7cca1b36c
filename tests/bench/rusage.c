/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * rusage OUT COMMAND [ARGUMENT...]: runs the command, writes to OUT what it took, as lines that a
 * shell can source, and exits as it did. Peak memory includes that of children it waited for.
 */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static uint64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

static uint64_t timeval_ns(const struct timeval *tv)
{
	return (uint64_t)tv->tv_sec * 1000000000u + (uint64_t)tv->tv_usec * 1000u;
}

static int write_usage(const char *path, uint64_t elapsed_ns, const struct rusage *ru)
{
	FILE *out = fopen(path, "w");

	if (!out) {
		fprintf(stderr, "rusage: cannot write %s: %s\n", path, strerror(errno));
		return -1;
	}
	fprintf(out, "elapsed_ns=%llu\nuser_ns=%llu\nsys_ns=%llu\nmax_rss_kib=%ld\n",
		(unsigned long long)elapsed_ns, (unsigned long long)timeval_ns(&ru->ru_utime),
		(unsigned long long)timeval_ns(&ru->ru_stime), ru->ru_maxrss);
	return fclose(out) ? -1 : 0;
}

int main(int argc, char **argv)
{
	struct rusage ru;
	int status;

	if (argc < 3) {
		fprintf(stderr, "usage: rusage OUT COMMAND [ARGUMENT...]\n");
		return 2;
	}

	uint64_t start_ns = now_ns();
	pid_t pid = fork();

	if (pid < 0) {
		perror("rusage: fork");
		return 126;
	}
	if (pid == 0) {
		execvp(argv[2], &argv[2]);
		fprintf(stderr, "rusage: cannot run %s: %s\n", argv[2], strerror(errno));
		_exit(127);
	}
	while (wait4(pid, &status, 0, &ru) < 0) {
		if (errno != EINTR) {
			perror("rusage: wait4");
			return 126;
		}
	}
	if (write_usage(argv[1], now_ns() - start_ns, &ru))
		return 126;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
