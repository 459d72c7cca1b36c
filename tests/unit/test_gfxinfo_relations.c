/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Contradictions between blocks: of a process and its windows, of one dump and the next, of totals
 * and rows. */
#include "unit/gfxinfo_block.h"

static struct block larger(const struct block *of, uint64_t by)
{
	struct block b = *of;

	b.total += by;
	b.bars[0].count += by;
	return b;
}

/* Percentiles and per cents of it are of no interest here. */
static const uint32_t of_relations = KIND(WINDOW_ABOVE_PROCESS) | KIND(WINDOWS_ABOVE_PROCESS) |
				     KIND(BACKWARDS) | KIND(RESET) | KIND(DUMP_ORDER) |
				     KIND(ROWS_ABOVE_TOTAL) | KIND(ROWS_BELOW_TOTAL);

#define EXPECT_RELATIONS(contradicted, noted)                                                      \
	do {                                                                                       \
		check_text();                                                                      \
		CU_ASSERT_EQUAL(found.contradictions &of_relations, contradicted);                 \
		CU_ASSERT_EQUAL(found.notes &of_relations, noted);                                 \
	} while (0)

static void print_process_and_window(const struct block *process, const struct block *window)
{
	print_dump(90000);
	print_process(7, "org.x");
	print_block(process);
	print_window("w", window, 0, 0);
}

static void test_window_of_process(void)
{
	struct block b = block_12;

	print_process_and_window(&block_12, &b);
	EXPECT_RELATIONS(0, 0);
	b = larger(&block_12, 1);
	print_process_and_window(&block_12, &b);
	EXPECT_RELATIONS(0, KIND(WINDOW_ABOVE_PROCESS));
	b = larger(&block_12, 1201);
	print_process_and_window(&block_12, &b);
	EXPECT_RELATIONS(KIND(WINDOW_ABOVE_PROCESS), 0);
	expect_text(FINDING_WINDOW_ABOVE_PROCESS, "'Total frames rendered' is 1301, but 100 of the "
						  "process, which counts those too and began no "
						  "later");
	/* the process was reset after the window began */
	b.since--;
	print_process_and_window(&block_12, &b);
	EXPECT_RELATIONS(0, 0);
	/* the window's process is another */
	b.since++;
	print_dump(90000);
	print_process(6, "org.x");
	print_block(&block_12);
	print_process(7, "org.x");
	print_window("w", &b, 0, 0);
	EXPECT_RELATIONS(0, 0);
}

static void test_windows_of_process(void)
{
	struct block process = larger(&block_12, 150), b = block_12;

	print_process_and_window(&process, &b);
	print_window("w", &b, 0, 0);
	EXPECT_RELATIONS(0, 0);
	print_process_and_window(&process, &b);
	print_window("w", &b, 0, 0);
	print_window("v", &b, 0, 0);
	EXPECT_RELATIONS(0, KIND(WINDOWS_ABOVE_PROCESS));
	process = larger(&block_12, 2401);
	print_process_and_window(&process, &process);
	print_window("w", &process, 0, 0);
	EXPECT_RELATIONS(KIND(WINDOWS_ABOVE_PROCESS), 0);
	expect_text(FINDING_WINDOWS_ABOVE_PROCESS, "'Total frames rendered' is 5002 of its "
						   "windows, but 2501 of the process, which counts "
						   "those too and began no later");
	/* one of them is older than what the process counts */
	b = process;
	b.since--;
	print_process_and_window(&process, &b);
	print_window("w", &process, 0, 0);
	EXPECT_RELATIONS(0, 0);
}

static void print_two(const struct block *first, uint64_t second_uptime, const struct block *second)
{
	print_process_and_window(first, first);
	print_dump(second_uptime);
	print_process(7, "org.x");
	print_block(second);
	print_window("w", second, 0, 0);
}

