/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Values of several runs made into one statistic with its bounds. */
#include "gate/estimate.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#define ROUNDING 1e-20
#define LAG_MAX 256 /* frames; what has a longer memory is in the means of runs */

/* A value kept, and how many it stands for. */
struct weighed {
	int64_t value;
	uint64_t weight;
};

/* All runs' values of one metric, one run behind the other. */
struct pooled {
	struct weighed *all;
	size_t *ends;
	double *work; /* as long as `all` */
	size_t n;
	unsigned nr;
	uint64_t count; /* of frames, thinned or not */
	double sum; /* of their values */
	double worth; /* what the kept ones are worth, were they independent: Kish */
	int64_t min, max;
	bool thinned;
};

static void pooled_free(struct pooled *p)
{
	free(p->all);
	free(p->ends);
	free(p->work);
}

static void pool_series(struct pooled *p, const struct gate_series *s)
{
	for (size_t i = 0; i < s->nr; i++)
		p->all[p->n++] = (struct weighed){ s->values[i], s->stride };
	if (!p->count || s->min < p->min)
		p->min = s->min;
	if (!p->count || s->max > p->max)
		p->max = s->max;
	p->count += s->count;
	p->sum += s->sum;
	p->thinned |= s->stride > 1;
}

static int pool(struct pooled *p, const struct gate_producer *const *runs, unsigned nr,
		unsigned metric)
{
	double weights = 0, squares = 0;
	size_t room = 0;

	for (unsigned i = 0; i < nr; i++)
		room += runs[i]->series[metric] ? runs[i]->series[metric]->nr : 0;
	p->all = malloc((room + 1) * sizeof(*p->all));
	p->work = malloc((room + 1) * sizeof(*p->work));
	p->ends = malloc((nr + 1) * sizeof(*p->ends));
	if (!p->all || !p->work || !p->ends)
		return -ENOMEM;
	p->nr = nr;
	for (unsigned i = 0; i < nr; i++) {
		if (runs[i]->series[metric])
			pool_series(p, runs[i]->series[metric]);
		p->ends[i] = p->n;
	}
	for (size_t i = 0; i < p->n; i++) {
		weights += (double)p->all[i].weight;
		squares += (double)p->all[i].weight * (double)p->all[i].weight;
	}
	p->worth = squares > 0 ? weights * weights / squares : 0;
	return 0;
}

/* The covariance of values that many apart, about `mean`, times their number. */
static double covariance(const double *values, const size_t *ends, unsigned nr, double mean,
			 size_t lag)
{
	double sum = 0;
	size_t from = 0;

	for (unsigned run = 0; run < nr; run++) {
		for (size_t i = from; i + lag < ends[run]; i++)
			sum += (values[i] - mean) * (values[i + lag] - mean);
		from = ends[run];
	}
	return sum;
}

/* How far the runs' means lie apart, against what independent frames would make them. */
static double between_runs(const double *values, const size_t *ends, unsigned nr, double mean,
			   double variance)
{
	double apart = 0;
	size_t from = 0;
	unsigned runs = 0;

	for (unsigned run = 0; run < nr; run++) {
		double sum = 0;

		for (size_t i = from; i < ends[run]; i++)
			sum += values[i] - mean;
		if (ends[run] > from) {
			apart += sum * sum / (double)(ends[run] - from);
			runs++;
		}
		from = ends[run];
	}
	return runs > 1 ? apart / (runs - 1) / variance : 1;
}

double gate_inflation(const double *values, size_t n, const size_t *ends, unsigned nr)
{
	double mean = 0, whole, inflation = 1, between;

	if (!n)
		return 1;
	for (size_t i = 0; i < n; i++)
		mean += values[i];
	mean /= (double)n;
	whole = covariance(values, ends, nr, mean, 0);
	/* They are all the same, but for what was rounded. */
	if (!(whole > ROUNDING * (double)n * mean * mean))
		return 1;
	/* Two lags at a time: their sum can't be below 0, but by chance. */
	for (size_t lag = 1; lag < LAG_MAX && lag < n / 2; lag += 2) {
		double pair = covariance(values, ends, nr, mean, lag) +
			      covariance(values, ends, nr, mean, lag + 1);

		if (!(pair > 0))
			break;
		inflation += 2 * pair / whole;
	}
	between = between_runs(values, ends, nr, mean, whole / (double)n);
	inflation = between > inflation ? between : inflation;
	return inflation < 1 ? 1 : inflation;
}

