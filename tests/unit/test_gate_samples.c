/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Metrics, by the columns they follow from, and the values of them that a run has. */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "gate_frames.h"
#include "output/frames_columns.h"

/*
 * Every column that is a time: whether it is a duration can't be told from its name. Who adds one
 * puts it here, and, if it is a point in time, into gate/metric.c, too.
 */
static const struct {
	const char *column;
	bool duration;
} times[] = {
	{ "start_ns", false },
	{ "end_ns", false },
	{ "wall_ns", true },
	{ "render_running_ns", true },
	{ "render_runnable_ns", true },
	{ "render_fence_ns", true },
	{ "render_slot_ns", true },
	{ "render_gpu_ns", true },
	{ "render_lock_ns", true },
	{ "render_binder_ns", true },
	{ "render_ipc_ns", true },
	{ "render_io_ns", true },
	{ "render_sleep_ns", true },
	{ "render_other_ns", true },
	{ "render_unknown_ns", true },
	{ "swap_ns", true },
	{ "dequeue_ns", true },
	{ "queue_ns", true },
	{ "top_cause_ns", true },
	{ "acquire_signal_ns", false },
	{ "gpu_ns", true },
	{ "release_signal_ns", false },
	{ "release_wait_ns", true },
	{ "unknown_delay_ns", true },
	{ "input_handling_ns", true },
	{ "animation_ns", true },
	{ "layout_measure_ns", true },
	{ "draw_ns", true },
	{ "sync_ns", true },
	{ "command_issue_ns", true },
	{ "swap_buffers_ns", true },
	{ "total_ns", true },
	{ "intended_vsync_ns", false },
	{ "vsync_ns", false },
	{ "gpu_duration_ns", true },
	{ "deadline_ns", true },
	{ "render_queue_ns", true },
	{ "commit_ns", true },
	{ "sync_dequeue_ns", true },
	{ "frame_deadline_ns", false },
	{ "vsync_delivery_ns", true },
	{ "ui_running_ns", true },
	{ "ui_runnable_ns", true },
	{ "ui_fence_ns", true },
	{ "ui_slot_ns", true },
	{ "ui_gpu_ns", true },
	{ "ui_lock_ns", true },
	{ "ui_binder_ns", true },
	{ "ui_ipc_ns", true },
	{ "ui_io_ns", true },
	{ "ui_sleep_ns", true },
	{ "ui_other_ns", true },
	{ "ui_unknown_ns", true },
	{ "ui_end_ns", false },
	{ "render_start_ns", false },
	{ "hwui_total_ns", true },
	{ "jankstats_start_ns", false },
	{ "jankstats_ui_ns", true },
	{ "jankstats_cpu_ns", true },
	{ "jankstats_total_ns", true },
	{ "jankstats_overrun_ns", true },
	{ "table_draw_ns", true },
	{ "table_prepare_ns", true },
	{ "table_process_ns", true },
	{ "table_execute_ns", true },
	{ "desired_present_ns", false },
	{ "actual_present_ns", false },
	{ "frame_ready_ns", false },
	{ "ft_expected_start_ns", false },
	{ "ft_deadline_ns", false },
	{ "ft_actual_start_ns", false },
	{ "ft_actual_end_ns", false },
	{ "ft_overrun_ns", true },
};

static void columns(void)
{
	size_t n = 0;

	for (const struct listing_column *c = frames_columns; c->name; c++) {
		size_t len = strlen(c->name);

		if (len < 3 || strcmp(c->name + len - 3, "_ns") != 0) {
			CU_ASSERT_FALSE(gate_column_is_duration(c->name));
			continue;
		}
		CU_ASSERT_FATAL(n < sizeof(times) / sizeof(*times));
		CU_ASSERT_STRING_EQUAL(c->name, times[n].column);
		CU_ASSERT_EQUAL(gate_column_is_duration(c->name), times[n].duration);
		CU_ASSERT_EQUAL(gate_metric_find(c->name, len - 3) >= 0, times[n].duration);
		n++;
	}
	CU_ASSERT_EQUAL(n, sizeof(times) / sizeof(*times));
}

