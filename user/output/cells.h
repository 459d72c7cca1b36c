/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* One value of a row as machines read it, and how CSV and JSON write it. */
#ifndef OUTPUT_CELLS_H
#define OUTPUT_CELLS_H

#include <stdint.h>
#include <stdio.h>

#include "output/words.h"

enum cell_kind {
	CELL_ABSENT, /* not observed */
	CELL_NUMBER,
	CELL_SIGNED, /* a number that may be negative: in two's complement */
	CELL_THOUSANDTHS, /* a number with three decimals: 1500 is 1.500 */
	CELL_TEXT, /* printable UTF-8; '"' and '\' are possible */
};

struct cell {
	enum cell_kind kind;
	uint64_t number;
	char text[WORDS_LEN];
};

void cell_set_number(struct cell *c, uint64_t number);

void cell_set_signed(struct cell *c, int64_t number);

/* Text that was left in c->text; empty means not observed. */
void cell_set_text(struct cell *c);

/* A word of ours. */
void cell_set_word(struct cell *c, const char *word);

/* A number; the same with three decimals, so that 1500 is 1.500. Fast. */
void cells_put_digits(FILE *out, uint64_t n);
void cells_put_thousandths(FILE *out, uint64_t n);

/* RFC 4180; nothing for what was not observed. */
void cell_csv(FILE *out, const struct cell *c);

/* A JSON value. What was not observed has none: not to be called with it. */
void cell_json(FILE *out, const struct cell *c);

#endif
