/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The table of metrics: columns of frames, stages, causes, verdicts, and numbers of a whole run. */
#include "gate/metric.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "judge/jank_tracker.h"
#include "judge/java.h"
#include "output/frames_columns.h"

#define SUFFIX "_ns"
#define LEGACY_SINCE 12 /* release of Android that has both of HWUI's rules */

/* The columns that are points in time: no durations. */
static const char *const times[] = {
	"start_ns",           "end_ns",
	"acquire_signal_ns",  "release_signal_ns",
	"intended_vsync_ns",  "vsync_ns",
	"frame_deadline_ns",  "ui_end_ns",
	"render_start_ns",    "jankstats_start_ns",
	"desired_present_ns", "actual_present_ns",
	"frame_ready_ns",     "ft_expected_start_ns",
	"ft_deadline_ns",     "ft_actual_start_ns",
	"ft_actual_end_ns",   NULL,
};

/* What the others are; parts of a budget have a text of their own. */
static const struct {
	const char *name;
	enum gate_need need;
	const char *meaning;
} durations[] = {
	{ "wall", GATE_NEED_TIMES, "a frame from its beginning to its end" },
	{ "swap", GATE_NEED_CALLS, "inside the swap or present call" },
	{ "dequeue", GATE_NEED_CALLS, "inside dequeueBuffer()" },
	{ "queue", GATE_NEED_CALLS, "inside queueBuffer()" },
	{ "top_cause", GATE_NEED_THREADS, "the largest part of the frame's time" },
	{ "gpu", GATE_NEED_FENCES, "the GPU's work for the frame, by its acquire fence" },
	{ "release_wait", GATE_NEED_FENCES, "blocked for the release fence of its buffer" },
	{ "unknown_delay", GATE_NEED_HWUI, "FrameMetrics: from the vsync to the UI thread" },
	{ "input_handling", GATE_NEED_HWUI, "FrameMetrics: handling input" },
	{ "animation", GATE_NEED_HWUI, "FrameMetrics: running animations" },
	{ "layout_measure", GATE_NEED_HWUI, "FrameMetrics: layout and measure" },
	{ "draw", GATE_NEED_HWUI, "FrameMetrics: recording what is drawn" },
	{ "sync", GATE_NEED_HWUI, "FrameMetrics: handing it to the RenderThread" },
	{ "command_issue", GATE_NEED_HWUI, "FrameMetrics: issuing draw commands" },
	{ "swap_buffers", GATE_NEED_HWUI, "FrameMetrics: swapping buffers" },
	{ "total", GATE_NEED_FRAME_INFO, "FrameMetrics: from the vsync to the frame's end" },
	{ "gpu_duration", GATE_NEED_FRAME_INFO, "FrameMetrics: the GPU's time" },
	{ "deadline", GATE_NEED_FRAME_INFO, "FrameMetrics: from the vsync to the deadline" },
	{ "render_queue", GATE_NEED_HWUI, "waiting for the RenderThread" },
	{ "commit", GATE_NEED_HWUI, "the UI thread, after it was let go, until its message's end" },
	{ "sync_dequeue", GATE_NEED_HWUI, "waiting for a buffer while syncing" },
	{ "vsync_delivery", GATE_NEED_HWUI, "from the vsync until the UI thread was told of it" },
	{ "hwui_total", GATE_NEED_FRAME_INFO, "the length that HWUI's histogram counts" },
	{ "jankstats_ui", GATE_NEED_FRAME_INFO, "JankStats: frameDurationUiNanos" },
	{ "jankstats_cpu", GATE_NEED_FRAME_INFO, "JankStats: frameDurationCpuNanos" },
	{ "jankstats_total", GATE_NEED_FRAME_INFO, "JankStats: frameDurationTotalNanos" },
	{ "jankstats_overrun", GATE_NEED_FRAME_INFO, "JankStats: frameOverrunNanos" },
	{ "table_draw", GATE_NEED_TABLE, "dumpsys gfxinfo's table: Draw" },
	{ "table_prepare", GATE_NEED_TABLE, "dumpsys gfxinfo's table: Prepare" },
	{ "table_process", GATE_NEED_TABLE, "dumpsys gfxinfo's table: Process" },
	{ "table_execute", GATE_NEED_TABLE, "dumpsys gfxinfo's table: Execute" },
	{ "ft_overrun", GATE_NEED_TIMELINE,
	  "how long after FrameTimeline's deadline it was ready" },
};

