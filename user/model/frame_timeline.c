/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Keeps what FrameTimeline says by token, and makes frames of what no frame has come for. */
#include "model/frame_timeline.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A failed insertion leaves the entry out of the hash instead of ending the program. */
#define HASH_NONFATAL_OOM 1
#include <uthash.h>

#include "model/outbox.h"
#include "model/told.h"

/* One layer's frame with a token. */
struct surface {
	char layer[FS_LAYER_LEN];
	bool has_expected, has_actual;
	bool taken; /* by a frame of ours */
	bool queued; /* waits to be taken, or to become a frame */
	uint32_t flags; /* of the actual one, like all that follows */
	uint32_t jank, present, prediction, severity;
	int64_t display_token;
	uint64_t expected_start_ns, deadline_ns; /* but for these */
	uint64_t start_ns, end_ns;
};

struct token_key {
	int64_t token;
	uint64_t pid;
};

struct token {
	struct token_key key;
	uint64_t last_ns; /* the latest that was told of it */
	bool used; /* the place is */
	bool taken;
	unsigned layers;
	unsigned nr;
	struct surface surfaces[FT_LAYERS];
	UT_hash_handle hh;
};

struct display {
	int64_t token; /* 0: none */
	uint32_t jank;
};

/* Actual frames in the order in which they were told. */
struct queued {
	uint16_t token; /* index */
	uint16_t surface;
	uint64_t told_ns;
};

#define QUEUE_MAX (FT_TOKENS * FT_LAYERS)

struct frame_timelines {
	struct token tokens[FT_TOKENS]; /* a ring */
	unsigned next_token;
	struct token *by_key;
	struct queued queue[QUEUE_MAX]; /* a ring: each surface is in it once at most */
	unsigned head, nr;
	struct display displays[FT_DISPLAYS]; /* by the low bits of their tokens */
	bool surfaces, expected, shown; /* such records came: actual, expected, of displays */
};

void frame_timelines_free(struct frame_timelines *t)
{
	if (!t)
		return;
	HASH_CLEAR(hh, t->by_key);
	free(t);
}

static struct token *find(const struct frame_timelines *t, uint32_t pid, int64_t token)
{
	const struct token_key key = { token, pid };
	struct token *found;

	HASH_FIND(hh, t->by_key, &key, sizeof(key), found);
	return found;
}

static struct display *display_of(struct frame_timelines *t, int64_t token)
{
	return &t->displays[(uint64_t)token % FT_DISPLAYS];
}

static void fill(struct frame_timelines *t, struct frame_timeline_verdict *ft,
		 const struct token *token, const struct surface *s)
{
	const struct display *d;

	*ft = (struct frame_timeline_verdict){
		.has = true,
		.layers = token->layers,
		.token = token->key.token,
		.display_token = s->display_token,
		.expected_start_ns = s->expected_start_ns,
		.deadline_ns = s->deadline_ns,
	};
	memcpy(ft->layer, s->layer, sizeof(ft->layer));
	d = display_of(t, s->display_token);
	if (s->display_token && d->token == s->display_token)
		ft->display_jank = d->jank;
	if (!s->has_actual)
		return;
	ft->has_actual = true;
	ft->on_time = s->flags & FS_TIMELINE_ON_TIME;
	ft->gpu_composition = s->flags & FS_TIMELINE_GPU;
	ft->is_buffer = s->flags & FS_TIMELINE_IS_BUFFER;
	ft->jank = s->jank;
	ft->present = s->present;
	ft->prediction = s->prediction;
	ft->severity = s->severity;
	ft->actual_start_ns = s->start_ns;
	ft->actual_end_ns = s->flags & FS_OPEN ? 0 : s->end_ns;
}

static int make_frame(struct model *m, const struct token *token, const struct surface *s)
{
	struct frame f = {
		.start_ns = s->start_ns,
		.end_ns = s->end_ns,
		.status = s->flags & FS_OPEN ? FRAME_TRUNCATED : FRAME_COMPLETE,
		.dumped = DUMP_TIMELINE,
		.hwui.vsync_id = token->key.token,
	};
	struct teller *layer;
	int err;

	if (s->start_ns >= s->end_ns)
		return 0;
	err = told_layer(m, (uint32_t)token->key.pid, s->layer, &layer);
	if (err || !layer)
		return err;
	fill(m->timelines, &f.ft, token, s);
	told_send(m, layer, &f);
	return 0;
}

