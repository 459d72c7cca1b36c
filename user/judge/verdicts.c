/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Finds each frame's window, and lets every judge have it. */
#include "judge/verdicts.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

/* A failed insertion leaves the entry out of the hash instead of ending the program. */
#define HASH_NONFATAL_OOM 1
#include <uthash.h>

#include "judge/java.h"

struct window_key {
	uint64_t jank_tracker;
	uint32_t pid;
	uint32_t producer; /* where the tracker is not known */
};

struct process;

struct window {
	struct window_verdicts w; /* first */
	struct window_key key;
	struct process *process;
	struct window *next; /* of the same process */
	const struct producer *latest; /* of its last frame: its surface may be another by then */
	uint64_t end_ns; /* of it */
	UT_hash_handle hh;
};

/* In the text of a script that polls, a number may come to be another process's. */
struct process_key {
	uint32_t pid;
	char name[PRODUCER_NAME_LEN]; /* of dumped ones only, the rest is 0 */
};

struct process {
	struct process_verdicts p; /* first */
	struct process_key key;
	struct window *first, *last;
	UT_hash_handle hh;
};

struct verdicts {
	struct verdict_rules rules;
	verdicts_report *report;
	void *ctx;
	struct window *windows; /* hashes, in order of insertion */
	struct process *processes;
	uint64_t lost_ns; /* records were, the last time */
};

static const struct {
	unsigned release, api;
} apis[] = {
	{ 8, 26 },  { 9, 28 },  { 10, 29 }, { 11, 30 }, { 12, 31 }, { 12, 32 },
	{ 13, 33 }, { 14, 34 }, { 15, 35 }, { 16, 36 }, { 17, 37 }, { 8, 27 },
};

#define APIS (sizeof(apis) / sizeof(*apis))

unsigned android_api(unsigned release)
{
	for (size_t i = 0; i < APIS; i++)
		if (apis[i].release == release)
			return apis[i].api;
	return 0;
}

unsigned android_of_api(unsigned api)
{
	for (size_t i = 0; i < APIS; i++)
		if (apis[i].api == api)
			return apis[i].release;
	return 0;
}

/* The releases that have that layout. */
static const struct layout {
	unsigned slots, oldest, newest;
} layouts[] = {
	{ 16, 8, 10 },  { 17, 11, 11 }, { 22, 12, 12 },
	{ 23, 13, 15 }, { 24, 16, 16 }, { 25, 17, 17 },
};

#define LAYOUTS (sizeof(layouts) / sizeof(*layouts))

static const struct layout *find_layout(unsigned slots)
{
	for (size_t i = 0; i + 1 < LAYOUTS; i++)
		if (layouts[i].slots == slots)
			return &layouts[i];
	return &layouts[LAYOUTS - 1];
}

struct verdicts *verdicts_new(const struct verdict_rules *rules, verdicts_report *report, void *ctx)
{
	struct verdicts *v = calloc(1, sizeof(*v));

	if (!v)
		return NULL;
	v->rules = *rules;
	v->report = report;
	v->ctx = ctx;
	return v;
}

void verdicts_free(struct verdicts *v)
{
	struct window *w, *next_w;
	struct process *p, *next_p;

	if (!v)
		return;
	HASH_ITER (hh, v->windows, w, next_w) {
		HASH_DELETE(hh, v->windows, w);
		free(w->w.ring);
		free(w);
	}
	HASH_ITER (hh, v->processes, p, next_p) {
		HASH_DELETE(hh, v->processes, p);
		free(p);
	}
	free(v);
}

static void init_window(const struct verdicts *v, struct window_verdicts *w, const struct frame *f)
{
	const struct verdict_rules *r = &v->rules;
	const struct layout *layout = find_layout(f->hwui.slots.layout);
	unsigned android = r->android ? r->android : layout->newest;
	struct jank_rules rules = {
		.android = android,
		.forgiveness_ns = r->forgiveness_ns,
		.filtered = f->producer->filtered,
		.interval_ns = r->refresh_hz > 0 ? (int64_t)(1e9 / (double)r->refresh_hz) : 0,
	};

	w->producer = f->producer;
	w->jank_tracker = f->hwui.jank_tracker;
	w->android = android;
	if (!r->android && layout->oldest < layout->newest)
		w->guessed = layout->oldest;
	w->api = r->api ? r->api : android_api(android);
	w->profile.since_ns = r->since_ns ? r->since_ns : f->start_ns;
	jank_tracker_init(&w->tracker, &rules, f->producer->from_start);
	jankstats_init(&w->jankstats, w->api, r->multiplier, JANKSTATS_REFRESH_HZ);
	matrix_window_init(&w->matrix, &r->matrix, w->api,
			   f->producer->window ? f->producer->window : f->producer->process);
}

