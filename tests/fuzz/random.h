/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Numbers that look random and are the same each time: set `state` first, to anything but 0. */
#ifndef TESTS_RANDOM_H
#define TESTS_RANDOM_H

#include <stddef.h>
#include <stdint.h>

static uint64_t state;

/* xorshift64* */
static inline uint64_t next(void)
{
	state ^= state >> 12;
	state ^= state << 25;
	state ^= state >> 27;
	return state * 0x2545f4914f6cdd1dull;
}

static inline size_t below(size_t n)
{
	return (size_t)(next() % n);
}

#endif
