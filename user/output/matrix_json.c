/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The two shapes of Matrix's Trace_FPS. */
#include "output/matrix_json.h"

#include <errno.h>
#include <stdlib.h>

#include "base/clock.h"
#include "output/json_values.h"

#define DOUBLE_DIGITS 17 /* these tell any two of them apart */

static const char *const average_names[] = {
	[METRIC_UNKNOWN_DELAY] = "UNKNOWN_DELAY_DURATION",
	[METRIC_INPUT_HANDLING] = "INPUT_HANDLING_DURATION",
	[METRIC_ANIMATION] = "ANIMATION_DURATION",
	[METRIC_LAYOUT_MEASURE] = "LAYOUT_MEASURE_DURATION",
	[METRIC_DRAW] = "DRAW_DURATION",
	[METRIC_SYNC] = "SYNC_DURATION",
	[METRIC_COMMAND_ISSUE] = "COMMAND_ISSUE_DURATION",
	[METRIC_SWAP_BUFFERS] = "SWAP_BUFFERS_DURATION",
	[METRIC_TOTAL] = "TOTAL_DURATION",
};
_Static_assert(sizeof(average_names) / sizeof(average_names[0]) == MATRIX_AVERAGES,
	       "a name for every average");

static int set_signed(json_t *o, const char *key, int64_t value)
{
	return json_object_set_new(o, key, json_integer(value));
}

static int set_level(json_t *counts, json_t *sums, enum matrix_level level, int32_t count,
		     int64_t sum)
{
	return set_signed(counts, matrix_level_name(level), count) |
	       set_signed(sums, matrix_level_name(level), sum);
}

/* The newer shape has the levels from the best on, the older from the worst. */
static int set_levels(json_t *o, const int32_t *count, const int64_t *sum, bool best_first)
{
	json_t *counts = json_object(), *sums = json_object();
	int rc = 0;

	for (unsigned i = 0; i < MATRIX_LEVEL_NR; i++) {
		unsigned level = best_first ? i : MATRIX_LEVEL_NR - 1 - i;

		rc |= set_level(counts, sums, (enum matrix_level)level, count[level], sum[level]);
	}
	rc |= json_object_set_new(o, "dropLevel", counts);
	return json_object_set_new(o, "dropSum", sums) | rc;
}

/* A whole number has no fraction there, not even ".0". */
static int set_fps(json_t *o, float fps)
{
	double wide = (double)fps;
	bool whole = wide > -1e15 && wide < 1e15 && wide == (double)(int64_t)wide;

	return json_object_set_new(o, "fps",
				   whole ? json_integer((json_int_t)wide) : json_real(wide));
}

/* So many digits as Java takes: no more than are needed to tell the number from its neighbours. */
static size_t digits(float fps)
{
	double wide = (double)fps;
	char text[64];
	int nr = 1;

	for (; nr < DOUBLE_DIGITS; nr++) {
		snprintf(text, sizeof(text), "%.*g", nr, wide);
		if (strtod(text, NULL) == wide)
			break;
	}
	return (size_t)nr;
}

/* Takes the object; `rc` is what making it has come to. */
static int finish(FILE *out, json_t *o, float fps, const struct matrix_issue *issue, int rc)
{
	rc |= json_set_text(o, "tag", "Trace_FPS");
	rc |= json_set_name(o, "process", issue->process);
	if (issue->time_ms)
		rc |= json_set_number(o, "time", issue->time_ms);
	if (issue->partial)
		rc |= json_object_set_new(o, "partial", json_true());
	/* What could not be written shows in output_finish(). */
	if (!rc) {
		json_dumpf(o, out,
			   JSON_COMPACT | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(digits(fps)));
		putc('\n', out);
	}
	json_decref(o);
	return rc ? -ENOMEM : 0;
}

int matrix_json_frames(FILE *out, const struct matrix_report *r, const struct matrix_issue *issue)
{
	json_t *o = json_object();
	int rc = json_set_name(o, "scene", r->scene);

	rc |= set_levels(o, r->level, r->sum, true);
	rc |= set_fps(o, r->fps);
	for (unsigned id = 0; id < MATRIX_AVERAGES; id++)
		rc |= set_signed(o, average_names[id], r->average_ns[id]);
	if (r->has_gpu)
		rc |= set_signed(o, "GPU_DURATION", r->gpu_ns);
	rc |= set_signed(o, "DROP_COUNT", r->dropped);
	rc |= set_signed(o, "REFRESH_RATE", r->refresh_hz);
	return finish(out, o, r->fps, issue, rc);
}

int matrix_json_looper(FILE *out, const struct looper_report *r, const struct matrix_issue *issue)
{
	json_t *o = json_object();
	int rc = json_set_name(o, "scene", r->scene);

	rc |= set_levels(o, r->level, r->sum, false);
	if (r->frames)
		rc |= set_fps(o, r->fps);
	rc |= set_signed(o, "dropTaskFrameSum", r->dropped);
	rc |= json_set_number(o, "taskCost", r->task_ns / NSEC_PER_MSEC);
	rc |= json_set_number(o, "taskCount", r->tasks);
	rc |= json_set_number(o, "containsFrameCount", r->tasks_with_frame);
	if (r->costs) {
		rc |= json_set_number(o, "inputCost", r->input_ns);
		rc |= json_set_number(o, "animationCost", r->animation_ns);
		rc |= json_set_number(o, "traversalCost", r->traversal_ns);
	}
	if (r->left_out)
		rc |= json_set_number(o, "leftOutCount", r->left_out);
	return finish(out, o, r->fps, issue, rc);
}
