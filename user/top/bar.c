/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Bars of letters or colours. */
#include "top/bar.h"

#include <string.h>

/*
 * Colours are those that every terminal has, as backgrounds. What was not observed has none: it is
 * to be seen as such.
 */
static const struct {
	char letter;
	const char *colour;
} parts[] = {
	[BUDGET_RUNNING] = { 'R', "\033[42m" }, [BUDGET_RUNNABLE] = { 'w', "\033[43m" },
	[BUDGET_FENCE] = { 'F', "\033[45m" },   [BUDGET_SLOT] = { 'S', "\033[105m" },
	[BUDGET_GPU] = { 'G', "\033[44m" },     [BUDGET_LOCK] = { 'L', "\033[41m" },
	[BUDGET_BINDER] = { 'B', "\033[46m" },  [BUDGET_IPC] = { 'M', "\033[106m" },
	[BUDGET_IO] = { 'D', "\033[101m" },     [BUDGET_SLEEP] = { 'z', "\033[100m" },
	[BUDGET_OTHER] = { 'o', "\033[47m" },   [BUDGET_UNKNOWN] = { '?', "" },
};
_Static_assert(sizeof(parts) / sizeof(parts[0]) == BUDGET_NR, "a letter for every part");

#define OFF "\033[0m"

/* The columns that the first part of `whole` takes of `width`. */
static unsigned columns_of(uint64_t part, uint64_t whole, unsigned width)
{
	return (unsigned)((double)part * width / (double)whole + 0.5);
}

/* So many characters of one part. */
static void print_part(FILE *out, unsigned part, unsigned width, bool colour)
{
	bool coloured = colour && *parts[part].colour;

	if (!width)
		return;
	if (coloured)
		fputs(parts[part].colour, out);
	while (width--)
		putc(coloured ? ' ' : parts[part].letter, out);
	if (coloured)
		fputs(OFF, out);
}

void bar_print(FILE *out, const struct budget *b, unsigned width, bool colour)
{
	uint64_t whole = budget_total(b), sum = 0;
	unsigned at = 0;

	if (!whole) {
		fprintf(out, "%*s", (int)width, "");
		return;
	}
	for (unsigned i = 0; i < BUDGET_NR; i++) {
		unsigned end;

		sum += b->ns[i];
		end = columns_of(sum, whole, width);
		print_part(out, i, end - at, colour);
		at = end;
	}
}

void bar_legend(FILE *out, const struct budget *b, unsigned columns, bool colour)
{
	unsigned used = 0;

	for (unsigned i = 0; i < BUDGET_NR; i++) {
		const char *name = budget_part_name((enum budget_part)i);
		/* Two blanks, the letter or colour, a blank, the name. */
		unsigned width = 4 + (unsigned)strlen(name);

		if (!b->ns[i])
			continue;
		if (used && used + width > columns) {
			putc('\n', out);
			used = 0;
		}
		if (width > columns)
			continue;
		fputs("  ", out);
		print_part(out, i, 1, colour);
		fprintf(out, " %s", name);
		used += width;
	}
	if (used)
		putc('\n', out);
}
