/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Dumps made of numbers, printed as HWUI does, read, and what there is found in them. */
#ifndef TESTS_GFXINFO_BLOCK_H
#define TESTS_GFXINFO_BLOCK_H

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "check.h"
#include "judge/gfxinfo_check.h"
#include "judge/gfxinfo_totals.h"

/* Bars that are not named are 0. The first with a label of 0 ends them. */
#define BLOCK_BARS 8

struct block {
	uint64_t since;
	uint64_t total;
	uint64_t janky;
	const char *janky_share;
	uint64_t legacy;
	const char *legacy_share; /* NULL: of a release that does not print it */
	unsigned percentiles[4];
	uint64_t types[7];
	unsigned nr_types;
	struct gfxinfo_bar bars[BLOCK_BARS];
	unsigned nr_bars; /* that are printed */
	const char *more; /* bars behind them */
	unsigned gpu_percentiles[4];
	struct gfxinfo_bar gpu_bars[BLOCK_BARS];
	unsigned nr_gpu_bars; /* 0: of a release that has none */
};

/* Of Android 12 on. */
static const struct block block_12 = {
	.since = 5000,
	.total = 100,
	.janky = 25,
	.janky_share = "25.00",
	.legacy = 33,
	.legacy_share = "33.00",
	.percentiles = { 8, 32, 32, 4950 },
	.types = { 10, 120, 15, 2, 8, 25, 20 },
	.nr_types = 7,
	.bars = { { 8, 60 }, { 17, 30 }, { 32, 6 }, { 150, 3 }, { 4950, 1 } },
	.nr_bars = 154,
	.more = "",
	.gpu_percentiles = { 3, 7, 7, 4950 },
	.gpu_bars = { { 3, 80 }, { 7, 9 }, { 4950, 1 } },
	.nr_gpu_bars = 26,
};

/* Of Android 9 and 10. */
static const struct block block_9 = {
	.since = 5000,
	.total = 100,
	.janky = 30,
	.janky_share = "30.00",
	.percentiles = { 8, 32, 32, 4950 },
	.types = { 10, 70, 15, 2, 8, 25 },
	.nr_types = 6,
	.bars = { { 8, 60 }, { 17, 30 }, { 32, 6 }, { 150, 3 }, { 4950, 1 } },
	.nr_bars = 154,
	.more = "",
};

static struct {
	size_t len;
	char s[1 << 20];
} dump_text;

