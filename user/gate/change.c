/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* How a metric changed between two sets of runs, and whether by chance. */
#include "gate/change.h"

#include <math.h>
#include <stdlib.h>

#define STEPS 200 /* places at which two distributions are compared */
#define ALLOWED_PART 0.2 /* of the limit: what runs may differ by where too few were seen */
#define NORMAL_10 1.2816 /* a normal variable is above it in a tenth of the cases */
#define FREEDOM_PER_RUN 4 /* of that mixture: far from what is known of it with few runs */
#define ALLOWED_WEIGHT 2 /* the weight of that, against what the runs themselves say */

/*
 * By Wallace's transformation to a normal variable (Ann. Math. Statist. 30, 1959), which is off by
 * less than 0.02 from one degree of freedom on.
 */
double student_above(double x, double freedom)
{
	double z = fabs(x);

	if (isfinite(freedom))
		z = (8 * freedom + 1) / (8 * freedom + 3) * sqrt(freedom * log1p(x * x / freedom));
	return erfc((x < 0 ? -z : z) / M_SQRT2) / 2;
}

/* The x that it is above with that chance. */
static double student_quantile(double chance, double freedom)
{
	double low = 0, high = 100;

	for (unsigned i = 0; i < 50; i++) {
		double x = (low + high) / 2;

		if (student_above(x, freedom) > chance)
			low = x;
		else
			high = x;
	}
	return high;
}

/* A variance that is known with some degrees of freedom. */
struct spread {
	double variance;
	double freedom;
};

/* The variance of one frame, as it were: what a run's has, times its frames. Of all runs. */
static struct spread
per_frame(struct change_side side,
	  const struct measure_figure *(*get)(const struct measure *, unsigned), unsigned arg)
{
	struct spread s = { 0 };

	for (unsigned i = 0; i < side.nr; i++) {
		const struct measure_figure *f = get(side.runs[i], arg);

		s.variance += f->error * f->error * (double)side.runs[i]->n / side.nr;
		s.freedom += f->freedom;
	}
	return s;
}

static const struct measure_figure *get_stat(const struct measure *e, unsigned stat)
{
	return &e->of[stat];
}

static const struct measure_figure *get_rank(const struct measure *e, unsigned unused)
{
	(void)unused;
	return &e->rank;
}

/* Of the two sides, what makes a change less certain: had there been none, it were that of both. */
static struct spread larger(struct spread a, struct spread b)
{
	return a.variance > b.variance ? a : b;
}

/*
 * What the runs of a side differ by beyond what their frames explain (DerSimonian and Laird,
 * Controlled Clinical Trials 7, 1986): adds to the sum of squares and to what it is divided by.
 */
static void between_add(struct change_side side, double frame_variance, enum measure_stat stat,
			double *excess, double *scale)
{
	double frames = 0, squares = 0, mean = 0;

	for (unsigned i = 0; i < side.nr; i++) {
		double n = (double)side.runs[i]->n;

		frames += n;
		squares += n * n;
		mean += n * side.runs[i]->of[stat].value;
	}
	mean /= frames;
	for (unsigned i = 0; i < side.nr; i++) {
		double off = side.runs[i]->of[stat].value - mean;

		*excess += (double)side.runs[i]->n * off * off;
	}
	*excess -= (side.nr - 1) * frame_variance;
	*scale += frames - squares / frames;
}

/*
 * The variance of a statistic from run to run: what is allowed for, and with every run beyond the
 * first of a side more of what was measured.
 */
static struct spread between_runs(struct change_side before, struct change_side now,
				  double frame_before, double frame_now, enum measure_stat stat,
				  double allowed)
{
	unsigned more = before.nr - 1 + now.nr - 1;
	struct spread s = { allowed * allowed, HUGE_VAL };
	double excess = 0, scale = 0, measured = 0;

	if (!more)
		return s;
	between_add(before, frame_before, stat, &excess, &scale);
	between_add(now, frame_now, stat, &excess, &scale);
	if (scale > 0)
		measured = fmax(0, excess / scale);
	s.variance = (measured * more + s.variance * ALLOWED_WEIGHT) / (more + ALLOWED_WEIGHT);
	s.freedom = FREEDOM_PER_RUN * (more + 1);
	return s;
}

/* Of a run's weight in its side: the less the less its own variance is. */
static double run_weight(const struct measure *run, double frame_variance, double between)
{
	double v = frame_variance / (double)run->n + between;

	return v > 0 ? 1 / v : (double)run->n;
}

/* A side's mean of something, weighted, with the parts of its variance. */
struct pooled {
	double mean;
	struct spread frames;
	double runs;
};

typedef double value_of(const struct measure *run, const void *arg);

