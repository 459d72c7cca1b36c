/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* One value of a row as machines read it, and how CSV and JSON write it. */
#ifndef OUTPUT_CELLS_H
#define OUTPUT_CELLS_H

#include <stddef.h>
#include <stdint.h>

#include "output/words.h"

enum cell_kind {
	CELL_ABSENT, /* not observed */
	CELL_NUMBER,
	CELL_SIGNED, /* a number that may be negative: in two's complement */
	CELL_THOUSANDTHS, /* a number with three decimals: 1500 is 1.500 */
	CELL_TEXT, /* printable UTF-8; '"' and '\' are possible */
	CELL_WORD, /* printable ASCII without these two, which lies elsewhere */
};

struct cell {
	enum cell_kind kind;
	uint64_t number;
	const char *word; /* CELL_WORD: valid as long as the row is; not terminated */
	size_t word_len; /* less than WORDS_LEN */
	char text[WORDS_LEN];
};

void cell_set_number(struct cell *c, uint64_t number);

void cell_set_signed(struct cell *c, int64_t number);

/* Text that was left in c->text; empty means not observed. */
void cell_set_text(struct cell *c);

/* A word of ours, which stays where it is. Empty means not observed. */
void cell_set_word(struct cell *c, const char *word);

/*
 * A name that came from elsewhere, of at most `len` bytes, which lives as long as the row does. It
 * is escaped if it needs it. Empty means not observed.
 */
void cell_set_name(struct cell *c, const char *name, size_t len);

/* The two below put at most so many bytes, and return their end. */
#define CELL_BYTES ((size_t)2 * WORDS_LEN)

/* RFC 4180; nothing for what was not observed. */
char *cell_csv(char *dst, const struct cell *c);

/* A JSON value. What was not observed has none: not to be called with it. */
char *cell_json(char *dst, const struct cell *c);

#endif
