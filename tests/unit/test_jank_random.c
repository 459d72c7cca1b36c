/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Random frames, judged and told again: what each release does is written here once more, step for
 * step, on plain numbers, and must come to the same verdicts. A tracker that saw only some of the
 * frames may differ only where it says so.
 */
#include "jank_frames.h"

#define RUNS 250
#define FRAMES 200 /* of each */

static uint64_t random_state = 88172645463325252u;

static int64_t below(int64_t n)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return (int64_t)(random_state >> 2) % n;
}

static bool one_in(int64_t n)
{
	return below(n) == 0;
}

/* A FrameInfo, and what the app's JankTracker keeps. */
struct plain {
	int64_t flags, intended, vsync, oldest, input, queued, sync, issue, swap, completed;
	int64_t dequeue, gpu, swapped, interval, deadline, target;
};

struct app {
	int64_t display; /* interval */
	int64_t forgiveness;
	bool filtered;
	bool changes; /* the rate at which it draws */
	int64_t swap_deadline, unstuffed;
};

static int64_t positive(int64_t ns)
{
	return ns > 0 ? ns : 0;
}

/* How long the frame took from its start, without its wait for the RenderThread. */
static int64_t took(const struct app *a, const struct plain *p, bool filtered, int64_t end)
{
	int64_t start = filtered && a->filtered ? p->input : p->intended;

	return start > 0 ? positive(end - start - positive(p->sync - p->queued)) : 0;
}

static int64_t forgiven(const struct app *a, const struct plain *p)
{
	int64_t until = a->forgiveness + p->vsync - p->issue;

	if (a->forgiveness == 0 || p->dequeue <= 500000 || until <= 0)
		return 0;
	return until < p->dequeue ? until : p->dequeue;
}

static void hit(struct hwui_verdict *v, enum jank_type type, bool when)
{
	if (when)
		v->types |= (uint8_t)(1 << type);
	if (when && type == JANK_HIGH_INPUT_LATENCY)
		v->high_latency++;
}

static bool between(int64_t ns, int64_t from)
{
	return ns >= from && ns < 10000000000;
}

static void causes(const struct plain *p, int64_t interval, struct hwui_verdict *v)
{
	int64_t stall = positive(p->sync - p->queued);

	hit(v, JANK_MISSED_VSYNC, between(p->vsync - p->intended, 1));
	hit(v, JANK_SLOW_UI, between(positive(p->sync - p->vsync - stall), interval / 2));
	hit(v, JANK_SLOW_SYNC, between(positive(p->issue - p->sync), interval / 5));
	hit(v, JANK_SLOW_RT, between(positive(p->completed - p->issue), interval * 3 / 4));
}

static void android_8(struct app *a, struct plain *p, struct hwui_verdict *v)
{
	int64_t total = took(a, p, true, p->completed) - forgiven(a, p);

	v->counted = true;
	v->total_ns = positive(total);
	if (total < a->display)
		return;
	if (p->flags & 4) {
		v->unbucketed = true;
		return;
	}
	v->janky = true;
	causes(p, a->display, v);
	hit(v, JANK_HIGH_INPUT_LATENCY, between(p->vsync - p->oldest, a->display * 3 / 2));
}

static void android_9_to_11(struct app *a, struct plain *p, struct hwui_verdict *v, bool by_total)
{
	int64_t total = took(a, p, true, p->completed) - forgiven(a, p);
	bool waits;

	if (total <= 0)
		return; /* and the app is aborted */
	v->counted = true;
	v->total_ns = total;
	if (p->flags & 4)
		return;
	v->janky = total > a->display;
	waits = 10 * (a->swap_deadline - p->intended) > a->display;
	if (a->swap_deadline < p->intended)
		a->swap_deadline = p->intended;
	a->swap_deadline += a->display;
	if (p->completed < a->swap_deadline || (by_total && total < a->display)) {
		hit(v, JANK_HIGH_INPUT_LATENCY, waits);
		return;
	}
	hit(v, JANK_MISSED_DEADLINE, true);
	a->swap_deadline = p->completed - (p->completed - p->vsync) % a->display + a->display;
	causes(p, a->display, v);
	v->davey = total >= 700000000;
}

