/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The packets of a Perfetto trace's file, one after the other, in a buffer of bounded size. */
#ifndef TRACE_PERFETTO_FILE_H
#define TRACE_PERFETTO_FILE_H

#include <linux/types.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "stream/source.h"
#include "proto/wire_read.h"

/* A longer packet is left out; Perfetto's own have up to some hundred KiB. */
#define PF_PACKET_MAX (64u << 20)

struct pf_file;

/* Does a file that starts with these bytes, compressed or not, look like a trace? */
bool pf_file_detect(const unsigned char *head, size_t len);

/* *out ends with pf_file_free(), which takes NULL. */
int pf_file_open(struct source *s, struct pf_file **out, struct err *e);
void pf_file_free(struct pf_file *f);

/*
 * The next packet before `limit` (a place in the file, where a packet begins), valid until the next
 * call: 1, 0 at that place or the end, or a negative errno.
 */
int pf_file_packet(struct pf_file *f, uint64_t limit, struct wire *packet, struct err *e);

/* Where the next packet begins, or some other field before it. */
uint64_t pf_file_at(const struct pf_file *f);

/* Go on at a place that pf_file_at() gave; in a compressed file that can only be 0. */
int pf_file_seek(struct pf_file *f, uint64_t at, struct err *e);

/* Begin anew, with what is noticed as well. */
int pf_file_rewind(struct pf_file *f, struct err *e);

bool pf_file_seekable(const struct pf_file *f);

/* What was noticed on the way to the end, since it was opened or rewound. */
bool pf_file_cut(const struct pf_file *f); /* it ends in a packet, or in compressed data */
uint64_t pf_file_damaged(const struct pf_file *f); /* bytes that are in no packet */
uint64_t pf_file_too_long(const struct pf_file *f); /* packets left out */

#endif
