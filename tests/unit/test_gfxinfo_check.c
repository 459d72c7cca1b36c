/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Each contradiction of a block of totals is found when one number is changed, and none in what a
 * device prints: the limits of what it can print are those of HWUI's code.
 */
#include <dirent.h>

#include "unit/gfxinfo_block.h"
#include "unit/realdata.h"

static void check_window(const struct block *b)
{
	print_dump(90000);
	print_process(7, "org.x");
	print_window("org.x/Main", b, 0, 0);
	check_text();
}

static void check_process(const struct block *b)
{
	print_dump(90000);
	print_process(7, "org.x");
	print_block(b);
	check_text();
}

#define EXPECT(block, contradicted, noted)                                                         \
	do {                                                                                       \
		check_window(&(block));                                                            \
		CU_ASSERT_EQUAL(found.contradictions, contradicted);                               \
		CU_ASSERT_EQUAL(found.notes, noted);                                               \
	} while (0)

#define EXPECT_PROCESS(block, contradicted, noted)                                                 \
	do {                                                                                       \
		check_process(&(block));                                                           \
		CU_ASSERT_EQUAL(found.contradictions, contradicted);                               \
		CU_ASSERT_EQUAL(found.notes, noted);                                               \
	} while (0)

static void test_consistent(void)
{
	EXPECT(block_12, 0, 0);
	EXPECT_PROCESS(block_12, 0, 0);
	EXPECT(block_9, 0, 0);
	EXPECT_PROCESS(block_9, 0, 0);
}

static void test_percentiles(void)
{
	for (unsigned i = 0; i < 4; i++) {
		struct block b = block_12;

		b.percentiles[i]++;
		EXPECT(b, KIND(PERCENTILE), 0);
		CU_ASSERT_EQUAL(found.list[0].figure, FIGURE_PERCENTILES + i);
		CU_ASSERT_EQUAL(found.list[0].printed, block_12.percentiles[i] + 1);
		CU_ASSERT_EQUAL(found.list[0].expected, block_12.percentiles[i]);
		CU_ASSERT_EQUAL(found.list[0].frames, 100);
		CU_ASSERT_EQUAL(found.list[0].line, 7);
		CU_ASSERT_STRING_EQUAL(found.list[0].of->name, "org.x/Main");
		b = block_12;
		b.gpu_percentiles[i]++;
		EXPECT(b, KIND(PERCENTILE), 0);
		CU_ASSERT_EQUAL(found.list[0].figure, FIGURE_GPU_PERCENTILES + i);
		CU_ASSERT_EQUAL(found.list[0].frames, 90);
	}
	struct block b = block_9;

	b.percentiles[1] = 34;
	EXPECT_PROCESS(b, KIND(PERCENTILE), 0);
	expect_text(FINDING_PERCENTILE, "'90th percentile' is 34ms, but of 100 frames the bars of "
					"HISTOGRAM make that 32ms");
}

/* Where bars were lost, too few are left to reach the rank: the walk ends at 0 ms. */
static void test_percentiles_of_lost_bars(void)
{
	struct block b = block_9;

	b.bars[0].count = 5;
	b.percentiles[0] = 0;
	EXPECT_PROCESS(b, 0, KIND(SUM_BELOW_TOTAL));
	b.percentiles[0] = 8;
	EXPECT_PROCESS(b, KIND(PERCENTILE), KIND(SUM_BELOW_TOTAL));
}

static void test_shares(void)
{
	struct block b = block_12;

	b.janky_share = "25.01";
	EXPECT(b, KIND(SHARE), 0);
	expect_text(FINDING_SHARE, "'Janky frames' is printed as 25.01%, but makes 25.00% of 100 "
				   "frames");
	b = block_12;
	b.legacy_share = "32.99";
	EXPECT(b, KIND(SHARE), 0);
	CU_ASSERT_EQUAL(found.list[0].figure, FIGURE_JANKY_LEGACY);
}