static void table(void)
{
	static const char *const some[] = {
		"wall",
		"interval",
		"release_wait",
		"gpu",
		"stage.sync",
		"stage.gpu",
		"stage.draw",
		"cause.fence",
		"render_fence",
		"ui_lock",
		"jank.hwui",
		"jank.matrix",
		"fps",
		"frames",
		"lossy",
		"truncated",
		"jank.hwui_legacy",
		"jank.jankstats",
		"jank.frame_timeline",
	};

	CU_ASSERT(gate_metrics() < GATE_METRICS_MAX - 1);
	for (unsigned i = 0; i < gate_metrics(); i++) {
		const struct gate_metric *m = gate_metric_at(i);

		CU_ASSERT_EQUAL(gate_metric_find(m->name, strlen(m->name)), (int)i);
		CU_ASSERT_PTR_NULL(strchr(m->name, ':'));
		CU_ASSERT_EQUAL(strcspn(m->name, "<>= "), strlen(m->name));
		/* Cut to fit, or forgotten. */
		CU_ASSERT(*m->meaning && strlen(m->meaning) < GATE_MEANING_LEN - 1);
		CU_ASSERT(strlen(m->name) < GATE_METRIC_LEN - 1);
		CU_ASSERT_EQUAL(!m->read, !gate_metric_has_series(m) ||
						  !strcmp(m->name, GATE_METRIC_INTERVAL));
	}
	for (size_t i = 0; i < sizeof(some) / sizeof(*some); i++)
		CU_ASSERT(gate_metric_find(some[i], strlen(some[i])) >= 0);
	CU_ASSERT_EQUAL(gate_metric_find("start", 5), -1);
}

/* Wall times 10, 20 (lossy), 30, 40 ms: intervals of complete frames only. */
static void frames_by_status(void)
{
	struct gate_samples *s = gate_samples_new(NULL);
	struct maker m = maker_of(s, 1, "gears \x1b");
	const struct gate_producer *p;
	const struct gate_series *wall;

	CU_ASSERT_EQUAL(make_frame(&m, 10, FRAME_COMPLETE), 0);
	CU_ASSERT_EQUAL(make_frame(&m, 20, FRAME_LOSSY), 0);
	CU_ASSERT_EQUAL(make_frame(&m, 30, FRAME_COMPLETE), 30);
	CU_ASSERT_EQUAL(make_frame(&m, 40, FRAME_COMPLETE), 40);
	CU_ASSERT_EQUAL(make_frame(&m, 50, FRAME_TRUNCATED), 0);
	p = gate_samples_producer(s, 0);
	CU_ASSERT_PTR_NOT_NULL_FATAL(p);
	CU_ASSERT_PTR_NULL(gate_samples_producer(s, 1));
	CU_ASSERT_STRING_EQUAL(p->name, "gears \\x1b");
	CU_ASSERT_PTR_EQUAL(gate_samples_find(s, "gears \\x1b"), p);
	CU_ASSERT_EQUAL(p->counts[FRAME_COMPLETE], 3);
	CU_ASSERT_EQUAL(p->counts[FRAME_LOSSY], 1);
	CU_ASSERT_EQUAL(p->counts[FRAME_TRUNCATED], 1);
	CU_ASSERT_EQUAL(p->wall_sum_ns, 80);
	wall = series_of(p, "wall");
	CU_ASSERT_EQUAL_FATAL(wall->nr, 3);
	CU_ASSERT_EQUAL(wall->values[0], 10);
	CU_ASSERT_EQUAL(wall->values[1], 30);
	CU_ASSERT_EQUAL(wall->values[2], 40);
	CU_ASSERT_EQUAL(wall->sum, 80);
	CU_ASSERT_EQUAL(wall->min, 10);
	CU_ASSERT_EQUAL(wall->max, 40);
	CU_ASSERT_EQUAL(series_of(p, "interval")->nr, 2);
	CU_ASSERT_EQUAL(series_of(p, "cause.fence")->max, 0);
	CU_ASSERT_PTR_NULL(series_of(p, "jank.hwui"));
	CU_ASSERT_PTR_NULL(series_of(p, "release_wait"));
	gate_samples_free(s);
}

