/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What a file of dumps says is kept by process and window, newest and before. */
#include "unit/gfxinfo_block.h"

static const struct totals_entry *entry(unsigned n)
{
	const struct totals_entry *e = gfxinfo_totals_next(found.totals, NULL);

	for (; e && n; n--)
		e = gfxinfo_totals_next(found.totals, e);
	CU_ASSERT_PTR_NOT_NULL_FATAL(e);
	return e;
}

static unsigned count_of_dump(void)
{
	const struct totals_entry *e = NULL;
	unsigned n = 0;

	while ((e = gfxinfo_totals_next_of_dump(found.totals, e)))
		n++;
	return n;
}

static void test_one(void)
{
	const struct totals *t;

	print_dump(90000);
	print_process(7, "org.x");
	print_block(&block_12);
	print_window("w", &block_9, 5, 2);
	check_text();

	const struct totals_entry *p = entry(0), *w = entry(1);

	CU_ASSERT_EQUAL(p->scope, SCOPE_PROCESS);
	CU_ASSERT_EQUAL(p->pid, 7);
	CU_ASSERT_STRING_EQUAL(p->process, "org.x");
	CU_ASSERT_STRING_EQUAL(p->name, "");
	CU_ASSERT_PTR_NULL(p->owner);
	CU_ASSERT_PTR_NULL(p->previous);
	CU_ASSERT_EQUAL(p->nr_windows, 1);
	CU_ASSERT_EQUAL(p->windows_total, 100);

	t = &p->newest;
	CU_ASSERT_EQUAL(t->line, 6);
	CU_ASSERT_EQUAL(t->dump, 1);
	CU_ASSERT_EQUAL(t->uptime_ms, 90000);
	CU_ASSERT_EQUAL(t->printed, (1u << FIGURE_NR) - 1);
	CU_ASSERT_EQUAL(t->counts.since_ns, 5000);
	CU_ASSERT_EQUAL(t->counts.total, 100);
	CU_ASSERT_EQUAL(t->counts.janky, 25);
	CU_ASSERT_EQUAL(t->janky_centipercent, 2500);
	CU_ASSERT_EQUAL(t->counts.janky_legacy, 33);
	CU_ASSERT_EQUAL(t->janky_legacy_centipercent, 3300);
	CU_ASSERT_EQUAL(t->percentiles_ms[3], 4950);
	CU_ASSERT_EQUAL(t->gpu_percentiles_ms[1], 7);
	CU_ASSERT_EQUAL(t->counts.types[JANK_HIGH_INPUT_LATENCY], 120);
	CU_ASSERT_EQUAL(profile_count(&t->counts, (unsigned)profile_bucket_of_label(17)), 30);
	CU_ASSERT_EQUAL(profile_count(&t->counts, (unsigned)profile_bucket_of_label(4950)), 1);
	CU_ASSERT_EQUAL(t->counts.gpu[2], 80);
	CU_ASSERT_TRUE(t->whole);
	CU_ASSERT_TRUE(t->gpu_whole);
	CU_ASSERT_EQUAL(t->frames, 100);
	CU_ASSERT_EQUAL(t->gpu_frames, 90);

	CU_ASSERT_EQUAL(w->scope, SCOPE_WINDOW);
	CU_ASSERT_STRING_EQUAL(w->name, "w");
	CU_ASSERT_EQUAL(w->window_nr, 1);
	CU_ASSERT_PTR_EQUAL(w->owner, p);
	CU_ASSERT_FALSE(totals_has(&w->newest, FIGURE_JANKY_LEGACY));
	CU_ASSERT_FALSE(totals_has(&w->newest, FIGURE_GPU_HISTOGRAM));
	CU_ASSERT_FALSE(w->newest.gpu_whole);
	CU_ASSERT_EQUAL(w->rows[FAULT_NONE], 3);
	CU_ASSERT_EQUAL(w->rows[FAULT_UNFINISHED], 2);
	CU_ASSERT_PTR_NULL(gfxinfo_totals_next(found.totals, w));
}

