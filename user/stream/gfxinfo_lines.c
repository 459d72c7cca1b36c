/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Bytes are read into `raw` and decoded into `text`, block by block, up to the next byte order mark
 * at most. UTF-8 is not checked: whoever prints a name escapes it.
 */
#include "stream/gfxinfo_lines.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define RAW_BYTES GFXINFO_HEAD

/* A line that is not whole yet, and a block of UTF-16 at its longest: three bytes from two. */
#define TEXT_BYTES (GFXINFO_LINE_MAX + RAW_BYTES / 2 * 3)

enum encoding { UTF_8, UTF_8_BOM, UTF_16LE, UTF_16BE };

static const char *const encoding_names[] = {
	[UTF_8] = "UTF-8",
	[UTF_8_BOM] = "UTF-8 with BOM",
	[UTF_16LE] = "UTF-16LE",
	[UTF_16BE] = "UTF-16BE",
};

struct gfxinfo_lines {
	int fd;
	bool eof;
	bool begun; /* the first bytes were decoded */
	bool joined; /* text ends where a file ended without a newline */
	bool skipping; /* the rest of a line that is too long */
	enum encoding first, encoding;
	uint64_t bytes;
	uint64_t number; /* of the line that begins at start */
	uint64_t lines;
	uint64_t skipped;
	size_t raw_start, raw_len; /* what of raw is not decoded yet */
	size_t start, searched, len; /* of text: [start, searched) has no newline */
	bool at_line_start; /* what will be decoded next begins a line */
	unsigned char raw[RAW_BYTES];
	char text[TEXT_BYTES + 1];
};

struct gfxinfo_lines *gfxinfo_lines_new(int fd)
{
	struct gfxinfo_lines *l = malloc(sizeof(*l));

	if (!l)
		return NULL;
	/* not the buffers */
	memset(l, 0, offsetof(struct gfxinfo_lines, raw));
	l->fd = fd;
	l->eof = fd < 0;
	l->number = 1;
	l->at_line_start = true;
	return l;
}

void gfxinfo_lines_feed(struct gfxinfo_lines *l, const unsigned char *bytes, size_t len)
{
	l->raw_len = len < RAW_BYTES ? len : RAW_BYTES;
	memcpy(l->raw, bytes, l->raw_len);
}

