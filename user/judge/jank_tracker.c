/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Three algorithms. Up to Android 8 a frame is janky that took longer than an interval. From 9 on
 * frames have a deadline for their swap, of the display's rhythm. From 12 on that is called legacy,
 * and the verdict is by the deadline that the frame was given. Numbers may be anything in a file:
 * sums wrap, as they do on the device, and do not trap.
 */
#include "judge/jank_tracker.h"

#include <stddef.h>

#define MS INT64_C(1000000)
#define ANR_NS (10000 * MS) /* what takes longer is no jank */
#define DAVEY_NS (700 * MS)
#define SHORT_DEQUEUE_NS (MS / 2)
#define FORGIVEN_OFFSET_NS (4 * MS)
#define FORGIVEN_MORE_NS (4 * MS)

/* After such a pause a state that came from frames before it has run out. */
#define PAUSE_NS (1000 * MS)

/* First releases with a deadline for the swap, and with the frame's own. */
#define HWUI_SWAP_DEADLINE 9
#define HWUI_DEADLINE 12
/* From then on a stuffed frame's deadline follows from when it would have begun unstuffed; where
 * the FrameInfo has its WorkloadTarget, with that. 13 is taken for one of those before. */
#define HWUI_UNSTUFFED_DEADLINE 14
#define HWUI_GPU_TIME 11

static int64_t add(int64_t a, int64_t b)
{
	return (int64_t)((uint64_t)a + (uint64_t)b);
}

static int64_t sub(int64_t a, int64_t b)
{
	return (int64_t)((uint64_t)a - (uint64_t)b);
}

