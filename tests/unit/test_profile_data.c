/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Histograms and percentiles against a table of edges, against lists of frames that are sorted and
 * counted off, and against the platform's sums of 32 bits.
 */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "judge/jank_tracker.h"
#include "judge/profile_data.h"

#define MS INT64_C(1000000)

static uint64_t random_state = 88172645463325252u;

static uint32_t random_below(uint32_t n)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return (uint32_t)(random_state >> 20) % n;
}

/* What is printed for a frame of so many ms, as a table of ranges. */
static unsigned label_of(unsigned ms)
{
	static const struct {
		unsigned from, step, printed;
	} ranges[] = {
		{ 150, 50, 150 }, { 136, 14, 150 }, { 52, 4, 53 },
		{ 32, 2, 32 },    { 6, 1, 6 },      { 0, 6, 5 },
	};

	if (ms >= 48 && ms < 52)
		return 48;
	if (ms >= 4950)
		return 4950;
	for (unsigned i = 0;; i++) {
		unsigned steps = ms >= ranges[i].from ? (ms - ranges[i].from) / ranges[i].step : 0;

		if (ms >= ranges[i].from)
			return ranges[i].printed + steps * ranges[i].step;
	}
}

static unsigned printed(int64_t ns)
{
	return profile_label(profile_bucket(ns));
}

static void test_edges(void)
{
	static const struct {
		unsigned ms, bucket, label;
	} edges[] = {
		{ 0, 0, 5 },         { 1, 0, 5 },         { 5, 0, 5 },         { 6, 1, 6 },
		{ 7, 2, 7 },         { 30, 25, 30 },      { 31, 26, 31 },      { 32, 27, 32 },
		{ 33, 27, 32 },      { 34, 28, 34 },      { 35, 28, 34 },      { 36, 29, 36 },
		{ 45, 33, 44 },      { 46, 34, 46 },      { 47, 34, 46 },      { 48, 35, 48 },
		{ 49, 35, 48 },      { 51, 35, 48 },      { 52, 36, 53 },      { 55, 36, 53 },
		{ 56, 37, 57 },      { 131, 55, 129 },    { 132, 56, 133 },    { 135, 56, 133 },
		{ 136, 57, 150 },    { 139, 57, 150 },    { 140, 57, 150 },    { 149, 57, 150 },
		{ 150, 57, 150 },    { 199, 57, 150 },    { 200, 58, 200 },    { 249, 58, 200 },
		{ 250, 59, 250 },    { 4899, 151, 4850 }, { 4900, 152, 4900 }, { 4949, 152, 4900 },
		{ 4950, 153, 4950 }, { 5000, 153, 4950 }, { 5001, 153, 4950 }, { 60000, 153, 4950 },
	};

	for (size_t i = 0; i < sizeof(edges) / sizeof(*edges); i++) {
		int64_t ns = edges[i].ms * MS;

		CU_ASSERT_EQUAL(profile_bucket(ns), edges[i].bucket);
		CU_ASSERT_EQUAL(profile_bucket(ns + MS - 1), edges[i].bucket);
		CU_ASSERT_EQUAL(printed(ns), edges[i].label);
		CU_ASSERT_EQUAL(label_of(edges[i].ms), edges[i].label);
	}
}

static void test_every_ms(void)
{
	for (unsigned ms = 0; ms < 6000; ms++) {
		CU_ASSERT_EQUAL(printed(ms * MS), label_of(ms));
		CU_ASSERT_EQUAL(printed(ms * MS + MS - 1), label_of(ms));
	}
	CU_ASSERT_EQUAL(printed(-1), 5);
}

static void test_gpu_edges(void)
{
	static const struct {
		unsigned ms, bucket, label;
	} edges[] = { { 0, 0, 1 },      { 1, 1, 2 },      { 23, 23, 24 },    { 24, 24, 25 },
		      { 25, 25, 4950 }, { 26, 25, 4950 }, { 9999, 25, 4950 } };

	for (size_t i = 0; i < sizeof(edges) / sizeof(*edges); i++) {
		int64_t ns = edges[i].ms * MS;

		CU_ASSERT_EQUAL(profile_gpu_bucket(ns), edges[i].bucket);
		CU_ASSERT_EQUAL(profile_gpu_bucket(ns + MS - 1), edges[i].bucket);
		CU_ASSERT_EQUAL(profile_gpu_label(profile_gpu_bucket(ns)), edges[i].label);
	}
}

