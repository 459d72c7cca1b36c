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

/* 0 if it is no number of a process. */
static uint32_t parse_pid(const char *text, size_t len)
{
	uint64_t pid = 0;

	for (size_t i = 0; i < len; i++) {
		if (!is_digit(text[i]) || pid > INT32_MAX)
			return 0;
		pid = pid * 10 + (uint64_t)(text[i] - '0');
	}
	return pid <= INT32_MAX ? (uint32_t)pid : 0;
}

static bool is_phase(char c)
{
	static const char phases[] = "BESFCINGH";

	return memchr(phases, c, sizeof(phases) - 1);
}

bool mark_parse(const char *text, size_t len, struct mark *m)
{
	const char *end;
	size_t at;

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
	end = memchr(text + 2, '|', len - 2);
	at = end ? (size_t)(end - text) : len;
	m->pid = parse_pid(text + 2, at - 2);
	if (end && (text[0] == 'B' || text[0] == 'E' || text[0] == 'I')) {
		m->name = end + 1;
		m->name_len = len - at - 1;
	}
	return true;
}

bool mark_name_is(const char *name, size_t len, const char *word)
{
	size_t n = strlen(word);

	return len >= n && !memcmp(name, word, n) && (len == n || name[n] == ' ');
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

/* FNV-1a */
uint64_t mark_hash(const char *name, size_t len)
{
	uint64_t h = UINT64_C(0xcbf29ce484222325);

	for (size_t i = 0; i < len; i++)
		h = (h ^ (unsigned char)name[i]) * UINT64_C(0x100000001b3);
	return h ? h : 1;
}
