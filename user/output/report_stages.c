/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Stages of frames for people: a row per stage, a column per cause. */
#include <inttypes.h>

#include "output/page.h"
#include "output/report_stages.h"
#include "output/words.h"

/* What a column of the table adds up. */
static const struct {
	const char *name;
	uint32_t parts; /* 1u << enum budget_part */
} shares[] = {
	{ "run", 1u << BUDGET_RUNNING },
	{ "ready", 1u << BUDGET_RUNNABLE },
	{ "fence", 1u << BUDGET_FENCE },
	{ "slot", 1u << BUDGET_SLOT },
	{ "gpu", 1u << BUDGET_GPU },
	{ "lock", 1u << BUDGET_LOCK },
	{ "ipc", 1u << BUDGET_BINDER | 1u << BUDGET_IPC },
	{ "other", 1u << BUDGET_IO | 1u << BUDGET_SLEEP | 1u << BUDGET_OTHER },
	{ "?", 1u << BUDGET_UNKNOWN },
};

#define SHARES (sizeof(shares) / sizeof(*shares))

void report_kinds(FILE *out, const struct stage_summary *s)
{
	char text[512] = "";
	size_t len = 0;

	for (unsigned i = FRAME_PLAIN + 1; i < FRAME_KIND_NR; i++) {
		if (s->kinds[i])
			len += (size_t)snprintf(text + len, sizeof(text) - len, "%s%" PRIu64 " %s",
						len ? ", " : "", s->kinds[i],
						frame_kind_name((enum frame_kind)i));
	}
	if (!len)
		return;
	if (s->marked)
		len += (size_t)snprintf(text + len, sizeof(text) - len,
					"; %" PRIu64 " known by their marks: without a FrameInfo, "
					"and so without a verdict",
					s->marked);
	if (s->unfinished)
		snprintf(text + len, sizeof(text) - len,
			 "; %" PRIu64 " never finished: not shown, or no FrameInfo was seen of %s",
			 s->unfinished, s->unfinished == 1 ? "it" : "them");
	fputs("  kinds     ", out);
	page_wrap(out, 12, 12, REPORT_WIDTH, text);
}

/* A share of nothing is shown as nothing, so that what there is stands out. */
static void print_shares(FILE *out, const struct budget *b)
{
	uint64_t total = budget_total(b);

	for (unsigned i = 0; i < SHARES; i++) {
		uint64_t ns = 0;

		for (unsigned part = 0; part < BUDGET_NR; part++)
			ns += shares[i].parts & 1u << part ? b->ns[part] : 0;
		double percent = total ? 100.0 * (double)ns / (double)total : 0;
		if (percent < 0.5)
			fprintf(out, " %5s", ".");
		else
			fprintf(out, " %5.0f", percent);
	}
}

static void print_row(FILE *out, const struct stage_summary *s, enum stage stage)
{
	static const unsigned permilles[] = { 500, 950, 1000 };
	struct quantile *q = s->lengths[stage];
	char ms[32];

	fprintf(out, "  %-14s", stage_name(stage));
	for (unsigned i = 0; i < sizeof(permilles) / sizeof(*permilles); i++) {
		words_ms(ms, sizeof(ms), quantile_at(q, permilles[i]));
		fprintf(out, " %8s", ms);
	}
	print_shares(out, &s->total[stage]);
	putc('\n', out);
}

void report_stages(FILE *out, const struct style *style, const struct stage_summary *s)
{
	if (!stage_summary_any(s))
		return;
	fprintf(out, "\n  %sStage by stage: its length in ms, and %% of that by cause%s\n",
		style->bold, style->off);
	fprintf(out, "  %s%-14s %8s %8s %8s", style->bold, "stage", "p50", "p95", "max");
	for (unsigned i = 0; i < SHARES; i++)
		fprintf(out, " %5s", shares[i].name);
	fprintf(out, "%s\n", style->off);
	for (unsigned i = 0; i < STAGE_NR; i++) {
		if (s->lengths[i])
			print_row(out, s, (enum stage)i);
	}
}
