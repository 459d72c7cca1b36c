/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Java's arithmetic where C leaves open what comes out: for judges that are to say what an app's
 * own code would.
 */
#ifndef JUDGE_JAVA_H
#define JUDGE_JAVA_H

#include <float.h>
#include <math.h>
#include <stdint.h>

_Static_assert(FLT_EVAL_METHOD == 0, "a float is computed with as one, as in Java");

/* Kotlin's toLong(), a cast in Java: towards 0, the nearest there is, 0 for what is no number. */
static inline int64_t java_long(float value)
{
	if (isnan(value))
		return 0;
	if (value >= 0x1p63f)
		return INT64_MAX;
	return value <= -0x1p63f ? INT64_MIN : (int64_t)value;
}

/* The same for an int. */
static inline int32_t java_int(float value)
{
	int64_t whole = java_long(value);

	if (whole > INT32_MAX)
		return INT32_MAX;
	return whole < INT32_MIN ? INT32_MIN : (int32_t)whole;
}

/* Math.round(): what lies in the middle goes up. */
static inline int32_t java_round(float value)
{
	int32_t down = java_int(value);

	/* There is no fraction beyond, and none is lost below: the difference is exact. */
	if (!(fabsf(value) < 16777216.0f))
		return down;
	down -= value < (float)down;
	return down + (value - (float)down >= 0.5f);
}

/* The sum and the difference of two longs, which wrap. */
static inline int64_t java_sum(int64_t a, int64_t b)
{
	return (int64_t)((uint64_t)a + (uint64_t)b);
}

static inline int64_t java_difference(int64_t a, int64_t b)
{
	return (int64_t)((uint64_t)a - (uint64_t)b);
}

#endif
