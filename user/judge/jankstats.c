/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The arithmetic of JankStatsApi24Impl, 26 and 31: Kotlin's, where a Long times a Float is a Float.
 */
#include "judge/jankstats.h"

#include "judge/java.h"
#include "model/metrics.h"

#define API_LISTENER 24 /* FrameMetrics are to be had */
#define API_INTENDED_VSYNC 26 /* and say when a frame was to start */
#define API_DEADLINE 31 /* and its deadline */

#define LEAST_HZ 30.0f
#define MOST_HZ 200.0f

void jankstats_init(struct jankstats *js, unsigned api, float multiplier, float refresh_hz)
{
	bool usual = refresh_hz >= LEAST_HZ && refresh_hz <= MOST_HZ;
	float ms = 1000.0f / (usual ? refresh_hz : JANKSTATS_REFRESH_HZ);

	*js = (struct jankstats){
		.api = api,
		.multiplier = multiplier,
		.expected_ns = java_long(ms * 1000000.0f),
	};
}

static bool ui_part(const struct frame_slots *slots, int64_t *ns)
{
	*ns = 0;
	for (unsigned id = METRIC_UNKNOWN_DELAY; id <= METRIC_SYNC; id++) {
		int64_t part;

		if (!frame_metric(slots, (enum metric)id, &part))
			return false;
		*ns = java_sum(*ns, part);
	}
	return true;
}

/*
 * When it starts: not before the UI part of the frame before has ended. False if JankStats does not
 * report the frame, for one that starts at that time was the last. On 24 and 25 the start is what
 * the Choreographer says when the frame is reported, and may be a later frame's: not known.
 */
static bool starts(struct jankstats *js, const struct frame_slots *slots,
		   struct jankstats_verdict *v)
{
	int64_t start;

	if (js->api < API_INTENDED_VSYNC)
		return true;
	if (!frame_metric(slots, METRIC_INTENDED_VSYNC, &start))
		return false;
	if (start < js->end_ns)
		start = js->end_ns;
	if (start == js->start_ns)
		return false;
	js->start_ns = start;
	js->end_ns = java_sum(start, v->ui_ns);
	v->has_start = true;
	v->start_ns = start;
	return true;
}

static bool deadline(const struct frame_slots *slots, int64_t *ns)
{
	if (frame_metric(slots, METRIC_DEADLINE, ns))
		return true;
	if (slots->layout < SLOTS_12 || slots->ns[SLOT_FRAME_DEADLINE] != INT64_MAX ||
	    !slot_known(slots, SLOT_INTENDED_VSYNC))
		return false;
	*ns = INT64_MAX - slots->ns[SLOT_INTENDED_VSYNC];
	return true;
}

/* The other durations, as far as they are known. */
static void durations(const struct jankstats *js, const struct frame_slots *slots,
		      struct jankstats_verdict *v)
{
	int64_t total, gpu, swap;

	if (!frame_metric(slots, METRIC_TOTAL, &total))
		return;
	if (js->api < API_DEADLINE) {
		v->has_cpu = true;
		v->cpu_ns = total;
		return;
	}
	v->has_total = true;
	v->total_ns = total;
	if (v->known)
		v->overrun_ns = java_difference(total, v->expected_ns);
	if (frame_metric(slots, METRIC_GPU, &gpu) &&
	    frame_metric(slots, METRIC_SWAP_BUFFERS, &swap)) {
		v->has_cpu = true;
		v->cpu_ns = java_sum(java_difference(total, gpu), swap);
	}
}

void jankstats_judge(struct jankstats *js, const struct frame_slots *slots,
		     struct jankstats_verdict *v)
{
	*v = (struct jankstats_verdict){ 0 };
	if (js->api < API_LISTENER || !ui_part(slots, &v->ui_ns) || !starts(js, slots, v)) {
		v->ui_ns = 0;
		return;
	}
	v->has_ui = true;
	v->expected_ns = js->expected_ns;
	v->known = js->api < API_DEADLINE || deadline(slots, &v->expected_ns);
	if (v->known)
		v->janky = v->ui_ns > java_long((float)v->expected_ns * js->multiplier);
	else
		v->expected_ns = 0;
	durations(js, slots, v);
}
