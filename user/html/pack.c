/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Gathers rows by columns, and packs them. */
#include "html/pack.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "html/bytes.h"

#define EXACT_MAX (UINT64_C(1) << 53) /* below that, a double has a number exactly ... */
#define SIGNED_MAX (UINT64_C(1) << 52) /* ... and the difference of two that may be negative */
#define DICTIONARY_ROOM 65536u /* a power of two; chunks leave before half of it is used */
#define SAMPLE_STEP 8u /* every so manieth row is looked at to find the best reference */
#define PROBES 8u /* rows that a difference must hold for before all are looked at */

enum { REF_NONE, REF_BEFORE, REF_COLUMN };

struct column {
	const struct listing_column *from;
	uint64_t *values; /* PACK_ROWS; of a text its index */
	unsigned char *kinds; /* PACK_ROWS: enum pack_column, 0 = no value */
	/* Of the chunk at hand: */
	enum pack_column kind;
	unsigned present;
	bool wide;
};

struct pack_table {
	FILE *out;
	enum pack_kind kind;
	unsigned file;
	unsigned rows;
	unsigned nr;
	struct column *columns;
	unsigned *used; /* which of these have a value in the chunk, in order */
	uint32_t *dictionary; /* DICTIONARY_ROOM: 1 + index of a text; 0 = free */
	uint32_t *starts; /* where in `texts` each text begins */
	uint32_t nr_texts;
	struct bytes texts; /* each with a NUL behind it */
	struct bytes chunk; /* as it is made */
	struct bytes body; /* of one column */
	uint64_t *memory; /* of all columns */
};

static unsigned count_columns(const struct listing_column *c)
{
	unsigned n = 0;

	while (c && c[n].name)
		n++;
	return n;
}

static bool allocate(struct pack_table *t)
{
	size_t cells = (size_t)t->nr * PACK_ROWS;

	if (!t->nr)
		return false;
	t->columns = calloc(t->nr, sizeof(*t->columns));
	t->used = calloc(t->nr, sizeof(*t->used));
	t->dictionary = calloc(DICTIONARY_ROOM, sizeof(*t->dictionary));
	t->starts = calloc(DICTIONARY_ROOM, sizeof(*t->starts));
	t->memory = malloc(cells * (sizeof(uint64_t) + 1));
	return t->columns && t->used && t->dictionary && t->starts && t->memory;
}

struct pack_table *pack_table_new(FILE *out, enum pack_kind kind, unsigned file,
				  const struct listing_column *first,
				  const struct listing_column *second)
{
	struct pack_table *t = calloc(1, sizeof(*t));
	unsigned nr_first = count_columns(first);

	if (!t)
		return NULL;
	t->out = out;
	t->kind = kind;
	t->file = file;
	t->nr = nr_first + count_columns(second);
	if (!allocate(t)) {
		pack_table_free(t);
		return NULL;
	}
	for (unsigned i = 0; i < t->nr; i++) {
		struct column *c = &t->columns[i];

		c->from = i < nr_first ? &first[i] : &second[i - nr_first];
		c->values = t->memory + (size_t)i * PACK_ROWS;
		c->kinds = (unsigned char *)(t->memory + (size_t)t->nr * PACK_ROWS) +
			   (size_t)i * PACK_ROWS;
	}
	return t;
}

void pack_table_free(struct pack_table *t)
{
	if (!t)
		return;
	bytes_free(&t->texts);
	bytes_free(&t->chunk);
	bytes_free(&t->body);
	free(t->columns);
	free(t->used);
	free(t->dictionary);
	free(t->starts);
	free(t->memory);
	free(t);
}

static uint32_t hash(const char *text, size_t len)
{
	uint64_t h = UINT64_C(0xcbf29ce484222325);

	for (size_t i = 0; i < len; i++)
		h = (h ^ (unsigned char)text[i]) * UINT64_C(0x100000001b3);
	return (uint32_t)(h ^ h >> 32);
}

static uint32_t text_index(struct pack_table *t, const char *text, size_t len)
{
	uint32_t at = hash(text, len) & (DICTIONARY_ROOM - 1), index;

	for (; (index = t->dictionary[at]); at = (at + 1) & (DICTIONARY_ROOM - 1)) {
		const char *known = (const char *)t->texts.at + t->starts[index - 1];

		if (!strncmp(known, text, len) && !known[len])
			return index - 1;
	}
	t->starts[t->nr_texts] = (uint32_t)t->texts.len;
	t->dictionary[at] = t->nr_texts + 1;
	bytes_put(&t->texts, text, len);
	bytes_put(&t->texts, "", 1);
	return t->nr_texts++;
}