/* There ms are cut to 32 bits, and so is the number of a slow bucket. */
static void test_beyond_32_bits(void)
{
	int64_t wrap = INT64_C(1) << 32;

	CU_ASSERT_EQUAL(printed((wrap + 7) * MS), 7);
	CU_ASSERT_EQUAL(printed((wrap + 1) * MS), 5);
	CU_ASSERT_EQUAL(printed((wrap - 1) * MS), 4950);
	CU_ASSERT_EQUAL(printed(((wrap + 3) * 50 + 150) * MS), 300);
	CU_ASSERT_EQUAL(profile_gpu_label(profile_gpu_bucket((wrap + 3) * MS)), 4);
	CU_ASSERT_EQUAL(profile_gpu_label(profile_gpu_bucket((wrap - 1) * MS)), 4950);
	CU_ASSERT_TRUE(profile_bucket(INT64_MAX) < PROFILE_BUCKETS);
	CU_ASSERT_TRUE(profile_gpu_bucket(INT64_MAX) < PROFILE_GPU_BUCKETS);
}

static void test_labels(void)
{
	for (unsigned i = 0; i < PROFILE_BUCKETS; i++) {
		CU_ASSERT_TRUE(!i || profile_label(i) > profile_label(i - 1));
		CU_ASSERT_EQUAL(profile_bucket_of_label(profile_label(i)), (int)i);
	}
	for (unsigned i = 0; i < PROFILE_GPU_BUCKETS; i++)
		CU_ASSERT_EQUAL(profile_gpu_bucket_of_label(profile_gpu_label(i)), (int)i);
	CU_ASSERT_EQUAL(profile_bucket_of_label(4), -1);
	CU_ASSERT_EQUAL(profile_bucket_of_label(33), -1);
	CU_ASSERT_EQUAL(profile_bucket_of_label(52), -1);
	CU_ASSERT_EQUAL(profile_bucket_of_label(5000), -1);
	CU_ASSERT_EQUAL(profile_gpu_bucket_of_label(0), -1);
	CU_ASSERT_EQUAL(profile_gpu_bucket_of_label(26), -1);
}

static void test_no_frames(void)
{
	const struct profile_data p = { 0 };

	for (unsigned percent = 50; percent < 100; percent++) {
		CU_ASSERT_EQUAL(profile_percentile(&p, percent), 4950);
		CU_ASSERT_EQUAL(profile_gpu_percentile(&p, percent), 4950);
	}
}

static void add(struct profile_data *p, int64_t total_ns)
{
	const struct hwui_verdict v = { .known = true, .counted = true, .total_ns = total_ns };

	profile_data_add(p, &v);
}

static void test_slow_wraps(void)
{
	struct profile_data p = { 0 };

	for (unsigned i = 0; i < 65535; i++)
		add(&p, 260 * MS);
	CU_ASSERT_EQUAL(profile_count(&p, 59), 65535);
	add(&p, 299 * MS);
	CU_ASSERT_EQUAL(profile_count(&p, 59), 0);
	CU_ASSERT_EQUAL(profile_count(&p, 60), 0);
	CU_ASSERT_EQUAL(p.total, 65536);
	/* None of the 656 longest is in a bucket. */
	CU_ASSERT_EQUAL(profile_percentile(&p, 99), 0);
	add(&p, 250 * MS);
	CU_ASSERT_EQUAL(profile_count(&p, 59), 1);
	p.fast[20] = UINT32_MAX;
	add(&p, 25 * MS);
	CU_ASSERT_EQUAL(p.fast[20], 0);
}

static void test_add(void)
{
	struct hwui_verdict v = {
		.counted = true,
		.janky = true,
		.janky_legacy = true,
		.has_gpu = true,
		.types = 1u << JANK_SLOW_UI | 1u << JANK_HIGH_INPUT_LATENCY |
			 1u << JANK_MISSED_DEADLINE_LEGACY,
		.high_latency = 2,
		.total_ns = 33 * MS,
		.gpu_ns = 3 * MS,
	};
	struct profile_data p = { .since_ns = 7 }, before = p;

	profile_data_add(&p, &v);
	CU_ASSERT_EQUAL(memcmp(&p, &before, sizeof(p)), 0);
	v.known = true;
	profile_data_add(&p, &v);
	CU_ASSERT_EQUAL(p.total, 1);
	CU_ASSERT_EQUAL(p.janky, 1);
	CU_ASSERT_EQUAL(p.janky_legacy, 1);
	CU_ASSERT_EQUAL(p.fast[27], 1);
	CU_ASSERT_EQUAL(p.gpu[3], 1);
	CU_ASSERT_EQUAL(p.types[JANK_HIGH_INPUT_LATENCY], 2);
	CU_ASSERT_EQUAL(p.types[JANK_SLOW_UI], 1);
	CU_ASSERT_EQUAL(p.types[JANK_MISSED_DEADLINE_LEGACY], 1);
	CU_ASSERT_EQUAL(p.types[JANK_MISSED_DEADLINE], 0);
	CU_ASSERT_EQUAL(p.types[JANK_MISSED_VSYNC], 0);

	/* The older of two algorithms has counted, the newer has not. */
	v = (struct hwui_verdict){ .known = true,
				   .janky_legacy = true,
				   .types = 1u << JANK_MISSED_DEADLINE_LEGACY };
	profile_data_add(&p, &v);
	CU_ASSERT_EQUAL(p.total, 1);
	CU_ASSERT_EQUAL(p.janky, 1);
	CU_ASSERT_EQUAL(p.janky_legacy, 2);
	CU_ASSERT_EQUAL(p.types[JANK_MISSED_DEADLINE_LEGACY], 2);

	v = (struct hwui_verdict){
		.known = true, .counted = true, .exempt = true, .unbucketed = true, .total_ns = MS
	};
	profile_data_add(&p, &v);
	CU_ASSERT_EQUAL(p.total, 2);
	CU_ASSERT_EQUAL(p.fast[0], 0);
	CU_ASSERT_EQUAL(p.since_ns, 7);
}

