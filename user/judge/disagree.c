/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What differs in what the systems measure, told from one frame's verdicts. */
#include "judge/disagree.h"

static unsigned of_legacy(const struct hwui_verdict *v)
{
	if (v->janky_legacy && !v->janky)
		return 1u << (v->stuffed ? LEGACY_ONLY_STUFFED : LEGACY_ONLY_DEADLINE);
	if (v->janky && !v->janky_legacy && v->forgiven)
		return 1u << LEGACY_NOT_FORGIVEN;
	if (v->janky && !v->janky_legacy)
		return 1u << (v->swap_late ? LEGACY_NOT_SWAP : LEGACY_NOT_GPU);
	return 0;
}

static unsigned of_jankstats(const struct hwui_verdict *v, const struct jankstats_verdict *js)
{
	if (v->janky && !js->janky)
		return 1u << (js->ui_ns > js->expected_ns ? JANKSTATS_NOT_MULTIPLIER
							  : JANKSTATS_NOT_RENDER);
	if (js->janky && !v->janky)
		return 1u << (v->stuffed ? JANKSTATS_ONLY_STUFFED : JANKSTATS_ONLY_EXPECTED);
	return 0;
}

static unsigned of_matrix(const struct hwui_verdict *v, const struct matrix_verdict *m)
{
	bool dropped = m->dropped >= 0.5f;

	if (v->janky && !dropped)
		return 1u << MATRIX_NOT_HALF;
	if (dropped && !v->janky)
		return 1u << (v->stuffed ? MATRIX_ONLY_STUFFED : MATRIX_ONLY_DEADLINE);
	return 0;
}

unsigned disagreements(const struct verdict *v)
{
	unsigned found = 0;

	if (!v->hwui.known || !v->hwui.counted || v->hwui.exempt)
		return 0;
	if (v->hwui.has_legacy)
		found |= of_legacy(&v->hwui);
	if (v->jankstats.known)
		found |= of_jankstats(&v->hwui, &v->jankstats);
	if (v->matrix.known)
		found |= of_matrix(&v->hwui, &v->matrix);
	return found;
}

static unsigned of_timeline(const struct hwui_verdict *v, const struct frame_timeline_verdict *ft)
{
	bool jank = ft->jank & ~FT_JANK_NONE, app = ft->jank & FT_JANK_APP;

	if (v->janky && !jank)
		return 1u << TIMELINE_NOT_SHOWN_LATE;
	if (v->janky || !jank)
		return v->janky && !app ? 1u << TIMELINE_NOT_APP : 0;
	if (ft->jank & FT_JANK_DROPPED)
		return 1u << TIMELINE_ONLY_DROPPED;
	if (!app)
		return 1u << TIMELINE_ONLY_SYSTEM;
	if (ft->prediction == FT_PREDICTION_EXPIRED)
		return 1u << TIMELINE_ONLY_EXPIRED;
	return 1u << (v->stuffed ? TIMELINE_ONLY_STUFFED : TIMELINE_ONLY_APP);
}

unsigned timeline_disagreements(const struct verdict *v, const struct frame_timeline_verdict *ft)
{
	if (!v->hwui.known || !v->hwui.counted || v->hwui.exempt || !ft->has_actual || !ft->jank)
		return 0;
	return of_timeline(&v->hwui, ft);
}

static const struct {
	const char *name, *text;
} reasons[DISAGREEMENT_NR] = {
	[LEGACY_ONLY_DEADLINE] = { "legacy_only_deadline",
				   "legacy only: longer than an interval, yet before the deadline "
				   "that the frame was given" },
	[LEGACY_ONLY_STUFFED] = { "legacy_only_stuffed",
				  "legacy only: buffers were stuffed, so the deadline was later" },
	[LEGACY_NOT_GPU] = { "legacy_not_gpu",
			     "not legacy: swapped within an interval; the GPU missed the deadline "
			     "after that" },
	[LEGACY_NOT_FORGIVEN] = { "legacy_not_forgiven",
				  "not legacy: it takes off a wait for a buffer" },
	[LEGACY_NOT_SWAP] = { "legacy_not_swap",
			      "not legacy: the swap missed the deadline, yet took less "
			      "than the window's interval without the wait for the RenderThread" },
	[JANKSTATS_NOT_RENDER] = { "jankstats_not_render",
				   "not JankStats: the UI part was in time, which is all that it "
				   "compares; the RenderThread or the GPU was late" },
	[JANKSTATS_NOT_MULTIPLIER] = { "jankstats_not_multiplier",
				       "not JankStats: the UI part was late, but not by its "
				       "multiplier" },
	[JANKSTATS_ONLY_STUFFED] = { "jankstats_only_stuffed",
				     "JankStats only: buffers were stuffed, so HWUI's deadline was "
				     "later" },
	[JANKSTATS_ONLY_EXPECTED] = { "jankstats_only_expected", "JankStats only: it expects less "
								 "than HWUI's deadline allows" },
	[MATRIX_NOT_HALF] = { "matrix_not_half",
			      "not Matrix: late by less than half an interval, which it rounds to "
			      "no dropped frame" },
	[MATRIX_ONLY_STUFFED] = { "matrix_only_stuffed", "Matrix only: buffers were stuffed, so "
							 "HWUI's deadline was later" },
	[MATRIX_ONLY_DEADLINE] = { "matrix_only_deadline", "Matrix only: it counts whole "
							   "intervals; the frame was before its "
							   "deadline" },
	[TIMELINE_NOT_SHOWN_LATE] = { "timeline_not_shown_late",
				      "not FrameTimeline: late for its deadline, yet shown when it "
				      "was expected to be" },
	[TIMELINE_NOT_APP] = { "timeline_not_app",
			       "not the app by FrameTimeline: shown at another time than expected, "
			       "for which it blames SurfaceFlinger, the display, full queues or "
			       "nobody" },
	[TIMELINE_ONLY_EXPIRED] = { "timeline_only_expired", "FrameTimeline only: the prediction "
							     "had expired, which it takes "
							     "for a deadline missed by the app" },
	[TIMELINE_ONLY_STUFFED] = { "timeline_only_stuffed",
				    "FrameTimeline only: buffers were stuffed, so HWUI's deadline "
				    "was later" },
	[TIMELINE_ONLY_APP] = { "timeline_only_app",
				"FrameTimeline only: the buffer was ready after SurfaceFlinger's "
				"deadline, which is not HWUI's" },
	[TIMELINE_ONLY_DROPPED] = { "timeline_only_dropped", "FrameTimeline only: in time, yet "
							     "never shown, as a newer frame "
							     "took its place" },
	[TIMELINE_ONLY_SYSTEM] = { "timeline_only_system",
				   "FrameTimeline only: in time, yet shown at another time than "
				   "expected, for which it does not blame the app" },
};

const char *disagreement_name(enum disagreement reason)
{
	return reasons[reason].name;
}

const char *disagreement_text(enum disagreement reason)
{
	return reasons[reason].text;
}