static struct pooled pool(struct change_side side, struct spread frame, double between,
			  value_of *value, const void *arg)
{
	struct pooled p = { .frames.freedom = frame.freedom };
	double sum = 0;

	for (unsigned i = 0; i < side.nr; i++) {
		double w = run_weight(side.runs[i], frame.variance, between);

		sum += w;
		p.mean += w * value(side.runs[i], arg);
		p.frames.variance += w * w * frame.variance / (double)side.runs[i]->n;
		p.runs += w * w * between;
	}
	p.mean /= sum;
	p.frames.variance /= sum * sum;
	p.runs /= sum * sum;
	return p;
}

static double value_stat(const struct measure *run, const void *arg)
{
	return run->of[*(const enum measure_stat *)arg].value;
}

/* The variance of a difference, by Welch and Satterthwaite. */
static struct spread add(struct spread a, struct spread b)
{
	struct spread s = { .variance = a.variance + b.variance, .freedom = HUGE_VAL };
	double parts = a.variance * a.variance / a.freedom + b.variance * b.variance / b.freedom;

	if (parts > 0)
		s.freedom = s.variance * s.variance / parts;
	return s;
}

/* A question that a metric is asked: how far it moved, and how uncertain that is. */
struct answer {
	double moved;
	struct spread spread;
	double would; /* how far it would have moved by twice the limit */
};

/* The chance, to one side, of moving so far. */
static double chance_of(double moved, struct spread s)
{
	if (!(s.variance > 0))
		return moved > 0 ? 0 : 1;
	return student_above(moved / sqrt(s.variance), s.freedom);
}

static double answer_chance(const struct answer *a)
{
	return chance_of(fabs(a->moved), a->spread);
}

/* What it would be had everything moved by twice the limit; in a tenth of the cases it is more. */
static double answer_would(const struct answer *a)
{
	return chance_of(fabs(a->would) - NORMAL_10 * sqrt(a->spread.variance), a->spread);
}

static struct spread runs_spread(const struct pooled *before, const struct pooled *now,
				 double freedom)
{
	return (struct spread){ before->runs + now->runs, freedom };
}

/* Where the frames of both sides have the same variance, which is known as well as one's is. */
static struct answer answer_from(struct pooled before, struct pooled now, double freedom)
{
	struct spread frames = { before.frames.variance + now.frames.variance,
				 before.frames.freedom };

	return (struct answer){
		.moved = now.mean - before.mean,
		.spread = add(frames, runs_spread(&before, &now, freedom)),
	};
}

static void figure_measure(struct change_figure *f, struct change_side before,
			   struct change_side now, enum measure_stat stat,
			   const struct change_limit *limit)
{
	struct spread frame_before = per_frame(before, get_stat, stat);
	struct spread frame_now = per_frame(now, get_stat, stat);
	struct pooled a = pool(before, frame_before, 0, value_stat, &stat);

	f->limit = fmax(fabs(a.mean) * limit->relative, limit->absolute);

	struct spread runs = between_runs(before, now, frame_before.variance, frame_now.variance,
					  stat, f->limit * ALLOWED_PART);
	struct pooled b = pool(now, frame_now, runs.variance, value_stat, &stat);

	a = pool(before, frame_before, runs.variance, value_stat, &stat);
	f->runs = sqrt(runs.variance);
	f->runs_freedom = runs.freedom;

	struct spread s = add(add(a.frames, b.frames), runs_spread(&a, &b, f->runs_freedom));

	f->known = true;
	f->before = a.mean;
	f->now = b.mean;
	f->error = sqrt(s.variance);
	f->noise = f->error * student_quantile(0.025, s.freedom);
	f->finds = f->error * (student_quantile(CHANGE_SINGLE, s.freedom) + NORMAL_10);
	f->chance = chance_of(fabs(f->now - f->before), s);
}

/* The part of a run's frames below some value. */
static double value_below(const struct measure *run, const void *arg)
{
	return sketch_below(&run->sketch, *(const double *)arg);
}

/* What both sides, as one, have the part p below. */
static double value_of_both(struct change_side before, struct change_side now, double p)
{
	double low = HUGE_VAL, high = -HUGE_VAL;
	const struct change_side *const sides[] = { &before, &now };

	for (unsigned s = 0; s < 2; s++)
		for (unsigned i = 0; i < sides[s]->nr; i++) {
			const struct sketch *k = &sides[s]->runs[i]->sketch;

			low = fmin(low, (double)k->at[0]);
			high = fmax(high, (double)k->at[SKETCH_NR - 1]);
		}
	for (unsigned step = 0; step < 40 && low < high; step++) {
		double x = low + (high - low) / 2, below[2] = { 0 };

		for (unsigned s = 0; s < 2; s++)
			for (unsigned i = 0; i < sides[s]->nr; i++)
				below[s] += value_below(sides[s]->runs[i], &x) / sides[s]->nr;
		if ((below[0] + below[1]) / 2 < p)
			low = x;
		else
			high = x;
	}
	return high;
}