static int longer_first(const void *a, const void *b)
{
	unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;

	return (x < y) - (x > y);
}

/* The frame of that rank from the longest on; the longest bucket there is if that is none. */
static unsigned at_rank(const unsigned *labels, unsigned n, unsigned percent)
{
	unsigned rank = n - percent * n / 100;

	return rank ? labels[rank - 1] : 4950;
}

static unsigned random_ms(void)
{
	switch (random_below(4)) {
	case 0:
		return random_below(8000);
	case 1:
		return random_below(300);
	default:
		return random_below(40);
	}
}

static void test_percentiles(void)
{
	enum { MOST = 300 };
	unsigned labels[MOST], gpu_labels[MOST] = { 0 };

	for (unsigned round = 0; round < 6000; round++) {
		struct profile_data p = { 0 };
		unsigned n = 1 + random_below(round % 2 ? 12 : MOST);
		unsigned nr_gpu = 0;
		bool right = true;

		for (unsigned i = 0; i < n; i++) {
			unsigned ms = random_ms(), gpu_ms = random_below(40);
			const struct hwui_verdict v = {
				.known = true,
				.counted = true,
				.has_gpu = random_below(3) != 0,
				.total_ns = ms * MS + random_below(1000000),
				.gpu_ns = gpu_ms * MS + random_below(1000000),
			};

			profile_data_add(&p, &v);
			labels[i] = label_of(ms);
			if (v.has_gpu)
				gpu_labels[nr_gpu++] = gpu_ms < 25 ? gpu_ms + 1 : 4950;
		}
		qsort(labels, n, sizeof(*labels), longer_first);
		qsort(gpu_labels, nr_gpu, sizeof(*gpu_labels), longer_first);
		for (unsigned percent = 0; percent <= 100; percent++)
			right = right &&
				profile_percentile(&p, percent) == at_rank(labels, n, percent) &&
				profile_gpu_percentile(&p, percent) ==
					at_rank(gpu_labels, nr_gpu, percent);
		CU_ASSERT_TRUE(right);
		CU_ASSERT_EQUAL(p.total, n);
	}
}

/* Fewer in the buckets than in the total, as after the app's data went to shared memory. */
static void test_missing_frames(void)
{
	struct profile_data p = { .total = 100 };

	p.fast[10] = 9;
	CU_ASSERT_EQUAL(profile_percentile(&p, 50), 0);
	CU_ASSERT_EQUAL(profile_percentile(&p, 90), 0);
	CU_ASSERT_EQUAL(profile_percentile(&p, 91), 15);
	CU_ASSERT_EQUAL(profile_percentile(&p, 99), 15);
	CU_ASSERT_EQUAL(profile_percentile(&p, 100), 4950);
}

/* 99 * 50 000 000 does not fit: 4 950 000 000 - 2^32 = 655 032 704, and 43 449 673 are above. */
static void test_product_wraps(void)
{
	struct profile_data p = { .total = 50000000 };

	p.fast[0] = 10000000;
	p.fast[20] = 40000000;
	CU_ASSERT_EQUAL(profile_percentile(&p, 99), 5);
	p.gpu[0] = 10000000;
	p.gpu[20] = 40000000;
	CU_ASSERT_EQUAL(profile_gpu_percentile(&p, 99), 1);
	p.total = 40000000;
	p.fast[0] = 0;
	CU_ASSERT_EQUAL(profile_percentile(&p, 99), 25);
}

/* The walk with the counts as they are, in wide numbers that are cut to 32 bits. */
static unsigned walk(const int64_t *counts, const unsigned *labels, unsigned n, int64_t total,
		     unsigned percent)
{
	const int64_t span = INT64_C(1) << 32;
	int64_t left = total - percent * total % span / 100;

	while (n--) {
		left = ((left - counts[n]) % span + span) % span;
		if (!left || left >= span / 2)
			return labels[n];
	}
	return 0;
}