static int compare(const void *a, const void *b)
{
	const struct weighed *x = a, *y = b;

	return (x->value > y->value) - (x->value < y->value);
}

/* The value with that rank among all that the sorted ones stand for, from 1. */
static int64_t at_rank(const struct pooled *p, const struct weighed *sorted, double rank)
{
	double below = 0;

	for (size_t i = 0; i < p->n; i++) {
		below += (double)sorted[i].weight;
		if (below >= rank)
			return sorted[i].value;
	}
	return p->max;
}

static double total_weight(const struct pooled *p)
{
	double weights = 0;

	for (size_t i = 0; i < p->n; i++)
		weights += (double)p->all[i].weight;
	return weights;
}

/* Frames beyond the quantile come together, or do not: by those beyond the sample's own. */
static double quantile_inflation(struct pooled *p, int64_t quantile)
{
	bool any = false;

	for (size_t i = 0; i < p->n; i++)
		any |= p->all[i].value > quantile;
	for (size_t i = 0; i < p->n; i++)
		p->work[i] = any ? p->all[i].value > quantile : p->all[i].value >= quantile;
	return gate_inflation(p->work, p->n, p->ends, p->nr);
}

static int percentile(struct gate_estimate *est, struct pooled *p, const struct gate_budget *b)
{
	double weights = total_weight(p), q = b->permille / 1000.0, lossy = (double)est->lossy;
	struct weighed *sorted = malloc((p->n + 1) * sizeof(*sorted));
	double inflation, reach, low, high, needed;
	int64_t quantile;

	if (!sorted)
		return -ENOMEM;
	for (size_t i = 0; i < p->n; i++)
		sorted[i] = p->all[i];
	qsort(sorted, p->n, sizeof(*sorted), compare);
	quantile = at_rank(p, sorted, ceil(weights * b->permille / 1000));
	est->value = (double)quantile;
	inflation = quantile_inflation(p, quantile);
	est->effective = p->worth / inflation;
	reach = GATE_Z * sqrt(q * (1 - q) / est->effective);
	low = floor((weights + lossy) * (q - reach)) - lossy;
	high = ceil((weights + lossy) * (q + reach));
	est->has_low = low >= 1;
	est->has_high = high <= weights;
	if (est->has_low)
		est->low = (double)at_rank(p, sorted, low);
	if (est->has_high)
		est->high = (double)at_rank(p, sorted, high);
	free(sorted);
	needed = ceil(GATE_Z * GATE_Z * q / (1 - q) * inflation);
	if (!est->has_high && needed > (double)est->frames)
		est->needed = (uint64_t)needed;
	return 0;
}

/* One side of Wilson's interval of a share `part` of `n` frames. */
static double wilson(double part, double n, double side)
{
	double z2 = GATE_Z * GATE_Z;
	double reach = GATE_Z * sqrt(part * (1 - part) / n + z2 / (4 * n * n));
	double bound = (part + z2 / (2 * n) + side * reach) / (1 + z2 / n);

	if (bound < 0)
		return 0;
	return bound > 1 ? 1 : bound;
}

static void set_bounds(struct gate_estimate *est, double low, double high)
{
	est->has_low = est->has_high = true;
	est->low = low;
	est->high = high;
}

/* No share of all frames there ever are is known to be nothing, or all of them. */
static bool asks_for_none(const struct gate_budget *b)
{
	if (b->op == GATE_AT_MOST)
		return b->limit <= 0;
	return b->op == GATE_AT_LEAST && b->stat == GATE_SHARE && b->limit >= 1;
}

static void share_of_frames(struct gate_estimate *est, struct pooled *p,
			    const struct gate_budget *b, double seconds)
{
	double frames = (double)p->count, lossy = (double)est->lossy, scale = 1, of_all = 1;
	double least = p->sum / (frames + lossy), most = (p->sum + lossy) / (frames + lossy);

	/* The bounds are shares of all frames, lossy ones too, and so are they all a second has. */
	if (b->stat == GATE_RATE) {
		scale = seconds > 0 ? frames / seconds : 0;
		of_all = seconds > 0 ? (frames + lossy) / seconds : 0;
	}
	est->known = scale > 0;
	est->value = p->sum / frames * scale;
	for (size_t i = 0; i < p->n; i++)
		p->work[i] = (double)p->all[i].value;
	est->effective = p->worth / gate_inflation(p->work, p->n, p->ends, p->nr);
	est->fact = asks_for_none(b);
	if (est->fact)
		set_bounds(est, least * of_all, most * of_all);
	else
		set_bounds(est, wilson(least, est->effective, -1) * of_all,
			   wilson(most, est->effective, 1) * of_all);
	if (!est->known)
		est->has_low = est->has_high = false;
}

