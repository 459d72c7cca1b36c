/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A budget as a bar: its parts side by side, each in its colour or as its letter. */
#ifndef TOP_BAR_H
#define TOP_BAR_H

#include <stdbool.h>
#include <stdio.h>

#include "model/budget.h"

/*
 * Print `width` characters: the parts in the order of their numbers, each from where the ones
 * before it end, rounded. Of a budget of nothing, blanks.
 */
void bar_print(FILE *out, const struct budget *b, unsigned width, bool colour);

/* Print what stands for each part that is in the budget, in lines of at most `columns`. */
void bar_legend(FILE *out, const struct budget *b, unsigned columns, bool colour);

#endif
