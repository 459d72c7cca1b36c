/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What follows from what in JankTracker.cpp and ProfileData.cpp of AOSP. The counters of 32 bits
 * are taken to have never wrapped: at 120 Hz that takes 400 days of drawing.
 */
#include "judge/gfxinfo_check.h"

/*
 * A process has 5 s to print its dump (TransferPipe.java), and no display of a device shows more
 * than 240 frames in one. That many may be in what is printed last and not in what was printed
 * first.
 */
#define DRAWN_MEANWHILE 1200

#define WINDOW_ROWS 120 /* the ring of JankTracker */
#define SLOW_RANGE 65536 /* counts of a slow bucket, before it begins again at 0 */

#define HAS(t, figure) totals_has((t), FIGURE_##figure)
#define TYPE(type) (FIGURE_TYPES + (unsigned)JANK_##type)

struct check {
	const struct totals *t;
	const struct totals_entry *of;
	const struct gfxinfo_finding_sink *sink;
	bool locked; /* it was printed under the lock that frames are counted under */
	bool steady; /* no frame was added while it was printed */
};

static void emit(const struct check *c, struct gfxinfo_finding f)
{
	f.of = c->of;
	if (!f.line)
		f.line = c->t->line;
	c->sink->finding(c->sink->ctx, &f);
}

static void note(const struct check *c, struct gfxinfo_finding f)
{
	f.contradiction = false;
	emit(c, f);
}

static void contradict(const struct check *c, struct gfxinfo_finding f)
{
	f.contradiction = true;
	emit(c, f);
}

/*
 * Numbers of one block that are off by `by` frames. Steady or not, of one frame some may have been
 * counted and others not yet.
 */
static void off_by(const struct check *c, uint64_t by, struct gfxinfo_finding f)
{
	f.meanwhile = c->steady ? !c->locked && by == 1 : by <= DRAWN_MEANWHILE;
	f.contradiction = !f.meanwhile;
	emit(c, f);
}

/*
 * From Android 12 on frames end on a binder thread, under a lock that is taken for printing the
 * totals of a window but not for those of a process. If its figures agree with what is printed
 * last, none did.
 */
static bool is_locked(const struct totals *t)
{
	return t->scope != SCOPE_PROCESS || !HAS(t, JANKY_LEGACY);
}

static bool is_steady(const struct totals *t)
{
	return is_locked(t) || (t->whole && HAS(t, TOTAL) && t->frames == t->counts.total);
}

static void check_odd(const struct check *c)
{
	static const enum gfxinfo_finding_kind kinds[ODD_NR] = {
		[ODD_UNKNOWN_LABEL] = FINDING_UNKNOWN_LABEL,
		[ODD_LABEL_TWICE] = FINDING_LABEL_TWICE,
		[ODD_TOO_LARGE] = FINDING_TOO_LARGE,
	};

	for (unsigned i = 0; i < ODD_NR; i++) {
		const struct totals_odd *odd = &c->t->odd[i];
		struct gfxinfo_finding f = {
			.kind = kinds[i],
			.figure = odd->figure,
			.label_ms = odd->label_ms,
			.printed = odd->count,
			.expected = UINT32_MAX,
		};

		if (!odd->nr)
			continue;
		if (odd->figure == FIGURE_HISTOGRAM && i == ODD_TOO_LARGE &&
		    profile_bucket_of_label(odd->label_ms) >= PROFILE_FAST)
			f.expected = UINT16_MAX;
		/* those of a package are of graphicsstats, which adds them up in 32 bits */
		if (f.expected == UINT16_MAX && c->t->scope == SCOPE_PACKAGE)
			note(c, f);
		else
			contradict(c, f);
	}
}

