/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Takes the blocks of totals apart and keeps them by process and window. */
#include "judge/gfxinfo_totals.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A failed insertion leaves the entry out of the hash instead of ending the program. */
#define HASH_NONFATAL_OOM 1
#include <uthash.h>

_Static_assert((int)JANK_TYPE_NR == GFXINFO_TYPES, "the types of both are the same");

/* Process number, window number and scope; then both names, each with its NUL. */
#define KEY_NUMBERS (2 * sizeof(uint32_t) + 1)
#define KEY_MAX (KEY_NUMBERS + 2 * (size_t)GFXINFO_NAME)

struct entry {
	struct totals_entry pub;
	struct totals *previous;
	struct entry *next_of_dump;
	struct entry *owner; /* as in pub */
	struct entry *first_window, *last_window; /* of a process */
	struct entry *next_window; /* of the same process */
	UT_hash_handle hh;
	size_t key_len;
	char key[];
};

struct gfxinfo_totals {
	struct entry *entries; /* hash, in order of appearance */
	struct entry *last; /* that was found: rows come one after the other */
	struct entry *first_of_dump, *last_of_dump;
	struct totals_dump dump;
};

static void note_odd(struct totals *t, enum totals_oddity kind, enum gfxinfo_figure figure,
		     uint32_t label_ms, uint64_t count)
{
	struct totals_odd *odd = &t->odd[kind];

	if (!odd->nr) {
		odd->figure = (uint8_t)figure;
		odd->label_ms = label_ms;
		odd->count = count;
	}
	odd->nr += odd->nr < UINT8_MAX;
}

static uint32_t fit_bar(struct totals *t, enum gfxinfo_figure figure, const struct gfxinfo_bar *bar,
			uint32_t max)
{
	if (bar->count <= max)
		return (uint32_t)bar->count;
	note_odd(t, ODD_TOO_LARGE, figure, bar->label_ms, bar->count);
	return max;
}

static void take_bar(struct totals *t, const struct gfxinfo_bar *bar, unsigned bucket)
{
	struct profile_data *p = &t->counts;

	if (bucket < PROFILE_FAST)
		p->fast[bucket] = fit_bar(t, FIGURE_HISTOGRAM, bar, UINT32_MAX);
	else
		p->slow[bucket - PROFILE_FAST] =
			(uint16_t)fit_bar(t, FIGURE_HISTOGRAM, bar, UINT16_MAX);
	t->frames += profile_count(p, bucket);
	t->nr_bars++;
}

static void take_gpu_bar(struct totals *t, const struct gfxinfo_bar *bar, unsigned bucket)
{
	t->counts.gpu[bucket] = fit_bar(t, FIGURE_GPU_HISTOGRAM, bar, UINT32_MAX);
	t->gpu_frames += t->counts.gpu[bucket];
	t->nr_gpu_bars++;
}

/* How a histogram is taken. */
struct histogram {
	enum gfxinfo_figure figure;
	unsigned buckets;
	unsigned (*label)(unsigned bucket);
	int (*bucket_of_label)(unsigned ms);
	void (*take)(struct totals *t, const struct gfxinfo_bar *bar, unsigned bucket);
};

static const struct histogram total_histogram = {
	.figure = FIGURE_HISTOGRAM,
	.buckets = PROFILE_BUCKETS,
	.label = profile_label,
	.bucket_of_label = profile_bucket_of_label,
	.take = take_bar,
};

static const struct histogram gpu_histogram = {
	.figure = FIGURE_GPU_HISTOGRAM,
	.buckets = PROFILE_GPU_BUCKETS,
	.label = profile_gpu_label,
	.bucket_of_label = profile_gpu_bucket_of_label,
	.take = take_gpu_bar,
};

/* Is each bucket there once, with a count that it can have, and nothing else? */
static bool take_bars(struct totals *t, const struct histogram *h, const struct gfxinfo_bar *bars,
		      unsigned nr)
{
	bool seen[PROFILE_BUCKETS] = { false };
	unsigned odd_before = t->odd[ODD_TOO_LARGE].nr, taken = 0;

	for (unsigned i = 0; i < nr; i++) {
		bool in_place = i < h->buckets && bars[i].label_ms == h->label(i);
		int bucket = in_place ? (int)i : h->bucket_of_label(bars[i].label_ms);

		if (bucket < 0) {
			note_odd(t, ODD_UNKNOWN_LABEL, h->figure, bars[i].label_ms, bars[i].count);
		} else if (seen[bucket]) {
			note_odd(t, ODD_LABEL_TWICE, h->figure, bars[i].label_ms, bars[i].count);
		} else {
			seen[bucket] = true;
			taken++;
			h->take(t, &bars[i], (unsigned)bucket);
		}
	}
	return taken == h->buckets && nr == taken && t->odd[ODD_TOO_LARGE].nr == odd_before;
}

static uint32_t fit_figure(struct totals *t, enum gfxinfo_figure figure, uint64_t count)
{
	if (count <= UINT32_MAX)
		return (uint32_t)count;
	note_odd(t, ODD_TOO_LARGE, figure, 0, count);
	t->printed &= ~(1u << figure);
	return 0;
}