static void test_backwards(void)
{
	struct block b = larger(&block_12, 10);

	print_two(&block_12, 91000, &b);
	EXPECT_RELATIONS(0, 0);
	print_two(&b, 91000, &block_12);
	EXPECT_RELATIONS(KIND(BACKWARDS), 0);
	CU_ASSERT_EQUAL(first_of(FINDING_BACKWARDS)->figure, FIGURE_TOTAL);
	CU_ASSERT_EQUAL(first_of(FINDING_BACKWARDS)->of->scope, SCOPE_PROCESS);
	expect_text(FINDING_BACKWARDS, "'Total frames rendered' is 100, but was 110 in the dump "
				       "before: with the same 'Stats since' it can't shrink");
	for (unsigned i = 0; i < 7; i++) {
		b = block_12;
		b.types[i]--;
		print_two(&block_12, 91000, &b);
		EXPECT_RELATIONS(KIND(BACKWARDS), 0);
	}
	b = block_12;
	b.bars[0].count--;
	b.bars[1].count++;
	print_two(&block_12, 91000, &b);
	EXPECT_RELATIONS(KIND(BACKWARDS), 0);
	CU_ASSERT_EQUAL(first_of(FINDING_BACKWARDS)->label_ms, 8);
	b = block_12;
	b.gpu_bars[1].count--;
	print_two(&block_12, 91000, &b);
	EXPECT_RELATIONS(KIND(BACKWARDS), 0);
	expect_text(FINDING_BACKWARDS, "'GPU HISTOGRAM 7ms' is 8, but was 9 in the dump before: "
				       "with the same 'Stats since' it can't shrink");
	/* a slow bar may: it wraps, or is lost */
	b = block_12;
	b.bars[3].count--;
	b.bars[0].count++;
	print_two(&block_12, 91000, &b);
	EXPECT_RELATIONS(0, 0);
}

static void test_reset(void)
{
	struct block b = larger(&block_12, 10), after = block_12;

	after.since = 60000000000;
	print_two(&b, 91000, &after);
	EXPECT_RELATIONS(0, KIND(RESET));
	CU_ASSERT_EQUAL(first_of(FINDING_RESET)->printed, 60000000000);
	expect_text(FINDING_RESET, "'Stats since' is 60000000000ns, and was 5000ns in the dump "
				   "before: it was reset, or is another one of that name");
}

static void test_order(void)
{
	struct block b = larger(&block_12, 10);

	print_two(&b, 89000, &block_12);
	EXPECT_RELATIONS(0, KIND(DUMP_ORDER));
	CU_ASSERT_PTR_NULL(first_of(FINDING_DUMP_ORDER)->of);
	CU_ASSERT(first_of(FINDING_DUMP_ORDER)->line > 20);
	expect_text(FINDING_DUMP_ORDER, "'Uptime' is 89000, and was 90000 in the dump before: they "
					"are not in order, or not of one boot of one device");
}

static void check_rows(uint64_t total, unsigned rows, unsigned unfinished)
{
	struct block b = block_12;

	b.bars[0].count = total - 40;
	b.total = total;
	print_dump(90000);
	print_process(7, "org.x");
	print_window("w", &b, rows, unfinished);
	check_text();
}

static void test_rows(void)
{
	check_rows(100, 100, 0);
	CU_ASSERT_EQUAL(found.notes & of_relations, 0);
	check_rows(100, 102, 2);
	CU_ASSERT_EQUAL(found.notes & of_relations, 0);
	check_rows(100, 101, 0);
	CU_ASSERT_EQUAL(found.notes & of_relations, KIND(ROWS_ABOVE_TOTAL));
	expect_text(FINDING_ROWS_ABOVE_TOTAL, "101 rows, and 'Total frames rendered' is 100: "
					      "frames have rows that were not counted, or not "
					      "since the reset");
	check_rows(100, 100, 1);
	CU_ASSERT_EQUAL(found.notes & of_relations, KIND(ROWS_BELOW_TOTAL));
	expect_text(FINDING_ROWS_BELOW_TOTAL, "99 rows, and 'Total frames rendered' is 100: frames "
					      "were counted whose rows are gone or not to be used");
	check_rows(120, 119, 0);
	CU_ASSERT_EQUAL(found.notes & of_relations, KIND(ROWS_BELOW_TOTAL));
	/* the ring has no more */
	check_rows(121, 119, 0);
	CU_ASSERT_EQUAL(found.notes & of_relations, 0);
	/* no table was printed */
	check_rows(100, 0, 0);
	CU_ASSERT_EQUAL(found.notes & of_relations, 0);
}

int main(void)
{
	static const struct check_case cases[] = {
		{ "window_of_process", test_window_of_process },
		{ "windows_of_process", test_windows_of_process },
		{ "backwards", test_backwards },
		{ "reset", test_reset },
		{ "order", test_order },
		{ "rows", test_rows },
		{ NULL, NULL },
	};
	int failed = check_main("gfxinfo_relations", cases);

	gfxinfo_totals_free(found.totals);
	return failed;
}