static void check_missing(const struct check *c)
{
	const struct totals *t = c->t;

	if (HAS(t, HISTOGRAM) && t->nr_bars < PROFILE_BUCKETS)
		note(c, (struct gfxinfo_finding){
				.kind = FINDING_BARS_MISSING,
				.figure = FIGURE_HISTOGRAM,
				.printed = t->nr_bars,
				.expected = PROFILE_BUCKETS,
			});
	if (HAS(t, GPU_HISTOGRAM) && t->nr_gpu_bars < PROFILE_GPU_BUCKETS)
		note(c, (struct gfxinfo_finding){
				.kind = FINDING_BARS_MISSING,
				.figure = FIGURE_GPU_HISTOGRAM,
				.printed = t->nr_gpu_bars,
				.expected = PROFILE_GPU_BUCKETS,
			});
}

/*
 * A wrap takes 65536 off the sum. One that is made by writing 32 bits, as frames of 136 to 139 ms
 * are counted, carries 1 into the next bucket.
 */
static bool wraps_explain(uint64_t missing)
{
	uint64_t wraps = (missing + SLOW_RANGE - 1) / SLOW_RANGE;

	return wraps * SLOW_RANGE - missing <= wraps;
}

static void check_sum(const struct check *c)
{
	const struct totals *t = c->t;
	struct gfxinfo_finding f = {
		.figure = FIGURE_HISTOGRAM,
		.printed = t->frames,
		.expected = t->counts.total,
	};

	if (!t->whole || !HAS(t, TOTAL) || t->frames == t->counts.total)
		return;
	if (t->frames > t->counts.total) {
		f.kind = FINDING_SUM_ABOVE_TOTAL;
		off_by(c, t->frames - t->counts.total, f);
		return;
	}
	f.kind = FINDING_SUM_BELOW_TOTAL;
	/* Android 8, without this line, has frames that are in no bucket. Buckets of a process are
	 * lost when its totals move into memory that it shares with graphicsstats. */
	if (t->scope != SCOPE_WINDOW || !totals_has(t, TYPE(MISSED_DEADLINE))) {
		note(c, f);
	} else if (wraps_explain(t->counts.total - t->frames)) {
		f.kind = FINDING_SUM_WRAPPED;
		note(c, f);
	} else {
		contradict(c, f);
	}
}

static const unsigned percents[4] = { 50, 90, 95, 99 };

static void check_percentiles(const struct check *c)
{
	const struct totals *t = c->t;

	for (unsigned i = 0; i < 4 && t->whole && HAS(t, TOTAL); i++) {
		unsigned expected = profile_percentile(&t->counts, percents[i]);

		if (totals_has(t, FIGURE_PERCENTILES + i) && t->percentiles_ms[i] != expected)
			off_by(c, 0,
			       (struct gfxinfo_finding){
				       .kind = FINDING_PERCENTILE,
				       .figure = FIGURE_PERCENTILES + i,
				       .printed = t->percentiles_ms[i],
				       .expected = expected,
				       .frames = t->counts.total,
			       });
	}
	for (unsigned i = 0; i < 4 && t->gpu_whole; i++) {
		unsigned expected = profile_gpu_percentile(&t->counts, percents[i]);

		if (totals_has(t, FIGURE_GPU_PERCENTILES + i) &&
		    t->gpu_percentiles_ms[i] != expected)
			off_by(c, 0,
			       (struct gfxinfo_finding){
				       .kind = FINDING_PERCENTILE,
				       .figure = FIGURE_GPU_PERCENTILES + i,
				       .printed = t->gpu_percentiles_ms[i],
				       .expected = expected,
				       .frames = t->gpu_frames,
			       });
	}
}

/* The walk begins at the slowest bucket, and ends there. */
static void check_no_frames(const struct check *c)
{
	static const uint32_t percentiles = 0xf;
	const struct totals *t = c->t;
	struct gfxinfo_finding f = { .kind = FINDING_NO_FRAMES };

	if (HAS(t, TOTAL) && !t->counts.total && t->printed & percentiles << FIGURE_PERCENTILES) {
		f.figure = FIGURE_PERCENTILES;
		f.printed = t->percentiles_ms[0];
		note(c, f);
	} else if (t->gpu_whole && !t->gpu_frames &&
		   t->printed & percentiles << FIGURE_GPU_PERCENTILES) {
		f.figure = FIGURE_GPU_PERCENTILES;
		f.printed = t->gpu_percentiles_ms[0];
		note(c, f);
	}
}

