/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Compares counters and bars, as printed and as made of rows. */
#include "judge/gfxinfo_rows_check.h"

#define HWUI_DEADLINE 12 /* first release whose rows have one */

bool gfxinfo_rows_are_all(const struct totals_entry *e, const struct window_verdicts *w)
{
	const struct totals *t = &e->newest;

	return w->android >= HWUI_DEADLINE && totals_has(t, FIGURE_TOTAL) && t->counts.total &&
	       e->rows[FAULT_NONE] == t->counts.total && w->frames == t->counts.total &&
	       w->profile.total == t->counts.total && !w->gaps && !t->filtered;
}

struct comparison {
	const struct totals_entry *e;
	const struct gfxinfo_finding_sink *sink;
};

static void compare(const struct comparison *c, unsigned figure, uint32_t label_ms,
		    uint64_t printed, uint64_t made)
{
	/* By the interval and offsets of the display, and by what was before a reset. */
	bool of_display = figure == FIGURE_JANKY_LEGACY ||
			  figure == FIGURE_TYPES + JANK_HIGH_INPUT_LATENCY ||
			  figure == FIGURE_TYPES + JANK_MISSED_DEADLINE_LEGACY;
	const struct gfxinfo_finding f = {
		.kind = FINDING_ROWS_MAKE,
		.contradiction = !of_display,
		.of = c->e,
		.line = c->e->newest.line,
		.figure = (enum gfxinfo_figure)figure,
		.label_ms = label_ms,
		.printed = printed,
		.expected = made,
		.frames = c->e->newest.counts.total,
	};

	if (printed != made)
		c->sink->finding(c->sink->ctx, &f);
}

void gfxinfo_check_rows(const struct totals_entry *e, const struct window_verdicts *w,
			const struct gfxinfo_finding_sink *sink)
{
	const struct comparison c = { e, sink };
	const struct totals *t = &e->newest;
	const struct profile_data *p = &t->counts, *made = &w->profile;

	if (!gfxinfo_rows_are_all(e, w))
		return;
	if (totals_has(t, FIGURE_JANKY))
		compare(&c, FIGURE_JANKY, 0, p->janky, made->janky);
	if (totals_has(t, FIGURE_JANKY_LEGACY))
		compare(&c, FIGURE_JANKY_LEGACY, 0, p->janky_legacy, made->janky_legacy);
	for (unsigned i = 0; i < JANK_TYPE_NR; i++)
		if (totals_has(t, FIGURE_TYPES + i))
			compare(&c, FIGURE_TYPES + i, 0, p->types[i], made->types[i]);
	for (unsigned i = 0; t->whole && i < PROFILE_BUCKETS; i++)
		compare(&c, FIGURE_HISTOGRAM, profile_label(i), profile_count(p, i),
			profile_count(made, i));
	for (unsigned i = 0; t->gpu_whole && i < PROFILE_GPU_BUCKETS; i++)
		compare(&c, FIGURE_GPU_HISTOGRAM, profile_gpu_label(i), p->gpu[i], made->gpu[i]);
}
