/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Adds up the frames of each producer. */
#include "model/summary.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/idmap.h"
#include "model/tally.h"
#include "model/worst.h"

/*
 * A failed insertion leaves the entry out of the hash instead of ending the program.
 */
#define HASH_NONFATAL_OOM 1
#include <uthash.h>

/* Of more reasons than that the further ones are not listed; the budget has their time anyway. */
#define REASONS_MAX 4096

struct reason_key {
	uint32_t cause;
	uint32_t peer_tid;
	uint32_t peer_tgid;
	int32_t fd;
	uint8_t call;
	uint8_t file;
	uint8_t context;
	uint8_t blocked;
};

struct reason {
	struct reason_key key;
	struct blocker blocker;
	UT_hash_handle hh;
};

struct entry {
	struct producer_summary sum;
	struct reason *reasons; /* hash */
	struct worst worst;
};

struct summary {
	struct idmap by_id;
	struct entry **entries;
	unsigned nr;
	unsigned room;
};

struct summary *summary_new(void)
{
	return calloc(1, sizeof(struct summary));
}

static void entry_free(struct entry *e)
{
	struct producer_summary *sum = &e->sum;
	struct reason *reason, *next;

	HASH_ITER (hh, e->reasons, reason, next) {
		HASH_DELETE(hh, e->reasons, reason);
		free(reason);
	}
	worst_free(&e->worst);
	stage_summary_free(&sum->stages);
	quantile_free(sum->wall);
	quantile_free(sum->interval);
	for (unsigned i = 0; i < BUDGET_NR; i++)
		quantile_free(sum->parts[i]);
	quantile_free(sum->swap);
	quantile_free(sum->dequeue);
	quantile_free(sum->queue);
	free(e);
}

void summary_free(struct summary *s)
{
	if (!s)
		return;
	for (unsigned i = 0; i < s->nr; i++)
		entry_free(s->entries[i]);
	free(s->entries);
	idmap_free(&s->by_id);
	free(s);
}

static struct entry *entry_new(const struct producer *producer)
{
	struct entry *e = calloc(1, sizeof(*e));
	bool ok;

	if (!e)
		return NULL;
	e->sum.producer = producer;
	e->worst.max = SUMMARY_WORST;
	e->sum.wall = quantile_new();
	e->sum.interval = quantile_new();
	e->sum.swap = quantile_new();
	e->sum.dequeue = quantile_new();
	e->sum.queue = quantile_new();
	ok = e->sum.wall && e->sum.interval && e->sum.swap && e->sum.dequeue && e->sum.queue;
	for (unsigned i = 0; i < BUDGET_NR; i++) {
		e->sum.parts[i] = quantile_new();
		ok = ok && e->sum.parts[i];
	}
	if (ok)
		return e;
	entry_free(e);
	return NULL;
}

static int get_entry(struct summary *s, const struct producer *producer, struct entry **out)
{
	*out = idmap_get(&s->by_id, producer->id);
	if (*out)
		return 0;
	if (s->nr == s->room) {
		unsigned room = s->room ? s->room * 2 : 8;
		struct entry **entries = realloc(s->entries, room * sizeof(struct entry *));

		if (!entries)
			return -ENOMEM;
		s->entries = entries;
		s->room = room;
	}

	struct entry *e = entry_new(producer);

	if (!e)
		return -ENOMEM;

	int err = idmap_put(&s->by_id, producer->id, e);

	if (err) {
		entry_free(e);
		return err;
	}
	s->entries[s->nr++] = e;
	*out = e;
	return 0;
}

static int add_reason(struct entry *e, const struct blocker *b)
{
	struct reason_key key = {
		.cause = b->cause,
		.peer_tid = b->peer_tid,
		.peer_tgid = b->peer_tgid,
		.fd = b->fd,
		.call = b->call,
		.file = b->file,
		.context = b->context,
		.blocked = b->blocked,
	};
	struct reason *reason;

	HASH_FIND(hh, e->reasons, &key, sizeof(key), reason);
	if (!reason) {
		if (HASH_COUNT(e->reasons) == REASONS_MAX)
			return 0;
		reason = calloc(1, sizeof(*reason));
		if (!reason)
			return -ENOMEM;
		reason->key = key;
		reason->blocker = *b;
		reason->blocker.ns = 0;
		reason->blocker.count = 0;
		HASH_ADD(hh, e->reasons, key, sizeof(key), reason);
		if (!reason->hh.tbl) {
			free(reason);
			return -ENOMEM;
		}
	}
	reason->blocker.ns += b->ns;
	reason->blocker.count += b->count;
	if (b->confidence < reason->blocker.confidence)
		reason->blocker.confidence = b->confidence;
	return 0;
}

static int add_complete(struct entry *e, const struct frame *f, const uint64_t *interval_ns)
{
	struct producer_summary *sum = &e->sum;
	const struct budget *way = frame_way(f);
	int err = quantile_add(sum->wall, f->end_ns - f->start_ns);

	if (!err && interval_ns)
		err = quantile_add(sum->interval, *interval_ns);
	for (unsigned i = 0; i < BUDGET_NR && !err; i++) {
		err = quantile_add(sum->parts[i], way->ns[i]);
		sum->total.ns[i] += way->ns[i];
	}
	sum->unknown_wait_ns += f->unknown_wait_ns;
	if (!err && f->seen & (1u << FS_ROLE_SWAP | 1u << FS_ROLE_PRESENT))
		err = quantile_add(sum->swap, f->swap_ns);
	if (!err && f->seen & 1u << FS_ROLE_DEQUEUE)
		err = quantile_add(sum->dequeue, f->dequeue_ns);
	if (!err && f->seen & 1u << FS_ROLE_QUEUE)
		err = quantile_add(sum->queue, f->queue_ns);
	for (unsigned i = 0; i < f->nr_blockers && !err; i++)
		err = add_reason(e, &f->blockers[i]);
	return err ? err : worst_add(&e->worst, f);
}

int summary_add(struct summary *s, const struct frame *f)
{
	struct entry *e;
	uint64_t interval_ns;
	bool follows;
	int err = get_entry(s, f->producer, &e);

	if (err)
		return err;
	timeline_summary_add(&e->sum.timeline, f);
	err = stage_summary_add(&e->sum.stages, f);
	if (err)
		return err;
	follows = pace_add(&e->sum.pace, f, &interval_ns);
	if (f->hwui.kind == FRAME_SKIPPED)
		return 0;
	e->sum.counts[f->status]++;
	return f->status == FRAME_COMPLETE ? add_complete(e, f, follows ? &interval_ns : NULL) : 0;
}

static void list_reasons(struct entry *e)
{
	struct producer_summary *sum = &e->sum;
	struct reason *reason, *next;
	struct blocker *all = malloc((HASH_COUNT(e->reasons) + 1) * sizeof(*all));
	unsigned nr = 0;

	sum->nr_blockers = 0;
	if (!all)
		return;
	HASH_ITER (hh, e->reasons, reason, next)
		all[nr++] = reason->blocker;
	blockers_sort(all, nr);
	while (sum->nr_blockers < nr && sum->nr_blockers < SUMMARY_BLOCKERS) {
		sum->blockers[sum->nr_blockers] = all[sum->nr_blockers];
		sum->nr_blockers++;
	}
	free(all);
}

const struct producer_summary *summary_producer(struct summary *s, unsigned index)
{
	if (index >= s->nr)
		return NULL;

	struct entry *e = s->entries[index];

	list_reasons(e);
	worst_sort(&e->worst);
	e->sum.worst = e->worst.frames;
	e->sum.nr_worst = e->worst.nr;
	return &e->sum;
}