/* In hundredths, as printf("%.2f%%") rounds it: to even where it lies between two. */
static uint64_t centipercent(uint32_t part, uint32_t total)
{
	float percent = total ? (float)part / (float)total * 100.0f : 0.0f;
	double exact = (double)percent * 100;
	uint64_t n = (uint64_t)exact;
	double rest = exact - (double)n;

	return n + (rest > 0.5 || (rest == 0.5 && n & 1));
}

static void check_share(const struct check *c, enum gfxinfo_figure figure, uint32_t count,
			uint32_t printed)
{
	uint64_t expected = centipercent(count, c->t->counts.total);

	if (totals_has(c->t, figure) && HAS(c->t, TOTAL) && printed != expected)
		off_by(c, 0,
		       (struct gfxinfo_finding){
			       .kind = FINDING_SHARE,
			       .figure = figure,
			       .printed = printed,
			       .expected = expected,
			       .frames = c->t->counts.total,
		       });
}

static void check_at_most(const struct check *c, enum gfxinfo_finding_kind kind,
			  enum gfxinfo_figure figure, uint64_t printed, uint64_t most)
{
	if (totals_has(c->t, figure) && printed > most)
		off_by(c, printed - most,
		       (struct gfxinfo_finding){
			       .kind = kind,
			       .figure = figure,
			       .printed = printed,
			       .expected = most,
			       .frames = c->t->counts.total,
		       });
}

/* What JankTracker counts once per frame that it counts, or not at all. */
static void check_total(const struct check *c)
{
	const struct profile_data *p = &c->t->counts;

	if (!HAS(c->t, TOTAL))
		return;
	check_at_most(c, FINDING_ABOVE_TOTAL, FIGURE_JANKY, p->janky, p->total);
	check_at_most(c, FINDING_ABOVE_TOTAL, FIGURE_JANKY_LEGACY, p->janky_legacy, p->total);
	for (unsigned i = 0; i < JANK_TYPE_NR; i++)
		if (i != JANK_HIGH_INPUT_LATENCY)
			check_at_most(c, FINDING_ABOVE_TOTAL, FIGURE_TYPES + i, p->types[i],
				      p->total);
	if (c->t->gpu_whole)
		check_at_most(c, FINDING_ABOVE_TOTAL, FIGURE_GPU_HISTOGRAM, c->t->gpu_frames,
			      p->total);
}

/* Android 9 on: it looks for causes only in frames that missed their deadline. */
static void check_causes(const struct check *c)
{
	static const enum jank_type causes[] = { JANK_MISSED_VSYNC, JANK_SLOW_UI, JANK_SLOW_SYNC,
						 JANK_SLOW_RT };
	const struct profile_data *p = &c->t->counts;
	uint32_t missed = p->types[JANK_MISSED_DEADLINE];

	if (!totals_has(c->t, TYPE(MISSED_DEADLINE)))
		return;
	for (unsigned i = 0; i < sizeof(causes) / sizeof(*causes); i++)
		check_at_most(c, FINDING_CAUSE_ABOVE_MISSED, FIGURE_TYPES + causes[i],
			      p->types[causes[i]], missed);
	/* 12 on: both are counted in one place */
	if (HAS(c->t, JANKY) && HAS(c->t, JANKY_LEGACY) && p->janky != missed)
		off_by(c, p->janky > missed ? p->janky - missed : missed - p->janky,
		       (struct gfxinfo_finding){
			       .kind = FINDING_JANKY_NOT_MISSED,
			       .figure = FIGURE_JANKY,
			       .printed = p->janky,
			       .expected = missed,
		       });
}

