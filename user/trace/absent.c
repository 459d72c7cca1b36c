/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Reasons, and what to record instead; each counts as absent by what the intake has met. */
#include "trace/absent.h"

static const char *const texts[] = {
	[ABSENT_MARKS] = "no frames by marks: no program has marked anything (tracing_mark_write, "
			 "print); record with atrace's categories gfx and view, and name the app "
			 "(atrace -a, or atrace_apps)",
	[ABSENT_FRAMES] = "no frames by marks: none of its marks is of a frame; atrace's "
			  "categories gfx and view were off, the app was not named (atrace -a, or "
			  "atrace_apps), or nothing was drawn",
	[ABSENT_SWITCHES] = "no budgets: it has no switches of threads (sched_switch), and so does "
			    "not say when one ran; record with atrace's category sched",
	[ABSENT_WAKINGS] = "no wakers: it has no sched_waking or sched_wakeup, and so does not say "
			   "for how long a thread that did not run waited for a CPU",
	[ABSENT_FENCES] = "no fences: it has no dma_fence events, and so does not say when the GPU "
			  "was done; record with the kernel's events of dma_fence",
	[ABSENT_TIMELINE] = "no verdicts of SurfaceFlinger: it has no FrameTimeline; the data "
			    "source android.surfaceflinger.frametimeline was off, or Android is "
			    "older than 12",
	[ABSENT_TIMELINE_TEXT] = "no verdicts of SurfaceFlinger: its FrameTimeline is in traces of "
				 "Perfetto only",
	[ABSENT_FRAME_INFO] = "no verdicts of HWUI: marks do not hold what it judges frames by, "
			      "such as their deadline; framescope record does, and so does dumpsys "
			      "gfxinfo framestats",
};
_Static_assert(sizeof(texts) / sizeof(*texts) == ABSENT_NR, "a text for all that can be absent");

static const enum source_topic topics[ABSENT_NR] = {
	[ABSENT_MARKS] = SOURCE_FRAMES,           [ABSENT_FRAMES] = SOURCE_FRAMES,
	[ABSENT_SWITCHES] = SOURCE_BUDGETS,       [ABSENT_WAKINGS] = SOURCE_BUDGETS,
	[ABSENT_FENCES] = SOURCE_FENCES,          [ABSENT_TIMELINE] = SOURCE_VERDICTS,
	[ABSENT_TIMELINE_TEXT] = SOURCE_VERDICTS, [ABSENT_FRAME_INFO] = SOURCE_VERDICTS,
};

static unsigned bit(bool absent, enum absent what)
{
	return absent ? 1u << what : 0;
}

unsigned absent_find(const struct intake_counts *c, enum absent_form form)
{
	bool frames = c->frame_marks, text = form == ABSENT_IN_TEXT;

	if (!c->switches && !c->wakings && !c->marks && !c->fences && !c->timelines && !c->buffers)
		return 0;
	return bit(!c->marks, ABSENT_MARKS) | bit(c->marks && !frames, ABSENT_FRAMES) |
	       bit(!c->switches, ABSENT_SWITCHES) |
	       bit(c->switches && !c->wakings, ABSENT_WAKINGS) | bit(!c->fences, ABSENT_FENCES) |
	       bit(frames && !c->timelines, text ? ABSENT_TIMELINE_TEXT : ABSENT_TIMELINE) |
	       bit(frames, ABSENT_FRAME_INFO);
}

const char *absent_text(enum absent what)
{
	return texts[what];
}

bool absent_nth(const struct intake_counts *counts, enum absent_form form, unsigned index,
		struct source_absence *a)
{
	unsigned found = absent_find(counts, form);

	for (unsigned what = 0; what < ABSENT_NR; what++) {
		if (!(found & 1u << what) || index--)
			continue;
		*a = (struct source_absence){ topics[what], texts[what] };
		return true;
	}
	return false;
}