static int get_process(struct verdicts *v, const struct window_verdicts *w, bool dumped,
		       struct process **out)
{
	struct process_key key = { .pid = w->producer->pid };
	struct process *p;

	if (dumped)
		snprintf(key.name, sizeof(key.name), "%s", w->producer->process);
	HASH_FIND(hh, v->processes, &key, sizeof(key), p);
	if (!p) {
		p = calloc(1, sizeof(*p));
		if (!p)
			return -ENOMEM;
		p->key = key;
		p->p.producer = w->producer;
		p->p.android = w->android;
		p->p.profile.since_ns = w->profile.since_ns;
		HASH_ADD(hh, v->processes, key, sizeof(p->key), p);
		if (!p->hh.tbl) {
			free(p);
			return -ENOMEM;
		}
	}
	/* Windows are dumped in an order of their own. */
	if (w->profile.since_ns < p->p.profile.since_ns)
		p->p.profile.since_ns = w->profile.since_ns;
	*out = p;
	return 0;
}

static int add_window(struct verdicts *v, struct window *w, const struct frame *f)
{
	struct process *p;
	int rc;

	init_window(v, &w->w, f);
	if (v->rules.keep_rows) {
		w->w.ring = calloc(1, sizeof(*w->w.ring));
		if (!w->w.ring)
			return -ENOMEM;
	}
	rc = get_process(v, &w->w, f->dumped, &p);
	if (rc)
		return rc;
	HASH_ADD(hh, v->windows, key, sizeof(w->key), w);
	if (!w->hh.tbl)
		return -ENOMEM;
	w->process = p;
	if (p->last)
		p->last->next = w;
	else
		p->first = w;
	p->last = w;
	return 0;
}

static int get_window(struct verdicts *v, const struct frame *f, struct window **out)
{
	struct window_key key = {
		.jank_tracker = f->hwui.jank_tracker,
		.pid = f->producer->pid,
		.producer = f->hwui.jank_tracker ? 0 : f->producer->id,
	};
	struct window *w;
	int rc;

	HASH_FIND(hh, v->windows, &key, sizeof(key), w);
	*out = w;
	if (w) {
		w->latest = f->producer;
		return 0;
	}
	w = calloc(1, sizeof(*w));
	if (!w)
		return -ENOMEM;
	w->key = key;
	w->latest = f->producer;
	rc = add_window(v, w, f);
	if (rc) {
		free(w->w.ring);
		free(w);
		return rc;
	}
	*out = w;
	return 0;
}

/* The FrameInfo as those who listen to FrameMetrics are given it. */
static struct frame_slots as_reported(const struct frame *f)
{
	struct frame_slots s = f->hwui.slots;
	int64_t deadline = f->hwui.deadline_after_ns;

	if (!deadline && f->verdict.hwui.known)
		deadline = f->verdict.hwui.deadline_ns;
	if (deadline) {
		s.ns[SLOT_FRAME_DEADLINE] = deadline;
		s.known |= 1u << SLOT_FRAME_DEADLINE;
	} else if (!f->verdict.hwui.known) {
		s.known &= ~(1u << SLOT_FRAME_DEADLINE);
	}
	return s;
}

static float refresh_hz(const struct verdicts *v, const struct window_verdicts *w,
			const struct frame_slots *s)
{
	if (v->rules.refresh_hz > 0)
		return v->rules.refresh_hz;
	if (slot_known(s, SLOT_FRAME_INTERVAL))
		return (float)(1e9 / (double)s->ns[SLOT_FRAME_INTERVAL]);
	return w->tracker.rules.interval_ns > 0
		       ? (float)(1e9 / (double)w->tracker.rules.interval_ns)
		       : 0;
}

/* Those who listen to FrameMetrics; from Android 12 on they are told of no other frames. */
static void judge_reported(const struct verdicts *v, struct window_verdicts *w, struct frame *f)
{
	const struct hwui_verdict *hwui = &f->verdict.hwui;
	struct frame_slots s = as_reported(f);
	struct verdict *to = &f->verdict;
	struct matrix_report report;
	float hz = refresh_hz(v, w, &s);
	bool exempt = s.ns[SLOT_FLAGS] & FRAME_FLAG_SURFACE_CANVAS; /* judged or not */

	if (w->android >= 12 && (exempt || (hwui->known && !hwui->counted)))
		return;
	jankstats_judge(&w->jankstats, &s, &to->jankstats);
	w->jankstats_frames += to->jankstats.known;
	w->jankstats_janky += to->jankstats.known && to->jankstats.janky;
	matrix_judge(&v->rules.matrix, &s, hz, &to->matrix);
	if (to->matrix.known) {
		w->matrix_frames++;
		w->matrix_janky += java_round(to->matrix.dropped) > 0;
		w->matrix_level[to->matrix.level]++;
		w->matrix_sum[to->matrix.level] += (uint64_t)java_round(to->matrix.dropped);
	}
	if (matrix_window_add(&w->matrix, &s, hz, (uint64_t)s.ns[SLOT_FRAME_COMPLETED], &report) &&
	    v->report)
		v->report(v->ctx, w, &report);
}

