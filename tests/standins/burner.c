/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A load of context switches at a set rate: on each of CPUS processors two threads, pinned there,
 * send a byte back and forth, so that every way is one off-CPU interval of the other. Prints how
 * many there were a second.
 *
 * burner SECONDS CPUS SWITCHES_PER_SECOND
 */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define CPUS_MAX 64
#define TICK_NS 1000000

struct pair {
	int cpu;
	int there[2];
	int back[2];
	uint64_t per_tick; /* round trips */
	uint64_t end_ns;
	uint64_t trips;
};

static void die(const char *what)
{
	fprintf(stderr, "burner: %s: %s\n", what, strerror(errno));
	exit(1);
}

static uint64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

static void pin(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		die("can't stay on one CPU");
}

static void *echo(void *arg)
{
	struct pair *p = arg;
	char c;

	pin(p->cpu);
	while (read(p->there[0], &c, 1) == 1) {
		if (write(p->back[1], &c, 1) != 1)
			die("can't answer");
	}
	return NULL;
}

static void *drive(void *arg)
{
	struct pair *p = arg;
	uint64_t next = now_ns();
	char c = 0;

	pin(p->cpu);
	while (now_ns() < p->end_ns) {
		struct timespec ts = { (time_t)(next / 1000000000u), (long)(next % 1000000000u) };

		/* A tick that came late is made up for, so that the mean rate holds. */
		clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &ts, NULL);
		for (uint64_t i = 0; i < p->per_tick; i++) {
			if (write(p->there[1], &c, 1) != 1 || read(p->back[0], &c, 1) != 1)
				die("can't go on");
		}
		p->trips += p->per_tick;
		next += TICK_NS;
	}
	close(p->there[1]);
	return NULL;
}

int main(int argc, char **argv)
{
	static struct pair pairs[CPUS_MAX];
	pthread_t threads[CPUS_MAX][2];
	uint64_t start = now_ns(), trips = 0;
	unsigned long seconds, rate;
	int cpus;

	if (argc != 4) {
		fputs("usage: burner SECONDS CPUS SWITCHES_PER_SECOND\n", stderr);
		return 2;
	}
	seconds = strtoul(argv[1], NULL, 10);
	cpus = (int)strtol(argv[2], NULL, 10);
	rate = strtoul(argv[3], NULL, 10);
	if (!seconds || cpus < 1 || cpus > CPUS_MAX) {
		fputs("burner: SECONDS and CPUS must be positive and sane\n", stderr);
		return 2;
	}
	for (int i = 0; i < cpus; i++) {
		struct pair *p = &pairs[i];

		p->cpu = i;
		p->end_ns = start + seconds * 1000000000u;
		p->per_tick = rate / 2 / (unsigned)cpus / (1000000000u / TICK_NS);
		if (pipe(p->there) || pipe(p->back))
			die("can't make a pipe");
		if (pthread_create(&threads[i][0], NULL, echo, p) ||
		    pthread_create(&threads[i][1], NULL, drive, p))
			die("can't start a thread");
	}
	for (int i = 0; i < cpus; i++) {
		pthread_join(threads[i][0], NULL);
		pthread_join(threads[i][1], NULL);
		trips += pairs[i].trips;
	}
	printf("%.0f\n", 2e9 * (double)trips / (double)(now_ns() - start));
	return 0;
}
