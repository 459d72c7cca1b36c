/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A gate's findings for CI: JUnit's XML, and GitHub's workflow commands. */
#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "gate/print.h"
#include "output/words.h"

#define TEXT_LEN (4 * WORDS_LEN)

/* All that there is to say of a result, a line for each thing. */
static void tell(char *dst, size_t len, const struct gate_check *c, const struct gate_result *r,
		 const char *between)
{
	char text[TEXT_LEN];

	*dst = '\0';
	gate_words_result(text, sizeof(text), r);
	words_append(dst, len, "%s", text);
	if (*r->verdict.why)
		words_append(dst, len, "%s%s", between, r->verdict.why);
	gate_words_beyond(text, sizeof(text), r);
	if (*text)
		words_append(dst, len, "%s%s", between, text);
	gate_words_worst(text, sizeof(text), c, r);
	if (*text)
		words_append(dst, len, "%s%s", between, text);
}

/* U+FFFE and U+FFFF, which no XML may have. */
static bool is_nonchar(const char *text)
{
	return !memcmp(text, "\xef\xbf\xbe", 3) || !memcmp(text, "\xef\xbf\xbf", 3);
}

/* Text that is printable UTF-8 already, but for what XML alone forbids. */
static void put_xml(FILE *out, const char *text)
{
	for (; *text; text++) {
		switch (*text) {
		case '&':
			fputs("&amp;", out);
			break;
		case '<':
			fputs("&lt;", out);
			break;
		case '>':
			fputs("&gt;", out);
			break;
		case '"':
			fputs("&quot;", out);
			break;
		case '\n':
			fputs("&#10;", out);
			break;
		default:
			if (!strncmp(text, "\xef\xbf", 2) && is_nonchar(text)) {
				fputs("\xef\xbf\xbd", out);
				text += 2;
			} else {
				putc((unsigned char)*text < ' ' ? '?' : *text, out);
			}
		}
	}
}

/* Text that came from elsewhere; never cut, for it is of limited length. */
static void put_xml_name(FILE *out, const char *name)
{
	char text[4 * GATE_BUDGET_LEN];

	text_escape_controls(text, sizeof(text), name, strlen(name));
	put_xml(out, text);
}

static void print_testcase(FILE *out, const struct gate_check *c, const struct gate_result *r)
{
	char text[TEXT_LEN], words[TEXT_LEN];

	fputs("    <testcase classname=\"", out);
	put_xml_name(out, r->producer);
	fputs("\" name=\"", out);
	put_xml_name(out, r->budget->text);
	fputs("\" time=\"0\">\n", out);
	gate_words_result(words, sizeof(words), r);
	tell(text, sizeof(text), c, r, "\n");
	switch (r->verdict.outcome) {
	case GATE_PASS:
		fputs("      <system-out>", out);
		put_xml_name(out, words);
		fputs("</system-out>\n", out);
		break;
	case GATE_FAIL:
		fputs("      <failure type=\"budget\" message=\"", out);
		put_xml_name(out, words);
		fputs("\">", out);
		put_xml(out, text);
		fputs("</failure>\n", out);
		break;
	case GATE_INCONCLUSIVE:
		fputs("      <skipped message=\"inconclusive: ", out);
		put_xml(out, text);
		fputs("\"/>\n", out);
		break;
	}
	fputs("    </testcase>\n", out);
}

void gate_print_junit(FILE *out, const struct gate_check *c)
{
	char counts[160];

	snprintf(counts, sizeof(counts),
		 "tests=\"%u\" failures=\"%u\" errors=\"0\" skipped=\"%u\" time=\"0\"", c->nr,
		 c->counts[GATE_FAIL], c->counts[GATE_INCONCLUSIVE]);
	fprintf(out,
		"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
		"<testsuites name=\"framescope check\" %s>\n"
		"  <testsuite name=\"framescope check\" %s>\n",
		counts, counts);
	for (unsigned i = 0; i < c->nr; i++)
		print_testcase(out, c, &c->results[i]);
	fputs("  </testsuite>\n</testsuites>\n", out);
}

/* A workflow command ends with its line; a property also with ',' or ':'. */
static void put_command(FILE *out, const char *text, bool property)
{
	for (; *text; text++) {
		bool special = *text == '%' || *text == '\r' || *text == '\n' ||
			       (property && (*text == ':' || *text == ','));

		if (special)
			fprintf(out, "%%%02X", (unsigned)*text);
		else
			putc(*text, out);
	}
}

void gate_print_github(FILE *out, const struct gate_check *c)
{
	char text[TEXT_LEN];

	for (unsigned i = 0; i < c->nr; i++) {
		const struct gate_result *r = &c->results[i];
		bool failed = r->verdict.outcome == GATE_FAIL;

		if (r->verdict.outcome == GATE_PASS)
			continue;
		snprintf(text, sizeof(text), "%s %s", r->producer, r->budget->text);
		fprintf(out, "::%s title=", failed ? "error" : "warning");
		put_command(out, text, true);
		fputs(failed ? "::" : "::inconclusive: ", out);
		tell(text, sizeof(text), c, r, "\n");
		put_command(out, text, false);
		putc('\n', out);
	}
	if (c->nr && gate_check_outcome(c) == GATE_PASS)
		fprintf(out, "::notice title=framescope check::%u passed\n", c->counts[GATE_PASS]);
}

/*
 * GitHub's runner takes a line that begins, but for blanks, with "::" for a command, and the older
 * "##[" anywhere in it: a backslash breaks both.
 */
static void print_harmless(FILE *out, const char *text)
{
	bool begins = true;

	for (const char *s = text; *s; s++) {
		if ((begins && !strncmp(s, "::", 2)) ||
		    (s - text >= 2 && !strncmp(s - 2, "##[", 3)))
			putc('\\', out);
		putc(*s, out);
		begins = *s == '\n' || (begins && isspace((unsigned char)*s));
	}
}

int gate_print_log(FILE *out, const struct style *style, const struct gate_check *c, struct err *e)
{
	char *text = NULL;
	size_t len;
	FILE *f = open_memstream(&text, &len);
	bool failed = !f;

	if (f) {
		gate_print_text(f, style, c);
		failed = fclose(f) != 0;
	}
	if (!failed)
		print_harmless(out, text);
	free(text);
	return failed ? err_errno(e, -ENOMEM, "cannot print") : 0;
}