/*
 * Where the frames are more alike: beyond a percentile, or beyond the next lower one. What both
 * sides have there may be beyond either; and of a burst that is longer than the part beyond, only
 * some of the frames, in no order, are in it.
 */
static const struct measure_figure *tail_figure(const struct measure *run, enum measure_stat stat)
{
	const struct measure_figure *at = &run->of[stat], *below = at - 1;

	return stat > MEASURE_P50 && below->effective < at->effective ? below : at;
}

/*
 * The part of the frames beyond what both sides, as one, have at a percentile. A variance that is
 * of a run's own percentile holds there, too, had there been no change. `runs` is what the runs
 * differ by.
 */
static struct answer tail_answer(struct change_side before, struct change_side now,
				 enum measure_stat stat, const struct change_figure *f, double runs)
{
	double p = measure_permille(stat) / 1000.0, between = 0, would = 0;
	double x = value_of_both(before, now, p);
	double above = f->before + f->limit, below = f->before - f->limit;
	const struct change_side *const sides[] = { &before, &now };
	struct spread frame = { 0 };

	for (unsigned s = 0; s < 2; s++) {
		struct spread side = { 0 };
		double moved = 0;

		for (unsigned i = 0; i < sides[s]->nr; i++) {
			const struct measure *run = sides[s]->runs[i];
			const struct measure_figure *figure = &run->of[stat];
			const struct measure_figure *tail = tail_figure(run, stat);

			side.variance +=
				p * (1 - p) * (double)run->n / tail->effective / sides[s]->nr;
			side.freedom += tail->freedom;
			moved += (sketch_below(&run->sketch, figure->value + runs) -
				  sketch_below(&run->sketch, figure->value - runs)) /
				 2 / sides[s]->nr;
			would += s ? 0
				   : (value_below(run, &above) - value_below(run, &below)) /
						 sides[s]->nr;
		}
		frame = s ? larger(frame, side) : side;
		between = fmax(between, moved * moved);
	}

	struct pooled a = pool(before, frame, between, value_below, &x);
	struct pooled b = pool(now, frame, between, value_below, &x);
	struct answer answer = answer_from(b, a, f->runs_freedom);

	answer.would = would;
	return answer;
}

/* Against what a run's frames are compared. */
struct opponent {
	struct change_side side;
	double shift; /* added to the run's frames */
};

/* The chance that a frame of the run is longer than one of the opponent's. */
static double value_longer(const struct measure *run, const void *arg)
{
	const struct opponent *o = arg;
	double sum = 0;

	for (unsigned i = 0; i < STEPS; i++) {
		double x = sketch_value(&run->sketch, (i + 0.5) / STEPS) + o->shift;

		for (unsigned j = 0; j < o->side.nr; j++)
			sum += sketch_below(&o->side.runs[j]->sketch, x) / o->side.nr;
	}
	return sum / STEPS;
}

/* That a run's frames are longer than those of its side, shifted by so much. */
static double moved_by(struct change_side side, double shift)
{
	const struct opponent itself = { side, shift };
	double mean = 0;

	for (unsigned i = 0; i < side.nr; i++)
		mean += value_longer(side.runs[i], &itself) / side.nr;
	return mean - 0.5;
}

/* Wilcoxon's rank sum, of which the mean is a half if nothing changed. */
static struct answer rank_answer(struct change_side before, struct change_side now,
				 const struct change_figure *f)
{
	struct spread frame = larger(per_frame(before, get_rank, 0), per_frame(now, get_rank, 0));
	const struct opponent other = { before, 0 };
	double between = moved_by(before, f->runs);
	struct pooled a = pool(before, frame, between * between, value_longer, &other);
	struct pooled b = pool(now, frame, between * between, value_longer, &other);
	struct answer answer = answer_from(a, b, f->runs_freedom);

	answer.moved = b.mean - 0.5;
	answer.would = moved_by(before, 2 * f->limit);
	return answer;
}

/* As if both sides had the error of the less certain one. */
static struct answer mean_answer(struct change_side before, struct change_side now,
				 const struct change_figure *f)
{
	static const enum measure_stat mean = MEASURE_MEAN;
	struct spread frame =
		larger(per_frame(before, get_stat, mean), per_frame(now, get_stat, mean));
	struct pooled a = pool(before, frame, f->runs * f->runs, value_stat, &mean);
	struct pooled b = pool(now, frame, f->runs * f->runs, value_stat, &mean);
	struct answer answer = answer_from(a, b, f->runs_freedom);

	answer.would = 2 * f->limit;
	return answer;
}

