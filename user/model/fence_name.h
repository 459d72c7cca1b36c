/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The words for a fence's timeline: its driver's, or for a container those of what it holds. */
#ifndef MODEL_FENCE_NAME_H
#define MODEL_FENCE_NAME_H

#include <stdbool.h>
#include <stddef.h>

#include "model/fence.h"

#define FENCE_UNBOUND "unbound" /* dma_fence_array, dma_fence_chain, vgem: on no timeline */

#define MEMBER_NAME_LEN (FS_DRIVER_LEN + FS_TIMELINE_LEN)
#define MEMBERS_NAMED 2

/* What the containers of a context, or of a timeline, hold: "vgem/unbound". */
struct member_names {
	char text[MEMBERS_NAMED][MEMBER_NAME_LEN];
	unsigned nr;
	bool more;
};

void member_names_add(struct member_names *of, const char *text);
void member_names_join(struct member_names *of, const struct member_names *more);

/* A recorded name, padded with NUL to be a key; empty if it is no name but a placeholder. */
void fence_name_copy(char *dst, size_t len, const char *src);

/* "driver/timeline" of at most MEMBER_NAME_LEN. False if neither is known. */
bool fence_name_pair(char *dst, const char *driver, const char *timeline);

/* What a timeline is called; `of` may be NULL. */
void fence_name_make(struct fence_name *name, const char *driver, const char *timeline,
		     const struct member_names *of);

#endif