static void put_cell(struct pack_table *t, struct column *c, const struct cell *cell)
{
	unsigned row = t->rows;

	c->values[row] = cell->number;
	switch (cell->kind) {
	case CELL_ABSENT:
		c->kinds[row] = 0;
		break;
	case CELL_NUMBER:
		c->kinds[row] = PACK_NUMBER;
		break;
	case CELL_SIGNED:
		c->kinds[row] = PACK_SIGNED;
		break;
	case CELL_THOUSANDTHS:
		c->kinds[row] = PACK_THOUSANDTHS;
		break;
	case CELL_TEXT:
		c->kinds[row] = PACK_TEXT;
		c->values[row] = text_index(t, cell->text, strlen(cell->text));
		break;
	case CELL_WORD:
		c->kinds[row] = PACK_TEXT;
		c->values[row] = text_index(t, cell->word, cell->word_len);
		break;
	}
}

int pack_row(struct pack_table *t, const void *row)
{
	struct cell cell;

	for (unsigned i = 0; i < t->nr; i++) {
		cell.number = 0;
		listing_get(t->columns[i].from, row, &cell);
		put_cell(t, &t->columns[i], &cell);
	}
	if (t->texts.failed)
		return -ENOMEM;
	t->rows++;
	if (t->rows < PACK_ROWS && t->texts.len < PACK_TEXT_BYTES &&
	    t->nr_texts + t->nr < DICTIONARY_ROOM / 2)
		return 0;
	return pack_flush(t);
}

/* Numbers of several kinds in one column are as good as signed ones. */
static void survey_column(const struct pack_table *t, struct column *c)
{
	c->present = 0;
	c->wide = false;
	for (unsigned i = 0; i < t->rows; i++) {
		uint64_t value = c->values[i];

		if (!c->kinds[i])
			continue;
		if (!c->present++ || c->kinds[i] == PACK_SIGNED)
			c->kind = (enum pack_column)c->kinds[i];
		if (c->kinds[i] == PACK_SIGNED)
			c->wide |= value + SIGNED_MAX > 2 * SIGNED_MAX;
		else
			c->wide |= value >= EXACT_MAX;
	}
}

static const struct column *used_column(const struct pack_table *t, unsigned index)
{
	return &t->columns[t->used[index]];
}

/* What the value of a row is told from. */
static uint64_t reference(const struct pack_table *t, unsigned ref, unsigned row, uint64_t before)
{
	const struct column *other;

	if (ref == REF_NONE)
		return 0;
	if (ref == REF_BEFORE)
		return before;
	other = used_column(t, ref - REF_COLUMN);
	return other->kinds[row] ? other->values[row] : 0;
}

static unsigned bits(uint64_t difference)
{
	uint64_t magnitude = difference >> 63 ? -difference : difference;

	return magnitude ? 64 - (unsigned)__builtin_clzll(magnitude) : 0;
}

/* About how many bits its values take; the same again and again is next to nothing, deflated. */
static uint64_t cost(const struct pack_table *t, const struct column *c, unsigned ref)
{
	uint64_t sum = 0, before = 0, last = 0;

	for (unsigned i = 0; i < t->rows; i++) {
		if (!c->kinds[i])
			continue;
		if (i % SAMPLE_STEP == 0) {
			uint64_t left = c->values[i] - reference(t, ref, i, before);

			sum += left == last ? left != 0 : bits(left);
			last = left;
		}
		before = c->values[i];
	}
	return sum;
}

/* Nothing refers to what is wide, a text, or a number of another kind. */
static bool may_refer(const struct column *c, const struct column *to)
{
	return !c->wide && !to->wide && c->kind == to->kind && c->kind != PACK_TEXT;
}

static bool is_difference(const struct pack_table *t, const struct column *c,
			  const struct column *a, const struct column *b, unsigned probes)
{
	for (unsigned i = 0; i < t->rows && probes; i++) {
		if (!c->kinds[i])
			continue;
		if (!a->kinds[i] || !b->kinds[i] || c->values[i] != a->values[i] - b->values[i])
			return false;
		probes--;
	}
	return true;
}

/* What a difference is made of: numbers of any kind, for a double has that of two exactly. */
static bool may_subtract(const struct column *to)
{
	return !to->wide && to->kind != PACK_TEXT && to->kind != PACK_THOUSANDTHS;
}

/* Is each of its values one column less another? */
static bool find_difference(const struct pack_table *t, const struct column *c, unsigned nr_used,
			    unsigned *ref_a, unsigned *ref_b)
{
	for (unsigned a = 0; may_subtract(c) && a < nr_used; a++) {
		if (!may_subtract(used_column(t, a)))
			continue;
		for (unsigned b = 0; b < nr_used; b++)
			if (may_subtract(used_column(t, b)) &&
			    is_difference(t, c, used_column(t, a), used_column(t, b), PROBES) &&
			    is_difference(t, c, used_column(t, a), used_column(t, b), PACK_ROWS)) {
				*ref_a = a;
				*ref_b = b;
				return true;
			}
	}
	return false;
}