/* What printf made of floats. Of doubles, 23 of 160 would be 14.37, and 47 be 29.38. */
static void test_shares_as_floats(void)
{
	static const struct {
		uint64_t janky, total;
		const char *share;
	} cases[] = {
		{ 23, 160, "14.38" },   { 47, 160, "29.37" },
		{ 1, 800, "0.12" },     { 3, 800, "0.38" },
		{ 0, 800, "0.00" },     { 800, 800, "100.00" },
		{ 363, 3370, "10.77" }, { 33554431, 33554433, "100.00" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct block b = block_9;

		memset(b.bars, 0, sizeof(b.bars));
		b.bars[0] = (struct gfxinfo_bar){ 8, cases[i].total };
		for (unsigned p = 0; p < 4; p++)
			b.percentiles[p] = 8;
		b.total = cases[i].total;
		b.janky = cases[i].janky;
		b.janky_share = cases[i].share;
		memset(b.types, 0, sizeof(b.types));
		EXPECT(b, 0, 0);
	}
}

static void test_sum_of_window(void)
{
	struct block b = block_12;

	b.bars[0].count = 61;
	EXPECT(b, KIND(SUM_ABOVE_TOTAL), 0);
	expect_text(FINDING_SUM_ABOVE_TOTAL, "the bars of HISTOGRAM add up to 101 frames, but "
					     "'Total frames rendered' is 100");
	b.bars[0].count = 59;
	EXPECT(b, KIND(SUM_BELOW_TOTAL), 0);
	expect_text(FINDING_SUM_BELOW_TOTAL, "the bars of HISTOGRAM add up to 99 frames, but "
					     "'Total frames rendered' is 100: in a window's each "
					     "frame is in one bar");
	/* Android 8 counts some in no bar, and has no line of missed deadlines */
	b = block_9;
	b.nr_types = 5;
	b.bars[0].count = 59;
	EXPECT(b, 0, KIND(SUM_BELOW_TOTAL));
}

static void test_sum_of_process(void)
{
	struct block b = block_9;

	b.bars[0].count = 59;
	EXPECT_PROCESS(b, 0, KIND(SUM_BELOW_TOTAL));
	CU_ASSERT_FALSE(found.list[0].meanwhile);
	b.bars[0].count = 61;
	EXPECT_PROCESS(b, KIND(SUM_ABOVE_TOTAL), 0);
}

static void expect_wrap(uint64_t total, uint32_t contradicted, uint32_t noted)
{
	struct block b = block_9;

	b.total = total;
	b.janky_share = "0.05";
	/* the walk with what is left */
	for (unsigned p = 0; p < 4; p++)
		b.percentiles[p] = 0;
	EXPECT(b, contradicted, noted);
}

/* Bars of 16 bits begin again at 0, and the first may carry 1 into the second. */
static void test_wraps(void)
{
	expect_wrap(65536 + 100, 0, KIND(SUM_WRAPPED));
	expect_wrap(65535 + 100, 0, KIND(SUM_WRAPPED));
	expect_wrap(65534 + 100, KIND(SUM_BELOW_TOTAL), 0);
	expect_wrap(65537 + 100, KIND(SUM_BELOW_TOTAL), 0);
}

static void test_above_total(void)
{
	struct block b = block_12;

	b.legacy = 101;
	b.legacy_share = "101.00";
	EXPECT(b, KIND(ABOVE_TOTAL), 0);
	expect_text(FINDING_ABOVE_TOTAL, "'Janky frames (legacy)' is 101, but counted once per "
					 "frame at most, and 'Total frames rendered' is 100");
	b = block_9;
	b.janky = 101;
	b.janky_share = "101.00";
	EXPECT(b, KIND(ABOVE_TOTAL), 0);
	b = block_9;
	b.types[1] = 0;
	b.types[5] = 101;
	EXPECT(b, KIND(ABOVE_TOTAL), 0);
	CU_ASSERT_EQUAL(found.list[0].figure, FIGURE_TYPES + JANK_MISSED_DEADLINE);
	b = block_12;
	b.gpu_bars[1].count = 20;
	b.gpu_percentiles[3] = 7;
	EXPECT(b, KIND(ABOVE_TOTAL), 0);
	CU_ASSERT_EQUAL(found.list[0].printed, 101);
	expect_text(FINDING_ABOVE_TOTAL, "the bars of GPU HISTOGRAM add up to 101 frames, but "
					 "'Total frames rendered' is 100, and each has at most one "
					 "GPU time");
	b.gpu_bars[1].count = 19;
	b.gpu_percentiles[3] = 4950;
	EXPECT(b, 0, 0);
}

static void test_janky_and_missed(void)
{
	struct block b = block_12;

	b.types[5] = 24;
	EXPECT(b, KIND(JANKY_NOT_MISSED), 0);
	expect_text(FINDING_JANKY_NOT_MISSED, "'Janky frames' is 25, but 'Number Frame deadline "
					      "missed' is 24: from Android 12 on they are the same "
					      "frames");
	b.types[5] = 26;
	EXPECT(b, KIND(JANKY_NOT_MISSED), 0);
	/* before, they are not */
	b = block_9;
	b.types[5] = 24;
	EXPECT(b, 0, 0);
}

static void test_causes(void)
{
	static const unsigned causes[] = { JANK_MISSED_VSYNC, JANK_SLOW_UI, JANK_SLOW_SYNC,
					   JANK_SLOW_RT };

	for (unsigned i = 0; i < 4; i++) {
		struct block b = block_9;

		b.types[causes[i]] = 25;
		EXPECT(b, 0, 0);
		b.types[causes[i]] = 26;
		EXPECT(b, KIND(CAUSE_ABOVE_MISSED), 0);
		CU_ASSERT_EQUAL(found.list[0].figure, FIGURE_TYPES + causes[i]);
		/* Android 8 counts causes of janky frames */
		b.nr_types = 5;
		EXPECT(b, 0, 0);
	}
	struct block b = block_12;

	b.types[JANK_MISSED_VSYNC] = 26;
	EXPECT(b, KIND(CAUSE_ABOVE_MISSED), 0);
	expect_text(FINDING_CAUSE_ABOVE_MISSED, "'Number Missed Vsync' is 26, but only counted of "
						"frames of 'Number Frame deadline missed', which "
						"is 25");
}

static void test_high_latency(void)
{
	struct block b = block_12;

	b.types[1] = 200 - 25 - 20;
	EXPECT(b, 0, 0);
	b.types[1]++;
	EXPECT(b, KIND(HIGH_LATENCY), 0);
	expect_text(FINDING_HIGH_LATENCY, "'Number High input latency' is 156, but 155 at most of "
					  "100 frames and their missed deadlines: it is counted of "
					  "deadlines that were made");
	b = block_9;
	b.types[1] = 75;
	EXPECT(b, 0, 0);
	b.types[1] = 76;
	EXPECT(b, KIND(HIGH_LATENCY), 0);
	b.nr_types = 5;
	b.types[1] = 100;
	EXPECT(b, 0, 0);
}

static void test_labels(void)
{
	struct block b = block_12;

	b.more = " 33ms=0";
	EXPECT(b, KIND(UNKNOWN_LABEL), 0);
	expect_text(FINDING_UNKNOWN_LABEL, "HISTOGRAM has a bar of 33ms, which no release has");
	b.more = " 34ms=0";
	EXPECT(b, KIND(LABEL_TWICE), 0);
	expect_text(FINDING_LABEL_TWICE, "HISTOGRAM has two bars of 34ms");
	/* of what is cut nothing more is said */
	b = block_12;
	b.nr_bars = 20;
	b.percentiles[0] = 9;
	EXPECT(b, 0, KIND(BARS_MISSING));
	expect_text(FINDING_BARS_MISSING, "HISTOGRAM has 20 of its 154 bars: its sum and the "
					  "percentiles can't be checked");
	b = block_12;
	b.nr_gpu_bars = 25;
	EXPECT(b, 0, KIND(BARS_MISSING));
	CU_ASSERT_EQUAL(found.list[0].figure, FIGURE_GPU_HISTOGRAM);
}

static void test_too_large(void)
{
	struct block b = block_12;

	b.bars[3].count = 65536;
	EXPECT(b, KIND(TOO_LARGE), 0);
	expect_text(FINDING_TOO_LARGE, "'HISTOGRAM 150ms' is 65536, but its counter has 16 bits "
				       "and holds at most 65535");
	b = block_12;
	b.bars[0].count = 1ull << 32;
	EXPECT(b, KIND(TOO_LARGE), 0);
	CU_ASSERT_EQUAL(found.list[0].expected, UINT32_MAX);
	/* what has no value takes part in nothing */
	b = block_12;
	b.total = 1ull << 32;
	EXPECT(b, KIND(TOO_LARGE), 0);
	expect_text(FINDING_TOO_LARGE, "'Total frames rendered' is 4294967296, but its counter has "
				       "32 bits and holds at most 4294967295");
	b = block_12;
	b.gpu_bars[2].count = UINT64_MAX;
	EXPECT(b, KIND(TOO_LARGE), 0);
}

/* graphicsstats has added up those of many runs. */
static void test_package(void)
{
	struct block b = block_9;

	b.bars[3].count = 65536;
	print("\nPackage: org.x");
	print_block(&b);
	check_text();
	CU_ASSERT_EQUAL(found.contradictions, 0);
	CU_ASSERT_EQUAL(found.notes, KIND(TOO_LARGE));
}

static void test_no_frames(void)
{
	struct block b = { .since = 1,
			   .janky_share = "0.00",
			   .legacy_share = "0.00",
			   .percentiles = { 4950, 4950, 4950, 4950 },
			   .nr_types = 7,
			   .nr_bars = 154,
			   .more = "",
			   .gpu_percentiles = { 4950, 4950, 4950, 4950 },
			   .nr_gpu_bars = 26 };

	EXPECT(b, 0, KIND(NO_FRAMES));
	CU_ASSERT_EQUAL(found.nr, 1);
	expect_text(FINDING_NO_FRAMES, "no frame was counted: the percentiles (4950ms) say "
				       "nothing");
	b.janky_share = "nan";
	EXPECT(b, 0, KIND(NO_FRAMES));
	b.janky_share = "0.00";
	b.percentiles[2] = 5;
	EXPECT(b, KIND(PERCENTILE), KIND(NO_FRAMES));

	struct block no_gpu = block_12;

	memset(no_gpu.gpu_bars, 0, sizeof(no_gpu.gpu_bars));
	for (unsigned i = 0; i < 4; i++)
		no_gpu.gpu_percentiles[i] = 4950;
	EXPECT(no_gpu, 0, KIND(NO_FRAMES));
	expect_text(FINDING_NO_FRAMES, "no GPU time was counted: the percentiles (4950ms) say "
				       "nothing");
}

static void test_filtered(void)
{
	print_dump(90000);
	print_process(7, "org.x");
	print("\nWindow: w\nNote: Data has been filtered!");
	print_block(&block_12);
	check_text();
	CU_ASSERT_EQUAL(found.contradictions, 0);
	CU_ASSERT_EQUAL(found.notes, KIND(FILTERED));
}

/* The totals of a process are printed without a lock from 12 on. */
static void test_meanwhile(void)
{
	struct block b = block_12;

	b.bars[0].count = 61;
	EXPECT_PROCESS(b, 0, KIND(SUM_ABOVE_TOTAL));
	expect_text(FINDING_SUM_ABOVE_TOTAL, "the bars of HISTOGRAM add up to 101 frames, but "
					     "'Total frames rendered' is 100 (frames that ended "
					     "while this was printed can do that)");
	b.percentiles[1] = 34;
	b.types[5] = 26;
	EXPECT_PROCESS(b, 0, KIND(SUM_ABOVE_TOTAL) | KIND(PERCENTILE) | KIND(JANKY_NOT_MISSED));
	/* but not in any number */
	b = block_12;
	b.bars[0].count = 60 + 1200;
	EXPECT_PROCESS(b, 0, KIND(SUM_ABOVE_TOTAL));
	b.bars[0].count++;
	EXPECT_PROCESS(b, KIND(SUM_ABOVE_TOTAL), 0);
	/* and not if what is printed last is no more than what was printed first */
	b = block_12;
	b.types[5] = 27;
	EXPECT_PROCESS(b, KIND(JANKY_NOT_MISSED), 0);
	/* but for a frame of which the one was counted and not yet the other */
	b.types[5] = 26;
	EXPECT_PROCESS(b, 0, KIND(JANKY_NOT_MISSED));
	EXPECT(b, KIND(JANKY_NOT_MISSED), 0);
}

static void test_names(void)
{
	for (unsigned i = 0; i < FINDING_NR; i++) {
		const char *name = gfxinfo_finding_name(i);

		CU_ASSERT_PTR_NOT_NULL_FATAL(name);
		CU_ASSERT(strlen(name) > 0);
		for (unsigned j = 0; j < i; j++)
			CU_ASSERT_STRING_NOT_EQUAL(name, gfxinfo_finding_name(j));
	}
}

/* The longest numbers fit. */
static void test_text_fits(void)
{
	for (unsigned i = 0; i < FINDING_NR; i++) {
		const struct gfxinfo_finding f = { .kind = i,
						   .meanwhile = true,
						   .figure = FIGURE_TYPES +
							     JANK_MISSED_DEADLINE_LEGACY,
						   .label_ms = UINT32_MAX,
						   .printed = UINT64_MAX,
						   .expected = UINT64_MAX,
						   .frames = UINT64_MAX };
		char s[GFXINFO_FINDING_TEXT];

		gfxinfo_finding_text(s, sizeof(s), &f);
		CU_ASSERT_EQUAL(s[strlen(s) - 1], ')');
	}
}

static void check_real(const char *path)
{
	char s[GFXINFO_FINDING_TEXT];

	CU_ASSERT_FATAL(check_file(path) > 0);
	CU_ASSERT_EQUAL(found.contradictions, 0);
	for (unsigned i = 0; i < found.nr && i < FINDINGS; i++) {
		const struct gfxinfo_finding *f = &found.list[i];

		if (!f->contradiction)
			continue;
		gfxinfo_finding_text(s, sizeof(s), f);
		printf("# %s:%" PRIu64 ": %s\n", path, f->line, s);
	}
}

static const char *real;

static void test_real(void)
{
	DIR *dir = opendir(real);
	const struct dirent *d;
	char path[1024];
	unsigned files = 0;

	CU_ASSERT_PTR_NOT_NULL_FATAL(dir);
	while ((d = readdir(dir))) {
		if (*d->d_name == '.')
			continue;
		snprintf(path, sizeof(path), "%s/%s", real, d->d_name);
		check_real(path);
		files++;
	}
	closedir(dir);
	CU_ASSERT(files > 0);
}

int main(void)
{
	static struct check_case cases[] = {
		{ "consistent", test_consistent },
		{ "percentiles", test_percentiles },
		{ "percentiles_of_lost_bars", test_percentiles_of_lost_bars },
		{ "shares", test_shares },
		{ "shares_as_floats", test_shares_as_floats },
		{ "sum_of_window", test_sum_of_window },
		{ "sum_of_process", test_sum_of_process },
		{ "wraps", test_wraps },
		{ "above_total", test_above_total },
		{ "janky_and_missed", test_janky_and_missed },
		{ "causes", test_causes },
		{ "high_latency", test_high_latency },
		{ "labels", test_labels },
		{ "too_large", test_too_large },
		{ "package", test_package },
		{ "no_frames", test_no_frames },
		{ "filtered", test_filtered },
		{ "meanwhile", test_meanwhile },
		{ "names", test_names },
		{ "text_fits", test_text_fits },
		{ "real", test_real },
		{ NULL, NULL },
	};

	real = realdata_dir();
	if (!real) {
		printf("SKIP gfxinfo_check/real: " REALDATA_MISSING "\n");
		cases[sizeof(cases) / sizeof(*cases) - 2] = (struct check_case){ NULL, NULL };
	}
	int failed = check_main("gfxinfo_check", cases);
	gfxinfo_totals_free(found.totals);
	return failed;
}
