/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* One row per fence that never signalled. */
#include <stdio.h>
#include <string.h>

#include "output/fences.h"

#define NAME_WIDTH 30
#define FENCE_WIDTH 16
#define WAITERS_WIDTH 21

/* "app/1000;compositor/812;..." */
static void put_waiters(char *dst, size_t len, const struct fence_unsignaled *u)
{
	size_t used = 0;

	*dst = '\0';
	for (unsigned i = 0; i < u->nr_waiters; i++) {
		char thread[WORDS_LEN];
		size_t needed;

		fences_thread(thread, sizeof(thread), u->waiters[i].comm, u->waiters[i].tid,
			      WORDS_NO_LIMIT);
		needed = strlen(thread) + (used != 0);
		if (used + needed + sizeof(";...") > len) {
			snprintf(dst + used, len - used, ";...");
			return;
		}
		used += (size_t)snprintf(dst + used, len - used, "%s%s", used ? ";" : "", thread);
	}
	if (u->more)
		snprintf(dst + used, len - used, ";...");
}

enum number_arg { NUMBER_CONTEXT, NUMBER_SEQNO, NUMBER_AGE, NUMBER_VICTIMS };

static void get_number(const void *of, unsigned arg, struct cell *c)
{
	const struct fences_row *row = of;
	const struct fence_unsignaled *u = row->unsignaled;
	const uint64_t numbers[] = {
		[NUMBER_CONTEXT] = u->id.context,
		[NUMBER_SEQNO] = u->id.seqno,
		[NUMBER_AGE] = u->age_ns,
		[NUMBER_VICTIMS] = u->victims,
	};

	if (arg != NUMBER_AGE || u->born)
		cell_set_number(c, numbers[arg]);
}

enum text_arg { TEXT_STATE, TEXT_MOTION, TEXT_WAITERS, TEXT_SUBMITTER };

static void get_text(const void *of, unsigned arg, struct cell *c)
{
	const struct fences_row *row = of;
	const struct fence_unsignaled *u = row->unsignaled;

	switch ((enum text_arg)arg) {
	case TEXT_STATE:
		snprintf(c->text, sizeof(c->text), "%s", fence_fate_name(u->fate));
		break;
	case TEXT_MOTION:
		snprintf(c->text, sizeof(c->text), "%s", fence_motion_name(u->motion));
		break;
	case TEXT_WAITERS:
		put_waiters(c->text, sizeof(c->text), u);
		break;
	case TEXT_SUBMITTER:
		if (!u->submitter_tid)
			return;
		fences_thread(c->text, sizeof(c->text), u->submitter, u->submitter_tid,
			      WORDS_NO_LIMIT);
		break;
	}
	cell_set_text(c);
}

static const struct listing_column columns[] = {
	{ "driver", fences_get_name, FENCES_DRIVER },
	{ "timeline", fences_get_name, FENCES_TIMELINE },
	{ "context", get_number, NUMBER_CONTEXT },
	{ "seqno", get_number, NUMBER_SEQNO },
	{ "age_ns", get_number, NUMBER_AGE },
	{ "state", get_text, TEXT_STATE },
	{ "timeline_state", get_text, TEXT_MOTION },
	{ "waiters", get_text, TEXT_WAITERS },
	{ "victims", get_number, NUMBER_VICTIMS },
	{ "submitter", get_text, TEXT_SUBMITTER },
	{ NULL, NULL, 0 },
};

static void head(FILE *out, const struct style *style)
{
	fprintf(out, "%s%-*s %-*s %10s %-9s %-8s %s%s\n", style->bold, NAME_WIDTH, "timeline",
		FENCE_WIDTH, "fence", "age ms", "fence is", "timeline", "waiters", style->off);
}

static void print(FILE *out, const struct style *style, const void *of)
{
	const struct fences_row *row = of;
	const struct fence_unsignaled *u = row->unsignaled;
	char name[WORDS_LEN + 64], fit[WORDS_LEN], fence[WORDS_LEN], age[32] = "-";
	char waiters[WORDS_LEN], few[WORDS_LEN];
	const char *warn = u->fate == FENCE_PENDING && u->motion == FENCE_DEAD ? style->warn : "";

	fences_full_name(name, sizeof(name), row->name);
	words_fit(fit, sizeof(fit), fences_dash(name), NAME_WIDTH);
	fences_id(fence, sizeof(fence), u->id, FENCE_WIDTH);
	if (u->born)
		words_ms(age, sizeof(age), u->age_ns);
	put_waiters(waiters, sizeof(waiters), u);
	words_fit(few, sizeof(few), fences_dash(waiters), WAITERS_WIDTH);
	fprintf(out, "%s%s%*s %-*s %10s %-9s %-8s %s%s\n", warn, fit,
		NAME_WIDTH - (int)words_width(fit), "", FENCE_WIDTH, fence, age,
		fence_fate_name(u->fate), fences_dash(fence_motion_name(u->motion)), few,
		*warn ? style->off : "");
}

const struct listing_view fences_unsignaled = {
	.schema = "framescope.unsignaled/1",
	.columns = columns,
	.none = "No fence that did not signal.",
	.head = head,
	.row = print,
};