static void android_9(struct app *a, struct plain *p, struct hwui_verdict *v)
{
	android_9_to_11(a, p, v, false);
}

static void android_10(struct app *a, struct plain *p, struct hwui_verdict *v)
{
	android_9_to_11(a, p, v, true);
}

static void android_11(struct app *a, struct plain *p, struct hwui_verdict *v)
{
	android_9_to_11(a, p, v, true);
	v->has_gpu = p->gpu > 0 && p->gpu >= p->swap;
	v->gpu_ns = p->gpu - p->swap;
}

static void legacy_of_12(struct app *a, struct plain *p, struct hwui_verdict *v)
{
	int64_t total = took(a, p, true, p->swapped) - forgiven(a, p);
	bool waits;

	if (total <= 0 || p->flags & 4)
		return;
	v->janky_legacy = total > a->display;
	if (a->swap_deadline < 0)
		a->swap_deadline = p->intended + a->display;
	waits = 10 * (a->swap_deadline - p->intended) > a->display;
	if (a->swap_deadline < p->intended)
		a->swap_deadline = p->intended;
	a->swap_deadline += a->display;
	if (p->completed < a->swap_deadline || total < a->display) {
		hit(v, JANK_HIGH_INPUT_LATENCY, waits);
	} else {
		hit(v, JANK_MISSED_DEADLINE_LEGACY, true);
		a->swap_deadline =
			p->completed - (p->completed - p->vsync) % a->display + a->display;
	}
}

/* The newer half; `stuffed` is the deadline of a frame that waits. It is left in the FrameInfo. */
static void modern(struct app *a, struct plain *p, struct hwui_verdict *v, int64_t stuffed)
{
	v->total_ns = took(a, p, false, p->completed);
	v->counted = v->total_ns > 0;
	if (!v->counted || p->flags & 4)
		return;
	v->stuffed = 10 * (a->unstuffed - p->intended) > p->interval;
	if (v->stuffed)
		p->deadline = stuffed;
	v->deadline_ns = p->deadline;
	if (p->gpu < p->deadline) {
		hit(v, JANK_HIGH_INPUT_LATENCY, v->stuffed);
		if (v->stuffed)
			a->unstuffed += p->interval;
	} else {
		hit(v, JANK_MISSED_DEADLINE, true);
		v->janky = true;
		a->unstuffed = p->gpu - (p->gpu - p->vsync) % p->interval + p->interval;
		causes(p, p->interval, v);
		v->davey = v->total_ns >= 700000000;
	}
	v->has_gpu = p->gpu > 0 && p->gpu >= p->swap;
	v->gpu_ns = p->gpu - p->swap;
}

static void android_12(struct app *a, struct plain *p, struct hwui_verdict *v)
{
	legacy_of_12(a, p, v);
	modern(a, p, v, p->deadline + p->interval);
}

static void android_14(struct app *a, struct plain *p, struct hwui_verdict *v)
{
	legacy_of_12(a, p, v);
	modern(a, p, v, a->unstuffed + p->deadline - p->intended);
}

static void android_16(struct app *a, struct plain *p, struct hwui_verdict *v)
{
	legacy_of_12(a, p, v);
	modern(a, p, v, a->unstuffed + p->target);
}

static void (*const releases[])(struct app *, struct plain *, struct hwui_verdict *) = {
	[8] = android_8,   [9] = android_9,   [10] = android_10, [11] = android_11,
	[12] = android_12, [13] = android_12, [14] = android_14, [15] = android_14,
	[16] = android_16, [17] = android_16,
};

static int64_t random_interval(void)
{
	static const int64_t rates[] = { HZ60, HZ60, HZ60 + 1, HZ90, HZ120, HZ144, 16529926 };

	return rates[below(sizeof(rates) / sizeof(*rates))];
}

