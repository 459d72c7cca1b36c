// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What the events of fences print: dma_fence, its forerunners, and the GPU scheduler's jobs. */
#include <string.h>

#include "trace/text_parts.h"

/*
 * "driver=a timeline=b context=1 seqno=2". Some kernels leave the names out or cut them; the
 * numbers have 32 bits.
 */
static int feed_fence(struct text_state *st, struct intake *in, struct text_event *ev, unsigned op)
{
	char *end = ev->end, *driver = NULL, *timeline;
	uint64_t context, seqno;

	st->fences = true;
	if (!text_take_number(ev->s, &end, "seqno=", UINT32_MAX, &seqno) ||
	    !text_take_number(ev->s, &end, "context=", UINT32_MAX, &context))
		return TEXT_MALFORMED;
	if (end > ev->s && end[-1] == ' ')
		end--;
	*end = '\0';
	timeline = TEXT_FIND_LAST(ev->s, end, "timeline=");
	if (text_begins(ev->s, end, "driver="))
		driver = ev->s + strlen("driver=");
	if (timeline) {
		if (timeline > ev->s)
			timeline[-1] = '\0';
		timeline += strlen("timeline=");
	}
	return intake_fence(in, &ev->at, op, context, seqno, driver, timeline);
}

int text_read_fence(struct text_state *st, struct intake *in, struct text_event *ev)
{
	static const struct {
		const char *name;
		unsigned op;
	} ops[] = {
		{ "init", FS_FENCE_INIT },
		{ "emit", FS_FENCE_EMIT },
		{ "enable_signal", FS_FENCE_ENABLE },
		{ "signaled", FS_FENCE_SIGNALED },
		{ "destroy", FS_FENCE_DESTROY },
		{ "wait_start", FS_FENCE_WAIT_START },
		{ "wait_end", FS_FENCE_WAIT_END },
	};
	const char *p = ev->name + strlen(*ev->name == 'd' ? "dma_fence_" : "fence_");
	size_t len = (size_t)(ev->name + ev->name_len - p);

	for (size_t i = 0; i < sizeof(ops) / sizeof(*ops); i++) {
		if (strlen(ops[i].name) == len && !memcmp(ops[i].name, p, len))
			return feed_fence(st, in, ev, ops[i].op);
	}
	return 0;
}

static struct text_pointer *pointer_slot(struct text_state *st, uint64_t pointer)
{
	size_t slots = sizeof(st->pointers) / sizeof(*st->pointers);

	return &st->pointers[pointer * UINT64_C(0x9e3779b97f4a7c15) >> 32 & (slots - 1)];
}

/*
 * "fence=CONTEXT:SEQNO" since 6.17; before, a pointer, which means something only if another line
 * has said which fence it is. Cut to 32 bits, as the fences' own events are.
 */
static bool take_job_fence(struct text_state *st, struct text_event *ev, uint64_t *context,
			   uint64_t *seqno, uint64_t *pointer)
{
	static const char key[] = "fence=";
	char *at = memmem(ev->s, (size_t)(ev->end - ev->s), key, strlen(key));
	const char *p;
	const struct text_pointer *known;

	*pointer = 0;
	if (!at)
		return false;
	p = at + strlen(key);
	if (text_number(&p, ev->end, UINT64_MAX, context) && p < ev->end && *p == ':') {
		p++;
		if (!text_number(&p, ev->end, UINT64_MAX, seqno))
			return false;
		*context &= UINT32_MAX;
		*seqno &= UINT32_MAX;
		return true;
	}
	p = at + strlen(key);
	if (text_begins(p, ev->end, "0x"))
		p += 2;
	if (!text_hex(p, ev->end, pointer) || !*pointer)
		return false;
	known = pointer_slot(st, *pointer);
	*context = known->context;
	*seqno = known->seqno;
	return known->pointer == *pointer;
}

/* The ring is the timeline of the fences that the scheduler's jobs have. */
static char *take_ring(struct text_event *ev)
{
	static const char key[] = "ring=";
	char *at = memmem(ev->s, (size_t)(ev->end - ev->s), key, strlen(key)), *comma;

	if (!at)
		return NULL;
	at += strlen(key);
	comma = memchr(at, ',', (size_t)(ev->end - at));
	if (!comma)
		return NULL;
	*comma = '\0';
	return at;
}

static int read_job(struct text_state *st, struct intake *in, struct text_event *ev, unsigned op)
{
	uint64_t context, seqno, pointer;
	bool known = take_job_fence(st, ev, &context, &seqno, &pointer);

	if (pointer && op == FS_FENCE_SIGNALED)
		*pointer_slot(st, pointer) = (struct text_pointer){ 0 };
	if (!known || (op != FS_FENCE_RUN && st->fences))
		return known || pointer ? 0 : TEXT_MALFORMED;
	return intake_fence(in, &ev->at, op, context, seqno, NULL,
			    op == FS_FENCE_SIGNALED ? NULL : take_ring(ev));
}

int text_read_job_queue(struct text_state *st, struct intake *in, struct text_event *ev)
{
	return read_job(st, in, ev, FS_FENCE_EMIT);
}

int text_read_job_run(struct text_state *st, struct intake *in, struct text_event *ev)
{
	return read_job(st, in, ev, FS_FENCE_RUN);
}

int text_read_job_done(struct text_state *st, struct intake *in, struct text_event *ev)
{
	return read_job(st, in, ev, FS_FENCE_SIGNALED);
}

/* "job ring=a, id=1, depends fence=POINTER, context=2, seq=3" */
int text_read_job_wait(struct text_state *st, struct intake *in, struct text_event *ev)
{
	static const char key[] = "fence=";
	char *end = ev->end, *at;
	uint64_t context, seqno, pointer;
	const char *p;

	(void)in;
	if (!text_take_number(ev->s, &end, " seq=", UINT64_MAX, &seqno) ||
	    !text_take_number(ev->s, &end, " context=", UINT64_MAX, &context) ||
	    !(at = TEXT_FIND_LAST(ev->s, end, key)))
		return TEXT_MALFORMED;
	p = at + strlen(key);
	if (text_begins(p, end, "0x"))
		p += 2;
	if (!text_hex(p, end, &pointer))
		return TEXT_MALFORMED;
	*pointer_slot(st, pointer) =
		(struct text_pointer){ pointer, context & UINT32_MAX, seqno & UINT32_MAX };
	return 0;
}

/*
 * "begin name=x state=0" and "end ..." of Android's sync framework before Linux 4.9. Its fences
 * have a name and no numbers, so that it is a slice of the thread: a wait for some fence.
 */
int text_read_sync_wait(struct text_state *st, struct intake *in, struct text_event *ev)
{
	static const char begin[] = "begin name=";
	char text[96] = "B|0|sync_wait ";
	char *end = TEXT_FIND_LAST(ev->s, ev->end, " state=");
	size_t used = strlen(text), len;

	(void)st;
	if (text_begins(ev->s, ev->end, "end "))
		return intake_mark(in, &ev->at, "E|0", 3);
	if (!end || !text_begins(ev->s, end, begin))
		return TEXT_MALFORMED;
	len = (size_t)(end - ev->s) - strlen(begin);
	len = len < sizeof(text) - used ? len : sizeof(text) - used;
	memcpy(text + used, ev->s + strlen(begin), len);
	return intake_mark(in, &ev->at, text, used + len);
}
