/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Near names (optimal string alignment distance), patterns, escapes for foreign strings, and
 * numbers.
 */
#include "base/text.h"

#include <fnmatch.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>

/* Longer strings are compared up to here; rests that differ count in full. */
#define DISTANCE_MAX 255

static const char hex[] = "0123456789abcdef";

static unsigned char lower(char c)
{
	return (unsigned char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
}

static unsigned min3(unsigned a, unsigned b, unsigned c)
{
	unsigned m = a < b ? a : b;

	return m < c ? m : c;
}

unsigned text_distance(const char *a, const char *b)
{
	unsigned rows[3][DISTANCE_MAX + 1];
	unsigned *before = rows[0], *last = rows[1], *row = rows[2];
	size_t a_len = strlen(a), b_len = strlen(b);
	size_t n = a_len < DISTANCE_MAX ? a_len : DISTANCE_MAX;
	size_t m = b_len < DISTANCE_MAX ? b_len : DISTANCE_MAX;

	for (size_t j = 0; j <= m; j++)
		last[j] = (unsigned)j;
	for (size_t i = 1; i <= n; i++) {
		row[0] = (unsigned)i;
		for (size_t j = 1; j <= m; j++) {
			unsigned char x = lower(a[i - 1]), y = lower(b[j - 1]);

			row[j] = min3(last[j] + 1, row[j - 1] + 1, last[j - 1] + (x != y));
			if (i > 1 && j > 1 && x == lower(b[j - 2]) && lower(a[i - 2]) == y &&
			    before[j - 2] + 1 < row[j])
				row[j] = before[j - 2] + 1;
		}
		unsigned *free_row = before;
		before = last;
		last = row;
		row = free_row;
	}
	size_t rest = 0;
	if (strcasecmp(a + n, b + m) != 0)
		rest = a_len - n > b_len - m ? a_len - n : b_len - m;
	return last[m] + (unsigned)rest;
}

const char *text_nearest(const char *word, const char *const *names)
{
	const char *best = NULL;
	unsigned best_distance = 0;
	size_t len = strlen(word);

	if (len == 0)
		return NULL;
	for (; *names; names++) {
		unsigned distance = text_distance(word, *names);
		bool near = distance <= (len + 1) / 3 && distance < len;

		if (!near && strncasecmp(word, *names, len) != 0)
			continue;
		if (!best || distance < best_distance) {
			best = *names;
			best_distance = distance;
		}
	}
	return best;
}

/*
 * The length of the UTF-8 sequence at s, or 0 if it is none: overlong forms, surrogates and values
 * above U+10FFFF are none.
 */
static size_t utf8_len(const unsigned char *s, size_t len)
{
	size_t n;
	uint32_t lowest, c;

	if (s[0] < 0x80)
		return 1;
	if ((s[0] & 0xe0) == 0xc0) {
		n = 2;
		lowest = 0x80;
		c = s[0] & 0x1f;
	} else if ((s[0] & 0xf0) == 0xe0) {
		n = 3;
		lowest = 0x800;
		c = s[0] & 0x0f;
	} else if ((s[0] & 0xf8) == 0xf0) {
		n = 4;
		lowest = 0x10000;
		c = s[0] & 0x07;
	} else {
		return 0;
	}
	if (n > len)
		return 0;
	for (size_t i = 1; i < n; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return 0;
		c = c << 6 | (s[i] & 0x3f);
	}
	if (c < lowest || c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff))
		return 0;
	return n;
}

/* C0, DEL, and the C1 controls, which some terminals obey in their UTF-8 form too. */
static bool is_control(const unsigned char *s, size_t n)
{
	return n == 1 ? s[0] < 0x20 || s[0] == 0x7f : n == 2 && s[0] == 0xc2 && s[1] < 0xa0;
}

long text_plain(const char *src, size_t src_len)
{
	size_t len = 0;

	for (; len < src_len && src[len]; len++) {
		char c = src[len];

		if (c < ' ' || c > '~' || c == '"' || c == '\\')
			return -1;
	}
	return (long)len;
}