static unsigned best_reference(const struct pack_table *t, const struct column *c, unsigned nr_used)
{
	uint64_t least = cost(t, c, REF_NONE), one;
	unsigned best = REF_NONE;

	if (c->kind == PACK_TEXT || !least)
		return REF_NONE;
	for (unsigned ref = REF_BEFORE; ref < REF_COLUMN + nr_used; ref++) {
		if (ref >= REF_COLUMN && !may_refer(c, used_column(t, ref - REF_COLUMN)))
			continue;
		one = cost(t, c, ref);
		if (one < least) {
			least = one;
			best = ref;
		}
	}
	return best;
}

static void put_presence(struct pack_table *t, const struct column *c)
{
	unsigned char map[PACK_ROWS / 8] = { 0 };

	if (c->present == t->rows) {
		bytes_varint(&t->body, 0);
		return;
	}
	bytes_varint(&t->body, 1);
	for (unsigned i = 0; i < t->rows; i++)
		if (c->kinds[i])
			map[i / 8] |= (unsigned char)(1u << i % 8);
	bytes_put(&t->body, map, (t->rows + 7) / 8);
}

static void put_values(struct pack_table *t, const struct column *c, unsigned ref)
{
	uint64_t before = 0;

	for (unsigned i = 0; i < t->rows; i++) {
		if (!c->kinds[i])
			continue;
		if (c->kind == PACK_TEXT) {
			bytes_varint(&t->body, c->values[i]);
			continue;
		}
		uint64_t left = c->values[i] - reference(t, ref, i, before);
		bool negative = left >> 63;

		bytes_signed(&t->body, negative, negative ? -left : left);
		before = c->values[i];
	}
}

static void put_column(struct pack_table *t, const struct column *c, unsigned nr_used,
		       unsigned nr_all)
{
	unsigned ref = best_reference(t, c, nr_used), a, b;
	bool difference =
		c->kind != PACK_TEXT && cost(t, c, ref) && find_difference(t, c, nr_used, &a, &b);

	t->body.len = 0;
	put_presence(t, c);
	if (!difference)
		put_values(t, c, ref);
	bytes_text(&t->chunk, c->from->name, strlen(c->from->name));
	bytes_varint(&t->chunk, c->kind);
	bytes_varint(&t->chunk, c->wide);
	bytes_varint(&t->chunk, difference ? REF_COLUMN + nr_all + a * nr_all + b : ref);
	bytes_varint(&t->chunk, t->body.len);
	bytes_put(&t->chunk, t->body.at, t->body.len);
}

static void put_texts(struct pack_table *t)
{
	bytes_varint(&t->chunk, t->nr_texts);
	for (uint32_t i = 0; i < t->nr_texts; i++) {
		const char *text = (const char *)t->texts.at + t->starts[i];

		bytes_text(&t->chunk, text, strlen(text));
	}
}

static void chunk_begin(struct bytes *chunk, enum pack_kind kind, unsigned file)
{
	chunk->len = 0;
	bytes_varint(chunk, kind);
	bytes_varint(chunk, file);
}

int pack_flush(struct pack_table *t)
{
	unsigned nr_used = 0, nr_all = 0;
	int rc;

	if (!t->rows)
		return 0;
	for (unsigned i = 0; i < t->nr; i++) {
		survey_column(t, &t->columns[i]);
		nr_all += t->columns[i].present != 0;
	}
	chunk_begin(&t->chunk, t->kind, t->file);
	bytes_varint(&t->chunk, t->rows);
	put_texts(t);
	bytes_varint(&t->chunk, nr_all);
	for (unsigned i = 0; i < t->nr; i++) {
		if (!t->columns[i].present)
			continue;
		put_column(t, &t->columns[i], nr_used, nr_all);
		t->used[nr_used++] = i;
	}
	rc = t->body.failed ? -ENOMEM : bytes_send(&t->chunk, t->out);
	t->rows = 0;
	t->nr_texts = 0;
	t->texts.len = 0;
	memset(t->dictionary, 0, DICTIONARY_ROOM * sizeof(*t->dictionary));
	return rc;
}

int pack_info(FILE *out, unsigned file, const char *json)
{
	struct bytes chunk = { 0 };
	int rc;

	chunk_begin(&chunk, PACK_INFO, file);
	bytes_text(&chunk, json, strlen(json));
	rc = bytes_send(&chunk, out);
	bytes_free(&chunk);
	return rc;
}