/* The first of the queue goes: as a frame, unless one of ours has come for it. */
static int send_first(struct model *m)
{
	struct frame_timelines *t = m->timelines;
	const struct queued *q = &t->queue[t->head];
	struct token *token = &t->tokens[q->token];
	struct surface *s = &token->surfaces[q->surface];

	t->head = (t->head + 1) % QUEUE_MAX;
	t->nr--;
	s->queued = false;
	return token->taken ? 0 : make_frame(m, token, s);
}

int frame_timeline_tick(struct model *m, uint64_t now)
{
	struct frame_timelines *t = m->timelines;
	int err = 0;

	while (t && t->nr && !err) {
		uint64_t told = t->queue[t->head].told_ns;

		if (now != UINT64_MAX && (now < told || now - told <= FT_CLAIM_NS))
			break;
		err = send_first(m);
	}
	return err;
}

static bool any_queued(const struct token *token)
{
	for (unsigned i = 0; i < token->nr; i++)
		if (token->surfaces[i].queued)
			return true;
	return false;
}

/* What is told of that token from now on is of another. */
static int forget(struct model *m, struct token *token)
{
	int err = 0;

	if (!token->used)
		return 0;
	while (any_queued(token) && !err)
		err = send_first(m);
	HASH_DELETE(hh, m->timelines->by_key, token);
	*token = (struct token){ 0 };
	return err;
}

static int get_token(struct model *m, uint32_t pid, int64_t id, struct token **out)
{
	struct frame_timelines *t = m->timelines;
	struct token *token = &t->tokens[t->next_token];
	int err = forget(m, token);

	*out = NULL;
	if (err)
		return err;
	token->key = (struct token_key){ id, pid };
	HASH_ADD(hh, t->by_key, key, sizeof(token->key), token);
	if (!token->hh.tbl)
		return -ENOMEM;
	token->used = true;
	t->next_token = (t->next_token + 1) % FT_TOKENS;
	*out = token;
	return 0;
}

/* Its place in the token's list; NULL if that is full. */
static struct surface *get_surface(struct token *token, const char *layer, bool actual)
{
	struct surface *s;
	bool known = false;

	for (unsigned i = 0; i < token->nr; i++) {
		s = &token->surfaces[i];
		if (strcmp(s->layer, layer) != 0)
			continue;
		known = true;
		if (!(actual ? s->has_actual : s->has_expected))
			return s;
	}
	if (token->nr == FT_LAYERS) {
		token->layers += !known && actual;
		return NULL;
	}
	token->layers += !known;
	s = &token->surfaces[token->nr++];
	snprintf(s->layer, sizeof(s->layer), "%s", layer);
	return s;
}

static void queue_surface(struct frame_timelines *t, const struct token *token, struct surface *s,
			  uint64_t told)
{
	t->queue[(t->head + t->nr++) % QUEUE_MAX] = (struct queued){
		.token = (uint16_t)(token - t->tokens),
		.surface = (uint16_t)(s - token->surfaces),
		.told_ns = told,
	};
	s->queued = true;
}

static void take_actual(struct surface *s, const struct fs_timeline *rec)
{
	s->has_actual = true;
	s->flags = rec->flags;
	s->jank = rec->jank;
	s->present = rec->present;
	s->prediction = rec->prediction;
	s->severity = rec->severity;
	s->start_ns = rec->start_ns;
	s->end_ns = rec->h.time_ns;
}

