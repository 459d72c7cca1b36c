/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A capture's own records as track events, so that a reader can restore them: proto/vocabulary.h
 * says how. The fields come from the table of kinds (stream/record_table.h).
 *
 * A span's record comes when it has ended, those of the calls within it first. So a thread's spans
 * are held until the outermost one comes, a limit is reached or half a second is over, and then
 * written as they began.
 */
#ifndef EXPORT_PERFETTO_RECORDS_H
#define EXPORT_PERFETTO_RECORDS_H

#include <linux/types.h>
#include <stdint.h>

#include <framescope/event.h>

#include "base/idmap.h"
#include "export/perfetto_tracks.h"
#include "stream/record_table.h"

#define POINT_NAME_LEN 64
#define POINTS_MAX 16384
#define CATEGORY_LEN 32
#define CALL_TEXT_LEN 32

struct records {
	struct packets *packets;
	struct tracks *tracks;
	uint64_t last_ns; /* of the last instant */
	struct idmap points; /* id -> struct point_name */
	char categories[RECORD_KINDS][CATEGORY_LEN];
	char calls[FS_CALL_NR][FS_FILE_NR][CALL_TEXT_LEN]; /* what a thread was blocked in */
};

void records_begin(struct records *r, struct tracks *t);
void records_free(struct records *r);

/* Any record, of a kind that is written as a track event. 0 or -ENOMEM. */
int records_put(struct records *r, const struct fs_header *rec);

/* Spans that have been held for too long by `ns`. */
void records_due(struct records *r, uint64_t ns);

/* The spans that are held of a thread. */
void records_flush(struct records *r, struct out_thread *thread);

/* All spans that are held. */
void records_end(struct records *r);

/* The short name of a symbol: of a mangled one its class and function, if they are plain. */
void records_symbol(char out[POINT_NAME_LEN], const char *symbol);

#endif
