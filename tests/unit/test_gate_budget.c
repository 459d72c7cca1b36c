/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Budgets as they are written, and what is wrong with those that are not. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "gate/budget.h"

static struct gate_budgets one;

/* Parse it; the budget, or NULL with the error in `e`. */
static const struct gate_budget *parse(const char *text, struct err *e)
{
	*e = (struct err){ 0 };
	gate_budgets_free(&one);
	return gate_budgets_add(&one, text, e) ? NULL : &one.all[0];
}

static void all_forms(void)
{
	static const struct {
		const char *text, *metric;
		enum gate_stat stat;
		unsigned permille;
		enum gate_op op;
		enum gate_quantity quantity;
		double limit;
	} cases[] = {
		{ "wall.p95<=16.6ms", "wall", GATE_PERCENTILE, 950, GATE_AT_MOST, GATE_NS,
		  16600000 },
		{ "jank.hwui<=1%", "jank.hwui", GATE_SHARE, 0, GATE_AT_MOST, GATE_PART, 0.01 },
		{ "release_wait.p99<=4ms", "release_wait", GATE_PERCENTILE, 990, GATE_AT_MOST,
		  GATE_NS, 4000000 },
		{ "gpu.p95<8ms", "gpu", GATE_PERCENTILE, 950, GATE_BELOW, GATE_NS, 8000000 },
		{ "fps>=58", "fps", GATE_ITSELF, 0, GATE_AT_LEAST, GATE_PER_SECOND, 58 },
		{ "fps>59.94fps", "fps", GATE_ITSELF, 0, GATE_ABOVE, GATE_PER_SECOND, 59.94 },
		{ "frames>=300", "frames", GATE_COUNT, 0, GATE_AT_LEAST, GATE_NUMBER, 300 },
		{ "frames.count>=300", "frames", GATE_COUNT, 0, GATE_AT_LEAST, GATE_NUMBER, 300 },
		{ "lossy<=1%", "lossy", GATE_SHARE, 0, GATE_AT_MOST, GATE_PART, 0.01 },
		{ "lossy.count<=3", "lossy", GATE_COUNT, 0, GATE_AT_MOST, GATE_NUMBER, 3 },
		{ "truncated.rate<1Hz", "truncated", GATE_RATE, 0, GATE_BELOW, GATE_PER_SECOND, 1 },
		{ "stage.sync.p95<=2ms", "stage.sync", GATE_PERCENTILE, 950, GATE_AT_MOST, GATE_NS,
		  2000000 },
		{ "stage.sync_prepare.max<2s", "stage.sync_prepare", GATE_MAX, 0, GATE_BELOW,
		  GATE_NS, 2e9 },
		{ "wall.p99.9 <= 50 ms", "wall", GATE_PERCENTILE, 999, GATE_AT_MOST, GATE_NS,
		  50000000 },
		{ "wall.p50<1us", "wall", GATE_PERCENTILE, 500, GATE_BELOW, GATE_NS, 1000 },
		{ "wall.min>12ns", "wall", GATE_MIN, 0, GATE_ABOVE, GATE_NS, 12 },
		{ "wall.mean<=.5ms", "wall", GATE_MEAN, 0, GATE_AT_MOST, GATE_NS, 500000 },
		{ "wall.max<=0", "wall", GATE_MAX, 0, GATE_AT_MOST, GATE_NS, 0 },
		{ "cause.fence.share<=2.5%", "cause.fence", GATE_SHARE, 0, GATE_AT_MOST, GATE_PART,
		  0.025 },
		{ "jank.hwui.rate<=0.5/s", "jank.hwui", GATE_RATE, 0, GATE_AT_MOST, GATE_PER_SECOND,
		  0.5 },
		{ "jank.hwui.slow_ui_thread.count<=2", "jank.hwui.slow_ui_thread", GATE_COUNT, 0,
		  GATE_AT_MOST, GATE_NUMBER, 2 },
		{ "jankstats_overrun.p95<=-1.5ms", "jankstats_overrun", GATE_PERCENTILE, 950,
		  GATE_AT_MOST, GATE_NS, -1500000 },
		{ "ui_lock.p90<1ms", "ui_lock", GATE_PERCENTILE, 900, GATE_BELOW, GATE_NS,
		  1000000 },
	};
	struct err e;

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const struct gate_budget *b = parse(cases[i].text, &e);

		CU_ASSERT_PTR_NOT_NULL(b);
		if (!b) {
			printf("# %s: %s\n", cases[i].text, e.what);
			continue;
		}
		CU_ASSERT_STRING_EQUAL(gate_metric_at(b->metric)->name, cases[i].metric);
		CU_ASSERT_EQUAL(b->stat, cases[i].stat);
		CU_ASSERT_EQUAL(b->permille, cases[i].permille);
		CU_ASSERT_EQUAL(b->op, cases[i].op);
		CU_ASSERT_EQUAL(b->quantity, cases[i].quantity);
		CU_ASSERT(fabs(b->limit - cases[i].limit) < 1e-9);
		CU_ASSERT_PTR_NULL(b->producer);
	}
	gate_budgets_free(&one);
}