static int64_t max(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

int64_t jank_duration(const struct frame_slots *s, enum frame_slot start, enum frame_slot end)
{
	int64_t gap = sub(s->ns[end], s->ns[start]);

	if (s->ns[start] <= 0)
		return 0;
	/* Slots are in the order of their names, from SYNC_QUEUED on in all releases. */
	if (start < SLOT_SYNC_QUEUED && end > SLOT_SYNC_QUEUED)
		gap = sub(gap, max(0, sub(s->ns[SLOT_SYNC_START], s->ns[SLOT_SYNC_QUEUED])));
	return max(0, gap);
}

int64_t jank_forgiveness(int64_t app_offset_ns, int64_t compositor_offset_ns)
{
	int64_t delta = sub(compositor_offset_ns, app_offset_ns);

	return delta >= 0 && delta <= FORGIVEN_OFFSET_NS ? delta + FORGIVEN_MORE_NS : 0;
}

void jank_tracker_init(struct jank_tracker *t, const struct jank_rules *rules, bool from_start)
{
	*t = (struct jank_tracker){
		.rules = *rules,
		.swap_deadline_ns = -1,
		.unstuffed_ns = -1,
		.legacy_certain = true,
		.modern_certain = true,
	};
	if (!from_start)
		jank_tracker_gap(t);
}

void jank_tracker_gap(struct jank_tracker *t)
{
	t->legacy_certain = false;
	t->modern_certain = false;
	t->last_vsync_ns = 0; /* none of these was a pause */
	/* One of them will have begun the state. */
	t->swap_deadline_ns = max(t->swap_deadline_ns, 0);
}

static void count(struct hwui_verdict *v, enum jank_type type)
{
	v->types |= (uint8_t)(1u << type);
	v->high_latency += type == JANK_HIGH_INPUT_LATENCY;
}

/* Is that much of an interval left? As there, in floating point. */
static bool stuffed(int64_t left_ns, int64_t interval_ns)
{
	return (double)left_ns > (double)interval_ns * 0.1;
}

/* What the frame took too long for. */
static void compare(const struct frame_slots *s, int64_t interval_ns, struct hwui_verdict *v)
{
	static const struct {
		enum jank_type type;
		enum frame_slot start, end;
		double intervals;
	} comparisons[] = {
		{ JANK_SLOW_UI, SLOT_VSYNC, SLOT_SYNC_START, .5 },
		{ JANK_SLOW_SYNC, SLOT_SYNC_START, SLOT_ISSUE_DRAW_COMMANDS_START, .2 },
		{ JANK_SLOW_RT, SLOT_ISSUE_DRAW_COMMANDS_START, SLOT_FRAME_COMPLETED, .75 },
	};
	int64_t missed = jank_duration(s, SLOT_INTENDED_VSYNC, SLOT_VSYNC);

	if (missed >= 1 && missed < ANR_NS)
		count(v, JANK_MISSED_VSYNC);
	for (size_t i = 0; i < sizeof(comparisons) / sizeof(*comparisons); i++) {
		int64_t delta = jank_duration(s, comparisons[i].start, comparisons[i].end);
		double threshold = comparisons[i].intervals * (double)interval_ns;

		if (delta >= (int64_t)threshold && delta < ANR_NS)
			count(v, comparisons[i].type);
	}
}

/* Less what a wait for a buffer is forgiven. False if that is more than there is. */
static bool forgive(const struct jank_tracker *t, const struct frame_slots *s, int64_t *total,
		    struct hwui_verdict *v)
{
	int64_t dequeue = s->ns[SLOT_DEQUEUE_DURATION];
	int64_t expected = sub(add(t->rules.forgiveness_ns, s->ns[SLOT_VSYNC]),
			       s->ns[SLOT_ISSUE_DRAW_COMMANDS_START]);
	int64_t amount = expected < dequeue ? expected : dequeue;

	if (!t->rules.forgiveness_ns || dequeue <= SHORT_DEQUEUE_NS || expected <= 0)
		return true;
	if (amount >= *total)
		return false;
	*total -= amount;
	v->forgiven = true;
	return true;
}

/*
 * The algorithm by the deadline of the swap, for a frame that is counted and not exempt. True if
 * the frame missed it.
 */
static bool missed_swap_deadline(struct jank_tracker *t, const struct frame_slots *s, int64_t total,
				 struct hwui_verdict *v)
{
	int64_t interval = t->rules.interval_ns, vsync = s->ns[SLOT_INTENDED_VSYNC];
	int64_t completed = s->ns[SLOT_FRAME_COMPLETED], left;
	bool tripled, met;

	if (t->rules.android >= HWUI_DEADLINE && t->swap_deadline_ns < 0)
		t->swap_deadline_ns = add(vsync, interval);
	left = sub(t->swap_deadline_ns, vsync);
	tripled = stuffed(left, interval);
	t->swap_deadline_ns = max(add(t->swap_deadline_ns, interval), add(vsync, interval));
	met = completed < t->swap_deadline_ns ||
	      (t->rules.android > HWUI_SWAP_DEADLINE && total < interval);
	if (met) {
		if (tripled)
			count(v, JANK_HIGH_INPUT_LATENCY);
		return false;
	}
	t->swap_deadline_ns =
		add(sub(completed, sub(completed, s->ns[SLOT_VSYNC]) % interval), interval);
	return true;
}

static enum frame_slot frame_start(const struct jank_tracker *t)
{
	return t->rules.filtered ? SLOT_HANDLE_INPUT_START : SLOT_INTENDED_VSYNC;
}

static void finish_legacy(struct jank_tracker *t, const struct frame_slots *s,
			  struct hwui_verdict *v)
{
	int64_t total = jank_duration(s, frame_start(t), SLOT_SWAP_BUFFERS_COMPLETED);

	if (!forgive(t, s, &total, v) || total <= 0 || v->exempt)
		return;
	v->janky_legacy = total > t->rules.interval_ns;
	if (missed_swap_deadline(t, s, total, v))
		count(v, JANK_MISSED_DEADLINE_LEGACY);
}

/*
 * The deadline that is held against the frame. What finishFrame() made of it, where that was seen,
 * tells more of the app's state than what was made out here.
 */
static int64_t take_deadline(struct jank_tracker *t, const struct frame_slots *s, int64_t before,
			     int64_t after, bool *is_stuffed)
{
	int64_t vsync = s->ns[SLOT_INTENDED_VSYNC], interval = s->ns[SLOT_FRAME_INTERVAL];
	int64_t length = s->layout >= SLOTS_16 ? s->ns[SLOT_WORKLOAD_TARGET] : sub(before, vsync);
	bool by_state = t->rules.android >= HWUI_UNSTUFFED_DEADLINE;

	if (before && after) {
		if (before == after) {
			t->modern_certain = true;
			if (*is_stuffed)
				t->unstuffed_ns = -1;
		} else if (by_state) {
			t->modern_certain = true;
			t->unstuffed_ns = sub(after, length);
		} else if (!*is_stuffed) {
			t->modern_certain = false;
			t->unstuffed_ns = add(vsync, interval);
		}
		*is_stuffed = before != after;
	}
	if (after)
		return after;
	if (!*is_stuffed)
		return before;
	return by_state ? add(t->unstuffed_ns, length) : add(before, interval);
}

static enum confidence confidence(const struct jank_tracker *t)
{
	bool legacy = t->rules.android < HWUI_SWAP_DEADLINE || t->legacy_certain;
	bool modern = t->rules.android < HWUI_DEADLINE || t->modern_certain;

	return legacy && modern ? CONF_EXACT : CONF_PROBABLE;
}

static void finish_modern(struct jank_tracker *t, const struct frame_slots *s, int64_t before,
			  int64_t after, struct hwui_verdict *v)
{
	int64_t interval = s->ns[SLOT_FRAME_INTERVAL], vsync = s->ns[SLOT_INTENDED_VSYNC];
	int64_t gpu_end = s->ns[SLOT_GPU_COMPLETED];

	v->stuffed = stuffed(sub(t->unstuffed_ns, vsync), interval);
	v->deadline_ns = take_deadline(t, s, before, after, &v->stuffed);
	v->confidence = confidence(t);
	if (gpu_end < v->deadline_ns) {
		if (v->stuffed) {
			count(v, JANK_HIGH_INPUT_LATENCY);
			t->unstuffed_ns = add(t->unstuffed_ns, interval);
		}
		return;
	}
	v->janky = true;
	v->swap_late = s->ns[SLOT_SWAP_BUFFERS_COMPLETED] >= v->deadline_ns;
	v->davey = v->total_ns >= DAVEY_NS;
	count(v, JANK_MISSED_DEADLINE);
	t->unstuffed_ns = add(sub(gpu_end, sub(gpu_end, s->ns[SLOT_VSYNC]) % interval), interval);
	/* A deadline that finishFrame() left is beyond doubt; the next state follows from it. */
	if (after)
		t->modern_certain = true;
	compare(s, interval, v);
}

/* Each kind of delay counts, of every frame that took too long. */
static void finish_8(const struct jank_tracker *t, const struct frame_slots *s,
		     struct hwui_verdict *v)
{
	int64_t interval = t->rules.interval_ns;
	int64_t input = jank_duration(s, SLOT_OLDEST_INPUT, SLOT_VSYNC);

	v->counted = true;
	if (v->total_ns < interval)
		return;
	v->unbucketed = v->exempt;
	if (v->exempt)
		return;
	v->janky = true;
	if (input >= (int64_t)(1.5 * (double)interval) && input < ANR_NS)
		count(v, JANK_HIGH_INPUT_LATENCY);
	compare(s, interval, v);
}

static void finish_9(struct jank_tracker *t, const struct frame_slots *s, struct hwui_verdict *v)
{
	v->counted = v->total_ns > 0;
	if (!v->counted || v->exempt)
		return;
	v->janky = v->total_ns > t->rules.interval_ns;
	if (!missed_swap_deadline(t, s, v->total_ns, v))
		return;
	v->davey = v->total_ns >= DAVEY_NS;
	count(v, JANK_MISSED_DEADLINE);
	compare(s, t->rules.interval_ns, v);
}

static void take_gpu_time(const struct frame_slots *s, struct hwui_verdict *v)
{
	v->gpu_ns = sub(s->ns[SLOT_GPU_COMPLETED], s->ns[SLOT_SWAP_BUFFERS]);
	v->has_gpu = slot_known(s, SLOT_GPU_COMPLETED) && slot_known(s, SLOT_SWAP_BUFFERS) &&
		     v->gpu_ns >= 0;
}

static void finish_12(struct jank_tracker *t, const struct frame_slots *s, int64_t before,
		      int64_t after, struct hwui_verdict *v)
{
	v->has_legacy = true;
	finish_legacy(t, s, v);
	v->total_ns = jank_duration(s, SLOT_INTENDED_VSYNC, SLOT_FRAME_COMPLETED);
	v->counted = v->total_ns > 0;
	if (!v->counted || v->exempt)
		return;
	finish_modern(t, s, before, after, v);
	take_gpu_time(s, v);
}

/* It is divided by. */
static bool has_interval(const struct frame_slots *s)
{
	return slot_known(s, SLOT_FRAME_INTERVAL) && s->ns[SLOT_FRAME_INTERVAL] > 0;
}

/* Is there what the release's algorithm works with? */
static bool can_judge(const struct jank_tracker *t, const struct frame_slots *s, bool has_deadline)
{
	static const enum frame_slot needed[] = {
		SLOT_INTENDED_VSYNC,
		SLOT_VSYNC,
		SLOT_SYNC_QUEUED,
		SLOT_SYNC_START,
		SLOT_ISSUE_DRAW_COMMANDS_START,
		SLOT_FRAME_COMPLETED,
	};

	for (size_t i = 0; i < sizeof(needed) / sizeof(*needed); i++)
		if (!slot_known(s, needed[i]))
			return false;
	if (t->rules.interval_ns <= 0 || !slot_known(s, frame_start(t)))
		return false;
	return t->rules.android < HWUI_DEADLINE ||
	       (has_deadline && has_interval(s) && slot_known(s, SLOT_SWAP_BUFFERS_COMPLETED));
}

/*
 * After a long pause no state is left of the frames before it, whatever they were. But the older
 * deadline moves on by the display's interval with each frame: when these come faster, it may be
 * any time ahead.
 */
static void settle(struct jank_tracker *t, const struct frame_slots *s)
{
	int64_t vsync = s->ns[SLOT_INTENDED_VSYNC], interval = t->rules.interval_ns;

	if (t->rules.android >= HWUI_DEADLINE)
		t->outpaced |= stuffed(sub(interval, s->ns[SLOT_FRAME_INTERVAL]), interval);
	if (t->last_vsync_ns && sub(vsync, t->last_vsync_ns) >= PAUSE_NS) {
		t->legacy_certain |= !t->outpaced && t->swap_deadline_ns <= vsync;
		t->modern_certain |= t->unstuffed_ns <= vsync;
	}
	t->last_vsync_ns = vsync;
}

void jank_tracker_finish(struct jank_tracker *t, const struct frame_slots *s, int64_t deadline_ns,
			 int64_t deadline_after_ns, struct hwui_verdict *v)
{
	unsigned android = t->rules.android;

	*v = (struct hwui_verdict){ 0 };
	if (!t->rules.interval_ns && android >= HWUI_DEADLINE && has_interval(s))
		t->rules.interval_ns = s->ns[SLOT_FRAME_INTERVAL];
	if (!can_judge(t, s, deadline_ns || deadline_after_ns)) {
		jank_tracker_gap(t);
		return;
	}
	v->known = true;
	v->exempt = s->ns[SLOT_FLAGS] & FRAME_FLAG_SURFACE_CANVAS;
	settle(t, s);
	v->confidence = confidence(t);
	if (android >= HWUI_DEADLINE) {
		finish_12(t, s, deadline_ns, deadline_after_ns, v);
	} else {
		v->total_ns = jank_duration(s, frame_start(t), SLOT_FRAME_COMPLETED);
		if (!forgive(t, s, &v->total_ns, v))
			v->total_ns = 0;
		if (android >= HWUI_SWAP_DEADLINE)
			finish_9(t, s, v);
		else
			finish_8(t, s, v);
		if (android >= HWUI_GPU_TIME)
			take_gpu_time(s, v);
	}
}

static const struct {
	const char *title, *name;
	unsigned since; /* release */
} types[JANK_TYPE_NR] = {
	[JANK_MISSED_VSYNC] = { "Missed Vsync", "missed_vsync", 0 },
	[JANK_HIGH_INPUT_LATENCY] = { "High input latency", "high_input_latency", 0 },
	[JANK_SLOW_UI] = { "Slow UI thread", "slow_ui_thread", 0 },
	[JANK_SLOW_SYNC] = { "Slow bitmap uploads", "slow_bitmap_uploads", 0 },
	[JANK_SLOW_RT] = { "Slow issue draw commands", "slow_issue_draw_commands", 0 },
	[JANK_MISSED_DEADLINE] = { "Frame deadline missed", "frame_deadline_missed",
				   HWUI_SWAP_DEADLINE },
	[JANK_MISSED_DEADLINE_LEGACY] = { "Frame deadline missed (legacy)",
					  "frame_deadline_missed_legacy", HWUI_DEADLINE },
};

const char *jank_type_title(enum jank_type type)
{
	return types[type].title;
}

const char *jank_type_name(enum jank_type type)
{
	return types[type].name;
}

bool jank_type_of_release(enum jank_type type, unsigned android)
{
	return android >= types[type].since;
}