static void only_what_is_wanted(void)
{
	bool wanted[GATE_METRICS_MAX] = { 0 };
	struct gate_samples *s;
	struct maker m;

	wanted[metric_of("wall")] = true;
	s = gate_samples_new(wanted);
	m = maker_of(s, 1, "gears");
	make_frame(&m, 10, FRAME_COMPLETE);
	make_frame(&m, 10, FRAME_COMPLETE);
	CU_ASSERT_PTR_NOT_NULL(series_of(gate_samples_producer(s, 0), "wall"));
	CU_ASSERT_PTR_NULL(series_of(gate_samples_producer(s, 0), "interval"));
	CU_ASSERT_PTR_NULL(series_of(gate_samples_producer(s, 0), "cause.running"));
	gate_samples_free(s);
}

/* Of time of which nothing is known, no cause has 0: it is not known either. */
static void unobserved_parts(void)
{
	struct gate_samples *s = gate_samples_new(NULL);
	struct producer producer = { .id = 1, .name = "app" };
	struct frame f = { .producer = &producer, .number = 1, .start_ns = 10, .end_ns = 20 };
	const struct gate_producer *p;
	uint64_t interval_ns;

	f.render.ns[BUDGET_UNKNOWN] = 10;
	CU_ASSERT_EQUAL(gate_samples_add(s, &f, &interval_ns), 0);
	p = gate_samples_producer(s, 0);
	CU_ASSERT_PTR_NULL(series_of(p, "cause.fence"));
	CU_ASSERT_PTR_NULL(series_of(p, "render_running"));
	CU_ASSERT_EQUAL(series_of(p, "cause.unknown")->max, 10);
	gate_samples_free(s);
}

/*
 * More than are kept: frames that alternate between 1 and 3, and one of 100 in a thousand. What is
 * kept is evenly spread, and has its share of both.
 */
static void thinning(void)
{
	bool wanted[GATE_METRICS_MAX] = { 0 };
	const uint64_t n = 5 * (uint64_t)GATE_SERIES_MAX + 17;
	const struct gate_series *wall;
	struct gate_samples *s;
	uint64_t ones = 0, hundreds = 0, sum = 0;
	struct maker m;

	wanted[metric_of("wall")] = true;
	s = gate_samples_new(wanted);
	m = maker_of(s, 1, "gears");
	for (uint64_t i = 0; i < n; i++) {
		uint64_t wall_ns = i % 1000 == 999 ? 100 : i % 2 ? 3 : 1;

		make_frame(&m, wall_ns, FRAME_COMPLETE);
		sum += wall_ns;
	}
	wall = series_of(gate_samples_producer(s, 0), "wall");
	CU_ASSERT_EQUAL(wall->count, n);
	CU_ASSERT_EQUAL(wall->sum, (double)sum);
	CU_ASSERT_EQUAL(wall->max, 100);
	CU_ASSERT_EQUAL(wall->stride, 8);
	CU_ASSERT_EQUAL(wall->nr, n / 8);
	for (size_t i = 0; i < wall->nr; i++) {
		ones += wall->values[i] == 1;
		hundreds += wall->values[i] == 100;
	}
	/* Half, and a thousandth, within 5 standard deviations: 143 and 9.1. */
	CU_ASSERT(llabs((long long)ones - (long long)wall->nr / 2) < 716);
	CU_ASSERT(llabs((long long)hundreds - (long long)wall->nr / 1000) < 46);
	gate_samples_free(s);
}

static void too_many_producers(void)
{
	struct gate_samples *s = gate_samples_new(NULL);
	struct producer producer = { .name = "x" };
	struct frame f = { .producer = &producer, .number = 1, .start_ns = 1, .end_ns = 2 };
	uint64_t interval_ns;

	for (producer.id = 1; producer.id <= GATE_PRODUCERS_MAX; producer.id++)
		CU_ASSERT_EQUAL_FATAL(gate_samples_add(s, &f, &interval_ns), 0);
	CU_ASSERT_EQUAL(gate_samples_add(s, &f, &interval_ns), -E2BIG);
	producer.id = 1;
	CU_ASSERT_EQUAL(gate_samples_add(s, &f, &interval_ns), 0);
	gate_samples_free(s);
	gate_samples_free(NULL);
}

int main(void)
{
	static const struct check_case cases[] = {
		{ "columns", columns },
		{ "table", table },
		{ "frames by status", frames_by_status },
		{ "only what is wanted", only_what_is_wanted },
		{ "unobserved parts", unobserved_parts },
		{ "thinning", thinning },
		{ "too many producers", too_many_producers },
		{ 0 },
	};

	return check_main("gate_samples", cases);
}