static inline void print(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

static inline void print(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	dump_text.len += (size_t)vsnprintf(dump_text.s + dump_text.len,
					   sizeof(dump_text.s) - dump_text.len, fmt, ap);
	va_end(ap);
	if (dump_text.len >= sizeof(dump_text.s)) {
		printf("# a text is too long for this test\n");
		exit(1);
	}
}

static inline void print_dump(uint64_t uptime_ms)
{
	print("Applications Graphics Acceleration Info:\nUptime: %" PRIu64 " Realtime: 9\n\n",
	      uptime_ms);
}

static inline void print_process(unsigned pid, const char *name)
{
	print("** Graphics info for pid %u [%s] **\n", pid, name);
}

static inline void print_bars(const struct gfxinfo_bar *bars, unsigned nr,
			      unsigned (*label)(unsigned bucket))
{
	for (unsigned i = 0; i < nr; i++) {
		uint64_t count = 0;

		for (unsigned j = 0; j < BLOCK_BARS; j++)
			if (bars[j].label_ms == label(i))
				count = bars[j].count;
		print(" %ums=%" PRIu64, label(i), count);
	}
}

static inline void print_percentiles(const unsigned ms[4], const char *of)
{
	static const unsigned percents[] = { 50, 90, 95, 99 };

	for (unsigned i = 0; i < 4; i++)
		print("\n%uth %spercentile: %ums", percents[i], of, ms[i]);
}

static inline void print_block(const struct block *b)
{
	static const char *const types[] = {
		"Missed Vsync",
		"High input latency",
		"Slow UI thread",
		"Slow bitmap uploads",
		"Slow issue draw commands",
		"Frame deadline missed",
		"Frame deadline missed (legacy)",
	};

	print("\nStats since: %" PRIu64 "ns", b->since);
	print("\nTotal frames rendered: %" PRIu64, b->total);
	print("\nJanky frames: %" PRIu64 " (%s%%)", b->janky, b->janky_share);
	if (b->legacy_share)
		print("\nJanky frames (legacy): %" PRIu64 " (%s%%)", b->legacy, b->legacy_share);
	print_percentiles(b->percentiles, "");
	for (unsigned i = 0; i < b->nr_types; i++)
		print("\nNumber %s: %" PRIu64, types[i], b->types[i]);
	print("\nHISTOGRAM:");
	print_bars(b->bars, b->nr_bars, profile_label);
	print("%s", b->more);
	if (b->nr_gpu_bars) {
		print_percentiles(b->gpu_percentiles, "gpu ");
		print("\nGPU HISTOGRAM:");
		print_bars(b->gpu_bars, b->nr_gpu_bars, profile_gpu_label);
	}
	print("\n");
}

/* Rows of 10 ms, one every 16 ms, of which the last `unfinished` are that. */
static inline void print_window(const char *name, const struct block *b, unsigned rows,
				unsigned unfinished)
{
	print("\nWindow: %s", name);
	print_block(b);
	print("\n\n---PROFILEDATA---\nFlags,IntendedVsync,Vsync,OldestInputEvent,NewestInputEvent,"
	      "HandleInputStart,AnimationStart,PerformTraversalsStart,DrawStart,SyncQueued,"
	      "SyncStart,IssueDrawCommandsStart,SwapBuffers,FrameCompleted,DequeueBufferDuration,"
	      "QueueBufferDuration,");
	for (unsigned i = 0; i < rows; i++) {
		unsigned long long at = 1000000000ull + i * 16000000ull;

		print("\n0,%llu,%llu,9223372036854775807,0", at, at);
		for (unsigned slot = 1; slot <= 7; slot++)
			print(",%llu", at + slot * 1000000);
		print(",%llu", at + 9000000);
		print(",%llu,0,0,", i + unfinished < rows ? at + 10000000 : 0);
	}
	print("\n---PROFILEDATA---\n\n");
}

#define FINDINGS 64
#define KIND(kind) (1u << FINDING_##kind)

/* What the last text gave. Masks are of KIND(). */
static struct {
	uint32_t contradictions;
	uint32_t notes;
	unsigned nr;
	struct gfxinfo_finding list[FINDINGS];
	struct gfxinfo_totals *totals; /* until the next */
} found;

static inline void on_finding(void *ctx, const struct gfxinfo_finding *f)
{
	(void)ctx;
	if (f->contradiction)
		found.contradictions |= 1u << f->kind;
	else
		found.notes |= 1u << f->kind;
	if (found.nr < FINDINGS)
		found.list[found.nr] = *f;
	found.nr++;
}

static inline const struct gfxinfo_finding *first_of(enum gfxinfo_finding_kind kind)
{
	static const struct gfxinfo_finding none = { .line = UINT64_MAX };

	for (unsigned i = 0; i < found.nr && i < FINDINGS; i++)
		if (found.list[i].kind == kind)
			return &found.list[i];
	return &none;
}

static inline void expect_text(enum gfxinfo_finding_kind kind, const char *text)
{
	char s[GFXINFO_FINDING_TEXT];

	gfxinfo_finding_text(s, sizeof(s), first_of(kind));
	if (strcmp(s, text) != 0)
		printf("# %s: %s\n", gfxinfo_finding_name(kind), s);
	CU_ASSERT_STRING_EQUAL(s, text);
}

/* The findings of all dumps of a file; the number of items, or -1. */
static inline long check_file(const char *path)
{
	static const struct gfxinfo_finding_sink sink = { .finding = on_finding };
	const struct gfxinfo_item *item;
	struct err e = { 0 };
	struct gfxinfo *g;
	int ret = gfxinfo_open(path, &g, &e);
	long items = 0;

	if (ret)
		return -1;
	gfxinfo_totals_free(found.totals);
	memset(&found, 0, sizeof(found));
	found.totals = gfxinfo_totals_new();
	for (; found.totals && (ret = gfxinfo_next(g, &item, &e)) == 1; items++) {
		if (item->kind == GFXINFO_DUMP)
			gfxinfo_check_dump(found.totals, &sink);
		if (gfxinfo_totals_feed(found.totals, item))
			break;
	}
	gfxinfo_close(g);
	if (ret || !found.totals)
		return -1;
	gfxinfo_check_dump(found.totals, &sink);
	return items;
}

/* The same of what was printed, which is then forgotten. */
static inline void check_text(void)
{
	char path[64];
	int fd = memfd_create("gfxinfo", MFD_CLOEXEC);

	if (fd < 0 || write(fd, dump_text.s, dump_text.len) != (ssize_t)dump_text.len) {
		perror("# memfd");
		exit(1);
	}
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	CU_ASSERT_FATAL(check_file(path) >= 0);
	close(fd);
	dump_text.len = 0;
}

#endif
