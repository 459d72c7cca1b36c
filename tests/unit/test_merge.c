/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The merge: order, marks, what comes too late, bounds. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "stream/merge.h"

/* Every record has a number of its own, in tid. */
static void add(struct merge *m, uint64_t time_ns, uint32_t cpu, uint32_t id)
{
	struct fs_header *rec = merge_reserve(m, sizeof(*rec));

	CU_ASSERT_PTR_NOT_NULL_FATAL(rec);
	*rec = (struct fs_header){ .time_ns = time_ns, .tid = id, .cpu = cpu, .size = 24 };
	CU_ASSERT_EQUAL_FATAL(merge_add(m, rec), 0);
}

/* Take records and compare their numbers with `ids`, ended by 0. */
static void expect(struct merge *m, const uint32_t *ids)
{
	for (; *ids; ids++) {
		const struct fs_header *rec = merge_next(m);

		CU_ASSERT_PTR_NOT_NULL_FATAL(rec);
		CU_ASSERT_EQUAL(rec->tid, *ids);
	}
	CU_ASSERT_PTR_NULL(merge_next(m));
}

#define EXPECT(m, ...) expect(m, (const uint32_t[]){ __VA_ARGS__, 0 })
#define EXPECT_NONE(m) CU_ASSERT_PTR_NULL(merge_next(m))

static void order(void)
{
	struct merge *m = merge_new();

	add(m, 30, 1, 1);
	add(m, 10, 1, 2); /* swapped with its neighbour */
	add(m, 20, 0, 3);
	add(m, 20, 1, 4);
	add(m, 20, FS_CPU_NONE, 5); /* user space comes after the CPUs */
	add(m, 20, 0, 6); /* equal to 3: later */
	EXPECT_NONE(m);
	merge_round(m, UINT64_MAX);
	EXPECT(m, 2, 3, 6, 4, 5, 1);
	CU_ASSERT_EQUAL(merge_late(m), 0);
	merge_free(m);
}

/* What comes in order of time and CPU goes another way than what does not. */
static void mostly_in_order(void)
{
	struct merge *m = merge_new();

	add(m, 10, 1, 1);
	add(m, 20, 0, 2);
	add(m, 10, 0, 3);
	add(m, 20, 0, 4);
	add(m, 30, 2, 5);
	add(m, 30, 1, 6);
	add(m, 30, 2, 7);
	add(m, 30, 1, 8);
	merge_round(m, 20);
	EXPECT(m, 3, 1, 2, 4);
	add(m, 30, 1, 9); /* its equals wait, though not where it would wait itself */
	add(m, 25, 5, 10);
	merge_round(m, 30);
	EXPECT(m, 10, 6, 8, 9, 5, 7);
	/* Nothing waits: order begins anew, with a CPU before the last one. */
	add(m, 30, 0, 11);
	add(m, 30, 0, 12);
	merge_round(m, 30);
	EXPECT(m, 11, 12);
	CU_ASSERT_EQUAL(merge_late(m), 0);
	merge_free(m);
}

static void watermark(void)
{
	struct merge *m = merge_new();

	add(m, 10, 0, 1);
	add(m, 30, 1, 2);
	merge_round(m, 20);
	EXPECT(m, 1);
	add(m, 25, 0, 3); /* still in order: 30 is held */
	EXPECT_NONE(m);
	merge_round(m, 30);
	EXPECT(m, 3, 2);
	/* The mark holds for what came before it only. */
	add(m, 31, 0, 4);
	add(m, 30, 0, 5);
	EXPECT_NONE(m);
	merge_round(m, 40);
	EXPECT(m, 5, 4);
	CU_ASSERT_EQUAL(merge_late(m), 0);
	merge_free(m);
}

static void late(void)
{
	struct merge *m = merge_new();

	add(m, 100, 0, 1);
	merge_round(m, 100);
	EXPECT(m, 1);
	add(m, 120, 0, 2);
	add(m, 99, 1, 3);
	add(m, 98, 0, 4);
	EXPECT(m, 3, 4); /* at once, as they came */
	CU_ASSERT_EQUAL(merge_late(m), 2);
	add(m, 100, 1, 5); /* not older than what was delivered */
	merge_round(m, 200);
	EXPECT(m, 5, 2);
	CU_ASSERT_EQUAL(merge_late(m), 2);
	merge_free(m);
}

/* CPUs that no kernel has share the last queue, whatever their number. */
static void wild_cpus(void)
{
	struct merge *m = merge_new();

	add(m, 5, 0xfffffffe, 1);
	add(m, 5, MERGE_CPUS, 2);
	add(m, 5, MERGE_CPUS - 1, 3);
	add(m, 5, 0x80000000, 4);
	merge_round(m, 5);
	EXPECT(m, 3, 1, 2, 4);
	merge_free(m);
}

struct item {
	uint64_t time_ns;
	uint32_t cpu;
	uint32_t id; /* in order of arrival */
};

static int compare(const void *a, const void *b)
{
	const struct item *x = a, *y = b;

	if (x->time_ns != y->time_ns)
		return x->time_ns < y->time_ns ? -1 : 1;
	if (x->cpu != y->cpu)
		return x->cpu < y->cpu ? -1 : 1;
	return x->id < y->id ? -1 : 1;
}

/*
 * Against qsort(): `n` records on `cpus` CPUs whose times run up by `step` on average, each moved
 * back by up to `jitter`, with a mark after every `round` records that nothing later undercuts.
 */
