/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The table of record kinds, for what reads or writes records field by field. */
#ifndef STREAM_RECORD_TABLE_H
#define STREAM_RECORD_TABLE_H

#include <linux/types.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

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

/* How many bytes a number of that type has in its record; 0 if it is none. */
static inline size_t field_width(enum field_type type)
{
	switch (type) {
	case FIELD_U64:
	case FIELD_S64:
	case FIELD_HEX64:
		return 8;
	case FIELD_U16:
	case FIELD_ENUM16:
		return 2;
	case FIELD_ENUM8:
		return 1;
	case FIELD_STRING:
	case FIELD_TEXT:
	case FIELD_S64_LIST:
		return 0;
	default:
		return 4;
	}
}

/* The number in that field; of a signed one, as int64_t. 0 if the field holds no number. */
static inline uint64_t field_number(const struct field *f, const struct fs_header *rec)
{
	const char *at = (const char *)rec + f->offset;
	uint64_t u64;
	uint32_t u32;
	uint16_t u16;

	switch (field_width(f->type)) {
	case 8:
		memcpy(&u64, at, sizeof(u64));
		return u64;
	case 4:
		memcpy(&u32, at, sizeof(u32));
		return f->type == FIELD_S32 ? (uint64_t)(int64_t)(int32_t)u32 : u32;
	case 2:
		memcpy(&u16, at, sizeof(u16));
		return u16;
	case 1:
		return *(const uint8_t *)at;
	default:
		return 0;
	}
}

/* Write it, cut to the field's width. Nothing is written to a field that holds no number. */
static inline void field_set_number(const struct field *f, struct fs_header *rec, uint64_t value)
{
	char *at = (char *)rec + f->offset;
	uint32_t u32 = (uint32_t)value;
	uint16_t u16 = (uint16_t)value;

	switch (field_width(f->type)) {
	case 8:
		memcpy(at, &value, sizeof(value));
		break;
	case 4:
		memcpy(at, &u32, sizeof(u32));
		break;
	case 2:
		memcpy(at, &u16, sizeof(u16));
		break;
	case 1:
		*at = (char)value;
		break;
	default:
		break;
	}
}

#endif
