/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Damaged dumps against all that is behind the reader: frames, verdicts, checks, and every form in
 * which they are printed. Meant to run under ASan and UBSan:
 *
 *     fuzz_dump_report [SECONDS [FIRST-INPUT]]
 */
#include <stdio.h>
#include <stdlib.h>

#include "fuzz/dump_image.h"
#include "fuzz/fuzz_file.h"
#include "judge/gfxinfo_rows_check.h"
#include "output/frames.h"
#include "output/gfxinfo_text.h"
#include "output/report_dump.h"

struct run {
	struct verdicts *verdicts;
	struct table_times times;
	struct listing rows;
	int error;
};

static void on_frame(void *ctx, struct frame *f)
{
	struct run *run = ctx;
	const struct frame_row row = { .frame = f };

	run->error |= verdicts_judge(run->verdicts, f);
	run->error |= table_times_add(&run->times, f);
	listing_print(&run->rows, &row);
}

static void on_gap(void *ctx, const struct producer *p)
{
	verdicts_gap(((struct run *)ctx)->verdicts, p);
}

static void print_all(FILE *out, const struct dump_report *r)
{
	const struct style plain = { "", "", "", "" };
	struct err e = { 0 };

	report_dump_text(out, &plain, r);
	report_dump_json(out, r, &e);
	gfxinfo_text(out, r->verdicts, 1, 2);
}

static const char *use(const char *path, size_t size)
{
	static const struct style plain = { "", "", "", "" };
	static unsigned turn;
	const struct verdict_rules rules = {
		.android = turn % 4 ? 7 + turn % 11 : 0,
		.refresh_hz = turn % 3 ? 60 : 0,
		.forgiveness_ns = turn % 2 ? 5000000 : 0,
		.multiplier = 2,
		.matrix = matrix_default,
		.keep_rows = true,
	};
	FILE *out = fopen("/dev/null", "w");
	struct run run = {
		.verdicts = verdicts_new(&rules, NULL, NULL),
		.rows = { out, &plain, turn % 2 ? &row_csv : &row_table, &dumped_frames_view, 0 },
	};
	const struct dump_sink sink = { on_frame, on_gap, &run };
	struct gfxinfo_totals *totals = gfxinfo_totals_new();
	struct dump_frames *frames = dump_frames_new(&sink);
	struct findings *findings = findings_new();
	struct latency *latency = latency_new();
	const struct gfxinfo_item *item;
	struct err e = { 0 };
	struct gfxinfo *g;

	(void)size;
	turn++;
	if (!out || !run.verdicts || !totals || !frames || !findings || !latency)
		abort();
	if (gfxinfo_open(path, &g, &e) == 0) {
		while (gfxinfo_next(g, &item, &e) == 1) {
			if (item->kind == GFXINFO_DUMP)
				run.error |= findings_check(findings, totals);
			run.error |= gfxinfo_totals_feed(totals, item);
			run.error |= latency_add(latency, item);
			run.error |= dump_frames_add(frames, item);
		}
		verdicts_finish(run.verdicts);
		run.error |= findings_check(findings, totals);
		print_all(out, &(struct dump_report){
				       .path = path,
				       .input = gfxinfo_input(g),
				       .totals = totals,
				       .findings = findings,
				       .frames = frames,
				       .verdicts = run.verdicts,
				       .times = &run.times,
				       .latency = latency,
			       });
		gfxinfo_close(g);
	}
	verdicts_free(run.verdicts);
	table_times_free(&run.times);
	dump_frames_free(frames);
	gfxinfo_totals_free(totals);
	findings_free(findings);
	latency_free(latency);
	fclose(out);
	return run.error ? "an error without a reason" : NULL;
}

int main(int argc, char **argv)
{
	static unsigned char image[IMAGE_SIZE];
	const struct fuzz_file f = {
		.name = "dump_report", .image = image, .make = make, .use = use
	};

	return fuzz_file(&f, argc, argv);
}