/*
 * Counted of frames that made their deadline with buffers stuffed; from 12 on by both algorithms,
 * into one counter. Android 8 counts it on its own.
 */
static void check_high_latency(const struct check *c)
{
	const struct profile_data *p = &c->t->counts;
	bool both = HAS(c->t, JANKY_LEGACY);
	uint64_t most = (uint64_t)p->total * (both ? 2 : 1), missed = 0;

	if (!HAS(c->t, TOTAL))
		return;
	if (totals_has(c->t, TYPE(MISSED_DEADLINE)))
		missed += p->types[JANK_MISSED_DEADLINE];
	if (both && totals_has(c->t, TYPE(MISSED_DEADLINE_LEGACY)))
		missed += p->types[JANK_MISSED_DEADLINE_LEGACY];
	check_at_most(c, FINDING_HIGH_LATENCY, TYPE(HIGH_INPUT_LATENCY),
		      p->types[JANK_HIGH_INPUT_LATENCY], missed < most ? most - missed : 0);
}

void gfxinfo_check_block(const struct totals *t, const struct totals_entry *of,
			 const struct gfxinfo_finding_sink *sink)
{
	const struct check c = {
		.t = t,
		.of = of,
		.sink = sink,
		.locked = is_locked(t),
		.steady = is_steady(t),
	};

	check_odd(&c);
	check_missing(&c);
	check_sum(&c);
	check_percentiles(&c);
	check_no_frames(&c);
	check_share(&c, FIGURE_JANKY, t->counts.janky, t->janky_centipercent);
	check_share(&c, FIGURE_JANKY_LEGACY, t->counts.janky_legacy, t->janky_legacy_centipercent);
	check_total(&c);
	check_causes(&c);
	check_high_latency(&c);
	if (t->filtered)
		note(&c, (struct gfxinfo_finding){ .kind = FINDING_FILTERED, .figure = FIGURE_NR });
}

static bool have_both(const struct totals *a, const struct totals *b, unsigned figure)
{
	return totals_has(a, figure) && totals_has(b, figure);
}

static void check_grows(const struct check *c, unsigned figure, uint32_t label_ms, uint64_t now,
			uint64_t before)
{
	if (now < before && have_both(c->t, c->of->previous, figure))
		contradict(c, (struct gfxinfo_finding){
				      .kind = FINDING_BACKWARDS,
				      .figure = figure,
				      .label_ms = label_ms,
				      .printed = now,
				      .expected = before,
			      });
}

/* Of each histogram the first bar that shrank. Slow ones may: they wrap, or are lost. */
static void check_bars_grow(const struct check *c)
{
	const struct totals *was = c->of->previous;
	const struct profile_data *p = &c->t->counts, *q = &was->counts;
	unsigned i = 0, gpu = 0;

	while (i < PROFILE_FAST && p->fast[i] >= q->fast[i])
		i++;
	if (i < PROFILE_FAST && c->t->whole && was->whole)
		check_grows(c, FIGURE_HISTOGRAM, profile_label(i), p->fast[i], q->fast[i]);
	while (gpu < PROFILE_GPU_BUCKETS && p->gpu[gpu] >= q->gpu[gpu])
		gpu++;
	if (gpu < PROFILE_GPU_BUCKETS && c->t->gpu_whole && was->gpu_whole)
		check_grows(c, FIGURE_GPU_HISTOGRAM, profile_gpu_label(gpu), p->gpu[gpu],
			    q->gpu[gpu]);
}

