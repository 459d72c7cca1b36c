// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * JankTracker::finishFrame(). Up to Android 11 a frame must be swapped by a deadline that follows
 * from the frames before; Android 12 and later call that legacy, and judge by the frame's own
 * deadline, which they move where the frame before was so late that this one must wait for its
 * turn.
 */
#include "standins/android/jank.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "standins/android/api.h"
#include "standins/android/backend.h"
#include "standins/android/window.h"

/* The compositor's vsync is 4 ms behind the apps': so much of a wait for a buffer is forgiven. */
#define FORGIVEN_NS (INT64_C(8) * (int64_t)MS)
#define FORGIVEN_FROM_NS (INT64_C(500) * 1000)
#define DAVEY_NS (INT64_C(700) * (int64_t)MS)
#define ANR_NS (INT64_C(10000) * (int64_t)MS)

/* As framescope names them. */
static const char *const names[JANKS] = {
	[JANK_VSYNC] = "missed_vsync",
	[JANK_INPUT] = "high_input_latency",
	[JANK_UI] = "slow_ui_thread",
	[JANK_SYNC] = "slow_bitmap_uploads",
	[JANK_RENDER] = "slow_issue_draw_commands",
	[JANK_DEADLINE] = "frame_deadline_missed",
	[JANK_LEGACY] = "frame_deadline_missed_legacy",
};

static struct profile all; /* of all windows */

void jank_open(struct jank_tracker *t)
{
	t->interval_ns = (int64_t)plan.period_ns;
	/* Before Android 12 nobody sets it: most often that memory is 0. */
	t->swap_deadline_ns = layout >= 22 ? -1 : 0;
	t->next_unstuffed_ns = -1;
}

/* Without the wait for a RenderThread that is busy. */
static int64_t duration(const int64_t *info, enum slot from, enum slot to)
{
	int64_t ns = slot_get(info, to) - slot_get(info, from);
	int64_t queued = slot_get(info, SLOT_SYNC) - slot_get(info, SLOT_SYNC_QUEUED);

	if (slot_get(info, from) <= 0)
		return 0;
	if (from < SLOT_SYNC_QUEUED && to > SLOT_SYNC_QUEUED && queued > 0)
		ns -= queued;
	return ns > 0 ? ns : 0;
}

/* From the intended vsync on, less what is forgiven; it may be nothing or less. */
static int64_t forgiven_duration(const int64_t *info, enum slot to)
{
	int64_t total = duration(info, SLOT_INTENDED_VSYNC, to);
	int64_t waited = slot_get(info, SLOT_DEQUEUE_TIME);
	int64_t expected = FORGIVEN_NS + slot_get(info, SLOT_VSYNC) - slot_get(info, SLOT_ISSUE);

	if (waited <= FORGIVEN_FROM_NS || expected <= 0)
		return total;
	return total - (expected < waited ? expected : waited);
}

static bool is_exempt(const int64_t *info)
{
	return slot_get(info, SLOT_FLAGS) & FLAG_CANVAS;
}

static void count(struct window *w, const int64_t *info, enum jank type)
{
	window_frame(w, info)->verdict.types |= 1u << type;
	w->jank.profile.jank[type]++;
	all.jank[type]++;
}

static void count_frame(struct window *w, const int64_t *info, int64_t total)
{
	window_frame(w, info)->verdict.total_ns = total;
	profile_frame(&w->jank.profile, total);
	profile_frame(&all, total);
}

static void count_janky(struct window *w, const int64_t *info)
{
	window_frame(w, info)->verdict.is_janky = true;
	w->jank.profile.janky++;
	all.janky++;
}

static bool is_much(int64_t ns, int64_t interval)
{
	return (double)ns > (double)interval * 0.1;
}

/* From the last vsync before the end, counted from the frame's. */
static int64_t next_vsync(const int64_t *info, enum slot end, int64_t interval)
{
	int64_t ns = slot_get(info, end);

	return ns - (ns - slot_get(info, SLOT_VSYNC)) % interval + interval;
}

/* By the swap's deadline, for a frame that took so long. */
static bool misses_swap(struct window *w, const int64_t *info, int64_t total)
{
	int64_t interval = w->jank.interval_ns, intended = slot_get(info, SLOT_INTENDED_VSYNC);
	int64_t deadline = w->jank.swap_deadline_ns;
	bool is_tripled;

	if (layout >= 22 && deadline < 0)
		deadline = intended + interval;
	is_tripled = is_much(deadline - intended, interval);
	deadline = (deadline > intended ? deadline : intended) + interval;
	w->jank.swap_deadline_ns = deadline;
	if (slot_get(info, SLOT_COMPLETED) < deadline || total < interval) {
		if (is_tripled)
			count(w, info, JANK_INPUT);
		return false;
	}
	w->jank.swap_deadline_ns = next_vsync(info, SLOT_COMPLETED, interval);
	return true;
}

/* What the frame took too long for. */
static void compare(struct window *w, const int64_t *info, int64_t interval)
{
	static const struct {
		enum jank type;
		enum slot from, to;
		double part;
	} parts[] = {
		{ JANK_VSYNC, SLOT_INTENDED_VSYNC, SLOT_VSYNC, 0 },
		{ JANK_UI, SLOT_VSYNC, SLOT_SYNC, .5 },
		{ JANK_SYNC, SLOT_SYNC, SLOT_ISSUE, .2 },
		{ JANK_RENDER, SLOT_ISSUE, SLOT_COMPLETED, .75 },
	};

	for (unsigned i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		int64_t ns = duration(info, parts[i].from, parts[i].to);
		int64_t least = (int64_t)(parts[i].part * (double)interval);

		if (ns >= (least ? least : 1) && ns < ANR_NS)
			count(w, info, parts[i].type);
	}
}