static struct gate_metric table[GATE_METRICS_MAX];
static unsigned nr; /* 0: the table is not filled yet */

/* GATE_METRICS_MAX is far beyond what there is, which a test sees to. */
static struct gate_metric *add(const char *name, enum gate_form form, enum gate_need need)
{
	struct gate_metric *m = &table[nr < GATE_METRICS_MAX - 1 ? nr++ : nr];

	snprintf(m->name, sizeof(m->name), "%s", name);
	m->form = form;
	m->need = need;
	return m;
}

static void set_meaning(struct gate_metric *m, const char *before, const char *text)
{
	snprintf(m->meaning, sizeof(m->meaning), "%s%s", before, text);
}

static bool read_column(const struct gate_metric *m, const struct frame *f, int64_t *value)
{
	const struct frame_row row = { .frame = f };
	struct cell c;

	listing_get(m->column, &row, &c);
	*value = (int64_t)c.number;
	/* A number beyond comes from a forged file. */
	return c.kind == CELL_SIGNED || (c.kind == CELL_NUMBER && c.number <= INT64_MAX);
}

static const struct budget *of_render(const struct frame *f)
{
	return &f->render;
}

static const struct budget *of_ui(const struct frame *f)
{
	return &f->hwui.ui;
}

/* Of time of which nothing was observed, no part is known but that. */
static bool read_part(const struct gate_metric *m, const struct frame *f, int64_t *value)
{
	const struct budget *b = m->of(f);
	bool nothing = b->ns[BUDGET_UNKNOWN] && b->ns[BUDGET_UNKNOWN] == budget_total(b);

	*value = (int64_t)b->ns[m->arg];
	if (nothing && m->arg != BUDGET_UNKNOWN)
		return false;
	return m->column ? read_column(m, f, value) : !f->dumped;
}

/* Running and waiting for a CPU is what every scheduler says. */
static enum gate_need need_of_part(enum budget_part part)
{
	return part == BUDGET_RUNNING || part == BUDGET_RUNNABLE || part == BUDGET_UNKNOWN
		       ? GATE_NEED_THREADS
		       : GATE_NEED_REASONS;
}

static void make_part(struct gate_metric *m, const struct budget *(*of)(const struct frame *f),
		      enum budget_part part, const char *whose)
{
	m->read = read_part;
	m->of = of;
	m->arg = part;
	m->need = need_of_part(part);
	set_meaning(m, whose, words_part(part));
}

/* "render_fence": of a budget, and which part; or false. */
static bool is_part(const char *name, const char *prefix, enum budget_part *part)
{
	size_t len = strlen(prefix);

	if (strncmp(name, prefix, len) != 0)
		return false;
	for (unsigned i = 0; i < BUDGET_NR; i++) {
		*part = (enum budget_part)i;
		if (!strcmp(name + len, budget_part_name(*part)))
			return true;
	}
	return false;
}

static void describe_column(struct gate_metric *m)
{
	enum budget_part part;

	for (size_t i = 0; i < sizeof(durations) / sizeof(*durations); i++) {
		if (strcmp(durations[i].name, m->name) != 0)
			continue;
		m->need = durations[i].need;
		set_meaning(m, "", durations[i].meaning);
		return;
	}
	if (is_part(m->name, "render_", &part))
		make_part(m, of_render, part, "the thread that swaps: ");
	else if (is_part(m->name, "ui_", &part))
		make_part(m, of_ui, part, "the UI thread: ");
}

bool gate_column_is_duration(const char *column)
{
	size_t len = strlen(column), suffix = strlen(SUFFIX);

	if (len <= suffix || strcmp(column + len - suffix, SUFFIX) != 0)
		return false;
	for (unsigned i = 0; times[i]; i++)
		if (!strcmp(times[i], column))
			return false;
	return true;
}

static void add_columns(void)
{
	for (const struct listing_column *c = frames_columns; c->name; c++) {
		char name[GATE_METRIC_LEN];
		struct gate_metric *m;

		if (!gate_column_is_duration(c->name))
			continue;
		snprintf(name, sizeof(name), "%.*s", (int)(strlen(c->name) - strlen(SUFFIX)),
			 c->name);
		m = add(name, GATE_DURATION, GATE_NEED_TIMES);
		m->read = read_column;
		m->column = c;
		describe_column(m);
	}
}

