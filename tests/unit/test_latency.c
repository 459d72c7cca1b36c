/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Figures of SurfaceFlinger's rows, counted by hand: a display of 100 Hz, times in ms. */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "check.h"
#include "judge/latency.h"
#include "output/report_latency.h"

#define MS INT64_C(1000000)
#define REFRESH (10 * MS)
#define NEVER "9223372036854775807"

static const char first_dump[] =
	"10000000\n"
	"0\t0\t0\n"
	"100000000\t104000000\t95000000\n"
	"110000000\t115000000\t111000000\n" /* late by half a refresh, and not ready */
	"120000000\t135000000\t121000000\n" /* after 20 ms: one was missed */
	"130000000\t" NEVER "\t131000000\n"
	"140000000\t" NEVER "\t" NEVER "\n"
	"\n";

/* Two rows again, two that are finished now, and one more that is not. */
static const char second_dump[] =
	"10000000\n"
	"110000000\t115000000\t111000000\n"
	"120000000\t135000000\t121000000\n"
	"130000000\t150000000\t131000000\n" /* after 15 ms, which is two */
	"140000000\t155000000\t139000000\n"
	"160000000\t" NEVER "\t161000000\n"
	"\n";

/* Later: nothing is known of what was between. Of its last frame only the present is known. */
static const char third_dump[] = "10000000\n"
				 "1000000000\t1004999999\t1000000000\n"
				 "0\t1025000000\t0\n"
				 "\n";

static void read_dumps(struct latency *l, const char *const *dumps, unsigned nr)
{
	int fd = memfd_create("latency", MFD_CLOEXEC);
	const struct gfxinfo_item *item;
	struct gfxinfo *g;
	struct err e = { 0 };
	char path[64];

	for (unsigned i = 0; i < nr; i++) {
		ssize_t len = (ssize_t)strlen(dumps[i]);

		CU_ASSERT_EQUAL_FATAL(write(fd, dumps[i], (size_t)len), len);
	}
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	CU_ASSERT_EQUAL_FATAL(gfxinfo_open(path, &g, &e), 0);
	while (gfxinfo_next(g, &item, &e) == 1)
		CU_ASSERT_EQUAL(latency_add(l, item), 0);
	gfxinfo_close(g);
	close(fd);
}

static void polled(void)
{
	static const char *const dumps[] = { first_dump, second_dump, third_dump };
	struct latency *l = latency_new();
	const struct latency_figures *f = latency_figures(l);

	read_dumps(l, dumps, 3);
	CU_ASSERT_EQUAL(f->frames, 7);
	CU_ASSERT_EQUAL(f->unfinished, 1);
	CU_ASSERT_EQUAL(f->faulty, 0);
	CU_ASSERT_EQUAL(f->repeated, 2);
	CU_ASSERT_EQUAL(f->refresh_ns, REFRESH);
	/* 11, 20, 15, 5, 20.000001 */
	CU_ASSERT_EQUAL(f->intervals, 5);
	CU_ASSERT_EQUAL(f->span_ns, 71 * MS + 1);
	CU_ASSERT_EQUAL(f->missed_vsyncs, 3);
	CU_ASSERT_EQUAL(quantile_count(f->interval), 5);
	CU_ASSERT_EQUAL(quantile_at(f->interval, 500), 15 * MS);
	CU_ASSERT_EQUAL(quantile_max(f->interval), 20 * MS + 1);
	CU_ASSERT_EQUAL(f->desired, 6);
	CU_ASSERT_EQUAL(f->late, 4);
	CU_ASSERT_EQUAL(f->ready, 6);
	CU_ASSERT_EQUAL(f->ready_late, 3);
	CU_ASSERT_DOUBLE_EQUAL(latency_fps(f), 5 / 0.071000001, 1e-9);
	latency_free(l);
}

/* However often the dumps were made. */
static void repeated(void)
{
	static const char *const dumps[] = { first_dump,  first_dump,  first_dump,
					     second_dump, second_dump, first_dump };
	struct latency *l = latency_new();
	const struct latency_figures *f = latency_figures(l);

	read_dumps(l, dumps, 6);
	CU_ASSERT_EQUAL(f->frames, 5);
	CU_ASSERT_EQUAL(f->unfinished, 1);
	CU_ASSERT_EQUAL(f->repeated, 3 + 3 + 2 + 4 + 3);
	CU_ASSERT_EQUAL(f->intervals, 4);
	CU_ASSERT_EQUAL(f->span_ns, 51 * MS);
	latency_free(l);
}

static void add(struct latency *l, uint64_t line, enum gfxinfo_fault fault, int64_t present_ms)
{
	const struct gfxinfo_item item = {
		.kind = GFXINFO_LATENCY,
		.line = line,
		.fault = fault,
		.refresh_ns = REFRESH,
		.desired_ns = present_ms * MS,
		.present_ns = present_ms * MS,
		.ready_ns = present_ms * MS,
	};

	CU_ASSERT_EQUAL(latency_add(l, &item), 0);
}

