/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What is looked at in a live view, and what its keys change. Knows nothing of terminals. */
#ifndef TOP_VIEW_H
#define TOP_VIEW_H

#include <stdbool.h>
#include <stdint.h>

#include "top/keys.h"
#include "top/window.h"

enum top_sort {
	SORT_RATE, /* the highest first */
	SORT_P95, /* the longest first */
	SORT_JANK, /* the largest share first */
	SORT_NAME,
	SORT_NR
};

/* All zero is how it begins. */
struct view {
	enum top_sort sort;
	bool reverse;
	bool paused;
	bool opened; /* the picked producer's frames are looked at */
	bool help;
	bool quit;
	uint32_t picked; /* a producer's id; 0: none */
};

const char *top_sort_name(enum top_sort sort); /* "fps", "p95", "jank", "name" */

/*
 * Put the indices of the snapshot's figures into `order` (TOP_PRODUCERS), as they are to be listed.
 * What is not known comes last; of equals the one that appeared first comes first.
 */
void view_order(const struct view *v, const struct snapshot *s, unsigned *order);

/* The figures of the picked producer, or NULL. */
const struct figures *view_picked(const struct view *v, const struct snapshot *s);

/* A key was pressed. */
void view_key(struct view *v, int key, const struct snapshot *s);

#endif
