/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* How a layer's frames reached the display. */
#include "output/report_latency.h"

#include <inttypes.h>

#include "output/json_values.h"
#include "output/page.h"
#include "output/quantiles.h"
#include "output/words.h"

/* "3 of 120 (2.50 %): " and what they are. */
static void print_share(FILE *out, const char *label, uint64_t part, uint64_t whole,
			const char *what)
{
	if (whole)
		page_line(out, label, "%" PRIu64 " of %" PRIu64 " (%.2f %%): %s", part, whole,
			  100.0 * (double)part / (double)whole, what);
}

void report_latency(FILE *out, const struct style *style, const struct latency_figures *f)
{
	char ms[32];

	if (!f->refresh_ns)
		return;
	fprintf(out, "\n%sA layer's frames on the display%s  (SurfaceFlinger --latency)\n",
		style->bold, style->off);
	page_line(out, "frames",
		  "%" PRIu64 " shown, %" PRIu64 " not yet; rows: %" PRIu64
		  " of frames that were in a dump before, %" PRIu64 " not readable",
		  f->frames, f->unfinished, f->repeated, f->faulty);
	words_ms(ms, sizeof(ms), f->refresh_ns);
	page_line(out, "display", "%s ms per refresh (%.1f Hz)", ms, 1e9 / (double)f->refresh_ns);
	if (f->intervals)
		page_line(out, "rate", "%.1f frames per second", latency_fps(f));
	print_share(out, "late", f->late, f->desired,
		    "presented at least half a refresh after the time they were meant for");
	print_share(out, "not ready", f->ready_late, f->ready,
		    "their buffer was still being drawn at the time they were meant for");
	if (!f->intervals)
		return;
	page_line(out, "missed",
		  "%" PRIu64 " refreshes from one frame to the next, also those for which there "
		  "was nothing to draw",
		  f->missed_vsyncs);
	quantiles_head(out, style);
	quantiles_row(out, "interval", f->interval);
}

json_t *latency_object(const struct latency_figures *f)
{
	json_t *o = json_object();
	int rc = json_set_number(o, "frames", f->frames);

	rc |= json_set_number(o, "unfinished", f->unfinished);
	rc |= json_set_number(o, "repeated_rows", f->repeated);
	rc |= json_set_number(o, "faulty_rows", f->faulty);
	if (f->refresh_ns)
		rc |= json_set_number(o, "refresh_ns", f->refresh_ns);
	if (f->intervals) {
		rc |= json_object_set_new(o, "fps", json_real(latency_fps(f)));
		rc |= json_set_number(o, "missed_vsyncs", f->missed_vsyncs);
	}
	rc |= quantiles_set(o, "interval_ns", f->interval);
	if (f->desired) {
		rc |= json_set_number(o, "desired_known", f->desired);
		rc |= json_set_number(o, "late", f->late);
	}
	if (f->ready) {
		rc |= json_set_number(o, "ready_known", f->ready);
		rc |= json_set_number(o, "ready_late", f->ready_late);
	}
	return json_if(rc, o);
}
