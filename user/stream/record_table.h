/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The table of record kinds, for the two files that work on it: record.c and record_text.c. */
#ifndef STREAM_RECORD_TABLE_H
#define STREAM_RECORD_TABLE_H

#include <linux/types.h>
#include <stddef.h>
#include <stdint.h>

#include <framescope/event.h>

enum field_type {
	FIELD_U64, /* decimal */
	FIELD_U32,
	FIELD_S32,
	FIELD_S64,
	FIELD_S64_LIST, /* len / 8 of them, joined by ',' */
	FIELD_U16,
	FIELD_ENUM16,
	FIELD_HEX64,
	FIELD_HEX32,
	FIELD_CPU, /* u32; FS_CPU_NONE is "-" */
	FIELD_ENUM32, /* one of `names`, or a number */
	FIELD_ENUM8,
	FIELD_FLAGS, /* u32; `names` by bit number, joined by '|' */
	FIELD_LETTER, /* u32; a printable character, or a number */
	FIELD_STRING, /* char[len], NUL-terminated */
	FIELD_TEXT, /* the rest of the record, padded with NUL */
};

struct field {
	const char *name;
	enum field_type type;
	uint16_t offset;
	uint16_t len; /* FIELD_STRING, FIELD_S64_LIST */
	uint16_t nr_names;
	const char *const *names; /* NULL where a value has no name */
};

#define RECORD_FIELDS_MAX 20
#define RECORD_KINDS (FS_KIND_BUFFER + 1)

struct kind {
	const char *name; /* NULL: not a kind */
	uint16_t min_size;
	uint16_t full_size;
	uint16_t string_ends[2]; /* the last byte of each FIELD_STRING; 0 = none */
	struct field fields[RECORD_FIELDS_MAX]; /* ended by a NULL name */
};

extern const struct kind record_kinds[RECORD_KINDS];

#endif
