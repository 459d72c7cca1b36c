/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Many short lives: PROCESSES children, up to CROWD of them at a time, each with two threads that
 * sleep a moment. They end by _exit(): a leak checker's exit handler would start processes of its
 * own.
 *
 * storm PROCESSES
 */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define CROWD 20
#define THREADS 2
#define MOMENT_US 500

static void die(const char *what, int err)
{
	fprintf(stderr, "storm: %s: %s\n", what, strerror(err));
	exit(1);
}

static void *thread_main(void *arg)
{
	usleep(MOMENT_US);
	return arg;
}

static void child_main(void)
{
	pthread_t threads[THREADS];

	for (int i = 0; i < THREADS; i++) {
		int err = pthread_create(&threads[i], NULL, thread_main, NULL);

		if (err)
			die("can't start a thread", err);
	}
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	_exit(0);
}

static void reap(void)
{
	int status;

	if (wait(&status) < 0)
		die("can't wait for a child", errno);
	if (status)
		die("a child failed", ECHILD);
}

int main(int argc, char **argv)
{
	unsigned long processes = argc == 2 ? strtoul(argv[1], NULL, 10) : 0;

	if (!processes) {
		fputs("usage: storm PROCESSES\n", stderr);
		return 2;
	}
	for (unsigned long i = 0; i < processes; i++) {
		pid_t pid;

		if (i >= CROWD)
			reap();
		pid = fork();
		if (pid < 0)
			die("can't fork", errno);
		if (!pid)
			child_main();
	}
	for (unsigned long i = 0; i < processes && i < CROWD; i++)
		reap();
	_exit(0);
}
