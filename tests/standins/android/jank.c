// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * JankTracker::finishFrame(): where the frame before was so late that this one must wait for its
 * turn, Android 12 and later move this one's deadline.
 */
#include "standins/android/jank.h"

#include <string.h>

#include "standins/android/api.h"
#include "standins/android/backend.h"
#include "standins/android/window.h"

void jank_legacy(void *tracker, void *info)
{
	(void)tracker;
	(void)info;
}

/* From the intended vsync to the end, without the wait for a RenderThread that is busy. */
static int64_t total(const int64_t *info)
{
	int64_t begin = slot_get(info, SLOT_INTENDED_VSYNC);
	int64_t ns = slot_get(info, SLOT_COMPLETED) - begin;
	int64_t queued = slot_get(info, SLOT_SYNC) - slot_get(info, SLOT_SYNC_QUEUED);

	if (begin <= 0)
		return 0;
	return queued > 0 ? ns - queued : ns;
}

/* Where nobody knows a deadline it is the largest number, and the sum wraps. */
static int64_t add(int64_t a, int64_t b)
{
	return (int64_t)((uint64_t)a + (uint64_t)b);
}

static void track(struct window *w, int64_t *info)
{
	int64_t intended = slot_get(info, SLOT_INTENDED_VSYNC);
	int64_t vsync = slot_get(info, SLOT_VSYNC), interval = slot_get(info, SLOT_INTERVAL);
	int64_t deadline = slot_get(info, SLOT_DEADLINE), gpu = slot_get(info, SLOT_GPU);
	bool stuffed;

	if (total(info) <= 0 || slot_get(info, SLOT_FLAGS) & FLAG_CANVAS)
		return;
	stuffed = w->next_unstuffed_ns - intended > interval / 10;
	if (stuffed) {
		if (layout == 22)
			deadline = add(deadline, interval);
		else
			deadline = add(w->next_unstuffed_ns, add(deadline, -intended));
		slot_set(info, SLOT_DEADLINE, deadline);
	}
	if (gpu >= deadline)
		w->next_unstuffed_ns = gpu - (gpu - vsync) % interval + interval;
	else if (stuffed)
		w->next_unstuffed_ns += interval;
}

void jank_finish(void *tracker, void *info, void *reporter, int64_t frame_number, int32_t control)
{
	struct window *w = window_of(tracker);
	struct frame *f = window_frame(w, info);

	(void)reporter;
	(void)frame_number;
	(void)control;
	memcpy(f->slots, info, sizeof(f->slots));
	if (layout >= 22) {
		api.hwui->legacy_jank(tracker, info);
		track(w, info);
	}
	f->deadline_after = slot_get(info, SLOT_DEADLINE);
	f->is_finished = true;
	backend_done();
}
