/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The totals that HWUI keeps of a window or process, counter for counter:
 * libs/hwui/ProfileData.cpp, the same from Android 8 to 17.
 */
#ifndef JUDGE_PROFILE_DATA_H
#define JUDGE_PROFILE_DATA_H

#include <stdbool.h>
#include <stdint.h>

#include "model/verdict.h"

#define PROFILE_FAST 57 /* buckets of 32 bits */
#define PROFILE_SLOW 97 /* of 16 bits, behind them: they wrap, as there */
#define PROFILE_BUCKETS (PROFILE_FAST + PROFILE_SLOW)
#define PROFILE_GPU_BUCKETS 26

struct profile_data {
	uint32_t fast[PROFILE_FAST];
	uint16_t slow[PROFILE_SLOW];
	uint32_t gpu[PROFILE_GPU_BUCKETS];
	uint32_t total; /* frames */
	uint32_t janky;
	uint32_t janky_legacy;
	uint32_t types[JANK_TYPE_NR];
	uint64_t since_ns; /* CLOCK_MONOTONIC */
};

/* Count a frame as JankTracker does; nothing if it has not judged. */
void profile_data_add(struct profile_data *p, const struct hwui_verdict *v);

/* The bucket that a frame of that length is counted in; likewise for the GPU's time. */
unsigned profile_bucket(int64_t ns);
unsigned profile_gpu_bucket(int64_t ns);

/* What is printed before the bucket's count, in ms: 5 ... 4950. */
unsigned profile_label(unsigned bucket);
unsigned profile_gpu_label(unsigned bucket);

/* The bucket that is printed so; -1 if none is. */
int profile_bucket_of_label(unsigned ms);
int profile_gpu_bucket_of_label(unsigned ms);

/* Is there a frame of which the GPU's time is known? */
bool profile_has_gpu(const struct profile_data *p);

uint32_t profile_count(const struct profile_data *p, unsigned bucket);

/* The label of the bucket in which the frame of that rank is, in whole numbers as there. */
unsigned profile_percentile(const struct profile_data *p, unsigned percent);
unsigned profile_gpu_percentile(const struct profile_data *p, unsigned percent);

#endif