static bool read_stage(const struct gate_metric *m, const struct frame *f, int64_t *value)
{
	*value = (int64_t)budget_total(&f->hwui.stages[m->arg]);
	return f->hwui.stages_known >> m->arg & 1;
}

/* FrameMetrics's SYNC, which is cut in two here. */
static bool read_sync(const struct gate_metric *m, const struct frame *f, int64_t *value)
{
	const struct hwui_frame *hf = &f->hwui;
	uint64_t ns = budget_total(&hf->stages[STAGE_SYNC_PREPARE]);

	(void)m;
	if (hf->stages_known >> STAGE_SYNC_DEQUEUE & 1)
		ns += budget_total(&hf->stages[STAGE_SYNC_DEQUEUE]);
	*value = (int64_t)ns;
	return hf->stages_known >> STAGE_SYNC_PREPARE & 1;
}

static void add_stages(void)
{
	static const char *const whose[] = {
		[STAGE_OF_UI] = "the UI thread's stage of HWUI",
		[STAGE_OF_RENDER] = "the RenderThread's stage of HWUI",
		[STAGE_OF_GPU] = "from the swap to the end of the GPU's work",
	};
	struct gate_metric *m;
	char name[GATE_METRIC_LEN];

	for (unsigned i = 0; i < STAGE_NR; i++) {
		snprintf(name, sizeof(name), "stage.%s", stage_name((enum stage)i));
		m = add(name, GATE_DURATION, GATE_NEED_HWUI);
		m->read = read_stage;
		m->arg = i;
		set_meaning(m, "", whose[stage_thread((enum stage)i)]);
	}
	m = add("stage.sync", GATE_DURATION, GATE_NEED_HWUI);
	m->read = read_sync;
	set_meaning(m, "", "sync_prepare and sync_dequeue together");
	for (unsigned i = 0; i < BUDGET_NR; i++) {
		snprintf(name, sizeof(name), "cause.%s", budget_part_name((enum budget_part)i));
		m = add(name, GATE_DURATION, GATE_NEED_THREADS);
		make_part(m, frame_way, (enum budget_part)i, "of the frame's way: ");
	}
}

enum verdict_arg {
	HWUI_JANKY,
	HWUI_LEGACY,
	HWUI_STUFFED,
	HWUI_DAVEY,
	JANKSTATS_JANKY,
	MATRIX_DROPPED,
	TIMELINE_JANKY,
	TIMELINE_APP,
	TIMELINE_DROPPED,
};

static bool read_verdict(const struct gate_metric *m, const struct frame *f, int64_t *value)
{
	const struct hwui_verdict *hwui = &f->verdict.hwui;
	const struct jankstats_verdict *js = &f->verdict.jankstats;
	const struct matrix_verdict *matrix = &f->verdict.matrix;
	const struct frame_timeline_verdict *ft = &f->ft;
	bool counted = hwui->known && hwui->counted;

	switch ((enum verdict_arg)m->arg) {
	case HWUI_JANKY:
		*value = hwui->janky;
		return counted;
	case HWUI_LEGACY:
		*value = hwui->janky_legacy;
		return counted && hwui->has_legacy;
	case HWUI_STUFFED:
		*value = hwui->stuffed;
		return counted && hwui->has_legacy;
	case HWUI_DAVEY:
		*value = hwui->davey;
		return counted;
	case JANKSTATS_JANKY:
		*value = js->janky;
		return js->known;
	case MATRIX_DROPPED:
		*value = java_round(matrix->dropped) > 0;
		return matrix->known;
	case TIMELINE_JANKY:
		*value = (ft->jank & ~FT_JANK_NONE) != 0;
		return ft->has_actual;
	case TIMELINE_APP:
		*value = (ft->jank & FT_JANK_APP) != 0;
		return ft->has_actual;
	case TIMELINE_DROPPED:
		*value = ft->jank & FT_JANK_DROPPED || ft->present == FT_PRESENT_DROPPED;
		return ft->has_actual;
	}
	return false;
}

