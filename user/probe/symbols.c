/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * An index of function names. A catalogue asks a library for dozens of names and a library has a
 * hundred thousand: comparing each with each costs more than the rest of an attachment.
 */
#include "probe/symbols.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int symbols_add(struct symbols *s, const char *name, size_t max, uint64_t addr, bool old)
{
	size_t len = strnlen(name, max < SYMBOL_NAME_MAX ? max : SYMBOL_NAME_MAX);

	if (!len || len == max || len == SYMBOL_NAME_MAX || s->count >= UINT32_MAX / 4)
		return 0;
	if (s->count == s->room) {
		size_t room = s->room ? 2 * s->room : 256;
		struct symbol *list = reallocarray(s->list, room, sizeof(*list));

		if (!list)
			return -ENOMEM;
		s->list = list;
		s->room = room;
	}
	s->list[s->count++] =
		(struct symbol){ .name = name, .addr = addr, .len = (uint32_t)len, .old = old };
	return 0;
}

void symbols_free(struct symbols *s)
{
	free(s->list);
	free(s->slots);
	*s = (struct symbols){ 0 };
}

/*
 * Of the name up to its first dot, so that a function and its variants are in one slot. Eight bytes
 * at a time: mangled names are long.
 */
static uint32_t hash(const char *name, size_t len)
{
	const char *dot = memchr(name, '.', len);
	uint64_t word, h = len = dot ? (size_t)(dot - name) : len;

	for (; len >= sizeof(word); len -= sizeof(word), name += sizeof(word)) {
		memcpy(&word, name, sizeof(word));
		h = (h ^ word) * 0x9e3779b97f4a7c15ull;
		h ^= h >> 32;
	}
	word = 0;
	memcpy(&word, name, len);
	h = (h ^ word) * 0x9e3779b97f4a7c15ull;
	return (uint32_t)(h >> 32);
}

/*
 * Chains rather than probing: a table in which all names are one is then filled in linear time. The
 * last symbol goes in first, so that a chain has the order of the table.
 */
static bool fill_slots(struct symbols *s)
{
	size_t nr = 64;

	while (nr < s->count)
		nr *= 2;
	s->slots = calloc(nr, sizeof(*s->slots));
	if (!s->slots)
		return false;
	s->mask = (uint32_t)(nr - 1);
	for (size_t i = s->count; i--;) {
		uint32_t *slot = &s->slots[hash(s->list[i].name, s->list[i].len) & s->mask];

		s->list[i].next = *slot;
		*slot = (uint32_t)i + 1;
	}
	return true;
}

/* The next one of that name, or of one with a dot behind it. */
static const struct symbol *find(struct symbols *s, const char *name, bool variant,
				 const struct symbol *after)
{
	size_t len = strlen(name);

	if (!s->count || (!s->slots && !fill_slots(s)))
		return NULL;
	uint32_t at = after ? after->next : s->slots[hash(name, len) & s->mask];
	for (; at; at = s->list[at - 1].next) {
		const struct symbol *found = &s->list[at - 1];

		if ((variant ? found->len > len && found->name[len] == '.' : found->len == len) &&
		    !memcmp(found->name, name, len))
			return found;
	}
	return NULL;
}

const struct symbol *symbols_find(struct symbols *s, const char *name, const struct symbol *after)
{
	return find(s, name, false, after);
}

const struct symbol *symbols_find_variant(struct symbols *s, const char *name,
					  const struct symbol *after)
{
	return find(s, name, true, after);
}

const struct symbol *symbols_find_prefix(const struct symbols *s, const char *prefix,
					 const struct symbol *after)
{
	size_t len = strlen(prefix), tail = len < 8 ? len : 8;

	for (size_t i = after ? (size_t)(after - s->list) + 1 : 0; i < s->count; i++) {
		const struct symbol *at = &s->list[i];

		/* Of one library, most names differ at the end of the prefix, not before. */
		if (at->len >= len && !memcmp(at->name + len - tail, prefix + len - tail, tail) &&
		    !memcmp(at->name, prefix, len))
			return at;
	}
	return NULL;
}
