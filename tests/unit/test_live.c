/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A running capture as a source: what comes when, in which order, and what is refused. */
#include <errno.h>
#include <string.h>
#include <sys/resource.h>

#include "check.h"
#include "stream/live.h"

/* What a capture may give: a record whose tid is its number. */
static void give(struct live *l, uint64_t time_ns, uint32_t cpu, uint32_t id)
{
	struct sink *sink = live_sink(l);
	struct err e = { 0 };
	struct fs_task rec = {
		.h = { .time_ns = time_ns,
		       .tid = id,
		       .kind = FS_KIND_TASK,
		       .size = sizeof(rec),
		       .cpu = cpu },
		.op = FS_TASK_SEEN,
	};

	memset(rec.comm, 'x', sizeof(rec.comm));
	CU_ASSERT_EQUAL_FATAL(sink->ops->add(sink, &rec.h, &e), 0);
}

static void round_over(struct live *l, uint64_t watermark_ns)
{
	struct sink *sink = live_sink(l);
	struct err e = { 0 };

	CU_ASSERT_EQUAL_FATAL(sink->ops->round(sink, watermark_ns, &e), 0);
}

static void expect(struct live *l, const uint32_t *ids)
{
	const struct fs_header *rec;
	struct err e = { 0 };

	for (; *ids; ids++) {
		CU_ASSERT_EQUAL_FATAL(live_next(l, &rec, &e), 1);
		CU_ASSERT_EQUAL(rec->tid, *ids);
	}
	CU_ASSERT_EQUAL(live_next(l, &rec, &e), 0);
}

#define EXPECT(l, ...) expect(l, (const uint32_t[]){ __VA_ARGS__, 0 })

/* Nothing goes before a round says that nothing older is to come. */
static void rounds(void)
{
	struct live *l = live_new();

	CU_ASSERT_PTR_NOT_NULL_FATAL(l);
	EXPECT(l, 0);
	CU_ASSERT_EQUAL(live_known_ns(l), 0);
	give(l, 30, 0, 3);
	give(l, 10, 1, 1);
	give(l, 40, 0, 4);
	EXPECT(l, 0);
	give(l, 20, 1, 2);
	round_over(l, 30);
	EXPECT(l, 1, 2, 3);
	CU_ASSERT_EQUAL(live_known_ns(l), 30);
	EXPECT(l, 0);
	give(l, 35, 1, 5);
	round_over(l, 39);
	EXPECT(l, 5);
	CU_ASSERT_EQUAL(live_stats(l)->late, 0);
	/* What comes late goes at once. */
	give(l, 15, 1, 6);
	round_over(l, 50);
	EXPECT(l, 6, 4);
	CU_ASSERT_EQUAL(live_stats(l)->late, 1);
	CU_ASSERT_EQUAL(live_stats(l)->records, 6);
	live_free(l);
}

static void ends(enum sink_end how, bool cut)
{
	struct live *l = live_new();
	struct sink *sink = live_sink(l);
	struct err e = { 0 };

	give(l, 10, 0, 1);
	CU_ASSERT_EQUAL(sink->ops->end(sink, how, &e), 0);
	EXPECT(l, 1);
	EXPECT(l, 0);
	CU_ASSERT_EQUAL(live_stats(l)->cut, cut);
	CU_ASSERT_EQUAL(live_known_ns(l), UINT64_MAX);
	live_free(l);
}

static void the_end(void)
{
	ends(SINK_WHOLE, false);
	ends(SINK_CUT, true);
	ends(SINK_DISCARD, true);
}

/* A record is looked at as one of a file is: its kind, its size, its strings. */
static void distrust(void)
{
	struct live *l = live_new();
	struct sink *sink = live_sink(l);
	const struct fs_header *rec;
	struct err e = { 0 };
	struct fs_header bare = { .time_ns = 1, .kind = 999, .size = sizeof(bare) };

	CU_ASSERT_EQUAL(sink->ops->add(sink, &bare, &e), 0);
	bare.kind = FS_KIND_SPAN;
	CU_ASSERT_EQUAL(sink->ops->add(sink, &bare, &e), 0);
	give(l, 2, 0, 7);
	round_over(l, 10);
	CU_ASSERT_EQUAL_FATAL(live_next(l, &rec, &e), 1);
	CU_ASSERT_EQUAL(rec->tid, 7);
	CU_ASSERT_EQUAL(strnlen(((const struct fs_task *)rec)->comm, FS_COMM_LEN), FS_COMM_LEN - 1);
	CU_ASSERT_EQUAL(live_next(l, &rec, &e), 0);
	CU_ASSERT_EQUAL(live_stats(l)->unknown, 1);
	CU_ASSERT_EQUAL(live_stats(l)->malformed, 1);
	live_free(l);
}

static long peak_kib(void)
{
	struct rusage own;

	getrusage(RUSAGE_SELF, &own);
	return own.ru_maxrss;
}

/* Hours of it take no more memory than a round: two million records, never more than 64 at once. */
static void bounded(void)
{
	struct live *l = live_new();
	const struct fs_header *rec;
	struct err e = { 0 };
	uint64_t got = 0;
	long before = peak_kib();

	for (uint64_t round = 1; round <= 32768; round++) {
		for (uint32_t i = 0; i < 64; i++)
			give(l, round * 100 + (i * 37) % 64, i % 4, 1);
		round_over(l, round * 100 + 64);
		while (live_next(l, &rec, &e) > 0)
			got++;
	}
	CU_ASSERT_EQUAL(got, 32768 * 64);
	/* All of them have 110 MiB. */
	CU_ASSERT_TRUE(peak_kib() - before < 16 << 10);
	CU_ASSERT_EQUAL(live_stats(l)->late, 0);
	live_free(l);
}

int main(void)
{
	static const struct check_case cases[] = {
		{ "rounds", rounds },   { "the_end", the_end }, { "distrust", distrust },
		{ "bounded", bounded }, { NULL, NULL },
	};

	return check_main("live", cases);
}
