/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A list that owns its entries, and a map into it. */
#include "judge/roster.h"

#include <stdlib.h>

void *roster_add(struct roster *r, uint32_t id, size_t size)
{
	void *entry;

	if (r->nr == r->room) {
		unsigned room = r->room ? 2 * r->room : 16;
		void **entries = realloc(r->entries, room * sizeof(*entries));

		if (!entries)
			return NULL;
		r->entries = entries;
		r->room = room;
	}
	entry = calloc(1, size);
	if (!entry || idmap_put(&r->by_id, id, entry)) {
		free(entry);
		return NULL;
	}
	r->entries[r->nr++] = entry;
	return entry;
}

void roster_free(struct roster *r)
{
	for (unsigned i = 0; i < r->nr; i++)
		free(r->entries[i]);
	free(r->entries);
	idmap_free(&r->by_id);
	*r = (struct roster){ 0 };
}
