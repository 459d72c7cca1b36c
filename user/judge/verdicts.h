/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * All judges at work: each frame that has a FrameInfo gets their verdicts, by the state of its
 * window, and each window and process its totals.
 */
#ifndef JUDGE_VERDICTS_H
#define JUDGE_VERDICTS_H

#include <stdbool.h>
#include <stdint.h>

#include "judge/disagree.h"
#include "judge/jank_tracker.h"
#include "judge/jankstats.h"
#include "judge/matrix.h"
#include "judge/profile_data.h"
#include "model/frame.h"

/* What is known, or wanted, beyond the frames. */
struct verdict_rules {
	unsigned android; /* release; 0 = the newest that has the layout of the FrameInfos */
	unsigned api; /* level; 0 = the release's first */
	float refresh_hz; /* of the display; 0 = by the frames' own interval, from 12 on */
	int64_t forgiveness_ns; /* jank_forgiveness() */
	float multiplier; /* of JankStats */
	struct matrix_config matrix;
	uint64_t since_ns; /* when counting began; 0 = with each one's first frame */
	bool keep_rows; /* for frame_ring */
};

#define VERDICT_ROWS 120 /* as many as HWUI keeps */

/* The last frames of a window, as they were finished. */
struct frame_ring {
	struct frame_slots slots[VERDICT_ROWS];
	uint64_t nr; /* that were ever put in */
};

/* A window: one JankTracker of the app. */
struct window_verdicts {
	const struct producer *producer; /* of its first frame */
	uint64_t jank_tracker; /* 0 = not known */
	unsigned android, api;
	unsigned guessed; /* `android` is: the oldest release of that layout; 0 = it is not */
	uint64_t frames; /* that have a FrameInfo */
	uint64_t probable; /* whose verdict may be another in the app */
	uint64_t unjudged; /* that lack what HWUI's algorithm needs */
	uint64_t without_info; /* frames of the window that have no FrameInfo: not judged at all */
	uint64_t gaps; /* in its frames, verdicts_gap() */
	struct profile_data profile;
	uint64_t jankstats_frames, jankstats_janky;
	uint64_t matrix_frames, matrix_janky; /* that dropped one, rounded */
	uint64_t matrix_level[MATRIX_LEVEL_NR]; /* frames, and the frames that they dropped */
	uint64_t matrix_sum[MATRIX_LEVEL_NR];
	uint64_t timeline_frames; /* that FrameTimeline judges, too */
	uint64_t disagreements[DISAGREEMENT_NR];
	struct frame_ring *ring; /* NULL unless wanted */

	struct jank_tracker tracker;
	struct jankstats jankstats;
	struct matrix_window matrix;
};

struct process_verdicts {
	const struct producer *producer; /* of its first frame */
	unsigned android;
	struct profile_data profile; /* of all its windows */
};

struct verdicts;

/*
 * NULL when out of memory. `report` is given what Matrix reports; NULL: not wanted. Ends with
 * verdicts_free(), which takes NULL.
 */
typedef void verdicts_report(void *ctx, const struct window_verdicts *w,
			     const struct matrix_report *report);
struct verdicts *verdicts_new(const struct verdict_rules *rules, verdicts_report *report,
			      void *ctx);
void verdicts_free(struct verdicts *v);

/* Judge the next frame: fills in f->verdict. 0 or -ENOMEM. Its producer must outlive the verdicts.
 */
int verdicts_judge(struct verdicts *v, struct frame *f);

/* Frames are missing before the next one of that producer. */
void verdicts_gap(struct verdicts *v, const struct producer *p);

/* Records were lost up to then, and maybe with them frames of any window. */
void verdicts_lost(struct verdicts *v, uint64_t at_ns);

/* No frame follows: gives the last of Matrix's reports. */
void verdicts_finish(struct verdicts *v);

/* In order of appearance; NULL past the last. */
const struct window_verdicts *verdicts_window(const struct verdicts *v, unsigned index);
/* Of a producer whose frames know no JankTracker; NULL if it has none. */
const struct window_verdicts *verdicts_of(const struct verdicts *v, const struct producer *p);

/* The process after `p`, of NULL the first; and of a process's windows the one after `w`. */
const struct process_verdicts *verdicts_next_process(const struct verdicts *v,
						     const struct process_verdicts *p);
const struct window_verdicts *verdicts_window_of(const struct process_verdicts *p,
						 const struct window_verdicts *w);

/* The one after it; NULL if it is the last. For whoever looks at all of them more than once. */
const struct window_verdicts *verdicts_next_window(const struct window_verdicts *w);

/* The releases' first API levels, and back; 0 for what is not known here. */
unsigned android_api(unsigned release);
unsigned android_of_api(unsigned api);

#endif
