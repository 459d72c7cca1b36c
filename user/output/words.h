/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Causes, wakers and times in words. Only what was observed is said: who woke a thread is "woken
 * by", never "held by". Names that came from traced programs go through text_escape().
 */
#ifndef OUTPUT_WORDS_H
#define OUTPUT_WORDS_H

#include <stddef.h>
#include <stdint.h>

#include "model/frame.h"

#define WORDS_LEN 400 /* enough for any text made here */
#define WORDS_NO_LIMIT 0u

_Static_assert(WORDS_LEN > 4 * PRODUCER_NAME_LEN, "a name may be escapes only");

/* Print behind what is in `dst`, as far as that goes. */
void words_append(char *dst, size_t len, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* "12.345" for 12345000 ns: milliseconds, rounded to the microsecond. */
void words_ms(char *dst, size_t len, uint64_t ns);

/* "blocked on a lock" */
const char *words_part(enum budget_part part);

/* What a thread was doing when it blocked: "poll socket fd 5"; empty if nothing is known. */
void words_detail(char *dst, size_t len, const struct blocker *b);

/*
 * Who ended the wait: "Xvfb/812", "hard irq"; empty if no waking was seen or nothing was waited for
 * (BUDGET_RUNNABLE). Longer than `width` characters, the name is cut, never the number.
 */
void words_waker(char *dst, size_t len, const struct blocker *b, unsigned width);

/* Who took the CPU from a preempted thread, likewise; empty if that is not what happened. */
void words_taker(char *dst, size_t len, const struct blocker *b, unsigned width);

/* Whose a fence is: "DRIVER/TIMELINE", '-' for what is not known of it; empty if nothing is. */
void words_timeline(char *dst, size_t len, const struct fence_name *name);

/*
 * What most of a frame went to: "blocked on a lock (futex), woken by llvmpipe-0/1234". Of one that
 * FrameTimeline told of, its jank.
 */
void words_why(char *dst, size_t len, const struct frame *f);

/* The same with its length before it: "12.100 of 16.900 ms blocked on ..." */
void words_frame(char *dst, size_t len, const struct frame *f);

/* How many characters a terminal shows for UTF-8 text (no wide ones are expected in names). */
unsigned words_width(const char *text);

/* Copy, cut to `width` characters; the last one shown is then '~'. */
void words_fit(char *dst, size_t len, const char *text, unsigned width);

/* The same for a producer's name, whose "#2" is not what is cut. */
void words_fit_producer(char *dst, size_t len, const char *text, unsigned width);

#endif