/* Counts that no device has, but a file may. */
static void test_any_counts(void)
{
	int64_t counts[PROFILE_BUCKETS], gpu_counts[PROFILE_GPU_BUCKETS];
	unsigned labels[PROFILE_BUCKETS], gpu_labels[PROFILE_GPU_BUCKETS];

	for (unsigned i = 0; i < PROFILE_BUCKETS; i++)
		labels[i] = profile_label(i);
	for (unsigned i = 0; i < PROFILE_GPU_BUCKETS; i++)
		gpu_labels[i] = profile_gpu_label(i);
	for (unsigned round = 0; round < 4000; round++) {
		struct profile_data p = { .total = random_below(UINT32_MAX) };
		uint32_t most = UINT32_MAX >> random_below(32);
		int64_t gpu_total = 0;

		for (unsigned i = 0; i < PROFILE_BUCKETS; i++) {
			if (i < PROFILE_FAST)
				p.fast[i] = random_below(most);
			else
				p.slow[i - PROFILE_FAST] = (uint16_t)random_below(most);
			counts[i] = profile_count(&p, i);
		}
		for (unsigned i = 0; i < PROFILE_GPU_BUCKETS; i++) {
			gpu_counts[i] = p.gpu[i] = random_below(most);
			gpu_total = (gpu_total + gpu_counts[i]) % (INT64_C(1) << 32);
		}
		for (unsigned percent = 50; percent < 100; percent += 7) {
			CU_ASSERT_EQUAL(profile_percentile(&p, percent),
					walk(counts, labels, PROFILE_BUCKETS, p.total, percent));
			CU_ASSERT_EQUAL(profile_gpu_percentile(&p, percent),
					walk(gpu_counts, gpu_labels, PROFILE_GPU_BUCKETS, gpu_total,
					     percent));
		}
	}
}

/* A total beyond 2^31 is a negative number of frames that are left, and one more is none. */
static void test_sum_wraps(void)
{
	struct profile_data p = { .total = INT32_MAX };

	p.fast[PROFILE_FAST - 1] = UINT32_MAX;
	CU_ASSERT_EQUAL(profile_percentile(&p, 0), 133);
	p.gpu[0] = INT32_MAX;
	p.gpu[25] = UINT32_MAX;
	p.gpu[24] = 1;
	CU_ASSERT_EQUAL(profile_gpu_percentile(&p, 0), 4950);
	p.total = UINT32_MAX;
	CU_ASSERT_EQUAL(profile_percentile(&p, 0), 4950);
}

static void test_names(void)
{
	static const char *const titles[JANK_TYPE_NR] = {
		"Missed Vsync",
		"High input latency",
		"Slow UI thread",
		"Slow bitmap uploads",
		"Slow issue draw commands",
		"Frame deadline missed",
		"Frame deadline missed (legacy)",
	};
	static const char *const names[JANK_TYPE_NR] = {
		"missed_vsync",
		"high_input_latency",
		"slow_ui_thread",
		"slow_bitmap_uploads",
		"slow_issue_draw_commands",
		"frame_deadline_missed",
		"frame_deadline_missed_legacy",
	};
	static const unsigned counted[] = { 5, 6, 6, 6, 7, 7, 7, 7, 7, 7 }; /* from release 8 on */

	for (unsigned type = 0; type < JANK_TYPE_NR; type++) {
		CU_ASSERT_STRING_EQUAL(jank_type_title((enum jank_type)type), titles[type]);
		CU_ASSERT_STRING_EQUAL(jank_type_name((enum jank_type)type), names[type]);
		for (unsigned android = HWUI_OLDEST; android <= HWUI_NEWEST; android++)
			CU_ASSERT_EQUAL(jank_type_of_release((enum jank_type)type, android),
					type < counted[android - HWUI_OLDEST]);
	}
}

int main(void)
{
	static const struct check_case cases[] = {
		{ "edges", test_edges },
		{ "every_ms", test_every_ms },
		{ "gpu_edges", test_gpu_edges },
		{ "beyond_32_bits", test_beyond_32_bits },
		{ "labels", test_labels },
		{ "no_frames", test_no_frames },
		{ "slow_wraps", test_slow_wraps },
		{ "add", test_add },
		{ "percentiles", test_percentiles },
		{ "missing_frames", test_missing_frames },
		{ "product_wraps", test_product_wraps },
		{ "any_counts", test_any_counts },
		{ "sum_wraps", test_sum_wraps },
		{ "names", test_names },
		{ NULL, NULL },
	};

	return check_main("profile_data", cases);
}