static void check_previous(const struct check *c)
{
	const struct totals *t = c->t, *was = c->of->previous;
	const struct profile_data *p = &t->counts, *q;

	if (!was || !have_both(t, was, FIGURE_SINCE))
		return;
	q = &was->counts;
	if (p->since_ns != q->since_ns) {
		note(c, (struct gfxinfo_finding){
				.kind = FINDING_RESET,
				.figure = FIGURE_SINCE,
				.printed = p->since_ns,
				.expected = q->since_ns,
			});
		return;
	}
	/* if the dumps are not in order, their counters need not be */
	if (t->uptime_ms && t->uptime_ms < was->uptime_ms)
		return;
	check_grows(c, FIGURE_TOTAL, 0, p->total, q->total);
	check_grows(c, FIGURE_JANKY, 0, p->janky, q->janky);
	check_grows(c, FIGURE_JANKY_LEGACY, 0, p->janky_legacy, q->janky_legacy);
	for (unsigned i = 0; i < JANK_TYPE_NR; i++)
		check_grows(c, FIGURE_TYPES + i, 0, p->types[i], q->types[i]);
	check_bars_grow(c);
}

/* A window's totals are printed after its process's, and have every frame of theirs in them. */
static void above_process(const struct check *c, enum gfxinfo_finding_kind kind, uint64_t printed,
			  uint64_t process, unsigned windows)
{
	struct gfxinfo_finding f = {
		.kind = kind,
		.figure = FIGURE_TOTAL,
		.printed = printed,
		.expected = process,
	};

	if (printed <= process)
		return;
	f.meanwhile = printed - process <= (uint64_t)DRAWN_MEANWHILE * windows;
	f.contradiction = !f.meanwhile;
	emit(c, f);
}

static void check_window_of_process(const struct check *c)
{
	const struct totals *w = c->t, *p = &c->of->owner->newest;

	if (p->dump == w->dump && have_both(w, p, FIGURE_TOTAL) && have_both(w, p, FIGURE_SINCE) &&
	    w->counts.since_ns >= p->counts.since_ns)
		above_process(c, FINDING_WINDOW_ABOVE_PROCESS, w->counts.total, p->counts.total, 1);
}

/* The ring has the last frames of a window, however long it has counted them. */
static void check_rows(const struct check *c)
{
	uint32_t sound = c->of->rows[FAULT_NONE], all = 0, total = c->t->counts.total;
	struct gfxinfo_finding f = {
		.kind = sound > total ? FINDING_ROWS_ABOVE_TOTAL : FINDING_ROWS_BELOW_TOTAL,
		.figure = FIGURE_TOTAL,
		.printed = total,
		.expected = sound,
	};

	for (unsigned i = 0; i < FAULT_NR; i++)
		all += c->of->rows[i];
	if (!all || !HAS(c->t, TOTAL) || sound == total)
		return;
	if (sound > total || total <= WINDOW_ROWS)
		note(c, f);
}

static void check_entry(const struct totals_entry *e, const struct gfxinfo_finding_sink *sink)
{
	const struct check c = { .t = &e->newest, .of = e, .sink = sink };

	if (!e->newest.printed || e->newest.dump != e->dump)
		return;
	gfxinfo_check_block(&e->newest, e, sink);
	check_previous(&c);
	if (e->scope == SCOPE_WINDOW) {
		check_window_of_process(&c);
		check_rows(&c);
	}
	/* of one alone it has been said */
	if (e->scope == SCOPE_PROCESS && e->nr_windows > 1)
		above_process(&c, FINDING_WINDOWS_ABOVE_PROCESS, e->windows_total,
			      e->newest.counts.total, e->nr_windows);
}

void gfxinfo_check_dump(const struct gfxinfo_totals *t, const struct gfxinfo_finding_sink *sink)
{
	const struct totals_dump *dump = gfxinfo_totals_dump(t);
	const struct totals_entry *e = NULL;

	if (dump->uptime_ms && dump->uptime_ms < dump->previous_uptime_ms) {
		const struct gfxinfo_finding f = {
			.kind = FINDING_DUMP_ORDER,
			.line = dump->line,
			.figure = FIGURE_NR,
			.printed = dump->uptime_ms,
			.expected = dump->previous_uptime_ms,
		};

		sink->finding(sink->ctx, &f);
	}
	while ((e = gfxinfo_totals_next_of_dump(t, e)))
		check_entry(e, sink);
}