void totals_take(struct totals *t, const struct gfxinfo_stats *stats)
{
	struct profile_data *p = &t->counts;

	*t = (struct totals){
		.scope = stats->scope,
		.filtered = stats->filtered,
		.printed = stats->printed,
		.line = stats->line,
		.janky_centipercent = stats->janky_centipercent,
		.janky_legacy_centipercent = stats->janky_legacy_centipercent,
	};
	memcpy(t->percentiles_ms, stats->percentiles_ms, sizeof(t->percentiles_ms));
	memcpy(t->gpu_percentiles_ms, stats->gpu_percentiles_ms, sizeof(t->gpu_percentiles_ms));
	p->since_ns = stats->since_ns;
	p->total = fit_figure(t, FIGURE_TOTAL, stats->total);
	p->janky = fit_figure(t, FIGURE_JANKY, stats->janky);
	p->janky_legacy = fit_figure(t, FIGURE_JANKY_LEGACY, stats->janky_legacy);
	for (unsigned i = 0; i < GFXINFO_TYPES; i++)
		p->types[i] = fit_figure(t, FIGURE_TYPES + i, stats->types[i]);
	t->whole = take_bars(t, &total_histogram, stats->bars, stats->nr_bars);
	t->gpu_whole = take_bars(t, &gpu_histogram, stats->gpu_bars, stats->nr_gpu_bars);
}

struct gfxinfo_totals *gfxinfo_totals_new(void)
{
	return calloc(1, sizeof(struct gfxinfo_totals));
}

void gfxinfo_totals_free(struct gfxinfo_totals *t)
{
	struct entry *e, *next;

	if (!t)
		return;
	HASH_ITER (hh, t->entries, e, next) {
		HASH_DELETE(hh, t->entries, e);
		free(e->previous);
		free(e);
	}
	free(t);
}

/* Whose an entry is. */
struct whose {
	enum gfxinfo_scope scope;
	uint32_t pid;
	uint32_t window_nr;
	const char *process;
	const char *name;
};

static size_t put_name(char *to, const char *name)
{
	size_t len = strnlen(name, GFXINFO_NAME - 1);

	memcpy(to, name, len);
	to[len] = '\0';
	return len + 1;
}

static size_t make_key(char key[KEY_MAX], const struct whose *w)
{
	size_t len = KEY_NUMBERS;

	memcpy(key, &w->pid, sizeof(w->pid));
	memcpy(key + sizeof(w->pid), &w->window_nr, sizeof(w->window_nr));
	key[KEY_NUMBERS - 1] = (char)w->scope;
	len += put_name(key + len, w->process);
	return len + put_name(key + len, w->name);
}

static struct entry *add_entry(struct gfxinfo_totals *t, const char *key, size_t key_len,
			       const struct whose *w)
{
	struct entry *e = calloc(1, sizeof(*e) + key_len);

	if (!e)
		return NULL;
	e->key_len = key_len;
	memcpy(e->key, key, key_len);
	e->pub.scope = w->scope;
	e->pub.pid = w->pid;
	e->pub.window_nr = w->window_nr;
	e->pub.process = e->key + KEY_NUMBERS;
	e->pub.name = e->pub.process + strlen(e->pub.process) + 1;
	HASH_ADD_KEYPTR(hh, t->entries, e->key, e->key_len, e);
	if (!e->hh.tbl) {
		free(e);
		return NULL;
	}
	return e;
}

/* A dump has one more. */
static void enter_dump(struct gfxinfo_totals *t, struct entry *e)
{
	if (e->pub.dump == t->dump.nr)
		return;
	e->pub.dump = t->dump.nr;
	memset(e->pub.rows, 0, sizeof(e->pub.rows));
	e->next_of_dump = NULL;
	if (t->last_of_dump)
		t->last_of_dump->next_of_dump = e;
	else
		t->first_of_dump = e;
	t->last_of_dump = e;
}

static struct entry *get_entry(struct gfxinfo_totals *t, const struct whose *w)
{
	char key[KEY_MAX];
	size_t len = make_key(key, w);
	struct entry *e = t->last;

	if (!e || e->key_len != len || memcmp(e->key, key, len) != 0)
		HASH_FIND(hh, t->entries, key, len, e);
	if (!e && w->scope != SCOPE_PROCESS) {
		const struct whose process = { .pid = w->pid, .process = w->process, .name = "" };
		struct entry *owner = get_entry(t, &process);

		e = owner ? add_entry(t, key, len, w) : NULL;
		if (!e)
			return NULL;
		e->owner = owner;
		e->pub.owner = &owner->pub;
		if (owner->last_window)
			owner->last_window->next_window = e;
		else
			owner->first_window = e;
		owner->last_window = e;
	} else if (!e) {
		e = add_entry(t, key, len, w);
		if (!e)
			return NULL;
	}
	enter_dump(t, e);
	t->last = e;
	return e;
}

