/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Wraps and pads text. */
#include "output/page.h"

#include <stdarg.h>
#include <stdbool.h>
#include <string.h>

#include "output/words.h"

#define LABEL_WIDTH 9
#define LABELLED_AT (2 + LABEL_WIDTH + 1)

/* The bytes of the text's first `room` characters. */
static size_t bytes_of(const char *text, size_t len, unsigned room)
{
	size_t n = 0;

	for (; n < len && room; room--)
		for (n++; n < len && ((unsigned char)text[n] & 0xc0) == 0x80; n++)
			;
	return n;
}

static unsigned chars_of(const char *text, size_t len)
{
	unsigned n = 0;

	for (size_t i = 0; i < len; i++)
		n += ((unsigned char)text[i] & 0xc0) != 0x80;
	return n;
}

void page_wrap(FILE *out, unsigned column, unsigned indent, unsigned width, const char *text)
{
	bool fresh = true;

	while (*text) {
		size_t len = strcspn(text, " ");
		unsigned shown = chars_of(text, len);

		if (!fresh && column + 1 + shown > width) {
			fprintf(out, "\n%*s", (int)indent, "");
			column = indent;
			fresh = true;
		}
		column += (unsigned)fprintf(out, "%s", fresh ? "" : " ");
		/* Symbols of C++ and paths may be longer than a line. */
		while (column + shown > width && column < width && indent < width) {
			size_t part = bytes_of(text, len, width - column);

			fprintf(out, "%.*s\n%*s", (int)part, text, (int)indent, "");
			text += part;
			len -= part;
			shown = chars_of(text, len);
			column = indent;
		}
		fprintf(out, "%.*s", (int)len, text);
		column += shown;
		fresh = false;
		text += len;
		text += strspn(text, " ");
	}
	putc('\n', out);
}

void page_labelled(FILE *out, const char *label, const char *text)
{
	fprintf(out, "  %-*s ", LABEL_WIDTH, label);
	page_wrap(out, LABELLED_AT, LABELLED_AT, REPORT_WIDTH, text);
}

void page_line(FILE *out, const char *label, const char *fmt, ...)
{
	char text[1024];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	page_labelled(out, label, text);
}

void page_note(FILE *out, const char *fmt, ...)
{
	char text[1024];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	fputs("  - ", out);
	page_wrap(out, 4, 4, REPORT_WIDTH, text);
}

void page_pad(FILE *out, const char *text, unsigned width)
{
	unsigned shown = words_width(text);

	fprintf(out, "%s%*s", text, shown < width ? (int)(width - shown) : 0, "");
}
