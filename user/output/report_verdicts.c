/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Verdicts in a report: a line for each system, and why they differ. */
#include "output/report_verdicts.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include "output/json_values.h"
#include "output/page.h"
#include "output/words.h"

static const unsigned percents[] = { 50, 90, 95, 99 };

#define NR_PERCENTS (sizeof(percents) / sizeof(*percents))

static double percent(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0;
}

/* "8/42/73/550" */
static void words_percentiles(char *dst, size_t len, const struct profile_data *p,
			      unsigned (*of)(const struct profile_data *, unsigned))
{
	snprintf(dst, len, "%u/%u/%u/%u", of(p, 50), of(p, 90), of(p, 95), of(p, 99));
}

__attribute__((format(printf, 5, 6))) static void
print_system(FILE *out, const char *name, uint64_t frames, uint64_t janky, const char *fmt, ...)
{
	char text[512];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	fprintf(out, "  %-11s %6" PRIu64 " %6" PRIu64 " %6.2f %%  ", name, frames, janky,
		percent(janky, frames));
	page_wrap(out, 38, 38, REPORT_WIDTH, text);
}

static void print_hwui(FILE *out, const struct window_verdicts *w)
{
	const struct profile_data *p = &w->profile;
	char frames[64], gpu[64] = "", text[160];

	words_percentiles(frames, sizeof(frames), p, profile_percentile);
	snprintf(text, sizeof(text), "50/90/95/99th %s ms", frames);
	if (profile_has_gpu(p)) {
		words_percentiles(gpu, sizeof(gpu), p, profile_gpu_percentile);
		snprintf(text + strlen(text), sizeof(text) - strlen(text), ", GPU %s ms", gpu);
	}
	print_system(out, "HWUI", p->total, p->janky, "%s", text);
	if (w->android >= 12)
		print_system(out, "HWUI legacy", p->total, p->janky_legacy,
			     "longer than an interval until the end of the swap");
}

static void print_matrix(FILE *out, const struct window_verdicts *w)
{
	const uint64_t *level = w->matrix_level;
	uint64_t dropped = 0;

	for (unsigned i = 0; i < MATRIX_LEVEL_NR; i++)
		dropped += w->matrix_sum[i];
	print_system(out, "Matrix", w->matrix_frames, w->matrix_janky,
		     "%" PRIu64 " dropped; best %" PRIu64 ", normal %" PRIu64 ", middle %" PRIu64
		     ", high %" PRIu64 ", frozen %" PRIu64,
		     dropped, level[MATRIX_BEST], level[MATRIX_NORMAL], level[MATRIX_MIDDLE],
		     level[MATRIX_HIGH], level[MATRIX_FROZEN]);
}

void words_jank_types(char *dst, size_t len, const struct profile_data *p)
{
	*dst = '\0';
	for (unsigned i = 0; i < JANK_TYPE_NR; i++) {
		size_t used = strlen(dst);

		if (p->types[i])
			snprintf(dst + used, len - used, "%s%s %" PRIu32, used ? ", " : "",
				 jank_type_title((enum jank_type)i), p->types[i]);
	}
}

static void print_types(FILE *out, const struct window_verdicts *w)
{
	char text[512];

	words_jank_types(text, sizeof(text), &w->profile);
	if (!*text)
		return;
	fprintf(out, "  %-11s ", "jank types");
	page_wrap(out, 14, 14, REPORT_WIDTH, text);
}

static void print_disagreements(FILE *out, const struct window_verdicts *w)
{
	bool head = false;

	for (unsigned i = 0; i < DISAGREEMENT_NR; i++) {
		if (!w->disagreements[i])
			continue;
		if (!head)
			fputs("  where they differ from HWUI's verdict, in frames:\n", out);
		head = true;
		fprintf(out, "  %9" PRIu64 "  ", w->disagreements[i]);
		page_wrap(out, 13, 13, REPORT_WIDTH, disagreement_text((enum disagreement)i));
	}
}

/* What a reader must know before taking the numbers for the app's own. */
__attribute__((format(printf, 4, 5))) static void
print_remark(FILE *out, const char *word, uint64_t frames, const char *fmt, ...)
{
	char text[512];
	va_list args;

	if (!frames)
		return;
	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	fprintf(out, "  %-12s %7" PRIu64 "  ", word, frames);
	page_wrap(out, 24, 24, REPORT_WIDTH, text);
}

static void print_remarks(FILE *out, const struct window_verdicts *w)
{
	print_remark(out, "not judged", w->unjudged, "by HWUI's rules: %s",
		     w->android < 12 ? "the display's rate is not known (--refresh-rate HZ)"
				     : "they lack what these need");
	print_remark(out, "not judged", w->without_info,
		     "they have no FrameInfo; the app has counted them");
	print_remark(out, "gaps", w->gaps,
		     "times the rows of one dump do not follow those of the dump before: frames "
		     "are missing; poll more often");
	print_remark(out, "probable", w->probable,
		     "a missed deadline or high input latency may be another in the app, for it "
		     "depends on frames that were not seen");
}

/* "Android 15, guessed: the FrameInfos are of 13 to 15; 60.0 Hz" */
static void words_rules(char *dst, size_t len, const struct window_verdicts *w)
{
	int64_t interval = w->tracker.rules.interval_ns;

	snprintf(dst, len, "rules of Android %u", w->android);
	if (w->guessed)
		snprintf(dst + strlen(dst), len - strlen(dst), ": the FrameInfos fit %u to %u",
			 w->guessed, w->android);
	if (interval > 0)
		snprintf(dst + strlen(dst), len - strlen(dst), "; display %.1f Hz",
			 1e9 / (double)interval);
	if (w->tracker.rules.forgiveness_ns)
		snprintf(dst + strlen(dst), len - strlen(dst), "; forgiven up to %.1f ms",
			 (double)w->tracker.rules.forgiveness_ns / 1e6);
}

