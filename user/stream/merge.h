/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Puts records of many CPUs into one order: time, then CPU, then arrival. Records are held until a
 * mark says that everything up to a time has arrived. Memory is bounded: past MERGE_BYTES_MAX or
 * MERGE_RECORDS_MAX the older half is let go without a mark.
 *
 * A reader loops: take records with merge_next() until it gives NULL, then read more input into
 * room from merge_reserve(), merge_add() what is good in it, and pass marks on with merge_round().
 */
#ifndef STREAM_MERGE_H
#define STREAM_MERGE_H

#include <linux/types.h>
#include <stddef.h>
#include <stdint.h>

#include <framescope/event.h>

#define MERGE_BYTES_MAX (64u << 20)
#define MERGE_RECORDS_MAX (1u << 20)

/* CPUs from here on share one queue, as do the records made in user space. No kernel has more. */
#define MERGE_CPUS 8192

struct merge;

/* NULL when out of memory. Ends with merge_free(), which takes NULL. */
struct merge *merge_new(void);
void merge_free(struct merge *m);

/*
 * Room for `size` bytes of records, 8-byte aligned, or NULL when out of memory. What is in it stays
 * until all records added from it are delivered; room from which none was added is taken back by
 * the next call.
 */
void *merge_reserve(struct merge *m, size_t size);

/* Take a record that lies in the room reserved last. 0 or -ENOMEM. */
int merge_add(struct merge *m, const struct fs_header *rec);

/* Everything up to watermark_ns has arrived. */
void merge_round(struct merge *m, uint64_t watermark_ns);

/*
 * The next record to deliver, valid until the next call of any function here, or NULL: more input
 * is needed. A record older than one already delivered comes at once.
 */
const struct fs_header *merge_next(struct merge *m);

/* Records that came too late to be in order. */
uint64_t merge_late(const struct merge *m);

#endif
