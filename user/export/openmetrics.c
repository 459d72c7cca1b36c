/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * OpenMetrics text 1.0, for a fleet: what a recording adds up to, per producer. Times are seconds.
 * As OpenMetrics has it, all samples of a family stand together; so everything is counted first,
 * and written at the end. No type is used that Prometheus's older text format does not know, so
 * that node_exporter's textfile collector takes the file, too.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/idmap.h"
#include "base/text.h"
#include "export/export.h"
#include "gate/metric.h"
#include "model/pace.h"

#define NS_PER_S UINT64_C(1000000000)
#define LABEL_LEN (2 * 4 * PRODUCER_NAME_LEN + 1) /* every character may be escaped twice */

/* Upper ends of buckets: about the intervals of displays of 240 to 20 Hz, and what is a stall. */
static const struct {
	const char *le;
	uint64_t ns;
} buckets[] = {
	{ "0.001", 1000000 },   { "0.002", 2000000 },   { "0.0042", 4200000 },
	{ "0.007", 7000000 },   { "0.0084", 8400000 },  { "0.0112", 11200000 },
	{ "0.0168", 16800000 }, { "0.025", 25000000 },  { "0.0336", 33600000 },
	{ "0.05", 50000000 },   { "0.0672", 67200000 }, { "0.1", 100000000 },
	{ "0.25", 250000000 },  { "0.5", 500000000 },   { "1.0", 1000000000 },
	{ "2.5", 2500000000 },
};

#define NR_BUCKETS (sizeof(buckets) / sizeof(*buckets))

struct histogram {
	uint64_t counts[NR_BUCKETS + 1]; /* the last is of what is beyond all */
	uint64_t sum_ns;
};

struct counted {
	char producer[LABEL_LEN]; /* as a label's value */
	struct pace pace;
	uint64_t frames[FRAME_STATUS_NR];
	uint64_t skipped;
	struct histogram wall, interval;
	struct histogram *stages[STAGE_NR]; /* NULL: no frame had it */
	struct budget total;
	bool has_total; /* its threads were seen */
	uint64_t judged[GATE_METRICS_MAX], janky[GATE_METRICS_MAX]; /* by metric */
};

struct openmetrics {
	struct idmap by_id;
	struct counted **all;
	unsigned nr, room;
	uint64_t in_flight;
};

static uint64_t sum(uint64_t a, uint64_t b)
{
	return a <= UINT64_MAX - b ? a + b : UINT64_MAX;
}

static void histogram_add(struct histogram *h, uint64_t ns)
{
	size_t i = 0;

	while (i < NR_BUCKETS && ns > buckets[i].ns)
		i++;
	h->counts[i]++;
	h->sum_ns = sum(h->sum_ns, ns);
}

static int begin(struct export *x)
{
	x->priv = calloc(1, sizeof(struct openmetrics));
	return x->priv ? 0 : -ENOMEM;
}

static void counted_free(struct counted *c)
{
	for (unsigned i = 0; i < STAGE_NR; i++)
		free(c->stages[i]);
	free(c);
}

static void release(struct export *x)
{
	struct openmetrics *o = x->priv;

	if (!o)
		return;
	for (unsigned i = 0; i < o->nr; i++)
		counted_free(o->all[i]);
	free(o->all);
	idmap_free(&o->by_id);
	free(o);
}

/* As printed, and again for a label, of which a backslash and a quote are escaped. */
static void take_name(struct counted *c, const struct producer *p)
{
	char name[4 * PRODUCER_NAME_LEN + 1];
	char *to = c->producer;

	text_escape(name, sizeof(name), p->name, sizeof(p->name));
	for (const char *from = name; *from; from++) {
		if (*from == '\\' || *from == '"')
			*to++ = '\\';
		*to++ = *from;
	}
	*to = '\0';
}

static int get(struct openmetrics *o, const struct producer *p, struct counted **out)
{
	struct counted *c = idmap_get(&o->by_id, p->id);
	int err;

	*out = c;
	if (c)
		return 0;
	if (o->nr == o->room) {
		unsigned room = o->room ? o->room * 2 : 8;
		struct counted **all = realloc(o->all, room * sizeof(struct counted *));

		if (!all)
			return -ENOMEM;
		o->all = all;
		o->room = room;
	}
	c = calloc(1, sizeof(*c));
	if (!c)
		return -ENOMEM;
	take_name(c, p);
	err = idmap_put(&o->by_id, p->id, c);
	if (err) {
		free(c);
		return err;
	}
	o->all[o->nr++] = c;
	*out = c;
	return 0;
}