static int feed_surface(struct model *m, const struct fs_timeline *rec)
{
	struct frame_timelines *t = m->timelines;
	bool actual = rec->kind == FS_TIMELINE_ACTUAL_SURFACE;
	struct token *token = find(t, rec->h.tgid, rec->token);
	char layer[FS_LAYER_LEN];
	struct surface *s;
	int err = 0;

	if (token && rec->start_ns > token->last_ns &&
	    rec->start_ns - token->last_ns > FT_REUSE_NS) {
		err = forget(m, token);
		token = NULL;
	}
	if (!token && !err)
		err = get_token(m, rec->h.tgid, rec->token, &token);
	if (err)
		return err;
	if (rec->h.time_ns > token->last_ns)
		token->last_ns = rec->h.time_ns;
	snprintf(layer, sizeof(layer), "%.*s", (int)sizeof(rec->layer), rec->layer);
	s = get_surface(token, layer, actual);
	if (!s)
		return 0;
	if (rec->display_token)
		s->display_token = rec->display_token;
	if (actual) {
		take_actual(s, rec);
		queue_surface(t, token, s, rec->h.time_ns);
	} else {
		s->has_expected = true;
		s->expected_start_ns = rec->start_ns;
		s->deadline_ns = rec->flags & FS_OPEN ? 0 : rec->h.time_ns;
	}
	return 0;
}

int frame_timeline_feed(struct model *m, const struct fs_timeline *rec)
{
	struct display *d;

	if (rec->token <= 0)
		return 0;
	if (!m->timelines)
		m->timelines = calloc(1, sizeof(*m->timelines));
	if (!m->timelines)
		return -ENOMEM;
	outbox_changed(m);
	switch (rec->kind) {
	case FS_TIMELINE_ACTUAL_DISPLAY:
		m->timelines->shown = true;
		d = display_of(m->timelines, rec->token);
		*d = (struct display){ .token = rec->token, .jank = rec->jank };
		return 0;
	case FS_TIMELINE_EXPECTED_SURFACE:
		m->timelines->expected = true;
		return feed_surface(m, rec);
	case FS_TIMELINE_ACTUAL_SURFACE:
		m->timelines->surfaces = true;
		return feed_surface(m, rec);
	default:
		return 0;
	}
}

bool frame_timeline_expected(const struct model *m, uint32_t pid, int64_t token, uint64_t *start,
			     uint64_t *deadline)
{
	const struct token *t = m->timelines ? find(m->timelines, pid, token) : NULL;

	for (unsigned i = 0; t && i < t->nr; i++) {
		const struct surface *s = &t->surfaces[i];

		if (!s->has_expected)
			continue;
		*start = s->expected_start_ns;
		*deadline = s->deadline_ns;
		return true;
	}
	return false;
}

/* The surface of the producer's window, or else the first that no other frame has. */
static struct surface *pick(struct token *token, const struct producer *p)
{
	struct surface *first = NULL;

	for (unsigned i = 0; i < token->nr; i++) {
		struct surface *s = &token->surfaces[i];

		if (s->taken)
			continue;
		if (p->window && *p->window && strstr(s->layer, p->window))
			return s;
		if (!first)
			first = s;
	}
	return first || !token->nr ? first : &token->surfaces[0];
}

bool frame_timeline_ready(const struct model *m, const struct producer *p, int64_t token)
{
	struct frame_timelines *t = m->timelines;
	const struct surface *s;
	struct token *known;

	if (token <= 0)
		return true;
	/* Of its first frame a trace says so some frames later. */
	if (!t || !t->surfaces)
		return m->stats.last_ns - m->stats.first_ns > OUTBOX_NS;
	known = find(t, p->pid, token);
	s = known ? pick(known, p) : NULL;
	if (!s || !s->has_actual)
		return false;
	/* The deadline of one that was early is told after its end; only a valid one is. */
	if (t->expected && s->prediction == FT_PREDICTION_VALID && !s->has_expected)
		return false;
	return !t->shown || !s->display_token ||
	       display_of(t, s->display_token)->token == s->display_token;
}

void frame_timeline_take(struct model *m, struct frame *f, int64_t token)
{
	struct frame_timelines *t = m->timelines;
	struct token *known;
	struct surface *s;

	if (!t || token <= 0)
		return;
	known = find(t, f->producer->pid, token);
	/* What may still be told of it is not to become a second frame. */
	if (!known && get_token(m, f->producer->pid, token, &known))
		return;
	known->taken = true;
	if (known->last_ns < f->end_ns)
		known->last_ns = f->end_ns;
	s = pick(known, f->producer);
	if (!s)
		return;
	s->taken = true;
	fill(t, &f->ft, known, s);
}
