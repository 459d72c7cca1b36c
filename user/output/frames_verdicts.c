/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The columns of what the judges say of a frame. */
#include <stdio.h>
#include <string.h>

#include "judge/disagree.h"
#include "judge/jank_tracker.h"
#include "output/frames_columns.h"

/* Append a word to a list of them. */
static void add_word(struct cell *c, const char *word)
{
	size_t used = strlen(c->text);

	snprintf(c->text + used, sizeof(c->text) - used, "%s%s", used ? " " : "", word);
}

static void jank_types(const struct hwui_verdict *v, struct cell *c)
{
	*c->text = '\0';
	for (unsigned i = 0; i < JANK_TYPE_NR; i++)
		if (v->types >> i & 1)
			add_word(c, jank_type_name((enum jank_type)i));
	cell_set_text(c);
}

static void reasons(const struct frame *f, struct cell *c)
{
	unsigned found = disagreements(&f->verdict) | timeline_disagreements(&f->verdict, &f->ft);

	*c->text = '\0';
	for (unsigned i = 0; i < DISAGREEMENT_NR; i++)
		if (found >> i & 1)
			add_word(c, disagreement_name((enum disagreement)i));
	cell_set_text(c);
}

/* "best", ... */
static const char *level(const struct matrix_verdict *m)
{
	static const char *const names[MATRIX_LEVEL_NR] = {
		[MATRIX_BEST] = "best", [MATRIX_NORMAL] = "normal", [MATRIX_MIDDLE] = "middle",
		[MATRIX_HIGH] = "high", [MATRIX_FROZEN] = "frozen",
	};

	return names[m->level];
}

void column_verdict_text(const void *row, unsigned arg, struct cell *c)
{
	const struct verdict *v = &frame_of_row(row)->verdict;

	switch ((enum verdict_text)arg) {
	case VERDICT_JANK_TYPES:
		jank_types(&v->hwui, c);
		break;
	case VERDICT_CONFIDENCE:
		if (v->hwui.known)
			cell_set_word(c, confidence_name(v->hwui.confidence));
		break;
	case VERDICT_MATRIX_LEVEL:
		if (v->matrix.known)
			cell_set_word(c, level(&v->matrix));
		break;
	case VERDICT_DISAGREE:
		reasons(frame_of_row(row), c);
		break;
	}
}

static bool number_of(const struct verdict *v, enum verdict_number arg, int64_t *n)
{
	const struct hwui_verdict *hwui = &v->hwui;
	const struct jankstats_verdict *js = &v->jankstats;

	switch (arg) {
	case VERDICT_JANKY:
		*n = hwui->janky;
		return hwui->known;
	case VERDICT_JANKY_LEGACY:
		*n = hwui->janky_legacy;
		return hwui->known && hwui->has_legacy;
	case VERDICT_STUFFED:
		*n = hwui->stuffed;
		return hwui->known && hwui->has_legacy;
	case VERDICT_DAVEY:
		*n = hwui->davey;
		return hwui->known;
	case VERDICT_TOTAL:
		*n = hwui->total_ns;
		return hwui->known && hwui->counted;
	case VERDICT_JANKSTATS_JANKY:
		*n = js->janky;
		return js->known;
	case VERDICT_JANKSTATS_START:
		*n = js->start_ns;
		return js->has_start;
	case VERDICT_JANKSTATS_UI:
		*n = js->ui_ns;
		return js->has_ui;
	case VERDICT_JANKSTATS_CPU:
		*n = js->cpu_ns;
		return js->has_cpu;
	case VERDICT_JANKSTATS_TOTAL:
		*n = js->total_ns;
		return js->has_total;
	case VERDICT_JANKSTATS_OVERRUN:
		*n = js->overrun_ns;
		return js->has_total && js->known;
	}
	return false;
}

void column_verdict_number(const void *row, unsigned arg, struct cell *c)
{
	int64_t n;

	if (number_of(&frame_of_row(row)->verdict, (enum verdict_number)arg, &n))
		cell_set_signed(c, n);
}

void column_dropped(const void *row, unsigned arg, struct cell *c)
{
	const struct matrix_verdict *m = &frame_of_row(row)->verdict.matrix;

	(void)arg;
	if (!m->known || !(m->dropped < 1e15f))
		return;
	c->kind = CELL_THOUSANDTHS;
	c->number = (uint64_t)((double)m->dropped * 1000 + 0.5);
}
