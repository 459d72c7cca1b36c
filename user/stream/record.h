/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What every record kind looks like, in one table: its name, its sizes, its fields. The checks on
 * records from a file, the text form of `dump` and its parser all follow from it.
 */
#ifndef STREAM_RECORD_H
#define STREAM_RECORD_H

#include <linux/types.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include <framescope/event.h>

#include "base/err.h"

/*
 * Names of enumerators as dump, JSON and reports print them; NULL for a value out of range. The
 * names of roles are in base/role.h.
 */
const char *record_call_name(unsigned call); /* "futex", "poll" ... */
const char *record_file_name(unsigned file); /* "socket", "sync_file" ... */
const char *record_context_name(unsigned context); /* "task", "softirq" ... */
const char *record_ref_role_name(unsigned role); /* "waited", "acquire", ... */

/* True if `kind` is known here. */
bool record_known(unsigned kind);

/* Full size of a known kind. A META record is fs_meta plus its text. */
size_t record_full_size(unsigned kind);

enum record_fit { RECORD_FITS, RECORD_UNKNOWN, RECORD_MALFORMED };

/*
 * Is it of a known kind, and long enough for it? All rec->size bytes are there to be read. If it
 * fits, its strings are NUL-terminated in place (but for the text of META, which has no room).
 */
enum record_fit record_check(struct fs_header *rec);

/*
 * Print one record as one line of text, newline included: time, cpu, tid/tgid, kind, then
 * key=value fields. The record must be one that source_next() could deliver.
 */
void record_print(FILE *out, const struct fs_header *rec);

/*
 * Parse such a line (without its newline) into buf (FS_RECORD_MAX bytes, 8-byte aligned). Fields
 * may come in any order; one left out is 0, or -1 if it is signed (-1 = none). 0, or -EINVAL with a
 * text that says which field is wrong.
 */
int record_parse(const char *line, void *buf, struct err *e);

#endif
