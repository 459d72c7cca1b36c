/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Rows as columns, packed, for the page of an HTML report to read. Rows of a table are gathered
 * until there are PACK_ROWS of them, or their texts are long; then they leave as a chunk: a script
 * element of a type that no browser runs, whose text is the base64 of a zlib stream. So no name
 * that a capture has can be taken for markup or for a script. Memory is that of one chunk for each
 * table, whatever the number of rows.
 *
 * Inflated, a chunk is, with all numbers as varints (7 bits a byte, the least first) and all texts
 * as length and bytes:
 *
 *   table, file                        enum pack_kind; the number that pack_table_new() was given
 *   rows, texts, text...               the dictionary of this chunk
 *   columns, then for each one:
 *     name, kind (enum pack_column), wide (0, 1), reference, length, that many bytes:
 *       0, or 1 and a bitmap of the rows that have a value, the lowest bit first
 *       of a PACK_TEXT for each such row the index of its text
 *       else for each the value less its reference, unless that is a difference: a sign in
 *       the lowest bit of the first byte, then 6 bits, then 7 in each byte
 *
 * References: 0 none; 1 the value before; 2 + i column i of the chunk, 0 where that has no value; a
 * difference is 2 + columns + a * columns + b: column a less column b, and no bytes for values.
 * Wide are columns with a number that no double has exactly; nothing refers to these, and their
 * arithmetic is modulo 2^64. A PACK_INFO has a JSON text instead of rows.
 */
#ifndef HTML_PACK_H
#define HTML_PACK_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "output/listing.h"

#define PACK_ROWS 2048u
#define PACK_TEXT_BYTES (1u << 20) /* of a chunk's dictionary, from which on it is sent early */

enum pack_kind { PACK_INFO, PACK_FRAMES, PACK_BLOCKS, PACK_FENCES, PACK_LOSSES };
enum pack_column { PACK_NUMBER = 1, PACK_SIGNED, PACK_THOUSANDTHS, PACK_TEXT };

struct pack_table;

/*
 * A table whose rows have the columns of both lists, of which the second may be NULL; they stay the
 * caller's. NULL when out of memory. Ends with pack_table_free(), which takes NULL and sends
 * nothing.
 */
struct pack_table *pack_table_new(FILE *out, enum pack_kind kind, unsigned file,
				  const struct listing_column *first,
				  const struct listing_column *second);
void pack_table_free(struct pack_table *t);

/* Each 0 or -ENOMEM; a failed write shows in the stream. */
int pack_row(struct pack_table *t, const void *row);
int pack_flush(struct pack_table *t); /* sends the rows that there are */
int pack_info(FILE *out, unsigned file, const char *json);

#endif
