/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* All producers of a capture and their names. */
#ifndef MODEL_PRODUCERS_H
#define MODEL_PRODUCERS_H

#include <stddef.h>
#include <stdint.h>

#include "model/frame.h"

/* A stream that names more surfaces than this is not a graphics capture any more. */
#define PRODUCERS_MAX 16384

struct producers {
	struct producer **all;
	size_t nr;
	size_t room;
	struct producer_name *names; /* hash of the names taken */
};

void producers_free(struct producers *p);

/*
 * Add one, named after `comm`. 0 and *out, which lives until producers_free(); *out is NULL if
 * there are PRODUCERS_MAX. Or -ENOMEM.
 */
int producers_add(struct producers *p, uint32_t pid, uint32_t tid, uint64_t surface,
		  const char *comm, struct producer **out);

/* The UI thread of a producer turned out to be another than its RenderThread. */
void producers_set_ui(struct producers *p, uint32_t id, uint32_t ui_tid);

#endif
