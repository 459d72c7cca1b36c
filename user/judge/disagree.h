/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Why two systems that judged the same frame did not come to the same verdict. HWUI's is the one
 * that the others are held against, since it knows the deadline that the platform gave the frame.
 */
#ifndef JUDGE_DISAGREE_H
#define JUDGE_DISAGREE_H

#include "model/frame_timeline_verdict.h"
#include "model/verdict.h"

enum disagreement {
	/* HWUI's older algorithm and its newer one, of Android 12 on. */
	LEGACY_ONLY_DEADLINE, /* longer than an interval, and yet before its deadline */
	LEGACY_ONLY_STUFFED, /* ... before the later one that stuffed buffers gave it */
	LEGACY_NOT_GPU, /* swapped within an interval, and the GPU was too late */
	LEGACY_NOT_FORGIVEN, /* likewise, less the wait for a buffer that is forgiven */
	LEGACY_NOT_SWAP, /* likewise, less the wait for the RenderThread, or by a longer interval */
	/* JankStats. */
	JANKSTATS_NOT_RENDER, /* the UI part was in time: the RenderThread or the GPU was late */
	JANKSTATS_NOT_MULTIPLIER, /* the UI part was late, but not by its multiplier */
	JANKSTATS_ONLY_STUFFED,
	JANKSTATS_ONLY_EXPECTED, /* it expects another length than HWUI's deadline */
	/* Matrix, whose verdict is a dropped frame, rounded. */
	MATRIX_NOT_HALF, /* late by less than half an interval */
	MATRIX_ONLY_STUFFED,
	MATRIX_ONLY_DEADLINE, /* more than an interval too long, and yet before its deadline */
	/* SurfaceFlinger's FrameTimeline, which goes by when frames are shown. */
	TIMELINE_NOT_SHOWN_LATE, /* late, and yet shown when it was expected to be */
	TIMELINE_NOT_APP, /* shown at another time, for which it does not blame the app */
	TIMELINE_ONLY_EXPIRED, /* so late that its prediction is forgotten: the app's by rule */
	TIMELINE_ONLY_STUFFED, /* late for its own deadline, not for HWUI's later one */
	TIMELINE_ONLY_APP, /* its buffer was ready after SurfaceFlinger's deadline */
	TIMELINE_ONLY_DROPPED, /* in time, and never shown */
	TIMELINE_ONLY_SYSTEM, /* in time, and others made it be shown at another time */
	DISAGREEMENT_NR
};

/* The reasons of one frame: 1u << enum disagreement. 0: they agree, or have not judged. */
unsigned disagreements(const struct verdict *v);

/* The same for FrameTimeline's verdict. */
unsigned timeline_disagreements(const struct verdict *v, const struct frame_timeline_verdict *ft);

const char *disagreement_name(enum disagreement reason); /* "legacy_only_deadline", ... */
const char *disagreement_text(enum disagreement reason); /* for a report */

#endif
