/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The end of a report for people: what not to trust, and why there are no frames. */
#include "output/report_trust.h"

#include <ctype.h>
#include <inttypes.h>

#include "output/page.h"

static void no_frames_in_trace(FILE *out)
{
	page_wrap(out, 11, 0, REPORT_WIDTH,
		  "No mark in the trace is the end of a frame. It may be that");
	page_note(out, "apps' marks were not recorded: name the app, and atrace's categories gfx "
		       "and view (atrace -a APP gfx view sched; for Perfetto, atrace_apps and "
		       "atrace_categories);");
	page_note(out, "the app draws without HWUI, and marks nothing;");
	page_note(out, "nothing on its screen changed: make it draw while tracing;");
	page_note(out, "the trace is too short, or its buffer was overwritten: give it a few "
		       "seconds, and a larger one (atrace -b KB, ftrace's buffer_size_kb).");
}

void report_no_frames(FILE *out, const struct style *style, const struct report *r)
{
	fprintf(out, "\n%sNo frames.%s ", style->bold, style->off);
	if (r->trace) {
		no_frames_in_trace(out);
		return;
	}
	page_wrap(out, 11, 0, REPORT_WIDTH,
		  r->model->ends_probed
			  ? "The functions that end frames were probed, and none returned while "
			    "recording. It may be that"
			  : "No function that ends frames was found in what the recorded "
			    "processes have mapped. It may be that");
	page_note(out, "none of the recorded processes draws, or not with EGL or Vulkan: name the "
		       "one that does (framescope record -p PID, or -- CMD ARGS);");
	page_note(out, "its swap function is in a library that was not probed: add it "
		       "(--uprobe LIB:SYMBOL=swap);");
	page_note(out, "nothing on its screen changed: make it draw while recording;");
	page_note(out, "the recording was too short: give it a few seconds (-d 5).");
}

/* A note with a number, unless that is 0. */
static void print_count(FILE *out, const char *what, uint64_t count, const char *remark)
{
	if (count)
		page_note(out, "%s: %" PRIu64 ". %s", what, count, remark);
}

static void print_losses(FILE *out, const struct report *r)
{
	const struct source_stats *s = r->input;

	print_count(out, "Lost records", s->lost,
		    r->trace ? "Record fewer events, or with a larger buffer (ftrace's "
			       "buffer_size_kb, atrace -b KB, or size_kb in a config of Perfetto)."
			     : "Record fewer processes, or with larger buffers (framescope record "
			       "--buffer KIB).");
	if (s->lost_unknown)
		page_note(out, "%secords were lost of which nobody knows how many.",
			  s->lost ? "More r" : "R");
	print_count(out, "Late records", s->late, "They came too late to be put in order.");
	print_count(out, "Useless records", r->model->stale,
		    "Later ones of their thread had come first.");
}

bool report_absence(const struct report *r, unsigned *index, struct source_absence *absence)
{
	unsigned topics = SOURCE_TOPICS_ALL;

	if (!r->model->hwui_frames)
		topics &= ~(unsigned)SOURCE_VERDICTS;
	return r->source && source_absence(r->source, topics, index, absence);
}

/* What a trace does not have, and why. */
static void print_absences(FILE *out, const struct report *r)
{
	struct source_absence absence;
	char text[1024];
	unsigned index = 0;

	while (report_absence(r, &index, &absence)) {
		snprintf(text, sizeof(text), "%s", absence.text);
		text[0] = (char)toupper((unsigned char)text[0]);
		page_note(out, "%s.", text);
	}
}

void report_trust(FILE *out, const struct style *style, const struct report *r, uint64_t lossy,
		  uint64_t truncated)
{
	const struct source_stats *s = r->input;
	uint64_t stale = r->model->stale;
	uint64_t implausible = r->model->implausible;
	bool sound = !lossy && !s->lost && !s->lost_unknown && !s->late && !stale && !implausible &&
		     !s->damaged_chunks && !s->malformed && !s->unknown && !s->cut;

	fprintf(out, "\n%sWhat not to trust%s\n", style->bold, style->off);
	if (sound)
		page_note(out, "Nothing was lost: every record was read, in order.");
	print_count(out, "Truncated frames", truncated,
		    "Cut by an edge of the capture or the end of their thread, they are in no "
		    "figure above.");
	print_count(out, "Lossy frames", lossy,
		    "Records of their thread were lost within them; they are in no figure above "
		    "but the frames per second.");
	print_losses(out, r);
	if (r->trace)
		print_count(out, "Implausible frames", implausible,
			    "Their marks are in no order, so their stages are not told.");
	else
		print_count(
			out, "Implausible FrameInfos", implausible,
			"Their times are in no order, so they are not used: is it another layout "
			"(framescope record --frame-info-layout N)?");
	print_count(out, "Damaged chunks of the file", s->damaged_chunks, "They were skipped.");
	if (r->trace)
		print_count(out, "Lines or parts that make no sense", s->malformed,
			    "They were skipped.");
	else
		print_count(out, "Malformed records", s->malformed,
			    "They have not the size of their kind, and were skipped.");
	print_count(out, "Unknown records", s->unknown,
		    "This version does not know their kinds: use the framescope that recorded "
		    "them, or a newer one.");
	if (s->cut)
		page_note(out, r->trace ? "The file ends in its middle: the recording was killed, "
					  "or the file cut. What is there is sound."
					: "The file ends without its end mark: the recording was "
					  "killed, or "
					  "the file cut. What is there is sound.");
	print_absences(out, r);
}
