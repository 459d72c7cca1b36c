// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The head of a line of ftrace's text, in all its dialects:
 *
 *	COMM-PID [(TGID)] [CPU] [FLAGS] SECONDS.FRACTION: EVENT: ...
 *
 * The comm may hold anything, so it is what stands before the first place from which on the rest
 * fits. The kernel and trace-cmd right-align it in 16 columns: that place is tried first.
 */
#include <string.h>

#include "trace/text_parts.h"

#define COMM_COLUMNS 16
#define FLAGS_MAX 10
#define SECONDS_MAX (UINT64_MAX / 1000000000 - 1)

static const char *skip_spaces(const char *p, const char *end)
{
	while (p < end && *p == ' ')
		p++;
	return p;
}

/* "(  123)", "(-----)", or nothing: 0. */
static bool parse_tgid(const char **at, const char *end, uint32_t *tgid)
{
	const char *p = *at;
	uint64_t number = 0;

	*tgid = 0;
	if (p == end || *p != '(')
		return true;
	p = skip_spaces(p + 1, end);
	if (p < end && *p == '-') {
		while (p < end && *p == '-')
			p++;
	} else if (!text_number(&p, end, INT32_MAX, &number)) {
		return false;
	}
	p = skip_spaces(p, end);
	if (p == end || *p != ')')
		return false;
	*tgid = (uint32_t)number;
	*at = skip_spaces(p + 1, end);
	return true;
}

static bool parse_cpu(const char **at, const char *end, uint32_t *cpu)
{
	const char *p = *at;
	uint64_t number;

	if (p == end || *p != '[')
		return false;
	p++;
	if (!text_number(&p, end, UINT16_MAX, &number) || p == end || *p != ']')
		return false;
	*cpu = (uint32_t)number;
	*at = skip_spaces(p + 1, end);
	return true;
}

/* "123.456789:" with up to nine digits behind the point. */
static bool parse_time(const char **at, const char *end, uint64_t *ns)
{
	static const uint32_t scale[] = { 1000000000, 100000000, 10000000, 1000000, 100000,
					  10000,      1000,      100,      10,      1 };
	const char *p = *at, *fraction;
	uint64_t seconds, part;

	if (!text_number(&p, end, SECONDS_MAX, &seconds) || p == end || *p != '.')
		return false;
	fraction = ++p;
	if (!text_number(&p, end, 999999999, &part) || p - fraction > 9 || p == end || *p != ':')
		return false;
	*ns = seconds * 1000000000 + part * scale[p - fraction];
	*at = p + 1;
	return true;
}

/* The third flag tells what was interrupted. */
static bool parse_flags(const char **at, const char *end, uint32_t *context)
{
	const char *p = *at;

	while (p < end && *p != ' ' && p - *at <= FLAGS_MAX)
		p++;
	if (p == end || *p != ' ' || p - *at < 3)
		return false;
	switch ((*at)[2]) {
	case 'h':
	case 'H':
	case 'z':
	case 'Z':
		*context = FS_CTX_HARDIRQ;
		break;
	case 's':
		*context = FS_CTX_SOFTIRQ;
		break;
	default:
		*context = FS_CTX_TASK;
	}
	*at = skip_spaces(p, end);
	return true;
}

/* All that follows the dash behind the comm. */
static bool parse_rest(const char *p, const char *end, struct text_event *ev)
{
	struct intake_at *at = &ev->at;
	uint64_t pid;

	if (!text_number(&p, end, INT32_MAX, &pid))
		return false;
	if (p == end || *p != ' ')
		return false;
	at->tid = (uint32_t)pid;
	p = skip_spaces(p, end);
	if (!parse_tgid(&p, end, &at->tgid) || !parse_cpu(&p, end, &at->cpu))
		return false;
	at->context = FS_CTX_UNKNOWN;
	if (!parse_time(&p, end, &at->ns) &&
	    (!parse_flags(&p, end, &at->context) || !parse_time(&p, end, &at->ns)))
		return false;
	p = skip_spaces(p, end);
	ev->name = p;
	while (p < end && *p != ':' && *p != ' ')
		p++;
	if (p == end || *p != ':')
		return false;
	ev->name_len = (size_t)(p - ev->name);
	ev->s = (char *)skip_spaces(p + 1, end);
	ev->end = (char *)end;
	return true;
}

/* Where the comm ends. From the front: what an event prints may look like a head, too. */
static char *find_dash(char *s, char *end, struct text_event *ev)
{
	char *bracket, *p;

	if (end - s > COMM_COLUMNS && s[COMM_COLUMNS] == '-' &&
	    parse_rest(s + COMM_COLUMNS + 1, end, ev))
		return s + COMM_COLUMNS;
	for (bracket = s; (bracket = memchr(bracket, '[', (size_t)(end - bracket))); bracket++) {
		p = bracket;
		while (p > s && p[-1] == ' ')
			p--;
		if (p > s && p[-1] == ')') {
			while (p > s && p[-1] != '(')
				p--;
			p -= p > s;
			while (p > s && p[-1] == ' ')
				p--;
		}
		while (p > s && p[-1] >= '0' && p[-1] <= '9')
			p--;
		if (p > s && p[-1] == '-' && parse_rest(p, end, ev))
			return p - 1;
	}
	return NULL;
}

bool text_event_parse(struct text_line line, struct text_event *ev)
{
	char *s = line.s, *dash = find_dash(s, line.end, ev);

	if (!dash)
		return false;
	while (s < dash && *s == ' ')
		s++;
	*dash = '\0';
	ev->dash = dash;
	ev->at.comm = strcmp(s, "<...>") != 0 ? s : NULL;
	return true;
}
