/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A live view as lines of text: at most so many, none wider than the page, and nothing in them that
 * a terminal obeys but colours.
 */
#ifndef TOP_SCREEN_H
#define TOP_SCREEN_H

#include <stdbool.h>
#include <stdio.h>

#include "top/view.h"
#include "top/window.h"

#define SCREEN_COLUMNS_MAX 500
#define SCREEN_PLAIN_COLUMNS 100 /* where there is no terminal */

struct screen {
	unsigned columns;
	unsigned rows; /* 0: as many as there are */
	bool colour; /* else letters, and no escape sequences at all */
	bool keys; /* there is a keyboard: say which keys there are */
	bool ends_probed; /* a function that ends frames is, for when there are none */
	bool full; /* the model takes no new producers any more */
	uint64_t origin_ns; /* what times count from */
	const char *message; /* the last one for the user; NULL or empty: none */
};

/* 0 or -ENOMEM. */
int screen_print(FILE *out, const struct screen *screen, const struct view *v,
		 const struct snapshot *s);

#endif