static void against_qsort(unsigned n, unsigned cpus, unsigned step, unsigned jitter, unsigned round)
{
	struct item *items = calloc(n, sizeof(*items));
	struct merge *m = merge_new();
	uint64_t now = jitter;
	unsigned got = 0;

	for (unsigned i = 0; i < n; i++) {
		now += (unsigned)rand() % (2 * step + 1);
		items[i] = (struct item){ .time_ns = now - (unsigned)rand() % (jitter + 1),
					  .cpu = (unsigned)rand() % cpus,
					  .id = i + 1 };
	}
	struct item *sorted = malloc(n * sizeof(*sorted));
	memcpy(sorted, items, n * sizeof(*sorted));
	qsort(sorted, n, sizeof(*sorted), compare);

	uint64_t highest = 0;
	for (unsigned i = 0; i < n; i++) {
		add(m, items[i].time_ns, items[i].cpu, items[i].id);
		if (items[i].time_ns > highest)
			highest = items[i].time_ns;
		if (i % round != round - 1 && i != n - 1)
			continue;
		/* One below: what comes next may equal it on a lower CPU. */
		merge_round(m, i == n - 1         ? UINT64_MAX
			       : highest > jitter ? highest - jitter - 1
						  : 0);
		for (const struct fs_header *rec; (rec = merge_next(m)); got++)
			CU_ASSERT_EQUAL_FATAL(rec->tid, sorted[got].id);
	}
	CU_ASSERT_EQUAL(got, n);
	CU_ASSERT_EQUAL(merge_late(m), 0);
	merge_free(m);
	free(items);
	free(sorted);
}

static void within_window(void)
{
	srand(3);
	for (int i = 0; i < 50; i++)
		against_qsort(2000, 1 + (unsigned)rand() % 8, 10, 30, 1 + (unsigned)rand() % 500);
}

/* Disorder that no insertion window covers, with many equal times. */
static void beyond_window(void)
{
	srand(4);
	for (int i = 0; i < 50; i++)
		against_qsort(2000, 1 + (unsigned)rand() % 4, 1, 5000, 1 + (unsigned)rand() % 500);
	against_qsort(5000, 3, 0, 3, 5000);
}

static void falling_times(void)
{
	struct merge *m = merge_new();

	for (uint32_t i = 0; i < 100000; i++)
		add(m, 100000 - i, 0, i + 1);
	merge_round(m, UINT64_MAX);
	for (uint32_t i = 100000; i > 0; i--)
		CU_ASSERT_EQUAL_FATAL(merge_next(m)->tid, i);
	EXPECT_NONE(m);
	merge_free(m);
}

/* Without marks the older half goes once too many are held, and only then. */
static void bound(void)
{
	struct merge *m = merge_new();
	uint32_t got = 0, held_max = 0;

	for (uint32_t i = 0; i < 3 * MERGE_RECORDS_MAX; i++) {
		add(m, 1000 + i, i % 8, i + 1);
		for (const struct fs_header *rec; (rec = merge_next(m)); got++)
			CU_ASSERT_EQUAL_FATAL(rec->tid, got + 1);
		if (i + 1 <= MERGE_RECORDS_MAX)
			CU_ASSERT_EQUAL_FATAL(got, 0);
		if (i + 1 - got > held_max)
			held_max = i + 1 - got;
	}
	CU_ASSERT(got > MERGE_RECORDS_MAX);
	CU_ASSERT_EQUAL(held_max, MERGE_RECORDS_MAX);
	merge_round(m, UINT64_MAX);
	for (; merge_next(m); got++)
		;
	CU_ASSERT_EQUAL(got, 3 * MERGE_RECORDS_MAX);
	CU_ASSERT_EQUAL(merge_late(m), 0);
	merge_free(m);
}

/* Room of which nothing was added does not pile up, and large room is given back. */
static void room(void)
{
	struct merge *m = merge_new();
	char *first = merge_reserve(m, 1000);

	CU_ASSERT_PTR_NOT_NULL_FATAL(first);
	for (int i = 0; i < 100000; i++)
		CU_ASSERT_PTR_EQUAL_FATAL(merge_reserve(m, 1000), first);

	/* 6 GiB in all */
	uint32_t got = 0;
	for (uint32_t i = 0; i < 1600; i++) {
		struct fs_header *rec = merge_reserve(m, 4u << 20);

		CU_ASSERT_PTR_NOT_NULL_FATAL(rec);
		*rec = (struct fs_header){ .time_ns = i, .tid = i + 1, .size = 24 };
		CU_ASSERT_EQUAL_FATAL(merge_add(m, rec), 0);
		for (const struct fs_header *next; (next = merge_next(m)); got++)
			CU_ASSERT_EQUAL_FATAL(next->tid, got + 1);
		CU_ASSERT_FATAL(i - got < MERGE_BYTES_MAX >> 22);
	}
	merge_free(m);
}

int main(void)
{
	static const struct check_case cases[] = {
		{ "order", order },
		{ "mostly_in_order", mostly_in_order },
		{ "watermark", watermark },
		{ "late", late },
		{ "wild_cpus", wild_cpus },
		{ "within_window", within_window },
		{ "beyond_window", beyond_window },
		{ "falling_times", falling_times },
		{ "bound", bound },
		{ "room", room },
		{ NULL, NULL },
	};

	return check_main("merge", cases);
}