static void forget_windows(struct entry *process)
{
	process->pub.nr_windows = 0;
	process->pub.windows_total = 0;
}

/* Has its process counted whatever the window has? Then its frames are among the process's. */
static void count_window(const struct gfxinfo_totals *t, const struct entry *e)
{
	static const uint32_t needed = 1u << FIGURE_SINCE | 1u << FIGURE_TOTAL;
	const struct totals *window = &e->pub.newest;
	struct totals_entry *process = &e->owner->pub;

	if (process->newest.dump == t->dump.nr && !(needed & ~process->newest.printed) &&
	    !(needed & ~window->printed) &&
	    window->counts.since_ns >= process->newest.counts.since_ns) {
		process->nr_windows++;
		process->windows_total += window->counts.total;
	}
}

static int take_stats(struct gfxinfo_totals *t, struct entry *e, const struct gfxinfo_stats *stats)
{
	struct totals *newest = &e->pub.newest;

	if (newest->printed && newest->dump != t->dump.nr) {
		if (!e->previous)
			e->previous = malloc(sizeof(*e->previous));
		if (!e->previous)
			return -ENOMEM;
		*e->previous = *newest;
		e->pub.previous = e->previous;
	}
	totals_take(newest, stats);
	newest->dump = t->dump.nr;
	newest->uptime_ms = t->dump.uptime_ms;
	/* those that follow are of these */
	memset(e->pub.rows, 0, sizeof(e->pub.rows));
	if (stats->scope == SCOPE_PROCESS)
		forget_windows(e);
	else if (stats->scope == SCOPE_WINDOW)
		count_window(t, e);
	return 0;
}

static void begin_dump(struct gfxinfo_totals *t, const struct gfxinfo_item *item)
{
	t->dump.nr++;
	t->dump.line = item->line;
	t->dump.previous_uptime_ms = t->dump.uptime_ms;
	t->dump.uptime_ms = item->uptime_ms;
	t->first_of_dump = t->last_of_dump = NULL;
}

int gfxinfo_totals_feed(struct gfxinfo_totals *t, const struct gfxinfo_item *item)
{
	struct whose whose = { .pid = item->pid, .process = item->process, .name = "" };
	struct entry *e;

	if (item->kind == GFXINFO_DUMP) {
		begin_dump(t, item);
		return 0;
	}
	if (!t->dump.nr)
		t->dump.nr = 1;
	switch (item->kind) {
	case GFXINFO_PROCESS:
		break;
	case GFXINFO_STATS:
		whose.scope = item->stats->scope;
		whose.name = item->stats->name;
		whose.window_nr = item->window_nr;
		break;
	case GFXINFO_ROW:
	case GFXINFO_TIMES:
		whose.scope = *item->window ? SCOPE_WINDOW : SCOPE_PROCESS;
		whose.name = item->window;
		whose.window_nr = item->window_nr;
		break;
	default:
		return 0;
	}
	e = get_entry(t, &whose);
	if (!e)
		return -ENOMEM;
	if (item->kind == GFXINFO_STATS)
		return take_stats(t, e, item->stats);
	if (item->kind == GFXINFO_ROW)
		e->pub.rows[item->fault]++;
	if (item->kind == GFXINFO_PROCESS)
		forget_windows(e);
	return 0;
}

const struct totals_dump *gfxinfo_totals_dump(const struct gfxinfo_totals *t)
{
	return &t->dump;
}

static const struct totals_entry *public(const struct entry *e)
{
	return e ? &e->pub : NULL;
}

static const struct entry *private(const struct totals_entry *pub)
{
	return (const struct entry *)((const char *)pub - offsetof(struct entry, pub));
}

const struct totals_entry *gfxinfo_totals_next(const struct gfxinfo_totals *t,
					       const struct totals_entry *entry)
{
	return public(entry ? private(entry)->hh.next : t->entries);
}

const struct totals_entry *gfxinfo_totals_next_of_dump(const struct gfxinfo_totals *t,
						       const struct totals_entry *entry)
{
	return public(entry ? private(entry)->next_of_dump : t->first_of_dump);
}

const struct totals_entry *totals_entry_next_window(const struct totals_entry *process,
						    const struct totals_entry *entry)
{
	return public(entry ? private(entry)->next_window : private(process)->first_window);
}

bool gfxinfo_totals_checkable(const struct gfxinfo_totals *t)
{
	for (const struct entry *e = t->entries; e; e = e->hh.next) {
		const struct totals *newest = &e->pub.newest;

		if (totals_has(newest, FIGURE_TOTAL) &&
		    (newest->whole || totals_has(newest, FIGURE_JANKY)))
			return true;
	}
	return false;
}

uint64_t totals_entry_rows(const struct totals_entry *e, uint64_t faults[FAULT_NR])
{
	uint64_t rows = 0;

	for (unsigned i = 0; i < FAULT_NR; i++) {
		faults[i] = e->rows[i];
		rows += e->rows[i];
	}
	return rows;
}
