/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The messages that Tencent Matrix reports for their length alone: how many there were on each UI
 * thread, and the longest of them. Its thresholds do not depend on one another: what is an ANR is a
 * lag and an evil method, too.
 */
#ifndef JUDGE_LONG_MESSAGES_H
#define JUDGE_LONG_MESSAGES_H

#include <stdbool.h>
#include <stdint.h>

#include "judge/roster.h"
#include "model/messages.h"

enum message_issue {
	MESSAGE_EVIL_METHOD, /* 700 ms */
	MESSAGE_LAG, /* 2 s */
	MESSAGE_ANR, /* 5 s */
	MESSAGE_ISSUE_NR
};

/* "evil_method", "lag", "anr" */
const char *message_issue_name(enum message_issue issue);

/* From how long on a message is one, in ms. */
unsigned message_issue_ms(enum message_issue issue);

/* The worst that a message is; MESSAGE_ISSUE_NR: none. */
enum message_issue message_issue(const struct message *msg);

#define LONGEST_MESSAGES 10

struct long_thread {
	uint32_t pid;
	uint32_t tid;
	char process[FS_COMM_LEN + 8];
	uint64_t messages; /* all */
	uint64_t counts[MESSAGE_ISSUE_NR]; /* each in all that it is */
	unsigned nr;
	struct message longest[LONGEST_MESSAGES]; /* that are an issue; longest first */
};

/* All zero is empty. */
struct long_messages {
	struct roster threads; /* of struct long_thread */
};

/* 0 or -ENOMEM. */
int long_messages_add(struct long_messages *l, const struct message *msg);

void long_messages_free(struct long_messages *l); /* leaves it empty */

#endif
