/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The columns of a frame as machines read them. */
#include <inttypes.h>
#include <stdio.h>

#include "base/text.h"
#include "model/metrics.h"
#include "output/frames_columns.h"

enum number_arg { NUMBER_FRAME, NUMBER_START, NUMBER_END, NUMBER_WALL };

static void get_number(const void *row, unsigned arg, struct cell *c)
{
	const struct frame *f = frame_of_row(row);

	/* Not all that is dumped has these times, and not all that it has make sense. */
	if (f->dumped && !frame_is_told(f) && arg != NUMBER_FRAME &&
	    (f->fault || f->dumped != DUMP_ROW))
		return;
	switch ((enum number_arg)arg) {
	case NUMBER_FRAME:
		cell_set_number(c, f->number);
		break;
	case NUMBER_START:
		cell_set_number(c, f->start_ns);
		break;
	case NUMBER_END:
		cell_set_number(c, f->end_ns);
		break;
	case NUMBER_WALL:
		cell_set_number(c, f->end_ns - f->start_ns);
		break;
	}
}

static void get_producer(const void *row, unsigned arg, struct cell *c)
{
	const struct frame *f = frame_of_row(row);

	(void)arg;
	cell_set_name(c, f->producer->name, sizeof(f->producer->name));
}

enum id_arg { ID_PID, ID_UI, ID_RENDER };

/* Id 0 means that it is not known. */
static void get_id(const void *row, unsigned arg, struct cell *c)
{
	const struct frame *f = frame_of_row(row);
	const struct producer *p = f->producer;
	const uint32_t ids[] = {
		[ID_PID] = p->pid,
		[ID_UI] = f->hwui.ui_tid ? f->hwui.ui_tid : p->ui_tid,
		[ID_RENDER] = p->render_tid,
	};

	if (ids[arg])
		cell_set_number(c, ids[arg]);
}

static void get_surface(const void *row, unsigned arg, struct cell *c)
{
	const struct frame *f = frame_of_row(row);

	(void)arg;
	if (f->dumped || f->producer->surface_made_up)
		return;
	*text_hex_digits(c->text, f->producer->surface) = '\0';
	cell_set_text(c);
}

static void get_status(const void *row, unsigned arg, struct cell *c)
{
	const struct frame *f = frame_of_row(row);

	(void)arg;
	cell_set_word(c, frame_status_name(f->status));
}

/* What was only told of has no threads whose time was watched. */
static void get_part(const void *row, unsigned arg, struct cell *c)
{
	const struct frame *f = frame_of_row(row);

	if (!f->dumped)
		cell_set_number(c, f->render.ns[arg]);
}

enum call_arg { CALL_SWAP, CALL_DEQUEUE, CALL_QUEUE };

static void get_call(const void *row, unsigned arg, struct cell *c)
{
	const struct frame *f = frame_of_row(row);
	static const uint32_t roles[] = {
		[CALL_SWAP] = 1u << FS_ROLE_SWAP | 1u << FS_ROLE_PRESENT,
		[CALL_DEQUEUE] = 1u << FS_ROLE_DEQUEUE,
		[CALL_QUEUE] = 1u << FS_ROLE_QUEUE,
	};
	const uint64_t lengths[] = {
		[CALL_SWAP] = f->swap_ns,
		[CALL_DEQUEUE] = f->dequeue_ns,
		[CALL_QUEUE] = f->queue_ns,
	};

	if (f->seen & roles[arg])
		cell_set_number(c, lengths[arg]);
}

enum top_arg { TOP_CAUSE, TOP_NS, TOP_WAKER, TOP_CONFIDENCE, TOP_DETAIL };

