/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Signals that end a recording. */
#include "cmd/interrupt.h"

#include <limits.h>
#include <linux/types.h>
#include <signal.h>
#include <stddef.h>

#include "base/clock.h"

#define IMPATIENT_MS 500

/* When the first signal came, CLOCK_MONOTONIC in ms; 0 = none. */
static volatile sig_atomic_t interrupted;
static void (*last_words)(void);

static sig_atomic_t now_ms(void)
{
	return (sig_atomic_t)(clock_monotonic_ns() / NSEC_PER_MSEC % INT_MAX) + 1;
}

static void die(int sig)
{
	if (last_words)
		last_words();
	signal(sig, SIG_DFL);
	raise(sig);
}

/* The same signal often comes twice in no time, to us and to our group. */
static void on_signal(int sig)
{
	if (!interrupted)
		interrupted = now_ms();
	else if (now_ms() - interrupted > IMPATIENT_MS)
		die(sig);
}

void interrupt_catch(void)
{
	const struct sigaction sa = { .sa_handler = on_signal };
	struct sigaction old;

	/* SIGINT also where a shell has it ignored for a background job: `kill -INT` must work. */
	sigaction(SIGINT, &sa, NULL);
	sigaction(SIGTERM, &sa, NULL);
	/* Ignored it is by nohup, on purpose. */
	if (!sigaction(SIGHUP, NULL, &old) && old.sa_handler != SIG_IGN)
		sigaction(SIGHUP, &sa, NULL);
	/* Their system calls fail instead, with a reason that can be told. */
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
}

bool interrupt_came(void)
{
	return interrupted;
}

void interrupt_last_words(void (*fn)(void))
{
	static const int fatal[] = { SIGQUIT, SIGILL, SIGABRT, SIGBUS, SIGFPE, SIGSEGV };
	struct sigaction sa = { .sa_handler = die };

	last_words = fn;
	for (size_t i = 0; i < sizeof(fatal) / sizeof(fatal[0]); i++)
		sigaction(fatal[i], &sa, NULL);
}
