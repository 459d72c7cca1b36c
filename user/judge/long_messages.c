/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Counts messages by Matrix's thresholds, and keeps the longest. */
#include "judge/long_messages.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"

static const struct {
	const char *name;
	unsigned ms;
} issues[] = {
	[MESSAGE_EVIL_METHOD] = { "evil_method", 700 },
	[MESSAGE_LAG] = { "lag", 2000 },
	[MESSAGE_ANR] = { "anr", 5000 },
};
_Static_assert(sizeof(issues) / sizeof(issues[0]) == MESSAGE_ISSUE_NR, "a row for every issue");

const char *message_issue_name(enum message_issue issue)
{
	return issues[issue].name;
}

unsigned message_issue_ms(enum message_issue issue)
{
	return issues[issue].ms;
}

static uint64_t length(const struct message *msg)
{
	return msg->to_ns - msg->from_ns;
}

enum message_issue message_issue(const struct message *msg)
{
	unsigned issue = MESSAGE_ISSUE_NR;

	while (issue--) {
		if (length(msg) / NSEC_PER_MSEC >= issues[issue].ms)
			return (enum message_issue)issue;
	}
	return MESSAGE_ISSUE_NR;
}

/* Of equals the earlier is kept. */
static void keep(struct long_thread *t, const struct message *msg)
{
	unsigned at = t->nr;

	while (at && length(&t->longest[at - 1]) < length(msg))
		at--;
	if (at == LONGEST_MESSAGES)
		return;
	if (t->nr < LONGEST_MESSAGES)
		t->nr++;
	memmove(&t->longest[at + 1], &t->longest[at], (t->nr - at - 1) * sizeof(t->longest[0]));
	t->longest[at] = *msg;
	t->longest[at].process = t->process;
}

static struct long_thread *thread_of(struct long_messages *l, const struct message *msg)
{
	struct long_thread *t = roster_get(&l->threads, msg->tid);

	/* With another name it is another program: the one before has ended, or become it. */
	if (t && t->pid == msg->pid && !strcmp(t->process, msg->process))
		return t;
	t = roster_add(&l->threads, msg->tid, sizeof(*t));
	if (!t)
		return NULL;
	t->pid = msg->pid;
	t->tid = msg->tid;
	snprintf(t->process, sizeof(t->process), "%s", msg->process);
	return t;
}

int long_messages_add(struct long_messages *l, const struct message *msg)
{
	enum message_issue worst = message_issue(msg);
	struct long_thread *t = thread_of(l, msg);

	if (!t)
		return -ENOMEM;
	t->messages++;
	if (worst == MESSAGE_ISSUE_NR)
		return 0;
	for (unsigned issue = 0; issue <= worst; issue++)
		t->counts[issue]++;
	keep(t, msg);
	return 0;
}

void long_messages_free(struct long_messages *l)
{
	roster_free(&l->threads);
}