/* Around the edges that a length of time has with that interval, or any. */
static int64_t random_length(int64_t interval, int64_t longest)
{
	const int64_t edges[] = { 0,
				  1,
				  500000,
				  interval / 10,
				  interval / 5,
				  interval / 2,
				  interval * 3 / 4,
				  interval,
				  interval * 3 / 2,
				  700 * MS,
				  10 * SECOND };
	int64_t edge;

	switch (below(4)) {
	case 0:
		edge = edges[below(sizeof(edges) / sizeof(*edges))] + below(3) - 1;
		return edge < 0 || edge > longest ? 0 : edge;
	case 1:
		return below(one_in(10) ? longest : 2 * interval);
	default:
		return below(interval / 4);
	}
}

/* The one before has become the next, drawn some intervals later. */
static void next_frame(const struct app *a, struct plain *p, int64_t longest)
{
	int64_t last = p->intended, near;

	if (a->changes && one_in(40))
		p->interval = random_interval();
	p->intended += one_in(30)  ? SECOND + below(2 * SECOND)
		       : one_in(5) ? below(4 * p->interval)
				   : p->interval * (1 + below(2));
	near = (one_in(2) ? a->unstuffed : a->swap_deadline) - p->interval / 10 + below(3) - 1;
	if (one_in(8) && near > last && near < last + SECOND)
		p->intended = near;
	p->flags = one_in(12) ? below(8) : 0;
	p->vsync = p->intended + (one_in(3) ? random_length(p->interval, longest) : 0);
	p->oldest = one_in(2) ? INT64_MAX : p->vsync - random_length(p->interval, 20 * SECOND);
	p->input = one_in(4) ? p->vsync + random_length(p->interval, longest) : p->vsync;
	p->queued = p->vsync + random_length(p->interval, longest);
	p->sync = p->queued + (one_in(4) ? random_length(p->interval, longest) : below(100000));
	p->issue = p->sync + random_length(p->interval, longest);
	p->swap = p->issue + random_length(p->interval, longest);
	p->swapped = p->swap + below(MS);
	p->gpu = one_in(20) ? -1 : p->swap + random_length(p->interval, longest) - below(2 * MS);
	p->completed = p->gpu > p->swapped ? p->gpu : p->swapped;
	p->dequeue = random_length(p->interval, longest);
	p->deadline = p->intended + p->interval * (1 + below(2)) - (one_in(2) ? below(2 * MS) : 0);
	p->target = p->deadline - p->intended - (one_in(20) ? below(MS) : 0);
	if (one_in(6))
		p->gpu = p->deadline + (one_in(2) ? p->interval : 0) + below(3) - 1;
	if (one_in(6))
		p->gpu = a->unstuffed + p->target + below(3) - 1;
	if (one_in(6))
		p->completed =
			(one_in(2) ? a->swap_deadline : p->intended) + a->display + below(3) - 1;
	if (one_in(6))
		p->queued = p->sync + below(MS);
	if (one_in(30))
		p->completed = p->intended - below(3) + 1;
}

static struct frame_slots slots_of(unsigned android, const struct plain *p, int64_t deadline)
{
	struct frame_slots s = { .layout = layout_of(android) };

	set_slot(&s, SLOT_FLAGS, p->flags);
	set_slot(&s, SLOT_INTENDED_VSYNC, p->intended);
	set_slot(&s, SLOT_VSYNC, p->vsync);
	set_slot(&s, SLOT_OLDEST_INPUT, p->oldest);
	set_slot(&s, SLOT_HANDLE_INPUT_START, p->input);
	set_slot(&s, SLOT_FRAME_DEADLINE, deadline);
	set_slot(&s, SLOT_FRAME_INTERVAL, p->interval);
	set_slot(&s, SLOT_WORKLOAD_TARGET, p->target);
	set_slot(&s, SLOT_SYNC_QUEUED, p->queued);
	set_slot(&s, SLOT_SYNC_START, p->sync);
	set_slot(&s, SLOT_ISSUE_DRAW_COMMANDS_START, p->issue);
	set_slot(&s, SLOT_SWAP_BUFFERS, p->swap);
	set_slot(&s, SLOT_FRAME_COMPLETED, p->completed);
	set_slot(&s, SLOT_DEQUEUE_DURATION, p->dequeue);
	set_slot(&s, SLOT_GPU_COMPLETED, p->gpu);
	set_slot(&s, SLOT_SWAP_BUFFERS_COMPLETED, p->swapped);
	return s;
}

