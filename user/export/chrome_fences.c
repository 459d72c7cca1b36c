/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Fences as slices from submission to signal, with the hardware's part inside. They come when they
 * are over: only then it is known how far they go, and what their numbers are.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define HASH_NONFATAL_OOM 1
#include <uthash.h>

#include "base/text.h"
#include "export/chrome.h"
#include "model/fence_context.h"
#include "output/fences.h"

#define SIGNALS_MAX 16384 /* that a block may still refer to */
#define TRACK_LEN (WORDS_LEN + 96)
#define IN_FLIGHT "in flight: "

/* Where a slice ends because the fence signalled. */
struct signal {
	struct fence_id id;
	struct chrome_at at;
	UT_hash_handle hh;
};

struct chrome_fences {
	struct signal signals[SIGNALS_MAX]; /* a ring */
	size_t nr; /* that there were so far */
	struct signal *by_id;
};

static struct chrome_fences *fences_get(struct chrome *c)
{
	if (c->fences)
		return c->fences;
	c->fences = calloc(1, sizeof(*c->fences));
	if (!c->fences)
		c->error = -ENOMEM;
	else
		chrome_metadata(c, CHROME_FENCES_PID, 0, "process_name", "fences");
	return c->fences;
}

void chrome_fences_free(struct chrome *c)
{
	if (c->fences)
		HASH_CLEAR(hh, c->fences->by_id);
	free(c->fences);
}

static void remember(struct chrome *c, struct fence_id id, const struct chrome_at *at)
{
	struct chrome_fences *fences = c->fences;
	struct signal *s;

	HASH_FIND(hh, fences->by_id, &id, sizeof(id), s);
	if (s) {
		s->at = *at;
		return;
	}
	s = &fences->signals[fences->nr % SIGNALS_MAX];
	if (fences->nr++ >= SIGNALS_MAX)
		HASH_DEL(fences->by_id, s);
	*s = (struct signal){ .id = id, .at = *at };
	HASH_ADD(hh, fences->by_id, id, sizeof(s->id), s);
	if (!s->hh.tbl)
		c->error = -ENOMEM;
}

bool chrome_fence_signal(const struct chrome *c, struct fence_id id, uint64_t from_ns,
			 uint64_t to_ns, struct chrome_at *at)
{
	struct signal *s = NULL;

	if (c->fences)
		HASH_FIND(hh, c->fences->by_id, &id, sizeof(id), s);
	if (!s || s->at.ns < from_ns || s->at.ns > to_ns)
		return false;
	*at = s->at;
	return true;
}

static bool is_bound(const struct fence *f)
{
	return *f->context->timeline && strcmp(f->context->timeline, FENCE_UNBOUND) != 0;
}

/* Those that are on no timeline have a context each, and share what their driver's have. */
static void track_of(char dst[static TRACK_LEN], const struct fence *f,
		     const struct fence_name *name)
{
	static const char nameless[] = "context";
	size_t len = fences_full_name(dst, TRACK_LEN - TEXT_DIGITS - 1, name);

	if (len && !is_bound(f))
		return;
	if (!len) {
		len = sizeof(nameless) - 1;
		memcpy(dst, nameless, len);
	}
	dst[len++] = ' ';
	*text_digits(dst + len, f->id.context) = '\0';
}

/* Of fences that are on none, how many are in flight in a context says nothing. */
static void count(struct export *x, const struct fence *f, uint64_t in_flight)
{
	char counter[sizeof(IN_FLIGHT) + TRACK_LEN] = IN_FLIGHT;
	struct fence_name name = { 0 };

	if (!is_bound(f) || !fences_get(x->priv))
		return;
	fence_context_name(f->context, &name);
	track_of(counter + sizeof(IN_FLIGHT) - 1, f, &name);
	chrome_counter(x->priv, &(struct chrome_at){ .pid = CHROME_FENCES_PID, .ns = x->now_ns },
		       "fence", counter, "fences", in_flight);
}

/* What was not seen to be submitted is but an instant. */
static void put_instant(struct chrome *c, const char *track, const char *id, uint64_t ns,
			const struct fences_row *row)
{
	const struct chrome_at at = { .pid = CHROME_FENCES_PID,
				      .tid = chrome_lane(c, CHROME_FENCES_PID, track, ns, ns),
				      .ns = ns };

	chrome_begin(c, 'i', &at, "fence", id);
	line_put(&c->line, ",\"s\":\"");
	line_char(&c->line, at.tid ? 't' : 'p');
	line_char(&c->line, '"');
	chrome_args(c, fences_lives.columns, row);
	chrome_end(c);
}

static void put_slice(struct chrome *c, const char *track, const char *id, uint64_t from_ns,
		      uint64_t to_ns, const struct fences_row *row)
{
	const struct fence *f = row->fence;
	const struct chrome_slice s = {
		.pid = CHROME_FENCES_PID,
		.tid = chrome_lane(c, CHROME_FENCES_PID, track, from_ns, to_ns),
		.track = track,
		.category = "fence",
		.name = id,
		.from_ns = from_ns,
		.to_ns = to_ns,
		.columns = fences_lives.columns,
		.row = row,
	};
	struct chrome_at at = { s.pid, s.tid, to_ns };

	chrome_slice(c, &s);
	if (!s.tid || !row->ended || row->how != FENCE_END_SIGNALED)
		return;
	if (to_ns > from_ns)
		remember(c, f->id, &at);
	if (!f->has_hardware)
		return;
	at.ns = to_ns - f->hardware_ns;
	chrome_begin(c, 'X', &at, "fence", "hardware");
	chrome_duration(c, f->hardware_ns);
	chrome_end(c);
}

static int put_fence(struct export *x, const struct fence *f, bool over, enum fence_end how)
{
	struct chrome *c = x->priv;
	struct fence_name name;
	const struct fences_row row = export_fence_row(x, f, over, how, &name);
	char track[TRACK_LEN], id[2 * TEXT_DIGITS], *at;
	uint64_t from_ns, end_ns = over ? x->now_ns : model_end_ns(x->model);

	if (!fences_get(c))
		return c->error;
	if (over && how == FENCE_END_SIGNALED)
		end_ns = f->signal_ns;
	track_of(track, f, &name);
	at = text_digits(id, f->id.context);
	*at++ = ':';
	*text_digits(at, f->id.seqno) = '\0';
	if (fence_submitted(f, &from_ns) && from_ns <= end_ns)
		put_slice(c, track, id, from_ns, end_ns, &row);
	else
		put_instant(c, track, id, end_ns, &row);
	return c->error;
}

int chrome_fence_begun(struct export *x, const struct fence *f)
{
	const struct chrome *c = x->priv;

	count(x, f, f->context->in_flight);
	return c->error;
}

int chrome_fence_ended(struct export *x, const struct fence *f, enum fence_end how)
{
	count(x, f, f->context->in_flight - 1);
	return put_fence(x, f, true, how);
}

int chrome_fence_left(struct export *x, const struct fence *f)
{
	return put_fence(x, f, false, FENCE_END_SIGNALED);
}
