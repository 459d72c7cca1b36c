/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The functions of one symbol table, found by name or by the start of it. Whoever owns the table
 * owns the names too.
 */
#ifndef PROBE_SYMBOLS_H
#define PROBE_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Longer names are not kept: a hostile table can't make every symbol as long as the file. */
#define SYMBOL_NAME_MAX 2048

struct symbol {
	const char *name;
	uint64_t addr;
	uint32_t len; /* of the name */
	uint32_t next; /* in the same slot, as index + 1; 0 = the last */
	bool old; /* a version that only binaries linked against an older library use */
};

struct symbols {
	struct symbol *list; /* in the order of the table */
	size_t count, room;
	uint32_t *slots; /* made by the first search by name */
	uint32_t mask;
};

/* `name` ends within `max` bytes, or is left out, as is an empty one. 0 or -ENOMEM. */
int symbols_add(struct symbols *s, const char *name, size_t max, uint64_t addr, bool old);

/* Idempotent. */
void symbols_free(struct symbols *s);

/*
 * The first symbol of that name behind `after` (NULL: of all), in the order of the table; NULL if
 * there is none, or no memory to look.
 */
const struct symbol *symbols_find(struct symbols *s, const char *name, const struct symbol *after);

/*
 * The same for names that are `name` with a dot and more behind it, as compilers name what they
 * made of a function.
 */
const struct symbol *symbols_find_variant(struct symbols *s, const char *name,
					  const struct symbol *after);

/* The same for names that begin with `prefix`; looks at all of them. */
const struct symbol *symbols_find_prefix(const struct symbols *s, const char *prefix,
					 const struct symbol *after);

#endif