static int add_stages(struct counted *c, const struct frame *f)
{
	for (unsigned i = 0; i < STAGE_NR; i++) {
		if (!(f->hwui.stages_known >> i & 1))
			continue;
		if (!c->stages[i])
			c->stages[i] = calloc(1, sizeof(struct histogram));
		if (!c->stages[i])
			return -ENOMEM;
		histogram_add(c->stages[i], budget_total(&f->hwui.stages[i]));
	}
	return 0;
}

static void add_verdicts(struct counted *c, const struct frame *f)
{
	for (unsigned i = 0; i < gate_metrics(); i++) {
		const struct gate_metric *m = gate_metric_at(i);
		int64_t yes;

		if (m->form != GATE_YES_NO || !m->read(m, f, &yes))
			continue;
		c->judged[i]++;
		c->janky[i] += yes != 0;
	}
}

static int frame(struct export *x, const struct frame *f)
{
	uint64_t interval_ns;
	struct counted *c;
	int err = get(x->priv, f->producer, &c);
	bool follows;

	if (err)
		return err;
	follows = pace_add(&c->pace, f, &interval_ns);
	if (f->hwui.kind == FRAME_SKIPPED) {
		c->skipped++;
		return 0;
	}
	c->frames[f->status]++;
	if (f->status != FRAME_COMPLETE)
		return 0;
	histogram_add(&c->wall, f->end_ns - f->start_ns);
	if (follows)
		histogram_add(&c->interval, interval_ns);
	if (!f->dumped) {
		c->has_total = true;
		for (unsigned i = 0; i < BUDGET_NR; i++)
			c->total.ns[i] = sum(c->total.ns[i], frame_way(f)->ns[i]);
	}
	add_verdicts(c, f);
	return add_stages(c, f);
}

static int fence_left(struct export *x, const struct fence *f)
{
	struct openmetrics *o = x->priv;

	(void)f;
	o->in_flight++;
	return 0;
}

static void family(FILE *out, const char *name, const char *type, const char *unit,
		   const char *help)
{
	fprintf(out, "# TYPE %s %s\n", name, type);
	if (unit)
		fprintf(out, "# UNIT %s %s\n", name, unit);
	fprintf(out, "# HELP %s %s\n", name, help);
}

static void seconds(FILE *out, uint64_t ns)
{
	fprintf(out, " %" PRIu64 ".%09" PRIu64 "\n", ns / NS_PER_S, ns % NS_PER_S);
}

/* `more`: further labels, each after a comma. */
static void put_histogram(FILE *out, const char *name, const struct counted *c, const char *more,
			  const struct histogram *h)
{
	uint64_t below = 0;

	for (size_t i = 0; i <= NR_BUCKETS; i++) {
		below += h->counts[i];
		fprintf(out, "%s_bucket{producer=\"%s\"%s,le=\"%s\"} %" PRIu64 "\n", name,
			c->producer, more, i < NR_BUCKETS ? buckets[i].le : "+Inf", below);
	}
	fprintf(out, "%s_count{producer=\"%s\"%s} %" PRIu64 "\n", name, c->producer, more, below);
	fprintf(out, "%s_sum{producer=\"%s\"%s}", name, c->producer, more);
	seconds(out, h->sum_ns);
}

static void put_frames(FILE *out, const struct openmetrics *o)
{
	family(out, "framescope_frames", "counter", NULL,
	       "Frames by what is known of them; all else is of complete ones.");
	for (unsigned i = 0; i < o->nr; i++)
		for (unsigned s = 0; s < FRAME_STATUS_NR; s++)
			fprintf(out,
				"framescope_frames_total{producer=\"%s\",status=\"%s\"} %" PRIu64
				"\n",
				o->all[i]->producer, frame_status_name((enum frame_status)s),
				o->all[i]->frames[s]);
	family(out, "framescope_skipped_frames", "counter", NULL,
	       "Frames of HWUI that were begun, but nothing was drawn.");
	for (unsigned i = 0; i < o->nr; i++)
		fprintf(out, "framescope_skipped_frames_total{producer=\"%s\"} %" PRIu64 "\n",
			o->all[i]->producer, o->all[i]->skipped);
}

