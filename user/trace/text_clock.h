/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Which clock the times of a trace's text are of. */
#ifndef TRACE_TEXT_CLOCK_H
#define TRACE_TEXT_CLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct text_clock {
	bool known; /* relative to CLOCK_MONOTONIC: */
	int64_t offset_ns; /* to be added to the trace's times; 0: they are of that clock */
	uint64_t error_ns; /* and may be wrong by this much */
};

/* Find it in the trace's beginning, where atrace leaves a mark. */
struct text_clock text_clock_find(const char *text, size_t len);

/* The time of an event; never below 0. */
uint64_t text_clock_time(const struct text_clock *clock, uint64_t ns);

#endif