/* No interval reaches over a row that can't be read, the end of a dump, or back in time. */
static void gaps(void)
{
	struct latency *l = latency_new();
	const struct latency_figures *f = latency_figures(l);
	const struct gfxinfo_item other = { .kind = GFXINFO_ROW, .line = 10 };

	add(l, 2, FAULT_NONE, 10);
	add(l, 3, FAULT_CUT, 0);
	add(l, 4, FAULT_NONE, 30);
	add(l, 5, FAULT_NO_TIME, -1);
	add(l, 6, FAULT_NONE, 50);
	add(l, 9, FAULT_NONE, 70);
	CU_ASSERT_EQUAL(latency_add(l, &other), 0);
	add(l, 10, FAULT_NONE, 60);
	CU_ASSERT_EQUAL(f->intervals, 0);
	CU_ASSERT_EQUAL(latency_fps(f), 0);
	add(l, 11, FAULT_NONE, 64);
	CU_ASSERT_EQUAL(f->intervals, 1);
	CU_ASSERT_EQUAL(f->span_ns, 4 * MS);
	CU_ASSERT_EQUAL(f->missed_vsyncs, 0);
	CU_ASSERT_EQUAL(f->frames, 6);
	CU_ASSERT_EQUAL(f->faulty, 2);
	CU_ASSERT_EQUAL(f->late, 0);
	latency_free(l);
}

static char *report_of(const struct latency *l)
{
	const struct style plain = { "", "", "", "" };
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	report_latency(out, &plain, latency_figures(l));
	fclose(out);
	return text;
}

static char *json_of(const struct latency *l)
{
	json_t *o = latency_object(latency_figures(l));
	char *text = json_dumps(o, JSON_COMPACT | JSON_REAL_PRECISION(5));

	json_decref(o);
	return text;
}

static void check_both(const struct latency *l, const char *text, const char *json)
{
	char *report = report_of(l), *object = json_of(l);

	CU_ASSERT_STRING_EQUAL(report, text);
	CU_ASSERT_STRING_EQUAL(object, json);
	free(report);
	free(object);
}

static void reported(void)
{
	static const char *const dumps[] = { first_dump, second_dump, third_dump };
	struct latency *l = latency_new();

	check_both(l, "", "{\"frames\":0,\"unfinished\":0,\"repeated_rows\":0,\"faulty_rows\":0}");
	read_dumps(l, dumps, 3);
	check_both(
		l,
		"\nA layer's frames on the display  (SurfaceFlinger --latency)\n"
		"  frames    7 shown, 1 not yet; rows: 2 of frames that were in a dump before, 0 "
		"not readable\n"
		"  display   10.000 ms per refresh (100.0 Hz)\n"
		"  rate      70.4 frames per second\n"
		"  late      4 of 6 (66.67 %): presented at least half a refresh after the time "
		"they were meant for\n"
		"  not ready 3 of 6 (50.00 %): their buffer was still being drawn at the time they "
		"were meant for\n"
		"  missed    3 refreshes from one frame to the next, also those for which there "
		"was nothing to draw\n"
		"\n"
		"  ms                      p50         p90         p95         p99         max\n"
		"  interval             15.000      20.000      20.000      20.000      20.000\n",
		"{\"frames\":7,\"unfinished\":1,\"repeated_rows\":2,\"faulty_rows\":0,"
		"\"refresh_ns\":10000000,\"fps\":70.423,\"missed_vsyncs\":3,"
		"\"interval_ns\":{\"count\":5,\"exact\":true,\"p50\":15000000,\"p90\":20000001,"
		"\"p95\":20000001,\"p99\":20000001,\"max\":20000001},"
		"\"desired_known\":6,\"late\":4,\"ready_known\":6,\"ready_late\":3}");
	latency_free(l);

	/* A frame alone has no interval, and no more than that is left out. */
	l = latency_new();
	add(l, 2, FAULT_NONE, 10);
	check_both(
		l,
		"\nA layer's frames on the display  (SurfaceFlinger --latency)\n"
		"  frames    1 shown, 0 not yet; rows: 0 of frames that were in a dump before, 0 "
		"not readable\n"
		"  display   10.000 ms per refresh (100.0 Hz)\n"
		"  late      0 of 1 (0.00 %): presented at least half a refresh after the time "
		"they were meant for\n"
		"  not ready 0 of 1 (0.00 %): their buffer was still being drawn at the time "
		"they were meant for\n",
		"{\"frames\":1,\"unfinished\":0,\"repeated_rows\":0,\"faulty_rows\":0,"
		"\"refresh_ns\":10000000,\"desired_known\":1,\"late\":0,\"ready_known\":1,"
		"\"ready_late\":0}");
	latency_free(l);
}

int main(void)
{
	static const struct check_case cases[] = {
		{ "polled", polled },     { "repeated", repeated }, { "gaps", gaps },
		{ "reported", reported }, { NULL, NULL },
	};

	return check_main("latency", cases);
}