/* The standard error of the mean of what is in `work`; 0 if it is all the same. */
static double work_error(struct gate_estimate *est, struct pooled *p)
{
	double weights = total_weight(p), mean = 0, variance = 0, n = (double)p->n;

	for (size_t i = 0; i < p->n; i++)
		mean += p->work[i] * ((double)p->all[i].weight / weights);
	for (size_t i = 0; i < p->n; i++) {
		double off = p->work[i] - mean;

		variance += off * off * ((double)p->all[i].weight / weights);
	}
	est->effective = p->worth / gate_inflation(p->work, p->n, p->ends, p->nr);
	return p->n > 1 ? sqrt(variance * n / (n - 1) / est->effective) : INFINITY;
}

static double mean_error(struct gate_estimate *est, struct pooled *p)
{
	for (size_t i = 0; i < p->n; i++)
		p->work[i] = (double)p->all[i].value;
	return work_error(est, p);
}

static bool lossy_for_mean(const struct gate_estimate *est)
{
	return (double)est->lossy > GATE_LOSSY_MEAN * (double)(est->frames + est->lossy);
}

static void mean_bounds(struct gate_estimate *est, const struct pooled *p, double error)
{
	if (p->n > 1 && !lossy_for_mean(est))
		set_bounds(est, est->value - GATE_Z * error, est->value + GATE_Z * error);
}

static void mean(struct gate_estimate *est, struct pooled *p)
{
	est->value = p->sum / (double)p->count;
	mean_bounds(est, p, mean_error(est, p));
}

/* What can only be more by what is lossy. */
static void count(struct gate_estimate *est, double value)
{
	est->fact = true;
	est->value = value;
	set_bounds(est, value, value + (double)est->lossy);
}

static void extreme(struct gate_estimate *est, const struct pooled *p, enum gate_stat stat)
{
	est->fact = true;
	est->value = (double)(stat == GATE_MAX ? p->max : p->min);
	est->low = est->high = est->value;
	est->has_low = stat == GATE_MAX || !est->lossy;
	est->has_high = stat == GATE_MIN || !est->lossy;
}

static double seconds_of(const struct gate_producer *const *runs, unsigned nr)
{
	double seconds = 0;

	for (unsigned i = 0; i < nr; i++)
		seconds += gate_producer_seconds(runs[i]);
	return seconds;
}

/* What each value is beyond its share of the frame's wall time; false: some frames have none. */
static bool off_share(struct pooled *p, const struct gate_producer *const *runs, unsigned nr,
		      unsigned metric, double share)
{
	unsigned wall = (unsigned)gate_metric_find(GATE_METRIC_WALL, sizeof(GATE_METRIC_WALL) - 1);
	size_t n = 0;

	for (unsigned i = 0; i < nr; i++) {
		const struct gate_series *x = runs[i]->series[metric], *w = runs[i]->series[wall];

		if (!x)
			continue;
		if (!w || w->count != x->count || w->nr != x->nr || w->stride != x->stride)
			return false;
		for (size_t j = 0; j < x->nr; j++)
			p->work[n++] = (double)x->values[j] - share * (double)w->values[j];
	}
	return true;
}

/* A ratio of two sums: by the residuals, for long frames have more of anything. */
static void duration_share(struct gate_estimate *est, struct pooled *p,
			   const struct gate_producer *const *runs, unsigned nr, unsigned metric)
{
	double wall = 0, error;

	for (unsigned i = 0; i < nr; i++)
		wall += (double)runs[i]->wall_sum_ns;
	est->known = wall > 0;
	if (!est->known)
		return;
	est->value = p->sum / wall;
	error = off_share(p, runs, nr, metric, est->value) ? work_error(est, p)
							   : mean_error(est, p);
	mean_bounds(est, p, error * (double)p->count / wall);
}