static void get_top(const void *row, unsigned arg, struct cell *c)
{
	const struct frame *f = frame_of_row(row);
	uint64_t ns;
	enum budget_part part = frame_top_cause(f, &ns);

	if (!ns || f->dumped)
		return;
	if (arg == TOP_NS) {
		cell_set_number(c, ns);
		return;
	}
	if (arg == TOP_CAUSE) {
		cell_set_word(c, budget_part_name(part));
		return;
	}

	const struct blocker *b = frame_top_blocker(f, part);
	if (!b)
		return;
	if (arg == TOP_CONFIDENCE) {
		cell_set_word(c, confidence_name(b->confidence));
		return;
	}
	if (arg == TOP_WAKER) {
		words_waker(c->text, sizeof(c->text), b, WORDS_NO_LIMIT);
	} else {
		char taker[WORDS_LEN / 2];

		words_taker(taker, sizeof(taker), b, WORDS_NO_LIMIT);
		if (*taker)
			snprintf(c->text, sizeof(c->text), "CPU taken by %s", taker);
		else
			words_detail(c->text, sizeof(c->text), b);
	}
	cell_set_text(c);
}

enum fence_arg { FENCE_ACQUIRE, FENCE_RELEASE };

static void get_fence(const void *row, unsigned arg, struct cell *c)
{
	const struct frame *f = frame_of_row(row);
	const struct fence_id *id = arg == FENCE_ACQUIRE ? &f->acquire : &f->release;

	if (!(arg == FENCE_ACQUIRE ? f->has_acquire : f->has_release))
		return;
	snprintf(c->text, sizeof(c->text), "%" PRIu64 ":%" PRIu64, id->context, id->seqno);
	cell_set_text(c);
}

enum fence_time_arg { TIME_ACQUIRE, TIME_GPU, TIME_RELEASE };

/* 0 is a time that was not observed. */
static void get_fence_time(const void *row, unsigned arg, struct cell *c)
{
	const struct frame *f = frame_of_row(row);
	const uint64_t times[] = {
		[TIME_ACQUIRE] = f->acquire_signal_ns,
		[TIME_GPU] = f->gpu_ns,
		[TIME_RELEASE] = f->release_signal_ns,
	};

	if (times[arg])
		cell_set_number(c, times[arg]);
}

static void get_release_wait(const void *row, unsigned arg, struct cell *c)
{
	const struct frame *f = frame_of_row(row);

	(void)arg;
	if (f->has_release)
		cell_set_number(c, f->release_wait_ns);
}

static void get_fence_confidence(const void *row, unsigned arg, struct cell *c)
{
	const struct frame *f = frame_of_row(row);

	(void)arg;
	if (f->waited)
		cell_set_word(c, confidence_name(f->fence_confidence));
}

static void get_depth(const void *row, unsigned arg, struct cell *c)
{
	const struct frame *f = frame_of_row(row);

	(void)arg;
	if (f->has_depth)
		cell_set_number(c, f->queue_depth);
}

