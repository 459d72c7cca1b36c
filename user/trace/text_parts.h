/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What the files that read ftrace's text share: the parts of a line, and reading numbers. */
#ifndef TRACE_TEXT_PARTS_H
#define TRACE_TEXT_PARTS_H

#include "trace/intake.h"
#include "trace/text_input.h"

/* A line of an event. Points into the line; `comm` is NUL-terminated there. */
struct text_event {
	struct intake_at at; /* ns: of the trace's clock */
	char *dash; /* where the NUL behind the comm is */
	const char *name; /* of the event */
	size_t name_len;
	char *s; /* what follows the name, without spaces before it */
	char *end;
};

/* What is remembered from one line for another. */
struct text_state {
	bool wakings; /* there are sched_waking events: sched_wakeup says nothing new */
	bool fences; /* there are dma_fence events: the GPU scheduler's say nothing new of signals
		      */
	/* Fences that the GPU scheduler printed both as a pointer and by their numbers. */
	struct text_pointer {
		uint64_t pointer;
		uint64_t context;
		uint64_t seqno;
	} pointers[1024]; /* a power of two; by a hash of the pointer */
};

/* The line's parts: false if it is no event. The line is changed then. */
bool text_event_parse(struct text_line line, struct text_event *ev);

/*
 * Feed the intake with it. 0; 1 if it is one that should be understood, and is not; or -ENOMEM.
 * Events that are of no interest are 0.
 */
int text_event_feed(struct text_state *st, struct intake *in, struct text_event *ev);

#define TEXT_MALFORMED 1

/*
 * The last place of the key, which ends with its only '=', within [s, end); NULL if there is none.
 */
char *text_find_last(char *s, char *end, const char *key, size_t len);

#define TEXT_FIND_LAST(s, end, key) text_find_last(s, end, key, strlen(key))

/* The last " key=NUMBER" before *end; moves *end to where it begins. */
bool text_take_number(char *s, char **end, const char *key, uint64_t max, uint64_t *out);

bool text_begins(const char *s, const char *end, const char *with);

/* The hexadecimal number at s; other text may follow. */
bool text_hex(const char *s, const char *end, uint64_t *out);

/* text_fences.c; they give back what text_event_feed() does. */
int text_read_fence(struct text_state *st, struct intake *in, struct text_event *ev);
int text_read_job_queue(struct text_state *st, struct intake *in, struct text_event *ev);
int text_read_job_run(struct text_state *st, struct intake *in, struct text_event *ev);
int text_read_job_done(struct text_state *st, struct intake *in, struct text_event *ev);
int text_read_job_wait(struct text_state *st, struct intake *in, struct text_event *ev);
int text_read_sync_wait(struct text_state *st, struct intake *in, struct text_event *ev);

/* A decimal number at *s, up to max; moves *s behind it. */
static inline bool text_number(const char **s, const char *end, uint64_t max, uint64_t *out)
{
	const char *p = *s;
	uint64_t value = 0;

	while (p < end && *p >= '0' && *p <= '9') {
		unsigned digit = (unsigned)(*p - '0');

		if (value > (max - digit) / 10)
			return false;
		value = value * 10 + digit;
		p++;
	}
	if (p == *s)
		return false;
	*s = p;
	*out = value;
	return true;
}

#endif
