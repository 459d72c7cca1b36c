/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * HWUI's own verdict on the frames of one window, as libs/hwui/JankTracker.cpp of each release
 * comes to it, from the same FrameInfos. One state per JankTracker of the app.
 */
#ifndef JUDGE_JANK_TRACKER_H
#define JUDGE_JANK_TRACKER_H

#include <stdbool.h>
#include <stdint.h>

#include "model/verdict.h"
#include "stream/frame_slots.h"

#define HWUI_OLDEST 8 /* releases of Android whose algorithm is known */
#define HWUI_NEWEST 17

/* What it does not learn from a FrameInfo. */
struct jank_rules {
	unsigned android; /* release, HWUI_OLDEST to HWUI_NEWEST */
	int64_t interval_ns; /* of the display when the window was made; 0 = not known */
	/* What of a wait for a buffer is not held against a frame, jank_forgiveness(); 0 = none. */
	int64_t forgiveness_ns;
	bool filtered; /* debug.hwui.filter_test_overhead: begins at the handling of input */
};

struct jank_tracker {
	struct jank_rules rules;
	int64_t swap_deadline_ns; /* of the older algorithm; negative: none yet */
	int64_t unstuffed_ns; /* when the next frame would begin without stuffed buffers; likewise
			       */
	int64_t last_vsync_ns; /* intended one of the frame before; 0 = there was none */
	bool legacy_certain; /* the states are the app's, too */
	bool modern_certain;
	bool outpaced; /* there were frames that came faster than the rules' interval */
};

/*
 * `from_start`: its first frame is the window's first. What was before else is not known, and the
 * verdicts are PROBABLE until a state does not depend on it any more.
 */
void jank_tracker_init(struct jank_tracker *t, const struct jank_rules *rules, bool from_start);

/* Frames are missing before the next one; one that could not be judged is, by itself. */
void jank_tracker_gap(struct jank_tracker *t);

/*
 * Judge the next frame, as JankTracker::finishFrame() does; none that it was not called for.
 * Deadlines in ns: of the FrameInfo before that call, and as it left it; 0 = not known. One is
 * enough; INT64_MAX, which the platform has for none, is always met. Not known is the verdict on a
 * frame without its slots, or where a release needs an interval that is not known.
 */
void jank_tracker_finish(struct jank_tracker *t, const struct frame_slots *s, int64_t deadline_ns,
			 int64_t deadline_after_ns, struct hwui_verdict *v);

/* FrameInfo::duration(): less the wait for the RenderThread, never negative. */
int64_t jank_duration(const struct frame_slots *s, enum frame_slot start, enum frame_slot end);

/* From the offsets of vsync for apps and for the compositor, ns. */
int64_t jank_forgiveness(int64_t app_offset_ns, int64_t compositor_offset_ns);

/* Type names: "Missed Vsync" as dumpsys prints, "missed_vsync" for rows. */
const char *jank_type_title(enum jank_type type);
const char *jank_type_name(enum jank_type type);

/* Does the release count that type? */
bool jank_type_of_release(enum jank_type type, unsigned android);

#endif
