/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Makes producers and gives each a name of its own. */
#include "model/producers.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A failed insertion leaves the entry out of the hash instead of ending the program. */
#define HASH_NONFATAL_OOM 1
#include <uthash.h>

/* What is left of a name that has a number behind it. */
#define NUMBERED_LEN ((int)(PRODUCER_NAME_LEN - sizeof("#4294967295")))

struct producer_name {
	char name[PRODUCER_NAME_LEN];
	unsigned next; /* the number to try for the next producer that would have this name */
	UT_hash_handle hh;
};

void producers_free(struct producers *p)
{
	struct producer_name *name, *next;

	HASH_ITER (hh, p->names, name, next) {
		HASH_DELETE(hh, p->names, name);
		free(name);
	}
	for (size_t i = 0; i < p->nr; i++)
		free(p->all[i]);
	free(p->all);
	*p = (struct producers){ 0 };
}

static int take_name(struct producers *p, const char *name)
{
	struct producer_name *taken = calloc(1, sizeof(*taken));

	if (!taken)
		return -ENOMEM;
	snprintf(taken->name, sizeof(taken->name), "%s", name);
	taken->next = 2;
	HASH_ADD_STR(p->names, name, taken);
	if (taken->hh.tbl)
		return 0;
	free(taken);
	return -ENOMEM;
}

/* `base`, or the first of base#2, base#3 ... that is not taken. A process may be called "a#2". */
static int unique_name(struct producers *p, const char *base, char name[PRODUCER_NAME_LEN])
{
	struct producer_name *first, *same;

	snprintf(name, PRODUCER_NAME_LEN, "%s", base);
	HASH_FIND_STR(p->names, name, first);
	same = first;
	while (same) {
		snprintf(name, PRODUCER_NAME_LEN, "%.*s#%u", NUMBERED_LEN, base, first->next++);
		HASH_FIND_STR(p->names, name, same);
	}
	return take_name(p, name);
}

int producers_add(struct producers *p, uint32_t pid, uint32_t tid, uint64_t surface,
		  const char *comm, struct producer **out)
{
	*out = NULL;
	if (p->nr == PRODUCERS_MAX)
		return 0;
	if (p->nr == p->room) {
		size_t room = p->room ? p->room * 2 : 16;
		struct producer **all = realloc(p->all, room * sizeof(struct producer *));

		if (!all)
			return -ENOMEM;
		p->all = all;
		p->room = room;
	}

	struct producer *added = calloc(1, sizeof(*added));

	if (!added)
		return -ENOMEM;
	added->id = (uint32_t)p->nr + 1;
	added->pid = pid;
	added->ui_tid = tid;
	added->render_tid = tid;
	added->surface = surface;
	snprintf(added->process, sizeof(added->process), "%s", comm);

	int err = unique_name(p, comm, added->name);

	if (err) {
		free(added);
		return err;
	}
	p->all[p->nr++] = added;
	*out = added;
	return 0;
}

void producers_set_ui(struct producers *p, uint32_t id, uint32_t ui_tid)
{
	if (id && id <= p->nr)
		p->all[id - 1]->ui_tid = ui_tid;
}
