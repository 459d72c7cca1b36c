/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Why two systems that judged the same frame did not come to the same verdict. HWUI's is the one
 * that the others are held against, since it knows the deadline that the platform gave the frame.
 */
#ifndef JUDGE_DISAGREE_H
#define JUDGE_DISAGREE_H

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
	DISAGREEMENT_NR
};

/* The reasons of one frame: 1u << enum disagreement. 0: they agree, or have not judged. */
unsigned disagreements(const struct verdict *v);

const char *disagreement_name(enum disagreement reason); /* "legacy_only_deadline", ... */
const char *disagreement_text(enum disagreement reason); /* for a report */

#endif
