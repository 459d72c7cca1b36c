/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Prints the checks of doctor. */
#include "output/doctor.h"

#include <errno.h>
#include <jansson.h>

#include "output/page.h"

#define WIDTH 80
#define NAME_COLUMN 10
#define DETAIL_COLUMN 35
#define NOTE_COLUMN 16

static const char *const state_names[] = {
	[CHECK_OK] = "ok",
	[CHECK_DEGRADED] = "degraded",
	[CHECK_MISSING] = "missing",
};

int doctor_json(FILE *out, const struct kernel_check *checks, int n, bool ready, struct err *e)
{
	json_t *list = json_array();
	int ret = 0;

	for (int i = 0; i < n; i++) {
		const struct kernel_check *c = &checks[i];

		/* "s*": no key where there is nothing to say */
		if (json_array_append_new(list,
					  json_pack("{s:s, s:s, s:s, s:s*, s:s*, s:b}", "name",
						    c->name, "state", state_names[c->state],
						    "detail", c->detail, "loss", c->loss, "fix",
						    c->fix, "required", c->required)))
			ret = -ENOMEM;
	}
	json_t *root = json_pack("{s:s, s:o, s:b}", "schema", "framescope.doctor/1", "checks", list,
				 "ready", ready);
	/* What could not be written is for output_finish() to say. */
	if (!root || (json_dumpf(root, out, JSON_INDENT(2)) && !ferror(out)))
		ret = -ENOMEM;
	json_decref(root);
	if (ret)
		return err_errno(e, ret, "cannot print the checks");
	putc('\n', out);
	return 0;
}

static void print_note(FILE *out, const char *label, const char *text)
{
	fprintf(out, "%*s%-*s", NAME_COLUMN, "", NOTE_COLUMN - NAME_COLUMN, label);
	page_wrap(out, NOTE_COLUMN, NOTE_COLUMN, WIDTH, text);
}

void doctor_text(FILE *out, const struct style *style, const struct kernel_check *checks, int n,
		 bool ready)
{
	int counts[3] = { 0 };

	for (int i = 0; i < n; i++) {
		const struct kernel_check *c = &checks[i];
		const char *colour = c->state == CHECK_OK ? style->dim : style->warn;

		counts[c->state]++;
		fprintf(out, "%s%-*s%s%-*s", colour, NAME_COLUMN, state_names[c->state], style->off,
			DETAIL_COLUMN - NAME_COLUMN, c->name);
		page_wrap(out, DETAIL_COLUMN, DETAIL_COLUMN, WIDTH, c->detail);
		if (c->loss)
			print_note(out, "lost:", c->loss);
		if (c->fix)
			print_note(out, "try:", c->fix);
	}
	fprintf(out, "\n%srecording %s%s: %d ok, %d degraded, %d missing\n", style->bold,
		ready ? "can work" : "can't work", style->off, counts[CHECK_OK],
		counts[CHECK_DEGRADED], counts[CHECK_MISSING]);
}