/* Cut, with bars that have no bucket: what there is, is taken. */
static void test_odd(void)
{
	struct block b = block_9;
	const struct totals *t;

	b.nr_bars = 10;
	b.more = " 8ms=70 33ms=5 35ms=6 150ms=70000";
	print_dump(90000);
	print_process(7, "org.x");
	print_block(&b);
	check_text();
	t = &entry(0)->newest;
	CU_ASSERT_FALSE(t->whole);
	CU_ASSERT_EQUAL(t->nr_bars, 11);
	CU_ASSERT_EQUAL(t->frames, 60 + 65535);
	CU_ASSERT_EQUAL(t->odd[ODD_LABEL_TWICE].nr, 1);
	CU_ASSERT_EQUAL(t->odd[ODD_LABEL_TWICE].label_ms, 8);
	CU_ASSERT_EQUAL(t->odd[ODD_LABEL_TWICE].count, 70);
	CU_ASSERT_EQUAL(t->odd[ODD_UNKNOWN_LABEL].nr, 2);
	CU_ASSERT_EQUAL(t->odd[ODD_UNKNOWN_LABEL].label_ms, 33);
	CU_ASSERT_EQUAL(t->odd[ODD_UNKNOWN_LABEL].figure, FIGURE_HISTOGRAM);
	CU_ASSERT_EQUAL(t->odd[ODD_TOO_LARGE].nr, 1);
	CU_ASSERT_EQUAL(t->odd[ODD_TOO_LARGE].count, 70000);
	CU_ASSERT_EQUAL(t->counts.slow[0], UINT16_MAX);

	b = block_9;
	b.total = 1ull << 32;
	print_dump(90000);
	print_process(7, "org.x");
	print_block(&b);
	check_text();
	t = &entry(0)->newest;
	CU_ASSERT_TRUE(t->whole);
	CU_ASSERT_FALSE(totals_has(t, FIGURE_TOTAL));
	CU_ASSERT_EQUAL(t->odd[ODD_TOO_LARGE].figure, FIGURE_TOTAL);
	CU_ASSERT_EQUAL(t->odd[ODD_TOO_LARGE].count, 1ull << 32);
}

static struct block with_total(uint64_t total)
{
	struct block b = block_12;

	b.total = total;
	return b;
}

static void print_poll(uint64_t uptime_ms, uint64_t total, const char *const windows[])
{
	struct block b = with_total(total);

	print_dump(uptime_ms);
	print_process(7, "org.x");
	print_block(&b);
	for (unsigned i = 0; windows[i]; i++)
		print_window(windows[i], &b, i + 1, 0);
}

static void test_polled(void)
{
	print_poll(1000, 10, (const char *const[]){ "v", "w", NULL });
	print_poll(2000, 20, (const char *const[]){ "w", NULL });
	print_poll(3000, 30, (const char *const[]){ "w", "x", "v", NULL });
	check_text();

	const struct totals_entry *p = entry(0), *v = entry(1), *w = entry(2), *x = entry(3);

	CU_ASSERT_PTR_NULL(gfxinfo_totals_next(found.totals, x));
	CU_ASSERT_EQUAL(p->newest.counts.total, 30);
	CU_ASSERT_EQUAL(p->newest.uptime_ms, 3000);
	CU_ASSERT_EQUAL(p->previous->counts.total, 20);
	CU_ASSERT_EQUAL(p->previous->dump, 2);
	CU_ASSERT_EQUAL(p->nr_windows, 3);
	CU_ASSERT_EQUAL(p->windows_total, 90);
	/* the dump before that had it */
	CU_ASSERT_STRING_EQUAL(v->name, "v");
	CU_ASSERT_EQUAL(v->previous->counts.total, 10);
	CU_ASSERT_EQUAL(v->rows[FAULT_NONE], 3);
	CU_ASSERT_EQUAL(w->previous->counts.total, 20);
	CU_ASSERT_EQUAL(w->rows[FAULT_NONE], 1);
	CU_ASSERT_STRING_EQUAL(x->name, "x");
	CU_ASSERT_PTR_NULL(x->previous);

	CU_ASSERT_EQUAL(gfxinfo_totals_dump(found.totals)->nr, 3);
	CU_ASSERT_EQUAL(gfxinfo_totals_dump(found.totals)->previous_uptime_ms, 2000);
	CU_ASSERT_EQUAL(count_of_dump(), 4);
}

