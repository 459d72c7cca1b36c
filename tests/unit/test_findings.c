/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What is kept of the findings about dump after dump. */
#include "judge/findings.h"

#include <string.h>

#include "check.h"

static struct gfxinfo_totals *totals;
static struct findings *findings;
static uint64_t line;

static void begin(void)
{
	findings_free(findings);
	gfxinfo_totals_free(totals);
	totals = gfxinfo_totals_new();
	findings = findings_new();
	CU_ASSERT_PTR_NOT_NULL_FATAL(totals);
	CU_ASSERT_PTR_NOT_NULL_FATAL(findings);
	line = 0;
}

static void feed(struct gfxinfo_item *item)
{
	item->line = ++line;
	item->process = item->kind == GFXINFO_DUMP ? "" : "app";
	item->pid = item->kind == GFXINFO_DUMP ? 0 : 7;
	if (!item->window)
		item->window = "";
	CU_ASSERT_EQUAL(gfxinfo_totals_feed(totals, item), 0);
}

/* As a report does: what was read before is checked, then the next dump begins. */
static void dump(uint64_t uptime_ms)
{
	struct gfxinfo_item item = { .kind = GFXINFO_DUMP, .uptime_ms = uptime_ms };

	CU_ASSERT_EQUAL(findings_check(findings, totals), 0);
	feed(&item);
}

static void process(void)
{
	struct gfxinfo_item item = { .kind = GFXINFO_PROCESS };

	feed(&item);
}

/* Of 100 frames so many were janky, which is so many per cent. */
static void stats(const char *window, uint64_t janky, bool filtered)
{
	static struct gfxinfo_stats s;
	struct gfxinfo_item item = {
		.kind = GFXINFO_STATS, .window = window, .window_nr = *window != '\0', .stats = &s
	};

	s = (struct gfxinfo_stats){
		.scope = *window ? SCOPE_WINDOW : SCOPE_PROCESS,
		.line = line + 1,
		.printed = 1u << FIGURE_TOTAL | 1u << FIGURE_JANKY,
		.filtered = filtered,
		.total = 100,
		.janky = janky,
		.janky_centipercent = (uint32_t)janky * 100,
	};
	strcpy(s.name, window);
	feed(&item);
}

static const struct totals_entry *entry(enum gfxinfo_scope scope, const char *name)
{
	const struct totals_entry *e = NULL;

	while ((e = gfxinfo_totals_next(totals, e)))
		if (e->scope == scope && !strcmp(e->name, name))
			return e;
	return NULL;
}

static unsigned kept(const struct found *f)
{
	unsigned n = 0;

	for (; f; f = f->next)
		n++;
	return n;
}

static void test_none(void)
{
	begin();
	dump(1000);
	process();
	stats("", 5, false);
	stats("w", 5, false);
	CU_ASSERT_EQUAL(findings_check(findings, totals), 0);
	CU_ASSERT_EQUAL(findings_contradictions(findings), 0);
	CU_ASSERT_EQUAL(findings_notes(findings), 0);
	CU_ASSERT_PTR_NULL(findings_of(findings, entry(SCOPE_PROCESS, "")));
	CU_ASSERT_PTR_NULL(findings_of(findings, NULL));
	findings_free(NULL);
}

/* More janky frames than frames, in two dumps of three: two, in their order. */
static void test_contradictions(void)
{
	const struct found *f;

	begin();
	dump(1000);
	process();
	stats("", 101, false);
	dump(2000);
	process();
	stats("", 100, false);
	dump(3000);
	process();
	stats("", 103, false);
	CU_ASSERT_EQUAL(findings_check(findings, totals), 0);
	CU_ASSERT_EQUAL(findings_notes(findings), 0);
	f = findings_of(findings, entry(SCOPE_PROCESS, ""));
	CU_ASSERT_PTR_NOT_NULL_FATAL(f);
	CU_ASSERT_EQUAL(f->finding.kind, FINDING_ABOVE_TOTAL);
	CU_ASSERT_EQUAL(f->finding.printed, 101);
	CU_ASSERT_EQUAL(f->finding.line, 3);
	f = f->next;
	CU_ASSERT_PTR_NOT_NULL_FATAL(f);
	CU_ASSERT_EQUAL(f->finding.kind, FINDING_ABOVE_TOTAL);
	CU_ASSERT_EQUAL(f->finding.printed, 103);
	CU_ASSERT_EQUAL(f->finding.line, 9);
	CU_ASSERT_PTR_NULL(f->next);
	CU_ASSERT_EQUAL(findings_contradictions(findings), 2);
}

