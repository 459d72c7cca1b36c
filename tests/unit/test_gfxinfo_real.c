/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Dumps of real devices. What is expected of them the devices have printed themselves.
 */
#include "check.h"
#include "unit/gfxinfo_text.h"
#include "unit/realdata.h"

static const char *dir;
static struct gfxinfo_reading r;

static void read_real(const char *name)
{
	char path[4096];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	read_gfxinfo(path, &r);
	CU_ASSERT_EQUAL_FATAL(r.ret, 0);
	CU_ASSERT_EQUAL(r.input.dumps, 1);
	CU_ASSERT_EQUAL(r.input.unreadable, 0);
	CU_ASSERT_EQUAL(r.input.faults[FAULT_CUT], 0);
	CU_ASSERT_EQUAL(r.input.faults[FAULT_NO_TIME], 0);
	CU_ASSERT_FALSE(r.input.cut);
	for (unsigned i = 0; i < count_items(&r, GFXINFO_STATS); i++) {
		const struct gfxinfo_stats *s = &nth_item(&r, GFXINFO_STATS, i)->stats;
		uint64_t sum = 0;

		for (unsigned bar = 0; bar < s->nr_bars; bar++)
			sum += s->bars[bar].count;
		CU_ASSERT_EQUAL(sum, s->total);
		CU_ASSERT_EQUAL(s->nr_bars, 154);
		CU_ASSERT_EQUAL(s->nr_gpu_bars, 26);
	}
}

static void expect_stats(const struct gfxinfo_stats *want)
{
	const struct gfxinfo_stats *s = &nth_item(&r, GFXINFO_STATS, 0)->stats;

	CU_ASSERT_EQUAL(s->total, want->total);
	CU_ASSERT_EQUAL(s->janky, want->janky);
	CU_ASSERT_EQUAL(s->janky_centipercent, want->janky_centipercent);
	CU_ASSERT_EQUAL(s->janky_legacy, want->janky_legacy);
	CU_ASSERT_EQUAL(s->janky_legacy_centipercent, want->janky_legacy_centipercent);
	CU_ASSERT_EQUAL(s->types[0], want->types[0]);
	for (unsigned i = 0; i < 4; i++)
		CU_ASSERT_EQUAL(s->percentiles_ms[i], want->percentiles_ms[i]);
}

/*
 * Of a window that has had no more frames than its ring has places, HWUI has counted those rows
 * that have no fault, and no others.
 */
static void test_whole_device(void)
{
	unsigned windows = 0, short_windows = 0;

	/* more items than a reading keeps */
	const struct gfxinfo_item *item;
	struct err e = { 0 };
	struct gfxinfo *g;
	char path[4096];
	uint64_t total = 0, good = 0;

	snprintf(path, sizeof(path), "%s/whole-device-60hz-23col.txt", dir);
	CU_ASSERT_EQUAL_FATAL(gfxinfo_open(path, &g, &e), 0);
	for (int more = 1; more == 1;) {
		more = gfxinfo_next(g, &item, &e);
		if (more == 1 && item->kind == GFXINFO_ROW) {
			good += !item->fault;
			CU_ASSERT_EQUAL(item->slots.layout, 23);
			/* 60 Hz, whatever the header calls the column */
			CU_ASSERT_TRUE(item->slots.ns[SLOT_FRAME_INTERVAL] / 100000 == 166);
			continue;
		}
		short_windows += total && total <= 120;
		CU_ASSERT_TRUE(!total || (total <= 120 ? good == total : good <= 120));
		total = good = 0;
		if (more == 1 && item->kind == GFXINFO_STATS &&
		    item->stats->scope == SCOPE_WINDOW) {
			windows++;
			total = item->stats->total;
		}
	}
	const struct gfxinfo_input *in = gfxinfo_input(g);
	CU_ASSERT_EQUAL(windows, 13);
	CU_ASSERT_EQUAL(short_windows, 5);
	CU_ASSERT_EQUAL(in->processes, 47);
	CU_ASSERT_EQUAL(in->rows, 1091);
	CU_ASSERT_EQUAL(in->faults[FAULT_UNFINISHED], 8);
	CU_ASSERT_EQUAL(in->faults[FAULT_STALE], 8);
	CU_ASSERT_EQUAL(in->faults[FAULT_NO_TIME] + in->faults[FAULT_CUT] + in->unreadable, 0);
	gfxinfo_close(g);
}

static void test_utf16(void)
{
	static const struct gfxinfo_stats want = {
		.total = 188,
		.janky = 25,
		.janky_centipercent = 1330,
		.janky_legacy = 35,
		.janky_legacy_centipercent = 1862,
		.percentiles_ms = { 8, 42, 73, 550 },
		.types = { 15 },
	};

	read_real("utf16le-23col.txt");
	expect_stats(&want);
	CU_ASSERT_STRING_EQUAL(r.input.encoding, "UTF-16LE");
	CU_ASSERT_EQUAL(r.input.rows, 120);
	CU_ASSERT_EQUAL(nth_item(&r, GFXINFO_STATS, 0)->stats.types[5], 25);
	CU_ASSERT_STRING_EQUAL(nth_item(&r, GFXINFO_STATS, 2)->stats.name, "Toast");
}

static void test_120hz(void)
{
	static const struct gfxinfo_stats want = {
		.total = 516,
		.janky = 113,
		.janky_centipercent = 2190,
		.janky_legacy = 356,
		.janky_legacy_centipercent = 6899,
		.percentiles_ms = { 11, 31, 65, 101 },
		.types = { 42 },
	};

	read_real("utf8bom-120hz-23col.txt");
	expect_stats(&want);
	CU_ASSERT_STRING_EQUAL(r.input.encoding, "UTF-8 with BOM");
	CU_ASSERT_EQUAL(r.input.rows, 120);
	for (unsigned i = 0; i < 120; i++)
		CU_ASSERT_EQUAL(
			nth_item(&r, GFXINFO_ROW, i)->i.slots.ns[SLOT_FRAME_INTERVAL] / 100000, 83);
}

static void test_old_table(void)
{
	static const struct gfxinfo_stats want = {
		.total = 2903,
		.janky = 772,
		.janky_centipercent = 2659,
		.percentiles_ms = { 9, 73, 109, 150 },
		.types = { 279 },
	};

	read_real("old-table-no-profiledata.txt");
	expect_stats(&want);
	CU_ASSERT_EQUAL(r.input.rows, 0);
	CU_ASSERT_EQUAL(count_items(&r, GFXINFO_TIMES), 120);
	CU_ASSERT_EQUAL(nth_item(&r, GFXINFO_TIMES, 119)->i.times_ns[TIME_EXECUTE], 970000);
}

static const struct check_case cases[] = {
	{ "whole_device", test_whole_device }, { "utf16", test_utf16 }, { "120hz", test_120hz },
	{ "old_table", test_old_table },       { NULL, NULL },
};

int main(void)
{
	dir = realdata_dir();
	if (!dir) {
		for (const struct check_case *c = cases; c->name; c++)
			printf("SKIP gfxinfo_real/%s: " REALDATA_MISSING "\n", c->name);
		return 0;
	}
	return check_main("gfxinfo_real", cases);
}
