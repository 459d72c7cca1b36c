/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Makes frames of rows, and knows again those that it has made already. */
#include "model/dump_frames.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/producers.h"

/* A failed insertion leaves the entry out of the hash instead of ending the program. */
#define HASH_NONFATAL_OOM 1
#include <uthash.h>

#define HWUI_ROWS 120 /* frames that a window keeps */
#define IN_THE_MAKING 4 /* of these, that are not in its totals yet; at most, seen were 2 */
#define SEEN_NR 256 /* rows of two dumps: SurfaceFlinger keeps 128 */

#define LATENCY_NAME "SurfaceFlinger"

/* Stands for a row that a judge has not been given, and never will be. */
#define ROW_LOST UINT64_MAX

/* What tells a row from another of its window, and from itself when it was not finished yet. */
struct row_key {
	int64_t begin_ns, middle_ns, end_ns;
};

/* One window, whatever dumps call it. */
struct history {
	struct producer *producer;
	uint64_t frames;
	struct row_key seen[SEEN_NR]; /* the latest, a ring */
	uint64_t nr_seen; /* ever: rows have these numbers, from 1 */
	uint64_t part; /* of the last row */
	uint64_t before; /* the finished row that came before in this part; 0 = none yet */
	uint64_t judged; /* the last one that was given as finished; likewise */
};

/* What they call so. */
struct window {
	char *key; /* for the hash; ends with the title */
	struct history *history;
	UT_hash_handle hh;
};

struct dump_frames {
	struct dump_sink sink;
	struct producers producers;
	struct window *windows; /* hash */
	struct window *last; /* of the row before */
	uint64_t part; /* counts what may print a ring anew: dumps, and processes in them */
	uint64_t left_out;
	uint64_t repeated;
	bool filtered; /* they count from the handling of input */
	uint64_t total; /* frames that a window has drawn, by its totals; 0 = not said */
	char total_of[GFXINFO_NAME]; /* its title, and the how manieth of it */
	unsigned total_of_nr;
};

struct dump_frames *dump_frames_new(const struct dump_sink *sink)
{
	struct dump_frames *d = calloc(1, sizeof(*d));

	if (d)
		d->sink = *sink;
	return d;
}

static void window_free(struct window *w)
{
	free(w->history);
	free(w->key);
	free(w);
}

void dump_frames_free(struct dump_frames *d)
{
	struct window *w, *next;

	if (!d)
		return;
	HASH_ITER (hh, d->windows, w, next) {
		HASH_DELETE(hh, d->windows, w);
		window_free(w);
	}
	producers_free(&d->producers);
	free(d);
}

uint64_t dump_frames_repeated(const struct dump_frames *d)
{
	return d->repeated;
}

uint64_t dump_frames_left_out(const struct dump_frames *d)
{
	return d->left_out;
}

/* Names are of lines, and have no newline. */
static char *make_key(uint32_t pid, const char *process, const char *window, unsigned window_nr)
{
	char *key;

	if (asprintf(&key, "%" PRIu32 " %u %s\n%s", pid, window_nr, process, window) < 0)
		return NULL;
	return key;
}

const struct producer *dump_frames_producer(const struct dump_frames *d, uint32_t pid,
					    const char *process, const char *window,
					    unsigned window_nr)
{
	char *key = make_key(pid, process, window, window_nr);
	struct window *w = NULL;

	if (key)
		HASH_FIND_STR(d->windows, key, w);
	free(key);
	return w ? w->history->producer : NULL;
}

/* Of the window whose totals came last? */
static bool is_of_totals(const struct dump_frames *d, const struct gfxinfo_item *item)
{
	return d->total_of_nr == item->window_nr && !strcmp(d->total_of, item->window);
}

/*
 * Is that row, the first of its window here, of its first frame? A ring that was emptied by
 * "dumpsys gfxinfo reset" has few, too, but only the first frame of all is sure to set up a
 * surface, which its flags say.
 */
static bool is_start(const struct dump_frames *d, const struct gfxinfo_item *item)
{
	if (item->kind != GFXINFO_ROW || (item->fault && item->fault != FAULT_UNFINISHED))
		return false;
	return d->total && d->total <= HWUI_ROWS - IN_THE_MAKING && is_of_totals(d, item) &&
	       slot_known(&item->slots, SLOT_FLAGS) &&
	       item->slots.ns[SLOT_FLAGS] & FRAME_FLAG_FIRST_DRAW;
}

static void take_total(struct dump_frames *d, const struct gfxinfo_item *item)
{
	const struct gfxinfo_stats *s = item->stats;

	d->total = s->scope == SCOPE_WINDOW && s->printed & 1u << FIGURE_TOTAL ? s->total : 0;
	d->filtered = s->scope == SCOPE_WINDOW && s->filtered;
	d->total_of_nr = item->window_nr;
	snprintf(d->total_of, sizeof(d->total_of), "%s", item->window);
}