/*
 * A percentile is to have moved in the order of the frames, too, and to the same side. (What runs
 * differ by is in its own error.)
 */
static void ask_tail(struct change_figure *f, const struct answer *a)
{
	double moved = f->now > f->before ? a->moved : -a->moved;

	f->chance = fmax(f->chance, chance_of(moved, a->spread));
}

static void ask(struct change *c, const struct answer *a)
{
	c->chance = fmin(c->chance, answer_chance(a));
	c->would = fmin(c->would, answer_would(a));
}

void change_measure(struct change *c, struct change_side before, struct change_side now,
		    const struct change_limit limits[MEASURE_NR])
{
	bool share = before.runs[0]->share;
	unsigned questions = 1;
	struct answer a;

	*c = (struct change){ .chance = 1, .would = 1 };
	for (unsigned i = 0; i < (share ? 1 : MEASURE_NR); i++)
		figure_measure(&c->of[i], before, now, i, &limits[i]);
	a = mean_answer(before, now, &c->of[MEASURE_MEAN]);
	ask(c, &a);
	if (!share) {
		questions = 4;
		a = rank_answer(before, now, &c->of[MEASURE_P50]);
		ask(c, &a);
		for (unsigned i = MEASURE_P50; i < MEASURE_NR; i++) {
			a = tail_answer(before, now, i, &c->of[i], 0);
			ask_tail(&c->of[i], &a);
			if (i != MEASURE_P95 && i != MEASURE_P99)
				continue;
			a = tail_answer(before, now, i, &c->of[i], c->of[i].runs);
			ask(c, &a);
		}
	}
	/* To either side. */
	c->chance = fmin(1, 2 * questions * c->chance);
	c->would = fmin(1, 2 * questions * c->would);
	c->corrected = c->chance;
}

static int by_chance(const void *a, const void *b)
{
	const struct change *x = *(struct change *const *)a, *y = *(struct change *const *)b;

	return (x->chance > y->chance) - (x->chance < y->chance);
}

void change_correct(struct change **all, unsigned nr)
{
	double least = 0;

	qsort(all, nr, sizeof(struct change *), by_chance);
	for (unsigned i = 0; i < nr; i++) {
		least = fmax(least, fmin(1, all[i]->chance * (nr - i)));
		all[i]->corrected = least;
		all[i]->would = fmin(1, all[i]->would * nr);
	}
}

static void judge_figure(struct change_figure *f, const struct change *c, bool few, bool lossy)
{
	double difference = f->now - f->before;
	/* Else it is the same number in all frames of both, and the limit may be a part of 0. */
	bool moved = f->error > 0 || fabs(difference) > 0;

	f->verdict = CHANGE_UNCLEAR;
	if (lossy) {
		f->reason = CHANGE_LOSSY;
	} else if (few) {
		f->reason = CHANGE_FEW_FRAMES;
	} else if (moved && fabs(difference) >= f->limit) {
		f->reason = CHANGE_CHANCE;
		if (c->corrected <= CHANGE_FAMILY && f->chance <= CHANGE_SINGLE) {
			f->verdict = difference > 0 ? CHANGE_UP : CHANGE_DOWN;
			f->reason = CHANGE_CLEAR;
		}
	} else if (moved && (f->finds > 2 * f->limit || c->would > CHANGE_FAMILY)) {
		f->reason = CHANGE_NOISE;
	} else {
		f->verdict = CHANGE_SAME;
		f->reason = CHANGE_CLEAR;
	}
}

void change_judge(struct change *c, bool few, bool lossy)
{
	for (unsigned i = 0; i < MEASURE_NR; i++)
		if (c->of[i].known)
			judge_figure(&c->of[i], c, few, lossy);
}

const char *change_verdict_name(enum change_verdict v)
{
	static const char *const names[] = {
		[CHANGE_SAME] = "same",
		[CHANGE_UP] = "higher",
		[CHANGE_DOWN] = "lower",
		[CHANGE_UNCLEAR] = "inconclusive",
	};

	return names[v];
}

const char *change_reason_name(enum change_reason r)
{
	static const char *const names[] = {
		[CHANGE_CLEAR] = "clear",
		[CHANGE_LOSSY] = "too_lossy",
		[CHANGE_FEW_FRAMES] = "too_few_frames",
		[CHANGE_NOISE] = "noisy",
		[CHANGE_CHANCE] = "may_be_chance",
	};

	return names[r];
}