/* Read more behind what is left of raw: 0, or a negative errno. */
static int fill(struct gfxinfo_lines *l)
{
	memmove(l->raw, l->raw + l->raw_start, l->raw_len - l->raw_start);
	l->raw_len -= l->raw_start;
	l->raw_start = 0;
	while (!l->eof) {
		ssize_t n = read(l->fd, l->raw + l->raw_len, RAW_BYTES - l->raw_len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		l->eof = n == 0;
		l->raw_len += (size_t)n;
		l->bytes += (uint64_t)n;
		break;
	}
	return 0;
}

long gfxinfo_lines_head(struct gfxinfo_lines *l, const unsigned char **head)
{
	while (l->raw_len < RAW_BYTES && !l->eof) {
		int ret = fill(l);

		if (ret)
			return ret;
	}
	*head = l->raw;
	return (long)l->raw_len;
}

/* The first byte of [p, end) that is not ASCII, or end. */
static const unsigned char *ascii_end(const unsigned char *p, const unsigned char *end)
{
	uint64_t word;

	for (; end - p >= (long)sizeof(word); p += sizeof(word)) {
		memcpy(&word, p, sizeof(word));
		if (word & 0x8080808080808080)
			break;
	}
	while (p < end && *p < 0x80)
		p++;
	return p;
}

static bool plain(unsigned char c)
{
	return (c >= ' ' && c < 0x7f) || c == '\t' || c == '\r' || c == '\n';
}

enum mark { NO_MARK, CUT_MARK, MARK };

/*
 * Is there a byte order mark at p? Within a text one of UTF-16 needs a plain character behind it,
 * for the same bytes are in what is no text at all.
 */
static enum mark find_mark(const struct gfxinfo_lines *l, const unsigned char *p, size_t left,
			   enum encoding *encoding, size_t *len)
{
	static const unsigned char utf_8[] = { 0xef, 0xbb, 0xbf };
	bool le = left >= 2 && p[0] == 0xff && p[1] == 0xfe;
	bool be = left >= 2 && p[0] == 0xfe && p[1] == 0xff;

	if (!memcmp(p, utf_8, left < sizeof(utf_8) ? left : sizeof(utf_8))) {
		*encoding = UTF_8_BOM;
		*len = sizeof(utf_8);
		return left >= *len ? MARK : CUT_MARK;
	}
	*encoding = le ? UTF_16LE : UTF_16BE;
	*len = 2;
	if (left == 1)
		return p[0] >= 0xfe ? CUT_MARK : NO_MARK;
	if (!le && !be)
		return NO_MARK;
	if (!l->begun)
		return MARK;
	if (left < 4)
		return CUT_MARK;
	return (le ? plain(p[2]) && !p[3] : plain(p[3]) && !p[2]) ? MARK : NO_MARK;
}

static char *put_utf_8(char *to, uint32_t c)
{
	if (c < 0x80) {
		*to++ = (char)c;
	} else if (c < 0x800) {
		*to++ = (char)(0xc0 | c >> 6);
		*to++ = (char)(0x80 | (c & 0x3f));
	} else if (c < 0x10000) {
		*to++ = (char)(0xe0 | c >> 12);
		*to++ = (char)(0x80 | (c >> 6 & 0x3f));
		*to++ = (char)(0x80 | (c & 0x3f));
	} else {
		*to++ = (char)(0xf0 | c >> 18);
		*to++ = (char)(0x80 | (c >> 12 & 0x3f));
		*to++ = (char)(0x80 | (c >> 6 & 0x3f));
		*to++ = (char)(0x80 | (c & 0x3f));
	}
	return to;
}

/* Copy up to a mark, or to a part of one at the end of raw, and stay there. */
static void decode_utf_8(struct gfxinfo_lines *l)
{
	const unsigned char *start = l->raw + l->raw_start, *end = l->raw + l->raw_len, *p = start;
	enum encoding encoding;
	enum mark mark;
	size_t len;

	while ((p = ascii_end(p, end)) < end) {
		mark = *p < 0xef ? NO_MARK : find_mark(l, p, (size_t)(end - p), &encoding, &len);
		if (mark == MARK || (mark == CUT_MARK && !l->eof))
			break;
		p++;
	}
	memcpy(l->text + l->len, start, (size_t)(p - start));
	l->len += (size_t)(p - start);
	l->raw_start += (size_t)(p - start);
}

static uint32_t unit(const struct gfxinfo_lines *l, const unsigned char *p)
{
	return l->encoding == UTF_16LE ? p[0] | (uint32_t)p[1] << 8 : (uint32_t)p[0] << 8 | p[1];
}

static bool surrogate(uint32_t c, uint32_t first)
{
	return c >= first && c < first + 0x400;
}

/* The same from UTF-16. What is half a character becomes U+FFFD. */
static void decode_utf_16(struct gfxinfo_lines *l)
{
	const unsigned char *p = l->raw + l->raw_start, *end = l->raw + l->raw_len;
	char *to = l->text + l->len;

	for (; end - p >= 2; p += 2) {
		uint32_t c = unit(l, p);

		if (c < 0x80) {
			*to++ = (char)c;
			continue;
		}
		if (c == 0xfeff) /* a mark like this text's own */
			break;
		if (c == 0xfffe || p[0] == 0xef) {
			bool line_start = to > l->text ? to[-1] == '\n' : l->at_line_start;
			enum encoding encoding;
			size_t len;
			enum mark mark = find_mark(l, p, (size_t)(end - p), &encoding, &len);

			/* as characters, those that UTF-8's mark is are good ones */
			if (encoding == UTF_8_BOM && !line_start)
				mark = NO_MARK;
			if (mark == MARK || (mark == CUT_MARK && !l->eof))
				break;
		}
		if (surrogate(c, 0xd800)) {
			if (end - p < 4 && !l->eof)
				break;
			uint32_t low = end - p < 4 ? 0 : unit(l, p + 2);
			if (surrogate(low, 0xdc00)) {
				to = put_utf_8(to, 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00));
				p += 2;
				continue;
			}
			c = 0xfffd;
		} else if (surrogate(c, 0xdc00)) {
			c = 0xfffd;
		}
		to = put_utf_8(to, c);
	}
	if (l->eof && end - p == 1)
		p++;
	l->len = (size_t)(to - l->text);
	l->raw_start = (size_t)(p - l->raw);
}