static void producers(void)
{
	static const struct {
		const char *text, *producer, *rest;
	} cases[] = {
		{ "gears:fps>=58", "gears", "fps>=58" },
		{ "com.example.app:remote:fps>=58", "com.example.app:remote", "fps>=58" },
		{ "com.example.app#2:wall.p95 <= 1ms", "com.example.app#2", "wall.p95<=1ms" },
		{ "a<=b:c:frames>=3", "a<=b:c", "frames>=3" },
		{ "My App*: frames>=3", "My App*", "frames>=3" },
	};
	struct err e;

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const struct gate_budget *b = parse(cases[i].text, &e);

		CU_ASSERT_PTR_NOT_NULL_FATAL(b);
		CU_ASSERT_STRING_EQUAL(b->producer, cases[i].producer);
		CU_ASSERT_STRING_EQUAL(b->text, cases[i].rest);
	}
	gate_budgets_free(&one);
}

static void errors_teach(void)
{
	static const struct {
		const char *text, *what, *hint;
	} cases[] = {
		{ "", "names no metric", "wall.p95<=16.6ms" },
		{ "<=3", "names no metric", "wall.p95<=16.6ms" },
		{ "wall.p95", "no limit", "<= < >= >" },
		{ "wall.p95=3ms", "no limit", "<= < >= >" },
		{ "wall.p95<=", "'' is no number", "" },
		{ "wall.p95<=ms", "'ms' is no number", "" },
		{ "wall.p95<=nanms", "'nanms' is no number", "" },
		{ "wall.p95<=16.6", "'16.6' has no unit", "ns, us, ms or s" },
		{ "wall.p95<=16.6%", "not what it is measured in", "ns, us, ms or s" },
		{ "wall.p95<=1e3ms", "not what it is measured in", "ns, us, ms or s" },
		{ "wall.p95<=0x10ms", "not what it is measured in", "ns, us, ms or s" },
		{ "jank.hwui<=1", "'1' has no unit", "with % behind it" },
		{ "jank.hwui<=1ms", "not what it is measured in", "with % behind it" },
		{ "jank.hwui<=-1%", "less than there can be", "" },
		{ "frames>=300ms", "not what it is measured in", "a number of frames" },
		{ "fps>=58%", "not what it is measured in", "per second" },
		{ "wall<=16.6ms", "which statistic of wall?", "wall.p95" },
		{ "wal.p95<=16.6ms", "did you mean wall?", "--list-metrics" },
		{ "realease_wait.p95<=16ms", "did you mean release_wait?", "--list-metrics" },
		{ "jank.hwuii<=1%", "did you mean jank.hwui?", "--list-metrics" },
		{ "zzzzzzzzzzz<=1%", "no metric 'zzzzzzzzzzz'", "--list-metrics" },
		{ "wall.p95th<=1ms", "no statistic 'p95th'", "p50 to p99.9" },
		{ "wall.median<=1ms", "no statistic 'median'", "p50 to p99.9" },
		{ "wall.p49<=1ms", "percentiles are p50 to p99.9", "" },
		{ "wall.p100<=1ms", "percentiles are p50 to p99.9", "" },
		{ "wall.p99.99<=1ms", "percentiles are p50 to p99.9", "" },
		{ "wall.p99999999999999999999<=1ms", "percentiles are p50 to p99.9", "" },
		{ "fps.p95>=3", "fps has no such statistic", "interval.p95" },
		{ "frames.p95>=3", "frames has no such statistic", "frames>=300" },
		{ "jank.hwui.p95<=1%", "jank.hwui has no such statistic", "share" },
		{ "lossy.max<=1%", "lossy has no such statistic", "share" },
		{ ":fps>=1", "no producer stands before ':'", "" },
		{ "wall.p95<=99999999999999999999s", "beyond everything", "" },
		{ "wall.p95<=1ms;rm", "not what it is measured in", "" },
		{ "wall.p95<=1m\xff", "characters that no budget has", "" },
		{ "wall.p95\n<=1ms", "characters that no budget has", "" },
	};
	struct err e;

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		CU_ASSERT_PTR_NULL(parse(cases[i].text, &e));
		CU_ASSERT_EQUAL(e.code, -EINVAL);
		if (strstr(e.what, cases[i].what) && strstr(e.hint, cases[i].hint))
			continue;
		printf("# %s: %s | %s\n", cases[i].text, e.what, e.hint);
		CU_FAIL("another error");
	}
	gate_budgets_free(&one);
}