/*
 * Frames of that producer are missing: one that was seen, or some that were not. If it is the first
 * of a surface, it may be any of the process's windows that has it.
 */
static void miss(struct verdicts *v, const struct producer *p, bool unseen)
{
	bool found = false;

	for (struct window *w = v->windows; w; w = w->hh.next) {
		if (w->latest != p)
			continue;
		found = true;
		w->w.gaps += unseen;
		w->w.without_info += !unseen;
		jank_tracker_gap(&w->w.tracker);
	}
	if (found || unseen)
		return;
	for (struct window *w = v->windows; w; w = w->hh.next)
		if (w->key.pid == p->pid)
			jank_tracker_gap(&w->w.tracker);
}

int verdicts_judge(struct verdicts *v, struct frame *f)
{
	struct window_verdicts *w;
	struct window *window;
	unsigned reasons;
	int rc;

	if (f->fault)
		return 0;
	if (!f->hwui.whole) {
		if (f->hwui.kind != FRAME_PLAIN && f->hwui.kind != FRAME_SKIPPED)
			miss(v, f->producer, false);
		return 0;
	}
	rc = get_window(v, f, &window);
	if (rc)
		return rc;
	w = &window->w;
	if (window->end_ns < v->lost_ns)
		jank_tracker_gap(&w->tracker);
	window->end_ns = f->end_ns;
	w->frames++;
	jank_tracker_finish(&w->tracker, &f->hwui.slots, f->hwui.slots.ns[SLOT_FRAME_DEADLINE],
			    f->hwui.deadline_after_ns, &f->verdict.hwui);
	w->unjudged += !f->verdict.hwui.known;
	w->probable += f->verdict.hwui.known && f->verdict.hwui.confidence != CONF_EXACT;
	profile_data_add(&w->profile, &f->verdict.hwui);
	profile_data_add(&window->process->p.profile, &f->verdict.hwui);
	judge_reported(v, w, f);
	reasons = disagreements(&f->verdict) | timeline_disagreements(&f->verdict, &f->ft);
	w->timeline_frames += f->verdict.hwui.known && f->ft.has_actual;
	for (unsigned i = 0; i < DISAGREEMENT_NR; i++)
		w->disagreements[i] += reasons >> i & 1;
	if (w->ring)
		w->ring->slots[w->ring->nr++ % VERDICT_ROWS] = as_reported(f);
	return 0;
}

void verdicts_gap(struct verdicts *v, const struct producer *p)
{
	struct window_key key = { .pid = p->pid, .producer = p->id };
	struct window *w;

	/* In a dump that is all it has, and each of thousands of windows may have a gap. */
	HASH_FIND(hh, v->windows, &key, sizeof(key), w);
	if (!w || w->latest != p) {
		miss(v, p, true);
		return;
	}
	w->w.gaps++;
	jank_tracker_gap(&w->w.tracker);
}

void verdicts_lost(struct verdicts *v, uint64_t at_ns)
{
	v->lost_ns = at_ns;
}

void verdicts_finish(struct verdicts *v)
{
	struct matrix_report report;

	for (struct window *w = v->windows; w; w = w->hh.next)
		if (matrix_window_flush(&w->w.matrix, &report) && v->report)
			v->report(v->ctx, &w->w, &report);
}

const struct window_verdicts *verdicts_window(const struct verdicts *v, unsigned index)
{
	struct window *w = v->windows;

	for (; w && index; index--)
		w = w->hh.next;
	return w ? &w->w : NULL;
}

const struct window_verdicts *verdicts_of(const struct verdicts *v, const struct producer *p)
{
	struct window_key key = { .pid = p->pid, .producer = p->id };
	struct window *w;

	HASH_FIND(hh, v->windows, &key, sizeof(key), w);
	return w ? &w->w : NULL;
}

const struct window_verdicts *verdicts_next_window(const struct window_verdicts *w)
{
	const struct window *next = ((const struct window *)w)->hh.next;

	return next ? &next->w : NULL;
}

const struct process_verdicts *verdicts_next_process(const struct verdicts *v,
						     const struct process_verdicts *p)
{
	const struct process *next = p ? ((const struct process *)p)->hh.next : v->processes;

	return next ? &next->p : NULL;
}

const struct window_verdicts *verdicts_window_of(const struct process_verdicts *p,
						 const struct window_verdicts *w)
{
	const struct window *next =
		w ? ((const struct window *)w)->next : ((const struct process *)p)->first;

	return next ? &next->w : NULL;
}
