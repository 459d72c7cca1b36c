/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Near names, escapes and numbers. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "check.h"

static void distance(void)
{
	static const struct {
		const char *a, *b;
		unsigned expected;
	} cases[] = {
		{ "", "", 0 },
		{ "", "abc", 3 },
		{ "abc", "", 3 },
		{ "abc", "abc", 0 },
		{ "kitten", "sitting", 3 },
		{ "flaw", "lawn", 2 },
		{ "report", "reprot", 1 },
		{ "ab", "ba", 1 },
		{ "CSV", "csv", 0 },
		{ "ndjson", "nsjdon", 2 },
		{ "abcd", "acbd", 1 },
		{ "ca", "abc", 3 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		CU_ASSERT_EQUAL(text_distance(cases[i].a, cases[i].b), cases[i].expected);
		CU_ASSERT_EQUAL(text_distance(cases[i].b, cases[i].a), cases[i].expected);
	}
}

/* Beyond what is compared, length still counts. */
static void distance_long(void)
{
	char a[1001], b[1001];

	memset(a, 'x', 1000);
	memset(b, 'x', 1000);
	a[1000] = b[1000] = '\0';
	CU_ASSERT_EQUAL(text_distance(a, b), 0);
	b[999] = 'y';
	CU_ASSERT_EQUAL(text_distance(a, b), 745);
	CU_ASSERT_EQUAL(text_distance(a, ""), 1000);
	b[255] = '\0';
	CU_ASSERT_EQUAL(text_distance(a, b), 745);
}

static void nearest(void)
{
	static const char *const names[] = { "format", "worst", "from", "to", "output", NULL };

	CU_ASSERT_STRING_EQUAL(text_nearest("fromat", names), "format");
	CU_ASSERT_STRING_EQUAL(text_nearest("fro", names), "from");
	CU_ASSERT_STRING_EQUAL(text_nearest("OUT", names), "output");
	CU_ASSERT_STRING_EQUAL(text_nearest("wrost", names), "worst");
	CU_ASSERT_PTR_NULL(text_nearest("zzz", names));
	CU_ASSERT_PTR_NULL(text_nearest("", names));
	CU_ASSERT_PTR_NULL(text_nearest("x", names));
	CU_ASSERT_PTR_NULL(text_nearest("gzip", names));
}

static void escape(void)
{
	static const struct {
		const char *src;
		size_t len;
		const char *expected;
	} cases[] = {
		{ "plain", 5, "plain" },
		{ "a\"b\\c", 5, "a\\\"b\\\\c" },
		{ "\x1b[31m\n\t", 7, "\\x1b[31m\\x0a\\x09" },
		{ "\x7f", 1, "\\x7f" },
		{ "ends\0here", 9, "ends" },
		{ "cut here", 3, "cut" },
		{ "gr\xc3\xbc\xc3\x9f", 6, "gr\xc3\xbc\xc3\x9f" },
		{ "\xe2\x82\xac \xf0\x9f\x98\x80", 8, "\xe2\x82\xac \xf0\x9f\x98\x80" },
		{ "\xc3", 1, "\\xc3" }, /* cut off */
		{ "\xc3(", 2, "\\xc3(" },
		{ "\x80", 1, "\\x80" },
		{ "\xc0\xaf", 2, "\\xc0\\xaf" }, /* overlong */
		{ "\xe0\x80\xaf", 3, "\\xe0\\x80\\xaf" },
		{ "\xf0\x80\x80\x80", 4, "\\xf0\\x80\\x80\\x80" },
		{ "\xed\xa0\x80", 3, "\\xed\\xa0\\x80" }, /* surrogate */
		{ "\xf4\x90\x80\x80", 4, "\\xf4\\x90\\x80\\x80" }, /* past U+10FFFF */
		{ "\xff\xfe", 2, "\\xff\\xfe" },
		{ "\xc2\x9b", 2, "\\xc2\\x9b" }, /* C1: CSI of some terminals */
		{ "\xc2\xa0", 2, "\xc2\xa0" },
	};
	char dst[128];

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		size_t len = text_escape(dst, sizeof(dst), cases[i].src, cases[i].len);

		CU_ASSERT_STRING_EQUAL(dst, cases[i].expected);
		CU_ASSERT_EQUAL(len, strlen(cases[i].expected));
	}
}

/* A short dst holds whole escapes and whole characters only. */
static void escape_controls(void)
{
	static const char name[] = "\"a\\x0a\"\n\xc2\x9b\xc3\xa9\xff";
	char once[64], twice[64];

	text_escape_controls(once, sizeof(once), name, sizeof(name));
	CU_ASSERT_STRING_EQUAL(once, "\"a\\x0a\"\\x0a\\xc2\\x9b\xc3\xa9\\xff");
	text_escape_controls(twice, sizeof(twice), once, sizeof(once));
	CU_ASSERT_STRING_EQUAL(twice, once);
}

static void escape_cut(void)
{
	static const char src[] = "a\x01\"\xe2\x82\xac";
	static const char *const expected[] = {
		NULL,         "",           "a",          "a",
		"a",          "a",          "a\\x01",     "a\\x01",
		"a\\x01\\\"", "a\\x01\\\"", "a\\x01\\\"", "a\\x01\\\"\xe2\x82\xac",
	};
	char dst[16];

	CU_ASSERT_EQUAL(text_escape(dst, 0, src, 6), 0);
	for (size_t len = 1; len < sizeof(expected) / sizeof(expected[0]); len++) {
		memset(dst, '#', sizeof(dst));
		size_t out = text_escape(dst, len, src, 6);
		CU_ASSERT_EQUAL(out, strlen(expected[len]));
		CU_ASSERT_STRING_EQUAL(dst, expected[len]);
		CU_ASSERT_EQUAL(dst[len], '#');
	}
}

