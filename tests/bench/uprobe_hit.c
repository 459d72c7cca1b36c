/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A program whose only work is to call its own function hit(), the one to probe.
 *
 * uprobe_hit cost CALLS                    calls it at full speed, prints the ns that a call took
 * uprobe_hit pace THREADS RATE SECONDS     each thread calls it RATE times a second in bursts of
 *                                          1 ms; prints the calls made and the calls per second
 */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define NSEC 1000000000ull
#define BURST_NS 1000000ull

static uint64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * NSEC + (uint64_t)ts.tv_nsec;
}

uint64_t hit(uint64_t n);

static void nothing(void)
{
}

static void (*volatile inner)(void) = nothing;

/*
 * What a uprobe costs depends on the first instruction. Keeping n over a call makes it the one that
 * most functions start with: saving a register on the stack.
 */
__attribute__((noinline)) uint64_t hit(uint64_t n)
{
	inner();
	return n + 1;
}

static int cost(uint64_t calls)
{
	uint64_t n = 0;
	uint64_t start_ns = now_ns();

	while (n < calls)
		n = hit(n);
	printf("%.2f\n", (double)(now_ns() - start_ns) / (double)calls);
	return 0;
}

struct pacer {
	pthread_t thread;
	uint64_t rate;
	uint64_t start_ns;
	uint64_t end_ns;
	uint64_t calls;
};

/* Catch up with the rate, then sleep to the next burst. */
static void *pace_thread(void *arg)
{
	struct pacer *p = arg;

	for (uint64_t burst_ns = p->start_ns; burst_ns < p->end_ns; burst_ns += BURST_NS) {
		struct timespec at = {
			.tv_sec = (time_t)(burst_ns / NSEC),
			.tv_nsec = (long)(burst_ns % NSEC),
		};
		uint64_t due = (burst_ns + BURST_NS - p->start_ns) / 1000 * p->rate / 1000000;

		clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL);
		while (p->calls < due && now_ns() < p->end_ns)
			p->calls = hit(p->calls);
	}
	return NULL;
}

static int pace(unsigned threads, uint64_t rate, uint64_t seconds)
{
	struct pacer *pacers = calloc(threads, sizeof(*pacers));
	uint64_t start_ns = now_ns();
	uint64_t calls = 0;
	unsigned started;

	if (!pacers)
		return 1;
	for (started = 0; started < threads; started++) {
		struct pacer *p = &pacers[started];

		p->rate = rate;
		p->start_ns = start_ns;
		p->end_ns = start_ns + seconds * NSEC;
		int rc = pthread_create(&p->thread, NULL, pace_thread, p);
		if (rc) {
			fprintf(stderr, "uprobe_hit: cannot start a thread: %s\n", strerror(rc));
			break;
		}
	}
	for (unsigned i = 0; i < started; i++) {
		pthread_join(pacers[i].thread, NULL);
		calls += pacers[i].calls;
	}
	printf("%llu %.0f\n", (unsigned long long)calls,
	       (double)calls * 1e9 / (double)(now_ns() - start_ns));
	free(pacers);
	return started == threads ? 0 : 1;
}

int main(int argc, char **argv)
{
	if (argc == 3 && !strcmp(argv[1], "cost") && strtoull(argv[2], NULL, 10) > 0)
		return cost(strtoull(argv[2], NULL, 10));
	if (argc == 5 && !strcmp(argv[1], "pace"))
		return pace((unsigned)strtoul(argv[2], NULL, 10), strtoull(argv[3], NULL, 10),
			    strtoull(argv[4], NULL, 10));
	fprintf(stderr, "usage: uprobe_hit cost CALLS | uprobe_hit pace THREADS RATE SECONDS\n");
	return 2;
}
