/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Pass, fail, or that it can't be told.
 *
 * A budget is of the program, and the recording only a sample of what that does. So it passes when
 * even the worse bound of the statistic (gate/estimate.h) is within it, and fails when even the
 * better one is beyond it; between the two lies what another recording of the same program might
 * turn around. A program whose statistic is just what the budget allows fails, and passes, in about
 * 2.5 % of recordings each (in 5 % where a frame is four fifths of the one before), so that two
 * recordings of it contradict each other about once in a thousand pairs; a gate that compares the
 * bare value fails every second one. The price is that a value near its limit stays undecided until
 * there are enough frames.
 *
 * Fewer than GATE_FRAMES_MIN frames, or such as are worth fewer than GATE_EFFECTIVE_MIN, decide
 * nothing. To pass, a percentile needs so many frames that there is a bound: 30 for p50, 35 for
 * p90, 73 for p95, 381 for p99 and 3838 for p99.9 (z^2 q / (1 - q)); more where frames are alike.
 * That it is beyond, fewer can show.
 *
 * Facts decide as they are, but for that no frame is beyond: that, too, takes GATE_FRAMES_MIN.
 *
 * A budget of none, such as jank.hwui<=0%, can't be shown of a program. It is taken to be of the
 * recording: no frame of it may be.
 */
#ifndef GATE_VERDICT_H
#define GATE_VERDICT_H

#include "gate/estimate.h"

enum gate_outcome { GATE_PASS, GATE_FAIL, GATE_INCONCLUSIVE };

enum gate_reason {
	GATE_WITHIN, /* passed */
	GATE_BEYOND, /* failed */
	GATE_TOO_FEW, /* the others are inconclusive: frames */
	GATE_TOO_ALIKE, /* frames: they are worth too few */
	GATE_TOO_LOSSY, /* without these it could be told */
	GATE_NOISY, /* the limit lies within the interval */
};

#define GATE_WHY_LEN 320

struct gate_verdict {
	enum gate_outcome outcome;
	enum gate_reason reason;
	char why[GATE_WHY_LEN]; /* a sentence; empty of what passed */
};

/* `without`: the same estimate, but as if no frame had been lossy. */
void gate_judge(struct gate_verdict *v, const struct gate_budget *b,
		const struct gate_estimate *est, const struct gate_estimate *without);

const char *gate_outcome_name(enum gate_outcome o); /* "pass", "fail", "inconclusive" */
const char *gate_reason_name(enum gate_reason r); /* "within", "beyond", "too_few_frames", ... */

#endif
