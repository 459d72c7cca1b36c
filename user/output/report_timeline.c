/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* FrameTimeline's verdicts in a report: each kind of jank, beside HWUI's. */
#include "output/report_timeline.h"

#include <inttypes.h>

#include "output/frame_timeline_words.h"
#include "output/json_values.h"
#include "output/page.h"
#include "output/words.h"

#define NAME_WIDTH 36

/* Of those without a name only the kind is known. */
static void words_present(char *dst, size_t len, const struct timeline_summary *s)
{
	char name[WORDS_LEN];

	*dst = '\0';
	for (uint32_t i = 1; i < FT_PRESENT_NR; i++) {
		words_ft_present(name, sizeof(name), i);
		if (s->present[i])
			words_append(dst, len, "%s%s %" PRIu64, *dst ? ", " : "", name,
				     s->present[i]);
	}
	if (s->expired)
		words_append(dst, len, "%sexpired predictions %" PRIu64, *dst ? "; " : "",
			     s->expired);
	if (s->several)
		words_append(dst, len,
			     "%s%" PRIu64 " with several layers, of which it may be another's",
			     *dst ? "; " : "", s->several);
}

void report_timeline(FILE *out, const struct style *style, const struct timeline_summary *s)
{
	char text[WORDS_LEN];

	if (!s->all.frames)
		return;
	fprintf(out,
		"\n  %sFrameTimeline%s  (SurfaceFlinger's verdict, on %" PRIu64
		" frames, cut and lossy ones too)\n",
		style->bold, style->off, s->all.frames);
	fprintf(out, "  %s%-*s %7s%s%s\n", style->bold, NAME_WIDTH, "jank type", "frames",
		s->all.both ? "  HWUI janky" : "", style->off);
	for (unsigned i = 0; i < FT_JANK_BITS; i++) {
		const struct timeline_count *c = &s->jank[i];

		if (!c->frames)
			continue;
		words_ft_jank(text, sizeof(text), 1u << i);
		fprintf(out, "  %-*s %7" PRIu64, NAME_WIDTH, text, c->frames);
		if (c->both)
			fprintf(out, " %11" PRIu64, c->hwui_janky);
		putc('\n', out);
	}
	words_present(text, sizeof(text), s);
	if (!*text)
		return;
	fputs("  ", out);
	page_wrap(out, 2, 2, REPORT_WIDTH, text);
}

static json_t *count_object(const struct timeline_count *c)
{
	json_t *o = json_object();
	int rc = json_set_number(o, "frames", c->frames);

	rc |= json_set_number(o, "hwui_judged", c->both);
	rc |= json_set_number(o, "hwui_janky", c->hwui_janky);
	return json_if(rc, o);
}

json_t *timeline_object(const struct timeline_summary *s)
{
	json_t *o = count_object(&s->all), *jank = json_object(), *present = json_object();
	char name[WORDS_LEN];
	int rc = 0;

	for (unsigned i = 0; i < FT_JANK_BITS; i++) {
		words_ft_jank(name, sizeof(name), 1u << i);
		if (s->jank[i].frames)
			rc |= json_object_set_new(jank, name, count_object(&s->jank[i]));
	}
	for (uint32_t i = 1; i < FT_PRESENT_NR; i++) {
		words_ft_present(name, sizeof(name), i);
		if (s->present[i])
			rc |= json_set_number(present, name, s->present[i]);
	}
	rc |= json_object_set_new(o, "jank", jank);
	rc |= json_object_set_new(o, "present", present);
	rc |= json_set_number(o, "expired_predictions", s->expired);
	rc |= json_set_number(o, "several_layers", s->several);
	return json_if(rc, o);
}
