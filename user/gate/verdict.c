/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Holds an estimate against its budget. */
#include "gate/verdict.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

const char *gate_outcome_name(enum gate_outcome o)
{
	static const char *const names[] = {
		[GATE_PASS] = "pass",
		[GATE_FAIL] = "fail",
		[GATE_INCONCLUSIVE] = "inconclusive",
	};

	return names[o];
}

const char *gate_reason_name(enum gate_reason r)
{
	static const char *const names[] = {
		[GATE_WITHIN] = "within",
		[GATE_BEYOND] = "beyond",
		[GATE_TOO_FEW] = "too_few_frames",
		[GATE_TOO_ALIKE] = "frames_too_alike",
		[GATE_TOO_LOSSY] = "too_many_lossy",
		[GATE_NOISY] = "noise",
	};

	return names[r];
}

static enum gate_outcome decide(const struct gate_budget *b, const struct gate_estimate *est)
{
	bool ceiling = gate_budget_is_ceiling(b);
	bool has_worse = ceiling ? est->has_high : est->has_low;
	bool has_better = ceiling ? est->has_low : est->has_high;

	if (has_worse && gate_budget_allows(b, ceiling ? est->high : est->low))
		return GATE_PASS;
	if (has_better && !gate_budget_allows(b, ceiling ? est->low : est->high))
		return GATE_FAIL;
	return GATE_INCONCLUSIVE;
}

/* Frames with which a share that stays as it is would be told from the limit: Wilson's n. */
static double frames_to_tell(const struct gate_budget *b, const struct gate_estimate *est)
{
	double off = est->value - b->limit;
	double inflation = (double)est->frames / est->effective;

	if (b->stat != GATE_SHARE || gate_metric_at(b->metric)->form != GATE_YES_NO || off == 0)
		return 0;
	return ceil(GATE_Z * GATE_Z * b->limit * (1 - b->limit) / (off * off) * inflation);
}

static void why_noisy(struct gate_verdict *v, const struct gate_budget *b,
		      const struct gate_estimate *est)
{
	char low[GATE_VALUE_LEN], high[GATE_VALUE_LEN];
	double needed = frames_to_tell(b, est);

	gate_value_words(low, b->quantity, est->low);
	gate_value_words(high, b->quantity, est->high);
	if (est->has_low && est->has_high && needed > (double)est->frames && needed < 1e9)
		snprintf(
			v->why, sizeof(v->why),
			"anything from %s to %s is likely; about %.0f frames like these would tell",
			low, high, needed);
	else if (est->has_low && est->has_high)
		snprintf(v->why, sizeof(v->why),
			 "anything from %s to %s is likely, and the limit lies within; record more "
			 "frames, or with less noise",
			 low, high);
	else
		snprintf(v->why, sizeof(v->why), "there are too few frames for a bound of it");
}

static void why_too_few(struct gate_verdict *v, const struct gate_estimate *est, uint64_t needed)
{
	snprintf(v->why, sizeof(v->why),
		 "of %" PRIu64 " %s it can't be told; it takes %" PRIu64 " or more", est->frames,
		 est->frames == 1 ? "frame" : "frames", needed);
}

static void inconclusive(struct gate_verdict *v, const struct gate_budget *b,
			 const struct gate_estimate *est, const struct gate_estimate *without)
{
	v->outcome = GATE_INCONCLUSIVE;
	if (est->lossy && decide(b, without) != GATE_INCONCLUSIVE) {
		v->reason = GATE_TOO_LOSSY;
		snprintf(v->why, sizeof(v->why),
			 "%" PRIu64 " lossy frames are left out, and may be what decides",
			 est->lossy);
	} else if (est->needed) {
		v->reason = GATE_TOO_FEW;
		why_too_few(v, est, est->needed);
	} else {
		v->reason = GATE_NOISY;
		why_noisy(v, b, est);
	}
}

/*
 * Has the recording shown it once and for all? One frame is enough for that there is one, but not
 * for that all are so.
 */
static bool is_shown(const struct gate_budget *b, const struct gate_estimate *est)
{
	bool ceiling = gate_budget_is_ceiling(b);

	if (!gate_metric_has_series(gate_metric_at(b->metric)) || est->frames >= GATE_FRAMES_MIN)
		return true;
	return b->stat == GATE_MIN ? ceiling : !ceiling;
}

void gate_judge(struct gate_verdict *v, const struct gate_budget *b,
		const struct gate_estimate *est, const struct gate_estimate *without)
{
	bool ceiling = gate_budget_is_ceiling(b);
	char bound[GATE_VALUE_LEN];

	*v = (struct gate_verdict){ .outcome = GATE_INCONCLUSIVE, .reason = GATE_TOO_FEW };
	if (!est->known || (!est->fact && est->frames < GATE_FRAMES_MIN)) {
		why_too_few(v, est, est->needed > GATE_FRAMES_MIN ? est->needed : GATE_FRAMES_MIN);
		return;
	}
	if (!est->fact && est->effective < GATE_EFFECTIVE_MIN) {
		v->reason = GATE_TOO_ALIKE;
		snprintf(v->why, sizeof(v->why),
			 "these %" PRIu64 " frames are so alike in stretches, or within their "
			 "recordings, that they are worth %.1f independent ones; it takes %d",
			 est->frames, est->effective, GATE_EFFECTIVE_MIN);
		return;
	}
	v->outcome = decide(b, est);
	if (v->outcome == GATE_PASS && est->fact && !is_shown(b, est)) {
		v->outcome = GATE_INCONCLUSIVE;
		why_too_few(v, est, GATE_FRAMES_MIN);
		return;
	}
	switch (v->outcome) {
	case GATE_PASS:
		v->reason = GATE_WITHIN;
		break;
	case GATE_FAIL:
		v->reason = GATE_BEYOND;
		gate_value_words(bound, b->quantity, ceiling ? est->low : est->high);
		if (!est->fact)
			snprintf(v->why, sizeof(v->why), "it is likely to be %s or %s", bound,
				 ceiling ? "more" : "less");
		break;
	case GATE_INCONCLUSIVE:
		inconclusive(v, b, est, without);
		break;
	}
}