static void unescape(void)
{
	static const char *const bad[] = { "\\", "\\q", "\\x", "\\x1", "\\xg0", "\\x00", "a\\" };
	char dst[8];

	CU_ASSERT_EQUAL(text_unescape(dst, sizeof(dst), "a\\x1b\\\"\\\\", 9), 4);
	CU_ASSERT_EQUAL(memcmp(dst, "a\x1b\"\\", 4), 0);
	CU_ASSERT_EQUAL(text_unescape(dst, sizeof(dst), "12345678", 8), 8);
	CU_ASSERT_EQUAL(text_unescape(dst, sizeof(dst), "123456789", 9), -1);
	CU_ASSERT_EQUAL(text_unescape(dst, 0, "", 0), 0);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		CU_ASSERT_EQUAL(text_unescape(dst, sizeof(dst), bad[i], strlen(bad[i])), -1);
}

static void round_trip(void)
{
	char src[64], text[4 * sizeof(src) + 1], back[sizeof(src)];

	srand(1);
	for (int i = 0; i < 20000; i++) {
		size_t len = (size_t)rand() % sizeof(src);

		for (size_t j = 0; j < len; j++)
			src[j] = (char)(1 + rand() % 255);
		size_t text_len = text_escape(text, sizeof(text), src, len);
		long n = text_unescape(back, sizeof(back), text, text_len);
		CU_ASSERT_EQUAL_FATAL(n, (long)len);
		CU_ASSERT_EQUAL_FATAL(memcmp(src, back, len), 0);
		for (size_t j = 0; j < text_len; j++)
			CU_ASSERT_FATAL((unsigned char)text[j] >= 0x20 && text[j] != 0x7f);
	}
}

static void printable(void)
{
	char text[] = "a\x1b[31m\nb\tc\x7f \xc2\x9b \xc3\xa9\xc2";

	/* ESC, newline, tab, DEL and the C1 control CSI go; letters stay, also half ones. */
	text_printable(text);
	CU_ASSERT_STRING_EQUAL(text, "a?[31m?b?c? ?? \xc3\xa9\xc2");
}

static void matches(void)
{
	char long_pattern[600];

	CU_ASSERT_TRUE(text_matches("gears", "gears"));
	CU_ASSERT_FALSE(text_matches("gear", "gears"));
	CU_ASSERT_TRUE(text_matches("gear?", "gears"));
	CU_ASSERT_TRUE(text_matches("es2gears_~#2", "es2gears_x11#2"));
	CU_ASSERT_FALSE(text_matches("es2gears_~#2", "es2gears_x11#3"));
	/* Names may hold what is special in a pattern: themselves they always are. */
	CU_ASSERT_TRUE(text_matches("[gears]~", "[gears]~"));
	CU_ASSERT_TRUE(text_matches("\\x1b[31m*", "\\x1b[31mred"));
	memset(long_pattern, '*', sizeof(long_pattern));
	long_pattern[sizeof(long_pattern) - 1] = '\0';
	CU_ASSERT_FALSE(text_matches(long_pattern, "gears"));
}

static void plain(void)
{
	static const struct {
		const char *src;
		size_t len;
		long expected;
	} cases[] = {
		{ "", 0, 0 },     { "\n", 0, 0 },     { "abc", 3, 3 },       { "abc", 2, 2 },
		{ "abc", 16, 3 }, { "a ~,\t", 4, 4 }, { "a\t", 2, -1 },      { "a\"", 2, -1 },
		{ "\\", 1, -1 },  { "\x7f", 1, -1 },  { "\xc3\xa9", 2, -1 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		CU_ASSERT_EQUAL(text_plain(cases[i].src, cases[i].len), cases[i].expected);
}

/* As printf() has it. */
static void check_number(uint64_t n)
{
	char expected[32], text[32];

	snprintf(expected, sizeof(expected), "%" PRIu64, n);
	*text_digits(text, n) = '\0';
	CU_ASSERT_STRING_EQUAL(text, expected);
	snprintf(expected, sizeof(expected), "%" PRIu64 ".%03" PRIu64, n / 1000, n % 1000);
	*text_thousandths(text, n) = '\0';
	CU_ASSERT_STRING_EQUAL(text, expected);
	snprintf(expected, sizeof(expected), "0x%" PRIx64, n);
	*text_hex_digits(text, n) = '\0';
	CU_ASSERT_STRING_EQUAL(text, expected);
}

static void numbers(void)
{
	for (uint64_t n = 0; n <= 10000; n++)
		check_number(n);
	for (uint64_t n = 10000; n <= UINT64_MAX / 10; n *= 10) {
		check_number(10 * n - 1);
		check_number(10 * n);
		check_number(10 * n + 1);
	}
	for (unsigned bit = 0; bit < 64; bit++) {
		check_number((UINT64_C(1) << bit) - 1);
		check_number(UINT64_C(1) << bit);
	}
	check_number(UINT64_MAX);
}

int main(void)
{
	static const struct check_case cases[] = {
		{ "distance", distance },
		{ "distance_long", distance_long },
		{ "nearest", nearest },
		{ "escape", escape },
		{ "escape_cut", escape_cut },
		{ "escape_controls", escape_controls },
		{ "unescape", unescape },
		{ "round_trip", round_trip },
		{ "printable", printable },
		{ "matches", matches },
		{ "plain", plain },
		{ "numbers", numbers },
		{ NULL, NULL },
	};

	return check_main("text", cases);
}