static void too_much(void)
{
	struct gate_budgets b = { 0 };
	struct err e = { 0 };
	char text[GATE_BUDGET_LEN + 8];

	memset(text, 'a', sizeof(text));
	text[sizeof(text) - 1] = '\0';
	CU_ASSERT_EQUAL(gate_budgets_add(&b, text, &e), -EINVAL);
	for (unsigned i = 0; i < GATE_BUDGETS_MAX; i++)
		CU_ASSERT_EQUAL_FATAL(gate_budgets_add(&b, "x:fps>=1", &e), 0);
	CU_ASSERT_EQUAL(gate_budgets_add(&b, "fps>=1", &e), -E2BIG);
	CU_ASSERT_EQUAL(b.nr, GATE_BUDGETS_MAX);
	gate_budgets_free(&b);
}

/* The budgets of a file with that text; -1 with the error. */
static int read_file(struct gate_budgets *b, const char *text, size_t len, struct err *e)
{
	char path[] = "/tmp/gate_budgets_XXXXXX";
	int fd = mkstemp(path), rc;

	*e = (struct err){ 0 };
	CU_ASSERT_FATAL(fd >= 0);
	CU_ASSERT_EQUAL_FATAL(write(fd, text, len), (ssize_t)len);
	close(fd);
	rc = gate_budgets_read(b, path, e);
	unlink(path);
	return rc;
}

#define SCHEMA "\"schema\": \"framescope.budgets/1\""

static void files(void)
{
	static const char text[] =
		"{" SCHEMA ", \"budgets\": [\"wall.p95<=16.6ms\", \"gears:fps>=58\",\n"
		" {\"budget\": \"frames>=300\"}, {\"budget\": \"lossy<=1%\", \"producer\": "
		"\"a:b\"}]}";
	struct gate_budgets b = { 0 };
	struct err e;

	CU_ASSERT_EQUAL_FATAL(read_file(&b, text, strlen(text), &e), 0);
	CU_ASSERT_EQUAL_FATAL(b.nr, 4);
	CU_ASSERT_STRING_EQUAL(b.all[0].text, "wall.p95<=16.6ms");
	CU_ASSERT_STRING_EQUAL(b.all[1].producer, "gears");
	CU_ASSERT_PTR_NULL(b.all[2].producer);
	CU_ASSERT_STRING_EQUAL(b.all[3].producer, "a:b");
	gate_budgets_free(&b);
}

