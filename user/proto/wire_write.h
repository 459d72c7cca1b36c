/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Protocol buffers on the wire, for the few messages that a trace has by the million: track events
 * and their annotations. All others go through protobuf-c, which takes several times as long, as it
 * looks at every field that a message might have.
 *
 * What is written must fit: callers see to the room.
 */
#ifndef PROTO_WIRE_WRITE_H
#define PROTO_WIRE_WRITE_H

#include <linux/types.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "proto/wire.h"

/* Where the next byte goes. */
struct wire_out {
	uint8_t *at;
};

static inline void wire_put_varint(struct wire_out *w, uint64_t value)
{
	uint8_t *at = w->at;

	while (value >= 0x80) {
		*at++ = (uint8_t)(value | 0x80);
		value >>= 7;
	}
	*at++ = (uint8_t)value;
	w->at = at;
}

static inline void wire_put_tag(struct wire_out *w, unsigned field, enum wire_type type)
{
	wire_put_varint(w, field << 3 | type);
}

static inline void wire_put_uint(struct wire_out *w, unsigned field, uint64_t value)
{
	wire_put_tag(w, field, WIRE_VARINT);
	wire_put_varint(w, value);
}

static inline void wire_put_fixed64(struct wire_out *w, unsigned field, uint64_t value)
{
	wire_put_tag(w, field, WIRE_FIXED64);
	for (unsigned i = 0; i < 8; i++)
		*w->at++ = (uint8_t)(value >> (8 * i));
}

static inline void wire_put_bytes(struct wire_out *w, unsigned field, const void *bytes, size_t len)
{
	wire_put_tag(w, field, WIRE_BYTES);
	wire_put_varint(w, len);
	memcpy(w->at, bytes, len);
	w->at += len;
}

/* A message within: what wire_open() gives goes to wire_close(). */
static inline uint8_t *wire_open(struct wire_out *w, unsigned field)
{
	uint8_t *start;

	wire_put_tag(w, field, WIRE_BYTES);
	start = w->at;
	w->at += 2;
	return start;
}

/* Its length takes two bytes, or, of 16 KiB and more, three. */
static inline void wire_close(struct wire_out *w, uint8_t *start)
{
	size_t len = (size_t)(w->at - start) - 2;

	start[0] = (uint8_t)(len | 0x80);
	start[1] = (uint8_t)(len >> 7 & 0x7f);
	if (len < 1u << 14)
		return;
	memmove(start + 3, start + 2, len);
	start[1] |= 0x80;
	start[2] = (uint8_t)(len >> 14);
	w->at++;
}

/* The same for one of less than 128 bytes. */
static inline uint8_t *wire_open_small(struct wire_out *w, unsigned field)
{
	wire_put_tag(w, field, WIRE_BYTES);
	return w->at++;
}

static inline void wire_close_small(struct wire_out *w, uint8_t *start)
{
	*start = (uint8_t)(w->at - start - 1);
}

#endif