/* Consume a mark that raw begins with. */
static bool take_mark(struct gfxinfo_lines *l)
{
	const unsigned char *p = l->raw + l->raw_start;
	size_t left = l->raw_len - l->raw_start, len = 2;
	bool utf_16 = l->encoding == UTF_16LE || l->encoding == UTF_16BE;
	enum encoding encoding = l->encoding;

	if (!left)
		return false;
	if (!(utf_16 && left >= 2 && unit(l, p) == 0xfeff) &&
	    find_mark(l, p, left, &encoding, &len) != MARK)
		return false;
	if (utf_16 && encoding == UTF_8_BOM && !l->at_line_start)
		return false;
	l->raw_start += len;
	l->encoding = encoding;
	l->joined = !l->at_line_start;
	l->at_line_start = true;
	if (!l->begun)
		l->first = encoding;
	return true;
}

/* Decode more behind what is left of text: 0, or a negative errno. */
static int decode(struct gfxinfo_lines *l)
{
	memmove(l->text, l->text + l->start, l->len - l->start);
	l->len -= l->start;
	l->searched -= l->start;
	l->start = 0;
	if (l->raw_len - l->raw_start < 4) {
		int ret = fill(l);

		if (ret)
			return ret;
		/* the first bytes decide, all of them */
		if (!l->begun && l->raw_len < 4 && !l->eof)
			return 0;
	}
	bool mark = take_mark(l);
	l->begun = true;
	if (mark)
		return 0;

	size_t before = l->len;
	if (l->encoding == UTF_16LE || l->encoding == UTF_16BE)
		decode_utf_16(l);
	else
		decode_utf_8(l);
	if (l->len > before)
		l->at_line_start = l->text[l->len - 1] == '\n';
	return 0;
}

static void trim(struct gfxinfo_line *line)
{
	while (line->len && (line->s[0] == ' ' || line->s[0] == '\t')) {
		line->s++;
		line->len--;
	}
	while (line->len) {
		char c = line->s[line->len - 1];

		if (c != ' ' && c != '\t' && c != '\r')
			break;
		line->len--;
	}
}

int gfxinfo_lines_next(struct gfxinfo_lines *l, struct gfxinfo_line *line)
{
	for (;;) {
		char *newline = memchr(l->text + l->searched, '\n', l->len - l->searched);
		bool more = l->raw_start < l->raw_len || !l->eof;
		size_t end = newline ? (size_t)(newline - l->text) : l->len;
		bool skip = l->skipping || end - l->start > GFXINFO_LINE_MAX;

		if (skip && !l->skipping)
			l->skipped++;
		if (!newline && !l->joined && (more || l->start == l->len)) {
			l->searched = l->len;
			if (skip)
				l->start = l->len;
			l->skipping = skip;
			if (!more)
				break;
			int ret = decode(l);
			if (ret)
				return ret;
			continue;
		}

		*line = (struct gfxinfo_line){
			.s = l->text + l->start,
			.len = end - l->start,
			.number = l->number,
			.ended = newline != NULL,
		};
		l->text[end] = '\0';
		l->lines = l->number;
		l->start = l->searched = newline ? end + 1 : end;
		l->number += newline != NULL;
		l->joined = l->joined && newline;
		l->skipping = false;
		if (skip)
			continue;
		trim(line);
		return 1;
	}
	/* the end of a line that was too long */
	if (l->skipping)
		l->lines = l->number;
	l->skipping = false;
	return 0;
}

uint64_t gfxinfo_lines_bytes(const struct gfxinfo_lines *l)
{
	return l->bytes;
}

uint64_t gfxinfo_lines_number(const struct gfxinfo_lines *l)
{
	return l->lines;
}

uint64_t gfxinfo_lines_skipped(const struct gfxinfo_lines *l)
{
	return l->skipped;
}

const char *gfxinfo_lines_encoding(const struct gfxinfo_lines *l)
{
	return encoding_names[l->first];
}
