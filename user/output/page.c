/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Wraps and pads text. */
#include "output/page.h"

#include <stdbool.h>
#include <string.h>

#include "output/words.h"

void page_wrap(FILE *out, unsigned column, unsigned indent, unsigned width, const char *text)
{
	bool fresh = true;

	while (*text) {
		size_t len = strcspn(text, " ");
		char word[WORDS_LEN];

		snprintf(word, sizeof(word), "%.*s", (int)len, text);
		unsigned shown = words_width(word);
		if (!fresh && column + 1 + shown > width) {
			fprintf(out, "\n%*s", (int)indent, "");
			column = indent;
			fresh = true;
		}
		column += (unsigned)fprintf(out, "%s", fresh ? "" : " ") + shown;
		fprintf(out, "%.*s", (int)len, text);
		fresh = false;
		text += len;
		text += strspn(text, " ");
	}
	putc('\n', out);
}

void page_pad(FILE *out, const char *text, unsigned width)
{
	unsigned shown = words_width(text);

	fprintf(out, "%s%*s", text, shown < width ? (int)(width - shown) : 0, "");
}