/* All but how sure it is. */
static bool same(const struct hwui_verdict *a, const struct hwui_verdict *b)
{
	return a->known == b->known && a->counted == b->counted && a->unbucketed == b->unbucketed &&
	       a->exempt == b->exempt && a->janky == b->janky &&
	       a->janky_legacy == b->janky_legacy && a->stuffed == b->stuffed &&
	       a->davey == b->davey && a->has_gpu == b->has_gpu && a->types == b->types &&
	       a->high_latency == b->high_latency && a->total_ns == b->total_ns &&
	       a->deadline_ns == b->deadline_ns && (!a->has_gpu || a->gpu_ns == b->gpu_ns);
}

static void describe(unsigned android, const char *what, const struct hwui_verdict *v)
{
	printf("# Android %u %s: counted %d, janky %d, legacy %d, stuffed %d, davey %d, gpu %d, "
	       "types %#x, latency %u, total %lld, deadline %lld, confidence %d\n",
	       android, what, v->counted, v->janky, v->janky_legacy, v->stuffed, v->davey,
	       v->has_gpu, v->types, v->high_latency, (long long)v->total_ns,
	       (long long)v->deadline_ns, v->confidence);
}

static void begin_run(struct app *a, struct plain *p)
{
	*a = (struct app){ .display = random_interval(),
			   .forgiveness = one_in(2) ? 4 * MS + below(4 * MS) : 0,
			   .filtered = one_in(6),
			   .changes = true,
			   .swap_deadline = -1,
			   .unstuffed = -1 };
	*p = (struct plain){ .intended = BOOT + below(SECOND), .interval = random_interval() };
}

static struct jank_tracker begin_tracker(unsigned android, const struct app *a, bool from_start)
{
	const struct jank_rules rules = { .android = android,
					  .interval_ns = a->display,
					  .forgiveness_ns = a->forgiveness,
					  .filtered = a->filtered };
	struct jank_tracker t;

	jank_tracker_init(&t, &rules, from_start);
	return t;
}

/* What the app's tracker says, and what its FrameInfo has before and after that. */
static struct hwui_verdict truth(unsigned android, struct app *a, struct plain *p, int64_t *before)
{
	struct hwui_verdict v = { .known = true, .exempt = p->flags & 4 };

	*before = p->deadline;
	releases[android](a, p, &v);
	return v;
}

/* Ask with one of the deadlines, the other or both. */
static struct hwui_verdict ask(struct jank_tracker *t, const struct plain *p, int64_t before)
{
	struct frame_slots s = slots_of(t->rules.android, p, before);
	int64_t mode = below(3);
	struct hwui_verdict v;

	jank_tracker_finish(t, &s, mode == 1 ? 0 : before, mode == 0 ? 0 : p->deadline, &v);
	return v;
}

