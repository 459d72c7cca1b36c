/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Walks the fields of a protobuf message where it lies. What traces are full of (events of ftrace,
 * track events) is read with this: an unpacked message costs more than all that is made of it.
 */
#ifndef PROTO_WIRE_READ_H
#define PROTO_WIRE_READ_H

#include <linux/types.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "proto/wire.h"

/* What is left of a message, or of a packed field. */
struct wire {
	const uint8_t *at;
	const uint8_t *end;
	bool bad; /* it is no sound message: nothing more is read */
};

struct wire_field {
	uint32_t number;
	uint32_t type; /* enum wire_type */
	uint64_t value; /* of all but WIRE_BYTES */
	const uint8_t *data; /* WIRE_BYTES */
	size_t len;
};

static inline struct wire wire_of(const void *data, size_t len)
{
	return (struct wire){ data, (const uint8_t *)data + len, false };
}

/* What is in f; nothing if it is no message. */
static inline struct wire wire_in(const struct wire_field *f)
{
	return f->type == WIRE_BYTES ? wire_of(f->data, f->len) : (struct wire){ 0 };
}

static inline bool wire_damaged(struct wire *w)
{
	w->bad = true;
	w->at = w->end;
	return false;
}

/*
 * What walks fields is made part of each loop that does: the field is then kept in registers, while
 * one in memory that was written word by word and is copied at once holds the machine up.
 */
#define WIRE_INLINE static inline __attribute__((always_inline))

/* A varint of up to ten bytes; false if it is not whole. */
WIRE_INLINE bool wire_varint(struct wire *w, uint64_t *value)
{
	const uint8_t *at = w->at;
	uint64_t v = 0;

	if (at < w->end && *at < 0x80) {
		*value = *at;
		w->at = at + 1;
		return true;
	}
	for (unsigned shift = 0; shift < 70 && at < w->end; shift += 7) {
		uint8_t byte = *at++;

		v |= (uint64_t)(byte & 0x7f) << shift;
		if (byte < 0x80) {
			*value = v;
			w->at = at;
			return true;
		}
	}
	return wire_damaged(w);
}

/* The next field; false at the end and where the message is not sound. */
WIRE_INLINE bool wire_next(struct wire *w, struct wire_field *f)
{
	uint64_t v;

	if (w->at >= w->end || !wire_varint(w, &v))
		return false;
	f->type = v & 7;
	f->number = (uint32_t)(v >> 3);
	f->value = 0;
	f->data = NULL;
	f->len = 0;
	if (v > UINT32_MAX || f->number == 0)
		return wire_damaged(w);

	switch (f->type) {
	case WIRE_VARINT:
		return wire_varint(w, &f->value);
	case WIRE_BYTES:
		if (!wire_varint(w, &v) || v > (size_t)(w->end - w->at))
			return wire_damaged(w);
		f->data = w->at;
		f->len = (size_t)v;
		w->at += v;
		return true;
	case WIRE_FIXED64:
		if ((size_t)(w->end - w->at) < sizeof(v))
			return wire_damaged(w);
		memcpy(&v, w->at, sizeof(v)); /* both have the machines' byte order */
		f->value = v;
		w->at += sizeof(v);
		return true;
	case WIRE_FIXED32: {
		uint32_t half;

		if ((size_t)(w->end - w->at) < sizeof(half))
			return wire_damaged(w);
		memcpy(&half, w->at, sizeof(half));
		f->value = half;
		w->at += sizeof(half);
		return true;
	}
	default: /* groups, which Perfetto has none of, and what is no type */
		return wire_damaged(w);
	}
}

/* The number that stands behind f's key, or 0 if f is not a number. */
static inline uint64_t wire_number(const struct wire_field *f)
{
	return f->type == WIRE_BYTES ? 0 : f->value;
}

/* A string, cut to fit and terminated; what comes behind a NUL in it is not seen. */
static inline void wire_string(const struct wire_field *f, char *to, size_t size)
{
	size_t len = f->type == WIRE_BYTES ? f->len : 0;

	if (len >= size)
		len = size - 1;
	if (len)
		memcpy(to, f->data, len);
	to[len] = '\0';
}

#endif
