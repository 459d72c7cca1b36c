/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* How many long messages each UI thread had, and what the longest were at. */
#include "output/report_long.h"

#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "output/json_values.h"
#include "output/messages.h"
#include "output/page.h"
#include "output/words.h"

/* "14 evil methods, 5 lags, 2 ANRs" */
static const char *const issue_words[][2] = {
	[MESSAGE_EVIL_METHOD] = { "evil method", "evil methods" },
	[MESSAGE_LAG] = { "lag", "lags" },
	[MESSAGE_ANR] = { "ANR", "ANRs" },
};
_Static_assert(sizeof(issue_words) / sizeof(issue_words[0]) == MESSAGE_ISSUE_NR,
	       "words for every issue");

static void print_thread(FILE *out, const struct style *style, const struct long_thread *t,
			 uint64_t origin_ns)
{
	char name[WORDS_LEN];

	text_escape(name, sizeof(name), t->process, strlen(t->process));
	fprintf(out, "\n  %s, UI thread %" PRIu32 ": of %" PRIu64 " message%s", name, t->tid,
		t->messages, t->messages == 1 ? "" : "s");
	for (unsigned issue = 0; issue < MESSAGE_ISSUE_NR; issue++) {
		if (t->counts[issue])
			fprintf(out, "%s %" PRIu64 " %s", issue ? "," : "", t->counts[issue],
				issue_words[issue][t->counts[issue] != 1]);
	}
	fprintf(out, "\n  %s%10s %-11s %s%s\n", style->bold, "start ms", "issue", MESSAGE_HEAD,
		style->off);
	for (unsigned i = 0; i < t->nr; i++) {
		const struct message *m = &t->longest[i];
		char start[32] = "-";

		if (m->from_ns >= origin_ns)
			words_ms(start, sizeof(start), m->from_ns - origin_ns);
		fprintf(out, "  %10s %-11s ", start, message_issue_name(message_issue(m)));
		message_print(out, m);
		putc('\n', out);
	}
}

void report_long(FILE *out, const struct style *style, const struct long_messages *l,
		 uint64_t origin_ns)
{
	uint64_t others = 0, messages = 0;
	char text[256];

	if (!l->threads.nr)
		return;
	fprintf(out, "\n%sLong messages%s\n  ", style->bold, style->off);
	snprintf(text, sizeof(text),
		 "On a UI thread, by Tencent Matrix's thresholds: from %u ms on an evil method, "
		 "from %u ms a lag, too, from %u ms an ANR.",
		 message_issue_ms(MESSAGE_EVIL_METHOD), message_issue_ms(MESSAGE_LAG),
		 message_issue_ms(MESSAGE_ANR));
	page_wrap(out, 2, 2, REPORT_WIDTH, text);
	for (unsigned i = 0; i < l->threads.nr; i++) {
		const struct long_thread *t = l->threads.entries[i];

		if (t->nr) {
			print_thread(out, style, t, origin_ns);
		} else {
			others++;
			messages += t->messages;
		}
	}
	if (others)
		fprintf(out,
			"%s  None of %" PRIu64 " message%s of %" PRIu64 " %sUI thread%s is one.\n",
			others < l->threads.nr ? "\n" : "", messages, messages == 1 ? "" : "s",
			others, others < l->threads.nr ? "other " : "", others == 1 ? "" : "s");
}

/* A message as NDJSON has it. */
static json_t *message_object(const struct message *m)
{
	const struct message_row row = { .message = m };
	json_t *o = json_object();
	int rc = 0;

	for (const struct listing_column *c = messages_view.columns; c->name; c++) {
		struct cell cell = { .kind = CELL_ABSENT };

		c->get(&row, c->arg, &cell);
		rc |= json_set_cell(o, c->name, &cell);
	}
	if (rc) {
		json_decref(o);
		return NULL;
	}
	return o;
}

static json_t *thread_object(const struct long_thread *t)
{
	json_t *o = json_object(), *longest = json_array();
	int rc = json_set_name(o, "process", t->process);

	rc |= json_set_number(o, "pid", t->pid);
	rc |= json_set_number(o, "ui_tid", t->tid);
	rc |= json_set_number(o, "messages", t->messages);
	for (unsigned i = 0; i < MESSAGE_ISSUE_NR; i++)
		rc |= json_set_number(o, message_issue_name((enum message_issue)i), t->counts[i]);
	for (unsigned i = 0; i < t->nr; i++)
		rc |= json_array_append_new(longest, message_object(&t->longest[i]));
	rc |= json_object_set_new(o, "longest", longest);
	if (rc) {
		json_decref(o);
		return NULL;
	}
	return o;
}

json_t *report_long_json(const struct long_messages *l)
{
	json_t *threads = json_array();
	int rc = 0;

	for (unsigned i = 0; i < l->threads.nr; i++)
		rc |= json_array_append_new(threads, thread_object(l->threads.entries[i]));
	if (rc) {
		json_decref(threads);
		return NULL;
	}
	return threads;
}