/* What is noted of each dump is noted once of a window, where it was last. */
static void test_notes(void)
{
	const struct found *f;

	begin();
	for (unsigned i = 1; i <= 3; i++) {
		dump(1000 * i);
		process();
		stats("v", 5, true);
		stats("w", 5, i < 3);
	}
	CU_ASSERT_EQUAL(findings_check(findings, totals), 0);
	CU_ASSERT_EQUAL(findings_contradictions(findings), 0);
	CU_ASSERT_EQUAL(findings_notes(findings), 2);
	f = findings_of(findings, entry(SCOPE_WINDOW, "v"));
	CU_ASSERT_PTR_NOT_NULL_FATAL(f);
	CU_ASSERT_EQUAL(f->finding.kind, FINDING_FILTERED);
	CU_ASSERT_EQUAL(f->finding.line, 11);
	CU_ASSERT_PTR_NULL(f->next);
	/* it was there, in another dump than the last */
	f = findings_of(findings, entry(SCOPE_WINDOW, "w"));
	CU_ASSERT_PTR_NOT_NULL_FATAL(f);
	CU_ASSERT_EQUAL(f->finding.line, 8);
	CU_ASSERT_PTR_NULL(f->next);
}

/* A contradiction of that kind is none of a note's renewals, nor takes a note its place. */
static void test_both(void)
{
	begin();
	for (unsigned i = 1; i <= 2; i++) {
		dump(1000 * i);
		process();
		stats("w", 101, true);
	}
	CU_ASSERT_EQUAL(findings_check(findings, totals), 0);
	CU_ASSERT_EQUAL(findings_contradictions(findings), 2);
	CU_ASSERT_EQUAL(findings_notes(findings), 1);
	CU_ASSERT_EQUAL(kept(findings_of(findings, entry(SCOPE_WINDOW, "w"))), 3);
}

/* Dumps out of order are about none of what is in them. */
static void test_dumps(void)
{
	const struct found *f;

	begin();
	dump(3000);
	process();
	dump(2000);
	process();
	dump(1000);
	process();
	CU_ASSERT_EQUAL(findings_check(findings, totals), 0);
	f = findings_of(findings, NULL);
	CU_ASSERT_PTR_NOT_NULL_FATAL(f);
	CU_ASSERT_EQUAL(f->finding.kind, FINDING_DUMP_ORDER);
	CU_ASSERT_EQUAL(f->finding.printed, 1000);
	CU_ASSERT_EQUAL(f->finding.expected, 2000);
	CU_ASSERT_PTR_NULL(f->next);
	CU_ASSERT_EQUAL(findings_notes(findings), 1);
}

/* Beyond what is kept, they are counted. */
static void test_cap(void)
{
	begin();
	for (unsigned i = 1; i <= FINDINGS_KEPT + 10; i++) {
		dump(1000 * i);
		process();
		stats("", 101, false);
	}
	CU_ASSERT_EQUAL(findings_check(findings, totals), 0);
	CU_ASSERT_EQUAL(findings_contradictions(findings), FINDINGS_KEPT + 10);
	CU_ASSERT_EQUAL(kept(findings_of(findings, entry(SCOPE_PROCESS, ""))), FINDINGS_KEPT);
	/* of others, too */
	dump(1000 * (FINDINGS_KEPT + 11));
	process();
	stats("w", 5, true);
	CU_ASSERT_EQUAL(findings_check(findings, totals), 0);
	CU_ASSERT_EQUAL(findings_notes(findings), 1);
	CU_ASSERT_PTR_NULL(findings_of(findings, entry(SCOPE_WINDOW, "w")));
}

int main(void)
{
	static const struct check_case cases[] = {
		{ "none", test_none },   { "contradictions", test_contradictions },
		{ "notes", test_notes }, { "both", test_both },
		{ "dumps", test_dumps }, { "cap", test_cap },
		{ NULL, NULL },
	};
	int failed = check_main("findings", cases);

	findings_free(findings);
	gfxinfo_totals_free(totals);
	return failed;
}