static bool read_jank_type(const struct gate_metric *m, const struct frame *f, int64_t *value)
{
	const struct hwui_verdict *v = &f->verdict.hwui;
	/* The type of the older rule is there where that is the second of two. */
	bool newer = !jank_type_of_release((enum jank_type)m->arg, LEGACY_SINCE - 1);

	*value = v->types >> m->arg & 1;
	return v->known && v->counted && (!newer || v->has_legacy);
}

static void add_verdicts(void)
{
	static const struct {
		const char *name;
		enum verdict_arg arg;
		enum gate_need need;
		const char *meaning;
	} verdicts[] = {
		{ "jank.hwui", HWUI_JANKY, GATE_NEED_FRAME_INFO, "janky by HWUI's JankTracker" },
		{ "jank.hwui_legacy", HWUI_LEGACY, GATE_NEED_FRAME_INFO,
		  "janky by its older rule, which Android 12 on counts beside" },
		{ "jank.stuffed", HWUI_STUFFED, GATE_NEED_FRAME_INFO,
		  "HWUI took a later deadline, as buffers were stuffed" },
		{ "jank.davey", HWUI_DAVEY, GATE_NEED_FRAME_INFO, "so long that HWUI logs it" },
		{ "jank.jankstats", JANKSTATS_JANKY, GATE_NEED_FRAME_INFO, "janky by JankStats" },
		{ "jank.matrix", MATRIX_DROPPED, GATE_NEED_FRAME_INFO,
		  "dropped a frame or more by Tencent Matrix" },
		{ "jank.frame_timeline", TIMELINE_JANKY, GATE_NEED_TIMELINE,
		  "jank of any kind by SurfaceFlinger's FrameTimeline" },
		{ "jank.frame_timeline_app", TIMELINE_APP, GATE_NEED_TIMELINE,
		  "jank that FrameTimeline lays on the app" },
		{ "jank.frame_timeline_dropped", TIMELINE_DROPPED, GATE_NEED_TIMELINE,
		  "dropped by FrameTimeline" },
	};
	struct gate_metric *m;
	char name[GATE_METRIC_LEN];

	for (size_t i = 0; i < sizeof(verdicts) / sizeof(*verdicts); i++) {
		m = add(verdicts[i].name, GATE_YES_NO, verdicts[i].need);
		m->read = read_verdict;
		m->arg = verdicts[i].arg;
		set_meaning(m, "", verdicts[i].meaning);
	}
	for (unsigned i = 0; i < JANK_TYPE_NR; i++) {
		snprintf(name, sizeof(name), "jank.hwui.%s", jank_type_name((enum jank_type)i));
		m = add(name, GATE_YES_NO, GATE_NEED_FRAME_INFO);
		m->read = read_jank_type;
		m->arg = i;
		set_meaning(m, "HWUI's ", jank_type_title((enum jank_type)i));
	}
}

static void add_of_run(void)
{
	struct gate_metric *m = add(GATE_METRIC_INTERVAL, GATE_DURATION, GATE_NEED_FRAMES);

	set_meaning(m, "", "from one frame's end to the next one's");
	m = add("fps", GATE_FPS, GATE_NEED_FRAMES);
	set_meaning(m, "", "frames per second, from the first end to the last");
	m = add("frames", GATE_FRAMES, GATE_NEED_TIMES);
	set_meaning(m, "", "complete frames, which all others are of");
	m = add("lossy", GATE_LOSSY, GATE_NEED_TIMES);
	set_meaning(m, "", "of all frames, those in which records were lost");
	m = add("truncated", GATE_TRUNCATED, GATE_NEED_TIMES);
	set_meaning(m, "", "of all frames, those cut by an edge of the capture");
}

static void fill(void)
{
	if (nr)
		return;
	add_of_run();
	add_columns();
	add_stages();
	add_verdicts();
}

unsigned gate_metrics(void)
{
	fill();
	return nr;
}

const struct gate_metric *gate_metric_at(unsigned index)
{
	fill();
	return &table[index];
}

int gate_metric_find(const char *name, size_t len)
{
	fill();
	for (unsigned i = 0; i < nr; i++)
		if (strlen(table[i].name) == len && !memcmp(table[i].name, name, len))
			return (int)i;
	return -1;
}

const char *gate_metric_nearest(const char *name)
{
	const char *names[GATE_METRICS_MAX + 1];

	fill();
	for (unsigned i = 0; i < nr; i++)
		names[i] = table[i].name;
	names[nr] = NULL;
	return text_nearest(name, names);
}