static size_t escape(char *dst, size_t dst_len, const char *src, size_t src_len, bool quotes)
{
	const unsigned char *s = (const unsigned char *)src;
	long plain = text_plain(src, src_len);
	size_t len, out = 0;

	if (dst_len == 0)
		return 0;
	if (plain >= 0 && (size_t)plain < dst_len) {
		memcpy(dst, src, (size_t)plain);
		dst[plain] = '\0';
		return (size_t)plain;
	}
	len = strnlen(src, src_len);
	for (size_t i = 0; i < len;) {
		char piece[4];
		size_t piece_len;
		size_t n = utf8_len(s + i, len - i);

		if (n == 0 || is_control(s + i, n)) {
			n = 1;
			piece[0] = '\\';
			piece[1] = 'x';
			piece[2] = hex[s[i] >> 4];
			piece[3] = hex[s[i] & 15];
			piece_len = 4;
		} else if (quotes && (s[i] == '"' || s[i] == '\\')) {
			piece[0] = '\\';
			piece[1] = src[i];
			piece_len = 2;
		} else {
			memcpy(piece, src + i, n);
			piece_len = n;
		}
		if (out + piece_len >= dst_len)
			break;
		memcpy(dst + out, piece, piece_len);
		out += piece_len;
		i += n;
	}
	dst[out] = '\0';
	return out;
}

size_t text_escape(char *dst, size_t dst_len, const char *src, size_t src_len)
{
	return escape(dst, dst_len, src, src_len, true);
}

size_t text_escape_controls(char *dst, size_t dst_len, const char *src, size_t src_len)
{
	return escape(dst, dst_len, src, src_len, false);
}

bool text_matches(const char *pattern, const char *text)
{
	char glob[512];
	size_t len = strlen(pattern);

	if (!strcmp(pattern, text))
		return true;
	if (len >= sizeof(glob))
		return false;
	for (size_t i = 0; i <= len; i++)
		glob[i] = pattern[i] == '~' ? '*' : pattern[i];
	return !fnmatch(glob, text, FNM_NOESCAPE);
}

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return -1;
}

void text_printable(char *text)
{
	unsigned char *s = (unsigned char *)text;

	for (; *s; s++) {
		if (is_control(s, 1))
			*s = '?';
		else if (s[1] && is_control(s, 2))
			memset(s, '?', 2);
	}
}

long text_unescape(char *dst, size_t dst_len, const char *src, size_t src_len)
{
	size_t out = 0;

	for (size_t i = 0; i < src_len;) {
		char c = src[i++];

		if (c == '\\') {
			if (i == src_len)
				return -1;
			c = src[i++];
			if (c == 'x') {
				int high = i < src_len ? hex_digit(src[i]) : -1;
				int low = i + 1 < src_len ? hex_digit(src[i + 1]) : -1;

				/* The escape of NUL is none: strings end there. */
				if (high < 0 || low < 0 || high + low == 0)
					return -1;
				c = (char)(high << 4 | low);
				i += 2;
			} else if (c != '"' && c != '\\') {
				return -1;
			}
		}
		if (out == dst_len)
			return -1;
		dst[out++] = c;
	}
	return (long)out;
}

/* How many digits it has: from how many bits, which is one too many below a power of ten. */
static unsigned digits_of(uint64_t n)
{
	static const uint64_t powers[] = {
		0,
		10,
		100,
		1000,
		10000,
		100000,
		1000000,
		10000000,
		100000000,
		1000000000,
		10000000000,
		100000000000,
		1000000000000,
		10000000000000,
		100000000000000,
		1000000000000000,
		10000000000000000,
		100000000000000000,
		1000000000000000000,
		10000000000000000000u,
	};
	unsigned bits = 64 - (unsigned)__builtin_clzll(n | 1);
	unsigned less = bits * 1233 >> 12; /* times log10(2) */

	return less + (n >= powers[less]);
}

char *text_digits(char *dst, uint64_t n)
{
	static const char pairs[] = "00010203040506070809101112131415161718192021222324"
				    "25262728293031323334353637383940414243444546474849"
				    "50515253545556575859606162636465666768697071727374"
				    "75767778798081828384858687888990919293949596979899";
	char *end = dst + digits_of(n), *at = end;

	for (; n >= 10; n /= 100) {
		at -= 2;
		memcpy(at, pairs + n % 100 * 2, 2);
	}
	if (at > dst)
		*dst = (char)('0' + n);
	return end;
}

char *text_thousandths(char *dst, uint64_t n)
{
	unsigned rest = (unsigned)(n % 1000);

	dst = text_digits(dst, n / 1000);
	*dst++ = '.';
	*dst++ = (char)('0' + rest / 100);
	*dst++ = (char)('0' + rest / 10 % 10);
	*dst++ = (char)('0' + rest % 10);
	return dst;
}

char *text_hex_digits(char *dst, uint64_t n)
{
	int bits = 64 - __builtin_clzll(n | 1);

	*dst++ = '0';
	*dst++ = 'x';
	for (int shift = (bits - 1) & ~3; shift >= 0; shift -= 4)
		*dst++ = hex[n >> shift & 15];
	return dst;
}