/* The end of a frame that missed its deadline. */
static void miss(struct window *w, const int64_t *info, int64_t interval, int64_t total)
{
	count(w, info, JANK_DEADLINE);
	compare(w, info, interval);
	window_frame(w, info)->verdict.is_davey = total >= DAVEY_NS;
}

/* Android 10 and 11. */
static void track_swap(struct window *w, const int64_t *info)
{
	int64_t total = forgiven_duration(info, SLOT_COMPLETED);

	if (total <= 0)
		die(0, "HWUI ends the process: a frame took %" PRId64 " ns", total);
	count_frame(w, info, total);
	if (is_exempt(info))
		return;
	if (total > w->jank.interval_ns)
		count_janky(w, info);
	if (misses_swap(w, info, total))
		miss(w, info, w->jank.interval_ns, total);
}

void jank_legacy(void *tracker, void *info)
{
	struct window *w = window_of(tracker);
	int64_t total = forgiven_duration(info, SLOT_SWAPPED);

	if (total <= 0 || is_exempt(info))
		return;
	if (total > w->jank.interval_ns) {
		window_frame(w, info)->verdict.is_legacy = true;
		w->jank.profile.legacy++;
		all.legacy++;
	}
	if (misses_swap(w, info, total))
		count(w, info, JANK_LEGACY);
}

/* Where nobody knows a deadline it is the largest number, and the sum wraps. */
static int64_t add(int64_t a, int64_t b)
{
	return (int64_t)((uint64_t)a + (uint64_t)b);
}

/* Android 12, 13 to 15, and 16 on. */
static int64_t stuffed_deadline(const struct window *w, const int64_t *info)
{
	int64_t deadline = slot_get(info, SLOT_DEADLINE);

	if (layout == 22)
		return add(deadline, slot_get(info, SLOT_INTERVAL));
	if (layout == 23)
		return add(w->jank.next_unstuffed_ns,
			   deadline - slot_get(info, SLOT_INTENDED_VSYNC));
	return add(w->jank.next_unstuffed_ns, slot_get(info, SLOT_WORKLOAD));
}

static void track_deadline(struct window *w, int64_t *info)
{
	int64_t total = duration(info, SLOT_INTENDED_VSYNC, SLOT_COMPLETED);
	int64_t interval = slot_get(info, SLOT_INTERVAL), gpu = slot_get(info, SLOT_GPU);
	int64_t gpu_ns = gpu - slot_get(info, SLOT_SWAP);
	bool is_stuffed;

	if (total <= 0)
		return;
	count_frame(w, info, total);
	if (is_exempt(info))
		return;
	is_stuffed =
		is_much(w->jank.next_unstuffed_ns - slot_get(info, SLOT_INTENDED_VSYNC), interval);
	window_frame(w, info)->verdict.is_stuffed = is_stuffed;
	if (is_stuffed)
		slot_set(info, SLOT_DEADLINE, stuffed_deadline(w, info));
	if (gpu >= slot_get(info, SLOT_DEADLINE)) {
		count_janky(w, info);
		w->jank.next_unstuffed_ns = next_vsync(info, SLOT_GPU, interval);
		miss(w, info, interval, total);
	} else if (is_stuffed) {
		count(w, info, JANK_INPUT);
		w->jank.next_unstuffed_ns += interval;
	}
	if (gpu > 0 && gpu_ns >= 0) {
		profile_gpu(&w->jank.profile, gpu_ns);
		profile_gpu(&all, gpu_ns);
	}
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
		track_deadline(w, info);
	} else {
		track_swap(w, info);
	}
	f->deadline_after = slot_get(info, SLOT_DEADLINE);
	f->is_finished = true;
	backend_done();
}

void jank_print(FILE *out, const struct jank_verdict *v)
{
	fprintf(out, " janky=%d janky_legacy=%d stuffed=%d davey=%d counted_ns=%" PRId64 " types=",
		v->is_janky, v->is_legacy, v->is_stuffed, v->is_davey, v->total_ns);
	for (int i = 0; i < JANKS; i++) {
		if (v->types >> i & 1)
			fprintf(out, "%s,", names[i]);
	}
}

int jank_dump(const char *path)
{
	FILE *out = fopen(path, "ae");
	bool failed;

	if (!out)
		return -errno;
	fprintf(out, "\n** Graphics info for pid %d [%s] **\n", getpid(), PACKAGE);
	profile_print(out, &all);
	fputs("\nProfile data in ms:\n", out);
	for (const struct window *w = windows; w; w = w->next) {
		/* Of a window framescope knows no other name. */
		fprintf(out, "\n\tJankTracker@%" PRIxPTR " (visibility=0)\n",
			(uintptr_t)&w->tracker);
		fprintf(out, "Window: JankTracker@%" PRIxPTR, (uintptr_t)&w->tracker);
		profile_print(out, &w->jank.profile);
		fputc('\n', out);
	}
	failed = ferror(out);
	return fclose(out) || failed ? -EIO : 0;
}
