/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Rows of the table in ms, added up by window. */
#include "judge/table_times.h"

#include "unit/jank_frames.h"

static const struct producer producers[] = { { .id = 1 }, { .id = 2 }, { .id = 3 } };
static struct table_times times;

static void add(unsigned producer, int64_t draw, int64_t prepare, int64_t process, int64_t execute)
{
	const struct frame f = { .producer = &producers[producer],
				 .dumped = DUMP_TIMES,
				 .nr_times = TIME_NR,
				 .times_ns = { draw, prepare, process, execute } };

	CU_ASSERT_EQUAL(table_times_add(&times, &f), 0);
}

static void test_sums(void)
{
	const struct window_times *w;

	add(0, 2 * MS, MS, 3 * MS, 4 * MS);
	add(0, 4 * MS, 4 * MS, 4 * MS, 4666666);
	add(0, 4 * MS, 4 * MS, 4 * MS, 4666667);
	add(1, 0, 0, 0, 0);
	w = table_times_of(&times, &producers[0]);
	CU_ASSERT_PTR_NOT_NULL_FATAL(w);
	CU_ASSERT_PTR_EQUAL(w->producer, &producers[0]);
	CU_ASSERT_EQUAL(w->frames, 3);
	/* of 16666667 ns is one of them */
	CU_ASSERT_EQUAL(w->over, 1);
	CU_ASSERT_EQUAL(w->cut, 0);
	CU_ASSERT_EQUAL(quantile_at(w->total, 1), 10 * MS);
	CU_ASSERT_EQUAL(quantile_at(w->total, 500), 16666666);
	CU_ASSERT_EQUAL(quantile_at(w->total, 1000), 16666667);
	w = table_times_of(&times, &producers[1]);
	CU_ASSERT_PTR_NOT_NULL_FATAL(w);
	CU_ASSERT_EQUAL(w->frames, 1);
	CU_ASSERT_EQUAL(w->over, 0);
	CU_ASSERT_EQUAL(quantile_max(w->total), 0);
	CU_ASSERT_PTR_NULL(table_times_of(&times, &producers[2]));
	table_times_free(&times);
	CU_ASSERT_PTR_NULL(table_times_of(&times, &producers[0]));
	table_times_free(&times);
}

/* A column of 50 ms is at least that long; several of a frame are one such frame. */
static void test_cut(void)
{
	const struct window_times *w;

	add(0, 50 * MS - 1, 0, 0, 0);
	add(0, MS, 0, 0, 50 * MS);
	add(0, 50 * MS, 0, 50 * MS, 50 * MS);
	w = table_times_of(&times, &producers[0]);
	CU_ASSERT_PTR_NOT_NULL_FATAL(w);
	CU_ASSERT_EQUAL(w->over, 3);
	CU_ASSERT_EQUAL(w->cut, 2);
	CU_ASSERT_EQUAL(quantile_at(w->total, 1000), 150 * MS);
	table_times_free(&times);
}

/* What is no such row, or can't be read, is not counted. */
static void test_others(void)
{
	struct frame f = { .producer = &producers[0], .dumped = DUMP_ROW };

	CU_ASSERT_EQUAL(table_times_add(&times, &f), 0);
	f.dumped = DUMP_LATENCY;
	CU_ASSERT_EQUAL(table_times_add(&times, &f), 0);
	f.dumped = DUMP_TIMES;
	f.fault = FAULT_CUT;
	CU_ASSERT_EQUAL(table_times_add(&times, &f), 0);
	CU_ASSERT_PTR_NULL(table_times_of(&times, &producers[0]));
	table_times_free(&times);
}

/* Before Android 5 there are three columns. */
static void test_three(void)
{
	const struct frame f = {
		.producer = &producers[0],
		.dumped = DUMP_TIMES,
		.nr_times = 3,
		.times_ns = { [TIME_DRAW] = MS, [TIME_PROCESS] = 2 * MS, [TIME_EXECUTE] = 3 * MS }
	};

	CU_ASSERT_EQUAL(table_times_add(&times, &f), 0);
	CU_ASSERT_EQUAL(quantile_max(table_times_of(&times, &producers[0])->total), 6 * MS);
	table_times_free(&times);
}

int main(void)
{
	static const struct check_case cases[] = {
		{ "sums", test_sums },   { "cut", test_cut }, { "others", test_others },
		{ "three", test_three }, { NULL, NULL },
	};

	return check_main("table_times", cases);
}
