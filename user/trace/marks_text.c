/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The forms are B|pid|name, E, E|pid, E|pid|name, I|pid|name, S|pid|name|cookie (F too),
 * C|pid|name|value, N|pid|track|name, G|pid|track|name|cookie and H|pid|track|cookie. Names may
 * hold anything, '|' too.
 */
#include "trace/marks_text.h"

#include <string.h>

/* Trace functions end a mark with a newline, readers of binary traces with a NUL, or both. */
static size_t without_end(const char *text, size_t len)
{
	while (len && (text[len - 1] == '\n' || text[len - 1] == '\r' || !text[len - 1]))
		len--;
	return len;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* What is up to a bar or the end, where *at then is; 0 if it is no number of a process. */
static uint32_t take_pid(const char **at, const char *end)
{
	const char *p = *at;
	bool number = true;
	uint64_t pid = 0;

	for (; p < end && *p != '|'; p++) {
		number = number && is_digit(*p) && pid <= INT32_MAX;
		if (number)
			pid = pid * 10 + (uint64_t)(*p - '0');
	}
	*at = p;
	return number && pid <= INT32_MAX ? (uint32_t)pid : 0;
}

static bool is_phase(char c)
{
	switch (c) {
	case 'B':
	case 'E':
	case 'S':
	case 'F':
	case 'C':
	case 'I':
	case 'N':
	case 'G':
	case 'H':
		return true;
	default:
		return false;
	}
}

bool mark_parse(const char *text, size_t len, struct mark *m)
{
	const char *at;

	len = without_end(text, len);
	if (!len || !is_phase(text[0]))
		return false;
	*m = (struct mark){ .phase = text[0] };
	/* Only an end may stand alone: other texts that are printed begin with these letters, too.
	 */
	if (len == 1)
		return text[0] == 'E';
	if (text[1] != '|')
		return false;
	at = text + 2;
	m->pid = take_pid(&at, text + len);
	if (at < text + len && (text[0] == 'B' || text[0] == 'E' || text[0] == 'I')) {
		m->name = at + 1;
		m->name_len = len - (size_t)(m->name - text);
	}
	return true;
}

int64_t mark_number(const char *name, size_t len, size_t skip)
{
	uint64_t n = 0;
	size_t i = skip;

	for (; i < len && is_digit(name[i]); i++) {
		if (n > (uint64_t)INT64_MAX / 10 - 1)
			return 0;
		n = n * 10 + (uint64_t)(name[i] - '0');
	}
	return i > skip && (i == len || name[i] == ' ') ? (int64_t)n : 0;
}

uint64_t mark_key(const char *name, size_t len)
{
	uint64_t key = len, word;

	for (; len >= sizeof(word); name += sizeof(word), len -= sizeof(word)) {
		memcpy(&word, name, sizeof(word));
		key = (key ^ word) * UINT64_C(0x9e3779b97f4a7c15);
		key ^= key >> 32;
	}
	for (word = 0; len; len--)
		word = word << 8 | (unsigned char)name[len - 1];
	key = (key ^ word) * UINT64_C(0x9e3779b97f4a7c15);
	key ^= key >> 32;
	return key ? key : 1;
}

/* FNV-1a */
uint64_t mark_hash(const char *name, size_t len)
{
	uint64_t h = UINT64_C(0xcbf29ce484222325);

	for (size_t i = 0; i < len; i++)
		h = (h ^ (unsigned char)name[i]) * UINT64_C(0x100000001b3);
	return h ? h : 1;
}