/* *out is NULL if there are too many of them. The title must live as long as `d`. */
static int make_history(struct dump_frames *d, const struct gfxinfo_item *item, const char *name,
			const char *title, struct history **out)
{
	struct producer *p;
	int rc = producers_add(&d->producers, item->pid, 0, 0, name, &p);

	if (rc)
		return rc;
	if (!p) {
		d->left_out++;
		return 0;
	}
	*out = calloc(1, sizeof(**out));
	if (!*out)
		return -ENOMEM;
	p->window = *title ? title : NULL;
	p->from_start = is_start(d, item);
	p->filtered = d->filtered && is_of_totals(d, item);
	(*out)->producer = p;
	return 0;
}

/* *out is NULL if there are too many of them. */
static int get_window(struct dump_frames *d, const struct gfxinfo_item *item, struct window **out)
{
	/* Rows that stand alone, without a process, are none of SurfaceFlinger's. */
	const char *name = item->kind == GFXINFO_LATENCY ? LATENCY_NAME : item->process;
	char *key = make_key(item->pid, name, item->window, item->window_nr);
	struct window *w;
	int rc;

	if (!key)
		return -ENOMEM;
	*out = d->last;
	if (d->last && !strcmp(d->last->key, key)) {
		free(key);
		return 0;
	}
	HASH_FIND_STR(d->windows, key, w);
	*out = d->last = w;
	if (w) {
		free(key);
		return 0;
	}
	w = calloc(1, sizeof(*w));
	if (!w) {
		free(key);
		return -ENOMEM;
	}
	w->key = key;
	rc = make_history(d, item, name, key + strlen(key) - strlen(item->window), &w->history);
	if (rc || !w->history) {
		window_free(w);
		return rc;
	}
	HASH_ADD_KEYPTR(hh, d->windows, w->key, strlen(w->key), w);
	if (!w->hh.tbl) {
		window_free(w);
		return -ENOMEM;
	}
	*out = d->last = w;
	return 0;
}

/* Its number if it was in this dump or the one before, else 0. */
static uint64_t find_row(const struct history *h, const struct row_key *key)
{
	uint64_t nr = h->nr_seen < SEEN_NR ? h->nr_seen : SEEN_NR;

	for (uint64_t i = 0; i < nr; i++) {
		uint64_t number = h->nr_seen - i;
		const struct row_key *seen = &h->seen[number % SEEN_NR];

		if (seen->begin_ns == key->begin_ns && seen->middle_ns == key->middle_ns &&
		    seen->end_ns == key->end_ns)
			return number;
	}
	return 0;
}

static uint64_t remember_row(struct history *h, const struct row_key *key)
{
	h->seen[++h->nr_seen % SEEN_NR] = *key;
	return h->nr_seen;
}

static uint64_t time_of(int64_t ns)
{
	return ns > 0 && ns != INT64_MAX ? (uint64_t)ns : 0;
}

/* The deadline in a row is what finishFrame() has left; what it was, only newer ones tell. */
static void take_deadline(struct hwui_frame *hf)
{
	struct frame_slots *s = &hf->slots;

	/* INT64_MAX, which is no time, is one that is always met. */
	hf->deadline_after_ns = s->ns[SLOT_FRAME_DEADLINE] > 0 ? s->ns[SLOT_FRAME_DEADLINE] : 0;
	s->ns[SLOT_FRAME_DEADLINE] = 0;
	s->known &= ~(1u << SLOT_FRAME_DEADLINE);
	if (!slot_known(s, SLOT_WORKLOAD_TARGET) || s->ns[SLOT_WORKLOAD_TARGET] <= 0)
		return;
	s->ns[SLOT_FRAME_DEADLINE] = (int64_t)(time_of(s->ns[SLOT_INTENDED_VSYNC]) +
					       time_of(s->ns[SLOT_WORKLOAD_TARGET]));
	s->known |= 1u << SLOT_FRAME_DEADLINE;
}

static void take_row(struct frame *f, const struct gfxinfo_item *item)
{
	const struct frame_slots *s = &item->slots;

	f->dumped = DUMP_ROW;
	f->hwui.slots = *s;
	if (slot_known(s, SLOT_FLAGS))
		f->hwui.kind = frame_kind_of(s->ns[SLOT_FLAGS]);
	f->hwui.vsync_id = slot_known(s, SLOT_VSYNC_ID) ? s->ns[SLOT_VSYNC_ID] : 0;
	take_deadline(&f->hwui);
	f->hwui.whole = !f->fault;
	f->start_ns = time_of(s->ns[SLOT_INTENDED_VSYNC]);
	f->end_ns = time_of(s->ns[SLOT_FRAME_COMPLETED]);
	f->render_start_ns = time_of(s->ns[SLOT_SYNC_QUEUED]);
}