static void put_lengths(FILE *out, const struct openmetrics *o)
{
	char more[64];

	family(out, "framescope_frame_wall_seconds", "histogram", "seconds",
	       "Frames from their beginning to their end.");
	for (unsigned i = 0; i < o->nr; i++)
		put_histogram(out, "framescope_frame_wall_seconds", o->all[i], "",
			      &o->all[i]->wall);
	family(out, "framescope_frame_interval_seconds", "histogram", "seconds",
	       "From one frame's end to the next one's.");
	for (unsigned i = 0; i < o->nr; i++)
		put_histogram(out, "framescope_frame_interval_seconds", o->all[i], "",
			      &o->all[i]->interval);
	family(out, "framescope_stage_seconds", "histogram", "seconds", "Stages of HWUI's frames.");
	for (unsigned i = 0; i < o->nr; i++) {
		for (unsigned s = 0; s < STAGE_NR; s++) {
			snprintf(more, sizeof(more), ",stage=\"%s\"", stage_name((enum stage)s));
			if (o->all[i]->stages[s])
				put_histogram(out, "framescope_stage_seconds", o->all[i], more,
					      o->all[i]->stages[s]);
		}
	}
}

static void put_causes(FILE *out, const struct openmetrics *o)
{
	family(out, "framescope_frame_cause_seconds", "counter", "seconds",
	       "What the time of frames went to: running, or why not.");
	for (unsigned i = 0; i < o->nr; i++) {
		for (unsigned part = 0; o->all[i]->has_total && part < BUDGET_NR; part++) {
			fprintf(out,
				"framescope_frame_cause_seconds_total{producer=\"%s\",cause=\"%"
				"s\"}",
				o->all[i]->producer, budget_part_name((enum budget_part)part));
			seconds(out, o->all[i]->total.ns[part]);
		}
	}
}

/* "hwui" of "jank.hwui" */
static const char *verdict_name(const struct gate_metric *m)
{
	const char *dot = strchr(m->name, '.');

	return dot ? dot + 1 : m->name;
}

static void put_verdicts(FILE *out, const struct openmetrics *o, const char *name, bool janky)
{
	for (unsigned i = 0; i < o->nr; i++) {
		const struct counted *c = o->all[i];

		for (unsigned m = 0; m < gate_metrics(); m++)
			if (c->judged[m])
				fprintf(out, "%s{producer=\"%s\",verdict=\"%s\"} %" PRIu64 "\n",
					name, c->producer, verdict_name(gate_metric_at(m)),
					janky ? c->janky[m] : c->judged[m]);
	}
}

static void put_capture(FILE *out, const struct export *x, const struct openmetrics *o)
{
	const struct source_stats *s = source_stats(x->source);

	family(out, "framescope_lost_records", "counter", NULL,
	       "Records that were lost while recording.");
	fprintf(out, "framescope_lost_records_total %" PRIu64 "\n", s->lost);
	family(out, "framescope_fences_in_flight", "gauge", NULL,
	       "Fences that had not signalled when the recording ended.");
	fprintf(out, "framescope_fences_in_flight %" PRIu64 "\n", o->in_flight);
	family(out, "framescope_capture_seconds", "gauge", "seconds", "How long was recorded.");
	fputs("framescope_capture_seconds", out);
	seconds(out, model_length_ns(x->model));
}

static int end(struct export *x)
{
	const struct openmetrics *o = x->priv;
	FILE *out = x->out;

	family(out, "framescope_build_info", "gauge", NULL, "The version that made this.");
	fputs("framescope_build_info{version=\"" FRAMESCOPE_VERSION "\"} 1\n", out);
	put_frames(out, o);
	put_lengths(out, o);
	put_causes(out, o);
	family(out, "framescope_judged_frames", "counter", NULL,
	       "Frames that have that verdict, whichever it is.");
	put_verdicts(out, o, "framescope_judged_frames_total", false);
	family(out, "framescope_janky_frames", "counter", NULL, "Those that are janky by it.");
	put_verdicts(out, o, "framescope_janky_frames_total", true);
	put_capture(out, x, o);
	fputs("# EOF\n", out);
	return 0;
}

const struct export_ops export_openmetrics = {
	.name = "openmetrics",
	.begin = begin,
	.frame = frame,
	.fence_left = fence_left,
	.end = end,
	.free = release,
};
