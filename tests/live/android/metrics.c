// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The table of FrameMetrics, and where its slots are in each layout. */
#include "live/android/metrics.h"

#include <string.h>

#include "live/pipeline/finding.h"

#define NONE (-1)

struct places {
	unsigned layout;
	int id, intended, vsync, input, animation, traversals, draw, deadline;
	int queued, sync, issue, swap, completed, gpu, swapped, submitted;
};

/* Android 8 to 10, 11, 12, 13 to 15, 16, 17. */
static const struct places all_places[] = {
	{ 16, NONE, 1, 2, 5, 6, 7, 8, NONE, 9, 10, 11, 12, 13, NONE, NONE, NONE },
	{ 17, NONE, 1, 2, 5, 6, 7, 8, NONE, 9, 10, 11, 12, 13, 16, NONE, NONE },
	{ 22, 1, 2, 3, 5, 6, 7, 8, 9, 12, 13, 14, 15, 16, 19, 20, NONE },
	{ 23, 1, 2, 3, 5, 6, 7, 8, 9, 12, 13, 14, 15, 16, 19, 20, 22 },
	{ 24, 1, 2, 3, 5, 6, 7, 8, 9, 13, 14, 15, 16, 17, 20, 21, 23 },
	{ 25, 1, 2, 3, 5, 6, 7, 8, 9, 14, 15, 16, 17, 18, 21, 22, 24 },
};

static const struct places *places_of(const struct app_frame *f)
{
	for (unsigned i = 0; i < sizeof(all_places) / sizeof(all_places[0]); i++)
		if (all_places[i].layout == f->app->layout)
			return &all_places[i];
	die("the truth has a layout of %u slots", (unsigned)f->app->layout);
}

int64_t metrics_intended(const struct app_frame *f)
{
	return f->slots[places_of(f)->intended];
}

int64_t metrics_total(const struct app_frame *f)
{
	const struct places *p = places_of(f);

	return f->slots[p->completed] - f->slots[p->intended];
}

struct list {
	const struct app_frame *frame;
	struct expected *expected;
	unsigned nr;
};

static void add(struct list *l, const char *column, bool is_metric, bool has_value, int64_t value)
{
	if (l->nr == EXPECTED_MAX)
		die("there are too many columns");
	l->expected[l->nr++] = (struct expected){
		.column = column,
		.is_metric = is_metric,
		.has_value = has_value,
		.value = has_value ? value : 0,
	};
}

/* The time between two slots; the layout may lack one. */
static void between(struct list *l, const char *column, int from, int to)
{
	const int64_t *s = l->frame->slots;
	bool has = from != NONE && to != NONE;

	add(l, column, true, has, has ? s[to] - s[from] : 0);
}

/* A frame without a vsync id has a deadline that is none. */
static bool says_unknown(const struct places *p, const int64_t *slots)
{
	return p->deadline != NONE && slots[p->deadline] == INT64_MAX;
}

static bool is_of_timeline(const char *column)
{
	return !strcmp(column, "deadline_ns") || !strcmp(column, "frame_deadline_ns") ||
	       !strcmp(column, "frame_timeline_vsync_id");
}

/* From Android 12 on the deadline that finishFrame() leaves tells what came of earlier frames. */
static void add_verdict(struct list *l, bool is_12, bool is_certain)
{
	const struct app_frame *f = l->frame;

	add(l, "hwui_janky", false, true, f->janky);
	add(l, "hwui_janky_legacy", false, is_12, f->janky_legacy);
	add(l, "hwui_total_ns", false, true, f->counted_ns);
	add(l, "hwui_stuffed", false, is_12, f->stuffed);
	if (is_12 || is_certain)
		add(l, "hwui_davey", false, true, f->davey);
}

unsigned metrics_of(const struct app_frame *f, bool is_certain,
		    struct expected expected[EXPECTED_MAX])
{
	const struct places *p = places_of(f);
	struct list l = { .frame = f, .expected = expected };
	bool is_12 = p->layout >= 22, is_13 = p->layout >= 23, is_16 = p->layout >= 24;
	const int64_t *s = f->slots;

	between(&l, "unknown_delay_ns", p->intended, p->input);
	between(&l, "input_handling_ns", p->input, p->animation);
	between(&l, "animation_ns", p->animation, p->traversals);
	between(&l, "layout_measure_ns", p->traversals, p->draw);
	between(&l, "draw_ns", p->draw, p->queued);
	between(&l, "sync_ns", p->sync, p->issue);
	between(&l, "command_issue_ns", p->issue, p->swap);
	between(&l, "swap_buffers_ns", p->swap, is_12 ? p->swapped : p->completed);
	between(&l, "total_ns", p->intended, p->completed);
	add(&l, "first_draw_frame", true, true, s[0] & 1);
	add(&l, "intended_vsync_ns", true, true, s[p->intended]);
	add(&l, "vsync_ns", true, true, s[p->vsync]);
	between(&l, "gpu_duration_ns", is_13 ? p->submitted : is_12 ? p->swap : NONE, p->gpu);
	add(&l, "deadline_ns", true, is_12, f->deadline_after - s[p->intended]);
	add(&l, "frame_timeline_vsync_id", true, is_16, is_16 ? s[p->id] : 0);
	add(&l, "render_queue_ns", false, true, s[p->sync] - s[p->queued]);
	add(&l, "frame_deadline_ns", false, is_12, is_12 ? s[p->deadline] : 0);
	add(&l, "vsync_id", false, f->vsync_id > 0, f->vsync_id);
	add(&l, "frame_number", false, is_12, (int64_t)f->frame_number);
	add(&l, "jank_tracker", false, true, (int64_t)f->tracker);
	add_verdict(&l, is_12, is_certain);
	for (unsigned i = 0; i < l.nr; i++)
		expected[i].may_miss = says_unknown(p, s) && is_of_timeline(expected[i].column);
	return l.nr;
}
