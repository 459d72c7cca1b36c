/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The search for near names. It looks at every name of a file, so it looks cheaply first. */
#include "probe/near.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

/*
 * Bounds, so that a hostile file can't make the search long: longer names are passed over, and when
 * that many characters have been compared the search ends with what it has.
 */
#define NEAR_NAME_MAX 512
#define NEAR_WORK_MAX 200000000u

/* How often each character occurs, case folded. */
struct letters {
	unsigned short count[256];
};

static void count_letters(struct letters *l, const char *text, size_t len)
{
	memset(l, 0, sizeof(*l));
	for (size_t i = 0; i < len; i++)
		l->count[tolower((unsigned char)text[i])]++;
}

/* A lower bound of the edit distance that costs no table. */
static unsigned letters_apart(const struct letters *a, const struct letters *b)
{
	unsigned more = 0, fewer = 0;

	for (unsigned c = 0; c < 256; c++) {
		if (a->count[c] > b->count[c])
			more += a->count[c] - b->count[c];
		else
			fewer += b->count[c] - a->count[c];
	}
	return more > fewer ? more : fewer;
}

struct near {
	const char *name;
	unsigned score;
};

struct search {
	const char *symbol;
	size_t len;
	struct letters letters;
	uint64_t work;
	struct near *best; /* best first */
	int count;
	int max;
};

/*
 * How far `name` is from what was looked for: the edits between them, or less if one looks like the
 * other with something added, as a mangled name does. UINT_MAX if it is not worth showing.
 */
static unsigned near_score(struct search *s, const char *name, size_t len, unsigned limit)
{
	unsigned score = UINT_MAX;
	size_t prefix = 0, longer = len > s->len ? len : s->len;
	size_t edits = s->len / 3 ? s->len / 3 : 1;

	if (strcasestr(name, s->symbol))
		score = 1 + (unsigned)(len - s->len) / 8;
	while (prefix < len && prefix < s->len && name[prefix] == s->symbol[prefix])
		prefix++;
	/* the same start; of a mangled name half will do: the function with other arguments */
	size_t enough = s->len - s->len / (strncmp(s->symbol, "_Z", 2) ? 3 : 2);
	if (prefix >= 6 && prefix >= enough && longer - prefix < score)
		score = (unsigned)(longer - prefix);
	if (score < limit)
		limit = score;
	if (edits < limit)
		limit = (unsigned)edits + 1;
	if (longer - (len < s->len ? len : s->len) >= limit)
		return score;

	struct letters letters;
	count_letters(&letters, name, len);
	if (letters_apart(&letters, &s->letters) >= limit)
		return score;
	s->work += len * s->len;
	unsigned distance = text_distance(name, s->symbol);
	return distance < limit ? distance : score;
}

static void consider(struct search *s, const char *name, size_t len)
{
	int at = s->count;

	s->work += len;
	if (len >= NEAR_NAME_MAX)
		return;
	for (size_t i = 0; i < len; i++) {
		if (iscntrl((unsigned char)name[i]))
			return;
	}
	unsigned limit = s->count == s->max ? s->best[s->max - 1].score : UINT_MAX;
	unsigned score = near_score(s, name, len, limit);
	if (score >= limit)
		return;
	for (int i = 0; i < s->count; i++) {
		if (!strcmp(s->best[i].name, name))
			return;
	}
	if (s->count < s->max)
		s->count++;
	else
		at--;
	for (; at > 0 && s->best[at - 1].score > score; at--)
		s->best[at] = s->best[at - 1];
	s->best[at] = (struct near){ .name = name, .score = score };
}

int near_names(const struct symbols *tables, size_t nr, const char *symbol, char **names, int max)
{
	struct search s = { .symbol = symbol, .len = strlen(symbol), .max = max };
	int n = 0;

	if (max <= 0 || !s.len || s.len >= NEAR_NAME_MAX)
		return 0;
	s.best = calloc((size_t)max, sizeof(*s.best));
	if (!s.best)
		return 0;
	count_letters(&s.letters, symbol, s.len);
	for (size_t t = 0; t < nr; t++) {
		const struct symbols *table = &tables[t];

		for (size_t i = 0; i < table->count && s.work < NEAR_WORK_MAX; i++)
			consider(&s, table->list[i].name, table->list[i].len);
	}
	while (n < s.count && (names[n] = strdup(s.best[n].name)))
		n++;
	free(s.best);
	return n;
}
