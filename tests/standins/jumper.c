/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Calls probed functions in ways that end oddly: left by longjmp(), called as a function's last
 * act, nested deeper than the kernel catches returns. Between them 100 swaps, none of which may go
 * missing; those with a deep recursion before them (every tenth) have lost calls.
 */
#include <setjmp.h>
#include <time.h>

#define SWAPS 100
#define DEPTH 100 /* the kernel gives up at 64 */

int jumper_leave(jmp_buf out);
int jumper_recurse(int n);
int jumper_swap(void *display, void *surface);
int jumper_wrap(void *display, void *surface);

static void doze(long us)
{
	const struct timespec ts = { .tv_sec = us / 1000000, .tv_nsec = us % 1000000 * 1000 };

	nanosleep(&ts, NULL);
}

__attribute__((noinline)) int jumper_leave(jmp_buf out)
{
	if (out)
		longjmp(out, 1);
	doze(300);
	return 1;
}

__attribute__((noinline)) int jumper_recurse(int n)
{
	volatile int kept = n;

	return kept ? jumper_recurse(kept - 1) + kept : 0;
}

__attribute__((noinline)) int jumper_swap(void *display, void *surface)
{
	doze(500);
	return display != surface;
}

/* Optimised, its call is a jump. */
__attribute__((noinline, optimize("O2"))) int jumper_wrap(void *display, void *surface)
{
	return jumper_swap(display, surface);
}

int main(void)
{
	jmp_buf out;

	for (volatile int i = 0; i < SWAPS; i++) {
		if (i % 5)
			jumper_leave(NULL);
		else if (!setjmp(out))
			jumper_leave(out);
		if (i % 10 == 3)
			jumper_recurse(DEPTH);
		if (i % 2)
			jumper_wrap((void *)1, (void *)0x55);
		else
			jumper_swap((void *)1, (void *)0x55);
	}
	return 0;
}