static void hostile_files(void)
{
	static const char *const texts[] = {
		"",
		"nonsense",
		"[]",
		"null",
		"{}",
		"{\"schema\": \"framescope.budgets/2\", \"budgets\": [\"fps>=1\"]}",
		"{\"schema\": 1, \"budgets\": [\"fps>=1\"]}",
		"{" SCHEMA "}",
		"{" SCHEMA ", \"budgets\": []}",
		"{" SCHEMA ", \"budgets\": {}}",
		"{" SCHEMA ", \"budgets\": \"fps>=1\"}",
		"{" SCHEMA ", \"budgets\": [1]}",
		"{" SCHEMA ", \"budgets\": [null]}",
		"{" SCHEMA ", \"budgets\": [[\"fps>=1\"]]}",
		"{" SCHEMA ", \"budgets\": [{}]}",
		"{" SCHEMA ", \"budgets\": [{\"budget\": 3}]}",
		"{" SCHEMA ", \"budgets\": [{\"budget\": \"fps>=1\", \"producer\": 3}]}",
		"{" SCHEMA ", \"budgets\": [{\"budget\": \"fps>=1\", \"producer\": null}]}",
		"{" SCHEMA ", \"budgets\": [{\"budget\": \"a:fps>=1\", \"producer\": \"b\"}]}",
		"{" SCHEMA ", \"budgets\": [{\"budget\": \"fps>=1\", \"limit\": 1}]}",
		"{" SCHEMA ", \"budgets\": [\"fps>=1\"], \"budget\": []}",
		"{" SCHEMA ", \"budgets\": [\"fps>=1\"], \"budgets\": [\"fps>=1\"]}",
		"{" SCHEMA ", \"budgets\": [\"fps\\u0000>=1\"]}",
		"{" SCHEMA ", \"budgets\": [\"fps>=1\"]} x",
	};
	struct gate_budgets b = { 0 };
	struct err e;

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		int rc = read_file(&b, texts[i], strlen(texts[i]), &e);

		if (rc != -EINVAL)
			printf("# %s: %d\n", texts[i], rc);
		CU_ASSERT_EQUAL(rc, -EINVAL);
		CU_ASSERT(*e.what && *e.hint);
		gate_budgets_free(&b);
	}

	size_t len = GATE_BUDGETS_FILE_MAX + 1;
	char *deep = malloc(len);

	CU_ASSERT_PTR_NOT_NULL_FATAL(deep);
	memset(deep, '[', len);
	CU_ASSERT_EQUAL(read_file(&b, deep, len, &e), -E2BIG);
	CU_ASSERT_EQUAL(read_file(&b, deep, len - 1, &e), -EINVAL);
	memset(deep, ' ', len);
	CU_ASSERT_EQUAL(read_file(&b, deep, len - 1, &e), -EINVAL);
	free(deep);
	e = (struct err){ 0 };
	CU_ASSERT_EQUAL(gate_budgets_read(&b, "/nowhere/budgets.json", &e), -ENOENT);
	e = (struct err){ 0 };
	CU_ASSERT_EQUAL(gate_budgets_read(&b, "/tmp", &e), -EISDIR);
	gate_budgets_free(&b);
}

int main(void)
{
	static const struct check_case cases[] = {
		{ "all forms", all_forms },
		{ "producers end at the last colon", producers },
		{ "errors teach", errors_teach },
		{ "too much", too_much },
		{ "files", files },
		{ "hostile files", hostile_files },
		{ 0 },
	};

	return check_main("gate_budget", cases);
}
