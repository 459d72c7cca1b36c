/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * ProfileData::dump(), JankTracker::dumpData() and dumpFrames() begin each line with its newline;
 * ActivityManagerService and WindowManagerGlobal, around them, end it.
 */
#include "output/gfxinfo_text.h"

#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "stream/gfxinfo.h"
#include "stream/slot_names.h"

#define PROFILE_ENDS_LINE 13 /* first release in which ProfileData::dump() does */
/* From then on finishFrame() is told of the GPU: a window has none because none was counted. */
#define GPU_COUNTED 12
#define SHARE_GUARDED 9 /* and in which a share of no frames is 0 */

#define NAME_LEN (4 * GFXINFO_NAME) /* all of it may be escapes */

/* In float, as there. */
static void print_share(FILE *out, const char *what, uint32_t count, uint32_t total,
			unsigned android)
{
	float share = total ? (float)count / (float)total * 100.0f : 0.0f;

	fprintf(out, "\n%s: %" PRIu32, what, count);
	if (!total && android < SHARE_GUARDED)
		fputs(" (nan%)", out);
	else
		fprintf(out, " (%.2f%%)", (double)share);
}

static void print_percentiles(FILE *out, const struct profile_data *p, const char *what,
			      unsigned (*percentile)(const struct profile_data *, unsigned))
{
	static const unsigned percents[] = { 50, 90, 95, 99 };

	for (size_t i = 0; i < sizeof(percents) / sizeof(*percents); i++)
		fprintf(out, "\n%uth %spercentile: %ums", percents[i], what,
			percentile(p, percents[i]));
}

static void print_profile(FILE *out, const struct profile_data *p, unsigned android)
{
	if (p->since_ns)
		fprintf(out, "\nStats since: %" PRIu64 "ns", p->since_ns);
	fprintf(out, "\nTotal frames rendered: %" PRIu32, p->total);
	print_share(out, "Janky frames", p->janky, p->total, android);
	if (jank_type_of_release(JANK_MISSED_DEADLINE_LEGACY, android))
		print_share(out, "Janky frames (legacy)", p->janky_legacy, p->total, android);
	print_percentiles(out, p, "", profile_percentile);
	for (unsigned i = 0; i < JANK_TYPE_NR; i++)
		if (jank_type_of_release((enum jank_type)i, android))
			fprintf(out, "\nNumber %s: %" PRIu32, jank_type_title((enum jank_type)i),
				p->types[i]);
	fputs("\nHISTOGRAM:", out);
	for (unsigned i = 0; i < PROFILE_BUCKETS; i++)
		fprintf(out, " %ums=%" PRIu32, profile_label(i), profile_count(p, i));
	if (android >= GPU_COUNTED || profile_has_gpu(p)) {
		print_percentiles(out, p, "gpu ", profile_gpu_percentile);
		fputs("\nGPU HISTOGRAM:", out);
		for (unsigned i = 0; i < PROFILE_GPU_BUCKETS; i++)
			fprintf(out, " %ums=%" PRIu32, profile_gpu_label(i), p->gpu[i]);
	}
	if (android >= PROFILE_ENDS_LINE)
		putc('\n', out);
}

/*
 * On Android 11 the end of the GPU's work is put in frames later: a capture has what was there
 * before. -1 is HWUI's own word for none.
 */
static int64_t row_value(const struct frame_slots *s, enum frame_slot slot)
{
	if (slot == SLOT_GPU_COMPLETED && s->layout < SLOTS_12 && !slot_known(s, slot))
		return -1;
	return s->ns[slot];
}

static void print_rows(FILE *out, const struct frame_ring *ring)
{
	uint64_t nr = ring->nr < VERDICT_ROWS ? ring->nr : VERDICT_ROWS;
	unsigned layout = ring->slots[0].layout;
	const uint8_t *order = frame_slots_order(layout);

	if (!nr || !order)
		return;
	fputs("\n\n---PROFILEDATA---\n", out);
	for (unsigned i = 0; i < layout; i++)
		fprintf(out, "%s,", slot_heading(layout, i));
	for (uint64_t at = ring->nr - nr; at < ring->nr; at++) {
		const struct frame_slots *s = &ring->slots[at % VERDICT_ROWS];

		if (s->layout != layout || !s->ns[SLOT_SYNC_START])
			continue;
		putc('\n', out);
		for (unsigned i = 0; i < layout; i++)
			fprintf(out, "%" PRId64 ",", row_value(s, (enum frame_slot)order[i]));
	}
	fputs("\n---PROFILEDATA---\n\n", out);
}

void gfxinfo_text_head(FILE *out, uint64_t uptime_ms, uint64_t realtime_ms)
{
	fputs("Applications Graphics Acceleration Info:\n", out);
	if (!uptime_ms)
		return;
	fprintf(out, "Uptime: %" PRIu64, uptime_ms);
	if (realtime_ms)
		fprintf(out, " Realtime: %" PRIu64, realtime_ms);
	putc('\n', out);
}

void gfxinfo_text_process(FILE *out, const struct process_verdicts *p)
{
	char name[NAME_LEN];

	text_escape_controls(name, sizeof(name), p->producer->process,
			     strlen(p->producer->process));
	fprintf(out, "\n** Graphics info for pid %" PRIu32 " [%s] **\n", p->producer->pid, name);
	print_profile(out, &p->profile, p->android);
	/* Of the line on the caches, or the pipeline, its newline at the start. */
	fputs("\nProfile data in ms:\n", out);
}

/* A capture may know no more of a window than the address of what HWUI counts its frames in. */
static void name_window(char *dst, size_t len, const struct window_verdicts *w)
{
	const char *name = w->producer->window;

	if (!name && w->jank_tracker) {
		snprintf(dst, len, "JankTracker@%" PRIx64, w->jank_tracker);
		return;
	}
	name = name ? name : w->producer->process;
	text_escape_controls(dst, len, name, strlen(name));
}

void gfxinfo_text_window(FILE *out, const struct window_verdicts *w)
{
	char name[NAME_LEN];

	name_window(name, sizeof(name), w);
	fprintf(out, "\n\t%s (visibility=0)\nWindow: %s", name, name);
	print_profile(out, &w->profile, w->android);
	putc('\n', out);
	if (w->ring)
		print_rows(out, w->ring);
}

void gfxinfo_text(FILE *out, const struct verdicts *v, uint64_t uptime_ms, uint64_t realtime_ms)
{
	const struct process_verdicts *p = NULL;

	gfxinfo_text_head(out, uptime_ms, realtime_ms);
	while ((p = verdicts_next_process(v, p))) {
		const struct window_verdicts *w = NULL;

		gfxinfo_text_process(out, p);
		while ((w = verdicts_window_of(p, w)))
			gfxinfo_text_window(out, w);
	}
}
