/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* One row per point and library, or per form that was looked for in vain. */
#include "output/probes.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/role.h"
#include "base/text.h"
#include "output/page.h"

#define WIDTH 100
#define NOTE_COLUMN 14
#define NOTE_TEXT_COLUMN 21
#define LOST_COLUMN 43 /* of what has no library */
#define TEXT_MAX 4096

static const char *const state_names[] = {
	[SURVEY_FOUND] = "found",
	[SURVEY_NOT_PROBED] = "not_probed",
	[SURVEY_MISSING] = "missing",
	[SURVEY_NO_LIBRARY] = "no_library",
};

_Static_assert(SURVEY_STATES == 4, "a new state needs a name here");

enum text_arg {
	TEXT_POINT,
	TEXT_ROLE,
	TEXT_STATE,
	TEXT_LIBRARY,
	TEXT_FILE,
	TEXT_SECTION,
	TEXT_SYMBOL,
	TEXT_RELEASES,
	TEXT_OPTIONAL,
	TEXT_NEAR,
	TEXT_WHY,
	TEXT_LOSS,
};

static const char *text_of(const struct probes_row *row, enum text_arg arg)
{
	const struct survey_entry *e = row->entry;

	switch (arg) {
	case TEXT_POINT:
		return e->spec->name;
	case TEXT_ROLE:
		return role_name(e->spec->role);
	case TEXT_STATE:
		return state_names[e->state];
	case TEXT_LIBRARY:
		return e->spec->lib;
	case TEXT_FILE:
		return e->file;
	case TEXT_SECTION:
		return e->symbol ? elf_table_name(e->table) : NULL;
	case TEXT_SYMBOL:
		return e->symbol ? e->symbol : row->form->symbol;
	case TEXT_RELEASES:
		return row->form->releases;
	case TEXT_OPTIONAL:
		return e->spec->optional ? "yes" : "no";
	case TEXT_NEAR:
		return e->near;
	case TEXT_WHY:
		return e->why;
	case TEXT_LOSS:
		return e->spec->loss;
	}
	return NULL;
}

static void get_text(const void *of, unsigned arg, struct cell *c)
{
	const char *text = text_of(of, (enum text_arg)arg);

	if (!text)
		return;
	text_escape(c->text, sizeof(c->text), text, strlen(text));
	cell_set_text(c);
}

static void get_offset(const void *of, unsigned arg, struct cell *c)
{
	const struct survey_entry *e = ((const struct probes_row *)of)->entry;

	(void)arg;
	if (e->symbol)
		cell_set_number(c, e->offset);
}

static const struct listing_column columns[] = {
	{ "point", get_text, TEXT_POINT },
	{ "role", get_text, TEXT_ROLE },
	{ "state", get_text, TEXT_STATE },
	{ "library", get_text, TEXT_LIBRARY },
	{ "file", get_text, TEXT_FILE },
	{ "section", get_text, TEXT_SECTION },
	{ "offset", get_offset, 0 },
	{ "symbol", get_text, TEXT_SYMBOL },
	{ "android", get_text, TEXT_RELEASES },
	{ "optional", get_text, TEXT_OPTIONAL },
	{ "near", get_text, TEXT_NEAR },
	{ "why", get_text, TEXT_WHY },
	{ "loss", get_text, TEXT_LOSS },
	{ NULL, NULL, 0 },
};

static void head(FILE *out, const struct style *style)
{
	fprintf(out, "%s  %-10s  %-21s  %-14s  %-14s  %10s%s\n", style->bold, "state", "point",
		"role", "section", "offset", style->off);
}

/* Names come from files and processes. */
static void note(FILE *out, const char *label, const char *text)
{
	char escaped[TEXT_MAX];

	text_escape(escaped, sizeof(escaped), text, strlen(text));
	fprintf(out, "%*s%-*s", NOTE_COLUMN, "", NOTE_TEXT_COLUMN - NOTE_COLUMN, label);
	page_wrap(out, NOTE_TEXT_COLUMN, NOTE_TEXT_COLUMN, WIDTH, escaped);
}

/* All forms that were looked for, with the releases of Android that have them. */
static void note_tried(FILE *out, const struct point_spec *spec)
{
	char text[TEXT_MAX] = "";
	size_t len = 0;

	for (const struct point_form *f = spec->forms; f->symbol && len < sizeof(text); f++) {
		len += (size_t)snprintf(text + len, sizeof(text) - len, "%s%s", len ? ", " : "",
					f->symbol);
		if (f->releases && len < sizeof(text))
			len += (size_t)snprintf(text + len, sizeof(text) - len, " (%s)",
						f->releases);
	}
	note(out, "tried:", text);
}

static void title(FILE *out, const struct style *style, const struct survey_entry *e)
{
	char escaped[TEXT_MAX];

	if (e->file)
		text_escape(escaped, sizeof(escaped), e->file, strlen(e->file));
	else
		snprintf(escaped, sizeof(escaped), "%s: not mapped, and in no usual place",
			 e->spec->lib);
	fputs(style->bold, out);
	page_wrap(out, 0, 2, WIDTH, escaped);
	fputs(style->off, out);
}

static void print(FILE *out, const struct style *style, const void *of)
{
	const struct probes_row *row = of;
	const struct survey_entry *e = row->entry;
	const char *colour = e->state == SURVEY_FOUND                           ? ""
			     : e->state == SURVEY_MISSING && !e->spec->optional ? style->warn
										: style->dim;
	char offset[32] = "-";

	if (row->first)
		title(out, style, e);
	if (e->state == SURVEY_NO_LIBRARY) {
		fprintf(out, "%s  %-10s  %-21s  lost: ", colour, state_names[e->state],
			e->spec->name);
		page_wrap(out, LOST_COLUMN, LOST_COLUMN, WIDTH, e->spec->loss);
		fputs(style->off, out);
		return;
	}
	if (e->symbol)
		snprintf(offset, sizeof(offset), "0x%" PRIx64, e->offset);
	fprintf(out, "%s  %-10s  %-21s  %-14s  %-14s  %10s%s\n", colour, state_names[e->state],
		e->spec->name, role_name(e->spec->role), e->symbol ? elf_table_name(e->table) : "-",
		offset, style->off);
	if (e->symbol)
		note(out, "name:", e->symbol);
	if (e->state == SURVEY_MISSING)
		note_tried(out, e->spec);
	if (e->near)
		note(out, "near:", e->near);
	if (e->why)
		note(out, "why:", e->why);
	if (e->state == SURVEY_MISSING)
		note(out, "lost:", e->spec->loss);
}

const struct listing_view probes_view = {
	.schema = "framescope.probe/1",
	.columns = columns,
	.none = "No points.",
	.head = head,
	.row = print,
};