static int of_values(struct gate_estimate *est, struct pooled *p,
		     const struct gate_producer *const *runs, unsigned nr,
		     const struct gate_budget *b)
{
	bool yes_no = gate_metric_at(b->metric)->form == GATE_YES_NO;
	double seconds = seconds_of(runs, nr);

	est->frames = p->count;
	est->thinned = p->thinned;
	est->known = p->count > 0;
	if (!est->known)
		return 0;
	switch (b->stat) {
	case GATE_MIN:
	case GATE_MAX:
		extreme(est, p, b->stat);
		break;
	case GATE_MEAN:
		mean(est, p);
		break;
	case GATE_PERCENTILE:
		return percentile(est, p, b);
	case GATE_COUNT:
		count(est, yes_no ? p->sum : (double)p->count);
		break;
	case GATE_RATE:
		if (yes_no) {
			share_of_frames(est, p, b, seconds);
			break;
		}
		est->known = seconds > 0;
		if (est->known)
			count(est, (double)p->count / seconds);
		est->high = est->known ? est->value + (double)est->lossy / seconds : 0;
		break;
	case GATE_SHARE:
		if (yes_no)
			share_of_frames(est, p, b, seconds);
		else
			duration_share(est, p, runs, nr, b->metric);
		break;
	case GATE_ITSELF:
		break;
	}
	return 0;
}

static void exactly(struct gate_estimate *est, double value)
{
	est->known = est->fact = true;
	est->value = value;
	set_bounds(est, value, value);
}

/*
 * Frames per second, which is no more certain than the mean interval. A swap that was lost makes
 * one lossy frame of two, so that there may be as many more.
 */
static void fps(struct gate_estimate *est, struct pooled *p,
		const struct gate_producer *const *runs, unsigned nr)
{
	double seconds = seconds_of(runs, nr), swaps = 0, error, relative;

	for (unsigned i = 0; i < nr; i++)
		swaps += (double)runs[i]->pace.swaps;
	est->known = seconds > 0 && swaps > 0;
	est->frames = p->count;
	est->thinned = p->thinned;
	if (!est->known)
		return;
	est->value = swaps / seconds;
	if (p->n < 2 || !(p->sum > 0) || lossy_for_mean(est))
		return;
	error = mean_error(est, p);
	relative = GATE_Z * error / (p->sum / (double)p->count);
	est->has_low = true;
	est->low = est->value / (1 + relative);
	est->has_high = relative < 1;
	if (est->has_high)
		est->high = (swaps + (double)est->lossy) / seconds / (1 - relative);
}

static void of_run(struct gate_estimate *est, const struct gate_producer *const *runs, unsigned nr,
		   const struct gate_budget *b)
{
	enum gate_form form = gate_metric_at(b->metric)->form;
	double counts[FRAME_STATUS_NR] = { 0 }, all = 0, seconds = seconds_of(runs, nr);
	enum frame_status of = form == GATE_LOSSY       ? FRAME_LOSSY
			       : form == GATE_TRUNCATED ? FRAME_TRUNCATED
							: FRAME_COMPLETE;

	for (unsigned i = 0; i < nr; i++) {
		for (unsigned s = 0; s < FRAME_STATUS_NR; s++) {
			counts[s] += (double)runs[i]->counts[s];
			all += (double)runs[i]->counts[s];
		}
	}
	est->frames = (uint64_t)(form == GATE_FRAMES ? counts[FRAME_COMPLETE] : all);
	if (b->stat == GATE_COUNT)
		exactly(est, counts[of]);
	else if (b->stat == GATE_SHARE && all > 0)
		exactly(est, counts[of] / all);
	else if (b->stat == GATE_RATE && seconds > 0)
		exactly(est, counts[of] / seconds);
}

int gate_estimate(struct gate_estimate *est, const struct gate_producer *const *runs, unsigned nr,
		  const struct gate_budget *b, bool lossy)
{
	enum gate_form form = gate_metric_at(b->metric)->form;
	unsigned metric = b->metric;
	struct pooled p = { 0 };
	int err;

	*est = (struct gate_estimate){ 0 };
	for (unsigned i = 0; i < nr && lossy; i++)
		est->lossy += runs[i]->counts[FRAME_LOSSY];
	if (form != GATE_FPS && !gate_metric_has_series(gate_metric_at(metric))) {
		of_run(est, runs, nr, b);
		return 0;
	}
	if (form == GATE_FPS)
		metric = (unsigned)gate_metric_find(GATE_METRIC_INTERVAL,
						    sizeof(GATE_METRIC_INTERVAL) - 1);
	err = pool(&p, runs, nr, metric);
	if (!err && form == GATE_FPS)
		fps(est, &p, runs, nr);
	else if (!err)
		err = of_values(est, &p, runs, nr, b);
	pooled_free(&p);
	return err;
}