/* Seen from the first frame on, everything is as the app has it. */
static void test_equal(void)
{
	for (unsigned android = HWUI_OLDEST; android <= HWUI_NEWEST; android++) {
		unsigned janky = 0, twice = 0, differ = 0;

		for (unsigned run = 0; run < RUNS; run++) {
			int64_t before;
			struct jank_tracker t;
			struct plain p;
			struct app a;

			begin_run(&a, &p);
			t = begin_tracker(android, &a, true);
			for (unsigned i = 0; i < FRAMES; i++) {
				struct hwui_verdict want, got;

				next_frame(&a, &p, 20 * SECOND);
				want = truth(android, &a, &p, &before);
				got = ask(&t, &p, before);
				janky += want.janky;
				twice += want.high_latency == 2;
				CU_ASSERT_EQUAL(got.confidence, CONF_EXACT);
				if (same(&got, &want))
					continue;
				if (!differ++) {
					describe(android, "wants", &want);
					describe(android, "got", &got);
				}
			}
		}
		CU_ASSERT_EQUAL(differ, 0);
		/* The frames were such that it could have been seen. */
		CU_ASSERT_TRUE(janky > RUNS * FRAMES / 10 && janky < RUNS * FRAMES * 9 / 10);
		CU_ASSERT_TRUE(android < 12 || twice > RUNS * FRAMES / 100);
	}
}

/* Seen only now and then, what is said to be exact is. */
static void test_confidence(void)
{
	for (unsigned android = 9; android <= HWUI_NEWEST; android++) {
		unsigned exact = 0, differ = 0;

		for (unsigned run = 0; run < RUNS; run++) {
			int64_t before, unseen = below(50);
			struct jank_tracker t;
			struct plain p;
			struct app a;

			begin_run(&a, &p);
			if (android < 12) {
				a.changes = false;
				p.interval = a.display;
			}
			t = begin_tracker(android, &a, false);
			for (unsigned i = 0; i < FRAMES; i++) {
				struct hwui_verdict want, got;

				next_frame(&a, &p, 50 * MS);
				want = truth(android, &a, &p, &before);
				if (unseen) {
					unseen--;
					continue;
				}
				got = ask(&t, &p, before);
				if (got.confidence == CONF_EXACT) {
					exact++;
					if (!same(&got, &want) && !differ++) {
						describe(android, "wants", &want);
						describe(android, "got", &got);
					}
				}
				if (one_in(60)) {
					jank_tracker_gap(&t);
					unseen = 1 + below(20);
				}
			}
		}
		CU_ASSERT_EQUAL(differ, 0);
		CU_ASSERT_TRUE(exact > RUNS * FRAMES / 20);
	}
}

/* Numbers that no device makes are no reason to stop. */
static void test_garbage(void)
{
	for (unsigned i = 0; i < 200000; i++) {
		unsigned android = HWUI_OLDEST + (unsigned)below(HWUI_NEWEST - HWUI_OLDEST + 1);
		struct jank_tracker t =
			tracker_of(android, one_in(3) ? 0 : 1 + below(1ll << below(50)));
		struct frame_slots s;
		struct hwui_verdict v;

		t.rules.forgiveness_ns = below(8 * MS);
		t.rules.filtered = one_in(2);
		for (unsigned frame = 0; frame < 4; frame++) {
			static const int64_t ends[] = { 0,         1,         -1,
							INT64_MAX, INT64_MIN, INT64_MIN + 1 };
			int64_t deadline = (int64_t)((uint64_t)below(INT64_MAX) << below(3));

			s = (struct frame_slots){ .layout = layout_of(android),
						  .known = one_in(4) ? (uint32_t)below(1ll << 32)
								     : UINT32_MAX };
			for (unsigned slot = 0; slot < SLOT_NR; slot++)
				s.ns[slot] = one_in(2) ? ends[below(6)]
						       : (int64_t)((uint64_t)below(INT64_MAX)
								   << below(3));
			jank_tracker_finish(&t, &s,
					    one_in(2) ? deadline : s.ns[SLOT_FRAME_DEADLINE],
					    one_in(2) ? deadline : 0, &v);
			CU_ASSERT_TRUE(!v.known || !v.counted || v.total_ns >= 0);
		}
	}
}

int main(void)
{
	static const struct check_case cases[] = {
		{ "equal", test_equal },
		{ "confidence", test_confidence },
		{ "garbage", test_garbage },
		{ NULL, NULL },
	};

	return check_main("jank_random", cases);
}