void report_verdicts(FILE *out, const struct style *style, const struct window_verdicts *w)
{
	char rules[160];

	words_rules(rules, sizeof(rules), w);
	fprintf(out, "\n  %sVerdicts%s  (%s)\n", style->bold, style->off, rules);
	fprintf(out, "  %s%-11s %6s %6s%s\n", style->bold, "by", "frames", "janky", style->off);
	if (w->profile.total)
		print_hwui(out, w);
	if (w->jankstats_frames)
		print_system(out, "JankStats", w->jankstats_frames, w->jankstats_janky,
			     w->api >= 31 ? "UI part longer than %.3g times its deadline"
					  : "UI part longer than %.3g times an interval of 60 Hz",
			     (double)w->jankstats.multiplier);
	if (w->matrix_frames)
		print_matrix(out, w);
	print_types(out, w);
	print_disagreements(out, w);
	print_remarks(out, w);
}

static json_t *percentiles_object(const struct profile_data *p,
				  unsigned (*of)(const struct profile_data *, unsigned))
{
	json_t *o = json_object();
	char key[8];
	int rc = 0;

	for (size_t i = 0; i < NR_PERCENTS; i++) {
		snprintf(key, sizeof(key), "p%u", percents[i]);
		rc |= json_set_number(o, key, of(p, percents[i]));
	}
	return json_if(rc, o);
}

static json_t *types_object(const struct profile_data *p, unsigned android)
{
	json_t *o = json_object();
	int rc = 0;

	for (unsigned i = 0; i < JANK_TYPE_NR; i++)
		if (jank_type_of_release((enum jank_type)i, android))
			rc |= json_set_number(o, jank_type_name((enum jank_type)i), p->types[i]);
	return json_if(rc, o);
}

static json_t *profile_object(const struct profile_data *p, unsigned android)
{
	json_t *o = json_object();
	int rc = 0;

	rc |= json_set_number(o, "frames", p->total);
	rc |= json_set_number(o, "janky", p->janky);
	if (android >= 12)
		rc |= json_set_number(o, "janky_legacy", p->janky_legacy);
	/* Of no frames the platform prints 4950 ms. */
	if (p->total)
		rc |= json_object_set_new(o, "percentiles_ms",
					  percentiles_object(p, profile_percentile));
	if (profile_has_gpu(p))
		rc |= json_object_set_new(o, "gpu_percentiles_ms",
					  percentiles_object(p, profile_gpu_percentile));
	rc |= json_object_set_new(o, "types", types_object(p, android));
	return json_if(rc, o);
}

static json_t *matrix_object(const struct window_verdicts *w)
{
	json_t *o = json_object(), *levels = json_object(), *sums = json_object();
	int rc = json_set_number(o, "frames", w->matrix_frames);

	for (unsigned i = 0; i < MATRIX_LEVEL_NR; i++) {
		rc |= json_set_number(levels, matrix_level_name((enum matrix_level)i),
				      w->matrix_level[i]);
		rc |= json_set_number(sums, matrix_level_name((enum matrix_level)i),
				      w->matrix_sum[i]);
	}
	rc |= json_object_set_new(o, "dropLevel", levels);
	rc |= json_object_set_new(o, "dropSum", sums);
	return json_if(rc, o);
}

json_t *verdicts_object(const struct window_verdicts *w)
{
	json_t *o = json_object(), *js = json_object(), *differ = json_object();
	char tracker[32];
	int rc = 0;

	snprintf(tracker, sizeof(tracker), "0x%" PRIx64, w->jank_tracker);
	if (w->jank_tracker)
		rc |= json_object_set_new(o, "jank_tracker", json_string(tracker));
	rc |= json_set_number(o, "android", w->android);
	rc |= json_set_number(o, "api", w->api);
	rc |= json_set_number(o, "frames", w->frames);
	rc |= json_set_number(o, "unjudged", w->unjudged);
	rc |= json_set_number(o, "probable", w->probable);
	rc |= json_set_number(o, "without_frame_info", w->without_info);
	rc |= json_set_number(o, "gaps", w->gaps);
	if (w->tracker.rules.interval_ns > 0)
		rc |= json_set_number(o, "interval_ns", (uint64_t)w->tracker.rules.interval_ns);
	rc |= json_set_number(o, "forgiveness_ns", (uint64_t)w->tracker.rules.forgiveness_ns);
	rc |= json_object_set_new(o, "hwui", profile_object(&w->profile, w->android));
	rc |= json_set_number(js, "frames", w->jankstats_frames);
	rc |= json_set_number(js, "janky", w->jankstats_janky);
	rc |= json_object_set_new(o, "jankstats", js);
	rc |= json_object_set_new(o, "matrix", matrix_object(w));
	for (unsigned i = 0; i < DISAGREEMENT_NR; i++)
		if (i < TIMELINE_NOT_SHOWN_LATE || w->timeline_frames)
			rc |= json_set_number(differ, disagreement_name((enum disagreement)i),
					      w->disagreements[i]);
	rc |= json_object_set_new(o, "disagreements", differ);
	return json_if(rc, o);
}
