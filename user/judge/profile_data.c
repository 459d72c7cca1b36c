/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Counts as ProfileData::reportFrame() and prints as ProfileData::histogramForEach(). */
#include "judge/profile_data.h"

#define NS_PER_MS 1000000

/* Buckets of 1 ms up to here, then of 2, then of 4; what lies between these and the slow ones is
 * counted with the first slow one. */
#define EACH_1_FROM 5
#define EACH_2_FROM 32
#define EACH_4_FROM 48
#define FAST_END 136
#define SLOW_FROM 150
#define SLOW_EACH 50

#define FIRST_OF_2 (EACH_2_FROM - EACH_1_FROM)
#define FIRST_OF_4 (FIRST_OF_2 + (EACH_4_FROM - EACH_2_FROM) / 2)
_Static_assert(FIRST_OF_4 + (FAST_END - EACH_4_FROM) / 4 == PROFILE_FAST, "the last fast bucket");

#define GPU_LAST_LABEL 4950

/* In 32 bits, as there: a time beyond these comes round to the first buckets. */
unsigned profile_bucket(int64_t ns)
{
	uint32_t ms = (uint32_t)(ns / NS_PER_MS), slow;

	if (ms <= EACH_1_FROM)
		return 0;
	if (ms < EACH_2_FROM)
		return ms - EACH_1_FROM;
	if (ms < EACH_4_FROM)
		return FIRST_OF_2 + (ms - EACH_2_FROM) / 2;
	if (ms < FAST_END)
		return FIRST_OF_4 + (ms - EACH_4_FROM) / 4;
	slow = (uint32_t)((ns / NS_PER_MS - SLOW_FROM) / SLOW_EACH);
	return PROFILE_FAST + (slow < PROFILE_SLOW ? slow : PROFILE_SLOW - 1);
}

unsigned profile_label(unsigned bucket)
{
	if (bucket < FIRST_OF_2)
		return EACH_1_FROM + bucket;
	if (bucket <= FIRST_OF_4)
		return EACH_2_FROM + (bucket - FIRST_OF_2) * 2;
	/* From the second bucket of 4 ms on the printed edge is one too high, in all releases. */
	if (bucket < PROFILE_FAST)
		return EACH_4_FROM + (bucket - FIRST_OF_4) * 4 + 1;
	return SLOW_FROM + (bucket - PROFILE_FAST) * SLOW_EACH;
}

unsigned profile_gpu_bucket(int64_t ns)
{
	uint32_t ms = (uint32_t)(ns / NS_PER_MS);

	return ms < PROFILE_GPU_BUCKETS - 1 ? ms : PROFILE_GPU_BUCKETS - 1;
}

unsigned profile_gpu_label(unsigned bucket)
{
	return bucket < PROFILE_GPU_BUCKETS - 1 ? bucket + 1 : GPU_LAST_LABEL;
}

int profile_bucket_of_label(unsigned ms)
{
	for (unsigned i = 0; i < PROFILE_BUCKETS; i++)
		if (profile_label(i) == ms)
			return (int)i;
	return -1;
}

int profile_gpu_bucket_of_label(unsigned ms)
{
	for (unsigned i = 0; i < PROFILE_GPU_BUCKETS; i++)
		if (profile_gpu_label(i) == ms)
			return (int)i;
	return -1;
}

void profile_data_add(struct profile_data *p, const struct hwui_verdict *v)
{
	if (!v->known)
		return;
	if (v->counted) {
		unsigned bucket = profile_bucket(v->total_ns);

		p->total++;
		if (v->unbucketed)
			return;
		if (bucket < PROFILE_FAST)
			p->fast[bucket]++;
		else
			p->slow[bucket - PROFILE_FAST]++;
	}
	p->janky += v->janky;
	p->janky_legacy += v->janky_legacy;
	for (unsigned i = 0; i < JANK_TYPE_NR; i++)
		if (i != JANK_HIGH_INPUT_LATENCY)
			p->types[i] += v->types >> i & 1;
	p->types[JANK_HIGH_INPUT_LATENCY] += v->high_latency;
	if (v->has_gpu)
		p->gpu[profile_gpu_bucket(v->gpu_ns)]++;
}

bool profile_has_gpu(const struct profile_data *p)
{
	for (unsigned i = 0; i < PROFILE_GPU_BUCKETS; i++)
		if (p->gpu[i])
			return true;
	return false;
}

uint32_t profile_count(const struct profile_data *p, unsigned bucket)
{
	return bucket < PROFILE_FAST ? p->fast[bucket] : p->slow[bucket - PROFILE_FAST];
}

/* How many frames lie above that rank. These and the product may wrap, as there. */
static uint32_t above(uint32_t total, unsigned percent)
{
	return total - percent * total / 100;
}

unsigned profile_percentile(const struct profile_data *p, unsigned percent)
{
	uint32_t left = above(p->total, percent);

	for (unsigned i = PROFILE_BUCKETS; i--;) {
		left -= profile_count(p, i);
		if ((int32_t)left <= 0)
			return profile_label(i);
	}
	return 0;
}

unsigned profile_gpu_percentile(const struct profile_data *p, unsigned percent)
{
	uint32_t total = 0;

	for (unsigned i = 0; i < PROFILE_GPU_BUCKETS; i++)
		total += p->gpu[i];

	uint32_t left = above(total, percent);

	for (unsigned i = PROFILE_GPU_BUCKETS; i--;) {
		left -= p->gpu[i];
		if ((int32_t)left <= 0)
			return profile_gpu_label(i);
	}
	return 0;
}