/* Not in the last dump: what it last had stays. */
static void test_gone(void)
{
	print_poll(1000, 10, (const char *const[]){ "v", "w", NULL });
	print_poll(2000, 20, (const char *const[]){ "v", NULL });
	check_text();
	CU_ASSERT_EQUAL(count_of_dump(), 2);
	CU_ASSERT_EQUAL(entry(2)->dump, 1);
	CU_ASSERT_EQUAL(entry(2)->newest.counts.total, 10);
	CU_ASSERT_EQUAL(entry(2)->rows[FAULT_NONE], 2);
}

/* The same names of other processes, and of other windows of the same. */
static void test_same_names(void)
{
	print_poll(1000, 10, (const char *const[]){ "w", "w", NULL });
	print_process(8, "org.x");
	print_window("w", &block_12, 0, 0);
	print_process(7, "org.y");
	print_window("w", &block_12, 0, 0);
	check_text();

	const struct totals_entry *p = entry(0), *w = NULL;

	CU_ASSERT_EQUAL(entry(1)->window_nr, 1);
	CU_ASSERT_EQUAL(entry(2)->window_nr, 2);
	w = totals_entry_next_window(p, NULL);
	CU_ASSERT_PTR_EQUAL(w, entry(1));
	w = totals_entry_next_window(p, w);
	CU_ASSERT_PTR_EQUAL(w, entry(2));
	CU_ASSERT_PTR_NULL(totals_entry_next_window(p, w));
	CU_ASSERT_EQUAL(entry(3)->pid, 8);
	CU_ASSERT_EQUAL(entry(3)->newest.printed, 0);
	CU_ASSERT_EQUAL(entry(3)->nr_windows, 0);
	CU_ASSERT_PTR_EQUAL(totals_entry_next_window(entry(3), NULL), entry(4));
	CU_ASSERT_STRING_EQUAL(entry(5)->process, "org.y");
	CU_ASSERT_PTR_EQUAL(entry(6)->owner, entry(5));
}

/* Two outputs joined without the lines that begin them: the later one, its windows once. */
static void test_joined(void)
{
	print_poll(1000, 10, (const char *const[]){ "w", NULL });
	print_process(7, "org.x");
	print_window("w", &block_12, 4, 0);
	check_text();
	CU_ASSERT_EQUAL(entry(0)->nr_windows, 1);
	CU_ASSERT_EQUAL(entry(0)->windows_total, 100);
	CU_ASSERT_EQUAL(entry(1)->newest.counts.total, 100);
	CU_ASSERT_PTR_NULL(entry(1)->previous);
	CU_ASSERT_EQUAL(entry(1)->rows[FAULT_NONE], 4);
	CU_ASSERT_EQUAL(count_of_dump(), 2);
}

/* Items that no dump begins, of no process. */
static void test_bare(void)
{
	const struct gfxinfo_item row = {
		.kind = GFXINFO_ROW, .process = "", .window = "", .fault = FAULT_STALE
	};
	struct gfxinfo_totals *t = gfxinfo_totals_new();
	const struct totals_entry *e;

	CU_ASSERT_PTR_NOT_NULL_FATAL(t);
	CU_ASSERT_EQUAL(gfxinfo_totals_feed(t, &row), 0);
	CU_ASSERT_EQUAL(gfxinfo_totals_feed(t, &row), 0);
	e = gfxinfo_totals_next_of_dump(t, NULL);
	CU_ASSERT_PTR_NOT_NULL_FATAL(e);
	CU_ASSERT_EQUAL(e->rows[FAULT_STALE], 2);
	CU_ASSERT_PTR_NULL(gfxinfo_totals_next_of_dump(t, e));
	gfxinfo_totals_free(t);
	gfxinfo_totals_free(NULL);
}

int main(void)
{
	static const struct check_case cases[] = {
		{ "one", test_one },
		{ "odd", test_odd },
		{ "polled", test_polled },
		{ "gone", test_gone },
		{ "same_names", test_same_names },
		{ "joined", test_joined },
		{ "bare", test_bare },
		{ NULL, NULL },
	};
	int failed = check_main("gfxinfo_totals", cases);

	gfxinfo_totals_free(found.totals);
	return failed;
}
