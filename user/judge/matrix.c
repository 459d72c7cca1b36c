/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The arithmetic of FrameTracer. A float has 24 bits: the order of operations, and which of them
 * are rounded, decide what comes out.
 */
#include "judge/matrix.h"

#include "base/clock.h"
#include "judge/java.h"

#define SECOND_NS 1000000000.0f
#define API_GPU 31 /* FrameMetrics have the GPU's time */
#define WINDOW_MS 10000
#define FRAMES_MIN 21

/* A duration from here on is none: half of the largest. */
#define LONGEST_NS (INT64_MAX >> 1)

const struct matrix_config matrix_default = {
	.least = {
		[MATRIX_NORMAL] = 3,
		[MATRIX_MIDDLE] = 9,
		[MATRIX_HIGH] = 24,
		[MATRIX_FROZEN] = 42,
	},
};

static const char *const level_names[] = {
	[MATRIX_BEST] = "DROPPED_BEST",     [MATRIX_NORMAL] = "DROPPED_NORMAL",
	[MATRIX_MIDDLE] = "DROPPED_MIDDLE", [MATRIX_HIGH] = "DROPPED_HIGH",
	[MATRIX_FROZEN] = "DROPPED_FROZEN",
};
_Static_assert(sizeof(level_names) / sizeof(level_names[0]) == MATRIX_LEVEL_NR,
	       "a name for every level");

const char *matrix_level_name(enum matrix_level level)
{
	return level_names[level];
}

enum matrix_level matrix_level(const struct matrix_config *c, int32_t dropped)
{
	unsigned level = MATRIX_FROZEN;

	/* They may be configured in any order: the first that is reached from above is it. */
	while (level > MATRIX_BEST && dropped < c->least[level])
		level--;
	return (enum matrix_level)level;
}

/* Those of a sample, if Matrix takes it. */
static bool durations(const struct frame_slots *slots, int64_t ns[MATRIX_AVERAGES])
{
	for (unsigned id = 0; id < MATRIX_AVERAGES; id++) {
		if (!frame_metric(slots, (enum metric)id, &ns[id]) || ns[id] < 0 ||
		    ns[id] >= LONGEST_NS)
			return false;
	}
	return true;
}

static bool is_rate(float hz)
{
	return isfinite(hz) && hz > 0;
}

static void judge(const struct matrix_config *c, int64_t total, float refresh_hz,
		  struct matrix_verdict *v)
{
	float interval = SECOND_NS / refresh_hz;
	float dropped = ((float)total - interval) / interval;

	v->known = true;
	v->dropped = dropped > 0 ? dropped : 0;
	v->level = matrix_level(c, java_round(v->dropped));
}

void matrix_judge(const struct matrix_config *c, const struct frame_slots *slots, float refresh_hz,
		  struct matrix_verdict *v)
{
	int64_t ns[MATRIX_AVERAGES];

	*v = (struct matrix_verdict){ 0 };
	if (is_rate(refresh_hz) && durations(slots, ns))
		judge(c, ns[METRIC_TOTAL], refresh_hz, v);
}

void matrix_window_init(struct matrix_window *w, const struct matrix_config *config, unsigned api,
			const char *scene)
{
	*w = (struct matrix_window){ .config = config, .api = api, .scene = scene };
}

bool matrix_window_add(struct matrix_window *w, const struct frame_slots *slots, float refresh_hz,
		       uint64_t now, struct matrix_report *r)
{
	int64_t ns[MATRIX_AVERAGES], gpu;
	struct matrix_verdict v;
	float interval, length;
	int32_t dropped;

	if (!is_rate(refresh_hz) || !durations(slots, ns))
		return false;
	judge(w->config, ns[METRIC_TOTAL], refresh_hz, &v);
	if (!w->frames)
		w->begin_ns = now;
	for (unsigned id = 0; id < MATRIX_AVERAGES; id++)
		w->total_ns[id] = java_sum(w->total_ns[id], ns[id]);
	if (frame_metric(slots, METRIC_GPU, &gpu))
		w->gpu_ns = java_sum(w->gpu_ns, gpu);
	else
		w->gpu_unknown = true;
	dropped = java_round(v.dropped);
	w->level[v.level]++;
	w->sum[v.level] += dropped;
	w->dropped += v.dropped;
	w->refresh_hz += refresh_hz;
	interval = SECOND_NS / refresh_hz;
	length = (float)ns[METRIC_TOTAL];
	w->length_ns += length > interval ? length : interval;
	w->frames++;
	w->end_ns = now;
	/* By a clock of whole milliseconds. */
	if ((int64_t)(now / NSEC_PER_MSEC) - (int64_t)(w->begin_ns / NSEC_PER_MSEC) < WINDOW_MS)
		return false;
	return matrix_window_flush(w, r);
}

bool matrix_window_flush(struct matrix_window *w, struct matrix_report *r)
{
	bool enough = w->frames >= FRAMES_MIN;
	float frames = (float)w->frames;

	if (enough) {
		*r = (struct matrix_report){
			.scene = w->scene,
			.begin_ns = w->begin_ns,
			.end_ns = w->end_ns,
			.frames = w->frames,
			.fps = SECOND_NS / (w->length_ns / frames),
			.has_gpu = w->api >= API_GPU && !w->gpu_unknown,
			.dropped = java_round(w->dropped / frames),
			.refresh_hz = java_int(w->refresh_hz / frames),
		};
		for (unsigned i = 0; i < MATRIX_LEVEL_NR; i++) {
			r->level[i] = w->level[i];
			r->sum[i] = w->sum[i];
		}
		for (unsigned id = 0; id < MATRIX_AVERAGES; id++)
			r->average_ns[id] = w->total_ns[id] / w->frames;
		if (r->has_gpu)
			r->gpu_ns = w->gpu_ns / w->frames;
	}
	matrix_window_init(w, w->config, w->api, w->scene);
	return enough;
}