static void take_latency(struct frame *f, const struct gfxinfo_item *item)
{
	f->dumped = DUMP_LATENCY;
	f->desired_present_ns = time_of(item->desired_ns);
	f->actual_present_ns = time_of(item->present_ns);
	f->frame_ready_ns = time_of(item->ready_ns);
	f->start_ns = f->desired_present_ns;
	f->end_ns = f->actual_present_ns;
}

static struct row_key key_of(const struct gfxinfo_item *item)
{
	const int64_t *ns = item->slots.ns;

	if (item->kind == GFXINFO_LATENCY)
		return (struct row_key){ item->desired_ns, item->ready_ns, item->present_ns };
	return (struct row_key){ ns[SLOT_INTENDED_VSYNC], ns[SLOT_SYNC_START],
				 ns[SLOT_FRAME_COMPLETED] };
}

/*
 * Is it new? Before a finished one that does not follow the last such one in its ring, too, frames
 * may be missing: the ring has moved on by more than it holds, or a row could not be read. One in
 * the making is still to come, and leaves none out.
 */
static bool is_new(struct dump_frames *d, struct history *h, const struct gfxinfo_item *item,
		   enum gfxinfo_fault fault)
{
	const struct row_key key = key_of(item);
	uint64_t number = fault == FAULT_CUT ? 0 : find_row(h, &key);
	bool is = !number;

	if (item->kind == GFXINFO_LATENCY) {
		if (is)
			remember_row(h, &key);
		return is;
	}
	if (h->part != d->part)
		h->before = 0;
	h->part = d->part;
	if (is && fault != FAULT_CUT)
		number = remember_row(h, &key);
	if (fault == FAULT_CUT || fault == FAULT_NO_TIME) {
		h->before = ROW_LOST;
	} else if (!fault) {
		if (is && h->before != h->judged && d->sink.gap)
			d->sink.gap(d->sink.ctx, h->producer);
		if (is)
			h->judged = number;
		h->before = number;
	}
	return is;
}

/*
 * When one of several windows of a title goes away, those behind it move up a number. A ring of
 * which another one has seen the first row is that one's.
 */
static int find_again(struct dump_frames *d, struct window *w, const struct gfxinfo_item *item)
{
	const struct row_key row = key_of(item);
	struct window *other = w;

	if (item->kind != GFXINFO_ROW || item->fault == FAULT_CUT || w->history->part == d->part ||
	    find_row(w->history, &row))
		return 0;
	for (unsigned nr = item->window_nr + 1; other; nr++) {
		char *key = make_key(item->pid, item->process, item->window, nr);

		if (!key)
			return -ENOMEM;
		HASH_FIND_STR(d->windows, key, other);
		free(key);
		if (other && find_row(other->history, &row)) {
			struct history *moved = other->history;

			other->history = w->history;
			w->history = moved;
			break;
		}
	}
	return 0;
}

static int add_frame(struct dump_frames *d, const struct gfxinfo_item *item)
{
	struct frame f = { .fault = item->fault };
	struct history *h;
	struct window *w;
	int rc = get_window(d, item, &w);

	if (!rc && w)
		rc = find_again(d, w, item);
	if (rc || !w)
		return rc;
	h = w->history;
	if (item->kind == GFXINFO_TIMES) {
		/* Printed once, since the dump before. */
		f.dumped = DUMP_TIMES;
		f.nr_times = item->nr_times;
		memcpy(f.times_ns, item->times_ns, sizeof(f.times_ns));
	} else if (!is_new(d, h, item, f.fault)) {
		d->repeated += item->kind == GFXINFO_ROW;
		return 0;
	} else if (item->kind == GFXINFO_LATENCY) {
		take_latency(&f, item);
	} else {
		take_row(&f, item);
	}
	f.producer = h->producer;
	f.number = ++h->frames;
	f.status = f.fault ? FRAME_TRUNCATED : FRAME_COMPLETE;
	d->sink.frame(d->sink.ctx, &f);
	return 0;
}

int dump_frames_add(struct dump_frames *d, const struct gfxinfo_item *item)
{
	switch (item->kind) {
	case GFXINFO_DUMP:
		d->part++;
		return 0;
	case GFXINFO_PROCESS:
		d->part++;
		d->total = 0;
		return 0;
	case GFXINFO_STATS:
		take_total(d, item);
		return 0;
	case GFXINFO_ROW:
	case GFXINFO_TIMES:
	case GFXINFO_LATENCY:
		return add_frame(d, item);
	}
	return 0;
}