const struct listing_column frames_columns[] = {
	{ "frame", get_number, NUMBER_FRAME },
	{ "producer", get_producer, 0 },
	{ "pid", get_id, ID_PID },
	{ "ui_tid", get_id, ID_UI },
	{ "render_tid", get_id, ID_RENDER },
	{ "surface", get_surface, 0 },
	{ "start_ns", get_number, NUMBER_START },
	{ "end_ns", get_number, NUMBER_END },
	{ "wall_ns", get_number, NUMBER_WALL },
	{ "status", get_status, 0 },
	{ "render_running_ns", get_part, BUDGET_RUNNING },
	{ "render_runnable_ns", get_part, BUDGET_RUNNABLE },
	{ "render_fence_ns", get_part, BUDGET_FENCE },
	{ "render_slot_ns", get_part, BUDGET_SLOT },
	{ "render_gpu_ns", get_part, BUDGET_GPU },
	{ "render_lock_ns", get_part, BUDGET_LOCK },
	{ "render_binder_ns", get_part, BUDGET_BINDER },
	{ "render_ipc_ns", get_part, BUDGET_IPC },
	{ "render_io_ns", get_part, BUDGET_IO },
	{ "render_sleep_ns", get_part, BUDGET_SLEEP },
	{ "render_other_ns", get_part, BUDGET_OTHER },
	{ "render_unknown_ns", get_part, BUDGET_UNKNOWN },
	{ "swap_ns", get_call, CALL_SWAP },
	{ "dequeue_ns", get_call, CALL_DEQUEUE },
	{ "queue_ns", get_call, CALL_QUEUE },
	{ "top_cause", get_top, TOP_CAUSE },
	{ "top_cause_ns", get_top, TOP_NS },
	{ "top_waker", get_top, TOP_WAKER },
	{ "top_confidence", get_top, TOP_CONFIDENCE },
	{ "top_detail", get_top, TOP_DETAIL },
	{ "acquire_fence", get_fence, FENCE_ACQUIRE },
	{ "acquire_signal_ns", get_fence_time, TIME_ACQUIRE },
	{ "gpu_ns", get_fence_time, TIME_GPU },
	{ "release_fence", get_fence, FENCE_RELEASE },
	{ "release_signal_ns", get_fence_time, TIME_RELEASE },
	{ "release_wait_ns", get_release_wait, 0 },
	{ "fence_confidence", get_fence_confidence, 0 },
	{ "queue_depth", get_depth, 0 },
	{ "frame_kind", column_hwui_text, HWUI_KIND },
	{ "skip_reason", column_hwui_text, HWUI_SKIP_REASON },
	{ "vsync_id", column_hwui_number, HWUI_VSYNC_ID },
	{ "frame_number", column_hwui_number, HWUI_FRAME_NUMBER },
	{ "jank_tracker", column_hwui_text, HWUI_JANK_TRACKER },
	{ "unknown_delay_ns", column_metric, METRIC_UNKNOWN_DELAY },
	{ "input_handling_ns", column_metric, METRIC_INPUT_HANDLING },
	{ "animation_ns", column_metric, METRIC_ANIMATION },
	{ "layout_measure_ns", column_metric, METRIC_LAYOUT_MEASURE },
	{ "draw_ns", column_metric, METRIC_DRAW },
	{ "sync_ns", column_metric, METRIC_SYNC },
	{ "command_issue_ns", column_metric, METRIC_COMMAND_ISSUE },
	{ "swap_buffers_ns", column_metric, METRIC_SWAP_BUFFERS },
	{ "total_ns", column_metric, METRIC_TOTAL },
	{ "first_draw_frame", column_metric, METRIC_FIRST_DRAW_FRAME },
	{ "intended_vsync_ns", column_metric, METRIC_INTENDED_VSYNC },
	{ "vsync_ns", column_metric, METRIC_VSYNC },
	{ "gpu_duration_ns", column_metric, METRIC_GPU },
	{ "deadline_ns", column_metric, METRIC_DEADLINE },
	{ "frame_timeline_vsync_id", column_metric, METRIC_VSYNC_ID },
	{ "render_queue_ns", column_hwui_number, HWUI_RENDER_QUEUE },
	{ "commit_ns", column_hwui_number, HWUI_COMMIT },
	{ "sync_dequeue_ns", column_hwui_number, HWUI_SYNC_DEQUEUE },
	{ "frame_deadline_ns", column_hwui_number, HWUI_FRAME_DEADLINE },
	{ "vsync_delivery_ns", column_hwui_number, HWUI_VSYNC_DELIVERY },
	{ "top_stage", column_hwui_text, HWUI_TOP_STAGE },
	{ "ui_running_ns", column_ui_part, BUDGET_RUNNING },
	{ "ui_runnable_ns", column_ui_part, BUDGET_RUNNABLE },
	{ "ui_fence_ns", column_ui_part, BUDGET_FENCE },
	{ "ui_slot_ns", column_ui_part, BUDGET_SLOT },
	{ "ui_gpu_ns", column_ui_part, BUDGET_GPU },
	{ "ui_lock_ns", column_ui_part, BUDGET_LOCK },
	{ "ui_binder_ns", column_ui_part, BUDGET_BINDER },
	{ "ui_ipc_ns", column_ui_part, BUDGET_IPC },
	{ "ui_io_ns", column_ui_part, BUDGET_IO },
	{ "ui_sleep_ns", column_ui_part, BUDGET_SLEEP },
	{ "ui_other_ns", column_ui_part, BUDGET_OTHER },
	{ "ui_unknown_ns", column_ui_part, BUDGET_UNKNOWN },
	{ "ui_end_ns", column_hwui_number, HWUI_UI_END },
	{ "render_start_ns", column_hwui_number, HWUI_RENDER_START },
	{ "window", column_dumped_text, DUMPED_WINDOW },
	{ "fault", column_dumped_text, DUMPED_FAULT },
	{ "hwui_janky", column_verdict_number, VERDICT_JANKY },
	{ "hwui_janky_legacy", column_verdict_number, VERDICT_JANKY_LEGACY },
	{ "hwui_jank_types", column_verdict_text, VERDICT_JANK_TYPES },
	{ "hwui_total_ns", column_verdict_number, VERDICT_TOTAL },
	{ "hwui_stuffed", column_verdict_number, VERDICT_STUFFED },
	{ "hwui_davey", column_verdict_number, VERDICT_DAVEY },
	{ "hwui_confidence", column_verdict_text, VERDICT_CONFIDENCE },
	{ "jankstats_janky", column_verdict_number, VERDICT_JANKSTATS_JANKY },
	{ "jankstats_start_ns", column_verdict_number, VERDICT_JANKSTATS_START },
	{ "jankstats_ui_ns", column_verdict_number, VERDICT_JANKSTATS_UI },
	{ "jankstats_cpu_ns", column_verdict_number, VERDICT_JANKSTATS_CPU },
	{ "jankstats_total_ns", column_verdict_number, VERDICT_JANKSTATS_TOTAL },
	{ "jankstats_overrun_ns", column_verdict_number, VERDICT_JANKSTATS_OVERRUN },
	{ "matrix_dropped", column_dropped, 0 },
	{ "matrix_level", column_verdict_text, VERDICT_MATRIX_LEVEL },
	{ "disagree", column_verdict_text, VERDICT_DISAGREE },
	{ "table_draw_ns", column_time, TIME_DRAW },
	{ "table_prepare_ns", column_time, TIME_PREPARE },
	{ "table_process_ns", column_time, TIME_PROCESS },
	{ "table_execute_ns", column_time, TIME_EXECUTE },
	{ "desired_present_ns", column_present, PRESENT_DESIRED },
	{ "actual_present_ns", column_present, PRESENT_ACTUAL },
	{ "frame_ready_ns", column_present, PRESENT_READY },
	{ "ft_token", column_ft_number, FT_NUMBER_TOKEN },
	{ "ft_jank", column_ft_text, FT_TEXT_JANK },
	{ "ft_present", column_ft_text, FT_TEXT_PRESENT },
	{ "ft_prediction", column_ft_text, FT_TEXT_PREDICTION },
	{ "ft_severity", column_ft_text, FT_TEXT_SEVERITY },
	{ "ft_on_time", column_ft_number, FT_NUMBER_ON_TIME },
	{ "ft_gpu_composition", column_ft_number, FT_NUMBER_GPU_COMPOSITION },
	{ "ft_expected_start_ns", column_ft_number, FT_NUMBER_EXPECTED_START },
	{ "ft_deadline_ns", column_ft_number, FT_NUMBER_DEADLINE },
	{ "ft_actual_start_ns", column_ft_number, FT_NUMBER_ACTUAL_START },
	{ "ft_actual_end_ns", column_ft_number, FT_NUMBER_ACTUAL_END },
	{ "ft_overrun_ns", column_ft_overrun, 0 },
	{ "ft_layer", column_ft_text, FT_TEXT_LAYER },
	{ "ft_layers", column_ft_number, FT_NUMBER_LAYERS },
	{ "ft_display_token", column_ft_number, FT_NUMBER_DISPLAY_TOKEN },
	{ "ft_display_jank", column_ft_text, FT_TEXT_DISPLAY_JANK },
	{ NULL, NULL, 0 },
};

_Static_assert(BUDGET_NR == 12, "a new part of the budget needs a column, appended");
