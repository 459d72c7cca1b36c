/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Producers and frames of which only others told. */
#include "model/told.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

/* A failed insertion leaves the entry out of the hash instead of ending the program. */
#define HASH_NONFATAL_OOM 1
#include <uthash.h>

struct teller_key {
	uint64_t pid;
	char layer[FS_LAYER_LEN];
};

struct teller {
	struct teller_key key;
	struct producer *producer;
	uint64_t frames;
	UT_hash_handle hh;
};

void tellers_free(struct teller *all)
{
	struct teller *t, *next;

	HASH_ITER (hh, all, t, next) {
		HASH_DELETE(hh, all, t);
		free(t);
	}
}

int told_layer(struct model *m, uint32_t pid, const char *layer, struct teller **out)
{
	const struct process *process = idmap_get(&m->processes, pid);
	const char *comm = process ? process->comm : "";
	struct teller_key key = { .pid = pid };
	struct producer *producer;
	struct teller *t;
	int err;

	snprintf(key.layer, sizeof(key.layer), "%s", layer);
	HASH_FIND(hh, m->tellers, &key, sizeof(key), t);
	*out = t;
	if (t)
		return 0;
	err = producers_add(&m->producers, pid, 0, 0, *layer ? layer : comm, &producer);
	if (err || !producer)
		return err;
	snprintf(producer->process, sizeof(producer->process), "%s", comm);
	m->stats.producers++;
	t = calloc(1, sizeof(*t));
	if (!t)
		return -ENOMEM;
	t->key = key;
	t->producer = producer;
	HASH_ADD(hh, m->tellers, key, sizeof(t->key), t);
	if (!t->hh.tbl) {
		free(t);
		return -ENOMEM;
	}
	*out = t;
	return 0;
}

void told_send(struct model *m, struct teller *layer, struct frame *f)
{
	struct tally tally = { .itemize = true };

	f->producer = layer->producer;
	f->number = ++layer->frames;
	f->render_start_ns = f->start_ns;
	thread_tally(NULL, f->start_ns, f->end_ns, &tally);
	f->render = tally.budget;
	frame_take_blockers(f, &tally);
	tally_free(&tally);
	m->stats.frames++;
	if (m->sink.frame)
		m->sink.frame(m->sink.ctx, f);
}
